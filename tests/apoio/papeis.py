"""The three roles of sql/papeis.sql on a test's server, and URLs that log in as one of them."""

from contextlib import closing

from psycopg import sql

from d5_pipeline.conexao import Conexao, conectar
from d5_pipeline.consultas import consultas
from d5_pipeline.preparacao import preparar
from d5_pipeline.recursos import PASTA_SQL
from tests.apoio.banco import clonar

DONO, SERVICO, LEITURA = "d5_dono", "d5_servico", "d5_leitura"


def como(papel: str, url: str) -> str:
    """The same database, logged in as another role."""
    assert url.startswith("postgresql://postgres:@"), url
    return url.replace("postgres:", f"{papel}:", 1)


def aplicar_papeis(conexao: Conexao) -> None:
    """Runs the file as it stands, as a superuser."""
    conexao.execute(sql.SQL((PASTA_SQL / "papeis.sql").read_text(encoding="utf-8")))


def criar_papel(conexao: Conexao, papel: str) -> None:
    """A role of somebody else, without rights, unless it exists."""
    if conexao.execute("select from pg_roles where rolname = %s", [papel]).fetchone() is None:
        conexao.execute(sql.SQL("create role {} login").format(sql.Identifier(papel)))


def preparar_com_papeis(servidor: str) -> str:
    """Name of a database with the platform's log, prepared by d5_dono between two runs of the file, as documented."""
    nome = clonar(servidor, "template1")
    with closing(conectar(servidor.format(nome))) as plataforma:
        consultas("log").criar_log(plataforma)
        aplicar_papeis(plataforma)
        url = como(DONO, servidor.format(nome))
        with closing(conectar(url)) as dono:
            preparar(dono, url, None, lambda _: None)
        aplicar_papeis(plataforma)
    return nome

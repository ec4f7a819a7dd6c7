"""A role that logs in with a password, on a server where all others need none; and the password's tell-tale part."""

from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import psycopg
from psycopg import sql

from d5_pipeline.conexao import Conexao, conectar
from d5_pipeline.erros import BancoInacessivel
from tests.apoio.observacao import esperar_ate

PAPEL = "d5_com_senha"
SEGREDO = "s3cr3ta"
SENHA = f"a@{SEGREDO}/é'%"
"""Percent-encoded, quoted or cut at any of its marks, it still shows SEGREDO."""


def com_senha(url: str, senha: str = SENHA) -> str:
    """The same database, logged in with a password."""
    assert url.startswith("postgresql://postgres:@"), url
    return url.replace("postgres:", f"{PAPEL}:{quote(senha, safe='')}", 1)


def exigir_senha(conexao: Conexao, url: str) -> None:
    """Creates the role and makes the server ask it, and nobody else, for its password."""
    papel = sql.Identifier(PAPEL)
    existe = conexao.execute("select from pg_roles where rolname = %s", [PAPEL]).fetchone() is not None
    if not existe:
        conexao.execute(sql.SQL("create role {} superuser login").format(papel))
    conexao.execute(sql.SQL("alter role {} password {}").format(papel, sql.Literal(SENHA)))
    (arquivo,) = conexao.execute("show hba_file").fetchone() or ()
    linhas = [f"local all {PAPEL} scram-sha-256", "local all all trust", "host all all 127.0.0.1/32 trust"]
    regras = sql.SQL(" union all ").join(sql.SQL("select {}").format(sql.Literal(linha)) for linha in linhas)
    conexao.execute(sql.SQL("copy ({}) to {}").format(regras, sql.Literal(str(arquivo))))
    conexao.execute("select pg_reload_conf()")
    esperar_ate(lambda: not _entra(com_senha(url, "outra")), "a exigência de senha")


def _entra(url: str) -> bool:
    try:
        with closing(conectar(url)):
            return True
    except BancoInacessivel:
        return False


def arquivos_com_segredo(pasta: Path) -> list[Path]:
    """Files below a folder in which the tell-tale part can be read."""
    return [arquivo for arquivo in pasta.rglob("*") if arquivo.is_file() and SEGREDO.encode() in arquivo.read_bytes()]


def linhas_com_segredo(url: str, esquema: str) -> list[str]:
    """Tables of a schema in which the tell-tale part can be read."""
    with psycopg.connect(url) as conexao:
        tabelas = conexao.execute("select tablename from pg_tables where schemaname = %s", [esquema]).fetchall()
        assert tabelas
        procura = sql.SQL("select exists (select from {} as t where position({} in t::text) > 0)")
        return [
            str(tabela)
            for (tabela,) in tabelas
            if conexao.execute(procura.format(sql.Identifier(esquema, tabela), sql.Literal(SEGREDO))).fetchone()
            == (True,)
        ]

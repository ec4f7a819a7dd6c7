"""Migrations, forward only, in order of name."""

from pathlib import Path

from psycopg import sql

from d5_pipeline.conexao import Conexao
from d5_pipeline.consultas import consultas
from d5_pipeline.erros import ErroDeConfiguracao
from d5_pipeline.recursos import PASTA_SQL

_sql = consultas("migracoes")


def conhecidas() -> dict[str, Path]:
    """Every migration of this version of the program, by name, in order."""
    return {arquivo.stem: arquivo for arquivo in sorted((PASTA_SQL / "migrations").glob("*.sql"))}


def migrar(conexao: Conexao) -> list[str]:
    """Applies what is missing in one transaction; returns the names. Raises ErroDeConfiguracao for a newer database."""
    with conexao.transaction():
        _sql.travar_migracoes(conexao)
        _sql.criar_registro(conexao)
        aplicadas = _aplicadas(conexao)
        _recusar_futuras(aplicadas)
        novas = [nome for nome in conhecidas() if nome not in aplicadas]
        for nome in novas:
            executar_arquivo(conexao, conhecidas()[nome])
            _sql.registrar(conexao, nome=nome)
    return novas


def executar_arquivo(conexao: Conexao, arquivo: Path) -> None:
    """Runs a file of statements as it stands."""
    conexao.execute(sql.SQL(arquivo.read_text(encoding="utf-8")))


def verificar(conexao: Conexao) -> None:
    """Raises ErroDeConfiguracao where the schema is missing or of another version."""
    if not _sql.existe_registro(conexao):
        raise ErroDeConfiguracao("o esquema d5 não existe neste banco; execute 'd5 preparar'")
    aplicadas = _aplicadas(conexao)
    _recusar_futuras(aplicadas)
    faltando = [nome for nome in conhecidas() if nome not in aplicadas]
    if faltando:
        raise ErroDeConfiguracao(f"o esquema d5 é de uma versão anterior (falta {faltando[0]}); execute 'd5 preparar'")


def _aplicadas(conexao: Conexao) -> set[str]:
    return {nome for (nome,) in _sql.aplicadas(conexao)}


def _recusar_futuras(aplicadas: set[str]) -> None:
    futuras = sorted(aplicadas - set(conhecidas()))
    if futuras:
        raise ErroDeConfiguracao(
            f"o esquema d5 é de uma versão mais nova que este programa (tem {futuras[-1]}); atualize o programa"
        )

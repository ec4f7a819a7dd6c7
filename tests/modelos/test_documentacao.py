"""What the YAML says of tables and models is what the database has, and leaves nothing unsaid."""

from pathlib import Path

import pytest

from d5_pipeline.orquestracao import documentos
from d5_pipeline.orquestracao.documentos import Tabela
from d5_pipeline.recursos import PASTA_DBT
from tests.apoio.banco import Banco

COLUNAS = """
    select attname, format_type(atttypid, atttypmod) as tipo
    from pg_attribute
    where attrelid = %s::regclass and attnum > 0 and not attisdropped
    order by attnum
"""
MODELOS = sorted((PASTA_DBT / "models").rglob("*.sql"))


def colunas(banco: Banco, nome: str) -> list[tuple[str, str]]:
    """Names and types of a table or view, in order."""
    return [(linha["attname"], linha["tipo"]) for linha in banco.consultar(COLUNAS, nome)]


def documentadas(tabela: Tabela) -> list[tuple[str, str]]:
    return [(coluna.name, coluna.data_type) for coluna in tabela.columns]


def test_columns_of_every_source_are_those_of_the_migrations(banco: Banco) -> None:
    for (fonte, nome), tabela in documentos.fontes().items():
        assert documentadas(tabela) == colunas(banco, f"{fonte}.{nome}"), nome


@pytest.mark.parametrize("arquivo", MODELOS, ids=lambda arquivo: arquivo.stem)
def test_columns_of_every_model_are_those_of_its_view(banco: Banco, arquivo: Path) -> None:
    assert documentadas(documentos.modelo(arquivo)) == colunas(banco, f"d5_modelos.{arquivo.stem}")


def test_every_table_of_the_schema_is_a_source_but_the_programs_own_records(banco: Banco) -> None:
    tabelas = banco.consultar("select tablename from pg_tables where schemaname = 'd5'")
    proprias = {"controle", "migracoes", "modelos_implantados"}
    assert {linha["tablename"] for linha in tabelas} - proprias == {
        nome for fonte, nome in documentos.fontes() if fonte == "d5"
    }


def test_nothing_is_without_a_description_and_every_grain_is_named() -> None:
    for tabela in [*documentos.fontes().values(), *map(documentos.modelo, MODELOS)]:
        assert "Grão: " in tabela.description, tabela.name
        assert tabela.columns, tabela.name
        assert [coluna.name for coluna in tabela.columns if not coluna.description.strip()] == [], tabela.name

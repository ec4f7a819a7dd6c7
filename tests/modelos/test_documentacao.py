"""What the YAML says of tables and models is what the database has, and leaves nothing unsaid."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from dagster import AssetSpec, TableSchema

from d5_pipeline.dominio import eventos
from d5_pipeline.orquestracao import documentos
from d5_pipeline.orquestracao.ativos import modelos
from d5_pipeline.orquestracao.documentos import Tabela
from d5_pipeline.recursos import PASTA_DBT
from tests.apoio.banco import Banco
from tests.apoio.comando import comando
from tests.apoio.eventos import INICIO, demanda, inserir, ranqueada

COLUNAS = """
    select attname, format_type(atttypid, atttypmod) as tipo, col_description(attrelid, attnum) as comentario
    from pg_attribute
    where attrelid = %s::regclass and attnum > 0 and not attisdropped
    order by attnum
"""
MODELOS = list(modelos())


def colunas(banco: Banco, nome: str) -> list[tuple[str, str]]:
    """Names and types of a table or view, in order."""
    return [(linha["attname"], linha["tipo"]) for linha in banco.consultar(COLUNAS, nome)]


def do_modelo(modelo: AssetSpec) -> tuple[str, TableSchema]:
    """Name of the view in the database, and its documented columns."""
    return ".".join(modelo.key.path), modelo.metadata["dagster/column_schema"]


def test_columns_of_every_source_are_those_of_the_migrations(banco: Banco) -> None:
    for (fonte, nome), tabela in documentos.fontes().items():
        documentadas = [(coluna.name, coluna.data_type) for coluna in tabela.columns]
        assert documentadas == colunas(banco, f"{fonte}.{nome}"), nome


@pytest.mark.parametrize("modelo", MODELOS, ids=lambda modelo: modelo.key.path[-1])
def test_columns_of_every_model_are_those_of_its_view(banco: Banco, modelo: AssetSpec) -> None:
    nome, esquema = do_modelo(modelo)
    assert [(coluna.name, coluna.type) for coluna in esquema.columns] == colunas(banco, nome)


def test_descriptions_are_kept_in_the_database_as_comments(banco: Banco) -> None:
    for modelo in MODELOS:
        nome, esquema = do_modelo(modelo)
        assert banco.valor("select obj_description(%s::regclass)", nome) == modelo.description
        comentarios = {linha["attname"]: linha["comentario"] for linha in banco.consultar(COLUNAS, nome)}
        assert comentarios == {coluna.name: coluna.description for coluna in esquema.columns}


def test_every_table_of_the_schema_is_a_source_but_the_programs_own_records(banco: Banco) -> None:
    tabelas = banco.consultar("select tablename from pg_tables where schemaname = 'd5'")
    proprias = {"contagem_publicacoes", "controle", "duracao_rebuilds", "migracoes", "modelos_implantados"}
    fontes = {nome for fonte, nome in documentos.fontes() if fonte == "d5"}
    assert {linha["tablename"] for linha in tabelas} - proprias == fontes


def test_nothing_is_without_a_description_and_every_grain_is_named() -> None:
    arquivos = (PASTA_DBT / "models").rglob("*.sql")
    tabelas: list[Tabela] = [*documentos.fontes().values(), *map(documentos.modelo, arquivos)]
    for tabela in tabelas:
        assert "Grão: " in tabela.description, tabela.name
        assert tabela.columns, tabela.name
        assert [coluna.name for coluna in tabela.columns if not coluna.description.strip()] == [], tabela.name


@pytest.mark.parametrize("secao", ["macros", "data_tests"])
def test_every_macro_and_every_invariant_is_described(secao: str) -> None:
    arquivo, pasta = {"macros": ("macros/macros.yml", "macros"), "data_tests": ("tests/invariantes.yml", "tests")}[
        secao
    ]
    descritos = {
        recurso["name"]: recurso["description"]
        for recurso in msgspec.yaml.decode((PASTA_DBT / arquivo).read_bytes())[secao]
    }
    nomes = {"nome_do_esquema": "generate_schema_name"}  # dbt's own name for it
    existentes = {nomes.get(sql.stem, sql.stem) for sql in (PASTA_DBT / pasta).glob("*.sql")} - {"substituir_visao"}
    assert set(descritos) == existentes
    assert all(descritos.values())


def artefato(pasta: Path, nome: str) -> Any:
    """A JSON file that dbt wrote."""
    return json.loads((pasta / ".d5" / "dbt" / f"{nome}.json").read_text(encoding="utf-8"))


def test_docs_are_generated_and_describe_every_column_that_the_database_has(banco: Banco, tmp_path: Path) -> None:
    saida = comando(tmp_path, banco.url)("dbt", "docs", "generate", "--static")
    assert saida.codigo == 0, saida.tela + saida.erros
    assert (tmp_path / ".d5" / "dbt" / "static_index.html").stat().st_size > 1_000_000
    catalogo, manifesto = artefato(tmp_path, "catalog"), artefato(tmp_path, "manifest")
    assert len(catalogo["nodes"]) == len(MODELOS)
    assert len(catalogo["sources"]) == len(documentos.fontes())
    for secao in ("nodes", "sources"):
        for nome, relacao in catalogo[secao].items():
            descritas = {c["name"] for c in manifesto[secao][nome]["columns"].values() if c["description"]}
            assert set(relacao["columns"]) == descritas, nome


def test_other_colonies_are_exposed_as_readers_of_events_alone() -> None:
    exposicoes = msgspec.yaml.decode((PASTA_DBT / "models" / "exposicoes.yml").read_bytes())["exposures"]
    consumidos = {exposicao["owner"]["name"]: exposicao["config"]["meta"]["evento"] for exposicao in exposicoes}
    assert consumidos == {"D-6a": eventos.ITEM_DISPONIVEL, "D-7": eventos.AGENDA_GERADA}
    for exposicao in exposicoes:
        assert "source('d5', 'publicacoes_pendentes')" in exposicao["depends_on"]
        assert "nunca as tabelas ou visões da D-5" in exposicao["description"]


def test_freshness_of_the_sources_is_that_of_the_log_and_of_the_cursors(banco: Banco, tmp_path: Path) -> None:
    """An event of months ago in the log, cursors that moved just now."""
    banco.semear()
    inserir(banco.conexao, ranqueada(demanda(1), quando=INICIO))
    saida = comando(tmp_path, banco.url)("dbt", "source", "freshness")
    assert saida.codigo == 1, saida.tela + saida.erros
    achados = {
        fonte["unique_id"].split(".", 2)[2]: fonte["status"] for fonte in artefato(tmp_path, "sources")["results"]
    }
    assert achados == {"core.event_log": "error", "d5.consumer_offset": "pass"}

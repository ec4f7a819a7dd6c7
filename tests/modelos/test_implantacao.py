"""Deploying the views through dbt (architecture: they are views, replaced in place)."""

import shutil
from pathlib import Path

import psycopg
import pytest

from d5_pipeline.processamento.sombra import sombra
from d5_pipeline.recursos import PASTA_DBT
from d5_pipeline.repositorio import modelos
from d5_pipeline.repositorio.modelos import (
    ErroDeModelos,
    ambiente_postgres,
    executar_dbt,
    implantar_modelos,
    impressao_digital,
)

VISOES = """
    select relname, oid, relacl::text from pg_class
    where relnamespace in ('d5_modelos'::regnamespace, 'd5_leitura'::regnamespace) and relkind = 'v'
    order by relname
"""
NOMES = {
    "parametros_vigentes",
    "scores_ativos",
    "nivel_nao_vencido",
    "vagas_por_nivel",
    "demandas_selecionadas",
    "backlog_ordenado",
    "agenda_publica",
    "agenda_com_agregadas",
    "agregados",
    "unidades",
    "cortes_por_nivel",
    "proximo_rebuild",
    "explicacao_demandas",
    "historico_demandas",
    "posicoes_do_log",
}
DEFINICOES = """
    select viewname, definition from pg_views where schemaname in ('d5_modelos', 'd5_leitura') order by viewname
"""

LIDAS_PELA_AGENDA = """
    select distinct lidas.relname
    from pg_class as visoes
    join pg_rewrite as regras on regras.ev_class = visoes.oid
    join pg_depend as d on d.classid = 'pg_rewrite'::regclass and d.objid = regras.oid
    join pg_class as lidas on d.refclassid = 'pg_class'::regclass and lidas.oid = d.refobjid and lidas.relkind = 'r'
    where visoes.relnamespace = 'd5_modelos'::regnamespace
"""
EM_DIA = {
    "backlog_scores",
    "unidades_civicas",
    "situacao_demandas",
    "demandas_agregadas",
    "coordenadas_demanda",
    "param_versions",
    "param_capacidade_por_uc",
    "param_pesos_situacionais",
}
"""Tables that a batch brings up to date before each selection, and those that no event changes."""


def test_selection_reads_no_table_that_a_batch_writes_at_its_end(url: str) -> None:
    """Rows, announcements and history are written once per batch: a model that read them would see its beginning."""
    with psycopg.connect(url) as conexao:
        assert {nome for (nome,) in conexao.execute(LIDAS_PELA_AGENDA)} == EM_DIA


def test_a_second_deployment_leaves_views_and_grants_where_they_are(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as conexao:
        conexao.execute("grant usage on schema d5_modelos, d5_leitura to public")
        conexao.execute("grant select on all tables in schema d5_modelos, d5_leitura to public")
        antes = conexao.execute(VISOES).fetchall()
        implantar_modelos(url)
        assert conexao.execute(VISOES).fetchall() == antes
        assert {nome for nome, _, _ in antes} == NOMES


def test_a_view_whose_columns_changed_is_built_anew_with_all_that_read_it(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as conexao:
        conexao.execute("drop view d5_modelos.vagas_por_nivel cascade")
        conexao.execute("create view d5_modelos.vagas_por_nivel as select null::text as unidade_civica_id, 1 as sobra")
        conexao.execute("create view d5_modelos.backlog_ordenado as select * from d5_modelos.vagas_por_nivel")
        implantar_modelos(url)
        assert {nome for nome, _, _ in conexao.execute(VISOES).fetchall()} == NOMES
        assert conexao.execute("select demanda_id, posicao from d5_modelos.backlog_ordenado").fetchall() == []


def test_a_replay_beside_the_live_tables_leaves_their_views_alone(url: str) -> None:
    """Its own models, over its own tables; the reading views stay the live ones'."""
    with psycopg.connect(url, autocommit=True) as conexao:
        antes = conexao.execute(DEFINICOES).fetchall()
        with sombra(url) as refeita:
            (paginas,) = refeita.execute("select to_regclass('d5_modelos.backlog_ordenado')::text").fetchone() or ("",)
            assert paginas == "d5_reprocessamento_modelos.backlog_ordenado"
            assert conexao.execute(DEFINICOES).fetchall() == antes
            assert conexao.execute("select * from d5_leitura.agenda_publica").fetchall() == []
        assert conexao.execute(DEFINICOES).fetchall() == antes
        assert {nome for nome, *_ in conexao.execute(VISOES).fetchall()} == NOMES


def test_a_database_without_tables_is_named_in_one_line(servidor: str) -> None:
    with pytest.raises(ErroDeModelos, match=r"visões da agenda não foram implantadas: .*does not exist") as erro:
        implantar_modelos(servidor.format("template1"))
    assert "\n" not in str(erro.value)
    assert "d5 preparar" in str(erro.value)


def test_an_unreachable_database_is_named_in_one_line(servidor: str) -> None:
    with pytest.raises(ErroDeModelos, match=r"sem conexão com o banco .*não_há.*D5_DATABASE_URL") as erro:
        implantar_modelos(servidor.format("não_há"))
    assert "\n" not in str(erro.value)


def test_settings_of_the_url_reach_dbt(servidor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A socket directory as host, no password, the rest through libpq's variables."""
    monkeypatch.delenv("PGPASSWORD", raising=False)
    ambiente = ambiente_postgres(servidor.format("postgres") + "&sslmode=disable&connect_timeout=7")
    assert Path(ambiente["D5_DBT_HOST"]).is_dir()
    assert (ambiente["D5_DBT_USER"], ambiente["D5_DBT_PASSWORD"], ambiente["D5_DBT_DBNAME"]) == (
        "postgres",
        "",
        "postgres",
    )
    assert (ambiente["PGSSLMODE"], ambiente["PGCONNECT_TIMEOUT"]) == ("disable", "7")


def test_fingerprint_follows_the_files_that_are_deployed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copia = tmp_path / "dbt_project"
    shutil.copytree(PASTA_DBT, copia)
    original = impressao_digital()
    monkeypatch.setattr(modelos, "PASTA_DBT", copia)
    (copia / "target").mkdir(exist_ok=True)
    (copia / "target" / "sobra.sql").write_text("select 1")
    assert impressao_digital() == original
    (copia / "models" / "agenda" / "scores_ativos.sql").write_text("select 1")
    alterada = impressao_digital()
    assert alterada != original
    (copia / "models" / "agenda" / "scores_ativos.sql").rename(copia / "models" / "agenda" / "outros.sql")
    assert impressao_digital() not in (original, alterada)


def test_unit_tests_of_the_models_hold_on_duckdb(arquivo_duckdb: Path, tmp_path: Path) -> None:
    argumentos = ["test", "--warn-error", "--select", "test_type:unit", "--target", "duckdb"]
    saida = executar_dbt(argumentos, {"D5_DBT_DUCKDB": str(arquivo_duckdb)}, tmp_path)
    assert saida.returncode == 0, saida.stdout + saida.stderr

"""Dagster's own records: in the configured database, in a schema of their own."""

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from dagster import DagsterInstance
from dagster._core.run_coordinator import DefaultRunCoordinator
from psycopg.conninfo import make_conninfo
from sqlalchemy import create_engine, make_url, text

from d5_pipeline.orquestracao.armazenamento import criar_esquema, url_no_esquema
from tests.apoio.banco import Banco, clonar

DAGSTER_YAML = Path(__file__).parents[2] / "dagster.yaml"
TABELAS = "select schemaname, count(*) as quantas from pg_tables where schemaname <> all(%s) group by 1"
DO_SISTEMA = ["pg_catalog", "information_schema", "core", "d5"]


@pytest.fixture
def instancia(banco: Banco, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DagsterInstance:
    """The instance that the repository's dagster.yaml describes, on the test's database."""
    monkeypatch.setenv("D5_DATABASE_URL", banco.url)
    monkeypatch.delenv("D5_DAGSTER_URL", raising=False)
    shutil.copy(DAGSTER_YAML, tmp_path)
    return DagsterInstance.from_config(str(tmp_path))


def test_dagsters_tables_lie_apart_from_core_and_d5(banco: Banco, instancia: DagsterInstance) -> None:
    assert instancia.get_runs() == []
    (linha,) = banco.consultar(TABELAS, DO_SISTEMA)
    assert linha["schemaname"] == "dagster"
    assert linha["quantas"] > 10


def test_instance_is_the_one_that_keeps_the_latency_low(instancia: DagsterInstance) -> None:
    assert isinstance(instancia.run_coordinator, DefaultRunCoordinator)
    assert instancia.get_settings("sensors") == {"use_threads": True, "num_workers": 4}
    assert instancia.run_monitoring_enabled
    assert not instancia.telemetry_enabled


def test_records_go_to_a_database_of_their_own_where_one_is_configured(
    servidor: str, banco: Banco, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = servidor.format(clonar(servidor, "template1"))
    monkeypatch.setenv("D5_DATABASE_URL", banco.url)
    monkeypatch.setenv("D5_DAGSTER_URL", url)
    shutil.copy(DAGSTER_YAML, tmp_path)
    assert DagsterInstance.from_config(str(tmp_path)).get_runs() == []
    assert banco.consultar(TABELAS, DO_SISTEMA) == []
    with psycopg.connect(url) as conexao:
        assert conexao.execute("select count(*) from dagster.runs").fetchone() == (0,)


def test_processes_that_start_together_create_the_schema_once(banco: Banco) -> None:
    with ThreadPoolExecutor(4) as processos:
        list(processos.map(criar_esquema, [banco.url] * 4))
    assert banco.valor("select count(*) from pg_namespace where nspname = 'dagster'") == 1


def test_every_form_of_connection_string_reaches_the_schema(banco: Banco) -> None:
    banco.executar("create schema dagster")
    for url in (banco.url, make_conninfo(banco.url), make_conninfo(banco.url, options="-cstatement_timeout=5s")):
        motor = create_engine(url_no_esquema(url))
        with motor.connect() as conexao:
            assert conexao.execute(text("select current_schema()")).scalar() == "dagster"
        motor.dispose()


def test_options_and_password_of_the_configured_database_are_kept() -> None:
    url = make_url(url_no_esquema("postgresql://d5:s%40nha@servidor:6543/cidade?sslmode=require&options=-cjit%3Doff"))
    assert url.drivername == "postgresql+psycopg2"
    assert dict(url.query) == {
        "user": "d5",
        "password": "s@nha",
        "host": "servidor",
        "port": "6543",
        "dbname": "cidade",
        "sslmode": "require",
        "options": "-cjit=off -csearch_path=dagster",
    }

"""What Dagster loads: jobs, sensor and lineage, without what only some runs need."""

import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from dagster import AssetKey, DefaultScheduleStatus, DefaultSensorStatus

from d5_pipeline.definitions import defs
from d5_pipeline.orquestracao.ativos import AGENDA, AGENDA_GERADA, BACKLOG, ITEM_DISPONIVEL, LOG, ativos
from tests.apoio.banco import Banco

ANCORAS = ("ler", "aplicar", "selecionar", "agrupar", "ordenar", "persistir", "publicar", "drenar")


def ordem_das_operacoes(trabalho: str) -> tuple[str, ...]:
    """The ops of a job in the order that their inputs impose."""
    dependencias = defs.resolve_job_def(trabalho).graph.dependencies
    grafo = {
        no.name: {saida.node for entrada in entradas.values() for saida in entrada.get_node_dependencies()}
        for no, entradas in dependencias.items()
    }
    return tuple(TopologicalSorter(grafo).static_order())


def test_graph_shows_the_steps_of_a_run_in_their_order() -> None:
    assert ordem_das_operacoes("processar_eventos") == ANCORAS


def test_manual_rebuild_is_the_middle_of_the_same_graph() -> None:
    assert ordem_das_operacoes("reconstruir_agenda") == ("pedir", *ANCORAS[1:-1], "ilustrar")


def test_everything_an_operator_meets_is_described() -> None:
    for nome in ("processar_eventos", "reconstruir_agenda"):
        trabalho = defs.resolve_job_def(nome)
        assert trabalho.description
        assert trabalho.tags["dagster/max_runtime"]
        assert all(no.definition.description for no in trabalho.nodes)


def test_sensor_runs_without_being_switched_on() -> None:
    sensor = defs.resolve_sensor_def("vigia_do_log")
    assert sensor.default_status == DefaultSensorStatus.RUNNING
    assert sensor.description


def test_checks_and_retention_run_without_being_switched_on() -> None:
    for nome, cron in (("verificacao_horaria", "7 * * * *"), ("retencao_diaria", "30 3 * * *")):
        agenda = defs.resolve_schedule_def(nome)
        assert (agenda.cron_schedule, agenda.default_status) == (cron, DefaultScheduleStatus.RUNNING)


def test_every_asset_has_an_owner_a_description_and_its_columns() -> None:
    for ativo in ativos():
        assert ativo.owners, ativo.key
        assert ativo.description, ativo.key
        colunas = ativo.metadata["dagster/column_schema"].columns
        assert colunas, ativo.key
        assert all(coluna.type and coluna.description for coluna in colunas), ativo.key


def test_lineage_leads_from_the_log_over_the_models_to_the_published_events() -> None:
    acima = {ativo.key: {dep.asset_key for dep in ativo.deps} for ativo in ativos()}
    for publicado in (AGENDA_GERADA, ITEM_DISPONIVEL):
        alcancados: set[AssetKey] = set()
        fronteira = {publicado}
        while fronteira:
            alcancados |= fronteira
            fronteira = {dep for chave in fronteira for dep in acima[chave]} - alcancados
        assert {LOG, BACKLOG, AGENDA, AssetKey(["d5_modelos", "backlog_ordenado"])} <= alcancados


def test_every_table_and_model_of_the_lineage_exists_in_the_database(banco: Banco) -> None:
    for ativo in ativos():
        esquema, nome = ativo.key.path
        if ativo.key not in {AGENDA, AGENDA_GERADA, ITEM_DISPONIVEL}:
            assert banco.valor("select to_regclass(%s) is not null", f"{esquema}.{nome}"), ativo.key


@pytest.mark.parametrize(
    "modulo", ["sklearn", "scipy", "dagster_dbt", "dbt", "dagster_webserver", "pandas", "matplotlib", "PIL", "urllib3"]
)
def test_loading_the_definitions_imports_only_what_a_run_needs(modulo: str) -> None:
    """An import of theirs would be paid by every run, before its first op."""
    programa = f"import sys, d5_pipeline.definitions; sys.exit({modulo!r} in sys.modules)"
    raiz = Path(__file__).parents[2]
    assert subprocess.run([sys.executable, "-c", programa], cwd=raiz, check=False).returncode == 0

"""Dagster's run history does not grow for ever; what is in progress or failed lately stays."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from dagster import DagsterInstance, DagsterRunStatus, job, op

from d5_pipeline.orquestracao.retencao import apagar, apagar_verificacoes
from d5_pipeline.orquestracao.verificacoes import VERIFICACOES
from tests.apoio.banco import Banco
from tests.apoio.eventos import OUTRA_UC, UC, demanda, inserir, ranqueada
from tests.orquestracao.orquestrador import Orquestrador


@op
def _nada() -> None: ...


@job
def _trabalho() -> None:
    _nada()


@op
def _quebrar() -> None:
    raise ValueError("de propósito")


@job
def _trabalho_com_falha() -> None:
    _quebrar()


def test_old_runs_go_with_their_events_and_failed_ones_later(instancia: DagsterInstance) -> None:
    feita = _trabalho.execute_in_process(instance=instancia).run_id
    falha = _trabalho_com_falha.execute_in_process(instance=instancia, raise_on_error=False).run_id
    cancelada = instancia.create_run_for_job(_trabalho, status=DagsterRunStatus.CANCELED).run_id
    em_curso = instancia.create_run_for_job(_trabalho, status=DagsterRunStatus.STARTED).run_id
    agora = datetime.now(UTC)

    def restantes(depois: timedelta) -> set[str]:
        apagar(instancia, agora + depois, dias=7, dias_com_falha=30)
        return {execucao.run_id for execucao in instancia.get_runs()}

    assert restantes(timedelta(days=6)) == {feita, falha, cancelada, em_curso}
    assert restantes(timedelta(days=8)) == {falha, em_curso}
    assert list(instancia.all_logs(feita)) == []
    assert restantes(timedelta(days=31)) == {em_curso}


def test_old_runs_go_with_the_output_of_their_steps(tmp_path: Path) -> None:
    """Dagster keeps it in files of its own, and does not delete them with the run."""

    def saidas(run_id: str) -> list[Path]:
        return [*tmp_path.glob(f"**/{run_id}/**/*.out"), *tmp_path.glob(f"**/{run_id}/**/*.err")]

    with DagsterInstance.local_temp(str(tmp_path)) as instancia:
        run_id = _trabalho.execute_in_process(instance=instancia).run_id
        assert len(saidas(run_id)) == 2
        assert apagar(instancia, datetime.now(UTC) + timedelta(days=8), dias=7, dias_com_falha=30) == 1
        assert saidas(run_id) == []


def test_nothing_to_delete_is_no_error(instancia: DagsterInstance) -> None:
    assert apagar(instancia, datetime.now(UTC), dias=7, dias_com_falha=30) == 0


def test_results_of_checks_go_but_the_last_of_each(
    banco: Banco, instancia: DagsterInstance, orquestrador: Orquestrador
) -> None:
    """They outlive their runs: hourly, they would grow for ever."""
    banco.semear()
    for _ in range(3):
        assert orquestrador.verificar().success
    chaves = [verificacao.check_key for verificacao in VERIFICACOES]
    depois = datetime.now(UTC) + timedelta(days=1)
    assert apagar_verificacoes(instancia, datetime.now(UTC) - timedelta(days=1)) == 0
    assert apagar_verificacoes(instancia, depois) == 2 * len(chaves)
    for chave in chaves:
        assert len(instancia.event_log_storage.get_asset_check_execution_history(chave, limit=9)) == 1


def test_partitions_of_units_that_are_no_more_go(
    banco: Banco, instancia: DagsterInstance, orquestrador: Orquestrador
) -> None:
    banco.semear()
    inserir(banco.conexao, ranqueada(demanda(1)), ranqueada(demanda(2), 1, OUTRA_UC))
    assert orquestrador.processar().success
    assert set(instancia.get_dynamic_partitions("unidade_civica")) == {UC, OUTRA_UC}
    banco.executar("delete from d5.unidades_civicas where unidade_civica_id = %s", OUTRA_UC)
    assert orquestrador.reter().success
    assert instancia.get_dynamic_partitions("unidade_civica") == [UC]

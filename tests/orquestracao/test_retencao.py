"""Dagster's run history does not grow for ever; what is in progress or failed lately stays."""

from datetime import UTC, datetime, timedelta

from dagster import DagsterInstance, DagsterRunStatus, job, op

from d5_pipeline.orquestracao.retencao import apagar


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
    em_curso = instancia.create_run_for_job(_trabalho, status=DagsterRunStatus.STARTED).run_id
    agora = datetime.now(UTC)

    def restantes(depois: timedelta) -> set[str]:
        apagar(instancia, agora + depois, dias=7, dias_com_falha=30)
        return {execucao.run_id for execucao in instancia.get_runs()}

    assert restantes(timedelta(days=6)) == {feita, falha, em_curso}
    assert restantes(timedelta(days=8)) == {falha, em_curso}
    assert list(instancia.all_logs(feita)) == []
    assert restantes(timedelta(days=31)) == {em_curso}


def test_nothing_to_delete_is_no_error(instancia: DagsterInstance) -> None:
    assert apagar(instancia, datetime.now(UTC), dias=7, dias_com_falha=30) == 0

"""Retention of Dagster's own run history, which grows for ever by itself.

Belongs here: when old runs go. Does not: the agenda's tables; their history is the auditor's.
"""

from datetime import UTC, datetime, timedelta

from dagster import (
    Config,
    DagsterInstance,
    DagsterRunStatus,
    DefaultScheduleStatus,
    OpExecutionContext,
    RunsFilter,
    ScheduleDefinition,
    in_process_executor,
    job,
    op,
)
from pydantic import Field

ENCERRADAS = (DagsterRunStatus.SUCCESS, DagsterRunStatus.FAILURE, DagsterRunStatus.CANCELED)
POR_VEZ = 500


class ConfiguracaoDaRetencao(Config):
    """How long finished runs are kept, in days."""

    dias: int = Field(7, ge=1, description="Dias que as execuções encerradas ficam guardadas.")
    dias_com_falha: int = Field(30, ge=1, description="Dias que as execuções com falha ficam guardadas.")


@op(description="Apaga execuções antigas do Dagster, com seus registros; a agenda e seu histórico ficam.")
def apagar_execucoes_antigas(context: OpExecutionContext, config: ConfiguracaoDaRetencao) -> int:
    """How many runs went."""
    apagadas = apagar(context.instance, datetime.now(UTC), config.dias, config.dias_com_falha)
    context.log.info(f"{apagadas} execução(ões) antiga(s) apagada(s)")
    return apagadas


def apagar(instancia: DagsterInstance, agora: datetime, dias: int, dias_com_falha: int) -> int:
    """Deletes finished runs, their events and logs; failed ones are kept longer. Runs in progress are never touched."""
    apagadas = 0
    for status in ENCERRADAS:
        idade = timedelta(days=dias_com_falha if status is DagsterRunStatus.FAILURE else dias)
        filtro = RunsFilter(statuses=[status], updated_before=agora - idade)
        while ids := [registro.dagster_run.run_id for registro in instancia.get_run_records(filtro, limit=POR_VEZ)]:
            for run_id in ids:
                instancia.delete_run(run_id)
            apagadas += len(ids)
    return apagadas


@job(description="Retenção do histórico de execuções do Dagster.", executor_def=in_process_executor)
def reter_execucoes() -> None:
    """One op, daily."""
    apagar_execucoes_antigas()


retencao_diaria = ScheduleDefinition(
    job=reter_execucoes,
    cron_schedule="30 3 * * *",
    execution_timezone="America/Sao_Paulo",
    default_status=DefaultScheduleStatus.RUNNING,
    description="Todos os dias às 3h30: apaga execuções antigas do Dagster.",
)

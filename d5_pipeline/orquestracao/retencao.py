"""Retention of Dagster's own records, which grow for ever by themselves.

Belongs here: when old runs, checks and partitions go. Does not: the agenda's tables; their history is the auditor's.
"""

from collections.abc import Iterable
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

from d5_pipeline.consultas import consultas
from d5_pipeline.orquestracao.ativos import UNIDADES
from d5_pipeline.orquestracao.recursos import BancoD5

ENCERRADAS = (DagsterRunStatus.SUCCESS, DagsterRunStatus.FAILURE, DagsterRunStatus.CANCELED)
POR_VEZ = 500


class ConfiguracaoDaRetencao(Config):
    """How long finished runs and the results of checks are kept, in days."""

    dias: int = Field(7, ge=1, description="Dias que as execuções encerradas ficam guardadas.")
    dias_com_falha: int = Field(30, ge=1, description="Dias que execuções com falha e verificações ficam guardadas.")


@op(description="Apaga execuções antigas do Dagster com seus registros e mapas; a agenda e seu histórico ficam.")
def apagar_execucoes_antigas(context: OpExecutionContext, config: ConfiguracaoDaRetencao, banco: BancoD5) -> int:
    """How many runs went."""
    agora = datetime.now(UTC)
    apagadas = apagar(context.instance, agora, config.dias, config.dias_com_falha)
    verificacoes = apagar_verificacoes(context.instance, agora - timedelta(days=config.dias_com_falha))
    conhecidas = (unidade for (unidade,) in consultas("unidades").conhecidas(banco.unidade.conexao))
    esquecidas = esquecer_unidades(context.instance, conhecidas)
    context.log.info(
        f"{apagadas} execução(ões), {verificacoes} resultado(s) de verificação e {esquecidas} partição(ões) apagados"
    )
    return apagadas


def apagar(instancia: DagsterInstance, agora: datetime, dias: int, dias_com_falha: int) -> int:
    """Deletes finished runs with their events and output; failed ones are kept longer. Runs in progress stay."""
    apagadas = 0
    for status in ENCERRADAS:
        idade = timedelta(days=dias_com_falha if status is DagsterRunStatus.FAILURE else dias)
        filtro = RunsFilter(statuses=[status], updated_before=agora - idade)
        while ids := [registro.dagster_run.run_id for registro in instancia.get_run_records(filtro, limit=POR_VEZ)]:
            for run_id in ids:
                instancia.compute_log_manager.delete_logs(prefix=[run_id])  # first: nobody would find them afterwards
                instancia.delete_run(run_id)
            apagadas += len(ids)
    return apagadas


def apagar_verificacoes(instancia: DagsterInstance, antes_de: datetime) -> int:
    """Deletes old results of checks, which outlive their runs; the last one of each check stays."""
    from dagster._core.storage.event_log import SqlEventLogStorage
    from dagster._core.storage.event_log.schema import AssetCheckExecutionsTable
    from sqlalchemy import func, select

    armazenamento = instancia.event_log_storage
    if not isinstance(armazenamento, SqlEventLogStorage):
        return 0
    tabela = AssetCheckExecutionsTable
    ultimas = select(func.max(tabela.c.id)).group_by(tabela.c.asset_key, tabela.c.check_name)
    velhas = tabela.delete().where(tabela.c.create_timestamp < antes_de, tabela.c.id.not_in(ultimas))
    with armazenamento.index_connection() as conexao:
        return int(conexao.execute(velhas).rowcount)


def esquecer_unidades(instancia: DagsterInstance, conhecidas: Iterable[str]) -> int:
    """Removes the partitions of units that the database does not know any more."""
    nome = str(UNIDADES.name)
    sobras = set(instancia.get_dynamic_partitions(nome)) - set(conhecidas)
    for unidade in sorted(sobras):
        instancia.delete_dynamic_partition(nome, unidade)
    return len(sobras)


@job(
    description="Retenção dos registros do Dagster: execuções, verificações, partições.",
    executor_def=in_process_executor,
)
def reter_execucoes() -> None:
    """One op, daily."""
    apagar_execucoes_antigas()


retencao_diaria = ScheduleDefinition(
    name="retencao_diaria",
    job=reter_execucoes,
    cron_schedule="30 3 * * *",
    execution_timezone="America/Sao_Paulo",
    default_status=DefaultScheduleStatus.RUNNING,
    description="Todos os dias às 3h30: apaga registros antigos do Dagster.",
)

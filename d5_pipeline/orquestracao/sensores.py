"""Sensors: what starts a run without a person.

Belongs here: observing, and translating the decision into Dagster's words. Does not: the decision (vigia.py).
"""

import time
from collections.abc import Sequence
from datetime import UTC, datetime

import psycopg
from dagster import (
    DagsterInstance,
    DagsterRunStatus,
    DefaultSensorStatus,
    RunRecord,
    RunRequest,
    RunsFilter,
    SensorEvaluationContext,
    SkipReason,
    sensor,
)

from d5_pipeline import preparacao
from d5_pipeline.conexao import Conexao, linha_unica
from d5_pipeline.consultas import consultas
from d5_pipeline.erros import ErroD5
from d5_pipeline.orquestracao.recursos import BancoD5, aplicacao_da_execucao
from d5_pipeline.orquestracao.relatorio import ETIQUETA_DLQ, ETIQUETA_RELATO
from d5_pipeline.orquestracao.trabalhos import processar_eventos
from d5_pipeline.orquestracao.vigia import Decisao, Esperar, Execucao, conter, decidir, viva
from d5_pipeline.processamento.situacao import observar

OLHAR_DE_NOVO = 0.25  # seconds
DURACAO_DO_TURNO = 4.0  # seconds; the daemon's loop adds five between two turns
_EM_CURSO = {DagsterRunStatus.QUEUED, DagsterRunStatus.STARTING, DagsterRunStatus.STARTED, DagsterRunStatus.CANCELING}


@sensor(
    job_name=processar_eventos.name,
    minimum_interval_seconds=1,
    default_status=DefaultSensorStatus.RUNNING,
    description="Olha log e pendências e inicia uma execução quando há o que fazer; se não, diz o que espera.",
)
def vigia_do_log(context: SensorEvaluationContext, banco: BancoD5) -> RunRequest | SkipReason:
    """One run request, or what is waited for; nothing is remembered between ticks but what the database says."""
    try:
        with banco.abrir() as conexao:
            preparacao.verificar(conexao)
            decisao = vigiar(conexao, context.instance)
    except ErroD5 as erro:
        return SkipReason(str(erro))
    except psycopg.Error as erro:
        return SkipReason(f"banco inacessível: {linha_unica(erro)}")
    return (
        SkipReason(decisao.motivo) if isinstance(decisao, Esperar) else RunRequest(tags={"d5/motivo": decisao.motivo})
    )


def vigiar(conexao: Conexao, instancia: DagsterInstance) -> Decisao:
    """Looks until there is something to do or the turn is over."""
    fim = time.monotonic() + DURACAO_DO_TURNO
    while True:
        decisao = olhar(conexao, instancia)
        if not isinstance(decisao, Esperar) or time.monotonic() > fim:
            return decisao
        time.sleep(OLHAR_DE_NOVO)


def olhar(conexao: Conexao, instancia: DagsterInstance) -> Decisao:
    """One look; Dagster's own storage is asked only where the database has something for a run."""
    decisao = decidir(observar(conexao))
    if isinstance(decisao, Esperar):
        return decisao
    agora = datetime.now(UTC)
    execucoes = _execucoes(conexao, instancia)
    _encerrar_mortas(instancia, execucoes, agora)
    return conter(execucoes, agora) or decisao


def _execucoes(conexao: Conexao, instancia: DagsterInstance) -> list[Execucao]:
    registros = instancia.get_run_records(RunsFilter(job_name=processar_eventos.name), limit=8)
    return [_execucao(conexao, registro) for registro in registros]


def _execucao(conexao: Conexao, registro: RunRecord) -> Execucao:
    run = registro.dagster_run
    conectada, servidor_desde = consultas("orquestracao").sessao(conexao, aplicacao=aplicacao_da_execucao(run.run_id))
    falhou = run.status == DagsterRunStatus.FAILURE and ETIQUETA_DLQ not in run.tags
    return Execucao(
        run.run_id,
        em_curso=run.status in _EM_CURSO,
        lancada_em=registro.create_timestamp.astimezone(UTC),
        servidor_desde=servidor_desde,
        iniciada_em=_instante(registro.start_time),
        conectada=conectada,
        relatando=ETIQUETA_RELATO in run.tags,
        falhou_em=_instante(registro.end_time) if falhou else None,
    )


def _instante(segundos: float | None) -> datetime | None:
    return None if segundos is None else datetime.fromtimestamp(segundos, UTC)


def _encerrar_mortas(instancia: DagsterInstance, execucoes: Sequence[Execucao], agora: datetime) -> None:
    for execucao in execucoes:
        run = instancia.get_run_by_id(execucao.run_id) if execucao.em_curso and not viva(execucao, agora) else None
        if run is not None and run.status in _EM_CURSO:
            instancia.report_run_failed(run, "o processo desta execução morreu sem encerrá-la; outra toma o seu lugar")

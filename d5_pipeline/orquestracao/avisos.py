"""The alarm: a run that failed becomes one line an operator can act on and, where configured, a webhook's message.

Belongs here: what is said, and to whom. Does not: what is done about it; the vigia starts the next run by itself.
"""

from typing import Any, Final, NamedTuple

from dagster import (
    DagsterEvent,
    DagsterEventType,
    DagsterInstance,
    DagsterRun,
    DagsterRunStatus,
    DefaultSensorStatus,
    RunFailureSensorContext,
    RunsFilter,
    run_failure_sensor,
)

from d5_pipeline import registro
from d5_pipeline.config import Configuracao, configuracao
from d5_pipeline.orquestracao.relatorio import ETIQUETA_DLQ
from d5_pipeline.registro import log

PRAZO: Final = 5.0  # seconds that the webhook may take
TAMANHO: Final = 500  # characters of a cause
_MORTA: Final = "o processo da execução acabou sem encerrá-la: foi morto, ou a máquina parou"

_DEPOIS_DA_DLQ: Final = (
    "os demais eventos foram aplicados; 'd5 dlq listar' diz a causa, 'd5 dlq reenviar EVENTO' depois de corrigi-la"
)
_DEPOIS_DO_COMMIT: Final = (
    "o que foi aplicado está gravado, nada sai duas vezes e a próxima execução publica primeiro o que está pendente; "
    "se ela também falhar, corrija a causa"
)
_O_QUE_FAZER: Final = {
    "processar_eventos": "nada se perdeu e a próxima execução recomeça sozinha; se também falhar, corrija a causa",
    "reconstruir_agenda": "nada mudou; corrija a causa e execute o trabalho de novo",
    "reenviar_dlq": "nada mudou; 'd5 dlq listar' diz a causa; corrija-a e execute o trabalho de novo",
    "testar_modelos": "há linhas que não deveriam existir: a execução diz quais; 'd5 reprocessar' diz o que difere",
    "reter_execucoes": "o histórico do Dagster cresce até a próxima vez; veja a causa",
    "verificar": "as verificações não rodaram; veja a causa e 'd5 status'",
}


class Aviso(NamedTuple):
    """A failed run in four answers: which job, which run, what failed, what to do."""

    trabalho: str
    execucao: str
    falhou: str
    fazer: str

    @property
    def linha(self) -> str:
        """All of it in one line."""
        return f"{self.trabalho} falhou (execução {self.execucao[:8]}): {self.falhou}. O que fazer: {self.fazer}"


@run_failure_sensor(
    default_status=DefaultSensorStatus.RUNNING,
    minimum_interval_seconds=10,
    monitor_all_code_locations=True,
    description="Cada execução com falha vira uma linha no registro e, com D5_WEBHOOK_URL, um aviso a esse endereço.",
)
def aviso_de_falha(context: RunFailureSensorContext) -> None:
    """One line per failed run, of either code location; a failure that only repeats the last one is not sent again."""
    definicoes = configuracao()
    registro.configurar(definicoes.log, definicoes.log_json)
    aviso = montar(context.instance, context.dagster_run, _sem_passo(context.failure_event))
    log.error("execução com falha", **aviso._asdict())
    context.log.error(aviso.linha)
    if not repetido(context.instance, context.dagster_run, aviso):
        enviar(aviso, definicoes)


def _sem_passo(evento: DagsterEvent) -> str:
    """What a run's own failure event says: an error, or that somebody declared the run dead."""
    erro = getattr(evento.event_specific_data, "error", None)
    if erro is not None:
        return str((erro.cause or erro).message)
    return _MORTA if "from outside the execution context" in (evento.message or "") else evento.message or ""


def montar(instancia: DagsterInstance, execucao: DagsterRun, mensagem: str) -> Aviso:
    """What to say of a failed run; `mensagem` is said of one that failed outside of its steps."""
    passo, causa = _causa(instancia, execucao.run_id)
    falhou = f"{passo}: {causa}" if passo else _curta(mensagem)
    return Aviso(execucao.job_name, execucao.run_id, falhou, _o_que_fazer(execucao, passo))


def repetido(instancia: DagsterInstance, execucao: DagsterRun, aviso: Aviso) -> bool:
    """Whether the job's run before this one failed for the same reason: an outage is told once; each dead letter is."""
    if ETIQUETA_DLQ in execucao.tags:
        return False
    anteriores = instancia.get_runs(RunsFilter(job_name=execucao.job_name), cursor=execucao.run_id, limit=1)
    return any(
        anterior.status == DagsterRunStatus.FAILURE and montar(instancia, anterior, "").falhou == aviso.falhou
        for anterior in anteriores
    )


def _causa(instancia: DagsterInstance, run_id: str) -> tuple[str, str]:
    """The first failed step and its own line; empty where the run failed outside of its steps."""
    for registrado in instancia.get_records_for_run(run_id, of_type=DagsterEventType.STEP_FAILURE, limit=1).records:
        evento = registrado.event_log_entry.get_dagster_event()
        dados = evento.step_failure_data
        motivo = dados.user_failure_data.description if dados.user_failure_data else None
        if motivo is None and dados.error is not None:
            motivo = (dados.error.cause or dados.error).message
        return str(evento.step_key), _curta(motivo or "sem explicação")
    return "", ""


def _curta(texto: str) -> str:
    linha = " ".join(texto.split())
    return linha if len(linha) <= TAMANHO else f"{linha[: TAMANHO - 1]}…"


def _o_que_fazer(execucao: DagsterRun, passo: str) -> str:
    if ETIQUETA_DLQ in execucao.tags:
        return _DEPOIS_DA_DLQ
    if passo in ("publicar", "drenar"):
        return _DEPOIS_DO_COMMIT
    return _O_QUE_FAZER.get(execucao.job_name, "abra a execução na interface web e veja a causa")


def enviar(aviso: Aviso, definicoes: Configuracao) -> bool:
    """POSTs the warning as JSON to D5_WEBHOOK_URL; whether it arrived. Its failure is a line, and no more.

    The address may hold a secret: neither it nor what an error says of it is repeated.
    """
    if definicoes.webhook_url is None:
        return False
    import urllib3

    corpo: dict[str, Any] = {"text": aviso.linha, **aviso._asdict()}
    try:
        resposta = urllib3.request("POST", str(definicoes.webhook_url), json=corpo, timeout=PRAZO, retries=False)
    except (urllib3.exceptions.HTTPError, OSError) as erro:
        log.error("aviso não entregue: o endereço de D5_WEBHOOK_URL não responde", erro=type(erro).__name__)
        return False
    if resposta.status >= 300:
        log.error("aviso não entregue: o endereço de D5_WEBHOOK_URL o recusou", status=resposta.status)
    return resposta.status < 300

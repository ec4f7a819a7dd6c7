"""Re-driving dead letters and discards: out of their place, with the guards of D6, in one transaction each."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from d5_pipeline.barramento import dlq
from d5_pipeline.barramento.leitor import Leitura, ler_por_numero
from d5_pipeline.conexao import Conexao, causado_pelo_evento, com_tipo
from d5_pipeline.consultas import consultas
from d5_pipeline.erros import ErroDeConfiguracao
from d5_pipeline.processamento.entrada import Lote, validar_leitura
from d5_pipeline.processamento.lote import Relogio, agora, aplicar_ondas, concluir
from d5_pipeline.registro import log, registrar_morte
from d5_pipeline.repositorio import cursores, intervencoes
from d5_pipeline.repositorio.conhecidos import chave_de
from d5_pipeline.repositorio.intervencoes import NINGUEM, Autoria

Origem = Literal["dlq", "descartes"]

_AUTOMATICO = Autoria(por_que="tentativa automática")


def reaplicar(conexao: Conexao, sequencias: Sequence[int], relogio: Relogio) -> Lote:
    """Applies the events again inside the open fenced transaction; a discard stays one."""
    lote = validar_leitura(conexao, Leitura(ler_por_numero(conexao, sequencias), 0, 0))
    aplicar_ondas(conexao, lote)
    concluir(conexao, lote, relogio)
    descartados = {descarte.event_id for descarte in lote.descartes}
    aproveitados = [e.event_id for e in lote.leitura.envelopes if e.event_id not in descartados]
    consultas("descartes").encerrar(conexao, situacao="reenviado", event_ids=aproveitados)
    return lote


def reenviar_vencidas(conexao: Conexao, relogio: Relogio, contar: Callable[[Lote], None]) -> None:
    """The automatic attempts that are due, one transaction each; a failure puts the next one off, or ends them.

    Raises what is not the event's fault.
    """
    for vencida in dlq.vencidas(conexao):
        if vencida.event_id in _fora_do_log(conexao, {vencida.event_id: vencida.sequencia}):
            _esgotar(conexao, vencida)
            continue
        try:
            with cursores.transacao_cercada(conexao):
                argumentos: dict[str, object] = {"origem": "automatico", "sequencias": [vencida.sequencia]}
                intervencoes.registrar(conexao, "reenvio", relogio(), argumentos, _AUTOMATICO)
                lote = reaplicar(conexao, [vencida.sequencia], relogio)
        except Exception as erro:
            if not causado_pelo_evento(erro):
                raise
            with cursores.transacao_cercada(conexao):
                (envelope,) = ler_por_numero(conexao, [vencida.sequencia])
                resta = dlq.registrar_tentativa(conexao, vencida, com_tipo(erro))
            registrar_morte("nova tentativa da DLQ falhou", envelope, erro, esgotada=not resta)
        else:
            contar(lote)


def _esgotar(conexao: Conexao, vencida: dlq.Vencida) -> None:
    motivo = "o evento não está mais no log"
    with cursores.transacao_cercada(conexao):
        dlq.esgotar(conexao, vencida, motivo)
    log.error(
        "evento da DLQ sem nova tentativa", erro=motivo, event_id=vencida.event_id, sequence_number=vencida.sequencia
    )


def reenviar(
    conexao: Conexao, origem: Origem, pedidos: Sequence[str], relogio: Relogio = agora, autoria: Autoria = NINGUEM
) -> Lote:
    """An operator's re-drive of dead letters or discards, all in one transaction, recorded as an intervention.

    `pedidos` are event_ids or sequence numbers; none stands for all that wait. What fails again raises and changes
    nothing. Raises ErroDeConfiguracao for one that is not there.
    """
    with cursores.transacao_cercada(conexao):
        escolhidos = _resolver(conexao, origem, pedidos)
        for event_id in _fora_do_log(conexao, escolhidos):
            raise ErroDeConfiguracao(
                f"o evento {event_id} (nº {escolhidos[event_id]}) não está mais no log; "
                f"desista dele com 'd5 {origem} descartar {event_id} --motivo …'"
            )
        sequencias = list(escolhidos.values())
        if sequencias:
            argumentos: dict[str, object] = {"origem": origem, "sequencias": sequencias}
            intervencoes.registrar(conexao, "reenvio", relogio(), argumentos, autoria)
        return reaplicar(conexao, sequencias, relogio)


def encerrar(conexao: Conexao, origem: Origem, pedidos: Sequence[str], motivo: str, quem: str | None = None) -> int:
    """An operator gives dead letters or discards up, with a reason; returns how many."""
    autoria = intervencoes.autoria(quem, motivo)
    with cursores.transacao_cercada(conexao):
        escolhidos = _resolver(conexao, origem, pedidos)
        argumentos: dict[str, object] = {"origem": origem, "sequencias": list(escolhidos.values()), "motivo": motivo}
        intervencoes.registrar(conexao, "encerramento", agora(), argumentos, autoria)
        if origem == "dlq":
            return dlq.descartar(conexao, list(escolhidos))
        return int(consultas("descartes").encerrar(conexao, situacao="encerrado", event_ids=list(escolhidos)))


def _em_espera(conexao: Conexao, origem: Origem) -> dict[str, int]:
    """event_id → number of what waits for an operator, in log order."""
    if origem == "dlq":
        return dlq.sem_solucao(conexao)
    return {event_id: sequencia for sequencia, event_id, *_ in consultas("descartes").listar(conexao, todas=False)}


def _resolver(conexao: Conexao, origem: Origem, pedidos: Sequence[str]) -> dict[str, int]:
    """event_id → number of what was asked for, by either, among what waits; all of it where nothing is named."""
    esperando = _em_espera(conexao, origem)
    if not pedidos:
        return esperando
    por_numero = {sequencia: event_id for event_id, sequencia in esperando.items()}
    escolhidos = set()
    for pedido in pedidos:
        chave = chave_de(pedido)
        event_id = por_numero.get(chave) if isinstance(chave, int) else chave
        if event_id not in esperando:
            raise ErroDeConfiguracao(f"nada espera por reenvio em '{pedido}'; veja 'd5 {origem} listar'")
        escolhidos.add(event_id)
    return {event_id: sequencia for event_id, sequencia in esperando.items() if event_id in escolhidos}


def _fora_do_log(conexao: Conexao, escolhidos: Mapping[str, int]) -> list[str]:
    """Those that a log which was cut back no longer holds, under their number or at all."""
    presentes = {envelope.event_id for envelope in ler_por_numero(conexao, list(escolhidos.values()))}
    return [event_id for event_id in escolhidos if event_id not in presentes]

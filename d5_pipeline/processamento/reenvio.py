"""Re-driving dead letters and discards: out of their place, with the guards of D6, in one transaction each."""

from collections.abc import Callable, Sequence
from typing import Literal

from d5_pipeline.barramento import dlq
from d5_pipeline.barramento.leitor import Leitura, ler_por_numero
from d5_pipeline.conexao import Conexao, causado_pelo_evento, linha_unica
from d5_pipeline.consultas import consultas
from d5_pipeline.erros import ErroDeConfiguracao
from d5_pipeline.processamento.entrada import Lote, validar_leitura
from d5_pipeline.processamento.lote import Relogio, agora, aplicar_ondas, concluir
from d5_pipeline.registro import registrar_morte
from d5_pipeline.repositorio import cursores, intervencoes
from d5_pipeline.repositorio.conhecidos import sequencias_de
from d5_pipeline.repositorio.intervencoes import NINGUEM, Autoria

Origem = Literal["dlq", "descartes"]

_AUTOMATICO = Autoria(por_que="tentativa automática")


def reaplicar(conexao: Conexao, sequencias: Sequence[int], relogio: Relogio) -> Lote:
    """Applies the events again inside the open fenced transaction; a discard stays one, with its present reason."""
    lote = validar_leitura(conexao, Leitura(ler_por_numero(conexao, sequencias), 0, 0))
    aplicar_ondas(conexao, lote)
    concluir(conexao, lote, relogio)
    aproveitados = sorted(set(sequencias) - {descarte.sequence_number for descarte in lote.descartes})
    consultas("descartes").encerrar(conexao, situacao="reenviado", sequencias=aproveitados)
    return lote


def reenviar_vencidas(conexao: Conexao, relogio: Relogio, contar: Callable[[Lote], None]) -> None:
    """The automatic attempts that are due, one transaction each; a failure puts the next one off, or ends them.

    Raises what is not the event's fault.
    """
    for vencida in dlq.vencidas(conexao):
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
                resta = dlq.registrar_tentativa(conexao, vencida, f"{type(erro).__name__}: {linha_unica(erro)}")
            registrar_morte("nova tentativa da DLQ falhou", envelope, erro, esgotada=not resta)
        else:
            contar(lote)


def reenviar(
    conexao: Conexao, origem: Origem, pedidos: Sequence[str], relogio: Relogio = agora, autoria: Autoria = NINGUEM
) -> Lote:
    """An operator's re-drive of dead letters or discards, all in one transaction, recorded as an intervention.

    `pedidos` are event_ids or sequence numbers; none stands for all that wait. What fails again raises and changes
    nothing. Raises ErroDeConfiguracao for one that is not there.
    """
    with cursores.transacao_cercada(conexao):
        sequencias = _resolver(conexao, origem, pedidos)
        argumentos: dict[str, object] = {"origem": origem, "sequencias": sequencias}
        intervencoes.registrar(conexao, "reenvio", relogio(), argumentos, autoria)
        return reaplicar(conexao, sequencias, relogio)


def encerrar(conexao: Conexao, origem: Origem, pedidos: Sequence[str], motivo: str, quem: str | None = None) -> int:
    """An operator gives dead letters or discards up, with a reason; returns how many."""
    autoria = intervencoes.autoria(quem, motivo)
    with cursores.transacao_cercada(conexao):
        sequencias = _resolver(conexao, origem, pedidos)
        argumentos: dict[str, object] = {"origem": origem, "sequencias": sequencias, "motivo": motivo}
        intervencoes.registrar(conexao, "encerramento", agora(), argumentos, autoria)
        if origem == "dlq":
            return dlq.descartar(conexao, sequencias)
        return int(consultas("descartes").encerrar(conexao, situacao="encerrado", sequencias=sequencias))


def em_espera(conexao: Conexao, origem: Origem) -> list[int]:
    """Numbers of what waits for an operator."""
    if origem == "dlq":
        return sorted(dlq.sem_solucao(conexao))
    return [linha[0] for linha in consultas("descartes").listar(conexao, todas=False)]


def _resolver(conexao: Conexao, origem: Origem, pedidos: Sequence[str]) -> list[int]:
    esperando = em_espera(conexao, origem)
    if not pedidos:
        return esperando
    sequencias = sequencias_de(conexao, pedidos)
    for pedido, sequencia in zip(pedidos, sequencias, strict=True):
        if sequencia not in esperando:
            raise ErroDeConfiguracao(f"nada espera por reenvio em '{pedido}'; veja 'd5 {origem} listar'")
    return sorted(set(sequencias))

"""The fold of events over the state: the ten handlers by event (3.7, 3.10 to 3.12). No clock, no random, no I/O."""

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from d5_pipeline.dominio import eventos as ev
from d5_pipeline.dominio import transicoes
from d5_pipeline.dominio.anuncios import anunciar
from d5_pipeline.dominio.estado import Estado
from d5_pipeline.dominio.estados import ENCERRADOS
from d5_pipeline.dominio.linhas import Item, ScoreAtual

REENTREGUE: Final = "demanda.ranqueada reentregue, já aplicada"


def aplicar(estado: Estado, evento: ev.Evento) -> ev.Descarte | None:
    """Folds one event over the state; returns the discard where the stored state forbids to use it (D16)."""
    return MANIPULADORES[type(evento.dados)](estado, evento, evento.dados)


def _ranqueada(estado: Estado, evento: ev.Evento, dados: ev.Ranqueada) -> None:
    """3.10: the guards by event_id, aggregation and sequence, then steps 4 to 6."""
    demanda_id, unidade_id = dados.demanda_id, dados.unidade_civica_id
    atual = estado.scores.get(demanda_id)
    if atual is not None and atual.event_id == evento.event_id:
        _informar(estado, evento, dados, REENTREGUE, estado.status(demanda_id))
        return
    if demanda_id in estado.agregadas:
        _informar(estado, evento, dados, "demanda já agregada, evento tardio ignorado", "agregado")
        return
    if atual is not None and evento.sequence_number <= atual.sequence_number:
        _informar(estado, evento, dados, "evento fora de ordem ignorado", estado.status(demanda_id))
        return
    estado.scores[demanda_id] = ScoreAtual(
        unidade_id, dados.categoria_id, dados.nivel_precedencia, evento.sequence_number, evento.event_id
    )
    estado.mudancas.scores[demanda_id] = (evento, dados)
    estado.mudancas.criacoes.setdefault(demanda_id, evento.criado_em)
    item = estado.itens.get(demanda_id)
    if item is None:
        _inserir_se_couber(estado, evento, dados)
        return
    estado.gravar_item(
        replace(
            item,
            unidade_civica_id=unidade_id,
            score=dados.score_final,
            categoria_id=dados.categoria_id,
            nivel_precedencia=dados.nivel_precedencia,
            event_id=evento.event_id,
        )
    )
    _informar(estado, evento, dados, "score atualizado no backlog", item.status)


def _inserir_se_couber(estado: Estado, evento: ev.Evento, dados: ev.Ranqueada) -> None:
    demanda_id, unidade_id = dados.demanda_id, dados.unidade_civica_id
    status = estado.status(demanda_id) or "disponivel"
    if status in ENCERRADOS:
        _informar(estado, evento, dados, "demanda encerrada não volta ao backlog", status)
        return
    unidade = estado.unidades[unidade_id]
    itens = unidade.contagem
    if itens >= unidade.capacidade:
        _informar(estado, evento, dados, "demanda fora da capacidade da unidade", status)
        return
    estado.gravar_item(
        Item(
            demanda_id,
            unidade_id,
            itens + 1,
            dados.score_final,
            status,
            None,
            dados.categoria_id,
            dados.nivel_precedencia,
            evento.event_id,
            estado.entrada(demanda_id, evento.criado_em),
            evento.criado_em,
        )
    )
    _informar(estado, evento, dados, "demanda inserida no backlog", status)
    anunciar(estado, evento, unidade_id)


def _informar(estado: Estado, evento: ev.Evento, dados: ev.Ranqueada, mensagem: str, status: str | None) -> None:
    demanda_id, unidade_id = dados.demanda_id, dados.unidade_civica_id
    estado.registrar("info", mensagem, evento, demanda_id=demanda_id, unidade_civica_id=unidade_id, status=status)


def _ranking_atualizado(estado: Estado, evento: ev.Evento, dados: ev.RankingAtualizado) -> None:
    """Only a trigger: the payload's top 10 does not feed the projection (3.2, 3.11)."""
    estado.mudancas.reconstrucoes[dados.unidade_civica_id] = evento


def _reconstrucao_manual(estado: Estado, evento: ev.Evento, dados: ev.ReconstrucaoManual) -> None:
    estado.mudancas.reconstrucoes.update(dict.fromkeys(dados.unidades, evento))


def _georreferenciada(estado: Estado, evento: ev.Evento, dados: ev.Georreferenciada) -> None:
    """The last applied coordinates win (4.6, D6)."""
    if dados.coordenadas is not None:
        *_, criado_em = estado.mudancas.coordenadas.get(dados.demanda_id, (evento.criado_em,))
        estado.mudancas.coordenadas[dados.demanda_id] = (*dados.coordenadas, criado_em)


def _reentrega(estado: Estado, evento: ev.Evento, dados: ev.Reentrega) -> None:
    """Step 1 of 3.10."""
    demanda_id, unidade_id = dados.demanda_id, dados.unidade_civica_id
    estado.registrar("info", REENTREGUE, evento, demanda_id=demanda_id, unidade_civica_id=unidade_id)


def _sem_efeito(mensagem: str) -> Callable[[Estado, ev.Evento, Any], None]:
    """Handler of an event that only leaves a line in the log (4.8)."""
    return lambda estado, evento, _: estado.registrar("info", mensagem, evento)


MANIPULADORES: Final[dict[type, Callable[[Estado, ev.Evento, Any], ev.Descarte | None]]] = {
    ev.Ranqueada: _ranqueada,
    ev.RankingAtualizado: _ranking_atualizado,
    ev.Sorteado: transicoes.sorteado,
    ev.Iniciada: transicoes.iniciada,
    ev.Concluida: transicoes.concluida,
    ev.ConclusaoConfirmada: transicoes.confirmada,
    ev.Agregada: transicoes.agregada,
    ev.Georreferenciada: _georreferenciada,
    ev.ParametrosAtualizados: _sem_efeito("Evento parâmetros.atualizados ignorado (MVP — config estática)"),
    ev.RemovidaPorVotacao: _sem_efeito("Evento demanda.removida_por_votação ignorado (MVP)"),
    ev.Reentrega: _reentrega,
    ev.ReconstrucaoManual: _reconstrucao_manual,
}
"""Content of an event → its handler."""

"""The fold of events over the state: the handlers of 3.7 and 3.10 to 3.12. No clock, no random, no I/O."""

from datetime import datetime
from decimal import Decimal
from typing import assert_never

from msgspec.structs import replace

from d5_pipeline.dominio import eventos as ev
from d5_pipeline.dominio.estado import Estado, Item, Publicacao, ScoreAtual, Situacao, Transicao
from d5_pipeline.dominio.estados import ENCERRADOS, Status, transicao
from d5_pipeline.dominio.publicacoes import item_disponivel
from d5_pipeline.dominio.tempo import dias_completos


def aplicar(estado: Estado, evento: ev.Evento) -> ev.Descarte | None:
    """Folds one event over the state; returns the discard where the stored state forbids to use it (D16)."""
    match evento.dados:
        case ev.Ranqueada() as dados:
            _ranqueada(estado, evento, dados)
        case ev.RankingAtualizado() as dados:
            estado.mudancas.reconstrucoes[dados.unidade_civica_id] = evento
        case ev.Sorteado() as dados:
            return _sorteado(estado, evento, dados)
        case ev.Iniciada() as dados:
            _iniciada(estado, evento, dados)
        case ev.Concluida() as dados:
            _encerrar(estado, evento, dados.demanda_id, dados.data_conclusao, dados.dias_ate_conclusao)
        case ev.ConclusaoConfirmada() as dados:
            _confirmada(estado, evento, dados)
        case ev.Agregada() as dados:
            _agregada(estado, evento, dados)
        case ev.Georreferenciada() as dados:
            if dados.coordenadas is not None:
                estado.mudancas.coordenadas[dados.demanda_id] = (*dados.coordenadas, evento.criado_em)
        case ev.ReconstrucaoManual() as dados:
            estado.mudancas.reconstrucoes.update(dict.fromkeys(dados.unidades, evento))
        case ev.ParametrosAtualizados():
            estado.registrar("info", "parâmetros.atualizados ignorado: configuração estática no MVP", evento)
        case ev.RemovidaPorVotacao():
            estado.registrar("info", "demanda.removida_por_votação ignorada no MVP", evento)
        case ev.Reentrega():
            estado.registrar("info", "demanda.ranqueada reentregue, já aplicada", evento)
        case _ as desconhecido:
            assert_never(desconhecido)
    return None


def _ranqueada(estado: Estado, evento: ev.Evento, dados: ev.Ranqueada) -> None:
    """Steps 4 to 6 of 3.10."""
    demanda_id, unidade_id = dados.demanda_id, dados.unidade_civica_id
    if demanda_id in estado.agregadas:
        estado.registrar("info", "demanda já agregada, evento tardio ignorado", evento, demanda_id=demanda_id)
        return
    atual = estado.scores.get(demanda_id)
    if atual is not None and evento.sequence_number <= atual.sequence_number:
        estado.registrar("info", "evento fora de ordem ignorado", evento, demanda_id=demanda_id)
        return
    estado.scores[demanda_id] = ScoreAtual(
        unidade_id, dados.categoria_id, dados.nivel_precedencia, evento.sequence_number
    )
    estado.mudancas.scores[demanda_id] = evento
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
    _informar(estado, evento, demanda_id, unidade_id, item.status, "score atualizado no backlog")


def _inserir_se_couber(estado: Estado, evento: ev.Evento, dados: ev.Ranqueada) -> None:
    demanda_id, unidade_id = dados.demanda_id, dados.unidade_civica_id
    status = estado.status(demanda_id) or "disponivel"
    if status in ENCERRADOS:
        _informar(estado, evento, demanda_id, unidade_id, status, "demanda encerrada não volta ao backlog")
        return
    unidade = estado.unidades[unidade_id]
    itens = unidade.contagem
    if itens >= unidade.capacidade:
        _informar(estado, evento, demanda_id, unidade_id, status, "demanda fora da capacidade da unidade")
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
    _informar(estado, evento, demanda_id, unidade_id, status, "demanda inserida no backlog")
    _anunciar(estado, evento, unidade_id)


def _sorteado(estado: Estado, evento: ev.Evento, dados: ev.Sorteado) -> ev.Descarte | None:
    """conselheiro.sorteado (3.12, D16)."""
    de = _origem(estado, evento, dados.demanda_id)
    if de is None:
        return None
    item = estado.itens.get(dados.demanda_id)
    if item is not None:
        _transitar(estado, evento, item, de, "atribuido")
        _anunciar(estado, evento, item.unidade_civica_id)
        return None
    score = estado.scores.get(dados.demanda_id)
    unidade_id = dados.unidade_civica_id or (score.unidade_civica_id if score else None)
    if unidade_id is None:
        return ev.descarte(evento, "sorteio de demanda sem linha, sem score e sem unidade_civica_id")
    item = Item(
        dados.demanda_id,
        unidade_id,
        0,
        Decimal(0),
        "atribuido",
        None,
        score.categoria_id if score else "0.0",
        score.nivel_precedencia if score else 0,
        evento.event_id,
        estado.entrada(dados.demanda_id, evento.criado_em),
        evento.criado_em,
    )
    estado.gravar_item(item)
    _lembrar(estado, evento, item.demanda_id, unidade_id, de, Situacao("atribuido", 0, item.entrou_em))
    estado.registrar(
        "warning",
        "conselheiro sorteado para demanda fora do backlog",
        evento,
        demanda_id=item.demanda_id,
        unidade_civica_id=unidade_id,
        status="atribuido",
    )
    return None


def _iniciada(estado: Estado, evento: ev.Evento, dados: ev.Iniciada) -> None:
    """conselheiro.demanda_iniciada (3.12): no announcement (D9)."""
    de = _origem(estado, evento, dados.demanda_id)
    if de is None:
        return
    item = estado.itens.get(dados.demanda_id)
    if item is not None:
        _transitar(estado, evento, item, de, "em_progresso")
        return
    recordada = estado.situacoes.get(dados.demanda_id)
    entrou_em = recordada.entrou_em if recordada else None
    _lembrar_sem_linha(estado, evento, dados.demanda_id, de, Situacao("em_progresso", 0, entrou_em))


def _confirmada(estado: Estado, evento: ev.Evento, dados: ev.ConclusaoConfirmada) -> None:
    """demanda.conclusao_confirmada (3.6): `ratificacao_necessaria` decides first."""
    if dados.ratificacao_necessaria:
        estado.registrar("info", "conclusão aguarda ratificação na D-6b", evento, demanda_id=dados.demanda_id)
        return
    _encerrar(estado, evento, dados.demanda_id, dados.data_conclusao, None)


def _encerrar(
    estado: Estado, evento: ev.Evento, demanda_id: str, data: datetime | None, dias_informados: int | None
) -> None:
    """The transition to concluido, with or without a row (3.5, 3.6, D10, D14, D15)."""
    de = _origem(estado, evento, demanda_id)
    if de is None:
        return
    data_conclusao = data or evento.criado_em
    item = estado.itens.get(demanda_id)
    recordada = estado.situacoes.get(demanda_id)
    entrou_em = item.entrou_em if item else recordada.entrou_em if recordada else None
    dias = dias_informados
    if dias is None and entrou_em is not None:
        dias = dias_completos(entrou_em, data_conclusao)
    if item is None:
        situacao = Situacao("concluido", 0, entrou_em, data_conclusao, dias)
        _lembrar_sem_linha(estado, evento, demanda_id, de, situacao)
        return
    concluido = replace(item, data_conclusao=data_conclusao, dias_ate_conclusao=dias)
    _transitar(estado, evento, concluido, de, "concluido")
    _anunciar(estado, evento, item.unidade_civica_id)


def _agregada(estado: Estado, evento: ev.Evento, dados: ev.Agregada) -> None:
    """duplicidade.agregada (3.7, D19): the members leave, the units they touch are rebuilt."""
    for demanda_id in dados.membros:
        if demanda_id == dados.representante_demanda_id:
            continue
        item, score = estado.itens.get(demanda_id), estado.scores.get(demanda_id)
        unidade_id = item.unidade_civica_id if item else score.unidade_civica_id if score else None
        de = estado.status(demanda_id) or "disponivel"
        if demanda_id not in estado.agregadas:
            estado.agregadas.add(demanda_id)
            estado.mudancas.agregadas[demanda_id] = (evento, dados)
        if unidade_id is not None:
            estado.mudancas.reconstrucoes[unidade_id] = evento
        if transicao(evento.tipo, de) is None:
            continue
        if item is not None:
            _transitar(estado, evento, item, de, "agregado")
        else:
            recordada = estado.situacoes.get(demanda_id) or Situacao(de, 0, None)
            _lembrar(estado, evento, demanda_id, unidade_id, de, replace(recordada, status="agregado"))


def _origem(estado: Estado, evento: ev.Evento, demanda_id: str) -> Status | None:
    """The status a transition may leave from; None, and a line in the log, where the event changes nothing."""
    situacao = estado.situacoes.get(demanda_id)
    de = estado.status(demanda_id) or "disponivel"
    if situacao is not None and evento.sequence_number <= situacao.sequence_number:
        motivo = "evento de status já superado (D6)"
    elif transicao(evento.tipo, de) is None:
        motivo = "evento sem efeito no estado atual"
    else:
        return de
    estado.registrar("info", motivo, evento, demanda_id=demanda_id, status=de)
    return None


def _transitar(estado: Estado, evento: ev.Evento, item: Item, de: Status, para: Status) -> None:
    """Moves a row to its new status and records the transition."""
    novo = replace(
        item,
        status=para,
        event_id=evento.event_id,
        atualizado_em=item.atualizado_em if de == para else evento.criado_em,
    )
    estado.gravar_item(novo)
    situacao = Situacao(para, 0, novo.entrou_em, novo.data_conclusao, novo.dias_ate_conclusao)
    _lembrar(estado, evento, novo.demanda_id, novo.unidade_civica_id, de, situacao)
    _informar(estado, evento, novo.demanda_id, novo.unidade_civica_id, para, "status alterado")


def _lembrar_sem_linha(estado: Estado, evento: ev.Evento, demanda_id: str, de: Status, situacao: Situacao) -> None:
    score = estado.scores.get(demanda_id)
    unidade_id = score.unidade_civica_id if score else None
    _lembrar(estado, evento, demanda_id, unidade_id, de, situacao)
    estado.registrar(
        "warning",
        "evento de status para demanda sem linha no backlog: registrado",
        evento,
        demanda_id=demanda_id,
        unidade_civica_id=unidade_id,
        status=situacao.status,
    )


def _lembrar(
    estado: Estado, evento: ev.Evento, demanda_id: str, unidade_id: str | None, de: Status, situacao: Situacao
) -> None:
    estado.gravar_situacao(demanda_id, replace(situacao, sequence_number=evento.sequence_number))
    estado.mudancas.transicoes.append(Transicao(demanda_id, unidade_id, de, situacao.status, evento))


def _anunciar(estado: Estado, evento: ev.Evento, unidade_id: str) -> None:
    """Publishes the first available demand of the unit if it is not the one last announced (D9)."""
    unidade = estado.unidades[unidade_id]
    topo = unidade.primeiro_disponivel()
    if topo is None or topo.demanda_id == unidade.anunciada:
        return
    unidade.anunciada = topo.demanda_id
    estado.mudancas.anuncios[unidade_id] = (topo.demanda_id, evento)
    estado.mudancas.publicacoes.append(Publicacao(evento, ev.ITEM_DISPONIVEL, item_disponivel(topo)))


def _informar(
    estado: Estado, evento: ev.Evento, demanda_id: str, unidade_id: str, status: Status, mensagem: str
) -> None:
    estado.registrar("info", mensagem, evento, demanda_id=demanda_id, unidade_civica_id=unidade_id, status=status)

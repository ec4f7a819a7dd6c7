"""The handlers of status events: conselheiro.sorteado to duplicidade.agregada (3.7, 3.12, D10, D16, D17, D19)."""

from datetime import datetime
from decimal import Decimal

from msgspec.structs import replace

from d5_pipeline.dominio import eventos as ev
from d5_pipeline.dominio.anuncios import anunciar
from d5_pipeline.dominio.estado import Estado
from d5_pipeline.dominio.estados import Status, transicao
from d5_pipeline.dominio.linhas import Item, Situacao, Transicao
from d5_pipeline.dominio.tempo import dias_completos


def sorteado(estado: Estado, evento: ev.Evento, dados: ev.Sorteado) -> ev.Descarte | None:
    """conselheiro.sorteado (3.12, D16)."""
    de = _origem(estado, evento, dados.demanda_id)
    if de is None:
        return None
    item = estado.itens.get(dados.demanda_id)
    if item is not None:
        _transitar(estado, evento, item, de, "atribuido")
        anunciar(estado, evento, item.unidade_civica_id)
        return None
    score = estado.scores.get(dados.demanda_id)
    unidade_id = dados.unidade_civica_id or (score.unidade_civica_id if score else None)
    if unidade_id is None:
        return ev.descarte(evento, "sorteio de demanda sem linha, sem score e sem unidade_civica_id", dados.demanda_id)
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


def iniciada(estado: Estado, evento: ev.Evento, dados: ev.Iniciada) -> None:
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


def concluida(estado: Estado, evento: ev.Evento, dados: ev.Concluida) -> None:
    """demanda.concluída (3.5, 3.12)."""
    _encerrar(estado, evento, dados.demanda_id, dados.data_conclusao, dados.dias_ate_conclusao)


def confirmada(estado: Estado, evento: ev.Evento, dados: ev.ConclusaoConfirmada) -> None:
    """demanda.conclusao_confirmada (3.6): `ratificacao_necessaria` decides first."""
    if dados.ratificacao_necessaria:
        _informar(estado, evento, "conclusão aguarda ratificação na D-6b", dados.demanda_id)
        return
    _encerrar(estado, evento, dados.demanda_id, dados.data_conclusao, None)


def agregada(estado: Estado, evento: ev.Evento, dados: ev.Agregada) -> None:
    """duplicidade.agregada (3.7, D19): the members leave, the units they touch are rebuilt."""
    for demanda_id in dados.membros:
        if demanda_id == dados.representante_demanda_id:
            continue
        item = estado.itens.get(demanda_id)
        unidade_id = _unidade(estado, demanda_id)
        de = estado.status(demanda_id) or "disponivel"
        if demanda_id not in estado.agregadas:
            estado.agregadas.add(demanda_id)
            estado.mudancas.agregadas[demanda_id] = (evento, dados)
        if unidade_id is not None:
            estado.mudancas.reconstrucoes[unidade_id] = evento
        if transicao(evento.tipo, de) is None:
            _informar(estado, evento, "membro já agregado", demanda_id)
            continue
        if item is not None:
            _transitar(estado, evento, item, de, "agregado")
        else:
            recordada = estado.situacoes.get(demanda_id) or Situacao(de, 0, None)
            _lembrar(estado, evento, demanda_id, unidade_id, de, replace(recordada, status="agregado"))
            _informar(estado, evento, "membro sem linha no backlog: registrado como agregado", demanda_id)


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
    anunciar(estado, evento, item.unidade_civica_id)


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
    _informar(estado, evento, motivo, demanda_id)
    return None


def _informar(estado: Estado, evento: ev.Evento, mensagem: str, demanda_id: str) -> None:
    """A line about an event that changes nothing."""
    estado.registrar(
        "info",
        mensagem,
        evento,
        demanda_id=demanda_id,
        unidade_civica_id=_unidade(estado, demanda_id),
        status=estado.status(demanda_id),
    )


def _unidade(estado: Estado, demanda_id: str) -> str | None:
    """The unit of a demand: the row's, else the score's."""
    conhecida = estado.itens.get(demanda_id) or estado.scores.get(demanda_id)
    return conhecida.unidade_civica_id if conhecida else None


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
    estado.registrar(
        "info",
        "status alterado",
        evento,
        demanda_id=novo.demanda_id,
        unidade_civica_id=novo.unidade_civica_id,
        status=para,
    )


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

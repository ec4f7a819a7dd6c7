"""One batch in one transaction: read, fold and rebuild wave by wave in memory, write, fill the outbox (D2, D7)."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

import polars as pl

from d5_pipeline.barramento import dlq
from d5_pipeline.conexao import Conexao
from d5_pipeline.dominio import agenda_builder, geo_clustering, incremental
from d5_pipeline.dominio.eventos import Envelope, Evento
from d5_pipeline.dominio.ondas import cortar
from d5_pipeline.processamento.antecipacao import Antecipacao
from d5_pipeline.processamento.entrada import Lote, ler_lote
from d5_pipeline.repositorio import agendas, cursores, estado, gravacao
from d5_pipeline.repositorio.metricas import Duracao, contar_reconstrucoes

Relogio = Callable[[], datetime]


def agora() -> datetime:
    """The wall clock: only for the timestamp inside published payloads (D14)."""
    return datetime.now(UTC)


def ondas(conexao: Conexao, lote: Lote) -> list[list[Evento]]:
    """The batch's events as waves; a single event is one without asking."""
    if len(lote.eventos) < 2:
        return [lote.eventos] if lote.eventos else []
    return cortar(lote.eventos, lote.estado.vinculos(), estado.cruzadas(conexao))


def aplicar_onda(conexao: Conexao, lote: Lote, onda: list[Evento]) -> Mapping[str, Evento]:
    """Folds a wave over the state; returns unit → trigger of the rebuilds it asks for, once the models can see it."""
    for evento in onda:
        descarte = incremental.aplicar(lote.estado, evento)
        if descarte is not None:
            lote.descartes.append(descarte)
    mudancas = lote.estado.mudancas
    gatilhos, mudancas.reconstrucoes = mudancas.reconstrucoes, {}
    if gatilhos:
        with conexao.pipeline():
            gravacao.gravar_para_os_modelos(conexao, mudancas)
    lote.onda_aplicada_em = lote.cronometro()
    return gatilhos


def selecionar(conexao: Conexao, lote: Lote, gatilhos: Mapping[str, Evento]) -> agendas.Selecao:
    """The models' answer for the units to rebuild (4.2)."""
    return agendas.selecionar(conexao, lote.estado, sorted(gatilhos))


def agrupar(selecao: agendas.Selecao) -> pl.DataFrame:
    """The territorial groups among the selected demands (4.4)."""
    return geo_clustering.agrupar(selecao.demandas, selecao.parametros.raio_metros, selecao.parametros.min_pontos)


def ordenar(
    selecao: agendas.Selecao, grupos: pl.DataFrame, gatilhos: Mapping[str, Evento]
) -> tuple[pl.DataFrame, list[agenda_builder.Agenda]]:
    """The rows and the agenda of each rebuilt unit."""
    ordenadas = agenda_builder.ordenar(selecao.demandas, grupos, selecao.memoria, gatilhos)
    versao = selecao.parametros.versao
    return ordenadas, agenda_builder.montar(ordenadas, gatilhos, selecao.niveis, selecao.anunciadas, versao)


def incorporar(lote: Lote, ordenadas: pl.DataFrame, prontas: list[agenda_builder.Agenda]) -> None:
    """The agendas, their announcements and publications become part of the batch's state."""
    agenda_builder.incorporar(lote.estado, ordenadas, prontas)
    lote.unidades_reconstruidas += [agenda.unidade_civica_id for agenda in prontas]
    lote.duracoes.append(Duracao(len(prontas), (lote.cronometro() - lote.onda_aplicada_em) * 1_000))


def calcular(
    conexao: Conexao, lote: Lote, gatilhos: Mapping[str, Evento]
) -> tuple[pl.DataFrame, list[agenda_builder.Agenda]]:
    """The rebuild of a wave's units together, up to their agendas (4.1)."""
    selecao = selecionar(conexao, lote, gatilhos)
    return ordenar(selecao, agrupar(selecao), gatilhos)


def reconstruir(conexao: Conexao, lote: Lote, gatilhos: Mapping[str, Evento]) -> None:
    """The rebuild of a wave's units together (4.1)."""
    incorporar(lote, *calcular(conexao, lote, gatilhos))


def aplicar_ondas(conexao: Conexao, lote: Lote) -> None:
    """Every wave of the batch: increments first, then the rebuilds they trigger."""
    for onda in ondas(conexao, lote):
        gatilhos = aplicar_onda(conexao, lote, onda)
        if gatilhos:
            reconstruir(conexao, lote, gatilhos)


def concluir(conexao: Conexao, lote: Lote, relogio: Relogio) -> None:
    """What the batch changed, outbox, discards and the applied position: the writes of the transaction, in one go."""
    if lote.leitura.ha_mortas:
        _encerrar_dlq(conexao, lote.leitura.envelopes)
    with conexao.pipeline():
        gravacao.gravar(conexao, lote.estado)
        gravacao.gravar_pendentes(conexao, lote.publicacoes, relogio())
        gravacao.gravar_descartes(conexao, lote.descartes)
        contar_reconstrucoes(conexao, lote.duracoes)
        cursores.avancar_aplicado(conexao, lote.leitura.ate, lote.ultimos)


def _encerrar_dlq(conexao: Conexao, envelopes: list[Envelope]) -> None:
    mortas = dlq.sem_solucao(conexao)
    if mortas:
        dlq.encerrar_aplicadas(conexao, [e.event_id for e in envelopes if e.event_id in mortas])


def processar_lote(
    conexao: Conexao, tamanho: int, relogio: Relogio = agora, antecipacao: Antecipacao | None = None
) -> Lote:
    """Reads and applies at most `tamanho` events in one transaction."""
    with cursores.transacao_cercada(conexao):
        lote = ler_lote(conexao, tamanho, antecipacao)
        aplicar_ondas(conexao, lote)
        concluir(conexao, lote, relogio)
    return lote

"""Writing what a batch changed, in bulk: one statement per kind, none where nothing changed."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import uuid4

import msgspec
from msgspec import Struct
from msgspec.structs import astuple

from d5_pipeline.conexao import Conexao
from d5_pipeline.consultas import consultas
from d5_pipeline.dominio import contratos
from d5_pipeline.dominio.estado import Estado, Mudancas
from d5_pipeline.dominio.eventos import Agregada, Descarte, Evento, Ranqueada
from d5_pipeline.dominio.linhas import Item, Publicacao, Situacao, Transicao

_gravacao = consultas("gravacao")
_memoria = consultas("memoria")
_json = msgspec.json.Encoder(decimal_format="number")


def gravar(conexao: Conexao, estado: Estado) -> None:
    """Writes scores, items and what is remembered beside them; publications and discards are the batch's business."""
    mudancas = estado.mudancas
    gravar_para_os_modelos(conexao, mudancas)
    _gravar_itens(conexao, mudancas.itens.values())
    if mudancas.removidas:
        _gravacao.remover_itens(conexao, demandas=sorted(mudancas.removidas))
    reconstruidas = [unidade_id for unidade_id, unidade in estado.unidades.items() if unidade.reconstruida]
    if reconstruidas:
        _gravacao.remover_demais_itens(conexao, unidades=reconstruidas, gravadas=list(mudancas.itens))
    _gravar_transicoes(conexao, mudancas.transicoes)
    _gravar_anuncios(conexao, mudancas.anuncios)


def gravar_para_os_modelos(conexao: Conexao, mudancas: Mudancas) -> None:
    """Writes what the models read, so that a selection sees it; each change once."""
    _gravar_scores(conexao, mudancas.scores, mudancas.criacoes)
    _gravar_situacoes(conexao, mudancas.situacoes)
    _gravar_agregadas(conexao, mudancas.agregadas)
    _gravar_coordenadas(conexao, mudancas.coordenadas)
    for escritas in (mudancas.scores, mudancas.criacoes, mudancas.situacoes, mudancas.agregadas, mudancas.coordenadas):
        escritas.clear()


def _gravar_scores(
    conexao: Conexao, scores: Mapping[str, tuple[Evento, Ranqueada]], criacoes: Mapping[str, datetime]
) -> None:
    if not scores:
        return
    # Neighbours in the indexes are written one after the other: a fifth less work than in log order.
    em_ordem = sorted(scores.values(), key=lambda par: (par[1].unidade_civica_id, par[1].nivel_precedencia))
    eventos, dados = zip(*em_ordem, strict=True)
    _gravacao.gravar_scores(
        conexao,
        **_colunas(dados),
        event_id=[e.event_id for e in eventos],
        correlacao_id=[e.correlacao_id for e in eventos],
        sequence_number=[e.sequence_number for e in eventos],
        criado_em=[criacoes[d.demanda_id] for d in dados],
    )


def _gravar_itens(conexao: Conexao, itens: Collection[Item]) -> None:
    """upsertItem() in bulk."""
    if itens:
        _gravacao.gravar_itens(conexao, **_colunas(itens))


def _colunas(linhas: Collection[Struct]) -> dict[str, list[Any]]:
    """Rows of one kind, at least one, as a list per field."""
    nomes = next(iter(linhas)).__struct_fields__
    return dict(zip(nomes, map(list, zip(*map(astuple, linhas), strict=True)), strict=True))


def _gravar_coordenadas(conexao: Conexao, coordenadas: Mapping[str, tuple[float, float, datetime]]) -> None:
    if not coordenadas:
        return
    latitudes, longitudes, quando = zip(*coordenadas.values(), strict=True)
    _memoria.gravar_coordenadas(
        conexao,
        demandas=list(coordenadas),
        latitudes=list(latitudes),
        longitudes=list(longitudes),
        quando=list(quando),
    )


def _gravar_situacoes(conexao: Conexao, situacoes: Mapping[str, Situacao]) -> None:
    if not situacoes:
        return
    _memoria.gravar_situacoes(conexao, demanda_id=list(situacoes), **_colunas(situacoes.values()))


def _gravar_transicoes(conexao: Conexao, transicoes: Sequence[Transicao]) -> None:
    if not transicoes:
        return
    _memoria.gravar_transicoes(
        conexao,
        demandas=[t.demanda_id for t in transicoes],
        unidades=[t.unidade_civica_id for t in transicoes],
        de=[t.de for t in transicoes],
        para=[t.para for t in transicoes],
        tipos=[t.evento.tipo for t in transicoes],
        event_ids=[t.evento.event_id for t in transicoes],
        correlacoes=[t.evento.correlacao_id for t in transicoes],
        sequencias=[t.evento.sequence_number for t in transicoes],
        ocorridas=[t.evento.criado_em for t in transicoes],
    )


def _gravar_agregadas(conexao: Conexao, agregadas: Mapping[str, tuple[Evento, Agregada]]) -> None:
    if not agregadas:
        return
    _memoria.gravar_agregadas(
        conexao,
        demandas=list(agregadas),
        agregados=[dados.agregado_id for _, dados in agregadas.values()],
        representantes=[dados.representante_demanda_id for _, dados in agregadas.values()],
        event_ids=[evento.event_id for evento, _ in agregadas.values()],
        quando=[evento.criado_em for evento, _ in agregadas.values()],
    )


def _gravar_anuncios(conexao: Conexao, anuncios: Mapping[str, tuple[str, Evento]]) -> None:
    """The demand last announced by each unit (D8)."""
    if not anuncios:
        return
    _memoria.gravar_anuncios(
        conexao,
        unidades=list(anuncios),
        demandas=[demanda for demanda, _ in anuncios.values()],
        event_ids=[evento.event_id for _, evento in anuncios.values()],
        quando=[evento.criado_em for _, evento in anuncios.values()],
    )


def gravar_descartes(conexao: Conexao, descartes: Sequence[Descarte]) -> None:
    """Dropped events with their reasons (D12)."""
    if not descartes:
        return
    _memoria.gravar_descartes(
        conexao,
        sequencias=[d.sequence_number for d in descartes],
        event_ids=[d.event_id for d in descartes],
        tipos=[d.tipo for d in descartes],
        versoes=[d.versao_schema for d in descartes],
        motivos=[d.motivo for d in descartes],
    )


def gravar_pendentes(conexao: Conexao, publicacoes: Sequence[Publicacao], agora: datetime) -> None:
    """Puts publications into the outbox in order of trigger; `agora` becomes their timestamp (D7, D14).

    Raises ValueError where a payload breaks its own schema: a fault of this program, never of an event.
    """
    if not publicacoes:
        return
    em_ordem = sorted(publicacoes, key=lambda publicacao: publicacao.gatilho.sequence_number)
    timestamp = agora.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    payloads = [{**publicacao.payload, "timestamp": timestamp} for publicacao in em_ordem]
    for publicacao, payload in zip(em_ordem, payloads, strict=True):
        if not contratos.valido(publicacao.tipo, payload):
            raise ValueError(
                f"{publicacao.tipo} fora do contrato: {'; '.join(contratos.erros(publicacao.tipo, payload))}"
            )
    _memoria.gravar_pendentes(
        conexao,
        sequencias=[p.gatilho.sequence_number for p in em_ordem],
        ordinais=_ordinais(em_ordem),
        gatilhos=[p.gatilho.event_id for p in em_ordem],
        gatilho_tipos=[p.gatilho.tipo for p in em_ordem],
        event_ids=[str(uuid4()) for _ in em_ordem],
        tipos=[p.tipo for p in em_ordem],
        correlacoes=[p.gatilho.correlacao_id for p in em_ordem],
        payloads=[_json.encode(payload).decode() for payload in payloads],
    )


def _ordinais(publicacoes: Sequence[Publicacao]) -> list[int]:
    """0, 1, 2 … within the publications of each trigger."""
    ordinais: list[int] = []
    anterior = None
    for publicacao in publicacoes:
        ordinais.append(ordinais[-1] + 1 if publicacao.gatilho.event_id == anterior else 0)
        anterior = publicacao.gatilho.event_id
    return ordinais

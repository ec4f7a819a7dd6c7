"""Loading what a batch of events has to know (Estado)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from d5_pipeline.conexao import Conexao
from d5_pipeline.consultas import consultas
from d5_pipeline.dominio.estado import Estado, UnidadeCivica
from d5_pipeline.dominio.eventos import (
    DEMANDA_RANQUEADA,
    Descarte,
    Evento,
    Georreferenciada,
    demandas_citadas,
    unidades_citadas,
)
from d5_pipeline.dominio.linhas import Item, ScoreAtual, Situacao, primeiro

_sql = consultas("estado")

_ITEM = slice(0, 12)
_SITUACAO = slice(12, 17)
_SCORE = slice(17, 22)
"""Columns after demanda_id: of the row, the recorded status and the score."""


def ja_aplicados(conexao: Conexao, descartes: Iterable[Descarte]) -> set[str]:
    """event_ids of demanda.ranqueada that a score already carries (3.10, step 1)."""
    ids = [descarte.event_id for descarte in descartes if descarte.tipo == DEMANDA_RANQUEADA]
    return {event_id for (event_id,) in _sql.scores_ja_aplicados(conexao, event_ids=ids)} if ids else set()


def cruzadas(conexao: Conexao) -> list[tuple[str, str]]:
    """Pairs of units (row's, score's) of rows that lie in another unit than their score (D16)."""
    return list(_sql.cruzadas(conexao))


def carregar(conexao: Conexao, eventos: Sequence[Evento]) -> Estado:
    """The state of every demand and unit that the events read or write.

    Coordinates are written without a look at it: what ties them to a unit matters only among other events.
    """
    estado = Estado()
    if len(eventos) == 1 and isinstance(eventos[0].dados, Georreferenciada):
        return estado
    demandas = {demanda for evento in eventos for demanda in demandas_citadas(evento.dados)}
    unidades = {unidade for evento in eventos for unidade in unidades_citadas(evento.dados)}
    linhas = _sql.demandas(conexao, demandas=sorted(demandas)) if demandas else ()
    _conhecer(conexao, estado, [(d, _score(r), _item(d, r), _situacao(r), r[-1]) for d, *r in linhas], unidades)
    return estado


def completar(conexao: Conexao, estado: Estado, selecionadas: Iterable[str]) -> None:
    """Adds the rows of those demands that no event of the batch touches: a rebuild selected them.

    Nothing asks for their scores, and none is aggregated, or it would not have been selected.
    """
    demandas = sorted(set(selecionadas) - estado.conhecidas)
    linhas = _sql.linhas(conexao, demandas=demandas) if demandas else ()
    _conhecer(conexao, estado, [(d, None, _item(d, r), _situacao(r), False) for d, *r in linhas], set())


_Conhecida = tuple[str, ScoreAtual | None, Item | None, Situacao | None, bool]
"""What is stored of a demand, whether it is aggregated last."""


def _conhecer(conexao: Conexao, estado: Estado, conhecidas: Sequence[_Conhecida], citadas: set[str]) -> None:
    itens = {demanda: item for demanda, _, item, _, _ in conhecidas if item is not None}
    unidades = citadas.union(item.unidade_civica_id for item in itens.values())
    unidades.update(score.unidade_civica_id for _, score, *_ in conhecidas if score is not None)
    estado.unidades |= _unidades(conexao, sorted(unidades - estado.unidades.keys()), itens)
    for conhecida in conhecidas:
        estado.conhecer(*conhecida)


def _item(demanda_id: str, colunas: Sequence[Any]) -> Item | None:
    return None if colunas[_ITEM.start] is None else Item(demanda_id, *colunas[_ITEM])


def _situacao(colunas: Sequence[Any]) -> Situacao | None:
    return None if colunas[_SITUACAO.start] is None else Situacao(*colunas[_SITUACAO])


def _score(colunas: Sequence[Any]) -> ScoreAtual | None:
    return None if colunas[_SCORE.start] is None else ScoreAtual(*colunas[_SCORE])


def _unidades(conexao: Conexao, ids: list[str], conhecidos: Mapping[str, Item]) -> dict[str, UnidadeCivica]:
    """The units as they are stored; their first available item is the first outside the known ones."""
    if not ids:
        return {}
    disponiveis = Counter(item.unidade_civica_id for item in conhecidos.values() if item.status == "disponivel")
    quantos = [disponiveis[unidade] + 1 for unidade in ids]
    unidades: dict[str, UnidadeCivica] = {}
    outros: dict[str, list[Item]] = {unidade: [] for unidade in ids}
    for unidade, capacidade, ativos, anunciada, *item in _sql.unidades(conexao, unidades=ids, quantos=quantos):
        unidades[unidade] = UnidadeCivica(capacidade, ativos, None, anunciada)
        if item[0] is not None and item[0] not in conhecidos:
            outros[unidade].append(Item(*item))
    for unidade, itens in outros.items():
        unidades[unidade].primeiro_dos_outros = primeiro(itens)
    return unidades

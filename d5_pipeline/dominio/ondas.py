"""Cutting a batch into waves: in a wave each unit has at most one rebuild trigger, and it is its last event.

A wave's events are folded and written first, then its units are rebuilt together. Events of different units may change
places across waves; events that share a unit or a demand never do.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from d5_pipeline.dominio import eventos as ev

Vinculos = Mapping[str, set[str]]
"""Demand → units of its row and of its score, as stored."""


_Citacao = tuple[tuple[str, ...], tuple[str, ...]]
"""The units and the demands that an event names."""


def cortar(
    eventos: Sequence[ev.Evento], vinculos: Vinculos, cruzadas: Iterable[tuple[str, str]]
) -> list[list[ev.Evento]]:
    """The batch as waves, each in log order.

    `vinculos` covers the batch's demands; `cruzadas` are the pairs of units (row's, score's) of stored rows that lie in
    another unit than their score (D16): rebuilding either one touches both.
    """
    citacoes = [(ev.unidades_citadas(e.dados), ev.demandas_citadas(e.dados)) for e in eventos]
    unidades = _unidades_por_demanda(citacoes, vinculos)
    ligadas = _unidades_ligadas(unidades, cruzadas)
    proxima: dict[str, int] = defaultdict(int)
    ondas: list[list[ev.Evento]] = [[]]
    for evento, citacao in zip(eventos, citacoes, strict=True):
        recursos = _recursos(citacao, unidades)
        reconstroi = isinstance(evento.dados, ev.RankingAtualizado | ev.Agregada | ev.ReconstrucaoManual)
        if reconstroi:
            recursos = set(recursos).union(*(ligadas.get(recurso, ()) for recurso in recursos))
        onda = max([proxima[recurso] for recurso in recursos], default=0)
        if reconstroi or len(recursos) > 1:
            proxima.update(dict.fromkeys(recursos, onda + reconstroi))
        if onda == len(ondas):
            ondas.append([])
        ondas[onda].append(evento)
    return [onda for onda in ondas if onda]


def _unidades_por_demanda(citacoes: Iterable[_Citacao], vinculos: Vinculos) -> dict[str, set[str]]:
    """Demand → every unit it may belong to at any moment of the batch."""
    unidades = dict(vinculos)
    for citadas, demandas in citacoes:
        for demanda in demandas:
            conhecidas = unidades.get(demanda)
            if conhecidas is None:
                unidades[demanda] = set(citadas)
            elif not conhecidas.issuperset(citadas):
                unidades[demanda] = conhecidas.union(citadas)
    return unidades


def _unidades_ligadas(unidades: Mapping[str, set[str]], cruzadas: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    """Unit → other units whose rows its rebuild may take over."""
    ligadas: dict[str, set[str]] = defaultdict(set)
    for grupo in (*(u for u in unidades.values() if len(u) > 1), *map(set, cruzadas)):
        for unidade in grupo:
            ligadas[unidade] |= grupo
    return ligadas


def _recursos(citacao: _Citacao, unidades: Mapping[str, set[str]]) -> Collection[str]:
    """The units an event reads or writes; in place of a demand that belongs to none, the demand itself."""
    citadas, demandas = citacao
    if len(demandas) == 1:
        return unidades[demandas[0]] or demandas
    return set(citadas).union(*(unidades[demanda] or {demanda} for demanda in demandas))

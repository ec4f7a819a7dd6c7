"""Cutting a batch into waves: in a wave each unit has at most one rebuild trigger, and it is its last event.

A wave's events are folded and written first, then its units are rebuilt together. Events of different units may change
places across waves; events that share a unit or a demand never do.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from d5_pipeline.dominio import eventos as ev

Vinculos = Mapping[str, Iterable[str]]
"""Demand → units of its row and of its score, as stored."""


def cortar(
    eventos: Sequence[ev.Evento], vinculos: Vinculos, cruzadas: Iterable[tuple[str, str]]
) -> list[list[ev.Evento]]:
    """The batch as waves, each in log order.

    `vinculos` covers the batch's demands; `cruzadas` are the pairs of units (row's, score's) of stored rows that lie in
    another unit than their score (D16): rebuilding either one touches both.
    """
    unidades = _unidades_por_demanda(eventos, vinculos)
    ligadas = _unidades_ligadas(unidades, cruzadas)
    proxima: dict[str, int] = defaultdict(int)
    ondas: list[list[ev.Evento]] = []
    for evento in eventos:
        recursos, reconstroi = _recursos(evento, unidades, ligadas)
        onda = max((proxima[recurso] for recurso in recursos), default=0)
        for recurso in recursos:
            proxima[recurso] = onda + reconstroi
        if onda == len(ondas):
            ondas.append([])
        ondas[onda].append(evento)
    return ondas


def _unidades_por_demanda(eventos: Sequence[ev.Evento], vinculos: Vinculos) -> dict[str, set[str]]:
    """Demand → every unit it may belong to at any moment of the batch."""
    unidades: dict[str, set[str]] = defaultdict(set)
    for demanda, conhecidas in vinculos.items():
        unidades[demanda].update(conhecidas)
    for evento in eventos:
        citadas = ev.unidades_citadas(evento.dados)
        for demanda in ev.demandas_citadas(evento.dados):
            unidades[demanda].update(citadas)
    return unidades


def _unidades_ligadas(unidades: Mapping[str, set[str]], cruzadas: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    """Unit → other units whose rows its rebuild may take over."""
    ligadas: dict[str, set[str]] = defaultdict(set)
    for grupo in (*(u for u in unidades.values() if len(u) > 1), *map(set, cruzadas)):
        for unidade in grupo:
            ligadas[unidade] |= grupo
    return ligadas


def _recursos(
    evento: ev.Evento, unidades: Mapping[str, set[str]], ligadas: Mapping[str, set[str]]
) -> tuple[set[str], bool]:
    """The demands and units an event reads or writes, and whether it triggers a rebuild."""
    demandas = ev.demandas_citadas(evento.dados)
    alvos = set(ev.unidades_citadas(evento.dados)).union(*(unidades.get(d, ()) for d in demandas))
    reconstroi = isinstance(evento.dados, ev.RankingAtualizado | ev.Agregada | ev.ReconstrucaoManual)
    if reconstroi:
        alvos = alvos.union(*(ligadas.get(unidade, ()) for unidade in alvos))
    return alvos | set(demandas), reconstroi

"""What is counted for `d5 metricas`, durable like the things themselves, and what it reads beside the signals (8.3)."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import inf
from typing import Final, NamedTuple

from d5_pipeline.conexao import Conexao
from d5_pipeline.consultas import consultas
from d5_pipeline.dominio.saude import Sinais
from d5_pipeline.repositorio.sinais import sinais

_sql = consultas("metricas")

LIMITES_MS: Final = (1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, inf)
"""Upper bounds of the buckets of a rebuild's duration; 6.4 expects less than 50 ms."""

STATUS_NO_BACKLOG: Final = ("disponivel", "atribuido", "em_progresso", "concluido")
"""Of these a unit's backlog consists: an aggregated member has left it (4.10), and nothing sets removido."""


class Duracao(NamedTuple):
    """Rebuilds of one wave: how many units together, and the milliseconds they took."""

    unidades: int
    ms: float


class Histograma(NamedTuple):
    """Observations up to each bound, all of smaller ones included, and the sum of all of them."""

    acumulados: Sequence[tuple[float, int]]
    soma: float


class Medidas(NamedTuple):
    """One scrape."""

    sinais: Sinais
    backlog: Mapping[tuple[str, str], int]
    """(unidade_civica_id, status) → items, for every known unit and status."""
    publicadas: Mapping[str, int]
    """By type, since the counting began."""
    rebuilds: Histograma
    anuncio_ha: float
    """Seconds; age of the oldest announcement whose demand is still available, 0 where there is none."""


def contar_reconstrucoes(conexao: Conexao, duracoes: Sequence[Duracao]) -> None:
    """Counts the rebuilds of this transaction; each unit of a wave took its share of the wave's time."""
    if not duracoes:
        return
    totais: defaultdict[float, int] = defaultdict(int)
    somas: defaultdict[float, float] = defaultdict(float)
    for unidades, ms in duracoes:
        limite = LIMITES_MS[bisect_left(LIMITES_MS, ms / unidades)]
        totais[limite] += unidades
        somas[limite] += ms
    _sql.contar_reconstrucoes(
        conexao,
        limites=list(totais),
        totais=list(totais.values()),
        somas=[somas[limite] for limite in totais],
    )


def medir(conexao: Conexao) -> Medidas:
    """Everything a scrape shows; through `sinais.medicao`."""
    unidades: dict[tuple[str, str], int] = {}
    for unidade, status, itens in _sql.backlog(conexao, status=list(STATUS_NO_BACKLOG)):
        for possivel in STATUS_NO_BACKLOG:
            unidades.setdefault((unidade, possivel), 0)
        if status is not None:
            unidades[unidade, status] = itens
    return Medidas(
        sinais=sinais(conexao),
        backlog=unidades,
        publicadas=dict(_sql.publicadas(conexao)),
        rebuilds=_histograma(list(_sql.duracoes(conexao))),
        anuncio_ha=_sql.anuncio_mais_antigo(conexao),
    )


def _histograma(baldes: Sequence[tuple[float, int, float]]) -> Histograma:
    """Buckets of a version with other bounds count in the next larger one."""
    acumulados = [(limite, sum(total for ate, total, _ in baldes if ate <= limite)) for limite in LIMITES_MS]
    return Histograma(acumulados, sum(soma for *_, soma in baldes))

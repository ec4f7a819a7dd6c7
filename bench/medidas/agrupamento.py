"""Grouping: one call over all groups of a wave, against scikit-learn once per group."""

import random
from collections import defaultdict

import polars as pl
from threadpoolctl import threadpool_limits

from bench.carga import CATEGORIAS_POR_NIVEL, lugar, unidade, uuid_sorteado
from bench.medida import Contexto, Cronometro, Medida, Meta, figura
from bench.referencia.selecao import RAIO_DA_TERRA, rotular
from d5_pipeline.dominio.geo_clustering import agrupar

RAIO = 500.0
BEIRA = 1e-5  # metres: well above a micrometre, within which either answer is right (D25)
ESQUEMA = {
    "unidade_civica_id": pl.String,
    "categoria_id": pl.String,
    "demanda_id": pl.String,
    "lat": pl.Float64,
    "lng": pl.Float64,
}
Ponto = tuple[str, str, str, float, float]
Grupos = set[frozenset[str]]


@figura("agrupamento")
def agrupar_uma_onda(ctx: Contexto) -> list[Medida]:
    """Random points of 2,000 units and 15 categories; the groups of both sides must be the same."""
    quantos, unidades, vezes = ctx.tamanho((100_000, 2_000, 5), (300, 6, 1))
    pontos = _pontos(quantos, unidades)
    quadro = pl.DataFrame(pontos, schema=ESQUEMA, orient="row")
    agrupar(quadro.head(100), RAIO, 2)  # imports
    juntos, um_a_um, com_um_fio = Cronometro(), Cronometro(), Cronometro()
    for _ in range(vezes):
        with juntos.medir():
            agrupar(quadro, RAIO, 2)
    partes = _partes(pontos)
    ctx.dizer(f"agrupamento: scikit-learn em {len(partes)} grupos, um a um")
    with um_a_um.medir():
        esperados = _referencia(partes, 2)
    ctx.dizer("agrupamento: o mesmo, com um só fio")
    with threadpool_limits(1), com_um_fio.medir():
        _referencia(partes, 2)
    diferentes = [] if _grupos(quadro, 2) == esperados else ["minPontos 2"]
    poucos = pontos[: quantos // 10] + _na_beira()
    menor, menores = pl.DataFrame(poucos, schema=ESQUEMA, orient="row"), _partes(poucos)
    for minimo in (2, 3, 4):
        if _grupos(menor, minimo) != _referencia(menores, minimo):
            diferentes.append(f"minPontos {minimo} on a tenth")
    lado, deles = juntos.serie("one call", "s"), um_a_um.serie("scikit-learn per group", "s")
    deles_com_um_fio = com_um_fio.serie("the same, one thread", "s")
    com_um_fio_so = deles_com_um_fio.mediana / lado.mediana
    return [
        Medida(
            "agrupamento",
            "grouping",
            f"{quantos:,} points in {len(partes):,} UC × category groups, one wave",
            "scikit-learn's DBSCAN once per group, Haversine, minPontos 2",
            (lado, deles, deles_com_um_fio),
            deles.mediana / lado.mediana,
            Meta("≥", 200),
            nota=f"{com_um_fio_so:.0f} × with scikit-learn held to one thread: on groups so small its threads cost "
            "more than they bring; labels equal for minPontos 2, and on a tenth of the points, with pairs 10 µm inside "
            "and outside the radius, for 2, 3 and 4",
            divergencia=f"groups that differ: {'; '.join(diferentes)}" if diferentes else "",
        )
    ]


def _pontos(quantos: int, unidades: int) -> list[Ponto]:
    """Random demands; a tenth of them close to one before, so that there are groups to find."""
    sorte = random.Random(11)
    pontos: list[Ponto] = []
    for _ in range(quantos):
        if pontos and sorte.random() < 0.1:
            uc, categoria, _, lat, lng = sorte.choice(pontos)
            lat, lng = lat + sorte.uniform(-0.004, 0.004), lng + sorte.uniform(-0.004, 0.004)
        else:
            numero = sorte.randrange(unidades)
            uc, categoria = unidade(numero), f"{sorte.randint(1, 5)}.{sorte.randint(1, CATEGORIAS_POR_NIVEL)}"
            lat, lng = lugar(sorte, numero)
        pontos.append((uc, categoria, uuid_sorteado(sorte), lat, lng))
    return pontos


def _na_beira() -> list[Ponto]:
    """Chains of four along meridians of one more unit, with steps just inside and just outside the radius."""
    sorte = random.Random(13)
    grau = 57.29577951308232 / RAIO_DA_TERRA
    pontos: list[Ponto] = []
    for categoria in range(40):
        metros = 0.0
        for _ in range(4):
            pontos.append((unidade(9_999_999), f"9.{categoria}", uuid_sorteado(sorte), metros * grau, -46.0))
            metros += RAIO + sorte.choice((BEIRA, -BEIRA))
    return pontos


def _partes(pontos: list[Ponto]) -> list[list[Ponto]]:
    partes: dict[tuple[str, str], list[Ponto]] = defaultdict(list)
    for ponto in sorted(pontos, key=lambda p: p[2]):
        partes[ponto[0], ponto[1]].append(ponto)
    return list(partes.values())


def _referencia(partes: list[list[Ponto]], minimo: int) -> Grupos:
    grupos: Grupos = set()
    for parte in partes:
        if len(parte) < minimo:
            continue
        por_rotulo: dict[int, list[str]] = defaultdict(list)
        for ponto, rotulo in zip(parte, rotular([(p[3], p[4]) for p in parte], RAIO, minimo), strict=True):
            por_rotulo[rotulo].append(ponto[2])
        grupos |= {frozenset(m) for rotulo, m in por_rotulo.items() if rotulo >= 0 and len(m) >= minimo}
    return grupos


def _grupos(quadro: pl.DataFrame, minimo: int) -> Grupos:
    membros: dict[str, set[str]] = defaultdict(set)
    for demanda, grupo in agrupar(quadro, RAIO, minimo).iter_rows():
        membros[grupo].add(demanda)
    return {frozenset(grupo) for grupo in membros.values()}

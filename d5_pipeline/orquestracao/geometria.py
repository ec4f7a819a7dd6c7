"""Where things lie on the map of an agenda: points and groups in metres, pins and labels in pixels.

Belongs here: pure geometry. Does not: drawing (mapa.py).
"""

import math
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import polars as pl

from d5_pipeline.dominio.geo_clustering import RAIO_DA_TERRA

MENOR_VAO: Final = 240.0
"""Metres from top to bottom that a map shows at least, so that a single point has surroundings."""

FOLGA: Final = 1.3
"""Height of the map over that of what it shows: room for pins and labels at the border."""


class Circulo(NamedTuple):
    """A territorial group: centre in metres on the map, radius in metres (4.4), how many demands."""

    x: float
    y: float
    raio_metros: float
    demandas: int


class Janela(NamedTuple):
    """What the map shows, in metres."""

    x0: float
    x1: float
    y0: float
    y1: float


Ponto = tuple[float, float]


def projetar(itens: pl.DataFrame) -> pl.DataFrame:
    """Those of `itens` (lat, lng in degrees) that have coordinates, plus x and y in metres east and north.

    Equirectangular around the middle: over the kilometres of a civic unit its error is below a pixel.
    """
    localizados = itens.drop_nulls(["lat", "lng"])
    metros_por_grau = math.radians(1) * RAIO_DA_TERRA
    meios = localizados.select((pl.min(eixo) + pl.max(eixo)) / 2 for eixo in ("lat", "lng")).row(0)
    meio_lat, meio_lng = (meio or 0.0 for meio in meios)
    return localizados.with_columns(
        x=(pl.col("lng") - meio_lng) * metros_por_grau * math.cos(math.radians(meio_lat)),
        y=(pl.col("lat") - meio_lat) * metros_por_grau,
    )


def circulos(projetados: pl.DataFrame) -> dict[str, Circulo]:
    """grupo_id → outline, in order of first position: mean of its points, distance of the farthest one (4.4)."""
    distancia = ((pl.col("x") - pl.col("x").mean()) ** 2 + (pl.col("y") - pl.col("y").mean()) ** 2).sqrt()
    grupos = (
        projetados.drop_nulls("grupo_id")
        .group_by("grupo_id")
        .agg(pl.col("x").mean(), pl.col("y").mean(), distancia.max().alias("raio"), pl.len(), pl.col("posicao").min())
        .sort("posicao", "grupo_id")
    )
    return {grupo: Circulo(x, y, raio, demandas) for grupo, x, y, raio, demandas, _ in grupos.iter_rows()}


def janela(projetados: pl.DataFrame, contornos: Sequence[Circulo], proporcao: float) -> Janela:
    """The smallest map `proporcao` times as wide as high that holds points and circles with room around them."""
    xs = [*projetados["x"], *(c.x + lado * c.raio_metros for c in contornos for lado in (-1, 1))]
    ys = [*projetados["y"], *(c.y + lado * c.raio_metros for c in contornos for lado in (-1, 1))]
    meio_x, meio_y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    altura = FOLGA * max((max(xs) - min(xs)) / proporcao, max(ys) - min(ys), MENOR_VAO)
    largura = altura * proporcao
    return Janela(meio_x - largura / 2, meio_x + largura / 2, meio_y - altura / 2, meio_y + altura / 2)


def escala(largura: float) -> float:
    """A round length (1, 2 or 5 times a power of ten, in metres) of at most a quarter of `largura`."""
    potencia = 10.0 ** math.floor(math.log10(largura / 4))
    return potencia * max(passo for passo in (1, 2, 5) if potencia * passo <= largura / 4)


def alfinetes(pontos: Sequence[Ponto], centros: Sequence[Ponto | None], diametro: float) -> list[Ponto]:
    """Where to put the pin of each point so that none covers another (pixels): on the point itself if it can be.

    A point with a centre belongs to a group: its pin stands off, away from the centre, so that the group is seen.
    """
    postos: list[Ponto] = []
    for ponto, centro in zip(pontos, centros, strict=True):
        livre = (lugar for lugar in _lugares(ponto, centro, diametro) if not _cobre(lugar, postos, diametro))
        postos.append(next(livre, ponto))
    return postos


def _lugares(ponto: Ponto, centro: Ponto | None, diametro: float) -> Iterator[Ponto]:
    rumo = math.atan2(ponto[1] - centro[1], ponto[0] - centro[0]) if centro else math.pi / 4
    if centro is None:
        yield ponto
    for volta in range(1, 9):
        for desvio in (0, 1, -1, 2, -2, 3, -3, 4):
            angulo = rumo + desvio * math.pi / 4
            distancia = diametro * (0.6 + 0.6 * volta)
            yield ponto[0] + distancia * math.cos(angulo), ponto[1] + distancia * math.sin(angulo)


def _cobre(lugar: Ponto, postos: Sequence[Ponto], diametro: float) -> bool:
    return any(math.dist(lugar, posto) < diametro for posto in postos)


def letreiros(discos: Sequence[tuple[float, float, float]], tamanho: Ponto, postos: Sequence[Ponto]) -> list[Ponto]:
    """Middle of the name of each disc (x, y, radius), all in pixels: above or below it, where no pin or name is.

    `tamanho`: width and height that a name takes, and half a pin around it.
    """
    ocupados = list(postos)
    nomes: list[Ponto] = []
    for x, y, raio in discos:
        lugares = [(x, y + lado * (raio + tamanho[1] * (0.6 + 0.5 * passo))) for passo in range(12) for lado in (1, -1)]
        livre = (lugar for lugar in lugares if not _toca(lugar, ocupados, tamanho))
        nomes.append(next(livre, lugares[0]))
        ocupados += [(nomes[-1][0] + parte * tamanho[0] / 4, nomes[-1][1]) for parte in (-1, 0, 1)]
    return nomes


def _toca(lugar: Ponto, ocupados: Sequence[Ponto], tamanho: Ponto) -> bool:
    return any(abs(lugar[0] - x) < tamanho[0] / 2 and abs(lugar[1] - y) < tamanho[1] / 2 for x, y in ocupados)

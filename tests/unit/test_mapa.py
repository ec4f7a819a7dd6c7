"""The map of an agenda: what it shows where, measured on the figure itself and on the picture's pixels."""

import math
from io import BytesIO
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import polars as pl
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from matplotlib.text import Text
from PIL import Image

from d5_pipeline.orquestracao import mapa
from d5_pipeline.orquestracao.geometria import alfinetes, escala, letreiros, projetar

RAIO_DA_TERRA = 6_371_000.0
UC = "f0000001-0000-4000-8000-000000000001"
OSLO, SAO_PAULO = (59.91, 10.75), (-23.55, -46.63)  # at Oslo a degree east is half a degree north

Ponto = tuple[float, float]


def haversine(um: Ponto, outro: Ponto) -> float:
    """Metres between two points in degrees (4.4)."""
    (lat1, lng1), (lat2, lng2) = ((math.radians(lat), math.radians(lng)) for lat, lng in (um, outro))
    meio = math.sin((lat2 - lat1) / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin((lng2 - lng1) / 2) ** 2
    return 2 * RAIO_DA_TERRA * math.asin(math.sqrt(meio))


def agenda(*linhas: tuple[int, int, str, str | None, Ponto | None]) -> pl.DataFrame:
    """Rows of (position, level, status, group, point)."""
    planas = [(p, n, s, g, *(ponto or (None, None))) for p, n, s, g, ponto in linhas]
    return pl.DataFrame(planas, schema=mapa.ESQUEMA, orient="row")


def ao_redor(centro: Ponto, *desvios: Ponto) -> list[Ponto]:
    return [(centro[0] + lat, centro[1] + lng) for lat, lng in desvios]


def desenho(itens: pl.DataFrame) -> tuple[Figure, Axes]:
    figura = mapa.figura(projetar(itens).sort("posicao"), UC, len(itens))
    return figura, figura.axes[0]


def textos(figura: Figure) -> list[str]:
    return [artista.get_text() for artista in figura.findobj(Text) if isinstance(artista, Text)]


@pytest.mark.parametrize("centro", [OSLO, SAO_PAULO], ids=["Oslo", "São Paulo"])
def test_group_is_outlined_with_its_radius_in_true_metres(centro: Ponto) -> None:
    """4.4: the radius is the greatest Haversine distance from the centroid, the mean of latitudes and longitudes."""
    membros = ao_redor(centro, (0, 0), (0.002, 0.001), (0.0005, 0.006))
    centroide = (sum(lat for lat, _ in membros) / 3, sum(lng for _, lng in membros) / 3)
    _, eixos = desenho(
        agenda(
            *((n, 1, "disponivel", "g", ponto) for n, ponto in enumerate(membros, start=1)),
            (4, 2, "disponivel", None, ao_redor(centro, (0.01, 0.01))[0]),
        )
    )
    (circulo,) = [artista for artista in eixos.patches if isinstance(artista, Circle)]
    assert circulo.get_radius() == pytest.approx(max(haversine(centroide, ponto) for ponto in membros), rel=0.002)


@pytest.mark.parametrize("centro", [OSLO, SAO_PAULO], ids=["Oslo", "São Paulo"])
def test_distances_on_the_map_are_those_on_the_ground(centro: Ponto) -> None:
    pontos = ao_redor(centro, (0, 0), (0.01, 0), (0, 0.01), (-0.007, 0.004))
    projetados = projetar(agenda(*((n, 1, "disponivel", None, ponto) for n, ponto in enumerate(pontos))))
    no_mapa = list(zip(projetados["x"], projetados["y"], strict=True))
    for (um, um_no_mapa), (outro, outro_no_mapa) in combinations(zip(pontos, no_mapa, strict=True), 2):
        assert math.dist(um_no_mapa, outro_no_mapa) == pytest.approx(haversine(um, outro), rel=0.002)


def test_a_metre_is_as_many_pixels_east_as_north() -> None:
    _, eixos = desenho(agenda(*((n, 1, "disponivel", None, p) for n, p in enumerate(ao_redor(OSLO, (0, 0), (0, 0.1))))))
    (x0, y0), (x1, y1) = eixos.transData.transform([(0, 0), (100, 100)])
    assert x1 - x0 == pytest.approx(y1 - y0, rel=0.001)


def test_every_position_has_its_number_and_every_level_its_entry() -> None:
    pontos = ao_redor(SAO_PAULO, (0, 0), (0.01, 0), (0, 0.01), (0.01, 0.01))
    itens = agenda(
        (1, 2, "disponivel", "g", pontos[0]),
        (2, 2, "atribuido", "g", pontos[1]),
        (7, 5, "disponivel", None, pontos[2]),
        (9, 0, "disponivel", None, pontos[3]),
        (10, 3, "disponivel", None, None),
    )
    figura, _ = desenho(itens)
    vistos = textos(figura)
    assert {"1", "2", "7", "9", "nível 2", "nível 5", "nível desconhecido"} <= set(vistos)
    assert not {"10", "nível 3"} & set(vistos), "a demand without coordinates is not on the map"
    assert f"Agenda da unidade {UC}" in vistos
    assert any(texto.startswith("5 demandas, 4 no mapa, 1 grupo;") for texto in vistos)
    assert any(texto.startswith("G1: 2 demandas, raio 5") for texto in vistos)


def test_scale_bar_is_as_long_as_it_says() -> None:
    pontos = ao_redor(SAO_PAULO, (0, 0), (0.03, 0.02))
    figura, eixos = desenho(agenda(*((n, 1, "disponivel", None, p) for n, p in enumerate(pontos))))
    (regua,) = [linha for linha in eixos.lines if linha.get_transform() == eixos.transAxes]
    comeco, fim = (float(x) for x in np.asarray(regua.get_xdata()))
    janela = eixos.get_xlim()
    metros = (fim - comeco) * (janela[1] - janela[0])
    assert f"{metros / 1000:.0f} km" in textos(figura)


@pytest.mark.parametrize(("largura", "metros"), [(1_000, 200), (799, 100), (5_000, 1_000), (90, 20), (8_000, 2_000)])
def test_scale_is_round_and_at_most_a_quarter_of_the_map(largura: float, metros: float) -> None:
    assert escala(largura) == metros


def test_pins_of_one_place_do_not_cover_each_other() -> None:
    postos = alfinetes([(100.0, 100.0)] * 12, [None] * 12, 25)
    assert postos[0] == (100, 100)
    assert min(math.dist(um, outro) for um, outro in combinations(postos, 2)) >= 25


def test_pins_of_a_group_leave_its_circle_to_be_seen() -> None:
    pontos = [(100.0, 110.0), (104.0, 95.0), (96.0, 95.0)]
    for ponto, posto in zip(pontos, alfinetes(pontos, [(100.0, 100.0)] * 3, 25), strict=True):
        assert math.dist(posto, (100, 100)) > math.dist(ponto, (100, 100)) + 25


def test_names_of_groups_cover_neither_pins_nor_each_other() -> None:
    pinos = [(100.0, 60.0), (100.0, 140.0)]
    nomes = letreiros([(100.0, 100.0, 20.0), (120.0, 100.0, 20.0)], (190.0, 40.0), pinos)
    for nome in nomes:
        assert all(abs(nome[0] - x) >= 95 or abs(nome[1] - y) >= 20 for x, y in pinos)
    assert abs(nomes[0][1] - nomes[1][1]) >= 20


def variada(quantas: int) -> pl.DataFrame:
    """Positions on a spiral, of all levels and statuses, every fifth in a group."""
    return agenda(
        *(
            (
                n,
                1 + n % 5,
                "disponivel" if n % 2 else "concluido",
                f"g{n // 10}" if n % 5 == 0 else None,
                (SAO_PAULO[0] + 0.0004 * n * math.sin(n), SAO_PAULO[1] + 0.0004 * n * math.cos(n)),
            )
            for n in range(1, quantas + 1)
        )
    )


def pixels(png: bytes | None) -> Any:
    assert png is not None
    return np.asarray(Image.open(BytesIO(png)).convert("RGB"))


@pytest.mark.parametrize("quantas", [1, 14, 60, 1_000])
def test_picture_is_small_and_always_the_same(quantas: int) -> None:
    png = mapa.desenhar(variada(quantas), UC)
    assert png is not None
    assert png.startswith(b"\x89PNG")
    assert len(png) < 100_000
    assert png == mapa.desenhar(variada(quantas), UC)
    assert pixels(png).shape == (mapa.ALTURA, mapa.LARGURA, 3)


def test_the_levels_colours_survive_the_palette() -> None:
    presentes = {tuple(int(v) for v in cor) for cor in pixels(mapa.desenhar(variada(20), UC)).reshape(-1, 3)}
    assert {tuple(round(255 * v) for v in to_rgb(cor)) for cor, *_ in mapa.NIVEIS.values()} <= presentes


def test_agenda_without_coordinates_has_no_picture() -> None:
    assert mapa.desenhar(agenda((1, 1, "disponivel", None, None)), UC) is None
    assert mapa.desenhar(agenda(), UC) is None


# Machado, Oliveira and Fernandes (2009), severity 1: what the three kinds of colour-blind readers see.
CEGUEIRAS = {
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


@pytest.mark.parametrize("cegueira", [*CEGUEIRAS, "nenhuma"])
def test_levels_are_told_apart_by_colour_blind_readers(cegueira: str) -> None:
    matriz = np.array(CEGUEIRAS.get(cegueira, np.eye(3)))
    vistas = [np.clip(matriz @ np.array(to_rgb(cor)), 0, 1) for cor, *_ in mapa.NIVEIS.values()]
    assert min(float(np.linalg.norm(um - outra)) for um, outra in combinations(vistas, 2)) > 0.1
    assert len({forma for _, forma, _ in mapa.NIVEIS.values()}) == 5, "and by their form"


def test_positions_stand_in_their_order_over_one_another() -> None:
    """Where pins have to touch (beyond what fits), the first position stays on its place."""
    pontos = [(0.0, 0.0)] * 3
    postos = alfinetes(pontos, [None] * 3, 25)
    assert postos[0] == pontos[0]
    assert all(math.dist(pontos[0], um) <= math.dist(pontos[0], outro) + 1e-9 for um, outro in pairwise(postos))

"""The map of an agenda as a picture, drawn without a network: a frame goes in, PNG bytes come out.

Belongs here: what the picture looks like. Does not: where the rows come from and when it is drawn (relatorio.py), where
things lie (geometria.py). matplotlib takes half a second to import: nothing imports this module before it draws.
"""

from io import BytesIO
from typing import Any, Final

import polars as pl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle
from matplotlib.patheffects import withStroke
from PIL import Image

from d5_pipeline.orquestracao.geometria import (
    Circulo,
    Janela,
    Ponto,
    alfinetes,
    circulos,
    escala,
    janela,
    letreiros,
    projetar,
)

ESQUEMA: Final = {
    "posicao": pl.Int64,
    "nivel_precedencia": pl.Int64,
    "status": pl.String,
    "grupo_id": pl.String,
    "lat": pl.Float64,
    "lng": pl.Float64,
}
"""What the map needs of each row of an agenda; lat and lng in degrees, null where unknown."""

TINTA, CINZA, PAPEL, FUNDO, BORDA = "#22252B", "#5B6472", "#FFFFFF", "#F4F5F7", "#D9DCE1"
NIVEIS: Final = {
    1: ("#D55E00", "o", PAPEL),
    2: ("#E69F00", "s", TINTA),
    3: ("#009E73", "h", PAPEL),
    4: ("#0072B2", "D", PAPEL),
    5: ("#CC79A7", "^", TINTA),
}
"""Colour (Okabe and Ito's: colour-blind readers tell them apart), form and ink of each level of precedence."""

SEM_NIVEL: Final = ("#8A8F98", "p", PAPEL)
LARGURA, ALTURA = 760, 580
"""Pixels of the picture."""

MOLDURA: Final = (0.016, 0.125, 0.968, 0.77)
"""Left, bottom, width and height of the map in it, as fractions."""

DIAMETRO: Final = 26.0
"""Pixels that a pin takes."""

TAMANHO: Final = {"o": 200, "s": 165, "h": 260, "D": 190, "^": 420, "p": 260}
"""Square points of each form, so that all look equally large."""

LETREIRO: Final = (190.0, 40.0)
"""Pixels that the name of a group takes, with half a pin around it."""

MAIS_NUMEROS: Final = 60
"""Positions that get a pin; the others are dots: more numbers could not be told apart."""


def desenhar(itens: pl.DataFrame, unidade: str) -> bytes | None:
    """PNG of the agenda of `unidade`; None where no demand of it has coordinates. `itens`: see ESQUEMA."""
    projetados = projetar(itens)
    if projetados.is_empty():
        return None
    return png(figura(projetados.sort("posicao"), unidade, len(itens)))


def figura(projetados: pl.DataFrame, unidade: str, total: int) -> Figure:
    """The drawing, its data in metres: dots and numbered pins by level, circles of the groups, scale, legend."""
    grupos = circulos(projetados)
    vista = janela(projetados, list(grupos.values()), LARGURA * MOLDURA[2] / (ALTURA * MOLDURA[3]))
    desenho = Figure(figsize=(LARGURA / 100, ALTURA / 100), dpi=100, facecolor=PAPEL)
    FigureCanvasAgg(desenho)
    eixos = desenho.add_axes(MOLDURA, xlim=vista[:2], ylim=vista[2:], xticks=[], yticks=[], facecolor=FUNDO)
    for borda in eixos.spines.values():
        borda.set_color(BORDA)
    postos = _pontos(eixos, projetados, grupos)
    _circulos(eixos, list(grupos.values()), postos)
    _regua(eixos, vista)
    _titulos(desenho, unidade, total, len(projetados), len(grupos))
    _legendas(desenho, projetados, bool(grupos))
    return desenho


def png(desenho: Figure) -> bytes:
    """The drawing with a palette of its own: a fifth of the bytes, the same to the eye."""
    cheio, enxuto = BytesIO(), BytesIO()
    desenho.savefig(cheio, format="png")
    Image.open(cheio).convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=1).save(
        enxuto, format="png", optimize=True
    )
    return enxuto.getvalue()


def _pontos(eixos: Axes, projetados: pl.DataFrame, grupos: dict[str, Circulo]) -> list[Ponto]:
    """A dot where each demand is, its pin on the dot or beside it on a line; returns the pins' places in pixels."""
    cores = [NIVEIS.get(nivel, SEM_NIVEL)[0] for nivel in projetados["nivel_precedencia"]]
    eixos.scatter(projetados["x"], projetados["y"], s=14, c=cores, edgecolors=PAPEL, linewidths=0.4, zorder=3)
    numerados = projetados.head(MAIS_NUMEROS)
    pontos = [_pixels(eixos, ponto) for ponto in zip(numerados["x"], numerados["y"], strict=True)]
    centros = [_pixels(eixos, grupos[grupo][:2]) if grupo else None for grupo in numerados["grupo_id"]]
    postos = alfinetes(pontos, centros, DIAMETRO)
    for linha, ponto, posto in zip(numerados.iter_rows(named=True), pontos, postos, strict=True):
        _alfinete(eixos, linha, _metros(eixos, ponto), _metros(eixos, posto))
    return postos


def _alfinete(eixos: Axes, linha: dict[str, Any], ponto: Ponto, posto: Ponto) -> None:
    cor, forma, tinta = NIVEIS.get(linha["nivel_precedencia"], SEM_NIVEL)
    livre = linha["status"] == "disponivel"
    miolo, contorno = (cor, PAPEL) if livre else (PAPEL, cor)
    eixos.plot(*zip(ponto, posto, strict=True), color=TINTA, lw=0.8, zorder=2)
    eixos.scatter(*posto, s=TAMANHO[forma], marker=forma, c=miolo, edgecolors=contorno, linewidths=1.6, zorder=4)
    eixos.annotate(
        str(linha["posicao"]),
        posto,
        (0, -4 if forma == "^" else 0),
        textcoords="offset pixels",
        ha="center",
        va="center_baseline",
        fontsize=8 if linha["posicao"] < 100 else 6,
        fontweight="bold",
        color=tinta if livre else TINTA,
        zorder=5,
    )


def _circulos(eixos: Axes, contornos: list[Circulo], postos: list[Ponto]) -> None:
    """Each group's outline in true metres, and its name where it covers no pin."""
    discos = []
    for grupo in contornos:
        eixos.add_patch(Circle(grupo[:2], grupo.raio_metros, fc=(0.36, 0.39, 0.45, 0.12), ec=CINZA, ls="--", lw=1.2))
        (x, y), (borda, _) = (_pixels(eixos, p) for p in (grupo[:2], (grupo.x + grupo.raio_metros, grupo.y)))
        discos.append((x, y, borda - x))
    for numero, (grupo, lugar) in enumerate(zip(contornos, letreiros(discos, LETREIRO, postos), strict=True), start=1):
        nome = f"G{numero}: {_quantos(grupo.demandas, 'demanda')}, raio {grupo.raio_metros:.0f} m"
        contorno = [withStroke(linewidth=3, foreground=FUNDO)]
        estilo: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 8, "color": TINTA, "zorder": 6}
        eixos.text(*_metros(eixos, lugar), nome, path_effects=contorno, **estilo)


def _pixels(eixos: Axes, ponto: Ponto) -> Ponto:
    x, y = eixos.transData.transform(ponto)
    return float(x), float(y)


def _metros(eixos: Axes, ponto: Ponto) -> Ponto:
    x, y = eixos.transData.inverted().transform(ponto)
    return float(x), float(y)


def _regua(eixos: Axes, vista: Janela) -> None:
    metros = escala(vista.x1 - vista.x0)
    fracao = metros / (vista.x1 - vista.x0)
    texto = f"{metros:.0f} m" if metros < 1000 else f"{metros / 1000:.0f} km"
    comum: dict[str, Any] = {"transform": eixos.transAxes, "color": TINTA, "zorder": 6}
    eixos.plot([0.02, 0.02 + fracao], [0.03, 0.03], lw=2.4, solid_capstyle="butt", **comum)
    eixos.text(0.02 + fracao / 2, 0.045, texto, ha="center", va="bottom", fontsize=8, **comum)
    eixos.text(0.975, 0.95, "N", ha="center", va="center", fontsize=9, fontweight="bold", **comum)
    eixos.annotate(
        "", (0.975, 0.93), (0.975, 0.85), xycoords="axes fraction", arrowprops={"arrowstyle": "-|>", "color": TINTA}
    )


def _titulos(desenho: Figure, unidade: str, total: int, no_mapa: int, grupos: int) -> None:
    desenho.text(0.016, 0.965, f"Agenda da unidade {unidade}", fontsize=11, fontweight="bold", color=TINTA, va="center")
    resumo = f"{_quantos(total, 'demanda')}, {no_mapa} no mapa, {_quantos(grupos, 'grupo')}; o número é a posição"
    desenho.text(0.016, 0.922, resumo, fontsize=9, color=CINZA, va="center")


def _quantos(numero: int, nome: str) -> str:
    return f"{numero} {nome}" if numero == 1 else f"{numero} {nome}s"


def _legendas(desenho: Figure, projetados: pl.DataFrame, ha_grupos: bool) -> None:
    """The levels that occur in one line, what form and outline mean in another."""
    niveis = []
    for nivel in sorted(set(projetados["nivel_precedencia"])):
        cor, forma, _ = NIVEIS.get(nivel, SEM_NIVEL)
        nome = f"nível {nivel}" if nivel in NIVEIS else "nível desconhecido"
        niveis.append(Line2D([], [], ls="", marker=forma, color=cor, ms=9, label=nome))
    vazado: dict[str, Any] = {"ls": "", "marker": "o", "mec": CINZA, "mew": 1.6, "ms": 8}
    sinais = [
        Line2D([], [], mfc=CINZA, label="disponível", **vazado),
        Line2D([], [], mfc=PAPEL, label="atribuída, em progresso ou concluída", **vazado),
    ]
    if ha_grupos:
        sinais.append(Line2D([], [], ls="--", color=CINZA, lw=1.2, label="grupo territorial"))
    for marcas, altura in ((niveis, 0.088), (sinais, 0.034)):
        desenho.legend(
            handles=marcas,
            loc="center left",
            bbox_to_anchor=(0.0, altura),
            ncols=len(marcas),
            frameon=False,
            fontsize=9,
            handletextpad=0.3,
            columnspacing=1.6,
            labelcolor=TINTA,
        )

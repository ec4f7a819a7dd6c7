"""The pictures of docs/desempenho.md: the same results give the same bytes."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bench.medida import Medida, Serie

ESTILO: dict[Any, Any] = {
    "svg.hashsalt": "d5",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.alpha": 0.3,
}
D5, REFERENCIA, PERDIDA = "#1f6f8b", "#8a949a", "#c0392b"


def desenhar(medidas: Sequence[Medida], pasta: Path) -> dict[str, str]:
    """Writes the SVG files; returns name → description of those there are results for."""
    pasta.mkdir(parents=True, exist_ok=True)
    nomes = {}
    with mpl.rc_context(ESTILO):
        for arquivo, (descricao, desenho) in DESENHOS.items():
            figura = desenho(medidas)
            if figura is not None:
                figura.savefig(pasta / arquivo, metadata={"Date": None}, bbox_inches="tight")
                nomes[arquivo] = descricao
    return nomes


def metas(medidas: Sequence[Medida]) -> Figure | None:
    """One bar per figure, from the line that is its target: to the right where it is reached, else to the left."""
    com_meta = [(m, m.meta, m.meta.alcance(m.valor)) for m in medidas if m.meta is not None]
    if not com_meta:
        return None
    figura = Figure(figsize=(9, 0.42 * len(com_meta) + 1))
    eixos = figura.subplots()
    for linha, (m, meta, alcance) in enumerate(com_meta):
        eixos.barh(linha, alcance - 1, left=1, color=D5 if m.cumprida else PERDIDA, height=0.6)
        texto = f"{m.valor:.3g} {m.unidade}, target {meta.sentido} {meta.limite:g}"
        eixos.text(max(alcance, 1) * 1.05, linha, texto, va="center", fontsize=9)
    alcances = [alcance for *_, alcance in com_meta]
    eixos.axvline(1, color="black", linewidth=1)
    eixos.set_yticks(range(len(com_meta)), [m.nome for m, *_ in com_meta])
    eixos.invert_yaxis()
    eixos.set_xlim(min(0.4, *alcances) / 1.3, max(2, *alcances) * 4)
    _eixo_logaritmico(eixos, [n for n in (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50) if min(0.4, *alcances) < n])
    eixos.set_xlabel("times the target: right of the line it is reached")
    eixos.grid(axis="x")
    return figura


def _eixo_logaritmico(eixos: Axes, marcas: Sequence[float]) -> None:
    """A logarithmic x axis with these ticks as plain numbers; its limits stay."""
    limites = eixos.get_xlim()
    eixos.set_xscale("log")
    eixos.set_xticks([marca for marca in marcas if limites[0] <= marca <= limites[1]])
    eixos.xaxis.set_major_formatter(lambda marca, _: f"{marca:,g}" if marca < 1_000 else f"{marca:,.0f}")
    eixos.minorticks_off()
    eixos.set_xlim(limites)


def latencias(medidas: Sequence[Medida]) -> Figure | None:
    """Cumulative distributions of both sides, one event and one rebuild side by side."""
    quadros = [m for m in medidas if m.figura in ("um_evento", "um_rebuild") and m.nome.rpartition(": ")[2] in TITULOS]
    if not quadros:
        return None
    figura = Figure(figsize=(9, 3.2))
    for eixos, m in zip(figura.subplots(1, len(quadros), squeeze=False, sharey=True)[0], quadros, strict=True):
        for serie, cor in zip(m.series[:2], (D5, REFERENCIA), strict=True):
            _distribuicao(eixos, serie, cor)
        eixos.set_title(m.nome.partition(":")[0])
        eixos.set_xlabel("ms")
        eixos.set_ylim(0, 100)
        eixos.set_xlim(0)
        eixos.grid()
        eixos.legend(frameon=False, loc="lower right")
    figura.axes[0].set_ylabel("% of the repeats at most")
    return figura


TITULOS = ("p50", "p95 against the reference's p95")


def _distribuicao(eixos: Axes, serie: Serie, cor: str) -> None:
    """Up to the 99th percentile: one straggler would hide the rest."""
    em_ordem = sorted(serie.amostras)
    visiveis = em_ordem[: math.ceil(len(em_ordem) * 0.99)]
    porcentos = [100 * (i + 1) / len(em_ordem) for i in range(len(visiveis))]
    eixos.step(visiveis, porcentos, where="post", color=cor, label=serie.nome, linewidth=1.8)


def crescimento(medidas: Sequence[Medida]) -> Figure | None:
    """Time per event against events and units, with the band of 15 % above the best."""
    quadros = [m for m in medidas if m.figura == "crescimento"]
    if not quadros:
        return None
    figura = Figure(figsize=(9, 3.2))
    for eixos, m in zip(figura.subplots(1, len(quadros), squeeze=False, sharey=True)[0], quadros, strict=True):
        tamanhos = [int(serie.nome.split()[0].replace(",", "")) for serie in m.series]
        medianas = [serie.mediana for serie in m.series]
        eixos.axhspan(min(medianas), min(medianas) * 1.15, color=REFERENCIA, alpha=0.25, label="15 % above the best")
        eixos.plot(tamanhos, medianas, color=D5, marker="o", linewidth=1.8)
        eixos.set_xlim(tamanhos[0] / 1.6, tamanhos[-1] * 1.6)
        _eixo_logaritmico(eixos, tamanhos)
        eixos.set_xlabel(m.series[0].nome.split()[1])
        eixos.grid()
        eixos.legend(frameon=False, loc="lower right")
    figura.axes[0].set_ylabel("µs per event")
    figura.axes[0].set_ylim(0, max(serie.mediana for m in quadros for serie in m.series) * 1.1)
    return figura


DESENHOS: dict[str, tuple[str, Callable[[Sequence[Medida]], Figure | None]]] = {
    "desempenho-metas.svg": ("Each figure against its target", metas),
    "desempenho-latencia.svg": ("Distribution of the time of one event and of one rebuild", latencias),
    "desempenho-crescimento.svg": ("Time per event as events and units grow", crescimento),
}
"""File → description, and what draws it where there are results."""

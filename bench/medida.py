"""What a figure is, and the registry: adding a figure is adding a function."""

import math
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from bench.banco import Servidor

T = TypeVar("T")
Sentido = Literal["≥", "≤"]


@dataclass(frozen=True)
class Serie:
    """One side of a figure: its samples, summed up. `unidade` is s, ms, µs, MiB, B …"""

    nome: str
    unidade: str
    mediana: float
    p95: float
    n: int
    amostras: tuple[float, ...] = ()

    def com_nome(self, nome: str) -> "Serie":
        """The same samples under another name."""
        return replace(self, nome=nome)

    @classmethod
    def de(cls, nome: str, unidade: str, amostras: Sequence[float]) -> "Serie":
        """Median and 95th percentile of the samples (nearest rank)."""
        return cls(nome, unidade, statistics.median(amostras), percentil(amostras, 95), len(amostras), tuple(amostras))


@dataclass(frozen=True)
class Meta:
    """What a figure's value has to reach."""

    sentido: Sentido
    limite: float

    def cumprida(self, valor: float) -> bool:
        """Whether the value reaches it."""
        return valor >= self.limite if self.sentido == "≥" else valor <= self.limite

    def alcance(self, valor: float) -> float:
        """How many times the target the value is worth: 1 reaches it, more is better."""
        return valor / self.limite if self.sentido == "≥" else self.limite / valor


@dataclass(frozen=True)
class Medida:
    """A measured figure: the work, what it is held against, the sides, and the value with its target.

    `unidade` of the value is × where it is the ratio of two sides; a figure without `meta` is only reported.
    """

    figura: str
    nome: str
    trabalho: str
    referencia: str
    series: tuple[Serie, ...]
    valor: float
    meta: Meta | None
    unidade: str = "×"
    nota: str = ""
    divergencia: str = ""
    """What both sides should have in common and have not; the run fails where there is any."""

    @property
    def cumprida(self) -> bool:
        """Whether the target is reached."""
        return not self.divergencia and (self.meta is None or self.meta.cumprida(self.valor))


@dataclass(frozen=True)
class Contexto:
    """What a figure's function is given."""

    servidor: Servidor
    curto: bool
    dizer: Callable[[str], None]

    def tamanho(self, inteiro: T, curto: T) -> T:
        """The size of the work: in full, or for the one-minute form."""
        return curto if self.curto else inteiro


Figura = Callable[[Contexto], list[Medida]]
FIGURAS: dict[str, Figura] = {}
"""Name → what measures it, in the order in which they run."""


def figura(nome: str) -> Callable[[Figura], Figura]:
    """Registers a function under the name that `--so` takes."""

    def registrar(funcao: Figura) -> Figura:
        FIGURAS[nome] = funcao
        return funcao

    return registrar


def percentil(amostras: Sequence[float], p: float) -> float:
    """The smallest sample that is not below p per cent of them (nearest rank)."""
    em_ordem = sorted(amostras)
    return em_ordem[max(0, math.ceil(len(em_ordem) * p / 100) - 1)]


class Cronometro:
    """Samples of a repeated work."""

    def __init__(self) -> None:
        self.segundos: list[float] = []

    @contextmanager
    def medir(self) -> Iterator[None]:
        """Adds the time of the block."""
        inicio = time.perf_counter()
        yield
        self.segundos.append(time.perf_counter() - inicio)

    def serie(self, nome: str, unidade: Literal["s", "ms", "µs"], por: float = 1) -> Serie:
        """The samples in the unit, each divided by `por`."""
        fator = {"s": 1, "ms": 1e3, "µs": 1e6}[unidade]
        return Serie.de(nome, unidade, [segundos * fator / por for segundos in self.segundos])

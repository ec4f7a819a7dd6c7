"""What a dry run found, unit by unit and in sum: how many demands come in, go out, move, and under which slots."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from msgspec import Struct

from d5_pipeline.dominio.diferencas import EFEITOS, Lugares, Mudanca

_FORMAS: Final = {
    "entra": ("entra", "entram"),
    "sai": ("sai", "saem"),
    "sobe": ("sobe", "sobem"),
    "desce": ("desce", "descem"),
    "reagrupa": ("muda só de grupo", "mudam só de grupo"),
}


class Contagem(Struct, frozen=True, gc=False):
    """How many demands each effect concerns."""

    entra: int = 0
    sai: int = 0
    sobe: int = 0
    desce: int = 0
    reagrupa: int = 0

    @property
    def total(self) -> int:
        """Demands with any effect."""
        return self.entra + self.sai + self.sobe + self.desce + self.reagrupa

    def mais(self, outra: "Contagem") -> "Contagem":
        """The sum of both."""
        return Contagem(*(getattr(self, efeito) + getattr(outra, efeito) for efeito in EFEITOS))


NADA: Final = Contagem()


class Distribuicao(NamedTuple):
    """What 4.2 gives a unit: its current level, and the slots of level 1 to 5, or one figure for all of them."""

    nivel_nao_vencido: int | None
    vagas: list[int]


class Retrato(Struct, frozen=True):
    """An agenda in figures; level, slots and announcement are known of computed agendas only."""

    itens: int
    grupos: int
    nivel_nao_vencido: int | None = None
    vagas: list[int] | None = None
    anuncia: str | None = None
    """The demand that a rebuild would announce (D9)."""


def retratar(lugares: Lugares, distribuicao: Distribuicao | None = None, anuncia: str | None = None) -> Retrato:
    """The figures of an agenda; a unit without scores has no distribution."""
    grupos = {lugar.grupo_id for lugar in lugares.values() if lugar.grupo_id is not None}
    nivel, vagas = distribuicao or (None, None)
    return Retrato(len(lugares), len(grupos), nivel, vagas, anuncia)


def contar(mudancas: Iterable[Mudanca]) -> Contagem:
    """How many demands each effect concerns."""
    efeitos = [mudanca.efeito for mudanca in mudancas]
    return Contagem(*(efeitos.count(efeito) for efeito in EFEITOS))


def descrever(contagem: Contagem) -> str:
    """The figures as a part of a sentence, without those that are 0."""
    partes = [(getattr(contagem, efeito), _FORMAS[efeito]) for efeito in EFEITOS]
    return ", ".join(f"{n} {formas[n != 1]}" for n, formas in partes if n) or "nenhuma demanda muda de lugar"


class DiferencaDaUnidade(Struct, frozen=True):
    """What would change in one unit, by demand; `so_do_rebuild` is what a rebuild with the present parameters changes.

    A simulated rebuild compares rows (`antes`) with the rebuild (`depois`), and has no `so_do_rebuild`. Simulated
    parameters compare the rebuild with the present ones and with the new ones.
    """

    unidade_civica_id: str
    contagem: Contagem
    antes: Retrato
    depois: Retrato
    demandas: list[Mudanca]
    so_do_rebuild: Contagem | None = None

    @property
    def difere(self) -> bool:
        """Whether anything here is worth a look."""
        return bool(self.demandas) or self.muda_distribuicao or bool(self.so_do_rebuild and self.so_do_rebuild.total)

    @property
    def muda_distribuicao(self) -> bool:
        """Whether the parameters give the unit another level or other slots."""
        antes, depois = self.antes, self.depois
        return antes.vagas is not None and (antes.nivel_nao_vencido, antes.vagas) != (
            depois.nivel_nao_vencido,
            depois.vagas,
        )


@dataclass
class Totais:
    """Sums over units: how many there are, whose agenda changes, which only have another level or other slots."""

    unidades: int = 0
    mudam: int = 0
    mudam_so_de_distribuicao: int = 0
    anunciam: int = 0
    contagem: Contagem = NADA
    mudam_so_pelo_rebuild: int = 0
    so_do_rebuild: Contagem = NADA

    @property
    def do_rebuild(self) -> str:
        """What a rebuild would change, as a sentence."""
        if not self.mudam and not self.anunciam:
            return f"Nada mudaria em {self.unidades} unidade(s)."
        return (
            f"De {self.unidades} unidade(s), {self.mudam} mudaria(m) e {self.unidades - self.mudam} não: "
            f"{descrever(self.contagem)}; {self.anunciam} anunciaria(m) uma demanda."
        )

    def somar(self, diferenca: DiferencaDaUnidade) -> None:
        """Adds a unit."""
        self.unidades += 1
        self.mudam += bool(diferenca.demandas)
        self.mudam_so_de_distribuicao += diferenca.muda_distribuicao and not diferenca.demandas
        self.anunciam += diferenca.depois.anuncia is not None
        self.contagem = self.contagem.mais(diferenca.contagem)
        if diferenca.so_do_rebuild is not None:
            self.mudam_so_pelo_rebuild += diferenca.so_do_rebuild.total > 0
            self.so_do_rebuild = self.so_do_rebuild.mais(diferenca.so_do_rebuild)

"""What one agenda of a unit changes against another: who comes in, goes out, moves up or down (4.1)."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from msgspec import Struct

from d5_pipeline.dominio.agenda_builder import Agenda

Efeito = Literal["entra", "sai", "sobe", "desce", "reagrupa"]
EFEITOS: Final[tuple[Efeito, ...]] = ("entra", "sai", "sobe", "desce", "reagrupa")


class Lugar(NamedTuple):
    """Where a demand stands: `posicao` 0 is outside the order (D16); `unidade_alheia` holds a row of another unit."""

    posicao: int
    grupo_id: str | None
    unidade_alheia: str | None = None


class Mudanca(Struct, frozen=True):
    """What happens to one demand: positions and groups before and after, None where it has none."""

    demanda_id: str
    efeito: Efeito
    antes: int | None
    depois: int | None
    grupo_antes: str | None
    grupo_depois: str | None
    vem_de: str | None
    """The other unit that loses the row to this one (D16)."""


Lugares = Mapping[str, Lugar]


def lugares(agenda: Agenda) -> dict[str, Lugar]:
    """Demand → its place in a computed agenda."""
    return {item.demanda_id: Lugar(item.posicao, item.grupo_id) for item in agenda.itens}


def comparar(antes: Lugares, depois: Lugares) -> list[Mudanca]:
    """The demands whose place differs: by new position, then those that leave by their old one."""
    mudancas = (_mudanca(demanda, antes.get(demanda), depois.get(demanda)) for demanda in antes.keys() | depois.keys())
    return sorted(
        (mudanca for mudanca in mudancas if mudanca is not None),
        key=lambda m: (m.depois is None, m.depois or 0, m.antes or 0, m.demanda_id),
    )


def _mudanca(demanda_id: str, antes: Lugar | None, depois: Lugar | None) -> Mudanca | None:
    efeito = _efeito(antes, depois)
    if efeito is None:
        return None
    return Mudanca(
        demanda_id,
        efeito,
        antes and antes.posicao,
        depois and depois.posicao,
        antes and antes.grupo_id,
        depois and depois.grupo_id,
        antes and antes.unidade_alheia,
    )


def _efeito(antes: Lugar | None, depois: Lugar | None) -> Efeito | None:
    if depois is None:
        return "sai"
    if antes is None or antes.posicao == 0:
        return "entra"
    if antes.posicao != depois.posicao:
        return "sobe" if depois.posicao < antes.posicao else "desce"
    return "reagrupa" if antes.grupo_id != depois.grupo_id else None

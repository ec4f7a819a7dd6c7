"""Judging holes in the log by evidence (D3): passed once every transaction that could fill it is gone.

An INSERT locks the log before it draws its number and keeps the lock to the end. So whoever may still fill a hole that
was seen holds such a lock afterwards; a hole that is still there when none of those is left will never be filled.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

Portador = Mapping[str, object]
"""A transaction holding the lock: `virtualtransaction`, `pid`, `aplicacao`."""


class Lacuna(NamedTuple):
    """Missing sequence numbers, both ends included, and the transactions that may still fill them."""

    inicio: int
    fim: int
    portadores: tuple[Portador, ...] = ()


class Julgamento(NamedTuple):
    """Holes that will never be filled, and those that may be."""

    passadas: tuple[Lacuna, ...]
    abertas: tuple[Lacuna, ...]


def suspeitas(
    vistas: Iterable[tuple[int, int]], anteriores: Sequence[Lacuna], portadores: Sequence[Portador]
) -> list[Lacuna]:
    """The holes just seen, each with who may still fill it.

    `portadores` must have been read after the holes were seen. A hole inside an earlier one keeps that one's list, less
    those who are gone: the list only shrinks, or a busy log would never let a hole go. Preparing a transaction
    (two-phase commit) gives it another name and no process: a prepared one may be anybody of the list, so it counts for
    every hole.
    """
    presentes = {portador["virtualtransaction"] for portador in portadores}
    preparadas = [portador for portador in portadores if portador["pid"] is None]
    resultado = []
    for inicio, fim in vistas:
        anterior = next((a for a in anteriores if a.inicio <= inicio and fim <= a.fim), None)
        candidatos = portadores if anterior is None else _sem_repetir(*anterior.portadores, *preparadas)
        restantes = tuple(p for p in candidatos if p["virtualtransaction"] in presentes)
        resultado.append(Lacuna(inicio, fim, restantes))
    return resultado


def _sem_repetir(*portadores: Portador) -> list[Portador]:
    return list({portador["virtualtransaction"]: portador for portador in portadores}.values())


def julgar(suspeitos: Iterable[Lacuna], ainda_vazias: Iterable[tuple[int, int]]) -> Julgamento:
    """Splits the suspects, given the ranges that were still empty when read again after the holders were listed."""
    vazias = set(ainda_vazias)
    passadas: list[Lacuna] = []
    abertas: list[Lacuna] = []
    for lacuna in suspeitos:
        passou = not lacuna.portadores and (lacuna.inicio, lacuna.fim) in vazias
        (passadas if passou else abertas).append(lacuna)
    return Julgamento(tuple(passadas), tuple(abertas))


def espera(lacuna: Lacuna) -> str:
    """What reading waits for, as an operator reads it."""
    return f"lacuna de {lacuna.inicio} a {lacuna.fim}: {quem(lacuna.portadores)} ainda pode preenchê-la"


def quem(portadores: Iterable[Portador]) -> str:
    """The holders as an operator reads them."""
    return ", ".join(
        f"o processo {p['pid']} ({p['aplicacao'] or 'sem nome'})" if p["pid"] else "uma transação preparada"
        for p in portadores
    )

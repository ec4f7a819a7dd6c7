"""Databases to be disturbed, and what an undisturbed run leaves behind."""

from collections.abc import Callable, Iterator
from itertools import count

import pytest

from tests.aceitacao.faltas.corrida import Corrida
from tests.apoio.banco import Banco, clonar
from tests.apoio.servidor import ServidorProprio, servidor_proprio

SemFaltas = Callable[[Corrida], Banco]

_numeros = count(1)


@pytest.fixture(scope="session")
def sem_faltas(servidor: str, banco_preparado: str) -> Iterator[SemFaltas]:
    """The database after an undisturbed run of a log, once per log."""
    prontos: dict[Corrida, Banco] = {}

    def rodar(corrida: Corrida) -> Banco:
        if corrida not in prontos:
            nome = f"d5_sem_faltas_{next(_numeros)}"
            clonar(servidor, nome, banco_preparado)
            prontos[corrida] = Banco(servidor.format(nome))
            corrida.carregar(prontos[corrida])
            prontos[corrida].processar()
        return prontos[corrida]

    yield rodar
    for banco in prontos.values():
        banco.fechar()


@pytest.fixture
def novo_banco(servidor: str, banco_preparado: str) -> Iterator[Callable[[], Banco]]:
    """Makes prepared databases; their cursors are not seeded."""
    bancos: list[Banco] = []

    def criar() -> Banco:
        nome = f"d5_faltas_{next(_numeros)}"
        clonar(servidor, nome, banco_preparado)
        bancos.append(Banco(servidor.format(nome)))
        return bancos[-1]

    yield criar
    for banco in bancos:
        banco.fechar()


@pytest.fixture(scope="module")
def servidor_fragil(servidor: str) -> Iterator[ServidorProprio]:
    """A server that this module's tests may stop; `servidor` sets up the place where its lock file lives."""
    assert servidor
    with servidor_proprio() as proprio:
        yield proprio


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Shows what tests recorded as properties: figures of a run are part of its result."""
    for relato in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for nome, valor in relato.user_properties if relato.when == "call" else ():
            terminalreporter.write_line(f"{relato.nodeid.rpartition('::')[2]}: {nome} = {valor}")

"""Databases to be disturbed, and what an undisturbed run leaves behind."""

from collections.abc import Callable, Iterator

import pytest

from tests.aceitacao.faltas.corrida import Corrida
from tests.apoio.banco import Banco, clonar
from tests.apoio.servidor import ServidorProprio, servidor_proprio

SemFaltas = Callable[[Corrida], Banco]


@pytest.fixture(scope="session")
def sem_faltas(servidor: str, banco_preparado: str) -> Iterator[SemFaltas]:
    """The database after an undisturbed run of a log, once per log."""
    prontos: dict[Corrida, Banco] = {}

    def rodar(corrida: Corrida) -> Banco:
        if corrida not in prontos:
            prontos[corrida] = Banco(servidor.format(clonar(servidor, banco_preparado)))
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
        bancos.append(Banco(servidor.format(clonar(servidor, banco_preparado))))
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

"""A database of the platform's, prepared with the roles of sql/papeis.sql, from both sides."""

from collections.abc import Iterator

import pytest

from tests.apoio.banco import Banco, clonar
from tests.apoio.papeis import SERVICO, aplicar_papeis, como, preparar_com_papeis


@pytest.fixture(scope="session")
def modelo_com_papeis(servidor: str) -> str:
    """Name of the template that d5_dono prepared."""
    return preparar_com_papeis(servidor)


@pytest.fixture
def plataforma(servidor: str, modelo_com_papeis: str) -> Iterator[Banco]:
    """The platform's side of a prepared database: a superuser, who writes into the log."""
    proprio = Banco(servidor.format(clonar(servidor, modelo_com_papeis)))
    aplicar_papeis(proprio.conexao)  # a clone does not take over the rights on the database itself
    yield proprio
    proprio.fechar()


@pytest.fixture
def servico(plataforma: Banco) -> Iterator[Banco]:
    """The same database as d5_servico sees it."""
    proprio = Banco(como(SERVICO, plataforma.url))
    yield proprio
    proprio.fechar()

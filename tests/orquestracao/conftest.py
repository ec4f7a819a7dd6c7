"""The jobs on a test's database and an instance that lives in memory."""

from collections.abc import Iterator

import pytest
from dagster import DagsterInstance

from tests.apoio.banco import Banco
from tests.orquestracao.orquestrador import Orquestrador


@pytest.fixture
def instancia() -> Iterator[DagsterInstance]:
    """Dagster's records of the test's runs."""
    with DagsterInstance.ephemeral() as propria:
        yield propria


@pytest.fixture
def orquestrador(banco: Banco, instancia: DagsterInstance) -> Orquestrador:
    """The jobs on the test's database."""
    return Orquestrador(banco, instancia)

"""A database without parameters, for states that bring their own."""

import pytest

from tests.apoio.banco import Banco


@pytest.fixture
def url(banco: Banco) -> str:
    """A prepared database whose tables of schema d5 are empty."""
    banco.executar("truncate d5.param_versions, d5.param_capacidade_por_uc, d5.param_pesos_situacionais")
    banco.executar("truncate d5.intervencoes, d5.modelos_implantados")
    return banco.url

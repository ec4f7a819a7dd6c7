"""Random logs: the engine ends where the literal model of the specification ends, however the log is cut (D2)."""

import pytest

from tests.apoio.banco import Banco, rodar
from tests.referencia.comparacao import comparar
from tests.referencia.logs import log_aleatorio
from tests.referencia.modelo import ModeloLiteral


@pytest.mark.parametrize("lote", [1, 7, 5_000])
@pytest.mark.parametrize("semente", range(12))
def test_engine_and_literal_model_agree(banco: Banco, semente: int, lote: int) -> None:
    parametros, eventos = log_aleatorio(semente, 25 if lote == 1 else 150)
    modelo = ModeloLiteral(parametros)
    for evento in eventos:
        modelo.aplicar(evento)
    assert comparar(rodar(banco, parametros, eventos, lote), modelo.resultado()) == []

"""The literal model reproduces every example of the specification."""

import json
from decimal import Decimal
from pathlib import Path

import pytest

from tests.referencia.comparacao import comparar, rotular_grupos
from tests.referencia.modelo import ModeloLiteral

ARQUIVOS = sorted((Path(__file__).parents[1] / "conformidade").glob("*.json"))


def test_there_are_examples() -> None:
    assert ARQUIVOS


@pytest.mark.parametrize("arquivo", ARQUIVOS, ids=lambda arquivo: arquivo.stem)
def test_the_model_reproduces_the_example(arquivo: Path) -> None:
    caso = json.loads(arquivo.read_text(encoding="utf-8"), parse_float=Decimal)
    modelo = ModeloLiteral(caso["parametros"])
    for evento in caso["eventos"]:
        modelo.aplicar(evento)
    obtido = modelo.resultado()
    assert comparar(obtido, caso["esperado"]) == []
    assert comparar(rotular_grupos(obtido), caso["esperado"]) == []

"""The specification's examples: events in, tables and publications out, however the log is cut into batches (D2)."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.apoio.banco import Banco, rodar
from tests.apoio.memoria import ColoniaEmMemoria
from tests.modelos.motor import ModelosDuckDB
from tests.referencia.comparacao import comparar

CASOS = sorted((Path(__file__).parents[1] / "conformidade").glob("*.json"))


@pytest.mark.parametrize("lote", [1, 7, 5_000])
@pytest.mark.parametrize("arquivo", CASOS, ids=lambda arquivo: arquivo.stem)
def test_tables_and_publications_are_as_specified(banco: Banco, arquivo: Path, lote: int) -> None:
    caso: dict[str, Any] = json.loads(arquivo.read_text(encoding="utf-8"))
    obtido = rodar(banco, caso["parametros"], caso["eventos"], lote)
    assert comparar(obtido, caso["esperado"]) == []


@pytest.mark.parametrize("lote", [1, 7, 5_000])
@pytest.mark.parametrize("arquivo", CASOS, ids=lambda arquivo: arquivo.stem)
def test_pure_fold_and_models_need_no_server(duckdb_modelos: ModelosDuckDB, arquivo: Path, lote: int) -> None:
    caso: dict[str, Any] = json.loads(arquivo.read_text(encoding="utf-8"))
    colonia = ColoniaEmMemoria(caso["parametros"], duckdb_modelos)
    for inicio in range(0, len(caso["eventos"]), lote):
        colonia.processar(caso["eventos"][inicio : inicio + lote])
    assert comparar(colonia.resultado(), caso["esperado"]) == []

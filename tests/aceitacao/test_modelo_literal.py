"""Random logs: the engine ends where the literal model of the specification ends, however the log is cut (D2)."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from d5_pipeline.processamento import antecipacao
from tests.apoio.banco import Banco, rodar
from tests.apoio.memoria import ColoniaEmMemoria
from tests.modelos.motor import ModelosDuckDB
from tests.referencia.comparacao import comparar
from tests.referencia.logs import log_aleatorio, logs
from tests.referencia.modelo import ModeloLiteral

Log = tuple[dict[str, Any], list[dict[str, Any]]]


def _esperado(log: Log) -> dict[str, Any]:
    modelo = ModeloLiteral(log[0])
    for evento in log[1]:
        modelo.aplicar(evento)
    return modelo.resultado()


@pytest.mark.parametrize("lote", [1, 7, 5_000])
@pytest.mark.parametrize("semente", range(12))
def test_engine_and_literal_model_agree(banco: Banco, semente: int, lote: int) -> None:
    parametros, eventos = log_aleatorio(semente, 25 if lote == 1 else 150)
    assert comparar(rodar(banco, parametros, eventos, lote), _esperado((parametros, eventos))) == []


@pytest.mark.parametrize("semente", range(4))
def test_the_same_where_every_batch_is_read_ahead(banco: Banco, semente: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(antecipacao, "MENOR_LOTE", 1)
    log = log_aleatorio(semente, 300)
    assert comparar(rodar(banco, *log, 20), _esperado(log)) == []


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(logs(), st.integers(1, 50))
def test_pure_fold_and_models_agree_with_the_literal_model(arquivo_duckdb: Path, log: Log, lote: int) -> None:
    parametros, eventos = log
    modelos = ModelosDuckDB(arquivo_duckdb)
    colonia = ColoniaEmMemoria(parametros, modelos)
    for inicio in range(0, len(eventos), lote):
        colonia.processar(eventos[inicio : inicio + lote])
    modelos.fechar()
    assert comparar(colonia.resultado(), _esperado(log)) == []


TABELAS_INTEIRAS = (
    "table d5.backlog_scores",
    "table d5.backlog_items",
    "table d5.coordenadas_demanda",
    "table d5.demandas_agregadas",
    "table d5.situacao_demandas",
    "table d5.anuncios_por_uc",
    "table d5.unidades_civicas",
    "select demanda_id, sequence_number, de, para, ocorreu_em from d5.transicoes_status",
)


@pytest.mark.parametrize("semente", range(4))
def test_every_column_of_every_table_is_independent_of_the_batch_size(dois_bancos: list[Banco], semente: int) -> None:
    """Also the columns that no other colony sees: a replay in other batches must find them equal (D2, D14)."""
    parametros, eventos = log_aleatorio(semente, 150)
    inteiras = []
    for banco, lote in zip(dois_bancos, (3, 5_000), strict=True):
        rodar(banco, parametros, eventos, lote)
        inteiras.append([sorted(map(repr, banco.consultar(tabela))) for tabela in TABELAS_INTEIRAS])
    assert inteiras[0] == inteiras[1]

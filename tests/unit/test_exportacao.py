"""Open formats: what RFC 4180 and RFC 7946 ask for, read back by other readers than the code's own."""

import csv
import io
import json
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import polars as pl
import pytest

from d5_pipeline.dominio.exportacao import COLUNAS, em_csv, em_geojson
from d5_pipeline.dominio.portugues import lista, momento, numero, ordinal, quantas

A, UC = "d0000001-0000-4000-8000-000000000001", "f0000001-0000-4000-8000-000000000001"
QUANDO = datetime(2026, 3, 1, 9, 30, 5, 120_000, tzinfo=timezone(timedelta(hours=-3)))


def linha(**outros: Any) -> tuple[Any, ...]:
    """A row of the public agenda."""
    valores: dict[str, Any] = {
        "unidade_civica_id": UC,
        "posicao": 1,
        "demanda_id": A,
        "score": Decimal("1980.00"),
        "nivel_precedencia": 4,
        "categoria_id": "4.4",
        "status": "disponivel",
        "entrou_em": QUANDO,
        "atualizado_em": QUANDO,
        "lat": -23.535357,
        "lng": -46.638453,
        "membros_agregados": 2,
    }
    assert outros.keys() <= set(COLUNAS)
    return tuple((valores | outros).get(coluna) for coluna in COLUNAS)


def test_csv_is_rfc_4180() -> None:
    """A header, CRLF after every record, fields with commas, quotes or line breaks quoted, quotes doubled."""
    estranha = 'a "b", c\r\nd'
    documento = b"".join(em_csv([linha(), linha(status=estranha)]))
    assert documento.startswith(",".join(COLUNAS).encode() + b"\r\n")
    assert documento.endswith(b"\r\n")
    assert b'"a ""b"", c\r\nd"' in documento
    _, primeira, segunda = csv.reader(io.StringIO(documento.decode(), newline=""), strict=True)
    assert dict(zip(COLUNAS, primeira, strict=True)) == {
        "unidade_civica_id": UC,
        "posicao": "1",
        "demanda_id": A,
        "score": "1980.00",
        "nivel_precedencia": "4",
        "categoria_id": "4.4",
        "status": "disponivel",
        "grupo_id": "",
        "entrou_em": "2026-03-01T12:30:05.120000Z",
        "atualizado_em": "2026-03-01T12:30:05.120000Z",
        "data_conclusao": "",
        "dias_ate_conclusao": "",
        "lat": "-23.535357",
        "lng": "-46.638453",
        "membros_agregados": "2",
    }
    assert segunda[COLUNAS.index("status")] == estranha


def test_csv_is_read_by_a_data_frame() -> None:
    quadro = pl.read_csv(b"".join(em_csv([linha(), linha(lat=None, lng=None)])), try_parse_dates=True)
    assert quadro.columns == list(COLUNAS)
    assert quadro["lat"].to_list() == [-23.535357, None]
    assert quadro["entrou_em"][0] == QUANDO.astimezone(UTC)


def test_geojson_is_rfc_7946() -> None:
    """Longitude first; no coordinates, a null geometry; numbers stay numbers, to the last digit."""
    texto = b"".join(em_geojson([linha(), linha(lat=None, lng=None)])).decode()
    colecao = json.loads(texto, parse_float=Decimal)
    assert colecao.keys() == {"type", "features"}
    assert colecao["type"] == "FeatureCollection"
    localizada, sem_lugar = colecao["features"]
    assert localizada["type"] == "Feature"
    assert localizada["id"] == A
    assert localizada["geometry"] == {"type": "Point", "coordinates": [Decimal("-46.638453"), Decimal("-23.535357")]}
    assert localizada["properties"].keys() == set(COLUNAS) - {"lat", "lng"}
    assert str(localizada["properties"]["score"]) == "1980.00"
    assert localizada["properties"]["entrou_em"] == "2026-03-01T12:30:05.120000Z"
    assert sem_lugar["geometry"] is None


@pytest.mark.parametrize("linhas", [0, 1, 3])
def test_documents_of_any_length_are_whole(linhas: int) -> None:
    muitas = [linha()] * linhas
    assert len(json.loads(b"".join(em_geojson(muitas)))["features"]) == linhas
    assert len(b"".join(em_csv(muitas)).splitlines()) == linhas + 1


def test_rows_are_written_as_they_come() -> None:
    """Nothing waits for the last row."""
    for escrever in (em_csv, em_geojson):
        lidas = iter([linha()] * 3)
        pedacos = escrever(lidas)
        next(pedacos)
        next(pedacos)
        assert len(list(lidas)) >= 1


def test_prose_follows_portuguese() -> None:
    assert [numero(Decimal("1234567.80")), numero(1000), numero(Decimal("0.00"))] == ["1.234.567,80", "1.000", "0,00"]
    assert [quantas(n, "vaga", "vagas") for n in (0, 1, 2)] == ["0 vagas", "1 vaga", "2 vagas"]
    assert ordinal(1000) == "1.000ª"
    assert momento(QUANDO) == "01/03/2026 12:30:05 UTC"
    assert [lista(["a"]), lista(["a", "b"]), lista(["a", "b", "c"])] == ["a", "a e b", "a, b e c"]

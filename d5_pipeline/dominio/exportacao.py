"""The public agenda in open formats, row by row: CSV (RFC 4180) and GeoJSON (RFC 7946)."""

import csv
import io
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

COLUNAS: Final = (
    "unidade_civica_id",
    "posicao",
    "demanda_id",
    "score",
    "nivel_precedencia",
    "categoria_id",
    "status",
    "grupo_id",
    "entrou_em",
    "atualizado_em",
    "data_conclusao",
    "dias_ate_conclusao",
    "lat",
    "lng",
    "membros_agregados",
)
"""Columns of the public agenda (view agenda_publica), in the order of its rows."""

Linha = tuple[Any, ...]

_json = msgspec.json.Encoder(decimal_format="number")


def em_csv(linhas: Iterable[Linha]) -> Iterator[bytes]:
    """A header, then a record per row: CRLF, quotes only where needed, nulls empty, times in UTC, UTF-8."""
    folha = io.StringIO()
    escritor = csv.writer(folha)
    escritor.writerow(COLUNAS)
    for linha in linhas:
        escritor.writerow([_instante(valor) for valor in linha])
        yield _esvaziar(folha)
    yield _esvaziar(folha)


def _esvaziar(folha: io.StringIO) -> bytes:
    escrito = folha.getvalue().encode()
    folha.seek(0)
    folha.truncate()
    return escrito


def em_geojson(linhas: Iterable[Linha]) -> Iterator[bytes]:
    """A FeatureCollection of points, longitude first; a demand without coordinates has a null geometry."""
    yield b'{"type":"FeatureCollection","features":['
    separador = b"\n"
    for linha in linhas:
        yield separador + _json.encode(_feicao(dict(zip(COLUNAS, map(_instante, linha), strict=True))))
        separador = b",\n"
    yield b"\n]}\n"


def _feicao(propriedades: dict[str, Any]) -> dict[str, Any]:
    lat, lng = propriedades.pop("lat"), propriedades.pop("lng")
    ponto = None if lat is None else {"type": "Point", "coordinates": [lng, lat]}
    return {"type": "Feature", "id": propriedades["demanda_id"], "geometry": ponto, "properties": propriedades}


def _instante(valor: Any) -> Any:
    """Times as RFC 3339 in UTC; anything else as it is."""
    return valor.astimezone(UTC).isoformat().replace("+00:00", "Z") if isinstance(valor, datetime) else valor

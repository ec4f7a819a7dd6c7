"""What is written about tables, models and events, once: in dbt's YAML and in the contracts.

Belongs here: reading it for the UI. Does not: saying it again.
"""

from pathlib import Path
from typing import Any, Final

import msgspec
from dagster import TableColumn, TableSchema

from d5_pipeline.dominio import contratos
from d5_pipeline.recursos import PASTA_DBT

_MODELOS: Final = PASTA_DBT / "models"


class Coluna(msgspec.Struct):
    """A documented column."""

    name: str
    description: str = ""
    data_type: str = "string"


class Tabela(msgspec.Struct):
    """A documented table or model; its grain is in the description."""

    name: str
    description: str
    columns: list[Coluna] = []

    @property
    def esquema(self) -> TableSchema:
        """Its columns, as the UI shows them."""
        return TableSchema([TableColumn(c.name, c.data_type, c.description) for c in self.columns])


class _Fonte(msgspec.Struct):
    name: str
    tables: list[Tabela]


class _Documento(msgspec.Struct):
    sources: list[_Fonte] = []
    models: list[Tabela] = []


def fontes() -> dict[tuple[str, str], Tabela]:
    """(source, table) → what dbt's sources say of it."""
    documento = _ler(_MODELOS / "fontes.yml")
    return {(fonte.name, tabela.name): tabela for fonte in documento.sources for tabela in fonte.tables}


def modelo(arquivo: Path) -> Tabela:
    """What the YAML beside a model's SQL says of it."""
    (documentado,) = _ler(arquivo.with_suffix(".yml")).models
    return documentado


def evento(tipo: str) -> TableSchema:
    """The fields of a published event's payload, from its contract."""
    contrato = contratos.esquema(tipo)
    return TableSchema(
        [
            TableColumn(nome, _tipo(campo, contrato), campo.get("description", ""))
            for nome, campo in contrato["properties"].items()
        ]
    )


def _tipo(campo: dict[str, Any], contrato: dict[str, Any]) -> str:
    if "anyOf" in campo:
        return " | ".join(_tipo(opcao, contrato) for opcao in campo["anyOf"])
    if "$ref" in campo:
        return str(campo["$ref"].rsplit("/", 1)[-1])
    tipos = campo["type"] if isinstance(campo["type"], list) else [campo["type"]]
    return " | ".join(str(campo.get("format", tipo)) for tipo in tipos)


def _ler(arquivo: Path) -> _Documento:
    return msgspec.yaml.decode(arquivo.read_bytes(), type=_Documento)

"""dbt's data tests as asset checks: which asset each one is about, and what it says of it.

Belongs here: reading the manifest. Does not: running the tests (modelos_dbt.py).
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from dagster import AssetCheckSpec, AssetKey

Manifesto = dict[str, Any]
Recurso = Mapping[str, Any]

_GENERICOS: Final = {
    "unique": "Nenhum valor de {coluna} se repete.",
    "not_null": "{coluna} nunca é nula.",
    "accepted_values": "{coluna} só tem os valores previstos.",
    "relationships": "Todo valor de {coluna} existe na tabela a que se refere.",
}

_FONTE: Final = re.compile(r"""source\(['"](\w+)['"], ['"](\w+)['"]\)""")


def ler(arquivo: Path) -> Manifesto:
    """dbt's manifest, with every test attached to what it is about; dbt itself does that for those of models alone."""
    manifesto: Manifesto = json.loads(arquivo.read_text(encoding="utf-8"))
    for teste in _testes(manifesto):
        teste["attached_node"] = teste.get("attached_node") or _assunto(teste)
    return manifesto


def _assunto(teste: Recurso) -> str:
    """A test of a column names its table; an invariant's YAML names the table or model that it is shown under."""
    pacote, meta = teste["package_name"], teste["config"].get("meta", {})
    if "modelo" in meta:
        return f"model.{pacote}.{meta['modelo']}"
    if "tabela" in meta:
        return f"source.{pacote}.d5.{meta['tabela']}"
    (fonte,) = _FONTE.findall(teste["test_metadata"]["kwargs"]["model"])
    return f"source.{pacote}.{'.'.join(fonte)}"


def descricao(teste: Recurso) -> str:
    """What the test claims: its YAML's words, else those of its kind."""
    if teste.get("description"):
        return str(teste["description"])
    generico = teste["test_metadata"]
    return _GENERICOS[generico["name"]].format(coluna=generico["kwargs"]["column_name"])


def verificacoes_das_fontes(manifesto: Manifesto) -> Iterator[AssetCheckSpec]:
    """The tests of tables, as checks; those of models belong to the models' own definition."""
    for teste in _testes(manifesto):
        fonte = manifesto["sources"].get(teste["attached_node"])
        if fonte is not None:
            chave = AssetKey([fonte["source_name"], fonte["name"]])
            yield AssetCheckSpec(teste["name"], asset=chave, description=descricao(teste))


def _testes(manifesto: Manifesto) -> Iterator[dict[str, Any]]:
    return (recurso for recurso in manifesto["nodes"].values() if recurso["resource_type"] == "test")

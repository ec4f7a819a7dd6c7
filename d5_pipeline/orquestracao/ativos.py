"""Assets: the log, the tables, the models and what is published, so that the lineage from end to end can be read.

Belongs here: what exists and what it is made from. Does not: how it is made; the jobs report when it was.
Descriptions of tables and models, and the models' inputs, are dbt's: they are read from its files.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from dagster import AssetKey, AssetSpec
from dagster_shared.yaml_utils import load_yaml_from_path

from d5_pipeline.recursos import PASTA_DBT

LOG: Final = AssetKey(["core", "event_log"])
BACKLOG: Final = AssetKey(["d5", "backlog_items"])
AGENDA_GERADA: Final = AssetKey(["core", "agenda_gerada"])
ITEM_DISPONIVEL: Final = AssetKey(["core", "agenda_item_disponivel"])

_ORIGENS: Final[dict[str, tuple[AssetKey, ...]]] = {
    "param_versions": (),
    "param_capacidade_por_uc": (),
    "param_pesos_situacionais": (),
    "intervencoes": (),
    "unidades_civicas": (LOG,),
    "backlog_scores": (LOG,),
    "demandas_agregadas": (LOG,),
    "situacao_demandas": (LOG,),
    "coordenadas_demanda": (LOG,),
    "transicoes_status": (LOG,),
    "consumer_offset": (LOG,),
    "eventos_descartados": (LOG,),
    "dlq": (LOG,),
    "backlog_items": (LOG, AssetKey(["d5_modelos", "backlog_ordenado"]), AssetKey(["d5", "situacao_demandas"])),
    "anuncios_por_uc": (BACKLOG,),
    "publicacoes_pendentes": (BACKLOG, AssetKey(["d5", "anuncios_por_uc"])),
}
"""What each table of schema d5 is written from."""

_ESQUEMAS: Final = {"agenda": "d5_modelos", "leitura": "d5_leitura"}
"""Folder of a model → the schema it is deployed to."""

_ENTRADA: Final = re.compile(r"""(?:ref\('(?P<modelo>\w+)'\)|source\('(?P<fonte>\w+)', '(?P<tabela>\w+)'\))""")


def ativos() -> list[AssetSpec]:
    """Everything from the log to the published events."""
    return [*_fontes(), *modelos(), *_publicados()]


def modelos() -> Iterator[AssetSpec]:
    """The dbt models, with the inputs that their SQL names."""
    arquivos = sorted((PASTA_DBT / "models").rglob("*.sql"))
    chaves = {arquivo.stem: AssetKey([_ESQUEMAS[arquivo.parent.name], arquivo.stem]) for arquivo in arquivos}
    for arquivo in arquivos:
        (documento,) = _ler(arquivo.with_suffix(".yml"), "models")
        entradas = (
            chaves[e["modelo"]] if e["modelo"] else AssetKey([e["fonte"], e["tabela"]])
            for e in _ENTRADA.finditer(arquivo.read_text(encoding="utf-8"))
        )
        yield AssetSpec(
            chaves[arquivo.stem],
            deps=sorted(set(entradas)),
            description=documento["description"],
            group_name="modelos",
            kinds={"dbt", "view"},
        )


def _fontes() -> Iterator[AssetSpec]:
    documentadas = {
        (fonte["name"], tabela["name"]): str(tabela["description"])
        for fonte in _ler(PASTA_DBT / "models" / "fontes.yml", "sources")
        for tabela in fonte["tables"]
    }
    yield AssetSpec(
        LOG,
        description=documentadas["core", "event_log"],
        group_name="log",
        kinds={"postgres", "table"},
        owners=["team:N-0a"],
    )
    for tabela, origens in _ORIGENS.items():
        yield AssetSpec(
            ["d5", tabela],
            deps=origens,
            description=documentadas.get(("d5", tabela), "Eventos à espera de publicação, em ordem (D7)."),
            group_name="tabelas",
            kinds={"postgres", "table"},
            owners=["team:D-5"],
        )


def _publicados() -> Iterator[AssetSpec]:
    for chave, descricao in (
        (AGENDA_GERADA, "Evento agenda.gerada: a agenda reconstruída de uma unidade cívica (3.8). Segue para o log."),
        (ITEM_DISPONIVEL, "Evento agenda.item_disponível: a próxima demanda de uma unidade (3.9). Segue para o log."),
    ):
        yield AssetSpec(
            chave,
            deps=[AssetKey(["d5", "publicacoes_pendentes"])],
            description=descricao,
            group_name="publicados",
            kinds={"postgres"},
            owners=["team:D-5"],
        )


def _ler(arquivo: Path, secao: str) -> list[dict[str, Any]]:
    documento: Any = load_yaml_from_path(str(arquivo))
    conteudo: list[dict[str, Any]] = documento[secao]
    return conteudo

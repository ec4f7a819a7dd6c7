"""Assets: the log, the tables, the models and what is published, so that the lineage from end to end can be read.

Belongs here: what exists and what it is made from. Does not: how it is made; the jobs report when it was.
Descriptions, columns and the models' inputs are dbt's: they are read from its files (documentos.py).
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from dagster import AssetKey, AssetSpec, DynamicPartitionsDefinition, TableSchema

from d5_pipeline.dominio import eventos
from d5_pipeline.orquestracao import documentos
from d5_pipeline.recursos import PASTA_DBT

LOG: Final = AssetKey(["core", "event_log"])
BACKLOG: Final = AssetKey(["d5", "backlog_items"])
AGENDA: Final = AssetKey(["d5", "agenda"])
AGENDA_GERADA: Final = AssetKey(["core", "agenda_gerada"])
ITEM_DISPONIVEL: Final = AssetKey(["core", "agenda_item_disponivel"])

UNIDADES: Final = DynamicPartitionsDefinition(name="unidade_civica")
"""The units whose agenda a run has reported; retencao.py removes those that are no more."""

DONA: Final = "team:D-5"

_ESQUEMAS: Final = {"agenda": "d5_modelos", "leitura": "d5_leitura"}
"""Folder of a model → the schema it is deployed to."""


def _d5(*tabelas: str) -> tuple[AssetKey, ...]:
    return tuple(AssetKey(["d5", tabela]) for tabela in tabelas)


def _modelos(*nomes: str) -> tuple[AssetKey, ...]:
    return tuple(AssetKey([_ESQUEMAS["agenda"], nome]) for nome in nomes)


_TABELAS: Final[dict[str, dict[str, tuple[AssetKey, ...]]]] = {
    "parametros": {
        "param_versions": (),
        "param_capacidade_por_uc": (),
        "param_pesos_situacionais": (),
    },
    "projecao": {
        "unidades_civicas": (LOG,),
        "backlog_scores": (LOG,),
        "demandas_agregadas": (LOG,),
        "situacao_demandas": (LOG,),
        "coordenadas_demanda": (LOG,),
    },
    "agenda": {
        "backlog_items": (LOG, *_modelos("backlog_ordenado"), *_d5("situacao_demandas")),
        "anuncios_por_uc": (AGENDA,),
        "publicacoes_pendentes": (AGENDA, *_d5("anuncios_por_uc")),
    },
    "controle": {
        "consumer_offset": (LOG,),
        "lacunas": (LOG,),
        "transicoes_status": (LOG,),
        "eventos_descartados": (LOG,),
        "dlq": (LOG,),
        "intervencoes": (),
    },
}
"""Group → table of schema d5 → what it is written from."""

_ENTRADA: Final = re.compile(r"""(?:ref\('(?P<modelo>\w+)'\)|source\('(?P<fonte>\w+)', '(?P<tabela>\w+)'\))""")


def ativos() -> list[AssetSpec]:
    """Everything from the log to the published events."""
    return [*_fontes(), *modelos(), *_publicados()]


def modelos() -> Iterator[AssetSpec]:
    """The dbt models, with the inputs that their SQL names."""
    arquivos = sorted((PASTA_DBT / "models").rglob("*.sql"))
    chaves = {arquivo.stem: AssetKey([_ESQUEMAS[arquivo.parent.name], arquivo.stem]) for arquivo in arquivos}
    for arquivo in arquivos:
        documento = documentos.modelo(arquivo)
        entradas = {
            chaves[e["modelo"]] if e["modelo"] else AssetKey([e["fonte"], e["tabela"]])
            for e in _ENTRADA.finditer(arquivo.read_text(encoding="utf-8"))
        }
        texto, colunas = documento.description, documento.esquema
        yield _ativo(chaves[arquivo.stem], sorted(entradas), texto, colunas, "modelos", kinds={"dbt", "view"})


def _fontes() -> Iterator[AssetSpec]:
    documentadas = documentos.fontes()
    log = documentadas["core", "event_log"]
    tabela = {"postgres", "table"}
    yield _ativo(LOG, (), log.description, log.esquema, "log", owners=["team:N-0a"], kinds=tabela)
    for grupo, tabelas in _TABELAS.items():
        for nome, origens in tabelas.items():
            documento = documentadas["d5", nome]
            (chave,) = _d5(nome)
            yield _ativo(chave, origens, documento.description, documento.esquema, grupo, kinds=tabela)
    yield _ativo(
        AGENDA,
        (BACKLOG, *_modelos("vagas_por_nivel"), *_d5("coordenadas_demanda")),
        "A agenda de cada unidade cívica, como a deixou a última execução que a tocou: total, distribuição, grupos, "
        "tabela e mapa. Grão: uma partição por unidade cívica; suas linhas são as de d5.backlog_items.",
        documentadas["d5", "backlog_items"].esquema,
        "agenda",
        kinds={"postgres"},
        partitions_def=UNIDADES,
    )


def _publicados() -> Iterator[AssetSpec]:
    for chave, tipo, descricao in (
        (AGENDA_GERADA, eventos.AGENDA_GERADA, "a agenda reconstruída de uma unidade cívica (3.8); consome-o a D-7"),
        (ITEM_DISPONIVEL, eventos.ITEM_DISPONIVEL, "a próxima demanda de uma unidade (3.9); consome-o a D-6a"),
    ):
        yield _ativo(
            chave,
            _d5("publicacoes_pendentes"),
            f"Evento {tipo}: {descricao}. Grão: evento; segue para o log.",
            documentos.evento(tipo),
            "publicados",
            kinds={"postgres"},
        )


def _ativo(
    chave: AssetKey, origens: Iterable[AssetKey], descricao: str, colunas: TableSchema, grupo: str, **outros: Any
) -> AssetSpec:
    return AssetSpec(
        chave,
        deps=list(origens),
        description=descricao,
        metadata={"dagster/column_schema": colunas},
        group_name=grupo,
        **{"owners": [DONA], **outros},
    )

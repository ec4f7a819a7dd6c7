"""Where Dagster keeps its own records: the schema `dagster` of the configured database, apart from core and d5.

Belongs here: what dagster.yaml names. Does not: anything of the agenda.
"""

from typing import Any

import psycopg
from dagster._serdes import ConfigurableClassData
from dagster_postgres import DagsterPostgresStorage
from psycopg.conninfo import conninfo_to_dict
from pydantic import Field
from sqlalchemy import URL

from d5_pipeline.conexao import conectar
from d5_pipeline.config import Configuracao
from d5_pipeline.consultas import consultas
from d5_pipeline.repositorio.banco_embutido import url_embutida

ESQUEMA = "dagster"


class ConfiguracaoDoDagster(Configuracao):
    """The same settings, and Dagster's own."""

    dagster_url: str | None = Field(None, description="PostgreSQL do Dagster; sem ela, o mesmo banco do D-5")


class ArmazenamentoD5(DagsterPostgresStorage):
    """dagster-postgres on the database that the environment names, with its tables in a schema of their own."""

    @classmethod
    def config_type(cls) -> dict[str, Any]:
        """dagster.yaml configures nothing: the environment does."""
        return {}

    @classmethod
    def from_config_value(cls, inst_data: ConfigurableClassData | None, config_value: Any) -> "ArmazenamentoD5":
        """Creates the schema where it is missing, then opens the storage."""
        definicoes = ConfiguracaoDoDagster(**config_value)
        url = definicoes.dagster_url or definicoes.database_url or url_embutida(definicoes.pasta)
        criar_esquema(url)
        return cls(url_no_esquema(url), inst_data=inst_data)


def criar_esquema(url: str) -> None:
    """Creates the schema unless it exists; several processes may start at once."""
    with conectar(url, "d5-dagster-armazenamento") as conexao:
        if not consultas("orquestracao").existe_esquema(conexao, esquema=ESQUEMA):
            try:
                consultas("orquestracao").criar_esquema_dagster(conexao)
            except psycopg.errors.UniqueViolation:
                return  # another process created it at the same moment


def url_no_esquema(url: str) -> str:
    """`url` (or any libpq connection string) for SQLAlchemy over psycopg2, with the schema as search path."""
    parametros = {nome: str(valor) for nome, valor in conninfo_to_dict(url).items()}
    opcoes = f"{parametros.pop('options', '')} -csearch_path={ESQUEMA}".strip()
    return URL.create("postgresql+psycopg2", query={**parametros, "options": opcoes}).render_as_string(
        hide_password=False
    )

"""The dbt models as assets that can be built, and their tests as checks: a code location of its own.

Belongs here: what needs dagster_dbt, whose import costs two seconds that no run of the agenda should wait for.
Does not: the agenda itself, which reads the deployed views and never starts dbt.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from dagster import (
    AssetExecutionContext,
    AssetKey,
    Definitions,
    Nothing,
    OpExecutionContext,
    Out,
    in_process_executor,
    job,
    op,
)
from dagster_dbt import DagsterDbtTranslator, DagsterDbtTranslatorSettings, DbtCliResource, dbt_assets

from d5_pipeline.config import configuracao
from d5_pipeline.orquestracao.recursos import BancoD5
from d5_pipeline.recursos import PASTA_DBT
from d5_pipeline.repositorio import modelos as projeto


class Tradutor(DagsterDbtTranslator):
    """Models and sources under the names that they have in the database."""

    def get_asset_key(self, dbt_resource_props: Mapping[str, Any]) -> AssetKey:
        """schema/name, as in orquestracao/ativos.py."""
        return AssetKey([dbt_resource_props["schema"], dbt_resource_props["name"]])

    def get_group_name(self, dbt_resource_props: Mapping[str, Any]) -> str:
        """The same group as in the other code location."""
        return "tabelas" if dbt_resource_props["resource_type"] == "source" else "modelos"


def definicoes(pasta: Path) -> Definitions:
    """Assets with their checks, and the job that runs every test; dbt writes below `pasta`. Raises ErroDeModelos."""
    manifesto = projeto.manifesto(pasta / projeto.impressao_digital()[:16])
    tradutor = Tradutor(DagsterDbtTranslatorSettings(enable_source_tests_as_checks=True))

    @dbt_assets(manifest=manifesto, dagster_dbt_translator=tradutor, name="modelos")
    def modelos(context: AssetExecutionContext, banco: BancoD5, dbt: DbtCliResource) -> Iterator[Any]:
        """Deploys the selected views and runs the selected tests."""
        apontar_dbt(banco)
        yield from dbt.cli(["build"], context=context, target_path=pasta / context.run_id).stream()

    @op(out=Out(Nothing), description="dbt test: cada linha que viola um teste o reprova.")
    def testar(context: OpExecutionContext, banco: BancoD5, dbt: DbtCliResource) -> Iterator[Any]:
        """Every data test and unit test, also those that belong to no single model."""
        apontar_dbt(banco)
        comando = dbt.cli(
            ["test"], manifest=manifesto, dagster_dbt_translator=tradutor, target_path=pasta / context.run_id
        )
        yield from comando.stream()

    @job(description="Roda todos os testes dos modelos e das tabelas.", executor_def=in_process_executor)
    def testar_modelos() -> None:
        """The tests alone; nothing is deployed."""
        testar()

    return Definitions(
        assets=[modelos],
        jobs=[testar_modelos],
        resources={
            "banco": BancoD5(),
            "dbt": DbtCliResource(
                project_dir=os.fspath(PASTA_DBT),
                profiles_dir=os.fspath(PASTA_DBT),
                target="postgres",
                dbt_executable=os.fspath(Path(sys.executable).parent / "dbt"),
            ),
        },
    )


def apontar_dbt(banco: BancoD5) -> None:
    """Tells the profile where the database is: dbt is a child of this process and inherits its environment."""
    os.environ.update(projeto.ambiente_postgres(banco.url_efetiva))


defs = definicoes(configuracao().pasta.resolve() / "dbt")

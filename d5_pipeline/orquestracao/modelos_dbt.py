"""The dbt models as assets that can be built, and their tests as checks: a code location of its own.

Belongs here: what needs dagster_dbt, whose import costs two seconds that no run of the agenda should wait for.
Does not: the agenda itself, which reads the deployed views and never starts dbt.
"""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from dagster import (
    AssetCheckEvaluation,
    AssetCheckExecutionContext,
    AssetCheckResult,
    AssetCheckSpec,
    AssetExecutionContext,
    AssetKey,
    AssetSpec,
    DefaultScheduleStatus,
    Definitions,
    Failure,
    Nothing,
    Out,
    ScheduleDefinition,
    in_process_executor,
    job,
    multi_asset_check,
    op,
)
from dagster_dbt import (
    DagsterDbtTranslator,
    DbtCliResource,
    DbtProject,
    dbt_assets,
)

from d5_pipeline.config import configuracao
from d5_pipeline.orquestracao import testes_dbt
from d5_pipeline.orquestracao.ativos import DONA
from d5_pipeline.orquestracao.recursos import BancoD5
from d5_pipeline.recursos import PASTA_DBT
from d5_pipeline.repositorio import modelos as projeto


class Tradutor(DagsterDbtTranslator):
    """Models and sources under the names that they have in the database."""

    def get_asset_key(self, dbt_resource_props: Mapping[str, Any]) -> AssetKey:
        """schema/name, as in orquestracao/ativos.py."""
        return AssetKey([dbt_resource_props["schema"], dbt_resource_props["name"]])

    def get_group_name(self, _dbt_resource_props: Mapping[str, Any]) -> str:
        """The same group as in the other code location."""
        return "modelos"

    def get_asset_check_spec(
        self, asset_spec: AssetSpec, manifest: Mapping[str, Any], unique_id: str, project: DbtProject | None
    ) -> AssetCheckSpec | None:
        """A test as a check that says what it claims and blocks nothing."""
        padrao = super().get_asset_check_spec(asset_spec, manifest, unique_id, project)
        if padrao is None:
            return None
        return AssetCheckSpec(
            padrao.name,
            asset=padrao.asset_key,
            description=testes_dbt.descricao(manifest["nodes"][unique_id]),
            metadata=padrao.metadata,
        )

    def get_owners(self, _dbt_resource_props: Mapping[str, Any]) -> Sequence[str]:
        """The same owner as in the other code location."""
        return [DONA]


def definicoes(pasta: Path) -> Definitions:
    """Assets with their checks, and the job that runs every test; dbt writes below `pasta`. Raises ErroDeModelos."""
    manifesto = testes_dbt.ler(projeto.manifesto(pasta / projeto.impressao_digital()[:16]))
    tradutor = Tradutor()

    @dbt_assets(manifest=manifesto, dagster_dbt_translator=tradutor, name="modelos")
    def modelos(context: AssetExecutionContext, banco: BancoD5, dbt: DbtCliResource) -> Iterator[Any]:
        """Deploys the selected views and runs the selected tests."""
        apontar_dbt(banco)
        with TemporaryDirectory(dir=pasta) as alvo:
            yield from dbt.cli(["build"], context=context, target_path=Path(alvo)).stream()

    @multi_asset_check(
        specs=list(testes_dbt.verificacoes_das_fontes(manifesto)), name="testes_das_tabelas", can_subset=True
    )
    def testes_das_tabelas(
        context: AssetCheckExecutionContext, banco: BancoD5, dbt: DbtCliResource
    ) -> Iterator[AssetCheckResult]:
        """Runs the selected tests of tables and yields their results."""
        apontar_dbt(banco)
        faltam = set(context.selected_asset_check_keys)
        nomes = " ".join(sorted(chave.name for chave in faltam))
        with TemporaryDirectory(dir=pasta) as alvo:
            comando = dbt.cli(
                ["test", "--select", nomes],
                manifest=manifesto,
                dagster_dbt_translator=tradutor,
                target_path=Path(alvo),
                raise_on_error=False,  # a violated test is a result
            )
            for evento in comando.stream():
                if isinstance(evento, AssetCheckEvaluation):
                    faltam.discard(evento.asset_check_key)
                    yield _resultado(evento)
        if faltam:
            sem_resultado = ", ".join(sorted(chave.name for chave in faltam))
            raise Failure(f"o dbt não avaliou {sem_resultado}; o motivo está acima, no registro da execução")

    @op(out=Out(Nothing), description="dbt test: cada linha que viola um teste o reprova.")
    def testar(banco: BancoD5, dbt: DbtCliResource) -> Iterator[Any]:
        """Every data test and unit test, also those that belong to no single model."""
        apontar_dbt(banco)
        with TemporaryDirectory(dir=pasta) as alvo:
            comando = dbt.cli(["test"], manifest=manifesto, dagster_dbt_translator=tradutor, target_path=Path(alvo))
            yield from comando.stream()

    @job(description="Roda todos os testes dos modelos e das tabelas.", executor_def=in_process_executor)
    def testar_modelos() -> None:
        """The tests alone; nothing is deployed."""
        testar()

    teste_diario = ScheduleDefinition(
        name="teste_diario",
        job=testar_modelos,
        cron_schedule="30 4 * * *",
        execution_timezone="America/Sao_Paulo",
        default_status=DefaultScheduleStatus.RUNNING,
        description="Todos os dias às 4h30: roda os testes dos modelos e das tabelas.",
    )

    return Definitions(
        assets=[modelos],
        asset_checks=[testes_das_tabelas],
        jobs=[testar_modelos],
        schedules=[teste_diario],
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


def _resultado(avaliada: AssetCheckEvaluation) -> AssetCheckResult:
    return AssetCheckResult(
        passed=avaliada.passed,
        asset_key=avaliada.asset_key,
        check_name=avaliada.check_name,
        severity=avaliada.severity,
        metadata=avaliada.metadata,
    )


def apontar_dbt(banco: BancoD5) -> None:
    """Tells the profile where the database is: dbt is a child of this process and inherits its environment."""
    os.environ.update(projeto.ambiente_postgres(banco.url_efetiva))


defs = definicoes(configuracao().pasta.resolve() / "dbt")

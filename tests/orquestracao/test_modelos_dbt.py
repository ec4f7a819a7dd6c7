"""The code location of dbt: the same models as in the lineage, every data test as a check and in one job."""

import os
import subprocess
import sys
from pathlib import Path

import msgspec

from tests.apoio.banco import Banco

RAIZ = Path(__file__).parents[2]
PROGRAMA = """
from dagster import AssetSelection, DagsterInstance, Definitions, define_asset_job
from d5_pipeline.orquestracao import ativos, modelos_dbt

(modelos,) = modelos_dbt.defs.assets
(testes,) = modelos_dbt.defs.asset_checks
assert modelos.keys == {modelo.key for modelo in ativos.modelos()}, modelos.keys
deps = {modelo.key: {dep.asset_key for dep in modelo.deps} for modelo in ativos.modelos()}
assert deps == {spec.key: {dep.asset_key for dep in spec.deps} for spec in modelos.specs}, deps
donas = {tuple(spec.owners) for spec in modelos.specs}
assert donas == {(ativos.DONA,)}, donas

verificacoes = [*modelos.check_specs, *testes.check_specs]
assert all(spec.description and not spec.blocking for spec in verificacoes)
print("VERIFICACOES", len(verificacoes), *{spec.asset_key.path[0] for spec in verificacoes})

a_violada = AssetSelection.checks(*[spec.key for spec in testes.check_specs if "items_status" in spec.name])
so_ela = Definitions(
    asset_checks=[testes], jobs=[define_asset_job("so_ela", a_violada)], resources=modelos_dbt.defs.resources
)
with DagsterInstance.ephemeral() as instancia:
    def rodar(definicoes, trabalho):
        return definicoes.resolve_job_def(trabalho).execute_in_process(instance=instancia, raise_on_error=False)

    todas, uma = rodar(modelos_dbt.defs, "testar_modelos"), rodar(so_ela, "so_ela")

avaliadas = todas.get_asset_check_evaluations()
assert {avaliada.asset_check_key for avaliada in avaliadas} == {spec.key for spec in verificacoes}
reprovados = [teste.check_name for teste in avaliadas if not teste.passed]
print("RESULTADO", todas.success, *reprovados)
print("UMA", uma.success, *[teste.passed for teste in uma.get_asset_check_evaluations()])
"""


def test_models_are_those_of_the_lineage_and_every_data_test_is_a_check(banco: Banco, tmp_path: Path) -> None:
    """A violated test fails the job that runs them all; run as a check, it is a result."""
    banco.executar(
        "insert into d5.backlog_items (demanda_id, unidade_civica_id, posicao, score, status, categoria_id, "
        "nivel_precedencia, event_id, entrou_em, atualizado_em) values (gen_random_uuid(), gen_random_uuid(), 1, 1, "
        "'esquecido', '1.1', 1, gen_random_uuid(), now(), now())"
    )
    ambiente = os.environ | {"D5_DATABASE_URL": banco.url, "D5_PASTA": str(tmp_path)}
    saida = subprocess.run(
        [sys.executable, "-c", PROGRAMA], cwd=RAIZ, env=ambiente, capture_output=True, text=True, check=False
    )
    assert saida.returncode == 0, saida.stderr[-4_000:]
    linhas = {linha.split()[0]: linha.split()[1:] for linha in saida.stdout.splitlines() if linha[:1].isupper()}
    invariantes = len(list((RAIZ / "dbt_project" / "tests").glob("*.sql")))
    assert int(linhas["VERIFICACOES"][0]) == invariantes + declarados()
    assert set(linhas["VERIFICACOES"][1:]) == {"d5", "d5_leitura", "d5_modelos"}
    assert linhas["RESULTADO"][0] == "False"
    assert any("accepted_values_d5_backlog_items_status" in reprovado for reprovado in linhas["RESULTADO"][1:])
    assert linhas["UMA"] == ["True", "False"]


def declarados() -> int:
    """Data tests of columns in the YAML files of sources and models."""
    documentos = [msgspec.yaml.decode(a.read_bytes()) for a in (RAIZ / "dbt_project" / "models").rglob("*.yml")]
    tabelas = [tabela for documento in documentos for tabela in documento.get("models", [])]
    tabelas += [t for documento in documentos for fonte in documento.get("sources", []) for t in fonte["tables"]]
    return sum(len(coluna.get("data_tests", [])) for tabela in tabelas for coluna in tabela.get("columns", []))

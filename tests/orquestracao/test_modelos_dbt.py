"""The code location of dbt: the same models as in the lineage, and every test of theirs as one job."""

import os
import subprocess
import sys
from pathlib import Path

from tests.apoio.banco import Banco

RAIZ = Path(__file__).parents[2]
PROGRAMA = """
from dagster import DagsterInstance
from d5_pipeline.orquestracao import ativos, modelos_dbt

(modelos,) = modelos_dbt.defs.assets
assert modelos.keys == {modelo.key for modelo in ativos.modelos()}, modelos.keys
deps = {modelo.key: {dep.asset_key for dep in modelo.deps} for modelo in ativos.modelos()}
assert deps == {spec.key: {dep.asset_key for dep in spec.deps} for spec in modelos.specs}, deps
assert modelos.check_keys
with DagsterInstance.ephemeral() as instancia:
    resultado = modelos_dbt.defs.resolve_job_def("testar_modelos").execute_in_process(
        instance=instancia, raise_on_error=False
    )
reprovados = [teste.check_name for teste in resultado.get_asset_check_evaluations() if not teste.passed]
print("RESULTADO", resultado.success, *reprovados)
"""


def test_models_are_those_of_the_lineage_and_a_violated_test_fails_the_job(banco: Banco, tmp_path: Path) -> None:
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
    (linha,) = [linha for linha in saida.stdout.splitlines() if linha.startswith("RESULTADO")]
    assert linha.split()[1] == "False"
    assert any("accepted_values_d5_backlog_items_status" in reprovado for reprovado in linha.split()[2:])

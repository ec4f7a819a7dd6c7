"""Where the SQL files and the dbt project are: at the repository's root, or inside an installed package."""

from pathlib import Path

_RAIZ = Path(__file__).resolve().parents[1]
_EMPACOTADOS = Path(__file__).resolve().parent / "recursos"

_BASE = _EMPACOTADOS if _EMPACOTADOS.is_dir() else _RAIZ

PASTA_SQL = _BASE / "sql"
PASTA_DBT = _BASE / "dbt_project"
ARQUIVO_DAGSTER = _BASE / "dagster.yaml"
ARQUIVO_WORKSPACE = _BASE / "workspace.yaml"

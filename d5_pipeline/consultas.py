"""The named SQL statements under sql/consultas, one object per file."""

from functools import cache
from typing import Any

import aiosql

from d5_pipeline.recursos import PASTA_SQL


@cache
def consultas(nome: str) -> Any:
    """The statements of sql/consultas/`nome`.sql, as functions of (connection, **parameters)."""
    return aiosql.from_path(PASTA_SQL / "consultas" / f"{nome}.sql", "psycopg")

"""The named SQL statements under sql/consultas, one object per file."""

from collections.abc import Callable, Generator
from functools import cache
from typing import Any

import aiosql
from aiosql.adapters.pyformat import PyFormatAdapter

from d5_pipeline.recursos import PASTA_SQL


class _LinhasDeUmaVez(PyFormatAdapter):
    """Rows as a list: psycopg makes them together in half the time that it needs for one after the other."""

    def select(
        self,
        conn: Any,
        _query_name: str,
        sql: str,
        parameters: dict[str, Any] | list[Any] | None,
        _record_class: Callable[..., Any] | None = None,
    ) -> Generator[Any, None, None]:
        with conn.cursor() as cursor:
            yield from cursor.execute(sql, parameters).fetchall()


@cache
def consultas(nome: str) -> Any:
    """The statements of sql/consultas/`nome`.sql, as functions of (connection, **parameters)."""
    return aiosql.from_path(PASTA_SQL / "consultas" / f"{nome}.sql", _LinhasDeUmaVez, encoding="utf-8")

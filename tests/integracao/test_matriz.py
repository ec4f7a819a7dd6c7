"""Lists reach PostgreSQL as the arrays they are: every character, every absence, every number."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import psycopg
import pytest
from psycopg import sql

from d5_pipeline.conexao import Conexao

INSTANTE = datetime(2026, 3, 1, 12, 0, 0, 120_000, tzinfo=UTC)


@pytest.mark.parametrize(
    ("tipo", "lista"),
    [
        ("text[]", []),
        ("text[]", ["demanda.concluída", "a,b", "{}", "com espaço", ""]),
        ("text[]", ['aspas "', "barra \\", '\\"', "NULL", "null"]),
        ("text[]", [None, "NULL", None, '"', "\\", ""]),
        ("text[]", ["linha\nnova", "\ttab", "'", "%s", "😀"]),
        ("uuid[]", ["f0000001-0000-4000-8000-000000000001", None]),
        ("bigint[]", [0, -1, 2**63 - 1, None]),
        ("numeric[]", [Decimal("1980.00"), Decimal("1E+3"), Decimal("-0.0001"), 7]),
        ("float8[]", [-23.5, 1e-300, 0.1, None]),
        ("boolean[]", [True, False, None]),
        ("timestamptz[]", [INSTANTE, None]),
    ],
)
def test_a_list_comes_back_as_it_went(conexao: Conexao, tipo: str, lista: list[Any]) -> None:
    comando = sql.SQL("select {}").format(sql.SQL("%s::" + tipo))
    assert conexao.execute(comando, [lista]).fetchone() == (lista,)


def test_a_list_alone_is_compared_by_the_type_of_its_column(conexao: Conexao) -> None:
    linha = conexao.execute(
        "select 'demanda.concluída'::varchar = any(%s), 7::bigint = any(%s)", [["demanda.concluída"], [7]]
    )
    assert linha.fetchone() == (True, True)


@pytest.mark.parametrize("lista", [["a\0b"], [None, "\0"]])
def test_a_character_that_postgresql_cannot_store_is_refused_and_not_cut_off(
    conexao: Conexao, lista: list[Any]
) -> None:
    with pytest.raises(psycopg.DataError, match="NUL"):
        conexao.execute("select %s::text[]", [lista])

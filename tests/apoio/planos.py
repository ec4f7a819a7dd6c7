"""The plan of every statement that a connection runs, with the rows it really touched."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import sql

from d5_pipeline.conexao import Conexao

_PARAMETRO = re.compile(r"%\((\w+)\)s")


@dataclass(frozen=True)
class Plano:
    """A statement, and the scans of tables in its plan."""

    comando: str
    leituras: list[dict[str, Any]]

    def linhas(self, tabela: str) -> float:
        """Rows read from a table, those a filter removed included."""
        return sum(
            float((no["Actual Rows"] + no.get("Rows Removed by Filter", 0)) * no["Actual Loops"])
            for no in self.leituras
            if no["Relation Name"] == tabela
        )


def espiar(conexao: Conexao) -> list[Plano]:
    """From now on, each statement in a transaction is first explained as it is planned there, undone, then run."""
    planos: list[Plano] = []

    class Espiao(psycopg.Cursor[Any]):
        def execute(self, query: Any, params: Any = None, **opcoes: Any) -> "Espiao":
            if self.connection.info.transaction_status == psycopg.pq.TransactionStatus.INTRANS and params:
                planos.append(_explicar(self.connection, str(query), params))
            super().execute(query, params, **opcoes)
            return self

    conexao.cursor_factory = Espiao
    return planos


def _explicar(conexao: Conexao, comando: str, valores: dict[str, Any]) -> Plano:
    nomes = list(dict.fromkeys(_PARAMETRO.findall(comando)))
    preparado = _PARAMETRO.sub(lambda m: f"${nomes.index(m[1]) + 1}", comando.strip().rstrip(";")).replace("%%", "%")
    literais = sql.SQL(", ").join(sql.Literal(valores[nome]) for nome in nomes)
    with psycopg.Cursor(conexao) as cursor:
        cursor.execute("savepoint espiar")
        cursor.execute(sql.SQL("prepare espiado as {}").format(sql.SQL(preparado)))
        cursor.execute(sql.SQL("explain (analyze, timing off, format json) execute espiado ({})").format(literais))
        linha = cursor.fetchone()
        cursor.execute("rollback to savepoint espiar")
        cursor.execute("deallocate espiado")
    assert linha is not None
    (plano,) = linha[0] if isinstance(linha[0], list) else json.loads(str(linha[0]))
    return Plano(comando, [no for no in _nos(plano["Plan"]) if "Relation Name" in no and "Scan" in no["Node Type"]])


def _nos(plano: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plano
    for filho in plano.get("Plans", []):
        yield from _nos(filho)

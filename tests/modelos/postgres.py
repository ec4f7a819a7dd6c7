"""The same models on a real PostgreSQL, with the same face as the DuckDB engine."""

from typing import Any

import psycopg
from psycopg import sql
from psycopg.rows import dict_row

from tests.modelos.motor import com_texto

Linha = dict[str, Any]

BACKLOG = """
    select unidade_civica_id, posicao, demanda_id, categoria_id, nivel_precedencia, score_final, prioritaria,
           nivel_nao_vencido, lat, lng
    from d5_modelos.backlog_ordenado
    where unidade_civica_id = any(%s::uuid[])
    order by unidade_civica_id, posicao
"""


class ModelosPostgres:
    """Rows go into an open connection's transaction; the views are read there."""

    def __init__(self, conexao: psycopg.Connection[Any]) -> None:
        self._conexao = conexao

    def carregar(self, tabela: str, linhas: list[Linha]) -> None:
        """Append rows, all with the same columns, to a table of schema d5."""
        if not linhas:
            return
        comando = sql.SQL("insert into d5.{} ({}) overriding system value values ({})").format(
            sql.Identifier(tabela),
            sql.SQL(", ").join(map(sql.Identifier, linhas[0])),
            sql.SQL(", ").join(map(sql.Placeholder, linhas[0])),
        )
        with self._conexao.cursor() as cursor:
            cursor.executemany(comando, linhas)

    def leitura(self, visao: str) -> list[Linha]:
        """Every row of a reading view, uuids as str, in no order."""
        with self._conexao.cursor(row_factory=dict_row) as cursor:
            consulta = sql.SQL("select * from d5_leitura.{}").format(sql.Identifier(visao))
            return [com_texto(linha) for linha in cursor.execute(consulta)]

    def backlog_ordenado(self, ucs: list[str]) -> list[Linha]:
        """Rows of the view for these units, by unit and position; uuids as str, scores as Decimal."""
        with self._conexao.cursor(row_factory=dict_row) as cursor:
            linhas = cursor.execute(BACKLOG, [ucs]).fetchall()
        for linha in linhas:
            linha.update({nome: str(valor) for nome, valor in linha.items() if nome.endswith("_id") and valor})
        return linhas

"""The neighbours' log on PostgreSQL."""

from collections.abc import Sequence
from typing import Any

import aiosql
from psycopg import Connection
from psycopg.types.json import Jsonb

from d5_pipeline.demonstracao.eventos import EventoLido, NovoEvento
from d5_pipeline.recursos import PASTA_SQL


class LogPostgres:
    """`Log` over core.event_log on a connection of its own; every call is one committed transaction."""

    def __init__(self, conexao: Connection[Any]) -> None:
        self._conexao = conexao
        self._consultas = aiosql.from_path(PASTA_SQL / "consultas" / "demonstracao.sql", "psycopg")

    def ler(self, tipos: list[str], acima_de: int) -> list[EventoLido]:
        """Events of these types with a sequence number above `acima_de`, in the order of the log."""
        with self._conexao.transaction():
            linhas = list(self._consultas.ler_eventos(self._conexao, tipos=tipos, acima_de=acima_de))
        return [EventoLido(*linha) for linha in linhas]

    def acrescentar(self, eventos: Sequence[NovoEvento]) -> None:
        """Append in the given order, all or nothing; an `event_id` that is already there is passed over."""
        with self._conexao.transaction():
            self._consultas.acrescentar_eventos(self._conexao, [_parametros(evento) for evento in eventos])


def _parametros(evento: NovoEvento) -> dict[str, object]:
    return {
        "event_id": evento.event_id,
        "tipo": evento.tipo,
        "versao_schema": evento.versao_schema,
        "origem": evento.origem,
        "correlacao_id": evento.correlacao_id,
        "payload": Jsonb(evento.payload),
        "criado_em": evento.criado_em,
    }

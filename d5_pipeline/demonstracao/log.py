"""The neighbours' log on PostgreSQL."""

from collections.abc import Sequence
from typing import Any

from psycopg import Connection
from psycopg.types.json import Jsonb

from d5_pipeline.consultas import consultas
from d5_pipeline.demonstracao.eventos import EventoLido, NovoEvento

_sql = consultas("demonstracao")


class LogPostgres:
    """`Log` over core.event_log on a connection of its own; every call is one committed transaction."""

    def __init__(self, conexao: Connection[Any]) -> None:
        self._conexao = conexao

    def ler(self, tipos: list[str], acima_de: int) -> list[EventoLido]:
        """Events of these types with a sequence number above `acima_de`, in the order of the log."""
        with self._conexao.transaction():
            linhas = list(_sql.ler_eventos(self._conexao, tipos=tipos, acima_de=acima_de))
        return [EventoLido(*linha) for linha in linhas]

    def acrescentar(self, eventos: Sequence[NovoEvento]) -> None:
        """Append in the given order, all or nothing; an `event_id` that is already there is passed over."""
        with self._conexao.transaction():
            _sql.acrescentar_eventos(self._conexao, [_parametros(evento) for evento in eventos])

    def tem_eventos_alheios(self, demandas: Sequence[str]) -> bool:
        """Whether the log holds events of other demands than these."""
        return bool(_sql.tem_eventos_alheios(self._conexao, demandas=list(demandas)))

    def tem_demanda(self, demanda_id: str) -> bool:
        """Whether the demand was ranked already."""
        return bool(_sql.tem_demanda(self._conexao, demanda_id=demanda_id))


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

"""The demonstration without a database: an in-memory log, and the literal model in D-5's place."""

import json
import tomllib
from collections.abc import Sequence
from decimal import Decimal
from functools import cache

from d5_pipeline.demonstracao.eventos import EventoLido, NovoEvento, uuid_de
from d5_pipeline.demonstracao.parametros import PARAMETROS_DEMO
from d5_pipeline.demonstracao.simulacao import ResumoDaRodada, Simulacao
from tests.referencia.modelo import ModeloLiteral


class LogEmMemoria:
    """`Log` as a list; the sequence number of an event is its place, from 1."""

    def __init__(self) -> None:
        self.eventos: list[NovoEvento] = []
        self._ids: set[str] = set()

    def ler(self, tipos: list[str], acima_de: int) -> list[EventoLido]:
        """Events of these types above a position, in order."""
        return [
            EventoLido(sequencia, e.event_id, e.tipo, e.correlacao_id, e.payload)
            for sequencia, e in enumerate(self.eventos[acima_de:], start=acima_de + 1)
            if e.tipo in tipos
        ]

    def acrescentar(self, eventos: Sequence[NovoEvento]) -> None:
        """Append what is not there yet."""
        for evento in eventos:
            if evento.event_id not in self._ids:
                self._ids.add(evento.event_id)
                self.eventos.append(evento)

    def dos_vizinhos(self, *tipos: str) -> list[NovoEvento]:
        """Events that D-5 did not publish, of these types or of all."""
        return [e for e in self.eventos if e.origem != "D-5" and (not tipos or e.tipo in tipos)]


class AgendaLiteral:
    """D-5 as the specification's literal model, reading and publishing on an in-memory log."""

    def __init__(self, log: LogEmMemoria) -> None:
        self.modelo = ModeloLiteral(tomllib.loads(PARAMETROS_DEMO.read_text(encoding="utf-8")))
        self._log = log
        self._lidos = 0
        self._publicados = 0

    def processar(self) -> None:
        """Apply what the neighbours appended, then publish."""
        novos = list(enumerate(self._log.eventos, start=1))[self._lidos :]
        for sequencia, evento in novos:
            self.modelo.aplicar(_registro(sequencia, evento))
        self._lidos = len(self._log.eventos)
        for publicacao in self.modelo.publicacoes[self._publicados :]:
            chave = uuid_de("publicacao", str(len(self._log.eventos)))
            tipo, correlacao_id, payload = publicacao["tipo"], publicacao["correlacao_id"], publicacao["payload"]
            criado_em = self._log.eventos[self._lidos - 1].criado_em
            self._log.acrescentar([NovoEvento(chave, tipo, "1.0.0", "D-5", correlacao_id, payload, criado_em)])
        self._publicados = len(self.modelo.publicacoes)


def _registro(sequencia: int, evento: NovoEvento) -> dict[str, object]:
    return {
        "sequence_number": sequencia,
        "event_id": evento.event_id,
        "tipo": evento.tipo,
        "correlacao_id": evento.correlacao_id,
        "criado_em": evento.criado_em.isoformat(),
        "payload": json.loads(json.dumps(evento.payload, default=float), parse_float=Decimal),
    }


def simular(log: LogEmMemoria) -> tuple[AgendaLiteral, list[ResumoDaRodada]]:
    """The whole demonstration on a log: neighbours and D-5 in turn until the rounds are over."""
    simulacao, agenda = Simulacao(log), AgendaLiteral(log)
    resumos = []
    while not simulacao.terminou:
        resumos.append(simulacao.rodada())
        agenda.processar()
    return agenda, resumos


@cache
def demonstracao() -> tuple[LogEmMemoria, AgendaLiteral, list[ResumoDaRodada]]:
    """One run of the demonstration for all tests that only look."""
    log = LogEmMemoria()
    return log, *simular(log)

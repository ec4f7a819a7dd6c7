"""Envelope of the log as the neighbours see it, and the narrow interface through which they reach it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol
from uuid import UUID, uuid5

DEMANDA_GEORREFERENCIADA = "demanda.georreferenciada"
DEMANDA_RANQUEADA = "demanda.ranqueada"
RANKING_ATUALIZADO = "ranking.atualizado"
ITEM_DISPONIVEL = "agenda.item_disponível"
CONSELHEIRO_SORTEADO = "conselheiro.sorteado"
DEMANDA_INICIADA = "conselheiro.demanda_iniciada"
DEMANDA_CONCLUIDA = "demanda.concluída"
CONCLUSAO_CONFIRMADA = "demanda.conclusao_confirmada"
DUPLICIDADE_AGREGADA = "duplicidade.agregada"

ENCERRAMENTOS = [DEMANDA_CONCLUIDA, CONCLUSAO_CONFIRMADA, DUPLICIDADE_AGREGADA]

# Namespace of the demonstration: drawn once, changing it changes every identifier.
_ESPACO = UUID("5b1d5a0e-156c-5156-a156-0156d5d5d501")


@dataclass(frozen=True, slots=True)
class EventoLido:
    """An event of the log; `sequence_number` orders it, identifiers are lower-case text."""

    sequence_number: int
    event_id: str
    tipo: str
    correlacao_id: str
    payload: dict[str, Any]


@dataclass(frozen=True, slots=True)
class NovoEvento:
    """An event to append; `criado_em` is the time of the request or of the simulated clock, not the wall clock."""

    event_id: str
    tipo: str
    versao_schema: str
    origem: str
    correlacao_id: str
    payload: dict[str, Any]
    criado_em: datetime


class Log(Protocol):
    """What a neighbour may do with the log."""

    def ler(self, tipos: list[str], acima_de: int) -> list[EventoLido]:
        """Events of these types with a sequence number above `acima_de`, in the order of the log."""

    def acrescentar(self, eventos: Sequence[NovoEvento]) -> None:
        """Append in the given order, all or nothing; an `event_id` that is already there is passed over."""


def uuid_de(*partes: str) -> str:
    """Version 5 UUID of a natural key: the same parts always give the same identifier."""
    return str(uuid5(_ESPACO, "|".join(partes)))


def correlacao_da(demanda_id: str) -> str:
    """Identifier that ties every event about one demand together."""
    return uuid_de("correlacao", demanda_id)


def iso(instante: datetime) -> str:
    """ISO-8601 in UTC with seconds, as the payloads carry times."""
    return instante.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def novo_evento(
    origem: str,
    tipo: str,
    chave: str,
    demanda_id: str,
    payload: dict[str, Any],
    criado_em: datetime,
    versao_schema: str = "1.0.0",
) -> NovoEvento:
    """Event about `demanda_id`; its `event_id` follows from origin, type and natural key alone."""
    return NovoEvento(
        event_id=uuid_de("evento", origem, tipo, chave),
        tipo=tipo,
        versao_schema=versao_schema,
        origem=origem,
        correlacao_id=correlacao_da(demanda_id),
        payload=payload,
        criado_em=criado_em,
    )


def demandas_encerradas(evento: EventoLido) -> list[str]:
    """Demands that leave the queue with an event of `ENCERRAMENTOS`: concluded ones, or members of an aggregate."""
    if evento.tipo == DUPLICIDADE_AGREGADA:
        representante = evento.payload["representante_demanda_id"]
        membros = [str(membro["demanda_id"]) for membro in evento.payload["membros"]]
        return [membro for membro in membros if membro != representante]
    if evento.tipo == CONCLUSAO_CONFIRMADA and evento.payload["ratificacao_necessaria"]:
        return []
    return [str(evento.payload["demanda_id"])]

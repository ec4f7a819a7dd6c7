"""Records of the projection: a demand's score, row and last status, and what an event adds (2.2 to 2.6, D8, D10)."""

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from typing import Literal

from msgspec import Struct

from d5_pipeline.dominio.estados import Status
from d5_pipeline.dominio.eventos import Evento


class ScoreAtual(Struct, frozen=True, gc=False):
    """What the fold needs of a row of backlog_scores."""

    unidade_civica_id: str
    categoria_id: str
    nivel_precedencia: int
    sequence_number: int
    event_id: str


class Item(Struct, frozen=True, gc=False):
    """A row of backlog_items."""

    demanda_id: str
    unidade_civica_id: str
    posicao: int
    score: Decimal
    status: Status
    grupo_id: str | None
    categoria_id: str
    nivel_precedencia: int
    event_id: str
    entrou_em: datetime
    atualizado_em: datetime
    data_conclusao: datetime | None = None
    dias_ate_conclusao: int | None = None


class Situacao(Struct, frozen=True, gc=False):
    """The last transition of a demand that a status event caused; `entrou_em` is None until it has had a row (D10)."""

    status: Status
    sequence_number: int
    entrou_em: datetime | None
    data_conclusao: datetime | None = None
    dias_ate_conclusao: int | None = None


class Transicao(Struct, frozen=True, gc=False):
    """A line of the append-only history."""

    demanda_id: str
    unidade_civica_id: str | None
    de: Status
    para: Status
    evento: Evento


class Publicacao(Struct, frozen=True):
    """An event to publish, without its timestamp: the wall clock is not the core's business (D14)."""

    gatilho: Evento
    tipo: str
    payload: dict[str, object]


class Ocorrencia(Struct, frozen=True, gc=False):
    """A line for the structured log."""

    nivel: Literal["info", "warning"]
    mensagem: str
    evento: Evento
    demanda_id: str | None = None
    unidade_civica_id: str | None = None
    status: str | None = None


def primeiro(itens: Iterable[Item]) -> Item | None:
    """First item by (posicao, score desc, demanda_id) (D9)."""
    return min(itens, key=lambda item: (item.posicao, -item.score, item.demanda_id), default=None)

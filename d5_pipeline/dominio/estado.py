"""What one wave of events needs to know, in memory, and what it changed (sections 2.2 to 2.6, D8, D10)."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from d5_pipeline.dominio.estados import ATIVOS, Status
from d5_pipeline.dominio.eventos import Agregada, Descarte, Evento, Ranqueada


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


@dataclass(slots=True)
class UnidadeCivica:
    """A unit as the wave sees it: what lies outside the touched demands is summed up in two values."""

    capacidade: int
    outros_ativos: int
    primeiro_dos_outros: Item | None
    anunciada: str | None
    ativos: int = 0
    disponiveis: dict[str, Item] = field(default_factory=dict)

    @property
    def contagem(self) -> int:
        """contarItensPorUc(): items that are neither concluded nor aggregated nor removed (3.10, D18)."""
        return self.outros_ativos + self.ativos

    def primeiro_disponivel(self) -> Item | None:
        """First available item by (posicao, score desc, demanda_id) (D9)."""
        candidatos: Iterable[Item] = self.disponiveis.values()
        if self.primeiro_dos_outros is not None:
            candidatos = (*candidatos, self.primeiro_dos_outros)
        return primeiro(candidatos)


@dataclass(slots=True)
class Mudancas:
    """What the wave has to write, each entity once, in its last state."""

    scores: dict[str, tuple[Evento, Ranqueada]] = field(default_factory=dict)
    criacoes: dict[str, datetime] = field(default_factory=dict)  # first applied event of each of those scores
    itens: dict[str, Item] = field(default_factory=dict)
    situacoes: dict[str, Situacao] = field(default_factory=dict)
    transicoes: list[Transicao] = field(default_factory=list)
    agregadas: dict[str, tuple[Evento, Agregada]] = field(default_factory=dict)
    coordenadas: dict[str, tuple[float, float, datetime]] = field(default_factory=dict)
    anuncios: dict[str, tuple[str, Evento]] = field(default_factory=dict)
    publicacoes: list[Publicacao] = field(default_factory=list)
    descartes: list[Descarte] = field(default_factory=list)
    ocorrencias: list[Ocorrencia] = field(default_factory=list)
    reconstrucoes: dict[str, Evento] = field(default_factory=dict)  # unit → trigger


@dataclass(slots=True)
class Estado:
    """The touched demands and units, kept up to date while the wave's events are folded over it."""

    scores: dict[str, ScoreAtual]
    itens: dict[str, Item]
    situacoes: dict[str, Situacao]
    agregadas: set[str]
    unidades: dict[str, UnidadeCivica]
    mudancas: Mudancas = field(default_factory=Mudancas)

    def __post_init__(self) -> None:
        for item in self.itens.values():
            self._contar(item)

    def status(self, demanda_id: str) -> Status | None:
        """The row's status, else what is recorded; None for a demand nothing is known of (D10, D17)."""
        item = self.itens.get(demanda_id)
        if item is not None:
            return item.status
        if demanda_id in self.agregadas:
            return "agregado"
        situacao = self.situacoes.get(demanda_id)
        return None if situacao is None else situacao.status

    def gravar_item(self, item: Item) -> None:
        """Inserts or replaces a row; the counts of both units follow."""
        anterior = self.itens.get(item.demanda_id)
        if anterior is not None:
            unidade = self.unidades[anterior.unidade_civica_id]
            unidade.ativos -= anterior.status in ATIVOS
            unidade.disponiveis.pop(item.demanda_id, None)
        self.itens[item.demanda_id] = self.mudancas.itens[item.demanda_id] = item
        self._contar(item)

    def _contar(self, item: Item) -> None:
        unidade = self.unidades[item.unidade_civica_id]
        unidade.ativos += item.status in ATIVOS
        if item.status == "disponivel":
            unidade.disponiveis[item.demanda_id] = item

    def gravar_situacao(self, demanda_id: str, situacao: Situacao) -> None:
        """Replaces what is recorded of a demand."""
        self.situacoes[demanda_id] = self.mudancas.situacoes[demanda_id] = situacao

    def entrada(self, demanda_id: str, agora: datetime) -> datetime:
        """When a demand that gets a row entered: the recorded time, else `agora`, kept from then on (D10)."""
        situacao = self.situacoes.get(demanda_id)
        if situacao is None:
            return agora
        if situacao.entrou_em is None:
            self.gravar_situacao(demanda_id, replace(situacao, entrou_em=agora))
            return agora
        return situacao.entrou_em

    def registrar(self, nivel: Literal["info", "warning"], mensagem: str, evento: Evento, **campos: str | None) -> None:
        """Notes a line for the structured log."""
        self.mudancas.ocorrencias.append(Ocorrencia(nivel, mensagem, evento, **campos))

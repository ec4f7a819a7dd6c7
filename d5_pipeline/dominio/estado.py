"""What a batch of events needs to know, in memory, and what it changed: read once, written once (D7, D8, D10)."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from msgspec.structs import replace

from d5_pipeline.dominio.estados import ATIVOS, Status
from d5_pipeline.dominio.eventos import Agregada, Evento, Ranqueada
from d5_pipeline.dominio.linhas import Item, Ocorrencia, Publicacao, ScoreAtual, Situacao, Transicao, primeiro


@dataclass(slots=True)
class UnidadeCivica:
    """A unit: its known rows, and what lies outside them summed up in two values."""

    capacidade: int
    outros_ativos: int
    primeiro_dos_outros: Item | None
    anunciada: str | None
    ativos: int = 0
    linhas: dict[str, Item] = field(default_factory=dict)
    reconstruida: bool = False
    """Whether every row is known: stored ones that are not among `linhas` are void, aggregated ones excepted."""

    @property
    def contagem(self) -> int:
        """contarItensPorUc(): items that are neither concluded nor aggregated nor removed (3.10, D18)."""
        return self.outros_ativos + self.ativos

    def primeiro_disponivel(self) -> Item | None:
        """First available item by (posicao, score desc, demanda_id) (D9)."""
        disponiveis = [item for item in self.linhas.values() if item.status == "disponivel"]
        if self.primeiro_dos_outros is not None:
            disponiveis.append(self.primeiro_dos_outros)
        return primeiro(disponiveis)

    def por(self, item: Item) -> None:
        """A row joins the known ones."""
        self.linhas[item.demanda_id] = item
        self.ativos += item.status in ATIVOS

    def tirar(self, item: Item) -> None:
        """A known row leaves."""
        del self.linhas[item.demanda_id]
        self.ativos -= item.status in ATIVOS


@dataclass(slots=True)
class Mudancas:
    """What a batch has to write, each entity once, in its last state."""

    scores: dict[str, tuple[Evento, Ranqueada]] = field(default_factory=dict)
    criacoes: dict[str, datetime] = field(default_factory=dict)  # first applied event of each of those scores
    itens: dict[str, Item] = field(default_factory=dict)
    removidas: set[str] = field(default_factory=set)  # demands whose row goes
    situacoes: dict[str, Situacao] = field(default_factory=dict)
    transicoes: list[Transicao] = field(default_factory=list)
    agregadas: dict[str, tuple[Evento, Agregada]] = field(default_factory=dict)
    coordenadas: dict[str, tuple[float, float, datetime]] = field(default_factory=dict)
    anuncios: dict[str, tuple[str, Evento]] = field(default_factory=dict)
    publicacoes: list[Publicacao] = field(default_factory=list)
    ocorrencias: list[Ocorrencia] = field(default_factory=list)
    reconstrucoes: dict[str, Evento] = field(default_factory=dict)  # unit → trigger


@dataclass(slots=True)
class Estado:
    """The touched demands and units, kept up to date while events are folded over it and agendas are rebuilt."""

    scores: dict[str, ScoreAtual] = field(default_factory=dict)
    itens: dict[str, Item] = field(default_factory=dict)
    situacoes: dict[str, Situacao] = field(default_factory=dict)
    agregadas: set[str] = field(default_factory=set)
    unidades: dict[str, UnidadeCivica] = field(default_factory=dict)
    conhecidas: set[str] = field(default_factory=set)
    """Demands of which everything stored is known, also where that is nothing."""
    mudancas: Mudancas = field(default_factory=Mudancas)

    def conhecer(
        self,
        demanda_id: str,
        score: ScoreAtual | None,
        item: Item | None,
        situacao: Situacao | None,
        agregada: bool,
    ) -> None:
        """Takes in what is stored of a demand; the row's unit, which must be known, counts it as a known one."""
        self.conhecidas.add(demanda_id)
        if score is not None:
            self.scores[demanda_id] = score
        if situacao is not None:
            self.situacoes[demanda_id] = situacao
        if agregada:
            self.agregadas.add(demanda_id)
        if item is None:
            return
        unidade = self.unidades[item.unidade_civica_id]
        if unidade.reconstruida:
            if item.status != "agregado":
                return
        else:
            unidade.outros_ativos -= item.status in ATIVOS
        self.itens[demanda_id] = item
        unidade.por(item)

    def vinculos(self) -> dict[str, set[str]]:
        """Units of the row and of the score of every known demand that has one."""
        vinculos = {demanda: {score.unidade_civica_id} for demanda, score in self.scores.items()}
        for demanda, item in self.itens.items():
            vinculos.setdefault(demanda, set()).add(item.unidade_civica_id)
        return vinculos

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
            self.unidades[anterior.unidade_civica_id].tirar(anterior)
        self.itens[item.demanda_id] = self.mudancas.itens[item.demanda_id] = item
        self.mudancas.removidas.discard(item.demanda_id)
        self.unidades[item.unidade_civica_id].por(item)

    def _remover_item(self, item: Item) -> None:
        self.unidades[item.unidade_civica_id].tirar(item)
        del self.itens[item.demanda_id]
        self.mudancas.itens.pop(item.demanda_id, None)
        self.mudancas.removidas.add(item.demanda_id)

    def trocar_linhas(self, unidade_id: str, itens: Iterable[Item]) -> None:
        """The rows of a rebuilt unit: those given, and the aggregated ones (3.11 e, f)."""
        unidade = self.unidades[unidade_id]
        novas = {item.demanda_id: item for item in itens}
        for item in list(unidade.linhas.values()):
            if item.status != "agregado" and item.demanda_id not in novas:
                self._remover_item(item)
        for item in novas.values():
            self.gravar_item(item)
        unidade.outros_ativos, unidade.primeiro_dos_outros, unidade.reconstruida = 0, None, True

    def anunciar(self, unidade_id: str, demanda_id: str, evento: Evento) -> None:
        """Remembers the demand that the unit announces (D8)."""
        self.unidades[unidade_id].anunciada = demanda_id
        self.mudancas.anuncios[unidade_id] = (demanda_id, evento)

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

"""Deterministic workloads: logs of a living city. The same seed gives the same bytes."""

import json
import random
from bisect import insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

INICIO = datetime(2026, 3, 1, 12, tzinfo=UTC)
PASSO = timedelta(milliseconds=1_370)
CATEGORIAS_POR_NIVEL = 3
BLOCO = ("nova",) * 20 + ("revista",) * 20 + ("ranking",) * 2 + ("coordenadas",) * 4 + ("status",) * 4
"""Of 50 events: 80 % demanda.ranqueada (half re-rankings), 4 % ranking.atualizado, 8 % coordinates, 8 % status."""

SO_INCREMENTAIS = tuple(parte for parte in BLOCO if parte != "ranking")
ETAPAS = ("conselheiro.sorteado", "conselheiro.demanda_iniciada", "demanda.concluída")
MELHORES = 12  # demands of a unit that status events are about


class Evento(NamedTuple):
    """A row of the log before it has a number; `payload` is JSON text."""

    event_id: str
    tipo: str
    versao_schema: str
    origem: str
    correlacao_id: str
    payload: str
    criado_em: datetime


class Demanda(NamedTuple):
    """What the generator remembers of a demand."""

    id: str
    unidade: int
    nivel: int
    categoria: str


def unidade(numero: int) -> str:
    """The id of a unit; ids sort like numbers."""
    return f"f{numero:07d}-0000-4000-8000-{numero:012d}"


def parametros(unidades: int, capacidade: int = 10) -> dict[str, Any]:
    """Capacity for all units, weights of five levels for every second one, and concluded demands free their slots."""
    pesos = {
        unidade(i): {str(n): round(0.2 + (i + n) % 5 * 0.15, 2) for n in range(1, 6)} for i in range(0, unidades, 2)
    }
    return {
        "versao": "bench-1",
        "fator_decaimento": 0.40,
        "limiar_peso_nao_vencido": 0.1,
        "capacidade_padrao": capacidade,
        "concluidas_ocupam_vaga": False,
        "clustering": {"raio_metros": 500, "min_pontos": 2},
        "pesos_situacionais": pesos,
    }


@dataclass
class Cidade:
    """The source of a log: units, their demands, and the best of each unit, which the other colonies work on."""

    unidades: int
    semente: int = 5
    mistura: Sequence[str] = BLOCO
    demandas: list[Demanda] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._sorte = random.Random(self.semente)
        self._melhores: list[list[tuple[int, str]]] = [[] for _ in range(self.unidades)]
        self._etapas: dict[str, int] = {}
        self._sem_lugar: list[Demanda] = []
        self._instante = INICIO

    def eventos(self, quantos: int) -> Iterator[Evento]:
        """The next events of the log."""
        partes: list[str] = []
        for _ in range(quantos):
            if not partes:
                partes = list(self.mistura)
                self._sorte.shuffle(partes)
            self._instante += PASSO
            yield self._evento(partes.pop())

    def _evento(self, parte: str) -> Evento:
        if parte == "nova" or not self.demandas:
            return self._ranqueada(self._nova())
        if parte == "revista":
            return self._ranqueada(self._sorte.choice(self.demandas))
        if parte == "coordenadas":
            return self._georreferenciada()
        if parte == "status":
            return self._status()
        numero = self._sorte.randrange(self.unidades)
        return self._como_evento("ranking.atualizado", {"unidade_civica_id": unidade(numero)})

    def _nova(self) -> Demanda:
        nivel = self._sorte.randint(1, 5)
        categoria = f"{nivel}.{self._sorte.randint(1, CATEGORIAS_POR_NIVEL)}"
        demanda = Demanda(self._uuid(), self._sorte.randrange(self.unidades), nivel, categoria)
        self.demandas.append(demanda)
        self._sem_lugar.append(demanda)
        return demanda

    def _ranqueada(self, demanda: Demanda) -> Evento:
        centavos = self._sorte.randrange(1_000_000)
        self._classificar(demanda, centavos)
        return self._como_evento("demanda.ranqueada", payload_ranqueada(demanda, centavos), "1.1.0")

    def _classificar(self, demanda: Demanda, centavos: int) -> None:
        melhores = self._melhores[demanda.unidade]
        melhores[:] = [par for par in melhores if par[1] != demanda.id]
        if self._etapas.get(demanda.id) != 3:
            insort(melhores, (-centavos, demanda.id))
            del melhores[MELHORES:]

    def _georreferenciada(self) -> Evento:
        demanda = self._sem_lugar.pop() if self._sem_lugar else self._sorte.choice(self.demandas)
        lat, lng = lugar(self._sorte, demanda.unidade)
        dados = {"demanda_id": demanda.id, "coordenadas_lat": lat, "coordenadas_lng": lng}
        return self._como_evento("demanda.georreferenciada", dados)

    def _status(self) -> Evento:
        """The next step of one of a unit's best demands: drawn, begun, concluded; now and then otherwise."""
        numero = self._sorte.randrange(self.unidades)
        melhores = self._melhores[numero]
        if not melhores:
            return self._evento("nova")
        _, demanda = self._sorte.choice(melhores)
        dados: dict[str, Any] = {"demanda_id": demanda, "unidade_civica_id": unidade(numero)}
        etapa, sorte = self._etapas.get(demanda, 0), self._sorte.random()
        if sorte < 0.01 and len(melhores) > 1:
            return self._agregada([d for _, d in melhores[:2]])
        if sorte < 0.11 and etapa < 2:
            self._encerrar(numero, demanda)
            return self._como_evento("demanda.conclusao_confirmada", dados | {"ratificacao_necessaria": False})
        self._etapas[demanda] = etapa + 1
        if etapa == 2:
            self._encerrar(numero, demanda)
        return self._como_evento(ETAPAS[etapa], dados)

    def _agregada(self, par: list[str]) -> Evento:
        representante, membro = par
        dados = {
            "agregado_id": self._uuid(),
            "representante_demanda_id": representante,
            "membros": [{"demanda_id": representante}, {"demanda_id": membro}],
        }
        return self._como_evento("duplicidade.agregada", dados)

    def _encerrar(self, numero: int, demanda: str) -> None:
        self._etapas[demanda] = 3
        self._melhores[numero][:] = [par for par in self._melhores[numero] if par[1] != demanda]

    def _como_evento(self, tipo: str, dados: dict[str, Any], versao: str = "1.0.0") -> Evento:
        payload = json.dumps(dados, separators=(",", ":"))
        return Evento(self._uuid(), tipo, versao, "vizinho", self._uuid(), payload, self._instante)

    def _uuid(self) -> str:
        return uuid_sorteado(self._sorte)


def uuid_sorteado(sorte: random.Random) -> str:
    """A random UUID (version 4) from the given source."""
    h = f"{sorte.getrandbits(128):032x}"
    return f"{h[:8]}-{h[8:12]}-4{h[13:16]}-8{h[17:20]}-{h[20:]}"


def lugar(sorte: random.Random, numero: int) -> tuple[float, float]:
    """A point of the unit: within some two kilometres of its centre, so that a few demands are neighbours."""
    lat, lng = -23.0 - numero // 50 * 0.05, -46.0 - numero % 50 * 0.05
    return round(lat + sorte.uniform(-0.02, 0.02), 6), round(lng + sorte.uniform(-0.02, 0.02), 6)


def payload_ranqueada(demanda: Demanda, centavos: int) -> dict[str, Any]:
    """demanda.ranqueada 1.1.0 (3.1), every field of it."""
    return {
        "demanda_id": demanda.id,
        "unidade_civica_id": unidade(demanda.unidade),
        "categoria_id": demanda.categoria,
        "nivel_precedencia": demanda.nivel,
        "score_final": centavos / 100,
        "breakdown": {
            "peso_nacional": 120 - 20 * demanda.nivel,
            "peso_situacional": 0.85,
            "score_horizontal": centavos // 10_000,
        },
        "posicao_no_ranking": 1 + centavos % 97,
        "total_demandas_na_uc": 100,
        "versao_parametros": "bench-1",
        "timestamp_calculo": "2026-03-01T12:00:00.000Z",
    }


def avulso(sorte: random.Random, tipo: str, dados: dict[str, Any], versao: str = "1.0.0") -> Evento:
    """An event beside a city's."""
    payload = json.dumps(dados, separators=(",", ":"))
    return Evento(uuid_sorteado(sorte), tipo, versao, "vizinho", uuid_sorteado(sorte), payload, INICIO)


def ranking(sorte: random.Random, numero: int) -> Evento:
    """A ranking.atualizado beside a city's: the trigger of a unit's rebuild."""
    return avulso(sorte, "ranking.atualizado", {"unidade_civica_id": unidade(numero)})

"""A small random city: few units and demands, so that events collide, and parameters of every kind."""

import random
from dataclasses import dataclass, field
from typing import Any

from tests.referencia.rebuild import haversine

Dados = dict[str, Any]

CATEGORIAS = ("1.1", "1.2", "3.4")
CAPACIDADES = (0, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6)
RAIOS = (500.0, 500, 120.5)
MARGEM_METROS = 0.01  # within a micrometre of raio either answer is right (D25): stay well away from it


@dataclass
class Cidade:
    """What the events of one log draw on; `ativas` is the window of demands that events are about."""

    sorte: random.Random
    parametros: Dados
    ucs: list[str]
    ativas: list[str]
    pontos: list[tuple[float, float]]
    categorias: tuple[str, ...]
    antigas: list[str] = field(default_factory=list)
    situadas: set[str] = field(default_factory=set)
    criadas: int = 0

    def chance(self, probabilidade: float) -> bool:
        """True with the given probability."""
        return self.sorte.randrange(1000) < 1000 * probabilidade

    def uc(self) -> str:
        """A unit, preferring the first, so that one of them fills up."""
        return self.ucs[0] if self.chance(0.4) else self.sorte.choice(self.ucs)

    def demanda(self) -> str:
        """Mostly an active demand; else an old one or one nobody ever ranked."""
        if self.chance(0.04):
            return f"dffffff{self.sorte.randrange(4)}-0000-4000-8000-000000000fff"
        if self.antigas and self.chance(0.12):
            return self.sorte.choice(self.antigas)
        return self.sorte.choice(self.ativas)

    def situar(self) -> str:
        """A demand to be given coordinates: preferably an active one that has none."""
        sem_ponto = [demanda for demanda in self.ativas if demanda not in self.situadas]
        demanda = self.sorte.choice(sem_ponto) if sem_ponto and self.chance(0.7) else self.demanda()
        self.situadas.add(demanda)
        return demanda

    def renovar(self) -> None:
        """One active demand becomes an old one, and a new one takes its place."""
        indice = self.sorte.randrange(len(self.ativas))
        self.antigas.append(self.ativas[indice])
        self.ativas[indice] = self._nova()

    def _nova(self) -> str:
        self.criadas += 1
        numero = self.criadas * 7919 % 10_000  # the order of ids is not the order of arrival
        return f"d{numero:07d}-0000-4000-8000-{numero:012x}"

    @classmethod
    def sortear(cls, sorte: random.Random) -> "Cidade":
        """One to four units and three to fifteen active demands; one city in six is dense, for the groups."""
        densa = sorte.randrange(6) == 5
        ucs = [f"f000000{i}-0000-4000-8000-00000000000{i}" for i in range(1, 2 if densa else sorte.randint(2, 5))]
        parametros = parametros_aleatorios(sorte, ucs)
        if densa:
            parametros |= {"capacidade_por_uc": {ucs[0]: 25}, "pesos_situacionais": {}}
            parametros["clustering"]["min_pontos"] = sorte.choice([3, 4, 5, 6])
        pontos = _pontos(sorte, float(parametros["clustering"]["raio_metros"]), densa)
        cidade = cls(sorte, parametros, ucs, [], pontos, CATEGORIAS[:1] if densa else CATEGORIAS)
        cidade.ativas = [cidade._nova() for _ in range(20 if densa else sorte.randint(3, 15))]
        return cidade


def parametros_aleatorios(sorte: random.Random, ucs: list[str]) -> Dados:
    """Legal parameters (4.3): small capacities, weights absent, below the limiar, tied or free."""
    com_capacidade = [uc for uc in ucs if sorte.randrange(4)]
    com_pesos = [uc for uc in ucs if sorte.randrange(4)]
    return {
        "versao": sorte.choice(["mvp-v1", "teste-2"]),
        "fator_decaimento": sorte.choice([0.1, 0.25, 0.4, 0.4, 0.5, 0.61, 0.9, 1.0]),
        "limiar_peso_nao_vencido": sorte.choice([0.1, 0.1, 0.5, 0.0]),
        "capacidade_padrao": sorte.choice(CAPACIDADES),
        "concluidas_ocupam_vaga": sorte.choice([True, False]),
        "clustering": {"raio_metros": sorte.choice(RAIOS), "min_pontos": sorte.randint(1, 4)},
        "capacidade_por_uc": {uc: sorte.choice(CAPACIDADES) for uc in com_capacidade},
        "pesos_situacionais": {uc: _pesos(sorte) for uc in com_pesos},
    }


def _pesos(sorte: random.Random) -> dict[str, float]:
    escala = sorte.choice([(0.0, 0.05, 0.1), (0.3, 0.6, 0.6), (0.1, 0.2, 0.4, 0.6, 0.75, 0.85)])
    niveis = [nivel for nivel in range(1, 6) if sorte.randrange(5)]
    return {str(nivel): sorte.choice(escala) for nivel in niveis}


def _pontos(sorte: random.Random, raio: float, densa: bool) -> list[tuple[float, float]]:
    """Points of a square up to 1.3 km wide, a chain in a dense city, and now and then the pole and the date line."""
    if densa:
        return _corrente(sorte, raio)
    pontos: list[tuple[float, float]] = [(-90.0, 180.0), (0.0, 180.0), (0.0, -180.0)] if sorte.randrange(8) == 7 else []
    lado = sorte.choice([8, 25, 60])
    for _ in range(sorte.randint(2, 14)):
        ponto = (-23.55 + sorte.randint(-lado, lado) / 1e4, -46.63 + sorte.randint(-lado, lado) / 1e4)
        if _longe_do_limite(ponto, pontos, raio):
            pontos.append(ponto)
    return pontos


def _corrente(sorte: random.Random, raio: float) -> list[tuple[float, float]]:
    """Points along a meridian with steps below and near raio: core points, border points and noise side by side."""
    pontos: list[tuple[float, float]] = []
    metros = 0.0
    while len(pontos) < 14:
        metros += raio * sorte.choice([0.03, 0.15, 0.3, 0.45, 0.6, 0.95])
        ponto = (-23.55 + metros / 111_195, -46.63)
        if _longe_do_limite(ponto, pontos, raio):
            pontos.append(ponto)
    return pontos


def _longe_do_limite(ponto: tuple[float, float], pontos: list[tuple[float, float]], raio: float) -> bool:
    return all(abs(haversine(ponto, outro) - raio) > MARGEM_METROS for outro in pontos)

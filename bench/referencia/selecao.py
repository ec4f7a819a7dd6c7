"""Selection and groups of one unit in Python (4.2, 4.4)."""

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple
from uuid import UUID, uuid5

import numpy as np
from sklearn.cluster import DBSCAN

RAIO_DA_TERRA = 6_371_000.0
GRUPOS = UUID("d5a6e0da-0000-5000-8000-677275706f73")  # the engine's namespace, so that tables can be compared (D26)


class Score(NamedTuple):
    """An active score of the unit."""

    demanda_id: str
    categoria_id: str
    nivel: int
    score: Decimal


class Selecao(NamedTuple):
    """Current level, selected of that level, selected of the others, each by score."""

    nivel: int | None
    prioritarias: list[Score]
    outras: list[Score]


def selecionar(scores: Sequence[Score], parametros: Mapping[str, Any], unidade: str) -> Selecao:
    """DistribuicaoCapacidade.aplicar (4.2); `scores` by score descending, then demanda_id."""
    capacidade = parametros["capacidade_por_uc"].get(unidade, parametros["capacidade_padrao"])
    corrente = _nivel_nao_vencido(parametros, unidade)
    if corrente is None:
        return Selecao(None, [], list(scores[:capacidade]))
    por_nivel: dict[int, list[Score]] = {nivel: [] for nivel in range(1, 6)}
    for score in scores:
        por_nivel[score.nivel].append(score)
    pesos = {nivel: math.pow(parametros["fator_decaimento"], abs(nivel - corrente)) for nivel in range(1, 6)}
    soma = pesos[1] + pesos[2] + pesos[3] + pesos[4] + pesos[5]
    vagas = {nivel: math.floor(capacidade * pesos[nivel] / soma) for nivel in range(1, 6)}
    vagas[corrente] += capacidade - sum(vagas.values())
    outras = [score for nivel in range(1, 6) if nivel != corrente for score in por_nivel[nivel][: vagas[nivel]]]
    outras.sort(key=lambda s: (-s.score, s.demanda_id))
    return Selecao(corrente, por_nivel[corrente][: vagas[corrente]], outras)


def _nivel_nao_vencido(parametros: Mapping[str, Any], unidade: str) -> int | None:
    pesos = {int(nivel): peso for nivel, peso in parametros["pesos_situacionais"].get(unidade, {}).items()}
    acima = [(-peso, nivel) for nivel, peso in pesos.items() if peso > parametros["limiar_peso_nao_vencido"]]
    return min(acima)[1] if acima else None


def agrupar(
    selecionadas: Sequence[Score],
    coordenadas: Mapping[str, tuple[float, float]],
    parametros: Mapping[str, Any],
    unidade: str,
) -> dict[str, str]:
    """GeoClustering.agrupar (4.4): demand → grupo_id, one DBSCAN call per category."""
    raio, minimo = parametros["clustering"]["raio_metros"], parametros["clustering"]["min_pontos"]
    por_categoria: dict[str, list[str]] = {}
    for score in selecionadas:
        if score.demanda_id in coordenadas:
            por_categoria.setdefault(score.categoria_id, []).append(score.demanda_id)
    grupos: dict[str, str] = {}
    for categoria, demandas in por_categoria.items():
        if len(demandas) < minimo:
            continue
        demandas.sort()
        rotulos = rotular([coordenadas[demanda] for demanda in demandas], raio, minimo)
        for rotulo in set(rotulos) - {-1}:
            membros = [demanda for demanda, dele in zip(demandas, rotulos, strict=True) if dele == rotulo]
            if len(membros) >= minimo:
                grupo = str(uuid5(GRUPOS, f"{unidade}:{categoria}:{','.join(membros)}"))
                grupos.update(dict.fromkeys(membros, grupo))
    return grupos


def rotular(pontos: Sequence[tuple[float, float]], raio: float, minimo: int) -> list[int]:
    """scikit-learn's labels for points in degrees, −1 for noise."""
    modelo = DBSCAN(eps=raio / RAIO_DA_TERRA, min_samples=minimo, metric="haversine")
    return [int(rotulo) for rotulo in modelo.fit_predict(np.radians(pontos))]

"""Selection, order and groups of a rebuild (3.11, 4.1, 4.2, 4.4), in plain loops."""

import math
from decimal import Decimal
from typing import Any
from uuid import NAMESPACE_URL, uuid5

Dados = dict[str, Any]

RAIO_DA_TERRA = 6_371_000.0


def chave_de_ordem(score: Dados) -> tuple[Decimal, str]:
    """Score descending, then demanda_id ascending, everywhere (D23)."""
    return (-score["score_final"], score["demanda_id"])


def nivel_nao_vencido(parametros: Dados, uc: str) -> int | None:
    """The level with the greatest weight above the limiar; in a tie the most critical one (4.2, step 2)."""
    pesos = {int(nivel): float(peso) for nivel, peso in parametros["pesos_situacionais"].get(uc, {}).items()}
    escolhido = None
    maior_peso = float(parametros["limiar_peso_nao_vencido"])
    for nivel in range(1, 6):
        if nivel in pesos and pesos[nivel] > maior_peso:
            maior_peso = pesos[nivel]
            escolhido = nivel
    return escolhido


def vagas_por_nivel(capacidade: int, corrente: int, fator: float, tem_demanda_no_corrente: bool) -> dict[int, int]:
    """Slots of each level by geometric decay, in double precision (4.2, step 5; D22)."""
    pesos = {nivel: math.pow(fator, abs(nivel - corrente)) for nivel in range(1, 6)}
    soma = pesos[1] + pesos[2] + pesos[3] + pesos[4] + pesos[5]
    vagas = {nivel: math.floor(capacidade * pesos[nivel] / soma) for nivel in range(1, 6)}
    if vagas[corrente] == 0 and tem_demanda_no_corrente and capacidade > 0:
        vagas[corrente] = 1
    restante = capacidade - sum(vagas.values())
    if restante > 0:
        vagas[corrente] += restante
    return vagas


def selecionar(candidatas: list[Dados], parametros: Dados, uc: str) -> tuple[int | None, list[Dados], list[Dados]]:
    """Current level, the selected of that level and the selected of the others, each in order (4.2; 4.1, step 6)."""
    capacidade = parametros["capacidade_por_uc"].get(uc, parametros["capacidade_padrao"])
    corrente = nivel_nao_vencido(parametros, uc)
    ordenadas = sorted(candidatas, key=chave_de_ordem)
    if corrente is None:
        return None, [], ordenadas[:capacidade]
    por_nivel: dict[int, list[Dados]] = {nivel: [] for nivel in range(1, 6)}
    for score in ordenadas:
        por_nivel[score["nivel_precedencia"]].append(score)
    vagas = vagas_por_nivel(capacidade, corrente, float(parametros["fator_decaimento"]), bool(por_nivel[corrente]))
    outras: list[Dados] = []
    for nivel in range(1, 6):
        if nivel != corrente:
            outras += por_nivel[nivel][: vagas[nivel]]
    return corrente, por_nivel[corrente][: vagas[corrente]], sorted(outras, key=chave_de_ordem)


def haversine(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Distance in metres between two (lat, lng) in degrees (D25)."""
    lat_a, lng_a, lat_b, lng_b = (math.radians(grau) for grau in (*a, *b))
    meia_corda = (
        math.sin((lat_b - lat_a) / 2) ** 2 + math.cos(lat_a) * math.cos(lat_b) * math.sin((lng_b - lng_a) / 2) ** 2
    )
    return 2 * RAIO_DA_TERRA * math.asin(min(1.0, math.sqrt(meia_corda)))


def dbscan(pontos: list[tuple[float, float]], raio: float, min_pontos: int) -> list[int]:
    """Cluster of each point, -1 for noise (D25).

    A core point has at least min_pontos points, itself included, within raio. Clusters grow from the core points
    in input order; only core points carry them on, so a border point stays with the first cluster that reaches it.
    """
    todos = range(len(pontos))
    vizinhos = [[j for j in todos if haversine(pontos[i], pontos[j]) <= raio] for i in todos]
    rotulos = [-1] * len(pontos)
    proximo = 0
    for inicio in todos:
        if rotulos[inicio] != -1 or len(vizinhos[inicio]) < min_pontos:
            continue
        rotulos[inicio] = proximo
        fila = [inicio]
        while fila:
            ponto = fila.pop(0)
            if len(vizinhos[ponto]) < min_pontos:
                continue
            for vizinho in vizinhos[ponto]:
                if rotulos[vizinho] == -1:
                    rotulos[vizinho] = proximo
                    fila.append(vizinho)
        proximo += 1
    return rotulos


def agrupar(
    selecionadas: list[Dados], coordenadas: dict[str, tuple[float, float]], parametros: Dados, uc: str
) -> list[tuple[str, list[str]]]:
    """Groups as (grupo_id, members), per categoria_id, of the selected demands with coordinates (4.4, D25, D26)."""
    raio = float(parametros["clustering"]["raio_metros"])
    min_pontos = parametros["clustering"]["min_pontos"]
    grupos: list[tuple[str, list[str]]] = []
    for categoria in sorted({score["categoria_id"] for score in selecionadas}):
        demandas = sorted(
            score["demanda_id"]
            for score in selecionadas
            if score["categoria_id"] == categoria and score["demanda_id"] in coordenadas
        )
        rotulos = dbscan([coordenadas[demanda] for demanda in demandas], raio, min_pontos)
        for rotulo in sorted(set(rotulos) - {-1}):
            membros = [demanda for demanda, dele in zip(demandas, rotulos, strict=True) if dele == rotulo]
            if len(membros) >= min_pontos:
                grupos.append((str(uuid5(NAMESPACE_URL, "|".join([uc, categoria, *membros]))), membros))
    return grupos

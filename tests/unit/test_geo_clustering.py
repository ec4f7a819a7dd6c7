"""Groups are scikit-learn's DBSCAN per unit and category (4.4, D25, D26)."""

import math
from collections import defaultdict
from uuid import UUID, uuid5

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import DBSCAN

from d5_pipeline.dominio.geo_clustering import RAIO_DA_TERRA, agrupar

RAIO = 500.0
UM_METRO = math.degrees(1 / RAIO_DA_TERRA)  # of latitude

Ponto = tuple[str, str, str, float, float]

# Along one meridian, on a grid of 10 m shifted off the radius: distances are exact and never near 500 m.
passos = st.integers(0, 300).map(lambda passo: passo * 10 + 0.37 * (passo % 7))


@st.composite
def cidades(draw: st.DrawFn) -> list[Ponto]:
    """Demands of two units and two categories along a street."""
    lugares = draw(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from(["1.1", "2.2"]), passos), max_size=40))
    ordem = draw(st.permutations(range(len(lugares))))
    return [
        (unidade, categoria, f"{numero:04d}", metros * UM_METRO, 0.0)
        for numero, (unidade, categoria, metros) in zip(ordem, lugares, strict=True)
    ]


def _frame(pontos: list[Ponto]) -> pl.DataFrame:
    colunas = {"unidade_civica_id": pl.String, "categoria_id": pl.String, "demanda_id": pl.String}
    return pl.DataFrame(pontos, schema={**colunas, "lat": pl.Float64, "lng": pl.Float64}, orient="row")


def _grupos(pontos: list[Ponto], min_pontos: int, raio: float = RAIO) -> set[frozenset[str]]:
    membros: dict[str, set[str]] = defaultdict(set)
    for demanda, grupo in agrupar(_frame(pontos), raio, min_pontos).iter_rows():
        membros[grupo].add(demanda)
    return {frozenset(grupo) for grupo in membros.values()}


def _por_chave(pontos: list[Ponto]) -> list[list[Ponto]]:
    partes: dict[tuple[str, str], list[Ponto]] = defaultdict(list)
    for ponto in sorted(pontos, key=lambda p: p[2]):
        partes[ponto[0], ponto[1]].append(ponto)
    return list(partes.values())


@given(cidades())
def test_two_points_suffice_then_groups_are_connected_components(pontos: list[Ponto]) -> None:
    componentes: set[frozenset[str]] = set()
    for parte in _por_chave(pontos):
        rua = sorted(parte, key=lambda p: p[3])
        atual: list[Ponto] = []
        for ponto in [*rua, None]:
            if ponto is not None and atual and (ponto[3] - atual[-1][3]) / UM_METRO <= RAIO:
                atual.append(ponto)
                continue
            if len(atual) >= 2:
                componentes.add(frozenset(p[2] for p in atual))
            atual = [ponto] if ponto is not None else []
    assert _grupos(pontos, 2) == componentes


@given(cidades(), st.integers(1, 5))
def test_one_call_for_all_groups_equals_one_call_per_group(pontos: list[Ponto], min_pontos: int) -> None:
    esperados: set[frozenset[str]] = set()
    for parte in _por_chave(pontos):
        graus = np.radians(np.array([(p[3], p[4]) for p in parte]))
        modelo = DBSCAN(eps=RAIO / RAIO_DA_TERRA, min_samples=min_pontos, metric="haversine", algorithm="ball_tree")
        rotulos = modelo.fit(graus).labels_
        for rotulo in set(rotulos) - {-1}:
            grupo = frozenset(p[2] for p, r in zip(parte, rotulos, strict=True) if r == rotulo)
            if len(grupo) >= min_pontos:
                esperados.add(grupo)
    assert _grupos(pontos, min_pontos) == esperados


def test_cluster_that_shares_its_border_point_and_is_left_below_min_pontos_is_no_group() -> None:
    """D25, by hand: a and b have four points within 100 m each, ab among both; it goes to the cluster that came first.

    b is left with b1 and b2: three of four.
    """
    rua = {"a": 0, "a1": -50, "a2": -50, "ab": 90, "b": 180, "b1": 230, "b2": 230}
    pontos: list[Ponto] = [("u", "1.1", demanda, metros * UM_METRO, 0.0) for demanda, metros in rua.items()]
    assert _grupos(pontos, 4, raio=100) == {frozenset({"a", "a1", "a2", "ab"})}


def test_points_at_the_radius_are_neighbours_and_a_centimetre_farther_are_not() -> None:
    def par(metros: float) -> list[Ponto]:
        return [("a", "1.1", "0", 0.0, 0.0), ("a", "1.1", "1", metros * UM_METRO, 0.0)]

    assert _grupos(par(RAIO - 1e-5), 2) == {frozenset({"0", "1"})}
    assert _grupos(par(RAIO + 0.01), 2) == set()


def test_the_same_place_counts_as_near() -> None:
    assert _grupos([("a", "1.1", str(n), -23.5, -46.6) for n in range(3)], 3) == {frozenset("012")}


def test_units_and_categories_never_share_a_group() -> None:
    pontos = [(u, c, f"{u}{c}{n}", -23.5, -46.6) for u in "ab" for c in ("1.1", "1.2") for n in range(2)]
    assert _grupos(pontos, 2) == {frozenset({f"{u}{c}0", f"{u}{c}1"}) for u in "ab" for c in ("1.1", "1.2")}


def test_a_demand_without_coordinates_stays_alone() -> None:
    sem_lugar = _frame([("a", "1.1", "0", 0.0, 0.0), ("a", "1.1", "1", 0.0, 0.0)]).with_columns(
        lat=pl.when(pl.col("demanda_id") == "1").then(None).otherwise("lat")
    )
    assert agrupar(sem_lugar, RAIO, 2).is_empty()


def test_across_the_date_line_and_at_the_pole_near_is_near() -> None:
    meio = 100 * UM_METRO
    linha_de_data = [("a", "1.1", "0", 0.0, 180 - meio), ("a", "1.1", "1", 0.0, -180 + meio)]
    polo = [("a", "1.1", "0", 90 - meio, 0.0), ("a", "1.1", "1", 90 - meio, 180.0)]
    assert _grupos(linha_de_data, 2) == _grupos(polo, 2) == {frozenset("01")}


@pytest.mark.parametrize("mudanca", ["unidade_civica_id", "categoria_id", "demanda_id"])
def test_the_group_id_follows_from_unit_category_and_members(mudanca: str) -> None:
    pontos = _frame([("a", "1.1", "0", 0.0, 0.0), ("a", "1.1", "1", 0.0, 0.0)])
    outra = pontos.with_columns(pl.col(mudanca) + "x")
    ids = agrupar(pontos, RAIO, 2)["grupo_id"].unique().to_list()
    assert agrupar(pontos.reverse(), RAIO, 2)["grupo_id"].unique().to_list() == ids
    assert agrupar(outra, RAIO, 2)["grupo_id"].unique().to_list() != ids


def test_the_group_id_is_a_uuid5_that_no_version_of_this_program_may_change() -> None:
    """Rows written by an earlier version keep their group at the next rebuild (D26)."""
    nome = uuid5(UUID("d5a6e0da-0000-5000-8000-677275706f73"), "ú:1.1:0001,0002,0003")
    pontos = [("ú", "1.1", demanda, 0.0, 0.0) for demanda in ("0003", "0001", "0002")]
    assert set(agrupar(_frame(pontos), RAIO, 2)["grupo_id"]) == {str(nome)}

"""The statistics of the benchmark suite, and its workload."""

from collections import Counter

import pytest

from bench.carga import Cidade
from bench.medida import Medida, Meta, Serie, percentil


@pytest.mark.parametrize(
    ("amostras", "p", "esperado"),
    [([7.0], 95, 7), ([1, 2, 3, 4], 50, 2), (list(range(1, 101)), 95, 95), (list(range(1, 21)), 95, 19)],
)
def test_percentile_is_the_nearest_rank(amostras: list[float], p: float, esperado: float) -> None:
    assert percentil(amostras, p) == esperado


def test_series_sums_up_its_samples_in_any_order() -> None:
    serie = Serie.de("d5", "ms", [5, 1, 4, 2, 3])
    assert (serie.mediana, serie.p95, serie.n) == (3, 5, 5)


@pytest.mark.parametrize(
    ("meta", "valor", "cumprida", "alcance"),
    [
        (Meta("≥", 20), 30, True, 1.5),
        (Meta("≥", 20), 10, False, 0.5),
        (Meta("≤", 3), 3, True, 1),
        (Meta("≤", 3), 6, False, 0.5),
    ],
)
def test_target_says_whether_and_how_far(meta: Meta, valor: float, cumprida: bool, alcance: float) -> None:
    assert (meta.cumprida(valor), meta.alcance(valor)) == (cumprida, alcance)


def test_figure_whose_sides_disagree_reaches_no_target() -> None:
    medida = Medida("f", "n", "t", "r", (), 100, Meta("≥", 1), divergencia="backlog_items")
    assert not medida.cumprida


def test_workload_is_the_same_for_the_same_seed_and_has_the_stated_mix() -> None:
    eventos = list(Cidade(20).eventos(5_000))
    assert eventos == list(Cidade(20).eventos(5_000))
    assert eventos != list(Cidade(20, semente=6).eventos(5_000))
    tipos = Counter(evento.tipo for evento in eventos)
    assert tipos["demanda.ranqueada"] == pytest.approx(4_000, abs=20)
    assert (tipos["ranking.atualizado"], tipos["demanda.georreferenciada"]) == (200, 400)
    demandas = [evento.payload[15:51] for evento in eventos if evento.tipo == "demanda.ranqueada"]
    assert len(set(demandas)) == pytest.approx(2_000, abs=20)

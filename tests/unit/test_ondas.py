"""Waves: at most one rebuild of a unit per wave, as its last event, and nothing that shares a unit changes places."""

from datetime import UTC, datetime
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from d5_pipeline.dominio import eventos as ev
from d5_pipeline.dominio.ondas import cortar

UNIDADES = ["u1", "u2", "u3"]
DEMANDAS = ["d1", "d2", "d3", "d4"]


def _evento(sequencia: int, tipo: str, dados: ev.Dados) -> ev.Evento:
    return ev.Evento(sequencia, f"e{sequencia}", tipo, "1.0.0", "c", datetime(2026, 3, 1, tzinfo=UTC), dados)


def _ranking(sequencia: int, unidade: str) -> ev.Evento:
    return _evento(sequencia, ev.RANKING_ATUALIZADO, ev.RankingAtualizado(unidade))


def _sorteio(sequencia: int, demanda: str, unidade: str | None) -> ev.Evento:
    return _evento(sequencia, ev.CONSELHEIRO_SORTEADO, ev.Sorteado(demanda, unidade))


@st.composite
def _lotes(draw: st.DrawFn) -> list[ev.Evento]:
    eventos = []
    for sequencia in range(1, draw(st.integers(1, 25)) + 1):
        unidade, demanda = draw(st.sampled_from(UNIDADES)), draw(st.sampled_from(DEMANDAS))
        match draw(st.sampled_from(["sorteio", "ranking", "coordenada", "agregada", "manual"])):
            case "sorteio":
                eventos.append(_sorteio(sequencia, demanda, unidade))
            case "ranking":
                eventos.append(_ranking(sequencia, unidade))
            case "coordenada":
                dados = ev.Georreferenciada(demanda, (0.0, 0.0))
                eventos.append(_evento(sequencia, ev.DEMANDA_GEORREFERENCIADA, dados))
            case "agregada":
                membros = tuple(draw(st.lists(st.sampled_from(DEMANDAS), min_size=1)))
                eventos.append(_evento(sequencia, ev.DUPLICIDADE_AGREGADA, ev.Agregada("a", demanda, membros)))
            case _:
                eventos.append(_evento(sequencia, ev.RECONSTRUCAO_MANUAL, ev.ReconstrucaoManual((unidade,))))
    return eventos


vinculos = st.dictionaries(st.sampled_from(DEMANDAS), st.sets(st.sampled_from(UNIDADES), max_size=2))


def _toca(evento: ev.Evento, conhecidos: dict[str, set[str]]) -> set[str]:
    """The demands an event names, and the units it names or its demands are known in."""
    demandas = ev.demandas_citadas(evento.dados)
    return {*demandas, *ev.unidades_citadas(evento.dados), *(u for d in demandas for u in conhecidos.get(d, ()))}


@given(_lotes(), vinculos)
def test_every_event_lands_in_one_wave_in_log_order(eventos: list[ev.Evento], conhecidos: dict[str, set[str]]) -> None:
    ondas = cortar(eventos, conhecidos, [])
    assert sorted(e.sequence_number for onda in ondas for e in onda) == [e.sequence_number for e in eventos]
    assert all(onda == sorted(onda, key=lambda e: e.sequence_number) for onda in ondas)
    assert all(ondas)


@given(_lotes(), vinculos)
def test_events_that_share_a_unit_or_demand_keep_their_order(
    eventos: list[ev.Evento], conhecidos: dict[str, set[str]]
) -> None:
    onda_de = {e.sequence_number: n for n, onda in enumerate(cortar(eventos, conhecidos, [])) for e in onda}
    for antes, depois in combinations(eventos, 2):
        if _toca(antes, conhecidos) & _toca(depois, conhecidos):
            assert onda_de[antes.sequence_number] <= onda_de[depois.sequence_number]


@given(_lotes(), vinculos)
def test_nothing_of_a_unit_follows_its_rebuild_within_a_wave(
    eventos: list[ev.Evento], conhecidos: dict[str, set[str]]
) -> None:
    gatilhos = ev.RankingAtualizado | ev.Agregada | ev.ReconstrucaoManual
    for onda in cortar(eventos, conhecidos, []):
        for gatilho, seguinte in combinations(onda, 2):
            if isinstance(gatilho.dados, gatilhos):
                assert not _toca(gatilho, conhecidos) & _toca(seguinte, conhecidos)


def test_units_without_rebuilds_make_a_single_wave() -> None:
    eventos = [_sorteio(n, f"d{n}", "u1") for n in range(50)]
    assert cortar(eventos, {}, []) == [eventos]


def test_rebuilds_of_different_units_share_a_wave() -> None:
    eventos = [_ranking(1, "u1"), _ranking(2, "u2"), _ranking(3, "u1")]
    assert cortar(eventos, {}, []) == [eventos[:2], eventos[2:]]


def test_a_demand_that_moves_ties_the_units_between_which_it_moves() -> None:
    """Rebuilding u1 may take the row of d1 over from u2 (D16): u2's events wait for it."""
    eventos = [_sorteio(1, "d1", "u2"), _ranking(2, "u1"), _ranking(3, "u2")]
    assert cortar(eventos, {"d1": {"u1"}}, []) == [eventos[:2], eventos[2:]]


def test_a_stored_row_in_another_unit_than_its_score_ties_both_units() -> None:
    eventos = [_ranking(1, "u1"), _ranking(2, "u2")]
    assert cortar(eventos, {}, [("u2", "u1")]) == [eventos[:1], eventos[1:]]

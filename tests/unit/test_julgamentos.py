"""What the checks think of what they see: numbers in, verdicts out; no database, no clock."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from d5_pipeline.config import Alertas
from d5_pipeline.dominio.lacunas import Lacuna
from d5_pipeline.dominio.saude import LacunaPresa
from d5_pipeline.orquestracao import julgamentos
from d5_pipeline.orquestracao.julgamentos import Veredito

LIMITES = Alertas(atraso_s=60, atraso_grave_s=900, lacuna_s=300, lacuna_grave_s=3600, publicacao_s=300, anuncio_dias=7)
UC, OUTRA = "f0000001-0000-4000-8000-000000000001", "f0000002-0000-4000-8000-000000000002"
PORTADORES = [{"virtualtransaction": "3/17", "pid": 4711, "aplicacao": "d-4"}]


def resultado(veredito: Veredito) -> str:
    """passou, aviso or erro."""
    assert "\n" not in veredito.linha
    return "passou" if veredito.passou else "erro" if veredito.grave else "aviso"


@pytest.mark.parametrize(
    ("eventos", "segundos", "esperado"),
    [(0, 0, "passou"), (3, 59.9, "passou"), (3, 60, "aviso"), (3, 899, "aviso"), (3, 900, "erro")],
)
def test_lag_is_judged_by_the_age_of_the_oldest_event(eventos: int, segundos: float, esperado: str) -> None:
    veredito = julgamentos.atraso(eventos, segundos, LIMITES)
    assert resultado(veredito) == esperado
    assert veredito.dados == {"eventos_a_espera": eventos, "atraso_s": segundos}


def presa(inicio: int, fim: int, segundos: float, *portadores: dict[str, object]) -> LacunaPresa:
    """A hole that was seen so many seconds ago."""
    return LacunaPresa(Lacuna(inicio, fim, portadores), datetime(2026, 3, 1, tzinfo=UTC), segundos)


@pytest.mark.parametrize(("segundos", "esperado"), [(299, "passou"), (300, "aviso"), (3_600, "erro")])
def test_hole_is_judged_by_its_age_and_names_who_holds_it(segundos: float, esperado: str) -> None:
    presas = [presa(9, 9, segundos - 1), presa(43, 45, segundos, *PORTADORES)]
    veredito = julgamentos.lacuna(presas, LIMITES)
    assert resultado(veredito) == esperado
    assert veredito.dados == {"lacunas_abertas": 2, "lacuna_s": segundos}
    if not veredito.passou:
        assert "43 a 45" in veredito.linha
        assert "4711" in veredito.linha


def test_no_hole_is_right_and_a_prepared_transaction_has_no_process() -> None:
    assert resultado(julgamentos.lacuna([], LIMITES)) == "passou"
    assert (
        "uma transação preparada tem de terminar"
        in julgamentos.lacuna([presa(1, 1, 400, {"pid": None})], LIMITES).linha
    )


@pytest.mark.parametrize(
    ("abertas", "esgotadas", "esperado"), [(0, 0, "passou"), (1, 0, "aviso"), (0, 1, "erro"), (5, 2, "erro")]
)
def test_dead_letter_warns_while_it_is_tried_and_is_an_error_once_it_waits_for_a_person(
    abertas: int, esgotadas: int, esperado: str
) -> None:
    assert resultado(julgamentos.dlq(abertas, esgotadas)) == esperado


@pytest.mark.parametrize(("segundos", "esperado"), [(None, "passou"), (299, "passou"), (300, "erro")])
def test_publication_that_waits_is_an_error(segundos: float | None, esperado: str) -> None:
    assert resultado(julgamentos.publicacoes(0 if segundos is None else 4, segundos, LIMITES)) == esperado


def test_silent_units_are_named_ten_at_most() -> None:
    assert resultado(julgamentos.silenciosas([])) == "passou"
    veredito = julgamentos.silenciosas([f"uc{n:02d}" for n in range(12)])
    assert resultado(veredito) == "aviso"
    assert "uc09 e mais 2" in veredito.linha
    assert "uc10" not in veredito.linha


def test_unanswered_announcement_names_unit_demand_and_days() -> None:
    assert resultado(julgamentos.anuncios([], LIMITES)) == "passou"
    veredito = julgamentos.anuncios([(UC, "d1", 9.4), (OUTRA, "d2", 8)], LIMITES)
    assert resultado(veredito) == "aviso"
    assert f"{UC} (demanda d1, 9 dias)" in veredito.linha
    assert veredito.dados == {"anuncios_abertos": 2, "anuncio_dias": 9.4}


def pesos(*linhas: tuple[int, str | None, str | None]) -> list[tuple[str, int, Decimal | None, Decimal | None]]:
    """Rows of one unit: level, weight in the event, weight in the parameters."""
    return [(UC, nivel, Decimal(e) if e else None, Decimal(p) if p else None) for nivel, e, p in linhas]


@pytest.mark.parametrize(
    ("linhas", "esperado"),
    [
        (pesos((1, "0.8500", "0.8500"), (2, None, "0.6000")), "passou"),
        (pesos((1, "0.8500", "0.8500"), (2, "0.6000", "0.5000")), "aviso"),
        (pesos((1, "0.7500", "0.8500"), (3, "0.7600", "0.7500")), "erro"),
        (pesos((1, "0.0500", "0.8500")), "erro"),
        (pesos((1, "0.8500", "0.8500"), (4, "0.3000", None)), "aviso"),
        (pesos((1, "1.0000", None), (2, "1.0000", None)), "passou"),
        (pesos((1, "0.9000", None), (2, "0.6000", None)), "erro"),
    ],
    ids=[
        "iguais",
        "outro nível difere",
        "outro nível corrente",
        "corrente abaixo do limiar",
        "nível sem parâmetro",
        "unidade sem parâmetros e pesos iguais",
        "unidade sem parâmetros e pesos que diferem",
    ],
)
def test_drift_is_an_error_where_it_changes_the_current_level(
    linhas: list[tuple[str, int, Decimal | None, Decimal | None]], esperado: str
) -> None:
    """8.4: "a D-5 pode selecionar um nível corrente diferente do que o ranking reflete"."""
    assert resultado(julgamentos.pesos(linhas, limiar=0.1)) == esperado


def test_drift_counts_units_not_levels() -> None:
    duas = [*pesos((1, "0.7", "0.8"), (2, "0.5", "0.6")), (OUTRA, 1, Decimal("0.7"), Decimal("0.8"))]
    assert julgamentos.pesos(duas, 0.1).dados == {"unidades_divergentes": 2, "niveis_trocados": 0}


@pytest.mark.parametrize(
    ("segundos", "dito"), [(0, "0 s"), (119, "119 s"), (120, "2 min"), (7_200, "2 h"), (86_400 * 3, "3 d")]
)
def test_durations_are_said_in_the_unit_people_use(segundos: float, dito: str) -> None:
    assert julgamentos.duracao(segundos) == dito

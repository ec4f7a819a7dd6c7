"""When a running D-5 is ill: judged from signals alone."""

from datetime import UTC, datetime
from typing import Any

import pytest

from d5_pipeline.dominio.eventos import TIPOS_COM_CURSOR
from d5_pipeline.dominio.lacunas import Lacuna
from d5_pipeline.dominio.saude import Atraso, LacunaPresa, Limites, Sinais, motivos

LIMITES = Limites(atraso_maximo=300, sem_progresso=120)
SEM_ATRASO = dict.fromkeys(TIPOS_COM_CURSOR, Atraso(0, 0))
OCIOSO = Sinais(
    semeada=True,
    fim_do_log=100,
    desde=100,
    alto=100,
    sem_progresso=86_400,
    atrasos=SEM_ATRASO,
    lacunas=[],
    pendentes=0,
    pendentes_ha=0,
    dlq={},
)


def achados(**sinais: Any) -> list[str]:
    return list(motivos(OCIOSO._replace(**sinais), LIMITES))


def atraso(eventos: int, segundos: float) -> dict[str, Atraso]:
    return {**SEM_ATRASO, "demanda.concluída": Atraso(eventos, segundos), "ranking.atualizado": Atraso(1, 1)}


def lacuna(segundos: float, *portadores: dict[str, object]) -> list[LacunaPresa]:
    return [LacunaPresa(Lacuna(7, 9, portadores), datetime(2026, 3, 1, tzinfo=UTC), segundos)]


def test_service_with_nothing_to_do_is_healthy_however_long() -> None:
    assert achados() == []


@pytest.mark.parametrize(
    ("segundos", "parado", "doente"),
    [
        (301, 121, True),
        (300, 86_400, False),  # the lag is within its limit
        (86_400, 120, False),  # a large lag that shrinks
        (86_400, 0, False),
    ],
)
def test_lag_is_an_illness_only_while_nothing_moves(segundos: float, parado: float, doente: bool) -> None:
    encontrados = achados(atrasos=atraso(12, segundos), sem_progresso=parado)
    assert bool(encontrados) == doente
    if doente:
        assert encontrados == [
            "atraso de 301 s em demanda.concluída (12 evento(s)) e nenhum progresso há 121 s: o serviço parou? "
            "Veja 'd5 status'"
        ]


def test_hole_open_too_long_is_named_with_who_holds_it() -> None:
    quem: list[dict[str, object]] = [{"pid": 4711, "aplicacao": "d4"}, {"pid": 12, "aplicacao": ""}, {"pid": None}]
    assert achados(lacunas=lacuna(300, *quem)) == []
    assert achados(lacunas=lacuna(301, *quem)) == [
        "lacuna de 7 a 9 aberta há 301 s: o processo 4711 (d4), o processo 12 (sem nome), uma transação preparada "
        "ainda pode preenchê-la e tem de terminar"
    ]


def test_publications_are_stuck_once_the_first_has_waited_too_long() -> None:
    assert achados(pendentes=3, pendentes_ha=120) == []
    (motivo,) = achados(pendentes=3, pendentes_ha=121)
    assert motivo.startswith("3 publicação(ões) pendente(s), a primeira há 121 s")


def test_only_an_exhausted_dead_letter_is_an_illness() -> None:
    assert achados(dlq={("aplicacao", "aberta"): 9}) == []
    (motivo,) = achados(dlq={("aplicacao", "aberta"): 9, ("aplicacao", "esgotada"): 2})
    assert motivo.startswith("2 evento(s) esgotado(s) na DLQ")


def test_unseeded_cursors_are_the_only_reason_there_is() -> None:
    (motivo,) = achados(semeada=False, atrasos={}, pendentes=1, pendentes_ha=999)
    assert motivo.startswith("os cursores não foram semeados")


def test_cursor_above_the_log_is_an_illness() -> None:
    (motivo,) = achados(alto=101)
    assert motivo.startswith("cursor em 101, acima do fim do log (100)")


def test_every_reason_is_a_line_of_its_own() -> None:
    encontrados = achados(
        atrasos=atraso(1, 999), lacunas=lacuna(999), pendentes=1, pendentes_ha=999, dlq={("aplicacao", "esgotada"): 1}
    )
    assert len(encontrados) == 4
    assert all("\n" not in motivo for motivo in encontrados)

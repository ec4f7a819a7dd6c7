"""The sensor's thinking: situations in, decisions out; no database, no clock."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from d5_pipeline.dominio.lacunas import Lacuna
from d5_pipeline.orquestracao.vigia import Esperar, Execucao, Executar, conter, decidir
from d5_pipeline.processamento.situacao import Situacao

AGORA = datetime(2026, 3, 1, 12, tzinfo=UTC)
EM_DIA = Situacao(semeada=True, publicacoes=False, eventos=False, aplicado_ate=40, fim_do_log=42)
LACUNA = Lacuna(43, 45, ({"virtualtransaction": "3/17", "pid": 4711, "aplicacao": "d-4"},))


def ha(segundos: float) -> datetime:
    """That many seconds ago."""
    return AGORA - timedelta(seconds=segundos)


EM_CURSO = Execucao("0a1b2c3d-e4f5", True, ha(400), servidor_desde=ha(9_000), iniciada_em=ha(395), conectada=True)
SUCESSO = replace(EM_CURSO, em_curso=False, conectada=False)


def falha(segundos: float) -> Execucao:
    """A run that failed that long ago."""
    return replace(SUCESSO, falhou_em=ha(segundos))


def test_log_without_news_is_waited_on_by_its_end() -> None:
    assert decidir(EM_DIA) == Esperar("nada novo no log até 42")


@pytest.mark.parametrize(
    "situacao",
    [
        replace(EM_DIA, semeada=False),
        replace(EM_DIA, publicacoes=True),
        replace(EM_DIA, eventos=True),
        replace(EM_DIA, eventos=True, publicacoes=True, lacuna=LACUNA),
        replace(EM_DIA, fim_do_log=20_041),
    ],
    ids=["sem cursores", "publicações", "eventos", "publicações sob lacuna", "muitas linhas alheias"],
)
def test_work_that_can_be_done_is_worth_a_run(situacao: Situacao) -> None:
    assert isinstance(decidir(situacao), Executar)


def test_hole_is_named_with_those_who_may_fill_it() -> None:
    decisao = decidir(replace(EM_DIA, eventos=True, lacuna=LACUNA))
    assert decisao == Esperar("lacuna de 43 a 45: o processo 4711 (d-4) ainda pode preenchê-la")


def test_foreign_rows_above_a_hole_are_no_reason_for_a_run() -> None:
    assert isinstance(decidir(replace(EM_DIA, fim_do_log=30_000, lacuna=LACUNA)), Esperar)


def test_run_in_progress_holds_the_next_one_back() -> None:
    assert conter([EM_CURSO, SUCESSO], AGORA) == Esperar("execução 0a1b2c3d em curso")


def test_run_that_only_reports_holds_nobody_back() -> None:
    """Its events are applied and published: drawing maps must not delay the next event."""
    assert conter([replace(EM_CURSO, relatando=True), SUCESSO], AGORA) is None
    assert conter([replace(EM_CURSO, relatando=True), EM_CURSO], AGORA) == Esperar("execução 0a1b2c3d em curso")


@pytest.mark.parametrize(
    "partindo",
    [
        replace(EM_CURSO, iniciada_em=None, lancada_em=ha(29), conectada=False),
        replace(EM_CURSO, iniciada_em=None, lancada_em=ha(60), servidor_desde=ha(29), conectada=False),
        replace(EM_CURSO, iniciada_em=ha(14), conectada=False),
        replace(EM_CURSO, servidor_desde=ha(14), conectada=False),
    ],
    ids=["importando", "partindo com o servidor", "conectando", "reconectando"],
)
def test_run_on_its_way_holds_the_next_one_back(partindo: Execucao) -> None:
    assert isinstance(conter([partindo], AGORA), Esperar)


@pytest.mark.parametrize(
    "morta",
    [replace(EM_CURSO, conectada=False), replace(EM_CURSO, iniciada_em=None, conectada=False)],
    ids=["morta no meio", "morta na partida"],
)
def test_killed_run_holds_nobody_back(morta: Execucao) -> None:
    assert conter([morta], AGORA) is None


def test_one_failure_is_followed_at_once() -> None:
    assert conter([falha(1), SUCESSO], AGORA) is None


@pytest.mark.parametrize(("falhas", "pausa"), [(2, 10), (3, 20), (4, 30), (8, 30)])
def test_repeated_failures_are_followed_after_a_bounded_pause(falhas: int, pausa: int) -> None:
    seguidas = [falha(pausa - 1)] + [falha(100 * n) for n in range(1, falhas)]
    assert conter([*seguidas, SUCESSO], AGORA) == Esperar(
        f"as últimas {falhas} execuções falharam; nova tentativa em 1 s"
    )
    assert conter([falha(pausa), *seguidas[1:], SUCESSO], AGORA) is None


def test_success_ends_the_pause() -> None:
    assert conter([SUCESSO, falha(1), falha(2), falha(3)], AGORA) is None

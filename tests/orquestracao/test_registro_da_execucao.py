"""The structured log in a run's own log: the same fields, few rows, no line twice (8.1)."""

import json
import logging

import pytest
from dagster import DagsterInstance, EventLogEntry, ExecuteInProcessResult

from tests.apoio.banco import Banco
from tests.apoio.eventos import OUTRA_UC, UC, Evento, demanda, inserir, parametros, ranking, ranqueada, sorteado
from tests.orquestracao.orquestrador import Orquestrador

A, B = demanda(1), demanda(2)


@pytest.fixture(autouse=True)
def _preparado(banco: Banco, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("D5_LOG", raising=False)
    monkeypatch.delenv("D5_LOG_JSON", raising=False)
    banco.parametrizar(parametros())
    banco.semear()


def linhas(instancia: DagsterInstance, resultado: ExecuteInProcessResult) -> list[EventLogEntry]:
    """The messages in a run's log that are no events of the orchestrator's, but for the ops' summaries."""
    assert resultado.success
    return [
        linha
        for linha in instancia.all_logs(resultado.run_id)
        if linha.dagster_event is None and not linha.user_message.startswith("lidos: ")
    ]


def com(entradas: list[EventLogEntry], texto: str) -> list[EventLogEntry]:
    return [linha for linha in entradas if texto in linha.user_message]


def test_run_log_shows_what_each_event_did_with_its_identifiers(
    banco: Banco, orquestrador: Orquestrador, instancia: DagsterInstance
) -> None:
    sorteio, incompleto = sorteado(B), Evento("demanda.concluída", {"unidade_civica_id": UC})
    inserir(banco.conexao, ranqueada(A), sorteio, incompleto, ranking())
    escritas = linhas(instancia, orquestrador.processar())
    (fora,) = com(escritas, "conselheiro sorteado para demanda fora do backlog")
    assert (fora.level, fora.step_key) == (logging.WARNING, "publicar")
    assert fora.user_message.split("backlog ", 1)[1].split(" ") == [
        "tipo=conselheiro.sorteado",
        f"demanda_id={B}",
        f"unidade_civica_id={UC}",
        "status=atribuido",
        f"event_id={sorteio.event_id}",
        f"correlacao_id={sorteio.correlacao_id}",
        "sequence_number=2",
    ]
    (descarte,) = com(escritas, "evento descartado")
    assert descarte.level == logging.ERROR
    assert f"event_id={incompleto.event_id}" in descarte.user_message
    (inserida,) = com(escritas, "demanda inserida no backlog")
    assert (inserida.level, f"demanda_id={A}" in inserida.user_message) == (logging.INFO, True)
    (reconstruido,) = com(escritas, "backlog reconstruído")
    assert f"unidade_civica_id={UC}" in reconstruido.user_message


def test_json_log_is_json_in_the_run_log_as_well(
    banco: Banco, orquestrador: Orquestrador, instancia: DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("D5_LOG_JSON", "true")
    evento = ranqueada(A)
    inserir(banco.conexao, evento)
    (linha,) = com(linhas(instancia, orquestrador.processar()), "demanda inserida no backlog")
    campos = json.loads(linha.user_message)
    assert (campos["demanda_id"], campos["status"], campos["event_id"]) == (A, "disponivel", evento.event_id)


def test_no_line_is_written_twice(
    banco: Banco, orquestrador: Orquestrador, instancia: DagsterInstance, capfd: pytest.CaptureFixture[str]
) -> None:
    inserir(banco.conexao, sorteado(B))
    escritas = linhas(instancia, orquestrador.processar())
    assert len(com(escritas, "fora do backlog")) == 1
    assert capfd.readouterr().err.count("fora do backlog") == 1


def test_details_below_the_configured_level_are_in_the_run_log_only(
    banco: Banco, orquestrador: Orquestrador, instancia: DagsterInstance, capfd: pytest.CaptureFixture[str]
) -> None:
    inserir(banco.conexao, ranqueada(A))
    assert com(linhas(instancia, orquestrador.processar()), "demanda inserida no backlog") != []
    assert "demanda inserida" not in capfd.readouterr().err


def test_thousands_of_events_leave_few_rows_and_the_rebuilds_are_among_them(
    banco: Banco, orquestrador: Orquestrador, instancia: DagsterInstance
) -> None:
    """50 details, 100 warnings, 100 errors, each with a word about the limit; rebuilds have a quota of their own."""
    incompletos = [Evento("demanda.concluída", {}) for _ in range(150)]
    eventos = [ranqueada(demanda(n)) for n in range(500)] + [sorteado(demanda(n)) for n in range(1_000, 1_150)]
    inserir(banco.conexao, *eventos, *incompletos, ranking(UC), ranking(OUTRA_UC))
    escritas = linhas(instancia, orquestrador.processar())
    por_nivel = [sum(linha.level == nivel for linha in escritas) for nivel in (20, 30, 40)]
    assert por_nivel == [50 + 1 + 2, 100 + 1, 100 + 1]
    assert len(com(escritas, "backlog reconstruído")) == 2
    assert len(com(escritas, "limite de ")) == 3


def test_lines_of_a_failed_run_are_kept(banco: Banco, orquestrador: Orquestrador, instancia: DagsterInstance) -> None:
    banco.executar(f"alter table d5.backlog_scores add constraint veneno check (demanda_id <> '{A}') not valid")
    evento = ranqueada(A)
    inserir(banco.conexao, evento)
    resultado = orquestrador.processar()
    assert not resultado.success
    (morte,) = [x for x in instancia.all_logs(resultado.run_id) if x.user_message.startswith("evento enviado à DLQ")]
    assert (morte.level, morte.step_key) == (logging.ERROR, "drenar")
    for campo in (f"demanda_id={A}", f"unidade_civica_id={UC}", f"event_id={evento.event_id}"):
        assert campo in morte.user_message

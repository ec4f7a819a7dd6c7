"""A failed run becomes one line that says what to do, and a message to a real HTTP server where one is configured."""

from collections.abc import Iterator
from typing import Any

import pytest
import structlog
from dagster import DagsterEventType, DagsterInstance, ExecuteInProcessResult, build_run_status_sensor_context

from d5_pipeline import registro
from d5_pipeline.config import configuracao
from d5_pipeline.erros import ErroDeConfiguracao
from d5_pipeline.orquestracao.avisos import aviso_de_falha
from tests.apoio.banco import Banco
from tests.apoio.eventos import UC, demanda, inserir, ranking, ranqueada
from tests.apoio.ouvinte import SEGREDO, Ouvinte
from tests.orquestracao.orquestrador import Orquestrador

A, B = demanda(1), demanda(2)


@pytest.fixture
def ouvinte(monkeypatch: pytest.MonkeyPatch) -> Iterator[Ouvinte]:
    """The configured webhook."""
    proprio = Ouvinte()
    monkeypatch.setenv("D5_WEBHOOK_URL", proprio.url)
    yield proprio
    proprio.fechar()


@pytest.fixture
def linhas(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """The structured log's lines; what the sensor configures for a console stays out."""
    monkeypatch.setattr(registro, "configurar", lambda *_: None)
    with structlog.testing.capture_logs() as capturadas:
        yield capturadas


def tocar(instancia: DagsterInstance, resultado: ExecuteInProcessResult) -> None:
    """One evaluation of the sensor for a run that failed."""
    (evento,) = instancia.get_records_for_run(resultado.run_id, of_type=DagsterEventType.RUN_FAILURE).records
    with build_run_status_sensor_context(
        sensor_name="aviso_de_falha",
        dagster_event=evento.event_log_entry.get_dagster_event(),
        dagster_instance=instancia,
        dagster_run=resultado.dagster_run,
    ) as contexto:
        aviso_de_falha(contexto.for_run_failure())


def falha_do_pedido(orquestrador: Orquestrador) -> ExecuteInProcessResult:
    return orquestrador.reconstruir(["centro"])


def test_line_says_which_run_what_failed_and_what_to_do(
    banco: Banco, instancia: DagsterInstance, orquestrador: Orquestrador, linhas: list[Any]
) -> None:
    banco.semear()
    resultado = falha_do_pedido(orquestrador)
    tocar(instancia, resultado)
    (linha,) = linhas
    assert linha == {
        "event": "execução com falha",
        "log_level": "error",
        "trabalho": "reconstruir_agenda",
        "execucao": resultado.run_id,
        "falhou": "pedir: 'centro' não é um UUID de unidade cívica",
        "fazer": "nada mudou; corrija a causa e execute o trabalho de novo",
    }


def test_dead_letter_names_the_commands_that_show_and_re_drive_it(
    banco: Banco, instancia: DagsterInstance, orquestrador: Orquestrador, linhas: list[Any]
) -> None:
    banco.semear()
    banco.executar(f"alter table d5.backlog_scores add constraint recusa check (demanda_id <> '{A}') not valid")
    inserir(banco.conexao, ranqueada(A))
    tocar(instancia, orquestrador.processar())
    (linha,) = [linha for linha in linhas if linha["event"] == "execução com falha"]
    assert linha["falhou"].startswith("drenar: 1 evento(s) foram à DLQ")
    assert "'d5 dlq listar'" in linha["fazer"]


def test_refused_publication_says_that_the_next_run_goes_on(
    banco: Banco, instancia: DagsterInstance, orquestrador: Orquestrador, linhas: list[Any]
) -> None:
    banco.semear()
    inserir(banco.conexao, ranqueada(A))
    banco.executar("alter table core.event_log add constraint recusa check (origem <> 'D-5') not valid")
    tocar(instancia, orquestrador.processar())
    (linha,) = [linha for linha in linhas if linha["event"] == "execução com falha"]
    assert linha["falhou"].startswith("publicar: o log recusou")
    assert "a próxima execução publica primeiro o que está pendente" in linha["fazer"]


def test_webhook_gets_the_line_as_json(
    banco: Banco, instancia: DagsterInstance, orquestrador: Orquestrador, ouvinte: Ouvinte, linhas: list[Any]
) -> None:
    banco.semear()
    resultado = falha_do_pedido(orquestrador)
    tocar(instancia, resultado)
    ((caminho, corpo),) = ouvinte.recebidos
    assert caminho == f"/servicos/{SEGREDO}"
    assert corpo == {
        "text": f"reconstruir_agenda falhou (execução {resultado.run_id[:8]}): pedir: 'centro' não é um UUID de "
        "unidade cívica. O que fazer: nada mudou; corrija a causa e execute o trabalho de novo",
        "trabalho": "reconstruir_agenda",
        "execucao": resultado.run_id,
        "falhou": "pedir: 'centro' não é um UUID de unidade cívica",
        "fazer": "nada mudou; corrija a causa e execute o trabalho de novo",
    }
    assert len(linhas) == 1


def test_failure_that_only_repeats_the_last_one_is_not_sent_again(
    banco: Banco, instancia: DagsterInstance, orquestrador: Orquestrador, ouvinte: Ouvinte, linhas: list[Any]
) -> None:
    """An outage of hours fails a run every thirty seconds; each is a line, the first is a message."""
    banco.semear()
    for resultado in (falha_do_pedido(orquestrador), falha_do_pedido(orquestrador), orquestrador.reconstruir([])):
        tocar(instancia, resultado)
    assert [corpo["falhou"][:15] for _, corpo in ouvinte.recebidos] == ["pedir: 'centro'", "pedir: informe "]
    assert len(linhas) == 3
    inserir(banco.conexao, ranqueada(B), ranking())
    assert orquestrador.processar().success
    assert orquestrador.reconstruir([UC]).success
    tocar(instancia, orquestrador.reconstruir([]))
    assert len(ouvinte.recebidos) == 3, "after a success the same failure is news"


@pytest.mark.parametrize("status", [500, 404, 302])
def test_webhook_that_refuses_is_one_line_and_keeps_its_address_to_itself(
    banco: Banco,
    instancia: DagsterInstance,
    orquestrador: Orquestrador,
    linhas: list[Any],
    monkeypatch: pytest.MonkeyPatch,
    status: int,
) -> None:
    recusante = Ouvinte(status)
    monkeypatch.setenv("D5_WEBHOOK_URL", recusante.url)
    banco.semear()
    tocar(instancia, falha_do_pedido(orquestrador))
    recusante.fechar()
    assert len(recusante.recebidos) == 1, "neither retried nor redirected"
    assert linhas[1:] == [
        {
            "event": "aviso não entregue: o endereço de D5_WEBHOOK_URL o recusou",
            "log_level": "error",
            "status": status,
        }
    ]
    assert SEGREDO not in str(linhas)


def test_webhook_that_is_not_there_is_one_line_and_keeps_its_address_to_itself(
    banco: Banco,
    instancia: DagsterInstance,
    orquestrador: Orquestrador,
    linhas: list[Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fechado = Ouvinte()
    fechado.fechar()
    monkeypatch.setenv("D5_WEBHOOK_URL", fechado.url)
    banco.semear()
    tocar(instancia, falha_do_pedido(orquestrador))
    assert [linha["event"] for linha in linhas[1:]] == ["aviso não entregue: o endereço de D5_WEBHOOK_URL não responde"]
    assert SEGREDO not in str(linhas)


@pytest.mark.parametrize("valor", [f"ftp://x/{SEGREDO}", SEGREDO])
def test_address_that_is_none_is_refused_without_being_repeated(monkeypatch: pytest.MonkeyPatch, valor: str) -> None:
    monkeypatch.setenv("D5_WEBHOOK_URL", valor)
    with pytest.raises(ErroDeConfiguracao) as erro:
        configuracao()
    assert str(erro.value) == "variável de ambiente inválida: D5_WEBHOOK_URL: deve ser um endereço http ou https"


def test_run_that_somebody_declared_dead_is_told_without_the_librarys_words(
    instancia: DagsterInstance, orquestrador: Orquestrador, banco: Banco, linhas: list[Any]
) -> None:
    """A run whose process was killed has no failed step and no error."""
    banco.semear()
    resultado = orquestrador.processar()
    instancia.report_run_failed(resultado.dagster_run)
    tocar(instancia, resultado)
    (linha,) = (dita for dita in linhas if dita["event"] == "execução com falha")
    assert linha["falhou"] == "o processo da execução acabou sem encerrá-la: foi morto, ou a máquina parou"

"""The sensor on a real database: a run request where a run has something to do, else what it waits for."""

from contextlib import closing
from datetime import timedelta

import pytest
from dagster import DagsterInstance, DagsterRunStatus, RunRequest, SkipReason, build_sensor_context

from d5_pipeline.conexao import conectar
from d5_pipeline.definitions import build_defs
from d5_pipeline.orquestracao import sensores, vigia
from d5_pipeline.orquestracao.recursos import BancoD5, aplicacao_da_execucao
from d5_pipeline.orquestracao.relatorio import ETIQUETA_RELATO
from d5_pipeline.processamento.posicionamento import definir
from tests.apoio.banco import Banco
from tests.apoio.eventos import Evento, demanda, inserir, ranking, ranqueada
from tests.orquestracao.orquestrador import Orquestrador

A, B = demanda(1), demanda(2)
DESCONHECIDO = "postgresql://ninguem@127.0.0.1:1/nada"


@pytest.fixture(autouse=True)
def _um_olhar_por_turno(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sensores, "DURACAO_DO_TURNO", 0)


def avaliar(url: str, instancia: DagsterInstance) -> RunRequest | str:
    """One tick: the request, or the reason to skip."""
    with build_sensor_context(instance=instancia, resources={"banco": BancoD5(url=url)}) as contexto:
        resposta = sensores.vigia_do_log(contexto)
    if isinstance(resposta, SkipReason):
        return str(resposta.skip_message)
    assert isinstance(resposta, RunRequest)
    return resposta


def em_curso(instancia: DagsterInstance, banco: Banco, situacao: DagsterRunStatus) -> str:
    """A run of the job in this status; nobody executes it."""
    trabalho = build_defs(BancoD5(url=banco.url)).resolve_job_def("processar_eventos")
    return instancia.create_run_for_job(trabalho, status=situacao).run_id


def test_nothing_new_is_skipped_with_the_end_of_the_log(banco: Banco, instancia: DagsterInstance) -> None:
    inserir(banco.conexao, ranqueada(A), ranqueada(B))
    banco.semear(desde_inicio=False)
    assert avaliar(banco.url, instancia) == "nada novo no log até 2"


def test_foreign_events_are_nothing_new(banco: Banco, instancia: DagsterInstance) -> None:
    banco.semear()
    inserir(banco.conexao, Evento("voto.registrado", {}))
    assert avaliar(banco.url, instancia) == "nada novo no log até 1"


def test_consumed_event_requests_a_run_that_no_key_can_block(banco: Banco, instancia: DagsterInstance) -> None:
    banco.semear()
    inserir(banco.conexao, ranqueada(A))
    pedido = avaliar(banco.url, instancia)
    assert isinstance(pedido, RunRequest)
    assert pedido.run_key is None


def test_turn_looks_again_until_there_is_something_to_do(
    banco: Banco, instancia: DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    olhares = iter([vigia.Esperar("nada"), vigia.Esperar("nada ainda"), vigia.Executar("eventos"), vigia.Esperar("já")])
    monkeypatch.setattr(sensores, "DURACAO_DO_TURNO", 600)
    monkeypatch.setattr(sensores, "OLHAR_DE_NOVO", 0)
    monkeypatch.setattr(sensores, "olhar", lambda *_: next(olhares))
    pedido = avaliar(banco.url, instancia)
    assert isinstance(pedido, RunRequest)
    assert pedido.tags["d5/motivo"] == "eventos"
    assert len(list(olhares)) == 1, "three of the four were needed"


def test_unseeded_cursors_request_a_run(banco: Banco, instancia: DagsterInstance) -> None:
    assert isinstance(avaliar(banco.url, instancia), RunRequest)


def test_pending_publication_requests_a_run(
    banco: Banco, instancia: DagsterInstance, orquestrador: Orquestrador
) -> None:
    banco.semear()
    inserir(banco.conexao, ranking())
    banco.executar("alter table core.event_log add constraint recusa check (origem <> 'D-5')")
    assert not orquestrador.processar().success
    assert banco.valor("select count(*) from d5.publicacoes_pendentes") == 1
    assert isinstance(avaliar(banco.url, instancia), RunRequest)


def test_open_hole_is_waited_for_and_a_closed_one_is_not(
    banco: Banco, instancia: DagsterInstance, orquestrador: Orquestrador
) -> None:
    banco.semear()
    outra = conectar(banco.url, "d-4")
    outra.execute("begin")
    inserir(outra, ranqueada(A))
    inserir(banco.conexao, ranqueada(B))
    assert orquestrador.processar().success
    espera = avaliar(banco.url, instancia)
    assert espera == f"lacuna de 1 a 1: o processo {outra.info.backend_pid} (d-4) ainda pode preenchê-la"
    outra.execute("rollback")
    outra.close()
    assert isinstance(avaliar(banco.url, instancia), RunRequest)
    assert orquestrador.processar().success
    assert banco.valor("select demanda_id from d5.backlog_items") == B


def test_hole_below_cursors_that_an_operator_moved_is_not_waited_for(
    banco: Banco, instancia: DagsterInstance, orquestrador: Orquestrador
) -> None:
    banco.semear()
    outra = conectar(banco.url, "d-4")
    outra.execute("begin")
    inserir(outra, ranqueada(A))
    inserir(banco.conexao, ranking(), ranqueada(B))
    assert orquestrador.processar().success
    banco.executar("update d5.consumer_offset set last_sequence = 2, aplicado_ate = 2, ultimo_evento = 2")
    assert isinstance(avaliar(banco.url, instancia), RunRequest)
    outra.close()


def test_events_below_an_open_hole_are_not_kept_waiting_for_it(
    banco: Banco, instancia: DagsterInstance, orquestrador: Orquestrador
) -> None:
    """D3: an operator moved a cursor back; only what lies above the hole has to wait."""
    banco.semear()
    inserir(banco.conexao, ranqueada(A), ranking())
    with closing(conectar(banco.url, "d-4")) as outra:
        outra.execute("begin")
        (preso,) = inserir(outra, ranqueada(B))
        inserir(banco.conexao, ranking())
        assert orquestrador.processar().success
        assert str(avaliar(banco.url, instancia)).startswith(f"lacuna de {preso} a {preso}")
        definir(banco.conexao, ["ranking.atualizado"], 0)
        assert isinstance(avaliar(banco.url, instancia), RunRequest)


@pytest.mark.parametrize("situacao", [DagsterRunStatus.STARTING, DagsterRunStatus.STARTED])
def test_run_in_progress_is_not_joined_by_another(
    banco: Banco, instancia: DagsterInstance, situacao: DagsterRunStatus
) -> None:
    banco.semear()
    inserir(banco.conexao, ranqueada(A))
    run_id = em_curso(instancia, banco, situacao)
    assert avaliar(banco.url, instancia) == f"execução {run_id[:8]} em curso"


def test_run_that_only_reports_is_joined_by_another(banco: Banco, instancia: DagsterInstance) -> None:
    banco.semear()
    inserir(banco.conexao, ranqueada(A))
    run_id = em_curso(instancia, banco, DagsterRunStatus.STARTED)
    instancia.add_run_tags(run_id, {ETIQUETA_RELATO: "sim"})
    assert isinstance(avaliar(banco.url, instancia), RunRequest)


def test_killed_run_is_ended_and_replaced(
    banco: Banco, instancia: DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run whose process was killed stays in progress in Dagster's records; its missing session gives it away."""
    monkeypatch.setattr(vigia, "PRAZO_DE_PARTIDA", timedelta(0))
    banco.semear()
    inserir(banco.conexao, ranqueada(A))
    run_id = em_curso(instancia, banco, DagsterRunStatus.STARTED)
    sessao = conectar(banco.url, aplicacao_da_execucao(run_id))
    assert avaliar(banco.url, instancia) == f"execução {run_id[:8]} em curso"
    sessao.close()
    assert isinstance(avaliar(banco.url, instancia), RunRequest)
    (registro,) = instancia.get_run_records()
    assert registro.dagster_run.status == DagsterRunStatus.FAILURE


def test_unreachable_database_is_one_line(instancia: DagsterInstance) -> None:
    motivo = avaliar(DESCONHECIDO, instancia)
    assert isinstance(motivo, str)
    assert motivo.startswith("sem conexão com o banco")
    assert "\n" not in motivo


def test_unprepared_database_names_the_command_that_helps(banco: Banco, instancia: DagsterInstance) -> None:
    banco.executar("drop schema d5 cascade")
    assert avaliar(banco.url, instancia) == "o esquema d5 não existe neste banco; execute 'd5 preparar'"

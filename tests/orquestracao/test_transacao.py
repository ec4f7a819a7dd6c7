"""The run's transaction: one for all ops, gone with the run."""

import pytest
from dagster import (
    DagsterInstance,
    JobDefinition,
    JobExecutionResult,
    ReexecutionOptions,
    execute_job,
    reconstructable,
)

from d5_pipeline.definitions import build_defs
from d5_pipeline.orquestracao.unidade_de_trabalho import TransacaoPerdida, UnidadeDeTrabalho
from d5_pipeline.repositorio import cursores
from tests.apoio.banco import Banco
from tests.apoio.eventos import OUTRA_UC, demanda, inserir, ranking, ranqueada
from tests.apoio.observacao import impressao, itens
from tests.orquestracao.orquestrador import SEM_PERMANENCIA

A = demanda(1)


def trabalho() -> JobDefinition:
    """The job on the configured database, as a process of its own would load it."""
    return build_defs().resolve_job_def("processar_eventos")


@pytest.mark.parametrize("operacao", ["aplicar", "persistir", "publicar", "drenar"])
def test_op_executed_again_on_its_own_refuses(banco: Banco, monkeypatch: pytest.MonkeyPatch, operacao: str) -> None:
    monkeypatch.setenv("D5_DATABASE_URL", banco.url)
    banco.semear()
    inserir(banco.conexao, ranqueada(A))
    with DagsterInstance.ephemeral() as instancia:
        primeira = execute_job(reconstructable(trabalho), instancia, {"ops": SEM_PERMANENCIA})
        assert primeira.success
        antes = impressao(banco)
        de_novo = ReexecutionOptions(primeira.run_id, step_selection=[operacao])
        config = {"ops": SEM_PERMANENCIA} if operacao == "drenar" else {}
        segunda = execute_job(reconstructable(trabalho), instancia, config, reexecution_options=de_novo)
        assert "execute o trabalho inteiro de novo, nunca uma operação isolada" in erro_de(segunda, operacao)
    assert impressao(banco) == antes


def erro_de(resultado: JobExecutionResult, operacao: str) -> str:
    """The failure of an op, as the UI shows it."""
    (falha,) = [evento for evento in resultado.all_node_events if evento.is_step_failure]
    assert falha.step_key == operacao
    return str(falha.step_failure_data.error_display_string)


def test_run_that_ends_before_its_commit_leaves_nothing(banco: Banco, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("D5_DATABASE_URL", banco.url)
    banco.semear()
    inserir(banco.conexao, ranqueada(A))
    antes = impressao(banco)
    with DagsterInstance.ephemeral() as instancia:
        assert trabalho().execute_in_process(instance=instancia, op_selection=["ler", "aplicar"]).success
    assert impressao(banco) == antes


def test_step_outside_of_a_transaction_is_refused(banco: Banco) -> None:
    unidade = UnidadeDeTrabalho(banco.abrir)
    with pytest.raises(TransacaoPerdida):
        unidade.passo(lambda _: None)
    unidade.encerrar()


def test_fence_lost_to_another_writer_is_left_to_the_drain(banco: Banco) -> None:
    """The epoch moves under the transaction's feet, as where the row lock did not hold the other writer."""
    unidade = UnidadeDeTrabalho(banco.abrir)
    unidade.iniciar(tolerante=True)
    unidade.passo(lambda conexao: conexao.execute("update d5.controle set epoca = epoca + 1"))
    assert unidade.confirmar(lambda conexao: cursores.semear(conexao, 0)) is None
    assert unidade.desistiu
    assert not cursores.semeados(banco.conexao)
    assert unidade.passo(lambda _: "nunca") is None
    unidade.encerrar()


def test_connection_lost_in_a_wave_is_left_to_the_drain(banco: Banco) -> None:
    unidade = UnidadeDeTrabalho(banco.abrir)
    unidade.iniciar(tolerante=True)
    banco.executar("select pg_terminate_backend(%s)", unidade.conexao.info.backend_pid)
    assert unidade.passo(lambda conexao: conexao.execute("select 1")) is None
    assert unidade.desistiu
    assert unidade.conexao.execute("select 1").fetchone() == (1,)
    unidade.encerrar()


def test_fault_is_not_tolerated_where_no_drain_follows(banco: Banco) -> None:
    unidade = UnidadeDeTrabalho(banco.abrir)
    unidade.iniciar(tolerante=False)
    with pytest.raises(ZeroDivisionError):
        unidade.passo(lambda _: 1 // 0)
    assert itens(banco) == {}
    unidade.encerrar()


def test_time_spent_in_steps_stands_still_between_them(banco: Banco) -> None:
    """What a rebuild took does not include what the orchestrator does between its ops."""
    banco.semear()
    unidade = UnidadeDeTrabalho(banco.abrir)
    unidade.iniciar(tolerante=False)
    assert unidade.tempo_de_trabalho() == 0
    durante = unidade.passo(lambda _: unidade.tempo_de_trabalho())
    assert durante is not None
    depois = unidade.tempo_de_trabalho()
    assert depois > durante > 0
    assert unidade.tempo_de_trabalho() == depois
    unidade.encerrar()


def test_rebuilds_of_a_run_are_counted_with_the_time_of_its_steps(
    banco: Banco, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("D5_DATABASE_URL", banco.url)
    banco.semear()
    inserir(banco.conexao, ranqueada(A), ranking(), ranking(OUTRA_UC))
    with DagsterInstance.ephemeral() as instancia:
        resultado = trabalho().execute_in_process(instance=instancia, op_selection=["*publicar"])
        passos = instancia.get_run_step_stats(resultado.run_id)
    assert banco.valor("select sum(total) from d5.duracao_rebuilds") == 2
    duracao = sum(float(passo.end_time or 0) - float(passo.start_time or 0) for passo in passos)
    assert 0 < banco.valor("select sum(soma_ms) from d5.duracao_rebuilds") < duracao * 1_000

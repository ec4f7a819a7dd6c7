"""The job processar_eventos: the same tables and publications as the drain, and a failure where a person is needed."""

import json
from pathlib import Path
from typing import Any

import pytest

from d5_pipeline.barramento import publicador
from d5_pipeline.processamento.situacao import ha_trabalho
from tests.apoio.banco import Banco
from tests.apoio.eventos import demanda, inserir, ranking, ranqueada
from tests.apoio.observacao import anunciadas, aplicado_ate, cursor, fim_do_log, impressao, itens, publicacoes
from tests.orquestracao.orquestrador import Orquestrador, falhas
from tests.referencia.comparacao import comparar

A, B, C = demanda(1), demanda(2), demanda(3)

CONFORMIDADE = Path(__file__).parents[1] / "conformidade"
ONDA_A_ONDA = ["T04_T05_T06_ciclo", "T20_dois_grupos_um_solo", "E01_agregacao", "E23_sorteio_e_uc", "E26_validacao"]
INTEIROS = ["T03_rebuild", "T19_ciclo_completo", "E02_agregacao_duas_ucs", "E18_concluidas_liberam_vaga", "E25_nfd"]

RECUSAR_DEMANDA = """
    create function public.recusar() returns trigger language plpgsql as $$
    begin raise exception 'demanda impossível'; end $$;
    create trigger recusa before insert on d5.backlog_scores for each row
    when (new.demanda_id = 'd0000002-0000-4000-8000-000000000002') execute function public.recusar()
"""
RECUSAR_PUBLICACAO = """
    create function public.recusar() returns trigger language plpgsql as $$
    begin raise exception 'log em manutenção'; end $$;
    create trigger recusa before insert on core.event_log for each row
    when (new.tipo = 'agenda.gerada') execute function public.recusar()
"""


def preparar_caso(banco: Banco, nome: str) -> dict[str, Any]:
    """Loads a conformance case's parameters and log, and seeds at its beginning; returns what is expected."""
    caso = json.loads((CONFORMIDADE / f"{nome}.json").read_text(encoding="utf-8"))
    banco.parametrizar(caso["parametros"])
    banco.acrescentar(caso["eventos"])
    banco.semear()
    esperado: dict[str, Any] = caso["esperado"]
    return esperado


@pytest.mark.parametrize("nome", ONDA_A_ONDA)
def test_ops_alone_apply_the_log_wave_by_wave(banco: Banco, orquestrador: Orquestrador, nome: str) -> None:
    esperado = preparar_caso(banco, nome)
    while ha_trabalho(banco.conexao):
        assert orquestrador.processar_uma_onda().success
    assert comparar(banco.resultado(), esperado) == []


@pytest.mark.parametrize("nome", INTEIROS)
def test_one_run_applies_everything_pending(banco: Banco, orquestrador: Orquestrador, nome: str) -> None:
    esperado = preparar_caso(banco, nome)
    assert orquestrador.processar().success
    assert not ha_trabalho(banco.conexao)
    assert comparar(banco.resultado(), esperado) == []


def test_run_with_nothing_pending_succeeds_and_changes_nothing(banco: Banco, orquestrador: Orquestrador) -> None:
    banco.semear()
    antes = impressao(banco, "controle")
    resultado = orquestrador.processar()
    assert resultado.success
    assert resultado.output_for_node("drenar").lidos == 0
    assert impressao(banco, "controle") == antes


def test_first_run_seeds_the_cursors_at_the_end_of_the_log(banco: Banco, orquestrador: Orquestrador) -> None:
    """D1: what was in the log before the first boot is not replayed."""
    (numero,) = inserir(banco.conexao, ranqueada(A))
    assert orquestrador.processar().success
    assert aplicado_ate(banco) == {numero}
    assert itens(banco) == {}
    assert banco.valor("select count(*) from d5.intervencoes where tipo = 'semeadura'") == 1


def test_unprepared_database_fails_the_run_with_the_command_that_helps(
    banco: Banco, orquestrador: Orquestrador
) -> None:
    banco.executar("drop schema d5 cascade")
    resultado = orquestrador.processar()
    assert falhas(resultado) == {"ler": "o esquema d5 não existe neste banco; execute 'd5 preparar'"}


def test_poisonous_event_goes_to_the_dlq_its_neighbours_are_applied_and_the_run_fails(
    banco: Banco, orquestrador: Orquestrador
) -> None:
    """D11: the run is failed so that a person looks, but only after everything else was done."""
    banco.semear()
    banco.executar(RECUSAR_DEMANDA)
    _, veneno, ultimo = inserir(banco.conexao, ranqueada(A), ranqueada(B), ranqueada(C))
    resultado = orquestrador.processar()
    assert list(falhas(resultado)) == ["drenar"]
    assert falhas(resultado)["drenar"].startswith("1 evento(s) foram à DLQ")
    assert set(itens(banco)) == {A, C}
    assert anunciadas(banco) == [A]
    assert min(aplicado_ate(banco)) >= ultimo
    mortas = banco.consultar("select sequence_number, motivo, situacao from d5.dlq")
    assert mortas == [{"sequence_number": veneno, "motivo": "aplicacao", "situacao": "aberta"}]
    assert orquestrador.processar().success


def test_refused_publication_fails_the_run_and_leaves_state_and_cursor(
    banco: Banco, orquestrador: Orquestrador
) -> None:
    """T15: the state stays, the cursor does not advance, and the next run publishes before anything else."""
    banco.semear()
    inserir(banco.conexao, ranqueada(A, 100), ranqueada(B, 900))
    assert orquestrador.processar().success
    antes = fim_do_log(banco)
    banco.executar(RECUSAR_PUBLICACAO)
    (gatilho,) = inserir(banco.conexao, ranking())
    resultado = orquestrador.processar()
    assert list(falhas(resultado)) == ["publicar"]
    assert "log em manutenção" in falhas(resultado)["publicar"]
    assert [item["posicao"] for item in (itens(banco)[B], itens(banco)[A])] == [1, 2]
    assert cursor(banco, "ranking.atualizado") == 0
    assert publicacoes(banco, antes) == []
    banco.executar("drop trigger recusa on core.event_log")
    inserir(banco.conexao, ranqueada(C))
    assert orquestrador.processar().success
    assert [publicacao["tipo"] for publicacao in publicacoes(banco, antes)] == [
        "agenda.gerada",
        "agenda.item_disponível",
    ]
    assert cursor(banco, "ranking.atualizado") == gatilho


def test_run_applies_nothing_new_while_the_log_refuses_what_is_pending(
    banco: Banco, orquestrador: Orquestrador, monkeypatch: pytest.MonkeyPatch
) -> None:
    """D7: before anything else means before reading on."""
    monkeypatch.setattr(publicador, "ESPERAS", (0, 0, 0))
    banco.semear()
    banco.executar(RECUSAR_PUBLICACAO)
    (gatilho,) = inserir(banco.conexao, ranking())
    assert list(falhas(orquestrador.processar())) == ["publicar"]
    inserir(banco.conexao, ranqueada(C))
    resultado = orquestrador.processar()
    assert list(falhas(resultado)) == ["ler"]
    assert "log em manutenção" in falhas(resultado)["ler"]
    assert aplicado_ate(banco) == {gatilho}
    assert banco.consultar("select demanda_id from d5.backlog_scores") == []

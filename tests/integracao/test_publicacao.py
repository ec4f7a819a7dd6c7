"""A log that refuses our events: the scenarios T15 and T16 (7.2), D4 and D7."""

from dataclasses import replace
from typing import Any, Literal
from unicodedata import normalize

import pytest

from d5_pipeline.barramento import publicador
from d5_pipeline.barramento.publicador import publicar_pendentes
from d5_pipeline.erros import FalhaDePublicacao
from d5_pipeline.processamento.dreno import Dreno
from d5_pipeline.processamento.lote import processar_lote
from tests.apoio.banco import Banco
from tests.apoio.eventos import OUTRA_UC, UC, Evento, concluida, demanda, inserir, parametros, ranking, ranqueada
from tests.apoio.observacao import aplicado_ate, cursor, fim_do_log, itens, ordem, publicacoes

A, B, C = demanda(1), demanda(2), demanda(3)
Forma = Literal["NFC", "NFD"]

RECUSA = """
    create sequence public.tentativas;
    create function public.recusar() returns trigger language plpgsql as $$
    begin
        perform nextval('public.tentativas');
        raise exception 'log em manutenção';
    end $$
"""
GATILHOS = {
    "agenda.gerada": "create trigger recusa before insert on core.event_log for each row "
    "when (new.tipo = 'agenda.gerada') execute function public.recusar()",
    "agenda.item_disponível": "create trigger recusa before insert on core.event_log for each row "
    "when (new.tipo = 'agenda.item_disponível') execute function public.recusar()",
    "outra unidade": "create trigger recusa before insert on core.event_log for each row "
    "when (new.origem = 'D-5' and new.payload ->> 'unidade_civica_id' = 'f0000002-0000-4000-8000-000000000002') "
    "execute function public.recusar()",
}


@pytest.fixture(autouse=True)
def _inicio_do_log(banco: Banco) -> None:
    banco.parametrizar(parametros())
    banco.semear()


def recusar(banco: Banco, o_que: str) -> None:
    """From now on the log refuses these events and counts the attempts, beyond any rollback."""
    banco.executar(RECUSA)
    banco.executar(GATILHOS[o_que])


def tentativas(banco: Banco) -> int:
    """How often the log was asked to take a refused event."""
    return int(banco.valor("select case when is_called then last_value else 0 end from public.tentativas"))


def falhar(banco: Banco) -> list[float]:
    """A publication that gives up; the delays between its attempts, in seconds."""
    esperas: list[float] = []
    with pytest.raises(FalhaDePublicacao, match="log em manutenção"):
        list(publicar_pendentes(banco.conexao, esperas.append))
    return esperas


def mortas(banco: Banco) -> list[dict[str, Any]]:
    """The dead letters."""
    return banco.consultar("select sequence_number, event_id, tipo, motivo, situacao from d5.dlq order by id")


@pytest.mark.parametrize("recusado", ["agenda.gerada", "agenda.item_disponível"])
def test_refused_publication_leaves_the_state_and_stops_the_cursor(banco: Banco, recusado: str) -> None:
    """T15 and T16: four attempts, half a second, one and two between them."""
    inserir(banco.conexao, ranqueada(A, 100), ranqueada(B, 900))
    banco.processar()
    antes = fim_do_log(banco)
    recusar(banco, recusado)
    gatilho = ranking()
    (numero,) = inserir(banco.conexao, gatilho)
    processar_lote(banco.conexao, 100)
    assert falhar(banco) == [0.5, 1.0, 2.0]
    assert tentativas(banco) == 4
    assert ordem(banco) == [(1, B, "disponivel"), (2, A, "disponivel")]
    assert {item["event_id"] for item in itens(banco).values()} == {gatilho.event_id}
    assert cursor(banco, "ranking.atualizado") == 0
    assert aplicado_ate(banco) == {numero}
    assert mortas(banco) == [
        {
            "sequence_number": numero,
            "event_id": gatilho.event_id,
            "tipo": "ranking.atualizado",
            "motivo": "publicacao",
            "situacao": "aberta",
        }
    ]
    assert publicacoes(banco, antes) == []


def test_next_run_publishes_once_in_order_before_anything_else(banco: Banco) -> None:
    """T15 with D7: the dead letter is closed by the commit that publishes, and its trigger is not applied again."""
    recusar(banco, "agenda.gerada")
    _, numero = inserir(banco.conexao, ranqueada(A), ranking())
    processar_lote(banco.conexao, 100)
    pendentes = banco.consultar("select event_id, tipo from d5.publicacoes_pendentes order by id")
    falhar(banco)
    inserir(banco.conexao, ranqueada(B, uc=OUTRA_UC))
    banco.executar("drop trigger recusa on core.event_log")
    resumo = banco.processar()
    assert (resumo.lidos, resumo.reconstrucoes, resumo.publicacoes) == (1, 0, 2)
    publicadas = publicacoes(banco)
    assert [(p["event_id"], p["tipo"]) for p in publicadas[:2]] == [(p["event_id"], p["tipo"]) for p in pendentes]
    assert [p["payload"]["unidade_civica_id"] for p in publicadas] == [UC, UC, OUTRA_UC]
    assert [morta["situacao"] for morta in mortas(banco)] == ["resolvida"]
    assert cursor(banco, "ranking.atualizado") == numero
    assert banco.valor("select count(*) from d5.publicacoes_pendentes") == 0


def test_nothing_new_is_applied_while_the_log_refuses_what_is_pending(
    banco: Banco, monkeypatch: pytest.MonkeyPatch
) -> None:
    """D7: before anything else means before reading on."""
    monkeypatch.setattr(publicador, "ESPERAS", (0, 0, 0))
    recusar(banco, "agenda.gerada")
    _, numero = inserir(banco.conexao, ranqueada(A), ranking())
    processar_lote(banco.conexao, 100)
    inserir(banco.conexao, ranqueada(B, uc=OUTRA_UC))
    with pytest.raises(FalhaDePublicacao):
        banco.processar()
    assert aplicado_ate(banco) == {numero}
    assert [x["demanda_id"] for x in banco.consultar("select demanda_id from d5.backlog_scores")] == [A]


def test_repeated_failures_are_one_dead_letter_per_trigger(banco: Banco) -> None:
    """D7."""
    recusar(banco, "agenda.gerada")
    inserir(banco.conexao, ranking())
    processar_lote(banco.conexao, 100)
    for falhas in (1, 2, 3):
        assert falhar(banco) == [0.5, 1.0, 2.0]
        assert tentativas(banco) == 4 * falhas
        assert [morta["situacao"] for morta in mortas(banco)] == ["aberta"]
    assert banco.valor("select tentativas from d5.dlq") == 12


def prender_a_segunda(banco: Banco) -> tuple[list[Evento], list[int]]:
    """Three applied triggers with a publication each; the log refuses the second one's."""
    recusar(banco, "outra unidade")
    eventos = [ranqueada(A), ranqueada(B, uc=OUTRA_UC), ranking()]
    numeros = inserir(banco.conexao, *eventos)
    processar_lote(banco.conexao, 100)
    return eventos, numeros


def test_triggers_before_the_refused_one_go_out_and_later_ones_wait(banco: Banco) -> None:
    """D4 and D7: order is kept, and each cursor stops at its last event below the refused trigger."""
    eventos, numeros = prender_a_segunda(banco)
    falhar(banco)
    assert [p["correlacao_id"] for p in publicacoes(banco)] == [eventos[0].correlacao_id]
    assert [(m["event_id"], m["situacao"]) for m in mortas(banco)] == [(eventos[1].event_id, "aberta")]
    assert cursor(banco, "demanda.ranqueada") == numeros[0]
    assert cursor(banco, "ranking.atualizado") == 0
    banco.executar("drop trigger recusa on core.event_log")
    banco.processar()
    assert [p["correlacao_id"] for p in publicacoes(banco)] == [evento.correlacao_id for evento in eventos]
    assert (cursor(banco, "demanda.ranqueada"), cursor(banco, "ranking.atualizado")) == (numeros[1], numeros[2])


def test_refused_trigger_gets_four_attempts_wherever_it_stands_in_the_queue(banco: Banco) -> None:
    """3.8: four attempts, half a second to two seconds apart; the triggers around it wait for nothing."""
    prender_a_segunda(banco)
    assert falhar(banco) == [0.5, 1.0, 2.0]
    assert tentativas(banco) == 4


@pytest.mark.parametrize("formas", [("NFC", "NFD"), ("NFD", "NFC")], ids=["NFC antes", "NFD antes"])
def test_cursor_stops_at_the_last_event_of_its_type_however_it_is_spelt(
    banco: Banco, formas: tuple[Forma, Forma]
) -> None:
    """D4, D5: two spellings of one type below the refused trigger."""
    recusar(banco, "agenda.gerada")
    concluidas = [replace(concluida(A), tipo=normalize(forma, "demanda.concluída")) for forma in formas]
    _, _, ultimo, _ = inserir(banco.conexao, ranqueada(A), *concluidas, ranking())
    processar_lote(banco.conexao, 100)
    falhar(banco)
    assert cursor(banco, "demanda.concluída") == ultimo


def test_dead_letter_stays_open_until_the_last_row_of_its_trigger_is_out(
    banco: Banco, monkeypatch: pytest.MonkeyPatch
) -> None:
    """D7: a trigger's rows may go out in more than one transaction; the last of them settles it."""
    monkeypatch.setattr(publicador, "LINHAS_POR_TRANSACAO", 1)
    inserir(banco.conexao, ranqueada(A, 100), ranqueada(B, 900))
    banco.processar()
    recusar(banco, "agenda.gerada")
    inserir(banco.conexao, ranking())
    processar_lote(banco.conexao, 100)
    assert banco.valor("select count(*) from d5.publicacoes_pendentes") == 2
    falhar(banco)
    banco.executar("drop trigger recusa on core.event_log")
    passos = publicar_pendentes(banco.conexao, lambda _: None)
    for situacao in ("aberta", "resolvida"):
        assert next(passos) == 1
        assert [morta["situacao"] for morta in mortas(banco)] == [situacao]


def test_what_went_out_before_a_refusal_is_in_the_summary(banco: Banco, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publicador, "ESPERAS", (0, 0, 0))
    prender_a_segunda(banco)
    dreno = Dreno(banco.abrir)
    with pytest.raises(FalhaDePublicacao):
        dreno.drenar()
    assert dreno.resumo.publicacoes == len(publicacoes(banco)) == 1

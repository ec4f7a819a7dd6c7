"""The specification's scenarios T1 to T14 (7.2) on a real database, claim by claim."""

from datetime import timedelta
from decimal import Decimal

import pytest

from d5_pipeline.processamento.posicionamento import definir
from tests.apoio.banco import Banco
from tests.apoio.eventos import (
    INICIO,
    UC,
    Evento,
    concluida,
    demanda,
    iniciada,
    inserir,
    parametros,
    ranking,
    ranqueada,
    sorteado,
)
from tests.apoio.observacao import anunciadas, cursor, fim_do_log, impressao, itens, ordem, publicacoes

A, B, C = demanda(1), demanda(2), demanda(3)
LIDO_DE_NOVO = ("consumer_offset", "controle", "intervencoes", "lacunas")


@pytest.fixture(autouse=True)
def _inicio_do_log(banco: Banco) -> None:
    banco.parametrizar(parametros())
    banco.semear()


def aplicar(banco: Banco, *eventos: Evento) -> list[int]:
    """Events into the log, and through `d5 processar`'s code; returns their numbers."""
    numeros = inserir(banco.conexao, *eventos)
    banco.processar()
    return numeros


def test_first_demand_of_a_unit_enters_at_position_one_and_is_announced(banco: Banco) -> None:
    """T1."""
    evento = ranqueada(A, 8075)
    (numero,) = aplicar(banco, evento)
    (score,) = banco.consultar("select * from d5.backlog_scores")
    assert (score["demanda_id"], score["score_final"], score["sequence_number"]) == (A, Decimal("8075.00"), numero)
    item = itens(banco)[A]
    assert (item["posicao"], item["status"], item["grupo_id"], item["entrou_em"]) == (1, "disponivel", None, INICIO)
    (publicada,) = publicacoes(banco)
    assert (publicada["tipo"], publicada["versao_schema"]) == ("agenda.item_disponível", "1.0.0")
    assert publicada["correlacao_id"] == evento.correlacao_id
    assert publicada["payload"].pop("timestamp")
    assert publicada["payload"] == {
        "demanda_id": A,
        "unidade_civica_id": UC,
        "posicao_no_backlog": 1,
        "score_final": 8075,
        "categoria_id": "1.1",
        "nivel_precedencia": 1,
        "grupo_id": None,
    }
    assert cursor(banco, "demanda.ranqueada") == numero


def test_later_demand_enters_after_the_count_without_announcement(banco: Banco) -> None:
    """T2."""
    aplicar(banco, ranqueada(A, 100))
    antes = fim_do_log(banco)
    (numero,) = aplicar(banco, ranqueada(B, 900))
    assert ordem(banco) == [(1, A, "disponivel"), (2, B, "disponivel")]
    assert publicacoes(banco, antes) == []
    assert cursor(banco, "demanda.ranqueada") == numero


def test_rebuild_orders_the_backlog_and_announces_a_new_top_once(banco: Banco) -> None:
    """T3."""
    aplicar(banco, ranqueada(A, 100), ranqueada(B, 900))
    antes = fim_do_log(banco)
    gatilho = ranking()
    (numero,) = aplicar(banco, gatilho)
    assert ordem(banco) == [(1, B, "disponivel"), (2, A, "disponivel")]
    assert {item["event_id"] for item in itens(banco).values()} == {gatilho.event_id}
    assert [p["tipo"] for p in publicacoes(banco, antes)] == ["agenda.gerada", "agenda.item_disponível"]
    assert {p["correlacao_id"] for p in publicacoes(banco, antes)} == {gatilho.correlacao_id}
    assert anunciadas(banco, antes) == [B]
    assert cursor(banco, "ranking.atualizado") == numero
    aplicar(banco, ranking())
    assert anunciadas(banco, antes) == [B]


def test_draw_marks_the_item_and_announces_the_next_available_one(banco: Banco) -> None:
    """T4."""
    aplicar(banco, ranqueada(A), ranqueada(B), ranqueada(C))
    antes = fim_do_log(banco)
    aplicar(banco, sorteado(A))
    assert ordem(banco) == [(1, A, "atribuido"), (2, B, "disponivel"), (3, C, "disponivel")]
    assert anunciadas(banco, antes) == [B]


def test_draw_below_the_top_announces_nothing(banco: Banco) -> None:
    """T4: only where the top changes."""
    aplicar(banco, ranqueada(A), ranqueada(B))
    antes = fim_do_log(banco)
    aplicar(banco, sorteado(B))
    assert ordem(banco) == [(1, A, "disponivel"), (2, B, "atribuido")]
    assert publicacoes(banco, antes) == []


def test_start_moves_a_drawn_item_to_in_progress_and_publishes_nothing(banco: Banco) -> None:
    """T5."""
    aplicar(banco, ranqueada(A), sorteado(A))
    antes = fim_do_log(banco)
    aplicar(banco, iniciada(A))
    assert ordem(banco) == [(1, A, "em_progresso")]
    assert publicacoes(banco, antes) == []


def test_conclusion_ends_the_item_and_announces_a_top_that_changed(banco: Banco) -> None:
    """T6: the start out of turn took the announced item away without an announcement (D9)."""
    aplicar(banco, ranqueada(A), ranqueada(B), iniciada(A))
    assert anunciadas(banco) == [A]
    aplicar(banco, concluida(A, INICIO + timedelta(days=3)))
    assert ordem(banco) == [(1, A, "concluido"), (2, B, "disponivel")]
    item = itens(banco)[A]
    assert (item["data_conclusao"], item["dias_ate_conclusao"]) == (INICIO + timedelta(days=3), 3)
    assert anunciadas(banco) == [A, B]


def test_conclusion_announces_nothing_where_the_top_stays(banco: Banco) -> None:
    """T6."""
    aplicar(banco, ranqueada(A), ranqueada(B), sorteado(A), iniciada(A))
    antes = fim_do_log(banco)
    aplicar(banco, concluida(A))
    assert publicacoes(banco, antes) == []


def test_redelivered_score_writes_and_publishes_nothing(banco: Banco) -> None:
    """T7."""
    (numero,) = aplicar(banco, ranqueada(A))
    antes = impressao(banco, *LIDO_DE_NOVO)
    definir(banco.conexao, ["demanda.ranqueada"], 0)
    assert cursor(banco, "demanda.ranqueada") == 0
    assert banco.processar().lidos == 1
    assert impressao(banco, *LIDO_DE_NOVO) == antes
    assert cursor(banco, "demanda.ranqueada") == numero


def test_redelivered_ranking_rebuilds_again_without_a_second_announcement(banco: Banco) -> None:
    """T8."""
    _, numero = aplicar(banco, ranqueada(A), ranking())
    antes, linhas = fim_do_log(banco), itens(banco)
    definir(banco.conexao, ["ranking.atualizado"], 0)
    assert banco.processar().reconstrucoes == 1
    assert [p["tipo"] for p in publicacoes(banco, antes)] == ["agenda.gerada"]
    geradas = [p["event_id"] for p in publicacoes(banco) if p["tipo"] == "agenda.gerada"]
    assert len(set(geradas)) == 2
    assert itens(banco) == linhas
    assert cursor(banco, "ranking.atualizado") == numero


@pytest.mark.parametrize("completo", [ranqueada(A), ranking()], ids=lambda evento: evento.tipo)
def test_payload_without_unidade_civica_is_discarded_and_the_cursor_moves(banco: Banco, completo: Evento) -> None:
    """T9."""
    payload = {campo: valor for campo, valor in completo.payload.items() if campo != "unidade_civica_id"}
    evento = Evento(completo.tipo, payload, versao_schema=completo.versao_schema)
    antes = impressao(banco, *LIDO_DE_NOVO, "eventos_descartados", "event_log")
    (numero,) = aplicar(banco, evento)
    (descarte,) = banco.consultar("select * from d5.eventos_descartados")
    assert (descarte["sequence_number"], descarte["event_id"], descarte["tipo"]) == (
        numero,
        evento.event_id,
        evento.tipo,
    )
    assert "unidade_civica_id" in descarte["motivo"]
    assert impressao(banco, *LIDO_DE_NOVO, "eventos_descartados", "event_log") == antes
    assert cursor(banco, evento.tipo) == numero


@pytest.mark.parametrize(
    "tipo",
    ["conselheiro.sorteado", "conselheiro.demanda_iniciada", "demanda.concluída", "demanda.conclusao_confirmada"],
)
def test_status_event_without_demanda_id_is_discarded_and_the_cursor_moves(banco: Banco, tipo: str) -> None:
    """T10."""
    evento = Evento(tipo, {"unidade_civica_id": UC, "ratificacao_necessaria": False})
    (numero,) = aplicar(banco, evento)
    (descarte,) = banco.consultar("select * from d5.eventos_descartados")
    assert (descarte["sequence_number"], descarte["tipo"]) == (numero, tipo)
    assert "demanda_id" in descarte["motivo"]
    assert (itens(banco), publicacoes(banco)) == ({}, [])
    assert cursor(banco, tipo) == numero


def test_unit_without_weights_takes_the_best_scores_of_any_level(banco: Banco) -> None:
    """T11."""
    banco.parametrizar(parametros(capacidade_padrao=3))
    niveis = {A: (5, 300), B: (4, 100), C: (3, 500), demanda(4): (2, 400), demanda(5): (1, 200)}
    aplicar(banco, *(ranqueada(d, score, nivel=nivel) for d, (nivel, score) in niveis.items()), ranking())
    assert [d for _, d, _ in ordem(banco)] == [C, demanda(4), A]
    gerada = next(p["payload"] for p in publicacoes(banco) if p["tipo"] == "agenda.gerada")
    assert gerada["distribuicao_decay"] == {
        "nivel_nao_vencido": None,
        "itens_nivel_prioritario": 0,
        "itens_outros_niveis": 3,
    }


def test_draw_outside_the_backlog_inserts_a_drawn_row_without_a_rebuild(banco: Banco) -> None:
    """T12."""
    (numero,) = aplicar(banco, sorteado(A))
    item = itens(banco)[A]
    assert (item["posicao"], item["score"], item["status"]) == (0, 0, "atribuido")
    assert (item["unidade_civica_id"], item["categoria_id"], item["nivel_precedencia"]) == (UC, "0.0", 0)
    assert publicacoes(banco) == []
    assert cursor(banco, "conselheiro.sorteado") == numero


def test_second_start_changes_nothing(banco: Banco) -> None:
    """T13."""
    aplicar(banco, ranqueada(A), sorteado(A), iniciada(A))
    antes, publicadas = itens(banco), publicacoes(banco)
    (numero,) = aplicar(banco, iniciada(A, INICIO + timedelta(hours=1)))
    assert (itens(banco), publicacoes(banco)) == (antes, publicadas)
    assert cursor(banco, "conselheiro.demanda_iniciada") == numero


def test_second_conclusion_changes_nothing(banco: Banco) -> None:
    """T14."""
    aplicar(banco, ranqueada(A), sorteado(A), iniciada(A), concluida(A, INICIO + timedelta(days=1)))
    antes, publicadas = itens(banco), publicacoes(banco)
    (numero,) = aplicar(banco, concluida(A, INICIO + timedelta(days=9), dias_ate_conclusao=9))
    assert (itens(banco), publicacoes(banco)) == (antes, publicadas)
    assert cursor(banco, "demanda.concluída") == numero

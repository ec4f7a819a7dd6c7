"""The specification's scenarios T17 to T25 (7.2) on a real database, claim by claim."""

from datetime import timedelta

import pytest

from d5_pipeline.processamento.posicionamento import definir
from tests.apoio.banco import Banco
from tests.apoio.eventos import (
    INICIO,
    PESOS,
    UC,
    Evento,
    agregada,
    concluida,
    confirmada,
    demanda,
    georreferenciada,
    iniciada,
    inserir,
    parametros,
    ranking,
    ranqueada,
    sorteado,
)
from tests.apoio.observacao import anunciadas, cursor, fim_do_log, impressao, itens, ordem, publicacoes

A, B, C, D, E = (demanda(numero) for numero in range(1, 6))


@pytest.fixture(autouse=True)
def _inicio_do_log(banco: Banco) -> None:
    banco.parametrizar(parametros())
    banco.semear()


def aplicar(banco: Banco, *eventos: Evento) -> list[int]:
    """Events into the log, and through `d5 processar`'s code; returns their numbers."""
    numeros = inserir(banco.conexao, *eventos)
    banco.processar()
    return numeros


def test_distant_demands_form_no_group_and_keep_their_order(banco: Banco) -> None:
    """T17."""
    aplicar(
        banco,
        *(ranqueada(d, score) for d, score in ((A, 100), (B, 200))),
        georreferenciada(A, -23.55, -46.63),
        georreferenciada(B, -23.56, -46.63),
        ranking(),
    )
    assert [(posicao, d) for posicao, d, _ in ordem(banco)] == [(1, B), (2, A)]
    assert {item["grupo_id"] for item in itens(banco).values()} == {None}
    (gerada,) = (p["payload"] for p in publicacoes(banco) if p["tipo"] == "agenda.gerada")
    assert (gerada["total_itens"], gerada["grupos_territoriais"]) == (2, 0)


def test_unit_without_scores_publishes_an_empty_agenda_and_keeps_only_aggregated_rows(banco: Banco) -> None:
    """T18: both rows come from draws outside the backlog, so that the unit has rows and no scores."""
    aplicar(banco, sorteado(A), agregada(C, [A]), sorteado(B))
    assert {d: item["status"] for d, item in itens(banco).items()} == {A: "agregado", B: "atribuido"}
    antes = fim_do_log(banco)
    aplicar(banco, ranking())
    assert {d: item["status"] for d, item in itens(banco).items()} == {A: "agregado"}
    (gerada,) = publicacoes(banco, antes)
    assert gerada["tipo"] == "agenda.gerada"
    assert gerada["payload"].pop("timestamp")
    assert gerada["payload"] == {
        "unidade_civica_id": UC,
        "total_itens": 0,
        "distribuicao_decay": {"nivel_nao_vencido": None, "itens_nivel_prioritario": 0, "itens_outros_niveis": 0},
        "top_10": [],
        "grupos_territoriais": 0,
        "versao_parametros": "mvp-v1",
    }


def test_five_demands_go_through_the_whole_cycle(banco: Banco) -> None:
    """T19."""
    aplicar(banco, *(ranqueada(d, 100 * numero) for numero, d in enumerate((A, B, C, D, E), 1)))
    assert banco.valor("select count(*) from d5.backlog_scores") == 5
    assert [d for _, d, _ in ordem(banco)] == [A, B, C, D, E]
    assert [p["tipo"] for p in publicacoes(banco)] == ["agenda.item_disponível"]
    aplicar(banco, ranking())
    assert [d for _, d, _ in ordem(banco)] == [E, D, C, B, A]
    for evento, status in (
        (sorteado(E), "atribuido"),
        (iniciada(E), "em_progresso"),
        (concluida(E, INICIO + timedelta(days=2)), "concluido"),
    ):
        assert itens(banco)[E]["status"] != status
        aplicar(banco, evento)
        assert itens(banco)[E]["status"] == status
    assert [d for _, d, status in ordem(banco) if status == "disponivel"] == [D, C, B, A]
    assert anunciadas(banco) == [A, E, D]


def test_rebuild_forms_two_groups_and_leaves_one_solo(banco: Banco) -> None:
    """T20: a thousandth of a degree is 111 m, a tenth is 11 km."""
    pontos = {A: -23.55, B: -23.551, C: -23.65, D: -23.651, E: -23.75}
    for d, lat in pontos.items():
        inserir(banco.conexao, ranqueada(d), georreferenciada(d, lat, -46.63))
    aplicar(banco, ranking())
    grupos = {d: item["grupo_id"] for d, item in itens(banco).items()}
    assert grupos[A] == grupos[B]
    assert grupos[C] == grupos[D]
    assert None not in (grupos[A], grupos[C])
    assert grupos[A] != grupos[C]
    assert grupos[E] is None
    (gerada,) = (p["payload"] for p in publicacoes(banco) if p["tipo"] == "agenda.gerada")
    assert gerada["grupos_territoriais"] == 2
    assert {linha["demanda_id"]: linha["grupo_id"] for linha in gerada["top_10"]} == grupos


def test_replay_inserts_only_what_was_not_processed_before(banco: Banco) -> None:
    """T21."""
    numeros = aplicar(banco, ranqueada(A), ranqueada(B))
    linhas, antes = itens(banco), fim_do_log(banco)
    numeros += inserir(banco.conexao, ranqueada(C), ranqueada(D), ranqueada(E))
    definir(banco.conexao, ["demanda.ranqueada"], 0)
    assert banco.processar().lidos == 5
    scores = banco.consultar("select demanda_id, sequence_number from d5.backlog_scores order by 1")
    assert [(s["demanda_id"], s["sequence_number"]) for s in scores] == list(zip((A, B, C, D, E), numeros, strict=True))
    assert {d: itens(banco)[d] for d in (A, B)} == linhas
    assert publicacoes(banco, antes) == []
    assert cursor(banco, "demanda.ranqueada") == numeros[-1]


def test_replay_of_a_ranking_rebuilds_again(banco: Banco) -> None:
    """T21."""
    aplicar(banco, ranqueada(A), ranqueada(B), ranking())
    antes = fim_do_log(banco)
    definir(banco.conexao, ["ranking.atualizado"], 0)
    banco.processar()
    assert [p["tipo"] for p in publicacoes(banco, antes)] == ["agenda.gerada"]


def test_capacity_of_one_goes_to_the_best_demand_of_the_current_level(banco: Banco) -> None:
    """T22."""
    banco.parametrizar(parametros(capacidade_por_uc={UC: 1}, pesos_situacionais={UC: PESOS}))
    aplicar(banco, ranqueada(A, 900, nivel=2, categoria="2.1"), ranqueada(B, 100))
    assert ordem(banco) == [(1, A, "disponivel")]
    aplicar(banco, ranking())
    assert ordem(banco) == [(1, B, "disponivel")]
    gerada = next(p["payload"] for p in publicacoes(banco) if p["tipo"] == "agenda.gerada")
    assert gerada["distribuicao_decay"] == {
        "nivel_nao_vencido": 1,
        "itens_nivel_prioritario": 1,
        "itens_outros_niveis": 0,
    }
    assert gerada["total_itens"] == 1


def test_rebuild_before_the_start_keeps_the_draw_and_does_not_announce_it_again(banco: Banco) -> None:
    """T23."""
    aplicar(banco, ranqueada(A, 900), ranqueada(B, 100), sorteado(A))
    antes = fim_do_log(banco)
    aplicar(banco, ranking())
    assert ordem(banco) == [(1, A, "atribuido"), (2, B, "disponivel")]
    assert [p["tipo"] for p in publicacoes(banco, antes)] == ["agenda.gerada"]
    assert anunciadas(banco) == [A, B]


@pytest.mark.parametrize("sorteada", [False, True])
def test_collective_conclusion_ends_an_item_that_is_not_in_progress(banco: Banco, sorteada: bool) -> None:
    """T24, and the row of 3.6 for atribuido; ten hours beyond five days make five whole days (D15)."""
    aplicar(banco, ranqueada(A), ranqueada(B), *([sorteado(A)] if sorteada else []))
    fim = INICIO + timedelta(days=5, hours=10)
    (numero,) = aplicar(banco, confirmada(A, data_conclusao=fim.isoformat()))
    item = itens(banco)[A]
    assert (item["status"], item["data_conclusao"], item["dias_ate_conclusao"]) == ("concluido", fim, 5)
    assert anunciadas(banco) == [A, B]
    assert cursor(banco, "demanda.conclusao_confirmada") == numero


def test_collective_conclusion_leaves_an_item_in_progress_alone(banco: Banco) -> None:
    """T25."""
    aplicar(banco, ranqueada(A), ranqueada(B), sorteado(A), iniciada(A))
    aplicado = ("consumer_offset", "controle", "event_log", "lacunas")
    antes, fim = impressao(banco, *aplicado), fim_do_log(banco)
    (numero,) = aplicar(banco, confirmada(A, INICIO + timedelta(days=1)))
    assert impressao(banco, *aplicado) == antes
    assert publicacoes(banco, fim) == []
    assert cursor(banco, "demanda.conclusao_confirmada") == numero

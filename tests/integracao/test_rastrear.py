"""`d5 rastrear`: what carries a correlation, what became of it, and how much of the log was searched."""

from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from d5_pipeline.erros import FalhaDePublicacao
from d5_pipeline.repositorio import rastros
from d5_pipeline.repositorio.rastros import Busca, rastrear
from tests.apoio.banco import Banco
from tests.apoio.comando import D5Comando, comando
from tests.apoio.eventos import (
    UC,
    Evento,
    agregada,
    demanda,
    georreferenciada,
    iniciada,
    inserir,
    parametros,
    ranking,
    ranqueada,
    sorteado,
)
from tests.apoio.observacao import fim_do_log, publicacoes
from tests.integracao.test_publicacao import recusar

A, B = demanda(1), demanda(2)
CORRELACAO = str(uuid4())


def desta(evento: Evento) -> Evento:
    """The event with the correlation that is followed."""
    return replace(evento, correlacao_id=CORRELACAO)


@pytest.fixture
def d5(banco: Banco, tmp_path: Path) -> D5Comando:
    """The command on the test's database, whose cursors are seeded."""
    banco.parametrizar(parametros())
    banco.semear()
    return comando(tmp_path, banco.url)


def rastreada(d5: D5Comando, *opcoes: str) -> dict[str, Any]:
    saida = d5("rastrear", CORRELACAO, *opcoes, "--json")
    assert (saida.codigo, saida.erros) == (0, "")
    rastro: dict[str, Any] = saida.json
    return rastro


def destinos(rastro: dict[str, Any]) -> list[tuple[str, str]]:
    return [(evento["tipo"], evento["destino"]) for evento in rastro["eventos"]]


def test_a_demand_is_followed_from_the_citizen_to_the_draw(banco: Banco, d5: D5Comando) -> None:
    incompleta = desta(ranqueada(A))
    del incompleta.payload["categoria_id"]
    inserir(
        banco.conexao,
        desta(Evento("demanda.recebida", {"demanda_id": A})),
        desta(georreferenciada(A, -23.5, -46.6)),
        incompleta,
        desta(ranqueada(A, 900)),
        ranqueada(B, 100),
        desta(sorteado(A)),
        iniciada(A),
    )
    banco.processar()
    inserir(banco.conexao, desta(sorteado(A)), desta(replace(ranking(), origem="D-4")))
    rastro = rastreada(d5)
    assert destinos(rastro) == [
        ("demanda.recebida", "alheio"),
        ("demanda.georreferenciada", "aplicado"),
        ("demanda.ranqueada", "descartado"),
        ("demanda.ranqueada", "aplicado"),
        ("conselheiro.sorteado", "aplicado"),
        ("agenda.item_disponível", "publicado"),
        ("agenda.item_disponível", "publicado"),
        ("conselheiro.sorteado", "pendente"),
        ("ranking.atualizado", "pendente"),
    ]
    assert [e["demandas"] for e in rastro["eventos"] if e["destino"] == "publicado"] == [[A], [B]]
    assert [e["efeito"] for e in rastro["eventos"][4]["efeitos"]] == [
        "transição de disponivel para atribuido",
        "anúncio vigente da unidade",
    ]
    de_a, de_b = rastro["demandas"]
    assert (de_a["demanda_id"], de_a["posicao"], de_a["status"], de_a["score_final"]) == (A, 1, "em_progresso", 900)
    assert [(t["de"], t["para"], t["correlacao_id"] == CORRELACAO) for t in de_a["transicoes"]] == [
        ("disponivel", "atribuido", True),
        ("atribuido", "em_progresso", False),
    ]
    assert (de_b["demanda_id"], de_b["status"], de_b["transicoes"]) == (B, "disponivel", [])
    assert rastro["busca"] | {"completa": True} == rastro["busca"]
    tela = " ".join(d5("rastrear", CORRELACAO).tela.split())
    assert f"Procurada em todo o log, até o nº {fim_do_log(banco)}, e no que a D-5 guarda." in tela
    assert f"Na agenda da unidade {UC} desde 01/03/2026 12:00:00 UTC, posição 1: em progresso." in tela


def test_members_of_an_aggregate_are_demands_of_its_event(banco: Banco, d5: D5Comando) -> None:
    inserir(banco.conexao, ranqueada(A, 900), desta(agregada(B, [A, "nada"])))
    banco.processar()
    rastro = rastreada(d5)
    assert rastro["eventos"][0]["destino"] == "descartado"
    assert [d["demanda_id"] for d in rastro["demandas"]] == [B, A]


def test_payloads_of_any_form_are_followed(banco: Banco, d5: D5Comando) -> None:
    inserir(
        banco.conexao,
        desta(Evento("duplicidade.agregada", {"demanda_id": 5, "membros": "x", "representante_demanda_id": [A]})),
        desta(Evento("duplicidade.agregada", {"membros": [B, {"demanda_id": None}, {"demanda_id": A.upper()}]})),
    )
    banco.processar()
    rastro = rastreada(d5)
    assert destinos(rastro) == [
        ("duplicidade.agregada", "descartado"),
        ("duplicidade.agregada", "descartado"),
    ]
    assert [d["demanda_id"] for d in rastro["demandas"]] == [A]


def test_outside_the_searched_stretch_only_what_d5_keeps_is_found(banco: Banco, d5: D5Comando) -> None:
    """Score and transition lead to their events through event_id, wherever they stand; coordinates do not."""
    inserir(banco.conexao, desta(georreferenciada(A, -23.5, -46.6)), desta(ranqueada(A)), desta(sorteado(A)))
    banco.processar()
    fim = fim_do_log(banco)
    so_guardados = rastreada(d5, "--ate", "0")
    assert destinos(so_guardados) == [("demanda.ranqueada", "aplicado"), ("conselheiro.sorteado", "aplicado")]
    assert so_guardados["busca"] == {
        "desde": 0,
        "ate": 0,
        "fim_do_log": fim,
        "interrompida": False,
        "completa": False,
    }
    assert destinos(rastreada(d5, "--desde", "4"))[2:] == [("agenda.item_disponível", "publicado")]
    assert len(rastreada(d5, "--desde", "1", "--ate", "1")["eventos"]) == 3
    tela = " ".join(d5("rastrear", CORRELACAO, "--desde", "4", "--ate", "99").tela.split())
    assert f"e no log, lido do nº 4 ao nº {fim} (vai até o nº {fim})." in tela
    assert "podem faltar eventos" in tela


def test_pending_publications_are_shown(banco: Banco, d5: D5Comando) -> None:
    recusar(banco, "agenda.item_disponível")
    inserir(banco.conexao, desta(ranqueada(A)))
    with pytest.raises(FalhaDePublicacao):
        banco.processar()
    rastro = rastreada(d5)
    assert destinos(rastro) == [("demanda.ranqueada", "aplicado")]
    (pendente,) = rastro["pendentes"]
    assert (pendente["tipo"], pendente["demanda_id"], pendente["gatilho_sequence"]) == (
        "agenda.item_disponível",
        A,
        rastro["eventos"][0]["sequence_number"],
    )
    assert "publicações seguem pendentes" in rastro["eventos"][0]["motivo"]
    assert "agenda.item_disponível de" in " ".join(d5("rastrear", CORRELACAO).tela.split())


def test_an_operators_act_is_followed_by_its_id(banco: Banco, d5: D5Comando) -> None:
    """D32: the intervention's id is the correlation of what it causes."""
    inserir(banco.conexao, ranqueada(A))
    banco.processar()
    assert d5("reconstruir", UC).codigo == 0
    gerada = publicacoes(banco)[-1]
    assert gerada["tipo"] == "agenda.gerada"
    rastro = d5("rastrear", str(gerada["correlacao_id"]), "--json").json
    assert rastro["intervencao"]["tipo"] == "reconstrucao"
    assert destinos(rastro) == [("agenda.gerada", "publicado")]
    assert "É a intervenção 'reconstrucao' de " in " ".join(d5("rastrear", gerada["correlacao_id"]).tela.split())


def test_what_the_log_no_longer_has_is_named(banco: Banco, d5: D5Comando) -> None:
    evento = desta(ranqueada(A))
    inserir(banco.conexao, evento)
    banco.processar()
    banco.executar("delete from core.event_log where event_id = %s", evento.event_id)
    assert rastreada(d5)["fora_do_log"] == [evento.event_id]
    assert evento.event_id in d5("rastrear", CORRELACAO).tela


def test_events_below_the_seed_were_not_read(banco: Banco, tmp_path: Path) -> None:
    """D1: being below the applied position does not mean that it was applied."""
    (numero,) = inserir(banco.conexao, desta(ranqueada(A)))
    banco.semear(desde_inicio=False)
    d5 = comando(tmp_path, banco.url)
    assert destinos(rastreada(d5)) == [("demanda.ranqueada", "nao_lido")]
    assert d5("evento", str(numero), "--json").json["destino"] == "nao_lido"
    assert d5("cursores", "definir", "demanda.ranqueada", "0").codigo == 0
    banco.processar()
    assert destinos(rastreada(d5))[0] == ("demanda.ranqueada", "aplicado")


def test_nothing_found_says_so(d5: D5Comando) -> None:
    saida = d5("rastrear", CORRELACAO)
    assert saida.codigo == 0
    assert "Nada encontrado." in saida.tela
    assert "'x' não é um UUID de correlação" in d5("rastrear", "x").recusa
    assert "--desde" in d5("rastrear", CORRELACAO, "--desde", "0").recusa


def test_the_log_is_searched_in_steps_and_an_interrupted_search_keeps_what_it_found(
    banco: Banco, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Holes in the numbers cost no step: rows are counted, not numbers."""
    monkeypatch.setattr(rastros, "TRECHO", 10)
    banco.semear()
    for numero in range(35):
        inserir(banco.conexao, desta(georreferenciada(demanda(numero), 1, 1)))
        banco.executar(
            "select setval(pg_get_serial_sequence('core.event_log', 'sequence_number'), %s)", 1000 * numero + 1
        )
    fim = fim_do_log(banco)
    passos: list[int] = []
    inteiro = rastrear(banco.conexao, CORRELACAO, Busca(0, fim, fim), passos.append)
    assert len(inteiro.eventos) == 35
    assert len(passos) == 4
    assert inteiro.busca.completa

    def interromper(posicao: int) -> None:
        if posicao >= passos[1]:
            raise KeyboardInterrupt

    parcial = rastrear(banco.conexao, CORRELACAO, Busca(0, fim, fim), interromper)
    assert [e["sequence_number"] for e in parcial.eventos] == [e["sequence_number"] for e in inteiro.eventos][:20]
    assert (parcial.busca.interrompida, parcial.busca.ate, parcial.busca.completa) == (True, passos[1], False)

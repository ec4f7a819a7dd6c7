"""The reading views: what the public sees, cuts, explanations, against loops in plain Python, on both engines."""

from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random
from typing import Any

import psycopg
import pytest

from tests.modelos.estados import AGORA, Estado, Motor, demanda, estado_aleatorio, parametros, score, uc
from tests.modelos.motor import ModelosDuckDB
from tests.modelos.postgres import ModelosPostgres
from tests.modelos.test_selecao import backlog_literal
from tests.referencia import rebuild

Linha = dict[str, Any]

VISOES = (
    "agenda_publica",
    "agenda_com_agregadas",
    "agregados",
    "historico_demandas",
    "posicoes_do_log",
    "unidades",
    "cortes_por_nivel",
    "proximo_rebuild",
    "explicacao_demandas",
)
INICIO = datetime.fromisoformat(AGORA)


def agenda_aleatoria(semente: int, estado: Estado) -> dict[str, list[Linha]]:
    """Rows of the agenda that no rebuild just made: selected and other demands, moved, drawn outside, aggregated."""
    sorte = Random(semente)
    itens: list[Linha] = []
    for linha in estado.scores:
        if sorte.random() < 0.4:
            continue
        agregada = linha["demanda_id"] in estado.agregadas
        concluida = linha["demanda_id"] in estado.concluidas
        fora = not agregada and sorte.random() < 0.05
        itens.append(
            {
                "demanda_id": linha["demanda_id"],
                "unidade_civica_id": sorte.choice(estado.unidades) if fora else linha["unidade_civica_id"],
                "posicao": 0 if fora else sorte.randint(1, 12),
                "score": linha["score_final"],
                "status": "agregado"
                if agregada
                else "concluido"
                if concluida
                else sorte.choice(("disponivel", "atribuido")),
                "grupo_id": sorte.choice((None, demanda(7))),
                "categoria_id": linha["categoria_id"],
                "nivel_precedencia": linha["nivel_precedencia"],
                "event_id": linha["event_id"],
                "entrou_em": INICIO,
                "atualizado_em": INICIO + timedelta(hours=sorte.randint(0, 9)),
                "data_conclusao": None,
                "dias_ate_conclusao": None,
            }
        )
    transicao = {"id": 1, "demanda_id": demanda(1), "unidade_civica_id": None, "de": "disponivel", "para": "atribuido"}
    evento = {"tipo_evento": "t", "event_id": demanda(2), "correlacao_id": demanda(3), "sequence_number": 5}
    return {
        "backlog_items": itens,
        "transicoes_status": [transicao | evento | {"ocorreu_em": AGORA}],
        "consumer_offset": [
            {"tipo_evento": "t", "last_sequence": 3, "updated_at": AGORA, "aplicado_ate": 5, "ultimo_evento": 4}
        ],
        "anuncios_por_uc": [
            {k: item[k] for k in ("unidade_civica_id", "demanda_id", "event_id")} | {"anunciado_em": AGORA}
            for item in {item["unidade_civica_id"]: item for item in itens}.values()
        ],
    }


def carregar(motor: Motor, estado: Estado, agenda: dict[str, list[Linha]]) -> None:
    estado.carregar_em(motor)
    for tabela, linhas in agenda.items():
        motor.carregar(tabela, linhas)


def em_ordem(linhas: list[Linha]) -> list[Linha]:
    return sorted(linhas, key=lambda linha: [str(valor) for valor in linha.values()])


def test_views_mean_the_same_on_both_engines(url: str, duckdb_modelos: ModelosDuckDB) -> None:
    with psycopg.connect(url) as conexao:
        postgres = ModelosPostgres(conexao)
        for semente in range(8):
            estado = estado_aleatorio(semente, unidades=6)
            agenda = agenda_aleatoria(semente, estado)
            with conexao.transaction(force_rollback=True):
                carregar(postgres, estado, agenda)
                do_postgres = {visao: em_ordem(postgres.leitura(visao)) for visao in VISOES}
            duckdb_modelos.limpar()
            carregar(duckdb_modelos, estado, agenda)
            for visao in VISOES:
                assert em_ordem(duckdb_modelos.leitura(visao)) == do_postgres[visao], visao
                assert do_postgres[visao], visao


@pytest.fixture(params=range(12))
def caso(
    request: pytest.FixtureRequest, duckdb_modelos: ModelosDuckDB
) -> tuple[Estado, list[Linha], Callable[..., Any]]:
    """A random state, the rows of its agenda, and the views over them."""
    estado = estado_aleatorio(request.param, unidades=6)
    agenda = agenda_aleatoria(request.param, estado)
    carregar(duckdb_modelos, estado, agenda)
    return estado, agenda["backlog_items"], duckdb_modelos.leitura


def candidatas(estado: Estado, unidade: str) -> list[Linha]:
    """Scores of the unit that may hold a slot, best first."""
    livres = [
        linha
        for linha in estado.scores
        if linha["unidade_civica_id"] == unidade
        and linha["demanda_id"] not in estado.agregadas
        and (estado.parametros["concluidas_ocupam_vaga"] or linha["demanda_id"] not in estado.concluidas)
    ]
    return sorted(livres, key=rebuild.chave_de_ordem)


def ativa(estado: Estado, unidade: str) -> bool:
    return any(s["unidade_civica_id"] == unidade and s["demanda_id"] not in estado.agregadas for s in estado.scores)


def test_public_agenda_hides_draws_and_aggregated_demands(caso: tuple[Estado, list[Linha], Callable[..., Any]]) -> None:
    """2.3, 3.14: nobody can tell a drawn demand from an available one, not even by its times."""
    estado, itens, leitura = caso
    publicas = {linha["demanda_id"]: linha for linha in leitura("agenda_publica")}
    assert publicas.keys() == {item["demanda_id"] for item in itens if item["status"] != "agregado"}
    for item in itens:
        if item["status"] == "agregado":
            continue
        publica = publicas[item["demanda_id"]]
        assert publica["status"] == ("concluido" if item["status"] == "concluido" else "disponivel")
        assert publica["atualizado_em"] == (item["atualizado_em"] if item["status"] == "concluido" else INICIO)
        assert (publica["lat"], publica["lng"]) == estado.coordenadas.get(item["demanda_id"], (None, None))
        for coluna in ("unidade_civica_id", "posicao", "score", "nivel_precedencia", "categoria_id", "grupo_id"):
            assert publica[coluna] == item[coluna]
    todas = leitura("agenda_com_agregadas")
    assert len(todas) == len(itens)
    assert {linha["demanda_id"] for linha in todas if linha["status"] == "agregado"} == {
        item["demanda_id"] for item in itens if item["status"] == "agregado"
    }


def test_cuts_stand_between_the_last_slot_and_the_next_candidate(
    caso: tuple[Estado, list[Linha], Callable[..., Any]],
) -> None:
    estado, itens, leitura = caso
    cortes = {(linha["unidade_civica_id"], linha["nivel"]): linha for linha in leitura("cortes_por_nivel")}
    esperados = {}
    for unidade in filter(lambda u: ativa(estado, u), estado.unidades):
        corrente = rebuild.nivel_nao_vencido(estado.parametros, unidade)
        valores = estado.parametros
        capacidade = valores["capacidade_por_uc"].get(unidade, valores["capacidade_padrao"])
        vagas: dict[int | None, int] = {None: capacidade}
        if corrente is not None:
            por_nivel = rebuild.vagas_por_nivel(capacidade, corrente, valores["fator_decaimento"], True)
            vagas = dict(por_nivel.items())
        for nivel, quantas in vagas.items():
            fila = [s["demanda_id"] for s in candidatas(estado, unidade) if nivel in (None, s["nivel_precedencia"])]
            dentro = fila[:quantas]
            esperados[unidade, nivel] = (
                quantas,
                len(fila),
                len(dentro),
                dentro[-1] if dentro else None,
                fila[quantas] if quantas < len(fila) else None,
                sum(
                    i["unidade_civica_id"] == unidade
                    and nivel in (None, i["nivel_precedencia"])
                    and i["status"] != "agregado"
                    for i in itens
                ),
            )
    nomes = ("vagas", "candidatas", "usadas", "ultima_dentro", "primeira_fora", "na_agenda")
    assert {chave: tuple(corte[nome] for nome in nomes) for chave, corte in cortes.items()} == esperados


def test_next_rebuild_moves_every_row_to_its_selected_place(
    caso: tuple[Estado, list[Linha], Callable[..., Any]],
) -> None:
    estado, itens, leitura = caso
    depois = {
        (unidade, demanda_id): posicao
        for unidade in estado.unidades
        for posicao, (demanda_id, _) in enumerate(backlog_literal(estado, unidade)[1], start=1)
    }
    antes = {(i["unidade_civica_id"], i["demanda_id"]): i["posicao"] for i in itens if i["status"] != "agregado"}
    linhas = leitura("proximo_rebuild")
    assert {
        (linha["unidade_civica_id"], linha["demanda_id"]): (linha["posicao_atual"], linha["posicao_no_rebuild"])
        for linha in linhas
    } == {chave: (antes.get(chave), depois.get(chave)) for chave in antes.keys() | depois.keys()}
    assert len(linhas) == len(antes.keys() | depois.keys())


def test_explanation_gives_place_and_position_after_a_rebuild(
    caso: tuple[Estado, list[Linha], Callable[..., Any]],
) -> None:
    estado, itens, leitura = caso
    fatos = {linha["demanda_id"]: linha for linha in leitura("explicacao_demandas")}
    assert fatos.keys() == {s["demanda_id"] for s in estado.scores} | estado.agregadas
    posicoes = {i["demanda_id"]: i["posicao"] for i in itens}
    for unidade in estado.unidades:
        fila = candidatas(estado, unidade)
        corrente, ordem = backlog_literal(estado, unidade)
        depois = {demanda_id: posicao for posicao, (demanda_id, _) in enumerate(ordem, start=1)}
        for linha in (s for s in estado.scores if s["unidade_civica_id"] == unidade):
            dela = fatos[linha["demanda_id"]]
            rivais = [s for s in fila if corrente is None or s["nivel_precedencia"] == linha["nivel_precedencia"]]
            assert dela["lugar_no_nivel"] == (rivais.index(linha) + 1 if linha in rivais else None)
            assert dela["posicao_no_rebuild"] == depois.get(linha["demanda_id"])
            assert dela["posicao"] == posicoes.get(linha["demanda_id"])
            assert dela["nivel_nao_vencido"] == (corrente if ativa(estado, unidade) else None)
            if dela["lugar_no_nivel"] is not None:
                assert (dela["lugar_no_nivel"] <= dela["vagas"]) == (dela["posicao_no_rebuild"] is not None)


def test_members_count_at_their_representative(duckdb_modelos: ModelosDuckDB) -> None:
    """The default leaves aggregated demands out and counts them; the members stand in a view of their own (2.6)."""
    scores = [score(demanda(n), uc(1), 1, "5") for n in (1, 2, 3)]
    Estado(parametros(), scores).carregar_em(duckdb_modelos)
    membro = {"agregado_id": demanda(9), "representante_demanda_id": demanda(1), "evento_id": demanda(8)}
    duckdb_modelos.carregar(
        "demandas_agregadas", [{"demanda_id": demanda(n), "agregado_em": AGORA} | membro for n in (2, 3, 4)]
    )
    linha = {
        "unidade_civica_id": uc(1),
        "score": 5,
        "nivel_precedencia": 1,
        "categoria_id": "1.1",
        "event_id": demanda(8),
    }
    duckdb_modelos.carregar(
        "backlog_items",
        [
            linha | {"demanda_id": demanda(1), "posicao": 1, "status": "disponivel"},
            linha | {"demanda_id": demanda(2), "posicao": 2, "status": "agregado"},
        ],
    )
    (publica,) = duckdb_modelos.leitura("agenda_publica")
    assert (publica["demanda_id"], publica["membros_agregados"]) == (demanda(1), 3)
    agregados = em_ordem(duckdb_modelos.leitura("agregados"))
    assert [(a["demanda_id"], a["unidade_civica_id"]) for a in agregados] == [
        (demanda(2), uc(1)),
        (demanda(3), uc(1)),
        (demanda(4), None),
    ]

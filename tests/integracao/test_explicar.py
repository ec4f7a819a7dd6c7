"""`d5 explicar`: what it says is what a rebuild does, and every case has its words (2.3, 4.2, D10, D16)."""

from pathlib import Path
from typing import Any

import pytest

from d5_pipeline.cli.mostrar_leitura import explicada
from d5_pipeline.processamento.lote import agora
from d5_pipeline.processamento.reconstrucao import reconstruir_unidades, unidades_pedidas
from d5_pipeline.processamento.simulacao import simular_rebuild
from d5_pipeline.repositorio.explicacoes import explicar
from d5_pipeline.repositorio.fotografia import fotografia
from tests.apoio.banco import Banco
from tests.apoio.comando import D5Comando, comando
from tests.apoio.eventos import (
    INICIO,
    OUTRA_UC,
    PESOS,
    UC,
    Evento,
    agregada,
    concluida,
    demanda,
    georreferenciada,
    iniciada,
    inserir,
    parametros,
    ranking,
    ranqueada,
    sorteado,
)
from tests.referencia.logs import log_aleatorio

A, B, C, D = demanda(1), demanda(2), demanda(3), demanda(4)


@pytest.fixture(autouse=True)
def _parametros(banco: Banco) -> None:
    """Capacity 2; in UC level 1 is current."""
    banco.parametrizar(parametros(capacidade_padrao=2, pesos_situacionais={UC: PESOS}))


@pytest.fixture
def d5(banco: Banco, tmp_path: Path) -> D5Comando:
    """The command on the test's database, whose cursors are seeded."""
    banco.semear()
    return comando(tmp_path, banco.url)


def viver(banco: Banco, *eventos: Evento) -> list[int]:
    """The events through `d5 processar`'s own code path; their numbers."""
    banco.semear()
    numeros = inserir(banco.conexao, *eventos)
    banco.processar()
    return numeros


def explicado(banco: Banco, demanda_id: str) -> dict[str, Any]:
    """What `d5 explicar --json` prints."""
    return explicada(explicar(banco.conexao, demanda_id))


@pytest.mark.parametrize("semente", range(6))
def test_what_is_foretold_is_what_the_rebuild_does(banco: Banco, semente: int) -> None:
    """On random logs: positions and statuses of every demand after a rebuild, unit by unit; and `--simular` agrees."""
    valores, eventos = log_aleatorio(semente, 150)
    banco.parametrizar(valores)
    banco.acrescentar(eventos)
    banco.semear()
    banco.processar()
    for unidade in unidades_pedidas(banco.conexao, [], todas=True):
        previstas = banco.consultar("select * from d5_leitura.proximo_rebuild where unidade_civica_id = %s", unidade)
        ditas = banco.consultar(
            "select demanda_id, posicao_no_rebuild from d5_leitura.explicacao_demandas where unidade_civica_id = %s",
            unidade,
        )
        with fotografia(banco.conexao):
            (simulada,) = simular_rebuild(banco.conexao, [unidade])
        reconstruir_unidades(banco.conexao, [unidade], agora)
        depois = {
            linha["demanda_id"]: (linha["posicao"], linha["status"])
            for linha in banco.consultar(
                "select demanda_id, posicao, status from d5.backlog_items "
                "where unidade_civica_id = %s and status <> 'agregado'",
                unidade,
            )
        }
        assert depois == {
            p["demanda_id"]: (p["posicao_no_rebuild"], p["status"]) for p in previstas if p["posicao_no_rebuild"]
        }
        assert {p["demanda_id"]: posicao for p in previstas if (posicao := p["posicao_no_rebuild"])} == {
            dita["demanda_id"]: dita["posicao_no_rebuild"] for dita in ditas if dita["posicao_no_rebuild"]
        }
        movidas = {(m.demanda_id, m.antes, m.depois) for m in simulada.demandas if m.antes != m.depois}
        assert movidas == {
            (p["demanda_id"], p["posicao_atual"], p["posicao_no_rebuild"]) for p in previstas if p["efeito"] != "fica"
        }
        resto = banco.consultar(
            "select efeito from d5_leitura.proximo_rebuild where unidade_civica_id = %s and efeito <> 'fica'", unidade
        )
        assert resto == []


def test_a_demand_behind_the_cut_is_told_the_score_it_needs(banco: Banco) -> None:
    """T22's unit with one more slot: floor(2 / 1.6496) = 1 and the rest make level 1 have both."""
    viver(banco, *(ranqueada(d, score, nivel=1) for d, score in ((A, 900), (B, 800), (C, 700))), ranking())
    viver(banco, ranqueada(D, 9000, nivel=5, categoria="5.1"))
    de_c = explicado(banco, C)
    assert de_c["situacao"] == f"Fora da agenda da unidade {UC}."
    assert de_c["condicoes"] == [
        "Precisaria de score acima de 800,00 no nível 1 (hoje 700,00), ou de mais 1 vaga no nível 1."
    ]
    fatos = de_c["fatos"]
    assert (fatos["vagas"], fatos["na_agenda"], fatos["candidatas"], fatos["lugar_no_nivel"]) == (2, 2, 3, 3)
    assert (fatos["ultima_dentro"], fatos["primeira_fora"]) == (B, C)
    assert explicado(banco, D)["condicoes"] == [
        "Precisaria de mais 1 vaga no nível 5, que não tem nenhuma seja qual for o score: outra capacidade, outro "
        "nível corrente (hoje o 1), ou outra categoria para a demanda."
    ]


def test_the_command_says_what_the_json_holds(banco: Banco, d5: D5Comando) -> None:
    viver(banco, ranqueada(A, 900), ranqueada(B, 800), ranqueada(C, 700), ranking(), sorteado(B))
    saida = d5("explicar", B.upper(), "--json")
    assert (saida.codigo, saida.erros) == (0, "")
    de_b = saida.json
    assert de_b["fatos"]["score_final"] == 800
    tela = " ".join(d5("explicar", B).tela.split())
    for frase in (de_b["situacao"], *de_b["motivos"], de_b["no_rebuild"], *de_b["condicoes"]):
        assert frase in tela
    assert "Transições de status" in tela
    assert f"Log aplicado até o nº {de_b['aplicado_ate']}." in tela
    desconhecida = " ".join(d5("explicar", D).tela.split())
    assert "Desconhecida: a D-5 não tem score, linha nem status desta demanda." in desconhecida


def test_an_incremental_insert_is_told_from_the_order(banco: Banco) -> None:
    """3.10: it stands where it arrived; the next rebuild puts it where its score belongs."""
    viver(banco, ranqueada(A, 500), ranking(), ranqueada(B, 900))
    de_b = explicado(banco, B)
    assert de_b["situacao"] == f"Na agenda da unidade {UC}, posição 2: disponível."
    assert de_b["no_rebuild"] == (
        "O próximo rebuild a leva da posição 2 à 1. Chegou, ou foi ranqueada de novo, depois do último: até lá fica "
        "onde chegou, ou onde já estava."
    )
    assert de_b["condicoes"][0] == (
        "Para ser a próxima sorteada: 1 disponível à frente sair da fila, ou um score que a adiante num rebuild."
    )
    assert explicado(banco, A)["contexto"]["a_frente"] == 0
    viver(banco, ranking())
    assert explicado(banco, B)["no_rebuild"] == "Um rebuild agora a deixaria na mesma posição."


def test_each_transition_comes_with_its_event_and_time(banco: Banco) -> None:
    eventos = [ranqueada(A, 500), sorteado(A), iniciada(A), concluida(A, dias_ate_conclusao=4)]
    numeros = viver(banco, *eventos)
    de_a = explicado(banco, A)
    assert [(t["de"], t["para"], t["event_id"], t["sequence_number"]) for t in de_a["historico"]] == [
        ("disponivel", "atribuido", eventos[1].event_id, numeros[1]),
        ("atribuido", "em_progresso", eventos[2].event_id, numeros[2]),
        ("em_progresso", "concluido", eventos[3].event_id, numeros[3]),
    ]
    assert {t["ocorreu_em"] for t in de_a["historico"]} == {INICIO}
    assert de_a["condicoes"][0] == (
        "Nada a oferece de novo: encerrada em 01/03/2026 12:00:00 UTC (4 dias da entrada à conclusão), não volta a "
        "disponível (4.5)."
    )


def test_a_group_is_named_with_its_others(banco: Banco) -> None:
    perto = [georreferenciada(d, -23.5, -46.6) for d in (A, B)]
    viver(banco, *perto, ranqueada(A, 900), ranqueada(B, 800), ranking())
    de_a = explicado(banco, A)
    assert de_a["contexto"]["companheiras"] == [(2, B)]
    assert f"Grupo territorial {de_a['fatos']['grupo_id']}, sugestivo, com {B} (posição 2)." in de_a["motivos"]


def test_an_aggregated_demand_leads_to_its_representative(banco: Banco) -> None:
    """3.7; the representative of B is itself aggregated later, C is left."""
    viver(banco, ranqueada(A, 900), ranqueada(B, 800), ranqueada(C, 700), ranking())
    viver(banco, agregada(B, [A, B]), agregada(C, [B]))
    de_a = explicado(banco, A)
    assert de_a["situacao"] == "Fora da agenda: foi agregada a outra demanda."
    assert de_a["condicoes"][1:] == [
        f"Quem conta é a representante {B}: ela mesma agregada.",
        f"Também foi agregada: quem conta é a representante {C}: na agenda, posição 1, disponível.",
    ]
    assert "Representa um agregado: 1 outra demanda foi agregada a ela." in explicado(banco, C)["motivos"]


def test_two_demands_that_answer_for_each_other_end(banco: Banco) -> None:
    viver(banco, agregada(B, [A]), agregada(A, [B]))
    assert [r["demanda_id"] for r in explicado(banco, A)["contexto"]["representantes"]] == [B]


def test_a_demand_drawn_outside_stands_at_position_zero(banco: Banco) -> None:
    """D16: in the payload's unit, until a rebuild of the score's unit takes it over."""
    viver(banco, ranqueada(B, 90), ranqueada(C, 80), ranqueada(A, 900), sorteado(A, OUTRA_UC), sorteado(D))
    de_a, de_d = explicado(banco, A), explicado(banco, D)
    assert de_a["situacao"].startswith(f"Na agenda da unidade {OUTRA_UC}, fora da ordem (posição 0, sorteada sem estar")
    assert de_a["no_rebuild"] == f"O próximo rebuild de {UC}, unidade do score, a leva para lá, na posição 1."
    assert de_d["no_rebuild"] == "O próximo rebuild a retira da agenda."
    assert de_d["condicoes"][0] == "Precisaria de um demanda.ranqueada da D-4 para concorrer a uma vaga."


@pytest.mark.parametrize(
    ("evento", "frase"),
    [
        (ranqueada(A), "Está no log, ainda não aplicada: demanda.ranqueada nº 1;"),
        (agregada(B, [A]), "Está no log, ainda não aplicada: duplicidade.agregada nº 1;"),
        (agregada(B, [A.upper()]), "Está no log, ainda não aplicada: duplicidade.agregada nº 1;"),
        (agregada(A.upper(), [B]), "Está no log, ainda não aplicada: duplicidade.agregada nº 1;"),
        (Evento("demanda.recebida", {"demanda_id": A}), "Precisaria de um demanda.ranqueada da D-4"),
        (Evento("duplicidade.agregada", {"demanda_id": [A], "membros": 5}), "Precisaria de um demanda.ranqueada"),
    ],
)
def test_an_unknown_demand_may_wait_in_the_log(banco: Banco, evento: Evento, frase: str) -> None:
    banco.semear()
    inserir(banco.conexao, evento)
    de_a = explicado(banco, A)
    assert de_a["situacao"].startswith("Desconhecida")
    assert de_a["fatos"] is None
    assert de_a["condicoes"][0].startswith(frase)


def test_a_discarded_event_explains_why_a_demand_is_unknown(banco: Banco) -> None:
    incompleta = ranqueada(A)
    del incompleta.payload["categoria_id"]
    (numero,) = viver(banco, incompleta)
    (frase,) = explicado(banco, A)["condicoes"]
    assert frase.startswith(f"O evento demanda.ranqueada nº {numero} não teve efeito (descartado: ")
    assert "categoria_id" in frase


@pytest.mark.parametrize(("representante", "membros"), [(A, [B]), (B, [A]), (B, [C, A.upper()])])
@pytest.mark.parametrize("destino", ["descartado: ", "na DLQ, aberta: "])
def test_whoever_a_refused_event_names_is_told_of_it(
    banco: Banco, representante: str, membros: list[str], destino: str
) -> None:
    evento = agregada(representante, membros)
    if destino.startswith("descartado"):
        evento.payload["agregado_id"] = 7
    else:
        banco.executar("alter table d5.demandas_agregadas add constraint veneno check (false)")
    (numero,) = viver(banco, evento)
    (frase,) = explicado(banco, A)["condicoes"]
    assert frase.startswith(f"O evento duplicidade.agregada nº {numero} não teve efeito ({destino}")


@pytest.mark.parametrize("destino", ["descartado", "dlq"])
def test_event_under_the_number_of_a_refused_one_is_not_told_as_refused(banco: Banco, destino: str) -> None:
    """A restored log draws numbers again: an event is its event_id."""
    if destino == "descartado":
        (numero,) = viver(banco, Evento("demanda.ranqueada", {"demanda_id": B}))
    else:
        banco.executar("alter table d5.backlog_scores add constraint veneno check (false)")
        (numero,) = viver(banco, ranqueada(B))
    banco.executar("delete from core.event_log where sequence_number = %s", numero)
    banco.executar("select setval(pg_get_serial_sequence('core.event_log', 'sequence_number'), %s, false)", numero)
    assert inserir(banco.conexao, Evento("duplicidade.agregada", {"representante_demanda_id": A})) == [numero]
    assert not [frase for frase in explicado(banco, A)["condicoes"] if "não teve efeito" in frase]


def test_what_lies_below_the_seed_is_not_passed_off_as_unknown(banco: Banco) -> None:
    """D1."""
    (numero,) = inserir(banco.conexao, ranqueada(A))
    banco.semear(desde_inicio=False)
    ditas = explicado(banco, A)["condicoes"]
    assert ditas[1] == f"A leitura começou depois do nº {numero} do log: o que está até ali não foi lido (D1)."


def test_a_unit_shows_slots_cuts_and_the_next_rebuild(banco: Banco, d5: D5Comando) -> None:
    viver(banco, ranqueada(A, 500), ranking(), ranqueada(B, 900), ranqueada(C, 800))
    de_uc = d5("explicar", "--uc", UC, "--json").json
    assert (de_uc["capacidade"], de_uc["nivel_nao_vencido"], de_uc["itens"], de_uc["disponiveis"]) == (2, 1, 2, 2)
    assert [(n["nivel"], n["vagas"], n["usadas"]) for n in de_uc["niveis"]] == [
        (1, 2, 2),
        (2, 0, 0),
        (3, 0, 0),
        (4, 0, 0),
        (5, 0, 0),
    ]
    assert [(d["demanda_id"], d["posicao_atual"], d["posicao_no_rebuild"], d["efeito"]) for d in de_uc["demandas"]] == [
        (A, 1, None, "sai"),
        (B, 2, 1, "sobe"),
        (C, None, 2, "entra"),
    ]
    tela = " ".join(d5("explicar", "--uc", UC.upper()).tela.split())
    assert "Capacidade 2, nível corrente 1." in tela
    assert "Um rebuild agora mudaria 3 linha(s)." in tela


@pytest.mark.parametrize(
    ("argumentos", "motivo"),
    [
        (["explicar"], "informe uma demanda ou --uc"),
        (["explicar", A, "--uc", UC], "uma coisa ou outra"),
        (["explicar", "12"], "'12' não é um UUID de demanda"),
        (["explicar", "--uc", "x"], "'x' não é um UUID de unidade cívica"),
        (["explicar", "--uc", OUTRA_UC], f"unidade cívica desconhecida: {OUTRA_UC}"),
    ],
)
def test_wrong_usage_is_refused_in_one_line(d5: D5Comando, argumentos: list[str], motivo: str) -> None:
    assert motivo in d5(*argumentos).recusa


def test_a_database_without_the_views_names_the_command(banco: Banco, d5: D5Comando) -> None:
    banco.executar("drop schema d5_leitura cascade")
    for argumentos in (["explicar", A], ["explicar", "--uc", UC], ["exportar"]):
        assert "d5 preparar" in d5(*argumentos).recusa
    assert "d5 preparar" in d5("processar").recusa
    assert d5("preparar").codigo == 0
    assert d5("exportar").codigo == 0

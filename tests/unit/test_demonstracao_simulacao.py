"""What the neighbours do over a whole demonstration, with the literal model in D-5's place."""

from collections import Counter, defaultdict
from datetime import datetime

import pytest

from d5_pipeline.demonstracao.eventos import (
    CONSELHEIRO_SORTEADO,
    DEMANDA_CONCLUIDA,
    DEMANDA_INICIADA,
    DEMANDA_RANQUEADA,
    DUPLICIDADE_AGREGADA,
    ENCERRAMENTOS,
    ITEM_DISPONIVEL,
    RANKING_ATUALIZADO,
    demandas_encerradas,
)
from d5_pipeline.demonstracao.proximidade import distancia_metros
from d5_pipeline.demonstracao.simulacao import Simulacao
from d5_pipeline.demonstracao.solicitacoes import ler_solicitacoes
from d5_pipeline.demonstracao.vizinhos.d6a import CONSELHEIROS_POR_UC, fisher_yates
from tests.apoio.demonstracao import LogEmMemoria, demonstracao, simular

SOLICITACOES = {solicitacao.demanda_id: solicitacao for solicitacao in ler_solicitacoes()}


@pytest.fixture(scope="module")
def log() -> LogEmMemoria:
    return demonstracao()[0]


def test_the_demo_has_two_to_four_thousand_events(log: LogEmMemoria) -> None:
    assert 2_000 <= len(log.dos_vizinhos()) <= 4_000


def test_every_request_is_georeferenced_and_ranked_once_in_chronological_order(log: LogEmMemoria) -> None:
    for tipo in ("demanda.georreferenciada", "demanda.ranqueada"):
        assert [evento.payload["demanda_id"] for evento in log.dos_vizinhos(tipo)] == list(SOLICITACOES)


def test_ranking_is_updated_exactly_when_the_new_demand_enters_the_top_10(log: LogEmMemoria) -> None:
    posicoes = {e.payload["demanda_id"]: e.payload["posicao_no_ranking"] for e in log.dos_vizinhos(DEMANDA_RANQUEADA)}
    motivos = {e.payload["demanda_id_gatilho"]: e.payload["motivo"] for e in log.dos_vizinhos(RANKING_ATUALIZADO)}
    assert set(motivos) == {demanda_id for demanda_id, posicao in posicoes.items() if posicao <= 10}
    for demanda_id, motivo in motivos.items():
        assert (motivo == "primeira_posicao_alterada") == (posicoes[demanda_id] == 1)


def test_top_10_shows_the_new_demand_where_it_was_ranked_and_no_ended_one(log: LogEmMemoria) -> None:
    posicoes = {e.payload["demanda_id"]: e.payload["posicao_no_ranking"] for e in log.dos_vizinhos(DEMANDA_RANQUEADA)}
    encerradas: set[str] = set()
    for evento in log.ler([RANKING_ATUALIZADO, *ENCERRAMENTOS], 0):
        if evento.tipo != RANKING_ATUALIZADO:
            encerradas.update(demandas_encerradas(evento))
            continue
        top_10 = [item["demanda_id"] for item in evento.payload["top_10"]]
        gatilho = evento.payload["demanda_id_gatilho"]
        assert top_10[posicoes[gatilho] - 1] == gatilho
        assert encerradas.isdisjoint(top_10)


def test_draws_only_answer_announcements_of_open_demands_and_never_twice(log: LogEmMemoria) -> None:
    anunciadas: set[str] = set()
    sorteadas: list[str] = []
    encerradas: set[str] = set()
    for evento in log.ler([ITEM_DISPONIVEL, CONSELHEIRO_SORTEADO, *ENCERRAMENTOS], 0):
        if evento.tipo == ITEM_DISPONIVEL:
            anunciadas.add(evento.payload["demanda_id"])
        elif evento.tipo == CONSELHEIRO_SORTEADO:
            assert evento.payload["demanda_id"] in anunciadas - encerradas
            sorteadas.append(evento.payload["demanda_id"])
        else:
            encerradas.update(demandas_encerradas(evento))
    assert len(sorteadas) == len(set(sorteadas)) > 0


def test_a_councillor_holds_one_open_demand_at_a_time(log: LogEmMemoria) -> None:
    ocupado_com: dict[str, str] = {}
    conselheiros: dict[str, set[str]] = defaultdict(set)
    encerradas: set[str] = set()
    for evento in log.ler([CONSELHEIRO_SORTEADO, *ENCERRAMENTOS], 0):
        if evento.tipo == CONSELHEIRO_SORTEADO:
            conselheiro_id = evento.payload["conselheiro_id"]
            assert ocupado_com.get(conselheiro_id) in {None, *encerradas}
            ocupado_com[conselheiro_id] = evento.payload["demanda_id"]
            conselheiros[evento.payload["unidade_civica_id"]].add(conselheiro_id)
        else:
            encerradas.update(demandas_encerradas(evento))
    assert all(len(da_unidade) <= CONSELHEIROS_POR_UC for da_unidade in conselheiros.values())


def test_a_draw_can_be_repeated_from_its_public_seed() -> None:
    elegiveis = ["a", "b", "c", "d"]
    assert fisher_yates(elegiveis, "semente") == fisher_yates(elegiveis[::-1], "semente")
    primeiros = Counter(fisher_yates(elegiveis, str(semente))[0] for semente in range(4_000))
    assert all(800 < vezes < 1_200 for vezes in primeiros.values())


def test_demands_are_drawn_then_started_then_concluded_by_the_same_councillor(log: LogEmMemoria) -> None:
    passos: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for evento in log.dos_vizinhos(CONSELHEIRO_SORTEADO, DEMANDA_INICIADA, DEMANDA_CONCLUIDA):
        passos[evento.payload["demanda_id"]].append((evento.tipo, evento.payload["conselheiro_id"]))
    ordem = [CONSELHEIRO_SORTEADO, DEMANDA_INICIADA, DEMANDA_CONCLUIDA]
    for da_demanda in passos.values():
        assert [tipo for tipo, _ in da_demanda] == ordem[: len(da_demanda)]
        assert len({conselheiro_id for _, conselheiro_id in da_demanda}) == 1


def test_conclusions_carry_the_citys_own_date_and_are_not_known_before_it(log: LogEmMemoria) -> None:
    for evento in log.dos_vizinhos(DEMANDA_CONCLUIDA, "demanda.conclusao_confirmada"):
        conclusao = datetime.fromisoformat(evento.payload["data_conclusao"])
        assert conclusao == SOLICITACOES[evento.payload["demanda_id"]].parecer_em
        assert conclusao <= evento.criado_em


def test_aggregates_are_near_duplicates_of_the_oldest_within_one_unit(log: LogEmMemoria) -> None:
    for evento in log.dos_vizinhos(DUPLICIDADE_AGREGADA):
        membros = [SOLICITACOES[membro["demanda_id"]] for membro in evento.payload["membros"]]
        representante = SOLICITACOES[evento.payload["representante_demanda_id"]]
        assert {(m.unidade_civica_id, m.servico) for m in membros} == {
            (representante.unidade_civica_id, representante.servico)
        }
        assert representante.aberta_em == min(membro.aberta_em for membro in membros)
        for membro in membros:
            assert representante.coordenadas is not None
            assert membro.coordenadas is not None
            assert distancia_metros(representante.coordenadas, membro.coordenadas) <= 50


def test_a_demand_is_absorbed_at_most_once_and_never_represents_afterwards(log: LogEmMemoria) -> None:
    representante_de: dict[str, str] = {}
    for evento in log.ler([DUPLICIDADE_AGREGADA], 0):
        representante = evento.payload["representante_demanda_id"]
        assert representante not in representante_de
        for membro in demandas_encerradas(evento):
            assert representante_de.setdefault(membro, representante) == representante


def test_the_simulation_repeats_itself(log: LogEmMemoria) -> None:
    outro = LogEmMemoria()
    simular(outro)
    assert outro.eventos == log.eventos


def test_a_second_simulation_over_the_same_log_draws_nobody_again() -> None:
    log = LogEmMemoria()
    simular(log)
    sorteadas = [evento.payload["demanda_id"] for evento in log.dos_vizinhos(CONSELHEIRO_SORTEADO)]
    ranqueadas = len(log.dos_vizinhos(DEMANDA_RANQUEADA))
    simular(log)
    depois = [evento.payload["demanda_id"] for evento in log.dos_vizinhos(CONSELHEIRO_SORTEADO)]
    assert depois[: len(sorteadas)] == sorteadas
    assert len(depois) == len(set(depois))
    assert len(log.dos_vizinhos(DEMANDA_RANQUEADA)) == ranqueadas


def test_d5_discards_nothing_of_the_demo() -> None:
    _, agenda, _ = demonstracao()
    assert agenda.modelo.descartados == []


def test_the_final_agenda_shows_every_status_and_territorial_groups_and_no_unit_is_silent() -> None:
    _, agenda, _ = demonstracao()
    itens = agenda.modelo.itens.values()
    assert {item["status"] for item in itens} == {"disponivel", "atribuido", "em_progresso", "concluido", "agregado"}
    assert any(item["grupo_id"] for item in itens)
    com_disponivel = {item["unidade_civica_id"] for item in itens if item["status"] == "disponivel"}
    assert com_disponivel == {solicitacao.unidade_civica_id for solicitacao in SOLICITACOES.values()}


def test_rounds_add_up(log: LogEmMemoria) -> None:
    _, _, resumos = demonstracao()
    assert len(resumos) == Simulacao(LogEmMemoria()).total_de_rodadas
    assert sum(resumo.novas_demandas for resumo in resumos) == len(SOLICITACOES)
    assert sum(sum(resumo.eventos_por_tipo.values()) for resumo in resumos) == len(log.dos_vizinhos())


def test_a_finished_simulation_refuses_to_go_on() -> None:
    simulacao = Simulacao(LogEmMemoria(), rodadas=1)
    while not simulacao.terminou:
        simulacao.rodada()
    with pytest.raises(RuntimeError, match="já terminou"):
        simulacao.rodada()

"""The state machine of an item: the whole table (4.5, D17), and what no sequence of events can bring about."""

from collections import defaultdict
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from d5_pipeline.dominio import eventos as ev
from d5_pipeline.dominio.estado import Estado, UnidadeCivica
from d5_pipeline.dominio.estados import Status, transicao
from d5_pipeline.dominio.incremental import aplicar
from d5_pipeline.dominio.linhas import Item, Situacao

INICIO = datetime(2026, 3, 1, tzinfo=UTC)
UC = "f0000001-0000-4000-8000-000000000001"
DEMANDA = "d0000001-0000-4000-8000-000000000001"
OUTRA = "d0000002-0000-4000-8000-000000000002"

STATUS: tuple[Status, ...] = ("disponivel", "atribuido", "em_progresso", "concluido", "agregado", "removido")
# Each column is the status before, in the order of STATUS; None where the event changes nothing.
TABELA: dict[str, tuple[Status | None, ...]] = {
    "conselheiro.sorteado": ("atribuido", "atribuido", "atribuido", None, None, None),
    "conselheiro.demanda_iniciada": ("em_progresso", "em_progresso", None, None, None, None),
    "demanda.concluída": ("concluido", "concluido", "concluido", None, None, None),
    "demanda.conclusao_confirmada": ("concluido", "concluido", None, None, None, None),
    "duplicidade.agregada": ("agregado", "agregado", "agregado", "agregado", None, "agregado"),
}
CASOS = [
    pytest.param(tipo, de, para, id=f"{tipo}-{de}")
    for tipo, linha in TABELA.items()
    for de, para in zip(STATUS, linha, strict=True)
]
SEM_STATUS: dict[str, ev.Dados] = {
    "demanda.ranqueada": ev.Ranqueada(DEMANDA, UC, "1.1", 1, Decimal(100), Decimal(100), Decimal(1), 95, 1, "mvp-v1"),
    "ranking.atualizado": ev.RankingAtualizado(UC),
    "demanda.georreferenciada": ev.Georreferenciada(DEMANDA, (-23.5, -46.6)),
    "parâmetros.atualizados": ev.ParametrosAtualizados(),
    "demanda.removida_por_votação": ev.RemovidaPorVotacao(),
}
COM_STATUS: dict[str, ev.Dados] = {
    "conselheiro.sorteado": ev.Sorteado(DEMANDA, UC),
    "conselheiro.demanda_iniciada": ev.Iniciada(DEMANDA),
    "demanda.concluída": ev.Concluida(DEMANDA, None, None),
    "demanda.conclusao_confirmada": ev.ConclusaoConfirmada(DEMANDA, None, False),
    "duplicidade.agregada": ev.Agregada(OUTRA, OUTRA, (DEMANDA,)),
}
PROIBIDAS = {
    ("concluido", "disponivel"),
    ("concluido", "em_progresso"),
    ("em_progresso", "disponivel"),
    *(("agregado", para) for para in STATUS if para != "agregado"),
    *(("removido", para) for para in STATUS if para not in ("removido", "agregado")),  # D17: aggregated from anything
}


def evento(tipo: str, dados: ev.Dados, sequencia: int = 10) -> ev.Evento:
    """An event an hour per sequence number after the beginning."""
    id_ = f"e0000000-0000-4000-8000-{sequencia:012d}"
    return ev.Evento(sequencia, id_, tipo, "1.0.0", id_, INICIO + timedelta(hours=sequencia), dados)


def estado_com(status: Status, com_linha: bool) -> Estado:
    """One demand with this status, as a row or only as the last recorded transition."""
    estado = Estado(unidades=defaultdict(lambda: UnidadeCivica(10, 1, None, None)))
    if com_linha:
        item = Item(DEMANDA, UC, 1, Decimal(100), status, None, "1.1", 1, OUTRA, INICIO, INICIO)
        estado.conhecer(DEMANDA, None, item, None, agregada=False)
    else:
        estado.conhecer(DEMANDA, None, None, Situacao(status, 1, INICIO), agregada=False)
    return estado


@pytest.mark.parametrize(("tipo", "de", "para"), CASOS)
def test_table_of_transitions(tipo: str, de: Status, para: Status | None) -> None:
    assert transicao(tipo, de) == para


@pytest.mark.parametrize("com_linha", [True, False], ids=["linha", "memória"])
@pytest.mark.parametrize(("tipo", "de", "para"), CASOS)
def test_events_follow_the_table_with_a_row_and_without(
    tipo: str, de: Status, para: Status | None, com_linha: bool
) -> None:
    """D10: conclusions and starts of demands without a row go from the recorded status."""
    estado = estado_com(de, com_linha)
    assert aplicar(estado, evento(tipo, COM_STATUS[tipo])) is None
    assert estado.status(DEMANDA) == (para or de)
    registradas = [(t.de, t.para, t.evento.sequence_number) for t in estado.mudancas.transicoes]
    assert registradas == ([(de, para, 10)] if para else [])


@pytest.mark.parametrize("de", STATUS)
@pytest.mark.parametrize("tipo", SEM_STATUS)
def test_other_events_leave_the_status_alone(tipo: str, de: Status) -> None:
    estado = estado_com(de, com_linha=True)
    aplicar(estado, evento(tipo, SEM_STATUS[tipo]))
    assert estado.itens[DEMANDA].status == de
    assert estado.mudancas.transicoes == []


@pytest.mark.parametrize("de", STATUS)
def test_conclusion_that_needs_ratification_changes_no_status(de: Status) -> None:
    """3.6: ratificacao_necessaria decides first."""
    estado = estado_com(de, com_linha=True)
    aplicar(estado, evento("demanda.conclusao_confirmada", ev.ConclusaoConfirmada(DEMANDA, None, True)))
    assert estado.itens[DEMANDA].status == de
    assert (estado.mudancas.itens, estado.mudancas.publicacoes) == ({}, [])


@pytest.mark.parametrize("tipo", ["conselheiro.demanda_iniciada", "demanda.concluída", "demanda.conclusao_confirmada"])
def test_unknown_demand_goes_from_disponivel(tipo: str) -> None:
    """D10: recorded, with a warning, and no row."""
    estado = Estado()
    aplicar(estado, evento(tipo, COM_STATUS[tipo]))
    assert estado.itens == {}
    assert estado.status(DEMANDA) == TABELA[tipo][0]
    assert [(t.de, t.para) for t in estado.mudancas.transicoes] == [("disponivel", TABELA[tipo][0])]
    assert [ocorrencia.nivel for ocorrencia in estado.mudancas.ocorrencias] == ["warning"]


def test_member_of_an_aggregate_without_a_row_counts_as_aggregated() -> None:
    """D17."""
    estado = Estado(agregadas={DEMANDA}, unidades=defaultdict(lambda: UnidadeCivica(10, 0, None, None)))
    for tipo, dados in (COM_STATUS | SEM_STATUS).items():
        aplicar(estado, evento(tipo, dados))
        assert (estado.status(DEMANDA), estado.itens) == ("agregado", {})


@given(
    inicial=st.sampled_from(STATUS),
    com_linha=st.booleans(),
    passos=st.lists(
        st.tuples(st.sampled_from(sorted(COM_STATUS | SEM_STATUS)), st.integers(1, 12)), min_size=1, max_size=12
    ),
)
def test_forbidden_transitions_never_come_out(inicial: Status, com_linha: bool, passos: list[tuple[str, int]]) -> None:
    """4.5, whatever comes in whatever order, redelivered or late."""
    estado = estado_com(inicial, com_linha)
    for tipo, sequencia in passos:
        de = estado.status(DEMANDA)
        aplicar(estado, evento(tipo, (COM_STATUS | SEM_STATUS)[tipo], sequencia))
        assert (de, estado.status(DEMANDA)) not in PROIBIDAS


@given(
    sequencias=st.permutations(range(2, 8)), tipos=st.lists(st.sampled_from(sorted(COM_STATUS)), min_size=6, max_size=6)
)
def test_status_events_that_were_overtaken_have_no_effect(sequencias: list[int], tipos: list[str]) -> None:
    """D6: an event at or below the sequence of the last transition is stale; aggregation has no such test."""
    estado = estado_com("disponivel", com_linha=True)
    ultima = 0
    for sequencia, tipo in zip(sequencias, tipos, strict=True):
        antes = len(estado.mudancas.transicoes)
        aplicar(estado, evento(tipo, COM_STATUS[tipo], sequencia))
        transitou = len(estado.mudancas.transicoes) > antes
        if tipo != "duplicidade.agregada" and sequencia <= ultima:
            assert not transitou
        if transitou:
            ultima = sequencia

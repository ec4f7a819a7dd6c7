"""The job reconstruir_agenda: an operator's rebuild, recorded and published, or refused with one line (D32)."""

from typing import Any

import pytest

from tests.apoio.banco import Banco
from tests.apoio.eventos import OUTRA_UC, UC, demanda, inserir, ranqueada
from tests.apoio.observacao import fim_do_log, impressao, itens, publicacoes
from tests.orquestracao.orquestrador import Orquestrador, falhas

A, B, C = demanda(1), demanda(2), demanda(3)
DESCONHECIDA = "f0000009-0000-4000-8000-000000000009"


@pytest.fixture
def duas_unidades(banco: Banco, orquestrador: Orquestrador) -> Banco:
    """Backlogs in the order of arrival: a rebuild turns the first one around."""
    banco.semear()
    inserir(banco.conexao, ranqueada(A, 100), ranqueada(B, 900), ranqueada(C, 500, OUTRA_UC))
    assert orquestrador.processar().success
    return banco


def test_rebuild_is_recorded_and_its_id_is_the_trigger_of_what_it_causes(
    duas_unidades: Banco, orquestrador: Orquestrador
) -> None:
    antes = fim_do_log(duas_unidades)
    aplicado = duas_unidades.valor("select max(aplicado_ate) from d5.consumer_offset")
    assert orquestrador.reconstruir([UC.upper()]).success
    (intervencao,) = duas_unidades.consultar("select * from d5.intervencoes where tipo = 'reconstrucao'")
    assert intervencao["aplicado_ate"] == aplicado
    assert intervencao["argumentos"] == {"unidades": [UC]}
    assert {d: item["posicao"] for d, item in itens(duas_unidades).items()} == {B: 1, A: 2, C: 1}
    assert {itens(duas_unidades)[d]["event_id"] for d in (A, B)} == {intervencao["id"]}
    saidas = publicacoes(duas_unidades, antes)
    assert [saida["tipo"] for saida in saidas] == ["agenda.gerada", "agenda.item_disponível"]
    assert {saida["correlacao_id"] for saida in saidas} == {intervencao["id"]}


def test_all_known_units_are_rebuilt_on_request(duas_unidades: Banco, orquestrador: Orquestrador) -> None:
    antes = fim_do_log(duas_unidades)
    assert orquestrador.reconstruir(todas=True).success
    geradas = [p["payload"]["unidade_civica_id"] for p in publicacoes(duas_unidades, antes) if "gerada" in p["tipo"]]
    assert sorted(geradas) == [UC, OUTRA_UC]


def test_rebuild_leaves_pending_events_to_the_next_run(duas_unidades: Banco, orquestrador: Orquestrador) -> None:
    inserir(duas_unidades.conexao, ranqueada(demanda(4), 300))
    assert orquestrador.reconstruir([UC]).success
    assert demanda(4) not in itens(duas_unidades)
    assert orquestrador.processar().success
    assert itens(duas_unidades)[demanda(4)]["posicao"] == 3


@pytest.mark.parametrize(
    ("unidades", "todas", "mensagem"),
    [
        ([UC, DESCONHECIDA], False, f"unidade cívica desconhecida: {DESCONHECIDA}; veja as conhecidas em 'd5 status'"),
        ([UC, "centro"], False, "'centro' não é um UUID de unidade cívica"),
        ([], False, "informe as unidades cívicas a reconstruir ou peça todas, uma coisa ou outra"),
        ([UC], True, "informe as unidades cívicas a reconstruir ou peça todas, uma coisa ou outra"),
    ],
)
def test_wrong_request_fails_with_one_line_and_changes_nothing(
    duas_unidades: Banco, orquestrador: Orquestrador, unidades: list[str], todas: bool, mensagem: str
) -> None:
    antes = impressao(duas_unidades)
    assert falhas(orquestrador.reconstruir(unidades, todas)) == {"pedir": mensagem}
    assert impressao(duas_unidades) == antes


def test_failed_rebuild_changes_nothing(duas_unidades: Banco, orquestrador: Orquestrador) -> None:
    duas_unidades.executar("alter table d5.backlog_items add constraint recusa check (posicao <> 2) not valid")
    antes = impressao(duas_unidades)
    assert list(falhas(orquestrador.reconstruir([UC]))) == ["persistir"]
    assert impressao(duas_unidades) == antes


@pytest.mark.parametrize(
    ("config", "etiquetas", "quem", "por_que"),
    [
        ({}, None, "Dagster", "rebuild pedido pela interface"),
        ({}, {"user": "ana@d5"}, "ana@d5", "rebuild pedido pela interface"),
        ({"quem": "Rui", "por_que": "dúvida"}, {"user": "ana@d5"}, "Rui", "dúvida"),
    ],
    ids=["ninguém", "quem lançou", "quem se disse"],
)
def test_who_and_why_are_recorded(
    duas_unidades: Banco,
    orquestrador: Orquestrador,
    config: dict[str, Any],
    etiquetas: dict[str, str] | None,
    quem: str,
    por_que: str,
) -> None:
    """The Launchpad's fields, else the tag under which Dagster keeps the launching user."""
    assert orquestrador.reconstruir([UC], etiquetas=etiquetas, **config).success
    consulta = "select quem, por_que from d5.intervencoes where tipo = 'reconstrucao'"
    assert duas_unidades.consultar(consulta) == [{"quem": quem, "por_que": por_que}]


def test_a_name_that_cannot_be_shown_fails_in_one_line_and_changes_nothing(
    duas_unidades: Banco, orquestrador: Orquestrador
) -> None:
    antes = impressao(duas_unidades)
    assert falhas(orquestrador.reconstruir([UC], quem="a\0b")) == {"pedir": "quem: só pode ter caracteres visíveis"}
    assert impressao(duas_unidades) == antes

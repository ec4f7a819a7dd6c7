"""The dry run from the Launchpad: the whole graph, the difference in the metadata, nothing written or published."""

import pytest
from dagster import Config, DagsterInstance

from d5_pipeline.orquestracao.configuracao import (
    ConfiguracaoDaReconstrucao,
    ConfiguracaoDoDreno,
    ConfiguracaoDoReenvio,
)
from d5_pipeline.orquestracao.simulacao import ETIQUETA_DA_SIMULACAO
from tests.apoio.banco import Banco
from tests.apoio.eventos import OUTRA_UC, UC, demanda, inserir, parametros, ranqueada
from tests.apoio.observacao import impressao, sequencias
from tests.orquestracao.orquestrador import Orquestrador, falhas, metadados

A, B, C, D = demanda(1), demanda(2), demanda(3), demanda(4)


@pytest.fixture
def duas_unidades(banco: Banco, orquestrador: Orquestrador) -> Banco:
    """In UC A (100), B (900), C (500) in the order of arrival; D alone in the other unit. Then only two slots."""
    banco.semear()
    inserir(banco.conexao, ranqueada(A, 100), ranqueada(B, 900), ranqueada(C, 500), ranqueada(D, 5, OUTRA_UC))
    assert orquestrador.processar().success
    banco.parametrizar(parametros(capacidade_padrao=2))
    return banco


def linhas(tabela: str) -> list[list[str]]:
    """The cells of a Markdown table, its head and its rule aside."""
    return [[celula.strip() for celula in linha.strip("|").split("|")] for linha in tabela.splitlines()[2:]]


def test_the_difference_is_shown_and_nothing_is_written(
    duas_unidades: Banco, orquestrador: Orquestrador, instancia: DagsterInstance
) -> None:
    """Capacity 2, uniform: B and C move up to 1 and 2, A goes; the other unit stays as it is."""
    antes, numeros = impressao(duas_unidades), sequencias(duas_unidades)
    resultado = orquestrador.reconstruir(todas=True, simular=True)
    assert resultado.success
    assert (impressao(duas_unidades), sequencias(duas_unidades)) == (antes, numeros)
    vistos = metadados(resultado, "persistir")
    assert vistos["simulacao"].startswith("Simulação: nada foi gravado nem publicado. De 2 unidade(s), 1 mudaria(m)")
    assert {nome: vistos[nome] for nome in ("unidades", "mudam", "entra", "sai", "sobe", "desce", "reagrupa")} == {
        **{"unidades": 2, "mudam": 1, "entra": 0, "sai": 1, "sobe": 2, "desce": 0, "reagrupa": 0},
    }
    assert linhas(vistos["por_unidade"]) == [[UC, "3", "2", "0", "0", "0", "1", "2", "0", "0", B]]
    assert linhas(vistos["por_demanda"]) == [
        [UC, B, "sobe", "2", "1"],
        [UC, C, "sobe", "3", "2"],
        [UC, A, "sai", "1", "—"],
    ]
    assert metadados(resultado, "publicar")["publicacoes"] == 0
    execucao = instancia.get_run_by_id(resultado.run_id)
    assert execucao is not None
    assert execucao.tags[ETIQUETA_DA_SIMULACAO] == "true"
    assert not [evento for evento in resultado.all_node_events if evento.event_type_value == "ASSET_MATERIALIZATION"]


def test_pending_events_and_publications_are_left_alone_and_named(
    duas_unidades: Banco, orquestrador: Orquestrador
) -> None:
    inserir(duas_unidades.conexao, ranqueada(demanda(5), 999))
    antes = impressao(duas_unidades)
    vistos = metadados(orquestrador.reconstruir([UC], simular=True), "persistir")
    assert vistos["eventos_por_aplicar"] == 1
    assert "há 1 evento(s) ainda não aplicado(s)" in vistos["simulacao"]
    assert demanda(5) not in vistos["por_demanda"]
    assert impressao(duas_unidades) == antes


def test_the_launchpad_starts_with_a_look_at_every_unit(duas_unidades: Banco, orquestrador: Orquestrador) -> None:
    antes = impressao(duas_unidades)
    resultado = orquestrador.reconstruir_como_esta()
    assert resultado.success
    assert metadados(resultado, "persistir")["unidades"] == 2
    assert impressao(duas_unidades) == antes


@pytest.mark.usefixtures("duas_unidades")
def test_nothing_to_change_is_said_so(orquestrador: Orquestrador) -> None:
    vistos = metadados(orquestrador.reconstruir([OUTRA_UC], simular=True), "persistir")
    assert (vistos["mudam"], vistos["por_unidade"], vistos["por_demanda"]) == (0, "Nada mudaria.", "Nada mudaria.")


def test_long_tables_say_what_they_leave_out(duas_unidades: Banco, orquestrador: Orquestrador) -> None:
    """250 units with one demand each that is new to the backlog."""
    duas_unidades.parametrizar(parametros(capacidade_padrao=0))
    novas = [ranqueada(demanda(1_000 + n), 1, f"f0000003-0000-4000-8000-{n:012d}") for n in range(250)]
    inserir(duas_unidades.conexao, *novas)
    duas_unidades.processar()
    duas_unidades.parametrizar(parametros(capacidade_padrao=1))
    vistos = metadados(orquestrador.reconstruir(todas=True, simular=True), "persistir")
    assert (vistos["unidades"], vistos["entra"]) == (252, 250)
    assert vistos["por_unidade"].endswith("Mais 51 linha(s); todas em `d5 reconstruir --simular`.")


@pytest.mark.parametrize(("unidades", "todas"), [([], False), ([UC], True)])
def test_wrong_request_is_refused_as_in_a_real_rebuild(
    duas_unidades: Banco, orquestrador: Orquestrador, unidades: list[str], todas: bool
) -> None:
    antes = impressao(duas_unidades)
    assert falhas(orquestrador.reconstruir(unidades, todas, simular=True)) == {
        "pedir": "informe as unidades cívicas a reconstruir ou peça todas, uma coisa ou outra"
    }
    assert impressao(duas_unidades) == antes


@pytest.mark.parametrize("pedido", [ConfiguracaoDaReconstrucao, ConfiguracaoDoReenvio, ConfiguracaoDoDreno])
def test_every_field_of_the_launchpad_is_described_and_has_a_default(pedido: type[Config]) -> None:
    for campo in pedido.model_fields.values():
        assert campo.description
        assert not campo.is_required()

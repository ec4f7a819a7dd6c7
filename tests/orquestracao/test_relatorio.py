"""What a run tells the UI: after its work, about every unit it touched, and never at the cost of the work."""

import base64
from typing import Any

import pytest
from dagster import DagsterInstance

from d5_pipeline.orquestracao import relatorio
from d5_pipeline.orquestracao.ativos import AGENDA, BACKLOG, LOG, UNIDADES
from d5_pipeline.orquestracao.retrato import Retrato
from tests.apoio.banco import Banco
from tests.apoio.eventos import (
    OUTRA_UC,
    PESOS,
    UC,
    demanda,
    georreferenciada,
    inserir,
    parametros,
    ranking,
    ranqueada,
    sorteado,
)
from tests.apoio.observacao import anunciadas, itens
from tests.orquestracao.orquestrador import Orquestrador, avisos, falhas, materializacoes

A, B, C = demanda(1), demanda(2), demanda(3)
COMECO_DO_PNG = base64.b64encode(b"\x89PNG\r\n").decode()


def linhas_da(tabela: str) -> list[list[str]]:
    """Cells of a Markdown table without its head."""
    return [[celula.strip() for celula in linha.strip("|").split("|")] for linha in tabela.splitlines()[2:]]


def test_each_touched_unit_is_a_partition_with_its_last_state(
    banco: Banco, instancia: DagsterInstance, orquestrador: Orquestrador
) -> None:
    """Two increments, a rebuild and a draw in one unit are one materialisation, of the state they end in."""
    banco.semear()
    inserir(
        banco.conexao, ranqueada(A, 100), ranqueada(B, 900), ranking(), sorteado(B), ranqueada(C, 5, OUTRA_UC, nivel=3)
    )
    agendas = materializacoes(instancia, orquestrador.processar().run_id, AGENDA)
    assert set(agendas) == {UC, OUTRA_UC} == set(instancia.get_dynamic_partitions(str(UNIDADES.name)))
    assert (agendas[UC]["total_itens"], agendas[UC]["disponiveis"]) == (2, 1)
    assert [(linha[0], linha[1], linha[5]) for linha in linhas_da(agendas[UC]["agenda"])] == [
        ("1", f"`{B}`", "atribuido"),
        ("2", f"`{A}`", "disponivel"),
    ]
    assert agendas[OUTRA_UC]["total_itens"] == 1


def test_unit_that_is_left_alone_is_not_reported_again(
    banco: Banco, instancia: DagsterInstance, orquestrador: Orquestrador
) -> None:
    banco.semear()
    inserir(banco.conexao, ranqueada(A), ranqueada(C, 5, OUTRA_UC))
    orquestrador.processar()
    inserir(banco.conexao, sorteado(A))
    assert set(materializacoes(instancia, orquestrador.processar().run_id, AGENDA)) == {UC}


def test_decay_is_shown_as_offered_used_and_free_by_level(
    banco: Banco, instancia: DagsterInstance, orquestrador: Orquestrador
) -> None:
    """4.2 with capacity 10 and current level 1: 8, 2, 0, 0, 0."""
    banco.parametrizar(parametros(pesos_situacionais={UC: PESOS}))
    banco.semear()
    inserir(
        banco.conexao,
        *(ranqueada(demanda(n), n, nivel=1) for n in range(1, 4)),
        *(ranqueada(demanda(n), n, nivel=2) for n in range(11, 14)),
        ranking(),
    )
    da_unidade = materializacoes(instancia, orquestrador.processar().run_id, AGENDA)[UC]
    assert da_unidade["nivel_nao_vencido"] == 1
    assert linhas_da(da_unidade["distribuicao"]) == [
        ["**1** (não vencido)", "8", "3", "5"],
        ["2", "2", "2", "0"],
        ["3", "0", "0", "0"],
        ["4", "0", "0", "0"],
        ["5", "0", "0", "0"],
        ["**total**", "10", "5", "5"],
    ]
    assert (da_unidade["vagas_oferecidas"], da_unidade["vagas_livres"]) == (10, 5)


def test_uniform_distribution_is_one_line(banco: Banco, instancia: DagsterInstance, orquestrador: Orquestrador) -> None:
    banco.semear()
    inserir(banco.conexao, ranqueada(A, 100, OUTRA_UC, nivel=4))
    da_unidade = materializacoes(instancia, orquestrador.processar().run_id, AGENDA)[OUTRA_UC]
    assert da_unidade["nivel_nao_vencido"] == "nenhum"
    assert linhas_da(da_unidade["distribuicao"])[0] == ["todos (distribuição uniforme)", "10", "1", "9"]


def test_groups_are_named_alike_in_table_and_count(
    banco: Banco, instancia: DagsterInstance, orquestrador: Orquestrador
) -> None:
    banco.semear()
    inserir(
        banco.conexao,
        *(ranqueada(demanda(n), 100 - n) for n in (1, 2, 3)),
        *(georreferenciada(demanda(n), -23.55, -46.63 + (0.5 if n == 3 else n / 10_000)) for n in (1, 2, 3)),
        ranking(),
    )
    da_unidade = materializacoes(instancia, orquestrador.processar().run_id, AGENDA)[UC]
    assert da_unidade["grupos_territoriais"] == 1
    assert [linha[6] for linha in linhas_da(da_unidade["agenda"])] == ["G1", "G1", ""]


def test_map_is_a_picture_in_the_page_where_a_demand_has_coordinates(
    banco: Banco, instancia: DagsterInstance, orquestrador: Orquestrador
) -> None:
    banco.semear()
    inserir(banco.conexao, ranqueada(A), georreferenciada(A, -23.55, -46.63), ranqueada(C, 5, OUTRA_UC))
    agendas = materializacoes(instancia, orquestrador.processar().run_id, AGENDA)
    assert agendas[UC]["mapa"].startswith(f"![mapa da agenda](data:image/png;base64,{COMECO_DO_PNG[:7]}")
    assert agendas[OUTRA_UC]["mapa"] == "nenhuma demanda da agenda tem coordenadas"


def test_manual_rebuild_reports_its_unit_with_a_map(
    banco: Banco, instancia: DagsterInstance, orquestrador: Orquestrador
) -> None:
    banco.semear()
    inserir(banco.conexao, ranqueada(A), georreferenciada(A, -23.55, -46.63))
    orquestrador.processar()
    resultado = orquestrador.reconstruir([UC])
    assert "data:image/png" in materializacoes(instancia, resultado.run_id, AGENDA)[UC]["mapa"]
    assert materializacoes(instancia, resultado.run_id, BACKLOG)[None]["rebuild_ms"] > 0


def test_tags_and_numbers_tell_what_the_run_did(
    banco: Banco, instancia: DagsterInstance, orquestrador: Orquestrador
) -> None:
    banco.semear()
    primeira, *_, ultima = inserir(banco.conexao, ranqueada(A), ranqueada(B), ranking(), ranking(OUTRA_UC))
    resultado = orquestrador.processar()
    resumo = resultado.output_for_node("drenar")
    # A is announced when it enters; each rebuild publishes one agenda; no rebuild changes the top
    assert (resumo.lidos, resumo.aplicados, resumo.reconstrucoes, resumo.publicacoes) == (4, 4, 2, 3)
    execucao = instancia.get_run_by_id(resultado.run_id)
    assert execucao is not None
    assert {nome: valor for nome, valor in execucao.tags.items() if nome.startswith("d5/")} == {
        "d5/sequencias": f"{primeira}-{ultima}",
        "d5/lidos": "4",
        "d5/reconstrucoes": "2",
        "d5/publicacoes": "3",
        "d5/unidades": "2",
        "d5/relato": "sim",
    }
    do_backlog = materializacoes(instancia, resultado.run_id, BACKLOG)[None]
    assert (do_backlog["dagster/row_count"], do_backlog["unidades_civicas"], do_backlog["disponiveis"]) == (2, 1, 2)
    (observacao,) = resultado.get_asset_observation_events()
    assert observacao.asset_key == LOG
    assert observacao.asset_observation_data.asset_observation.metadata["atraso_s"].value


def muitas(quantas: int) -> list[str]:
    return [f"f{n:07d}-0000-4000-8000-{n:012d}" for n in range(1, quantas + 1)]


def test_a_drain_of_many_units_reports_those_touched_last_and_counts_the_rest(
    banco: Banco, instancia: DagsterInstance, orquestrador: Orquestrador, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relatorio, "MAIS_UNIDADES", 3)
    monkeypatch.setattr(relatorio, "MAIS_MAPAS", 2)
    banco.semear()
    unidades = muitas(5)
    inserir(banco.conexao, *(ranqueada(demanda(n), 1, uc) for n, uc in enumerate(unidades)))
    inserir(banco.conexao, georreferenciada(demanda(4), -23.55, -46.63))
    resultado = orquestrador.processar()
    agendas = materializacoes(instancia, resultado.run_id, AGENDA)
    assert set(agendas) == set(unidades[2:])
    assert not any("mapa" in da_unidade for da_unidade in agendas.values())
    do_backlog = materializacoes(instancia, resultado.run_id, BACKLOG)[None]
    assert (do_backlog["unidades_tocadas"], do_backlog["unidades_relatadas"]) == (5, 3)
    assert set(instancia.get_dynamic_partitions(str(UNIDADES.name))) == set(unidades[2:])
    com_mapa = [
        agenda["mapa"]
        for agenda in materializacoes(instancia, orquestrador.reconstruir(unidades).run_id, AGENDA).values()
        if "mapa" in agenda
    ]
    assert len(com_mapa) == 2


def test_report_comes_after_everything_is_published(
    banco: Banco, orquestrador: Orquestrador, monkeypatch: pytest.MonkeyPatch
) -> None:
    vistas: list[Any] = []

    def olhar(_: Retrato) -> None:
        vistas.append((anunciadas(banco), banco.valor("select count(*) from d5.publicacoes_pendentes")))

    monkeypatch.setattr(relatorio, "desenhar", olhar)
    banco.semear()
    inserir(banco.conexao, ranqueada(A))
    assert orquestrador.processar().success
    assert vistas == [([A], 0)]


def test_report_that_fails_is_a_warning_of_a_run_that_did_its_work(
    banco: Banco, instancia: DagsterInstance, orquestrador: Orquestrador
) -> None:
    """Only the report looks for this table by its name: the views follow it."""
    banco.semear()
    inserir(banco.conexao, ranqueada(A))
    banco.executar("alter table d5.coordenadas_demanda rename to outro_nome")
    resultado = orquestrador.processar()
    assert resultado.success
    assert (anunciadas(banco), set(itens(banco))) == ([A], {A})
    (aviso,) = avisos(instancia, resultado.run_id)
    assert aviso.startswith("o relatório ficou incompleto, a agenda não: UndefinedTable: ")


def test_map_that_cannot_be_drawn_leaves_the_tables(
    banco: Banco, instancia: DagsterInstance, orquestrador: Orquestrador, monkeypatch: pytest.MonkeyPatch
) -> None:
    def falhar(_: Retrato) -> None:
        raise OSError("sem fontes")

    monkeypatch.setattr(relatorio, "desenhar", falhar)
    banco.semear()
    inserir(banco.conexao, ranqueada(A))
    resultado = orquestrador.processar()
    da_unidade = materializacoes(instancia, resultado.run_id, AGENDA)[UC]
    assert da_unidade["total_itens"] == 1
    assert da_unidade["mapa"] == "não foi desenhado; veja o aviso no registro da execução"
    assert avisos(instancia, resultado.run_id) == [f"mapa de {UC} não desenhado: OSError: sem fontes"]


def test_run_that_fails_for_a_dead_letter_reports_what_it_did(
    banco: Banco, instancia: DagsterInstance, orquestrador: Orquestrador
) -> None:
    banco.semear()
    banco.executar(
        "alter table d5.backlog_scores add constraint recusa "
        "check (demanda_id <> 'd0000002-0000-4000-8000-000000000002') not valid"
    )
    inserir(banco.conexao, ranqueada(A), ranqueada(B))
    resultado = orquestrador.processar()
    assert list(falhas(resultado)) == ["drenar"]
    assert set(materializacoes(instancia, resultado.run_id, AGENDA)) == {UC}


def test_run_without_events_reports_nothing(banco: Banco, orquestrador: Orquestrador) -> None:
    banco.semear()
    resultado = orquestrador.processar()
    assert resultado.filter_events(lambda evento: evento.is_step_materialization) == []

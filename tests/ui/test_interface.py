"""What an operator sees and does in the browser, on the demo's real requests."""

import pytest
from playwright.sync_api import expect

from tests.apoio.banco import Banco
from tests.ui.interface import PRAZO, Interface

pytestmark = pytest.mark.ui

SE = "44d5e286-b6c6-5cf0-8e28-1e04678fa255"  # the unit of the README's table


def test_asset_graph_leads_from_the_log_to_the_published_events(interface: Interface) -> None:
    interface.abrir("/asset-groups")
    for grupo in ("log", "projecao", "parametros", "modelos", "agenda", "publicados", "controle"):
        interface.texto(grupo)
    interface.abrir("/assets/core/agenda_gerada?view=lineage&lineageScope=upstream&lineageDepth=9")
    for ativo in (
        "event_log",
        "backlog_scores",
        "vagas_por_nivel",
        "backlog_ordenado",
        "backlog_items",
        "agenda_gerada",
    ):
        interface.texto(ativo)
    interface.texto("Hide navigation").click()
    interface.fotografar("linhagem")


def test_asset_shows_owner_description_and_columns(interface: Interface) -> None:
    interface.abrir("/assets/d5/backlog_items")
    for visto in ("D-5", "O backlog persistido de cada unidade (2.3). Grão: demanda.", "nivel_precedencia"):
        interface.texto(visto)
    interface.texto("Nível de precedência (1 a 5); 0 se desconhecido.")


def test_manual_rebuild_is_launched_for_one_unit_and_shows_its_table_and_its_map(
    interface: Interface, cidade: Banco
) -> None:
    """The run ends green; the materialisation of the unit's partition is of this run."""
    antes = cidade.valor("select count(*) from d5.intervencoes where tipo = 'reconstrucao'")
    interface.lancar("agenda", "reconstruir_agenda", {"unidades": [SE], "todas": False, "simular": False})
    interface.pagina.reload()
    interface.texto("RUN_SUCCESS")
    interface.icone("gantt_flat").click()
    interface.icone("expand_arrows").click()
    interface.texto("ilustrar")
    interface.fotografar("execucao")
    assert cidade.valor("select count(*) from d5.intervencoes where tipo = 'reconstrucao'") == antes + 1
    demandas = [
        linha["demanda_id"]
        for linha in cidade.consultar(
            "select demanda_id from d5.backlog_items where unidade_civica_id = %s and status <> 'agregado'", SE
        )
    ]
    interface.abrir(f"/assets/d5/agenda?view=partitions&partition={SE}")
    interface.texto("reconstruir_agenda")
    for nome in ("total_itens", "distribuicao", "vagas oferecidas"):
        interface.texto(nome)
    interface.fotografar("agenda")
    linhas = interface.pagina.get_by_role("row")
    linhas.filter(has_text="agenda").get_by_text("[Show Markdown]").click()
    for demanda in demandas:
        interface.texto(demanda)
    interface.fotografar("agenda_tabela")
    interface.pagina.get_by_role("button", name="Close").click()
    linhas.filter(has_text="mapa").get_by_text("[Show Markdown]").click()
    mapa = interface.pagina.get_by_alt_text("mapa da agenda")
    expect(mapa).to_be_visible(timeout=PRAZO)
    assert mapa.evaluate("imagem => imagem.complete && imagem.naturalWidth") == 760
    interface.fotografar("agenda_mapa")


def test_backlog_size_and_rebuild_time_are_plotted_over_time(interface: Interface) -> None:
    interface.abrir("/assets/d5/backlog_items")
    interface.texto("Plots").click()
    for serie in ("dagster/row_count", "disponiveis", "rebuild_ms", "unidades_tocadas"):
        interface.texto(serie).scroll_into_view_if_needed()
    interface.texto("dagster/row_count").scroll_into_view_if_needed()
    interface.fotografar("graficos")


def test_checks_run_from_the_launchpad_and_say_what_they_found(interface: Interface) -> None:
    interface.lancar("agenda", "verificar")
    interface.lancar("modelos", "testar_modelos")
    interface.abrir("/assets/core/event_log?view=checks&checkDetail=atraso_do_log")
    interface.texto("Há quanto tempo espera o evento mais antigo ainda não aplicado.")
    interface.texto("Passed")
    interface.abrir("/assets/d5/backlog_items?view=checks")
    for verificacao in ("agregadas_fora_da_ordem", "unidades_com_voz"):
        interface.texto(verificacao)
    interface.texto("Uma linha está agregada exatamente quando a demanda é membro de um agregado (3.7).")
    interface.texto("Passed")
    interface.fotografar("verificacoes")


def test_runs_are_listed_with_what_they_did(interface: Interface) -> None:
    interface.abrir("/runs")
    interface.texto("processar_eventos")
    expect(interface.pagina.get_by_text("d5/sequencias: ").first).to_be_visible(timeout=PRAZO)
    interface.fotografar("execucoes")

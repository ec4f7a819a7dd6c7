"""A page of the public agenda costs what it shows, on 120,000 rows, whatever the filter: rows and plans, never clocks.

The pages are those of docs/leitura.md, word for word; a filter is added with `and`.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql

from d5_pipeline.conexao import conectar
from tests.apoio.banco import clonar
from tests.modelos.estados import uc
from tests.modelos.test_plano_de_execucao import CARGA as CARGA_DE_SCORES
from tests.modelos.test_plano_de_execucao import nos

DOCUMENTO = Path(__file__).parents[2] / "docs" / "leitura.md"
PAGINA = 100
NULA = "00000000-0000-0000-0000-000000000000"

# 2,400 units of 50 rows, one in ten aggregated; level 5 and the categories are rare. 360,000 located demands, a third
# of them in an agenda, over a square degree: a unit is a territory, so that a box holds few units and most of theirs.
CARGA = """
    insert into d5.backlog_items
        (demanda_id, unidade_civica_id, posicao, score, status, categoria_id, nivel_precedencia, event_id)
    select
        md5(n::text)::uuid,
        format('f0000000-0000-4000-8000-%s', lpad(to_hex(n / 50), 12, '0'))::uuid,
        n % 50 + 1,
        n % 1000,
        case n % 10
            when 0 then 'agregado' when 1 then 'atribuido' when 2 then 'em_progresso' when 3 then 'concluido'
            else 'disponivel'
        end,
        format('%s.%s', 1 + n % 5, 1 + n * 7 % 199),
        case when n % 997 = 0 then 5 else 1 + n % 4 end,
        md5(n::text)::uuid
    from generate_series(0, 119999) as n;

    insert into d5.coordenadas_demanda (demanda_id, lat, lng)
    select
        md5(n::text)::uuid,
        -24 + (n % 120000 / 50 / 49) / 49.0 + (n * 7919 % 1009) / 1009.0 / 49.0,
        -47 + (n % 120000 / 50 % 49) / 49.0 + (n * 104729 % 1013) / 1013.0 / 49.0
    from generate_series(0::bigint, 359999) as n;

    insert into d5.demandas_agregadas (demanda_id, agregado_id, representante_demanda_id, evento_id)
    select demanda_id, demanda_id, md5((random() * 119999)::int::text)::uuid, demanda_id
    from d5.backlog_items where status = 'agregado';

    analyze;
"""
FILTROS = {
    "tudo": "true",
    "unidade": "unidade_civica_id = 'f0000000-0000-4000-8000-000000000640'",
    "nivel comum": "nivel_precedencia = 2",
    "nivel raro": "nivel_precedencia = 5",
    "nivel que não há": "nivel_precedencia = 0",
    "categoria": "categoria_id = '3.100'",
    "status comum": "status = 'disponivel'",
    "status raro": "status = 'em_progresso'",
    "status que não há": "status = 'removido'",
    "nivel e status": "nivel_precedencia = 5 and status = 'disponivel'",
}
CAIXAS = {
    "um quarteirão": (-23.52, -46.52, -23.51, -46.51),
    "um bairro": (-23.60, -46.60, -23.50, -46.50),
    "a cidade": (-24.0, -47.0, -23.0, -46.0),
    "no mar": (-23.52, -10.0, -23.51, -9.9),
}
"""South, west, north, east."""
INICIOS = {
    "primeira": (uc(0), 0),
    "do meio": (uc(1_200), 25),
    "última": (uc(2_399), 40),
}


@pytest.fixture(scope="session")
def cheio(servidor: str, banco_preparado: str) -> Iterator[psycopg.Connection[Any]]:
    """A connection to a database with 120,000 rows in the agenda."""
    with conectar(servidor.format(clonar(servidor, banco_preparado))) as conexao:
        conexao.execute(CARGA)
        yield conexao


def documentadas() -> list[str]:
    """The pages of the document: in the order of the agenda, and inside a box."""
    return re.findall(r"```sql\n(.*?);\n```", DOCUMENTO.read_text(encoding="utf-8"), re.DOTALL)


def trocar(texto: str, antes: str, depois: str) -> str:
    """Replaces what must be there once."""
    assert texto.count(antes) == 1, (texto, antes)
    return texto.replace(antes, depois)


def pagina(filtro: str, unidade: str, posicao: int, demanda_id: str = NULA) -> str:
    """A page in the order of the agenda with a filter, after a key."""
    primeira, _ = documentadas()
    depois = trocar(primeira, f"('{NULA}', -1, '{NULA}')", f"('{unidade}', {posicao}, '{demanda_id}')")
    return trocar(depois, "\nwhere ", f"\nwhere {filtro} and ")


def pagina_da_caixa(filtro: str, caixa: tuple[float, ...], lng: float = -180, demanda_id: str = NULA) -> str:
    """A page of a box with a filter, after a key whose latitude is the southern edge."""
    sul, oeste, norte, leste = caixa
    _, documentada = documentadas()
    chave = trocar(documentada, f"(-23.60, -180, '{NULA}')", f"({sul!r}, {lng!r}, '{demanda_id}')")
    bordas = "lat between -23.60 and -23.50 and lng between -46.70 and -46.60"
    return trocar(
        chave, bordas, f"{filtro} and lat between {sul!r} and {norte!r} and lng between {oeste!r} and {leste!r}"
    )


def leituras(conexao: psycopg.Connection[Any], consulta: str, *tabelas: str) -> tuple[int, dict[str, float]]:
    """Rows that a query returns, and rows it reads of each table, removed ones included; no table is scanned whole."""
    linha = conexao.execute(f"explain (analyze, timing off, format json) {consulta}").fetchone()
    assert linha is not None
    plano = linha[0][0]["Plan"]
    lidas = dict.fromkeys(tabelas, 0.0)
    for no in nos(plano):
        if no.get("Relation Name") in tabelas:
            assert no["Node Type"] in ("Index Scan", "Index Only Scan", "Bitmap Heap Scan"), no
            removidas = no.get("Rows Removed by Filter", 0) + no.get("Rows Removed by Index Recheck", 0)
            lidas[no["Relation Name"]] += (no["Actual Rows"] + removidas) * no["Actual Loops"]
    return int(plano["Actual Rows"]), lidas


TABELAS = ("backlog_items", "coordenadas_demanda", "demandas_agregadas")


@pytest.mark.parametrize("inicio", INICIOS.values(), ids=INICIOS)
@pytest.mark.parametrize("filtro", FILTROS.values(), ids=FILTROS)
def test_a_page_uses_an_index_and_reads_a_few_pages_worth(
    cheio: psycopg.Connection[Any], filtro: str, inicio: tuple[str, int]
) -> None:
    devolvidas, lidas = leituras(cheio, pagina(filtro, *inicio), *TABELAS)
    assert devolvidas <= PAGINA
    assert lidas["backlog_items"] < 10 * PAGINA
    assert lidas["coordenadas_demanda"] < 10 * PAGINA
    assert lidas["demandas_agregadas"] <= PAGINA


@pytest.mark.parametrize("filtro", ["true", "status = 'disponivel'"])
@pytest.mark.parametrize("caixa", CAIXAS.values(), ids=CAIXAS)
def test_a_page_of_a_box_reads_what_lies_in_the_box(
    cheio: psycopg.Connection[Any], caixa: tuple[float, ...], filtro: str
) -> None:
    """A third of the located demands are in an agenda."""
    devolvidas, lidas = leituras(cheio, pagina_da_caixa(filtro, caixa), *TABELAS)
    assert devolvidas <= PAGINA
    assert lidas["coordenadas_demanda"] < 30 * PAGINA
    assert lidas["backlog_items"] < 30 * PAGINA


@pytest.mark.parametrize("filtro", ["tudo", "nivel comum", "status comum", "status raro"])
def test_pages_put_together_are_the_filtered_agenda(cheio: psycopg.Connection[Any], filtro: str) -> None:
    """Nothing twice, nothing left out. A short walk: the last three units."""
    chave: tuple[Any, ...] = (uc(2_397), -1, NULA)
    lidas: list[tuple[Any, ...]] = []
    while desta := cheio.execute(pagina(FILTROS[filtro], *chave).replace("limit 100", "limit 7")).fetchall():
        lidas += desta
        chave = desta[-1][:3]
    inteira = cheio.execute(pagina(FILTROS[filtro], uc(2_397), -1).replace("limit 100", "")).fetchall()
    assert lidas == inteira
    assert inteira


def test_pages_of_a_box_put_together_are_the_box(cheio: psycopg.Connection[Any]) -> None:
    sul, oeste, norte, leste = CAIXAS["um bairro"]
    lidas: list[tuple[Any, ...]] = []
    borda, lng, demanda_id = sul, -180.0, NULA
    while desta := cheio.execute(pagina_da_caixa("true", (borda, oeste, norte, leste), lng, demanda_id)).fetchall():
        lidas += desta
        borda, lng, demanda_id = desta[-1][12], desta[-1][13], desta[-1][2]
    inteira = cheio.execute(
        "select * from d5_leitura.agenda_publica where lat between %s and %s and lng between %s and %s "
        "order by lat, lng, demanda_id",
        [sul, norte, oeste, leste],
    ).fetchall()
    assert lidas == inteira
    assert len(inteira) > 5 * PAGINA


@pytest.mark.parametrize("visao", ["proximo_rebuild", "cortes_por_nivel", "explicacao_demandas"])
def test_an_explanation_reads_its_unit_and_not_the_city(url: str, visao: str) -> None:
    """20 units of 3,000 scores and 20 of 100: one of the small ones is asked for."""
    with conectar(url) as conexao:
        conexao.execute(CARGA_DE_SCORES)
        conexao.execute("set jit = off")
        (unica,) = conexao.execute(
            "select demanda_id from d5.backlog_scores where unidade_civica_id = %s and score_final = 50", [uc(21)]
        ).fetchone() or ("",)
        coluna, valor = ("demanda_id", unica) if visao == "explicacao_demandas" else ("unidade_civica_id", uc(21))
        consulta = sql.SQL("select * from {} where {} = {}").format(
            sql.Identifier("d5_leitura", visao), sql.Identifier(coluna), valor
        )
        devolvidas, lidas = leituras(conexao, consulta.as_string(conexao), "backlog_scores", "coordenadas_demanda")
    assert devolvidas >= 1
    assert lidas["backlog_scores"] < 50 * 100

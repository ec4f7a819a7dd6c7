"""What a rebuild reads does not grow with a unit's scores: rows and plans, never clocks."""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from tests.modelos.estados import uc

CARGA = """
    insert into d5.param_versions
        (versao, fator_decaimento, limiar_peso_nao_vencido, capacidade_padrao, concluidas_ocupam_vaga, raio_metros,
         min_pontos)
    values ('mvp-v1', 0.4, 0.1, 10, false, 500, 2);

    insert into d5.unidades_civicas
    select format('f0000000-0000-4000-8000-%s', lpad(to_hex(n), 12, '0'))::uuid from generate_series(1, 40) as n;

    -- Units 1 to 20 have 3,000 scores each, 21 to 40 have 100; every fourth unit has no weights.
    insert into d5.backlog_scores
        (id, demanda_id, unidade_civica_id, categoria_id, nivel_precedencia, score_final, peso_nacional,
         peso_situacional, score_horizontal, posicao_ranking, versao_parametros, event_id, correlacao_id)
    select gen_random_uuid(), gen_random_uuid(), u.unidade_civica_id, '1.1', 1 + k % 5, k, 1, 1, 1, 1, 'v',
        gen_random_uuid(), gen_random_uuid()
    from (select unidade_civica_id, row_number() over (order by unidade_civica_id) as n from d5.unidades_civicas) as u,
        generate_series(1, case when u.n <= 20 then 3000 else 100 end) as k;

    insert into d5.param_pesos_situacionais
    select p.id, u.unidade_civica_id, nivel, 1.0 / nivel
    from d5.param_versions as p, d5.unidades_civicas as u, generate_series(1, 5) as nivel
    where right(u.unidade_civica_id::text, 1) not in ('4', '8', 'c', '0');

    insert into d5.coordenadas_demanda select demanda_id, -23, -46 from d5.backlog_scores;

    insert into d5.demandas_agregadas
    select demanda_id, demanda_id, demanda_id, demanda_id from d5.backlog_scores where score_final::integer % 7 = 0;

    insert into d5.situacao_demandas (demanda_id, status, sequence_number)
    select demanda_id, 'concluido', 1 from d5.backlog_scores where score_final::integer % 11 = 0;

    analyze;
"""
EXPLICAR = """
    explain (analyze, timing off, format json)
    select * from d5_modelos.backlog_ordenado where unidade_civica_id = any(%s::uuid[])
"""
GRANDES = ("backlog_scores", "coordenadas_demanda", "demandas_agregadas", "situacao_demandas")


@pytest.fixture
def conexao(url: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(url, autocommit=True) as conexao:
        conexao.execute(CARGA)
        yield conexao


def nos(plano: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A plan's node and all below it."""
    yield plano
    for filho in plano.get("Plans", []):
        yield from nos(filho)


def leituras(conexao: psycopg.Connection[Any], unidades: list[str]) -> dict[str, float]:
    """Rows read from each large table, those a filter removed included; fails on a scan without an index."""
    linha = conexao.execute(EXPLICAR, [unidades]).fetchone()
    assert linha is not None
    lidas = dict.fromkeys(GRANDES, 0.0)
    for no in nos(linha[0][0]["Plan"]):
        if no.get("Relation Name") in GRANDES:
            assert no["Node Type"] in ("Index Scan", "Index Only Scan"), no
            por_volta = no["Actual Rows"] + no.get("Rows Removed by Filter", 0)
            lidas[no["Relation Name"]] += por_volta * no["Actual Loops"]
    return lidas


@pytest.mark.parametrize("plano", ["force_custom_plan", "force_generic_plan"])
@pytest.mark.parametrize(("grande", "pequena"), [(1, 21), (4, 24)], ids=["com_nivel", "uniforme"])
def test_a_unit_of_3000_scores_reads_what_one_of_100_reads(
    conexao: psycopg.Connection[Any], plano: str, grande: int, pequena: int
) -> None:
    conexao.execute("select set_config('plan_cache_mode', %s, false)", [plano])
    da_pequena = leituras(conexao, [uc(pequena)])
    da_grande = leituras(conexao, [uc(grande)])
    assert da_grande["backlog_scores"] <= da_pequena["backlog_scores"] + 10
    assert da_grande["backlog_scores"] < 50
    assert da_grande["coordenadas_demanda"] == 10


def test_twenty_units_read_twenty_times_as_much(conexao: psycopg.Connection[Any]) -> None:
    lidas = leituras(conexao, [uc(n) for n in range(1, 21)])
    assert lidas["backlog_scores"] < 20 * 50
    assert lidas["coordenadas_demanda"] == 200


def test_tables_without_statistics_are_read_through_their_indexes(url: str) -> None:
    """Right after a first load, before anything was analysed."""
    with psycopg.connect(url, autocommit=True) as conexao:
        conexao.execute(CARGA.replace("analyze;", ""))
        lidas = leituras(conexao, [uc(1), uc(4)])
    assert lidas["backlog_scores"] < 2 * 50

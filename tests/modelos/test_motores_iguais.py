"""One meaning on both engines: the same states give the same rows on PostgreSQL and on DuckDB."""

import math
from collections import Counter

import psycopg
import pytest

from tests.modelos.estados import Estado, demanda, estado_aleatorio, parametros, score, uc
from tests.modelos.motor import ModelosDuckDB, tabelas_dos_modelos
from tests.modelos.postgres import ModelosPostgres

TIPOS = """
    select a.attname, format_type(a.atttypid, a.atttypmod)
    from pg_attribute as a
    where a.attrelid = %s::regclass and a.attnum > 0 and not a.attisdropped
    order by a.attnum
"""


def test_listed_columns_are_those_of_the_migrations(url: str) -> None:
    """The list from which DuckDB's tables are made has every column of a table it names, with its type."""
    with psycopg.connect(url) as conexao:
        for tabela, tipos in tabelas_dos_modelos().items():
            assert dict(conexao.execute(TIPOS, [f"d5.{tabela}"]).fetchall()) == tipos, tabela


@pytest.mark.parametrize("plano", ["force_custom_plan", "force_generic_plan"])
def test_random_states_give_the_same_backlog(url: str, duckdb_modelos: ModelosDuckDB, plano: str) -> None:
    with psycopg.connect(url) as conexao:
        conexao.execute("select set_config('plan_cache_mode', %s, false)", [plano])
        postgres = ModelosPostgres(conexao)
        for semente in range(12):
            estado = estado_aleatorio(semente, unidades=15)
            with conexao.transaction(force_rollback=True):
                estado.carregar_em(postgres)
                do_postgres = postgres.backlog_ordenado(estado.unidades)
            estado.carregar_em(duckdb_modelos)
            assert duckdb_modelos.backlog_ordenado(estado.unidades) == do_postgres
            duckdb_modelos.limpar()
            assert do_postgres


def test_ids_order_alike(url: str, duckdb_modelos: ModelosDuckDB) -> None:
    """Ids on both sides of a sign bit, in their first and in their ninth byte (D23)."""
    empatadas = [f"{inicio}0000000-0000-4000-{meio}000-00000000000a" for inicio in "078f" for meio in "078f"]
    estado = Estado(parametros(capacidade_padrao=9), [score(empatada, uc(1), 1, "7") for empatada in empatadas])
    estado.carregar_em(duckdb_modelos)
    with psycopg.connect(url) as conexao:
        postgres = ModelosPostgres(conexao)
        estado.carregar_em(postgres)
        esperadas = sorted(empatadas)[:9]
        for motor in (postgres, duckdb_modelos):
            assert [linha["demanda_id"] for linha in motor.backlog_ordenado([uc(1)])] == esperadas


def test_newest_parameters_count_on_both(url: str, duckdb_modelos: ModelosDuckDB) -> None:
    """A later version replaces capacities and weights of the earlier one, also those that it no longer names (4.3)."""
    scores = [score(demanda(n), uc(1), 1 + n % 2, str(n)) for n in range(1, 5)]
    antigos = parametros(capacidade_por_uc={uc(1): 1}, pesos_situacionais={uc(1): {1: 0.5}})
    novos = parametros(capacidade_padrao=3)
    with psycopg.connect(url) as conexao:
        postgres = ModelosPostgres(conexao)
        for motor in (postgres, duckdb_modelos):
            Estado(antigos, scores).carregar_em(motor)
            assert [linha["demanda_id"] for linha in motor.backlog_ordenado([uc(1)])] == [demanda(4)]
            Estado(novos).carregar_em(motor, param_id=2)
            melhores = [demanda(4), demanda(3), demanda(2)]
            assert [linha["demanda_id"] for linha in motor.backlog_ordenado([uc(1)])] == melhores


@pytest.mark.parametrize("fator", [1.0, 0.4, 1e-9, 1e-74, 1e-75, 9.9e-76, 1e-81, 1e-162, 1e-300, 5e-324])
@pytest.mark.parametrize("corrente", [1, 3, 5])
def test_any_factor_that_the_parameters_allow_gives_slots(
    url: str, duckdb_modelos: ModelosDuckDB, fator: float, corrente: int
) -> None:
    """Where a power of the factor is too small for a double it is 0, as in 4.2's arithmetic, not an error (D22)."""
    pesos = {nivel: 0.9 if nivel == corrente else 0.0 for nivel in range(1, 6)}
    linhas = [score(demanda(n), uc(1), 1 + n % 5, str(n)) for n in range(1, 51)]
    estado = Estado(parametros(fator_decaimento=fator, pesos_situacionais={uc(1): pesos}), linhas)
    soma = sum(fator ** abs(nivel - corrente) for nivel in range(1, 6))
    vagas = {nivel: math.floor(10 * fator ** abs(nivel - corrente) / soma) for nivel in range(1, 6)}
    vagas[corrente] = 10 - sum(vagas[nivel] for nivel in vagas if nivel != corrente)
    estado.carregar_em(duckdb_modelos)
    with psycopg.connect(url) as conexao:
        postgres = ModelosPostgres(conexao)
        estado.carregar_em(postgres)
        for motor in (postgres, duckdb_modelos):
            ocupadas = Counter(linha["nivel_precedencia"] for linha in motor.backlog_ordenado([uc(1)]))
            assert {nivel: ocupadas[nivel] for nivel in vagas} == vagas

"""Selection and order (4.1, 4.2, D22 to D24, D31) against an independent calculation in plain Python loops."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.modelos.estados import Estado, demanda, estado_aleatorio, parametros, score, uc
from tests.modelos.motor import ModelosDuckDB
from tests.referencia import rebuild

PESOS_DE_EXEMPLO = {1: 0.85, 2: 0.60, 3: 0.75, 4: 0.40, 5: 0.20}

muitos_casos = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], derandomize=True)


def backlog_literal(estado: Estado, unidade: str) -> tuple[int | None, list[tuple[str, bool]]]:
    """Current level, and the ordered demands with whether they are of that level, by 4.1 and 4.2."""
    candidatas = [
        linha
        for linha in estado.scores
        if linha["unidade_civica_id"] == unidade
        and linha["demanda_id"] not in estado.agregadas
        and (estado.parametros["concluidas_ocupam_vaga"] or linha["demanda_id"] not in estado.concluidas)
    ]
    nivel, prioritarias, outras = rebuild.selecionar(candidatas, estado.parametros, unidade)
    return nivel, [(p["demanda_id"], True) for p in prioritarias] + [(o["demanda_id"], False) for o in outras]


def ids(linhas: list[dict[str, Any]]) -> list[str]:
    return [linha["demanda_id"] for linha in linhas]


@muitos_casos
@given(semente=st.integers(0, 2**32))
def test_order_equals_the_literal_specification(duckdb_modelos: ModelosDuckDB, semente: int) -> None:
    estado = estado_aleatorio(semente, unidades=6)
    duckdb_modelos.limpar()
    estado.carregar_em(duckdb_modelos)
    linhas = duckdb_modelos.backlog_ordenado(estado.unidades)
    scores = {linha["demanda_id"]: linha for linha in estado.scores}
    for unidade in estado.unidades:
        nivel, esperadas = backlog_literal(estado, unidade)
        daqui = [linha for linha in linhas if linha["unidade_civica_id"] == unidade]
        assert [(linha["demanda_id"], linha["prioritaria"]) for linha in daqui] == esperadas
        assert [linha["posicao"] for linha in daqui] == list(range(1, len(daqui) + 1))
        for linha in daqui:
            de_origem = scores[linha["demanda_id"]]
            for coluna in ("unidade_civica_id", "categoria_id", "nivel_precedencia", "score_final"):
                assert linha[coluna] == de_origem[coluna]
            assert linha["nivel_nao_vencido"] == nivel
            assert (linha["lat"], linha["lng"]) == estado.coordenadas.get(linha["demanda_id"], (None, None))


@muitos_casos
@given(fator=st.one_of(st.sampled_from([0.4, 0.5, 1.0]), st.floats(0, 1, exclude_min=True)))
def test_slots_equal_the_literal_arithmetic(duckdb_modelos: ModelosDuckDB, fator: float) -> None:
    """Every level and every capacity from 0 to 50, in double precision (D22)."""
    casos = {uc(100 * nivel + capacidade): (nivel, capacidade) for nivel in range(1, 6) for capacidade in range(51)}
    estado = Estado(
        parametros(
            fator_decaimento=fator,
            capacidade_por_uc={unidade: capacidade for unidade, (_, capacidade) in casos.items()},
            pesos_situacionais={unidade: {nivel: 0.5} for unidade, (nivel, _) in casos.items()},
        ),
        scores=[score(demanda(n), unidade, 1, "1") for n, unidade in enumerate(casos)],
    )
    duckdb_modelos.limpar()
    estado.carregar_em(duckdb_modelos)
    vagas = duckdb_modelos.vagas_por_nivel(list(casos))
    assert vagas == {
        unidade: rebuild.vagas_por_nivel(capacidade, nivel, fator, tem_demanda_no_corrente=True)
        for unidade, (nivel, capacidade) in casos.items()
    }


@pytest.mark.parametrize(
    ("capacidade", "nivel", "vagas"),
    [
        (10, 1, [8, 2, 0, 0, 0]),  # D30
        (1, 1, [1, 0, 0, 0, 0]),  # T22
        (0, 1, [0, 0, 0, 0, 0]),  # D22
        (10, 2, [1, 8, 1, 0, 0]),
        (50, 1, [33, 12, 4, 1, 0]),
        (1031, 1, [625, 250, 100, 40, 16]),  # exact quotients: dividing before multiplying would lose one
    ],
)
def test_slots_worked_by_hand(duckdb_modelos: ModelosDuckDB, capacidade: int, nivel: int, vagas: list[int]) -> None:
    valores = parametros(capacidade_por_uc={uc(1): capacidade}, pesos_situacionais={uc(1): {nivel: 0.5}})
    Estado(valores, [score(demanda(1), uc(1), 1, "1")]).carregar_em(duckdb_modelos)
    assert duckdb_modelos.vagas_por_nivel([uc(1)]) == {uc(1): dict(enumerate(vagas, start=1))}


def test_capacity_one_selects_the_best_of_the_current_level(duckdb_modelos: ModelosDuckDB) -> None:
    """T22, with a better score in another level."""
    valores = parametros(capacidade_por_uc={uc(1): 1}, pesos_situacionais={uc(1): PESOS_DE_EXEMPLO})
    scores = [
        score(demanda(1), uc(1), 1, "50"),
        score(demanda(2), uc(1), 1, "60"),
        score(demanda(3), uc(1), 2, "99"),
    ]
    Estado(valores, scores).carregar_em(duckdb_modelos)
    assert ids(duckdb_modelos.backlog_ordenado([uc(1)])) == [demanda(2)]


def test_empty_slots_stay_empty(duckdb_modelos: ModelosDuckDB) -> None:
    """Capacity 10 at level 1 leaves two slots to level 2 and none to level 3, even if level 1 is empty (D22)."""
    valores = parametros(pesos_situacionais={uc(1): PESOS_DE_EXEMPLO})
    scores = [score(demanda(n), uc(1), nivel, "10") for n, nivel in enumerate([2, 2, 2, 2, 3, 3], start=1)]
    Estado(valores, scores).carregar_em(duckdb_modelos)
    assert ids(duckdb_modelos.backlog_ordenado([uc(1)])) == [demanda(1), demanda(2)]


def test_ties_go_to_the_lower_id_byte_by_byte(duckdb_modelos: ModelosDuckDB) -> None:
    """Ids on both sides of a sign bit, as PostgreSQL orders them (D23)."""
    empatadas = [f"{inicio}0000000-0000-4000-8000-000000000001" for inicio in "f80719ae"]
    valores = parametros(capacidade_padrao=5)
    Estado(valores, [score(empatada, uc(1), 1, "7") for empatada in empatadas]).carregar_em(duckdb_modelos)
    assert ids(duckdb_modelos.backlog_ordenado([uc(1)])) == sorted(empatadas)[:5]


def test_weight_at_the_limiar_is_overcome(duckdb_modelos: ModelosDuckDB) -> None:
    pesos = {uc(1): {1: 0.1}, uc(2): {2: 0.10000000000000002}, uc(3): {4: 0.5, 2: 0.5, 5: 0.4}}
    scores = [score(demanda(n), uc(n), 1, "1") for n in range(1, 5)]
    Estado(parametros(pesos_situacionais=pesos), scores).carregar_em(duckdb_modelos)
    niveis = duckdb_modelos.nivel_nao_vencido([uc(n) for n in range(1, 6)])
    assert niveis == {uc(1): None, uc(2): 2, uc(3): 2, uc(4): None}


def test_unit_with_only_concluded_scores_keeps_its_level(duckdb_modelos: ModelosDuckDB) -> None:
    """It has active scores, hence a level, and an empty backlog if concluded demands free their slots (D31)."""
    valores = parametros(concluidas_ocupam_vaga=False, pesos_situacionais={uc(1): PESOS_DE_EXEMPLO})
    Estado(valores, [score(demanda(1), uc(1), 1, "1")], concluidas={demanda(1)}).carregar_em(duckdb_modelos)
    assert duckdb_modelos.nivel_nao_vencido([uc(1)]) == {uc(1): 1}
    assert duckdb_modelos.backlog_ordenado([uc(1)]) == []


def test_unit_with_only_aggregated_scores_is_empty(duckdb_modelos: ModelosDuckDB) -> None:
    valores = parametros(pesos_situacionais={uc(1): PESOS_DE_EXEMPLO})
    Estado(valores, [score(demanda(1), uc(1), 1, "1")], agregadas={demanda(1)}).carregar_em(duckdb_modelos)
    assert duckdb_modelos.nivel_nao_vencido([uc(1)]) == {}
    assert duckdb_modelos.backlog_ordenado([uc(1)]) == []


def test_only_the_units_asked_for(duckdb_modelos: ModelosDuckDB) -> None:
    scores = [score(demanda(n), uc(n), 1, "1") for n in range(1, 4)]
    Estado(parametros(), scores).carregar_em(duckdb_modelos)
    assert ids(duckdb_modelos.backlog_ordenado([uc(1), uc(3), uc(9)])) == [demanda(1), demanda(3)]

"""What the comparison of two results sees, and what it tolerates."""

import copy
from decimal import Decimal
from typing import Any

from hypothesis import HealthCheck, given, settings

from tests.referencia.comparacao import comparar, rotular_grupos
from tests.referencia.logs import log_aleatorio, logs
from tests.referencia.modelo import ModeloLiteral

Dados = dict[str, Any]


def _publicacao(uc: str, demanda: str, grupo: str | None = None) -> Dados:
    payload = {"demanda_id": demanda, "unidade_civica_id": uc, "score_final": 1.0, "grupo": grupo}
    return {"tipo": "agenda.item_disponível", "correlacao_id": "c", "payload": payload}


def _item(demanda: str, grupo: str | None, **outros: Any) -> Dados:
    return {"demanda_id": demanda, "score": 10.5, "entrou_em": "2026-03-01T01:00:00Z", "grupo": grupo} | outros


def _resultado(itens: list[Dados] | None = None, publicacoes: list[Dados] | None = None) -> Dados:
    return {
        "backlog_scores": [],
        "backlog_items": itens or [],
        "demandas_agregadas": [],
        "coordenadas_demanda": [],
        "consumer_offset": {"demanda.ranqueada": 3},
        "descartados": [2],
        "publicacoes": publicacoes or [],
    }


def test_a_wrong_score_is_named() -> None:
    (linha,) = comparar(_resultado([_item("d1", None)]), _resultado([_item("d1", None, score=10.51)]))
    assert linha.startswith("backlog_items[d1].score")


def test_scores_are_decimals_and_times_are_instants() -> None:
    outro = _item("d1", None, score=Decimal("10.50"), entrou_em="2026-02-28T22:00:00.00-03:00")
    assert comparar(_resultado([outro]), _resultado([_item("d1", None)])) == []


def test_a_missing_and_a_superfluous_row_are_named() -> None:
    linhas = comparar(_resultado([_item("d1", None)]), _resultado([_item("d2", None)]))
    assert [linha.split(":")[1].split()[0] for linha in linhas] == ["sobra", "falta"]


def test_a_swapped_order_within_one_unit_is_seen() -> None:
    a, b = _publicacao("u1", "d1"), _publicacao("u1", "d2")
    assert comparar(_resultado(publicacoes=[a, b]), _resultado(publicacoes=[b, a])) != []


def test_order_across_units_is_free() -> None:
    a, b = _publicacao("u1", "d1"), _publicacao("u2", "d2")
    assert comparar(_resultado(publicacoes=[a, b]), _resultado(publicacoes=[b, a])) == []


def test_timestamp_and_event_id_of_publications_are_not_compared() -> None:
    a, b = _publicacao("u1", "d1"), _publicacao("u1", "d1") | {"event_id": "e1"}
    b["payload"]["timestamp"] = "2026-03-01T01:00:00Z"
    assert comparar(_resultado(publicacoes=[b]), _resultado(publicacoes=[a])) == []


def test_a_publication_too_many_is_seen() -> None:
    a = _publicacao("u1", "d1")
    assert comparar(_resultado(publicacoes=[a, a]), _resultado(publicacoes=[a])) != []


def test_group_names_are_free_but_merged_and_split_groups_are_seen() -> None:
    dois = _resultado([_item("d1", "g1"), _item("d2", "g2")])
    outros_nomes = _resultado([_item("d1", "y"), _item("d2", "x")])
    um = _resultado([_item("d1", "g1"), _item("d2", "g1")])
    nenhum = _resultado([_item("d1", "g1"), _item("d2", None)])
    assert comparar(outros_nomes, dois) == []
    assert comparar(um, dois) != []
    assert comparar(dois, um) != []
    assert comparar(nenhum, dois) != []


def test_groups_of_tables_and_publications_are_one_bijection() -> None:
    igual = _resultado([_item("d1", "g1")], [_publicacao("u1", "d1", "g1")])
    diferente = _resultado([_item("d1", "g1")], [_publicacao("u1", "d1", "g2")])
    assert comparar(igual, diferente) != []


def test_cursors_and_discards_are_compared() -> None:
    outro = _resultado() | {"consumer_offset": {"demanda.ranqueada": 4}, "descartados": []}
    assert len(comparar(outro, _resultado())) == 2


def _aplicado(parametros: Dados, eventos: list[Dados]) -> Dados:
    modelo = ModeloLiteral(parametros)
    for evento in eventos:
        modelo.aplicar(evento)
    return modelo.resultado()


def test_labels_hide_ids_and_keep_groups_apart() -> None:
    com_grupos = 0
    for semente in range(20):
        obtido = _aplicado(*log_aleatorio(semente, 150))
        rotulado = rotular_grupos(obtido)
        com_grupos += any(item["grupo"] for item in rotulado["backlog_items"])
        assert all("grupo_id" not in item for item in rotulado["backlog_items"])
        assert comparar(obtido, rotulado) == []
    assert com_grupos > 0


def test_the_same_seed_gives_the_same_log() -> None:
    assert log_aleatorio(7, 100) == log_aleatorio(7, 100)
    assert log_aleatorio(7, 100) != log_aleatorio(8, 100)


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(logs())
def test_the_model_takes_every_log_and_leaves_its_input_alone(log: tuple[Dados, list[Dados]]) -> None:
    parametros, eventos = log
    antes = copy.deepcopy(log)
    assert comparar(_aplicado(parametros, eventos), _aplicado(parametros, eventos)) == []
    assert (parametros, eventos) == antes

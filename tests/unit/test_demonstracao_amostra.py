"""The shipped sample, its mapping to the platform's terms and the demonstration's parameters."""

import csv
import re
import tomllib
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from uuid import UUID

import pytest

from d5_pipeline.demonstracao.amostra import escolher_amostra
from d5_pipeline.demonstracao.mapeamento import (
    CATEGORIA_DO_ASSUNTO,
    NIVEL_DO_TEMA,
    NOMES_DAS_SUBPREFEITURAS,
    demanda_id,
    nome_da_unidade,
    score_final,
    unidade_civica_id,
)
from d5_pipeline.demonstracao.parametros import PARAMETROS_DEMO, ler_pesos
from d5_pipeline.demonstracao.proximidade import Familias, distancia_metros
from d5_pipeline.demonstracao.solicitacoes import AMOSTRA, interpretar, ler_solicitacoes

UNIDADES = {unidade_civica_id(sigla) for sigla in NOMES_DAS_SUBPREFEITURAS}


def linhas_da_amostra() -> list[dict[str, str]]:
    with AMOSTRA.open(encoding="utf-8", newline="") as arquivo:
        return list(csv.DictReader(arquivo))


def linha(numero: int, **campos: str) -> dict[str, str]:
    return {
        "id": str(numero),
        "data_abertura": f"2020-04-{1 + numero // 1440:02d}T{numero // 60 % 24:02d}:{numero % 60:02d}:00Z",
        "tema": "Urgência",
        "assunto": "Defesa Civil",
        "servico": "Alagamento",
        "subprefeitura": "SE",
        "latitude": "",
        "longitude": "",
        "data_parecer": "2020-05-01T00:00:00Z",
        "status": "FINALIZADA",
    } | campos


def test_sample_stays_small_and_carries_its_credit() -> None:
    assert AMOSTRA.stat().st_size <= 500_000
    creditos = Path(AMOSTRA.with_name("CREDITOS.md")).read_text(encoding="utf-8")
    assert "Prefeitura de São Paulo – SP156, dados abertos" in creditos


def test_sample_has_every_subprefeitura_and_some_requests_without_coordinates() -> None:
    solicitacoes = ler_solicitacoes()
    assert {s.subprefeitura for s in solicitacoes} == set(NOMES_DAS_SUBPREFEITURAS)
    sem_coordenadas = sum(s.coordenadas is None for s in solicitacoes)
    assert 0 < sem_coordenadas < len(solicitacoes) / 2


def test_every_subprefeitura_of_the_sample_has_families_of_near_duplicates() -> None:
    familias = Familias()
    com_duplicatas = set()
    for solicitacao in ler_solicitacoes():
        representante = familias.acolher(solicitacao)
        if representante is not None and representante is not solicitacao:
            com_duplicatas.add(solicitacao.subprefeitura)
    assert com_duplicatas == set(NOMES_DAS_SUBPREFEITURAS)


def test_sampling_prefers_the_family_that_grew_fastest_and_fills_up_evenly() -> None:
    mesmo_lugar = {"latitude": "-23.5", "longitude": "-46.6"}
    familia = [linha(n, **mesmo_lugar) for n in (10, 11, 12, 13, 14)]
    solteiras = [linha(n) for n in range(100, 400)]
    escolhidas = [int(escolhida["id"]) for escolhida in escolher_amostra(solteiras + familia)]
    assert escolhidas[:4] == [10, 11, 12, 13]
    assert len(escolhidas) == 130
    passos = [depois - antes for antes, depois in pairwise(escolhidas[5:])]
    assert set(passos) == {2, 3}


def test_sampling_does_not_depend_on_the_order_of_the_rows() -> None:
    linhas = linhas_da_amostra()
    assert escolher_amostra(linhas[::-1]) == escolher_amostra(linhas)


def test_requests_come_in_chronological_order() -> None:
    aberturas = [s.aberta_em for s in ler_solicitacoes()]
    assert aberturas == sorted(aberturas)


def test_a_waiting_request_has_no_conclusion_whatever_its_opinion_date() -> None:
    esperando, encerrada = interpretar([linha(1, status="AGUARDANDO ATENDIMENTO"), linha(2, status="INDEFERIDO")])
    assert esperando.parecer_em is None
    assert encerrada.parecer_em is not None


def test_identifiers_are_version_5_uuids_and_distinct() -> None:
    identificadores = UNIDADES | {s.demanda_id for s in ler_solicitacoes()}
    assert len(identificadores) == len(NOMES_DAS_SUBPREFEITURAS) + len(linhas_da_amostra())
    assert all(UUID(valor).version == 5 and str(UUID(valor)) == valor for valor in identificadores)
    assert demanda_id(1) == demanda_id(1)


def test_units_are_named_for_people() -> None:
    assert nome_da_unidade(unidade_civica_id("SE")) == "Sé"
    assert nome_da_unidade("outra") == "outra"


def test_categories_are_distinct_and_begin_with_the_level_of_their_tema() -> None:
    assert all(re.fullmatch(r"[1-5]\.\d+", categoria.categoria_id) for categoria in CATEGORIA_DO_ASSUNTO.values())
    assert len({c.categoria_id for c in CATEGORIA_DO_ASSUNTO.values()}) == len(CATEGORIA_DO_ASSUNTO)
    for registro in linhas_da_amostra():
        categoria = CATEGORIA_DO_ASSUNTO[registro["assunto"]].categoria_id
        assert categoria.startswith(f"{NIVEL_DO_TEMA[registro['tema']]}.")


def test_every_level_occurs() -> None:
    assert {s.nivel for s in ler_solicitacoes()} == {1, 2, 3, 4, 5}


@pytest.mark.parametrize(
    ("nivel", "peso", "horizontal", "esperado"),
    [(1, "0.85", 95, "8075.00"), (1, "1.0", 95, "9500.00"), (3, "1.0", 85, "5100.00"), (3, "1.0", 78, "4680.00")],
)
def test_scores_are_those_of_the_specification(nivel: int, peso: str, horizontal: int, esperado: str) -> None:
    assert score_final(nivel, Decimal(peso), horizontal) == Decimal(esperado)


def test_scores_round_half_up() -> None:
    assert score_final(5, Decimal("0.00025"), 1) == Decimal("0.01")


def test_distance_is_haversine_on_the_sphere_of_the_specification() -> None:
    um_grau_no_equador = 6_371_000 * 3.141592653589793 / 180
    assert distancia_metros((0.0, 0.0), (0.0, 1.0)) == pytest.approx(um_grau_no_equador)


def test_a_family_ends_with_its_representative() -> None:
    mesmo_lugar = {"latitude": "-23.5", "longitude": "-46.6"}
    primeira, segunda, terceira = interpretar([linha(n, **mesmo_lugar) for n in (1, 2, 3)])
    familias = Familias()
    assert [familias.acolher(primeira), familias.acolher(segunda)] == [primeira, primeira]
    familias.dispensar(primeira)
    assert familias.acolher(terceira) is terceira


def test_parameters_concern_units_of_the_sample_and_let_concluded_demands_leave_their_slots() -> None:
    parametros = tomllib.loads(PARAMETROS_DEMO.read_text(encoding="utf-8"))
    assert parametros["concluidas_ocupam_vaga"] is False
    assert parametros["capacidade_padrao"] == 10
    assert set(parametros["capacidade_por_uc"]) < UNIDADES
    assert set(parametros["pesos_situacionais"]) < UNIDADES


def test_weights_fall_back_to_one_for_a_unit_without_any() -> None:
    pesos = ler_pesos()
    assert pesos.situacional(unidade_civica_id("PERUS"), 4) == Decimal("0.85")
    assert pesos.situacional(unidade_civica_id("PARELHEIROS"), 1) == Decimal("1.0")

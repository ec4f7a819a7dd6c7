"""Why a demand is where it is, sentence by sentence (2.3, 4.2, 4.10)."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from d5_pipeline.dominio.explicacao import Contexto, Fatos, motivos, situacao

A, B, C = (f"d000000{n}-0000-4000-8000-00000000000{n}" for n in (1, 2, 3))
UC, OUTRA = "f0000001-0000-4000-8000-000000000001", "f0000002-0000-4000-8000-000000000002"
MARCO = datetime(2026, 3, 1, 12, 30, 5, 40_000, tzinfo=UTC)


def fatos(**outros: Any) -> Fatos:
    """A candidate of level 3 in the unit's agenda, second of its level's two slots; current level 1, capacity 10."""
    base: dict[str, Any] = {
        "demanda_id": A,
        "unidade_civica_id": UC,
        "unidade_da_linha": UC,
        "posicao": 9,
        "status_da_linha": "disponivel",
        "entrou_em": MARCO,
        "evento_da_linha": C,
        "score_final": Decimal("1234.50"),
        "nivel_precedencia": 3,
        "categoria_id": "3.1",
        "posicao_ranking": 4,
        "evento_do_score": B,
        "sequencia_do_score": 77,
        "selecionavel": True,
        "capacidade": 10,
        "nivel_nao_vencido": 1,
        "vagas": 2,
        "na_agenda": 2,
        "candidatas": 5,
        "usadas": 2,
        "ultima_dentro": A,
        "score_da_ultima_dentro": Decimal("1234.50"),
        "primeira_fora": B,
        "score_da_primeira_fora": Decimal("800.00"),
        "lugar_no_nivel": 2,
        "posicao_no_rebuild": 9,
    }
    return Fatos(**(base | outros))


def fora(**outros: Any) -> Fatos:
    """The same demand without a row, behind the cut."""
    sem_linha = {"unidade_da_linha": None, "posicao": None, "status_da_linha": None, "entrou_em": None}
    corte = {"ultima_dentro": B, "primeira_fora": C, "lugar_no_nivel": 4, "posicao_no_rebuild": None}
    return fatos(**(sem_linha | corte | {"evento_da_linha": None} | outros))


@pytest.mark.parametrize(
    ("caso", "frase"),
    [
        (None, "Desconhecida: a D-5 não tem score, linha nem status desta demanda."),
        (fatos(), f"Na agenda da unidade {UC}, posição 9: disponível."),
        (
            fatos(status_da_linha="atribuido"),
            f"Na agenda da unidade {UC}, posição 9: atribuída a um conselheiro, ainda não iniciada (para o público: "
            "disponível).",
        ),
        (fatos(status_da_linha="em_progresso"), f"Na agenda da unidade {UC}, posição 9: em progresso."),
        (fatos(status_da_linha="concluido"), f"Na agenda da unidade {UC}, posição 9: concluída."),
        (
            fatos(posicao=0, status_da_linha="em_progresso", unidade_da_linha=OUTRA),
            f"Na agenda da unidade {OUTRA}, fora da ordem (posição 0, sorteada sem estar na agenda): em progresso.",
        ),
        (fora(), f"Fora da agenda da unidade {UC}."),
        (fora(status_recordado="concluido"), f"Fora da agenda da unidade {UC}: concluída."),
        (Fatos(demanda_id=A, status_recordado="em_progresso"), "Fora da agenda: em progresso."),
        (
            fatos(representante_demanda_id=B, status_da_linha="agregado"),
            "Fora da agenda: foi agregada a outra demanda.",
        ),
    ],
)
def test_situation_is_one_line(caso: Fatos | None, frase: str) -> None:
    assert situacao(caso) == frase


def test_reasons_name_score_level_place_cut_and_entry() -> None:
    assert motivos(fatos(), Contexto()) == [
        "Score 1.234,50, nível de precedência 3, categoria 3.1 (demanda.ranqueada nº 77; era a 4ª no ranking da D-4).",
        "O nível corrente da unidade é o 1; o decaimento dá 2 das 10 vagas ao nível 3; 2 na agenda agora.",
        "No nível 3, por score, é a 2ª de 5 candidatas: dentro das vagas.",
        f"Corte: a última com vaga é {A} (score 1.234,50); a primeira sem vaga é {B} (score 800,00).",
        "Entrou na agenda em 01/03/2026 12:30:05 UTC.",
        "Sem grupo territorial.",
    ]


@pytest.mark.parametrize(
    ("caso", "frase"),
    [
        (
            fatos(nivel_nao_vencido=3, vagas=8),
            "É do nível corrente, o não vencido de maior peso na unidade: 8 das 10 vagas; 2 na agenda agora.",
        ),
        (
            fora(vagas=0, na_agenda=0),
            "O nível corrente da unidade é o 1; o decaimento dá nenhuma das 10 vagas ao nível 3; 0 na agenda agora.",
        ),
        (
            fatos(nivel_nao_vencido=None, vagas=10),
            "A unidade não tem nível corrente: 10 vagas para os maiores scores, de qualquer nível; 2 na agenda agora.",
        ),
        (fatos(nivel_nao_vencido=None, vagas=10), "Na unidade, por score, é a 2ª de 5 candidatas: dentro das vagas."),
        (fora(), "No nível 3, por score, é a 4ª de 5 candidatas: fora das vagas."),
        (
            fora(candidatas=1, lugar_no_nivel=1, vagas=0),
            "No nível 3, por score, é a 1ª de 1 candidata: fora das vagas.",
        ),
        (
            fora(lugar_no_nivel=None, selecionavel=False, status_recordado="concluido"),
            "Concluída, não concorre a vaga: os parâmetros dizem concluidas_ocupam_vaga = false (D31).",
        ),
        (
            fora(vagas=0, ultima_dentro=None, score_da_ultima_dentro=None),
            f"Corte: ninguém tem vaga; a primeira sem vaga é {C} (score 800,00).",
        ),
        (
            fatos(primeira_fora=None, score_da_primeira_fora=None),
            f"Corte: a última com vaga é {A} (score 1.234,50); ninguém fica sem.",
        ),
        (
            fora(score_da_primeira_fora=Decimal("1234.50")),
            f"Corte: a última com vaga é {B} (score 1.234,50); a primeira sem vaga é {C} (score 1.234,50); no empate, "
            "a menor demanda_id vem antes (D23).",
        ),
        (
            Fatos(demanda_id=A, status_recordado="concluido"),
            "Não tem score: nenhum demanda.ranqueada dela foi aplicado.",
        ),
        (
            fatos(anunciado_em=MARCO),
            "É a última que a unidade anunciou para sorteio (agenda.item_disponível), em 01/03/2026 12:30:05 UTC.",
        ),
    ],
)
def test_each_reason_has_its_sentence(caso: Fatos, frase: str) -> None:
    assert frase in motivos(caso, Contexto())


def test_group_and_aggregate_name_the_others() -> None:
    ditos = motivos(fatos(grupo_id=UC), Contexto(companheiras=[(1, B), (4, C)], representa=2))
    assert f"Grupo territorial {UC}, sugestivo, com {B} (posição 1) e {C} (posição 4)." in ditos
    assert "Representa um agregado: 2 outras demandas foram agregadas a ela." in ditos
    assert "Representa um agregado: 1 outra demanda foi agregada a ela." in motivos(fatos(), Contexto(representa=1))


def test_a_member_of_an_aggregate_competes_for_nothing() -> None:
    ditos = motivos(fatos(representante_demanda_id=B, selecionavel=None, lugar_no_nivel=None), Contexto())
    assert len(ditos) == 1
    assert ditos[0].startswith("Score 1.234,50")

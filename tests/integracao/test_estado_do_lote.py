"""A batch keeps its state in memory from wave to wave: what is stored meanwhile must not come back into it.

Each case is applied in one batch and event by event; what must come out is said besides.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, NamedTuple

import pytest

from tests.apoio.banco import Banco
from tests.apoio.eventos import (
    INICIO,
    OUTRA_UC,
    UC,
    Evento,
    demanda,
    inserir,
    parametros,
    ranking,
    ranqueada,
    sorteado,
)
from tests.apoio.observacao import itens

A, B, C = (demanda(numero) for numero in range(1, 4))
DEPOIS, AINDA_DEPOIS = INICIO + timedelta(days=1), INICIO + timedelta(days=2)


class Caso(NamedTuple):
    """Events applied before, events of the batch, and (unit, posicao, status, entrou_em) of every row at the end."""

    antes: Sequence[Evento]
    lote: Sequence[Evento]
    linhas: dict[str, tuple[str, int, str, object]]


CASOS = {
    "a row that moves to another unit and is left out there is gone": Caso(
        [ranqueada(A, 50), ranqueada(B, 50, OUTRA_UC)],
        [ranqueada(A, 1, OUTRA_UC), ranking(OUTRA_UC)],
        {B: (OUTRA_UC, 1, "disponivel", INICIO)},
    ),
    "a row left out by one rebuild and taken in by the next one is new": Caso(
        [ranqueada(A, 50), ranqueada(B, 40)],
        [ranqueada(B, 60), ranking(), ranqueada(A, 70), ranking(quando=DEPOIS)],
        {A: (UC, 1, "disponivel", DEPOIS)},
    ),
    "the same for a demand that no event of the batch names": Caso(
        [ranqueada(A, 50)],
        [ranqueada(B, 60), ranking(quando=DEPOIS), ranqueada(B, 40), ranking(quando=AINDA_DEPOIS)],
        {A: (UC, 1, "disponivel", AINDA_DEPOIS)},
    ),
    "what is recorded of it comes back with it": Caso(
        [ranqueada(A, 50), sorteado(A)],
        [ranqueada(B, 60), ranking(quando=DEPOIS), ranqueada(B, 40), ranking(quando=AINDA_DEPOIS)],
        {A: (UC, 1, "atribuido", INICIO)},
    ),
    "a row drawn outside the backlog of another unit leaves room there": Caso(
        [ranqueada(B, 60), ranqueada(A, 50), sorteado(A, OUTRA_UC)],
        [ranqueada(B, 1), ranking(), ranqueada(C, 10, OUTRA_UC, quando=DEPOIS)],
        {A: (UC, 1, "atribuido", INICIO), C: (OUTRA_UC, 1, "disponivel", DEPOIS)},
    ),
    "a demand inserted after a rebuild of the same batch takes the place that the rebuild left": Caso(
        [ranqueada(A, 50), ranqueada(B, 40, OUTRA_UC)],
        [ranqueada(A, 50, OUTRA_UC), ranking(), ranking(OUTRA_UC), ranqueada(C, 1, quando=DEPOIS)],
        {A: (OUTRA_UC, 1, "disponivel", INICIO), C: (UC, 1, "disponivel", DEPOIS)},
    ),
}


@pytest.mark.parametrize("caso", CASOS.values(), ids=CASOS)
def test_rows_that_come_and_go_within_a_batch(dois_bancos: list[Banco], caso: Caso) -> None:
    """Capacity 1."""
    for banco, tamanho in zip(dois_bancos, (100, 1), strict=True):
        banco.parametrizar(parametros(capacidade_padrao=1))
        banco.semear()
        for eventos in (caso.antes, caso.lote):
            inserir(banco.conexao, *eventos)
            banco.processar(tamanho)
    obtidas, uma_a_uma = (
        {
            d: (linha["unidade_civica_id"], linha["posicao"], linha["status"], linha["entrou_em"])
            for d, linha in itens(banco).items()
        }
        for banco in dois_bancos
    )
    assert obtidas == uma_a_uma == caso.linhas
    de_uma_vez, por_evento = ([_sem_relogio(p) for p in banco.publicacoes()] for banco in dois_bancos)
    assert de_uma_vez == por_evento


def _sem_relogio(publicacao: dict[str, Any]) -> dict[str, Any]:
    return publicacao | {"payload": publicacao["payload"] | {"timestamp": None}}

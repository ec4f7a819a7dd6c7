"""What one agenda changes against another: who comes in, goes out, moves up or down (4.1, D16)."""

import pytest

from d5_pipeline.dominio.balanco import Contagem, Distribuicao, contar, descrever, retratar
from d5_pipeline.dominio.diferencas import Efeito, Lugar, comparar

A, B, C, D = "demanda-a", "demanda-b", "demanda-c", "demanda-d"


@pytest.mark.parametrize(
    ("antes", "depois", "efeito"),
    [
        (None, Lugar(3, None), "entra"),
        (Lugar(3, None), None, "sai"),
        (Lugar(0, None), None, "sai"),
        (Lugar(3, None), Lugar(2, None), "sobe"),
        (Lugar(2, None), Lugar(3, None), "desce"),
        (Lugar(2, "g"), Lugar(1, "h"), "sobe"),
        (Lugar(2, None), Lugar(2, "g"), "reagrupa"),
        (Lugar(2, "g"), Lugar(2, "h"), "reagrupa"),
        (Lugar(2, "g"), Lugar(2, None), "reagrupa"),
    ],
)
def test_each_change_of_place_has_its_name(antes: Lugar | None, depois: Lugar | None, efeito: Efeito) -> None:
    (mudanca,) = comparar({} if antes is None else {A: antes}, {} if depois is None else {A: depois})
    assert mudanca.efeito == efeito
    assert (mudanca.antes, mudanca.depois) == (antes and antes.posicao, depois and depois.posicao)


def test_a_row_outside_the_order_comes_in_and_says_whose_it_was() -> None:
    """D16: drawn outside the backlog, position 0, perhaps in the payload's unit."""
    propria, alheia = comparar({A: Lugar(0, None), B: Lugar(0, None, "outra")}, {A: Lugar(1, None), B: Lugar(2, None)})
    assert (propria.efeito, propria.antes, propria.vem_de) == ("entra", 0, None)
    assert (alheia.efeito, alheia.antes, alheia.vem_de) == ("entra", 0, "outra")


def test_a_demand_that_keeps_place_and_group_is_no_change() -> None:
    assert comparar({A: Lugar(1, "g")}, {A: Lugar(1, "g")}) == []


def test_changes_come_in_the_order_of_the_new_agenda_and_the_leaving_last() -> None:
    antes = {A: Lugar(1, None), B: Lugar(2, None), C: Lugar(3, None)}
    depois = {C: Lugar(1, None), D: Lugar(2, None)}
    assert [(m.demanda_id, m.efeito) for m in comparar(antes, depois)] == [
        (C, "sobe"),
        (D, "entra"),
        (A, "sai"),
        (B, "sai"),
    ]


def test_counts_add_up_and_read_as_a_sentence() -> None:
    um = contar(comparar({A: Lugar(1, None), B: Lugar(2, None)}, {B: Lugar(1, None), C: Lugar(2, None)}))
    assert um == Contagem(entra=1, sai=1, sobe=1)
    dois = um.mais(Contagem(entra=2, desce=1, reagrupa=1))
    assert (dois, dois.total) == (Contagem(3, 1, 1, 1, 1), 7)
    assert descrever(dois) == "3 entram, 1 sai, 1 sobe, 1 desce, 1 muda só de grupo"
    assert descrever(Contagem()) == "nenhuma demanda muda de lugar"


def test_portrait_counts_groups_not_their_members() -> None:
    lugares = {A: Lugar(1, "g"), B: Lugar(2, "g"), C: Lugar(3, None)}
    retrato = retratar(lugares, Distribuicao(1, [8, 2, 0, 0, 0]), A)
    assert (retrato.itens, retrato.grupos, retrato.nivel_nao_vencido, retrato.anuncia) == (3, 1, 1, A)
    assert retrato.vagas == [8, 2, 0, 0, 0]

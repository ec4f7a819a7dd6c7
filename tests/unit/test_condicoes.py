"""What would have to change, one claim per case; and how the agenda differs from a rebuild's."""

from decimal import Decimal

import pytest

from d5_pipeline.dominio.condicoes import condicoes, no_rebuild
from d5_pipeline.dominio.explicacao import Contexto, EventoCitado, Fatos
from tests.unit.test_explicacao import MARCO, OUTRA, UC, A, B, C, fatos, fora

FOLGA = "Perderia a vaga num rebuild com mais 1 candidata à sua frente no nível 3, ou com 1 vaga a menos."


@pytest.mark.parametrize(
    ("caso", "contexto", "frases"),
    [
        (fatos(), Contexto(a_frente=0), ["Para ser sorteada, nada: é a primeira disponível da unidade.", FOLGA]),
        (
            fatos(lugar_no_nivel=1),
            Contexto(a_frente=1),
            [
                "Para ser a próxima sorteada: 1 disponível à frente sair da fila, ou um score que a adiante num "
                "rebuild.",
                "Perderia a vaga num rebuild com mais 2 candidatas à sua frente no nível 3, ou com 2 vagas a menos.",
            ],
        ),
        (
            fatos(status_da_linha="atribuido"),
            Contexto(),
            ["Já foi sorteada: espera que o conselheiro a inicie (conselheiro.demanda_iniciada).", FOLGA],
        ),
        (
            fatos(status_da_linha="em_progresso"),
            Contexto(),
            ["Já está em progresso: espera a conclusão (demanda.concluída).", FOLGA],
        ),
    ],
)
def test_in_the_agenda_and_selected(caso: Fatos, contexto: Contexto, frases: list[str]) -> None:
    assert condicoes(caso, contexto) == frases


@pytest.mark.parametrize(
    ("caso", "frase"),
    [
        (
            fora(score_final=Decimal("700"), score_da_ultima_dentro=Decimal("812.40"), ultima_dentro=A, demanda_id=B),
            "Precisaria de score acima de 812,40 no nível 3 (hoje 700), ou de mais 2 vagas no nível 3.",
        ),
        (
            fora(score_final=Decimal("700.00"), score_da_ultima_dentro=Decimal("812.40"), lugar_no_nivel=3),
            "Precisaria de score de 812,40 ou mais no nível 3 (hoje 700,00), ou de mais 1 vaga no nível 3.",
        ),
        (
            fora(nivel_nao_vencido=None, vagas=3, score_da_ultima_dentro=Decimal("812.40")),
            "Precisaria de score de 812,40 ou mais na unidade (hoje 1.234,50), ou de mais 1 vaga na unidade.",
        ),
        (
            fora(vagas=0, ultima_dentro=None, score_da_ultima_dentro=None),
            "Precisaria de mais 4 vagas no nível 3, que não tem nenhuma seja qual for o score: outra capacidade, outro "
            "nível corrente (hoje o 1), ou outra categoria para a demanda.",
        ),
        (
            fora(vagas=0, capacidade=0, ultima_dentro=None, score_da_ultima_dentro=None),
            "Precisaria de mais 4 vagas: a capacidade da unidade é 0 (parâmetros).",
        ),
        (
            fora(posicao_no_rebuild=3),
            f"Nada além de um rebuild da unidade: o próximo ranking.atualizado da D-4, ou 'd5 reconstruir {UC}'.",
        ),
    ],
)
def test_outside_the_agenda(caso: Fatos, frase: str) -> None:
    assert condicoes(caso, Contexto()) == [frase]


def test_in_the_agenda_until_the_next_rebuild() -> None:
    caso = fora(unidade_da_linha=UC, posicao=5, status_da_linha="disponivel", score_da_ultima_dentro=Decimal("2000.00"))
    assert condicoes(caso, Contexto(a_frente=0)) == [
        "Para ser sorteada, nada: é a primeira disponível da unidade.",
        "Para seguir na agenda depois do próximo rebuild, precisaria de score de 2.000,00 ou mais no nível 3 (hoje "
        "1.234,50), ou de mais 2 vagas no nível 3.",
    ]


@pytest.mark.parametrize(
    ("caso", "frases"),
    [
        (
            fatos(status_da_linha="concluido", data_conclusao=MARCO, dias_ate_conclusao=1, posicao_no_rebuild=None),
            [
                "Nada a oferece de novo: encerrada em 01/03/2026 12:30:05 UTC (1 dia da entrada à conclusão), não "
                "volta a disponível (4.5)."
            ],
        ),
        (
            fatos(status_da_linha="concluido"),
            [
                "Nada a oferece de novo: encerrada, não volta a disponível (4.5).",
                "Segue ocupando uma vaga enquanto estiver entre as selecionadas (4.10; concluidas_ocupam_vaga = true, "
                "D31).",
            ],
        ),
        (
            fora(status_recordado="concluido", posicao_no_rebuild=2),
            [
                "Nada a oferece de novo: encerrada, não volta a disponível (4.5).",
                "Volta, já concluída, a ocupar uma vaga enquanto estiver entre as selecionadas (4.10; "
                "concluidas_ocupam_vaga = true, D31).",
            ],
        ),
        (
            fatos(status_da_linha="removido", posicao_no_rebuild=None),
            ["Nada a oferece de novo: encerrada, não volta a disponível (4.5)."],
        ),
    ],
)
def test_ended(caso: Fatos, frases: list[str]) -> None:
    assert condicoes(caso, Contexto()) == frases


def test_drawn_without_a_score() -> None:
    """D16: the row goes with the next rebuild, the recorded status stays."""
    caso = Fatos(demanda_id=A, unidade_civica_id=UC, unidade_da_linha=UC, posicao=0, status_da_linha="atribuido")
    assert condicoes(caso, Contexto()) == [
        "Precisaria de um demanda.ranqueada da D-4 para concorrer a uma vaga.",
        "Foi sorteada sem score: o próximo rebuild da unidade retira a linha; o status fica registrado (D16).",
    ]
    registrada = Fatos(demanda_id=A, status_recordado="em_progresso")
    assert condicoes(registrada, Contexto()) == ["Precisaria de um demanda.ranqueada da D-4 para concorrer a uma vaga."]


def test_aggregated_leads_to_who_counts() -> None:
    """3.7, D19: through every representative up to the one that stands in the agenda."""
    caso = fatos(representante_demanda_id=B, agregado_id=OUTRA, agregado_em=MARCO)
    intermediaria = Fatos(demanda_id=B, representante_demanda_id=C)
    ultima = fatos(demanda_id=C, posicao=2)
    assert condicoes(caso, Contexto(representantes=[intermediaria, ultima])) == [
        "Nada a traz de volta: agregado é estado final (4.5). Foi absorvida em 01/03/2026 12:30:05 UTC no agregado "
        f"{OUTRA}.",
        f"Quem conta é a representante {B}: ela mesma agregada.",
        f"Também foi agregada: quem conta é a representante {C}: na agenda, posição 2, disponível.",
    ]


@pytest.mark.parametrize(
    ("representante", "onde"),
    [
        (Fatos(demanda_id=B), "desconhecida da D-5"),
        (Fatos(demanda_id=B, score_final=Decimal(1)), "fora da agenda"),
        (Fatos(demanda_id=B, status_recordado="concluido"), "fora da agenda, concluída"),
    ],
)
def test_representative_outside_the_agenda(representante: Fatos, onde: str) -> None:
    ditas = condicoes(fatos(representante_demanda_id=B), Contexto(representantes=[representante]))
    assert ditas[1] == f"Quem conta é a representante {B}: {onde}."


@pytest.mark.parametrize(
    ("contexto", "frases"),
    [
        (Contexto(), ["Precisaria de um demanda.ranqueada da D-4 com este demanda_id: nenhum foi aplicado."]),
        (
            Contexto(semeado_em=40),
            [
                "Precisaria de um demanda.ranqueada da D-4 com este demanda_id: nenhum foi aplicado.",
                "A leitura começou depois do nº 40 do log: o que está até ali não foi lido (D1).",
            ],
        ),
        (
            Contexto(pendentes=None),
            [
                "Este usuário do banco não lê o log: não se sabe se há evento dela à espera.",
                "Precisaria de um demanda.ranqueada da D-4 com este demanda_id: nenhum foi aplicado.",
            ],
        ),
        (
            Contexto(pendentes=[EventoCitado(5, "demanda.ranqueada"), EventoCitado(7, "conselheiro.sorteado")]),
            [
                "Está no log, ainda não aplicada: demanda.ranqueada nº 5, conselheiro.sorteado nº 7; 'd5 status' diz o "
                "que espera e 'd5 processar' aplica."
            ],
        ),
        (
            Contexto(recusados=[EventoCitado(5, "demanda.ranqueada", "descartado: payload inválido")]),
            [
                "O evento demanda.ranqueada nº 5 não teve efeito (descartado: payload inválido); veja 'd5 evento 5'.",
            ],
        ),
    ],
)
def test_unknown(contexto: Contexto, frases: list[str]) -> None:
    assert condicoes(None, contexto) == frases


def test_what_waits_in_the_log_comes_first_for_a_known_demand_too() -> None:
    primeira, *_ = condicoes(fatos(), Contexto(a_frente=0, pendentes=[EventoCitado(5, "demanda.concluída")]))
    assert primeira.startswith("Tem eventos no log ainda não aplicados: demanda.concluída nº 5;")


CHEGADA = " Chegou, ou foi ranqueada de novo, depois do último: até lá fica onde chegou, ou onde já estava."


@pytest.mark.parametrize(
    ("caso", "frase"),
    [
        (fatos(), "Um rebuild agora a deixaria na mesma posição."),
        (fatos(evento_da_linha=B), "Um rebuild agora a deixaria na mesma posição."),
        (fatos(posicao_no_rebuild=2), "O próximo rebuild a leva da posição 9 à 2."),
        (fatos(posicao_no_rebuild=2, evento_da_linha=B), f"O próximo rebuild a leva da posição 9 à 2.{CHEGADA}"),
        (fatos(posicao_no_rebuild=None), "O próximo rebuild a retira da agenda."),
        (fatos(posicao_no_rebuild=None, evento_da_linha=B), f"O próximo rebuild a retira da agenda.{CHEGADA}"),
        (fora(), "Um rebuild agora não a incluiria."),
        (
            fora(posicao_no_rebuild=4),
            "O próximo rebuild a inclui, na posição 4: a seleção de agora lhe dá lugar.",
        ),
        (
            fatos(unidade_da_linha=OUTRA, posicao=0, posicao_no_rebuild=4),
            f"O próximo rebuild de {UC}, unidade do score, a leva para lá, na posição 4.",
        ),
        (fatos(representante_demanda_id=B), None),
        (Fatos(demanda_id=A, status_recordado="concluido"), None),
    ],
)
def test_difference_to_a_rebuild(caso: Fatos, frase: str | None) -> None:
    assert no_rebuild(caso) == frase

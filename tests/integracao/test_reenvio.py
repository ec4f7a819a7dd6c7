"""Dead letters and discards are kept, visible, and can be re-driven without regressing anything (D6, D11, D12)."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from d5_pipeline.dominio.eventos import TIPOS_COM_CURSOR
from d5_pipeline.erros import ErroDeConfiguracao
from d5_pipeline.processamento.posicionamento import definir
from d5_pipeline.processamento.reenvio import encerrar, reenviar
from d5_pipeline.processamento.situacao import ha_trabalho
from d5_pipeline.repositorio.conhecidos import destino
from tests.apoio.banco import Banco
from tests.apoio.eventos import (
    OUTRA_UC,
    Evento,
    concluida,
    demanda,
    georreferenciada,
    iniciada,
    inserir,
    parametros,
    ranking,
    ranqueada,
    sorteado,
)

A, B = demanda(1), demanda(2)

VENENO = """
    create function public.recusar() returns trigger language plpgsql as $$
    begin
        if new.demanda_id = '{}' then raise exception 'linha recusada'; end if;
        return new;
    end $$
"""


@contextmanager
def recusando(banco: Banco, demanda_id: str, tabela: str = "backlog_items") -> Iterator[None]:
    """While it lasts, rows of this demand are refused: every event that writes one fails."""
    banco.executar(VENENO.format(demanda_id))
    banco.executar(
        f"create trigger veneno before insert or update on d5.{tabela} for each row execute function recusar()"
    )
    yield
    banco.executar(f"drop trigger veneno on d5.{tabela}")
    banco.executar("drop function public.recusar()")


def vencer(banco: Banco) -> None:
    """The next automatic attempt is due."""
    banco.executar("update d5.dlq set proxima_em = now() - interval '1 second' where proxima_em is not null")


def situacoes(banco: Banco) -> list[tuple[str, int]]:
    """Situation and attempts of each dead letter."""
    linhas = banco.consultar("select situacao, tentativas from d5.dlq order by sequence_number")
    return [(linha["situacao"], linha["tentativas"]) for linha in linhas]


def status(banco: Banco, demanda_id: str) -> str | None:
    linhas = banco.consultar("select status from d5.backlog_items where demanda_id = %s", demanda_id)
    return linhas[0]["status"] if linhas else None


def test_due_dead_letter_is_applied_by_the_next_drain_and_announced_once(banco: Banco) -> None:
    banco.semear()
    with recusando(banco, A):
        inserir(banco.conexao, ranqueada(A))
        assert banco.processar().dlq == 1
    assert (status(banco, A), situacoes(banco)) == (None, [("aberta", 1)])
    assert banco.processar().aplicados == 0, "not due yet"
    vencer(banco)
    assert banco.processar().publicacoes == 1
    assert (status(banco, A), situacoes(banco)) == ("disponivel", [("resolvida", 1)])
    vencer(banco)
    assert banco.processar().publicacoes == 0


def test_failing_attempts_are_put_off_longer_and_longer_and_then_end(banco: Banco) -> None:
    """D11: after 1, 5 and 30 minutes, 2 and 12 hours."""
    banco.semear()
    with recusando(banco, A):
        inserir(banco.conexao, ranqueada(A))
        banco.processar()
        esperas = []
        for tentativa in (2, 3, 4, 5, 6):
            esperas.append(float(banco.valor("select extract(epoch from proxima_em - atualizado_em) from d5.dlq")))
            vencer(banco)
            banco.processar()
            assert banco.valor("select tentativas from d5.dlq") == tentativa
        assert esperas == pytest.approx([60, 300, 1_800, 7_200, 43_200], abs=0.1)
        assert situacoes(banco) == [("esgotada", 6)]
        assert banco.valor("select proxima_em from d5.dlq") is None


def test_late_redrive_does_not_regress_what_later_events_did(banco: Banco) -> None:
    """The score, the draw and the start fail or come late; the conclusion went through meanwhile."""
    banco.parametrizar(parametros())
    banco.semear()
    inserir(banco.conexao, ranqueada(A, score=10))
    banco.processar()
    with recusando(banco, A):
        velho, sorteio = inserir(banco.conexao, ranqueada(A, score=20), sorteado(A))
        banco.processar()
    inserir(banco.conexao, ranqueada(A, score=30), concluida(A))
    banco.processar()
    vencer(banco)
    banco.processar()
    assert situacoes(banco) == [("resolvida", 1), ("resolvida", 1)]
    assert banco.valor("select score_final from d5.backlog_scores where demanda_id = %s", A) == 30
    assert status(banco, A) == "concluido"
    assert [linha["para"] for linha in banco.consultar("select para from d5.transicoes_status order by id")] == [
        "concluido"
    ]
    assert velho < sorteio


def test_score_redriven_after_the_next_one_leaves_the_row_to_that_one(banco: Banco) -> None:
    """3.10, D6: the numbers are neighbours, so that a guard that is off by one is seen."""
    banco.semear()
    inserir(banco.conexao, ranqueada(A, score=10))
    banco.processar()
    with recusando(banco, A):
        (velho,) = inserir(banco.conexao, ranqueada(A, score=20, nivel=2, categoria="2.2"))
        assert banco.processar().dlq == 1
    ultima = ranqueada(A, score=30, uc=OUTRA_UC, nivel=3, categoria="3.3")
    assert inserir(banco.conexao, ultima) == [velho + 1]
    banco.processar()
    antes = banco.resultado()
    reenviar(banco.conexao, "dlq", [str(velho)])
    assert situacoes(banco) == [("resolvida", 1)]
    (linha,) = banco.consultar("select * from d5.backlog_items")
    assert (linha["demanda_id"], linha["unidade_civica_id"], linha["event_id"]) == (A, OUTRA_UC, ultima.event_id)
    assert (linha["score"], linha["categoria_id"], linha["nivel_precedencia"]) == (30, "3.3", 3)
    assert banco.resultado() == antes


def test_score_under_the_number_of_the_one_applied_changes_nothing(banco: Banco) -> None:
    """3.10: lower or equal; a restored log gives a number to another event."""
    banco.semear()
    aplicada = ranqueada(A, score=10)
    (numero,) = inserir(banco.conexao, aplicada)
    banco.processar()
    antes = banco.resultado()
    cortar_o_log(banco, numero)
    definir(banco.conexao, list(TIPOS_COM_CURSOR), 0)
    assert inserir(banco.conexao, ranqueada(A, score=20)) == [numero]
    banco.processar()
    depois = banco.resultado()
    assert (depois["backlog_scores"], depois["backlog_items"]) == (antes["backlog_scores"], antes["backlog_items"])
    assert {linha["event_id"] for linha in depois["backlog_items"]} == {aplicada.event_id}


def test_settled_event_that_fails_again_is_an_open_dead_letter_again(banco: Banco) -> None:
    """D11: a trigger of a rebuild, since it has no guard by event_id and runs again when it is read again (T8)."""
    banco.semear()
    inserir(banco.conexao, ranqueada(A))
    banco.processar()
    with recusando(banco, A):
        (numero,) = inserir(banco.conexao, ranking())
        banco.processar()
    reenviar(banco.conexao, "dlq", [str(numero)])
    assert banco.processar().publicacoes == 1
    assert situacoes(banco) == [("resolvida", 1)]
    with recusando(banco, A):
        definir(banco.conexao, ["ranking.atualizado"], 0)
        assert banco.processar().dlq == 1
    assert situacoes(banco) == [("aberta", 2)]
    assert banco.valor("select proxima_em from d5.dlq") is not None
    vencer(banco)
    assert banco.processar().publicacoes == 1
    assert situacoes(banco) == [("resolvida", 2)]


def test_redrive_twice_has_one_effect(banco: Banco) -> None:
    banco.semear()
    with recusando(banco, A):
        (numero,) = inserir(banco.conexao, ranqueada(A))
        banco.processar()
    reenviar(banco.conexao, "dlq", [str(numero)])
    antes = banco.resultado()
    with pytest.raises(ErroDeConfiguracao, match="nada espera por reenvio"):
        reenviar(banco.conexao, "dlq", [str(numero)])
    banco.processar()
    depois = banco.resultado()
    assert depois["backlog_items"] == antes["backlog_items"]
    assert len(depois["publicacoes"]) == 1


def test_redrive_that_fails_again_changes_nothing(banco: Banco) -> None:
    banco.semear()
    with recusando(banco, A):
        inserir(banco.conexao, ranqueada(A))
        banco.processar()
        antes = banco.resultado()
        with pytest.raises(Exception, match="linha recusada"):
            reenviar(banco.conexao, "dlq", [])
        assert banco.resultado() == antes
        assert situacoes(banco) == [("aberta", 1)]


def test_redelivery_by_the_cursor_closes_the_dead_letter(banco: Banco) -> None:
    banco.semear()
    with recusando(banco, A):
        inserir(banco.conexao, ranqueada(A), ranqueada(B))
        banco.processar()
    banco.executar("update d5.consumer_offset set aplicado_ate = 0 where tipo_evento = 'demanda.ranqueada'")
    banco.processar()
    assert (status(banco, A), status(banco, B)) == ("disponivel", "disponivel")
    assert situacoes(banco) == [("resolvida", 1)]


def test_dead_coordinates_reach_the_next_rebuild_after_a_redrive(banco: Banco) -> None:
    banco.semear()
    inserir(banco.conexao, ranqueada(A), ranqueada(B), georreferenciada(B, -23.5, -46.6))
    with recusando(banco, A, "coordenadas_demanda"):
        inserir(banco.conexao, georreferenciada(A, -23.5, -46.6))
        banco.processar()
    vencer(banco)
    banco.processar()
    inserir(banco.conexao, ranking())
    banco.processar()
    assert banco.valor("select count(distinct grupo_id) from d5.backlog_items where grupo_id is not null") == 1


def test_discard_that_can_be_used_now_is_applied_on_an_operators_word(banco: Banco) -> None:
    """A draw of a demand known nowhere is dropped (D16); once it has a score, it can be re-driven."""
    banco.semear()
    (numero,) = inserir(banco.conexao, Evento("conselheiro.sorteado", {"demanda_id": A}))
    assert banco.processar().descartados == 1
    inserir(banco.conexao, ranqueada(A))
    banco.processar()
    assert reenviar(banco.conexao, "descartes", [str(numero)]).descartes == []
    assert status(banco, A) == "atribuido"
    assert banco.valor("select situacao from d5.eventos_descartados") == "reenviado"


def test_discard_that_is_still_none_stays_with_its_reason(banco: Banco) -> None:
    banco.semear()
    (numero,) = inserir(banco.conexao, Evento("conselheiro.demanda_iniciada", {"demanda_id": "x"}))
    banco.processar()
    banco.executar("update d5.eventos_descartados set motivo = 'nas palavras de uma versão anterior'")
    (descarte,) = reenviar(banco.conexao, "descartes", []).descartes
    assert descarte.sequence_number == numero
    (linha,) = banco.consultar("select situacao, motivo from d5.eventos_descartados")
    assert linha == {"situacao": "descartado", "motivo": "nas palavras de uma versão anterior"}


def test_given_up_dead_letter_stays_on_record_with_who_and_why(banco: Banco) -> None:
    banco.semear()
    with recusando(banco, A):
        (numero,) = inserir(banco.conexao, ranqueada(A))
        banco.processar()
    assert encerrar(banco.conexao, "dlq", [str(numero)], "linha de teste") == 1
    vencer(banco)
    assert banco.processar().lidos == 0
    assert situacoes(banco) == [("descartada", 1)]
    (intervencao,) = banco.consultar("select quem, argumentos from d5.intervencoes where tipo = 'encerramento'")
    assert intervencao["argumentos"] == {"origem": "dlq", "sequencias": [numero], "motivo": "linha de teste"}
    assert intervencao["quem"]


def test_event_tells_what_became_of_it(banco: Banco) -> None:
    banco.semear()
    with recusando(banco, B):
        aplicado, morto, descartado, alheio, sem_efeito = inserir(
            banco.conexao,
            ranqueada(A),
            ranqueada(B),
            Evento("demanda.ranqueada", {"demanda_id": A}),
            Evento("demanda.recebida", {}),
            iniciada(A),
        )
        banco.processar()
    (pendente,) = inserir(banco.conexao, ranking())
    destinos = {
        numero: destino(banco.conexao, str(numero)) for numero in (aplicado, morto, descartado, alheio, pendente)
    }
    assert [destinos[n]["destino"] for n in destinos] == ["aplicado", "dlq", "descartado", "alheio", "pendente"]
    assert "linha recusada" in destinos[morto]["motivo"]
    assert "unidade_civica_id ausente" in destinos[descartado]["motivo"]
    assert [p["tipo"] for p in destinos[aplicado]["publicacoes"]] == ["agenda.item_disponível"]
    efeitos = destino(banco.conexao, str(sem_efeito))["efeitos"]
    assert {"efeito": "transição de disponivel para em_progresso", "demanda_id": A} in efeitos
    with pytest.raises(ErroDeConfiguracao, match="não há evento"):
        destino(banco.conexao, "999999")


def cortar_o_log(banco: Banco, numero: int) -> None:
    """The platform restores an older log: what came from this number on is gone, and the numbers are drawn again."""
    banco.executar("delete from core.event_log where sequence_number >= %s", numero)
    banco.executar("select setval(pg_get_serial_sequence('core.event_log', 'sequence_number'), %s, false)", numero)


def test_dead_letter_whose_event_left_the_log_is_not_retried_for_ever_and_may_be_given_up(banco: Banco) -> None:
    banco.semear()
    with recusando(banco, A):
        um, _ = inserir(banco.conexao, ranqueada(A), ranqueada(A, score=200))
        banco.processar()
    cortar_o_log(banco, um)
    definir(banco.conexao, list(TIPOS_COM_CURSOR), 0)
    vencer(banco)
    antes = banco.valor("select count(*) from d5.intervencoes")
    banco.processar()
    assert situacoes(banco) == [("esgotada", 2), ("esgotada", 2)]
    assert {linha["erro"] for linha in banco.consultar("select erro from d5.dlq")} == {"o evento não está mais no log"}
    assert banco.valor("select count(*) from d5.intervencoes") == antes
    assert not ha_trabalho(banco.conexao)
    with pytest.raises(ErroDeConfiguracao, match="não está mais no log; desista dele com 'd5 dlq descartar"):
        reenviar(banco.conexao, "dlq", [])
    (event_id,) = (x["event_id"] for x in banco.consultar("select event_id from d5.dlq order by id desc limit 1"))
    assert encerrar(banco.conexao, "dlq", [str(um), event_id], "log restaurado") == 2
    assert situacoes(banco) == [("descartada", 2), ("descartada", 2)]


def test_number_drawn_again_by_a_restored_log_settles_nothing_of_the_event_that_had_it(banco: Banco) -> None:
    """An event is its event_id: D11 and D12 hold for the new one as if the number had never been used."""
    banco.semear()
    with recusando(banco, A):
        morto, descartado = inserir(banco.conexao, ranqueada(A), Evento("demanda.ranqueada", {"demanda_id": A}))
        banco.processar()
    antigo = banco.valor("select event_id from d5.dlq")
    cortar_o_log(banco, morto)
    definir(banco.conexao, list(TIPOS_COM_CURSOR), 0)
    assert inserir(banco.conexao, ranqueada(B), Evento("demanda.concluída", {})) == [morto, descartado]
    banco.processar()
    assert (status(banco, B), situacoes(banco)) == ("disponivel", [("aberta", 1)])
    assert banco.valor("select tipo from d5.eventos_descartados") == "demanda.concluída"
    assert destino(banco.conexao, str(morto))["destino"] == "aplicado"
    assert destino(banco.conexao, str(descartado))["destino"] == "descartado"
    vencer(banco)
    banco.processar()
    assert situacoes(banco) == [("esgotada", 2)]
    assert banco.valor("select event_id from d5.dlq") == antigo


def test_event_that_came_back_under_another_number_is_retried_under_that_one(banco: Banco) -> None:
    """A restored log may hold the same event elsewhere; its dead letter follows it (D11)."""
    banco.semear()
    evento = ranqueada(A)
    with recusando(banco, A):
        (antes,) = inserir(banco.conexao, evento)
        banco.processar()
        cortar_o_log(banco, antes)
        definir(banco.conexao, list(TIPOS_COM_CURSOR), 0)
        _, depois = inserir(banco.conexao, ranqueada(B), evento)
        banco.processar()
    assert banco.valor("select sequence_number from d5.dlq") == depois
    vencer(banco)
    banco.processar()
    assert (status(banco, A), situacoes(banco)) == ("disponivel", [("resolvida", 2)])

"""The job reenviar_dlq: what `d5 dlq reenviar` and `d5 descartes reenviar` do, from the Launchpad (D11, D12)."""

from tests.apoio.banco import Banco
from tests.apoio.eventos import Evento, demanda, inserir, ranqueada
from tests.apoio.observacao import ordem
from tests.orquestracao.orquestrador import Orquestrador, falhas

A, B = demanda(1), demanda(2)


def envenenado(banco: Banco) -> str:
    """event_id of an event in the DLQ whose cause was mended since."""
    banco.semear()
    banco.executar(f"alter table d5.backlog_scores add constraint veneno check (demanda_id <> '{A}')")
    inserir(banco.conexao, ranqueada(A), ranqueada(B))
    banco.processar()
    banco.executar("alter table d5.backlog_scores drop constraint veneno")
    return str(banco.valor("select event_id from d5.dlq where situacao = 'aberta'"))


def test_dead_letter_is_applied_and_its_announcement_published(banco: Banco, orquestrador: Orquestrador) -> None:
    event_id = envenenado(banco)
    assert orquestrador.reenviar("dlq", [event_id]).success
    assert ordem(banco) == [(1, B, "disponivel"), (2, A, "disponivel")]
    assert banco.valor("select situacao from d5.dlq") == "resolvida"
    assert banco.valor("select count(*) from d5.publicacoes_pendentes") == 0


def test_without_a_list_everything_that_waits_is_redriven(banco: Banco, orquestrador: Orquestrador) -> None:
    envenenado(banco)
    inserir(banco.conexao, Evento("conselheiro.sorteado", {"demanda_id": demanda(3)}))
    banco.processar()
    inserir(banco.conexao, ranqueada(demanda(3)))
    banco.processar()
    assert orquestrador.reenviar("dlq").success
    assert orquestrador.reenviar("descartes").success
    assert {d: status for _, d, status in ordem(banco)} == {A: "disponivel", B: "disponivel", demanda(3): "atribuido"}


def test_event_that_waits_nowhere_fails_the_run_in_one_line(banco: Banco, orquestrador: Orquestrador) -> None:
    envenenado(banco)
    antes = ordem(banco)
    resultado = orquestrador.reenviar("dlq", ["2"])
    assert not resultado.success
    assert "nada espera por reenvio em '2'" in falhas(resultado)["reenviar"]
    assert ordem(banco) == antes


def test_who_and_why_are_recorded(banco: Banco, orquestrador: Orquestrador) -> None:
    envenenado(banco)
    assert orquestrador.reenviar("dlq", quem="Ana", por_que="causa corrigida").success
    (intervencao,) = banco.consultar("select quem, por_que from d5.intervencoes where tipo = 'reenvio'")
    assert intervencao == {"quem": "Ana", "por_que": "causa corrigida"}

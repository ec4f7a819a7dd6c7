"""The job reenviar_dlq: what `d5 dlq reenviar` and `d5 descartes reenviar` do, from the Launchpad (D11, D12)."""

from tests.apoio.banco import Banco
from tests.apoio.eventos import OUTRA_UC, UC, Evento, demanda, inserir, ranqueada
from tests.apoio.observacao import anunciadas, ordem
from tests.orquestracao.orquestrador import Orquestrador, falhas, metadados

A, B = demanda(1), demanda(2)


def envenenado(banco: Banco, uc: str = UC) -> str:
    """event_id of an event of this unit in the DLQ, whose cause was mended since; another one of UC was applied."""
    banco.semear()
    banco.executar(f"alter table d5.backlog_scores add constraint veneno check (demanda_id <> '{A}')")
    inserir(banco.conexao, ranqueada(A, uc=uc), ranqueada(B))
    banco.processar()
    banco.executar("alter table d5.backlog_scores drop constraint veneno")
    return str(banco.valor("select event_id from d5.dlq where situacao = 'aberta'"))


def test_dead_letter_is_applied_behind_those_that_came_after_it(banco: Banco, orquestrador: Orquestrador) -> None:
    event_id = envenenado(banco)
    assert orquestrador.reenviar("dlq", [event_id]).success
    assert ordem(banco) == [(1, B, "disponivel"), (2, A, "disponivel")]
    assert banco.valor("select situacao from d5.dlq") == "resolvida"


def test_announcement_of_a_dead_letter_is_published_by_the_run_that_applies_it(
    banco: Banco, orquestrador: Orquestrador
) -> None:
    """D9: the first available demand of its unit."""
    event_id = envenenado(banco, OUTRA_UC)
    assert anunciadas(banco) == [B]
    resultado = orquestrador.reenviar("dlq", [event_id])
    assert resultado.success
    assert anunciadas(banco) == [B, A]
    mostrado = metadados(resultado, "reenviar")
    assert {nome: mostrado[nome] for nome in ("lidos", "aplicados", "publicacoes")} == {
        "lidos": 1,
        "aplicados": 1,
        "publicacoes": 1,
    }


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

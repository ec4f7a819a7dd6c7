"""A replay from the log and the interventions ends where the live tables are, and publishes nothing (D32)."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from d5_pipeline.dominio.eventos import TIPOS_COM_CURSOR
from d5_pipeline.erros import ErroDeConfiguracao
from d5_pipeline.processamento.lote import agora
from d5_pipeline.processamento.posicionamento import definir
from d5_pipeline.processamento.reconstrucao import reconstruir_unidades, unidades_pedidas
from d5_pipeline.processamento.reprocessamento import Relatorio, Reprocessamento
from d5_pipeline.processamento.sombra import sombra
from tests.apoio.banco import Banco
from tests.apoio.eventos import demanda, iniciada, inserir, parametros, ranking, ranqueada, sorteado
from tests.referencia.logs import log_aleatorio

pytestmark = pytest.mark.faltas

A, B = demanda(1), demanda(2)
CONTADORES = """
    select tipo as o_que, total, null as soma from d5.contagem_publicacoes
    union all select ate_ms::text, total, soma_ms from d5.duracao_rebuilds
    order by 1
"""


def reprocessar(banco: Banco, trocar: bool = False, lote: int = 11) -> Relatorio:
    with sombra(banco.url) as refeita:
        return Reprocessamento(banco.conexao, refeita, lote, lambda _: None).executar(trocar)


def fim_do_log(banco: Banco) -> int:
    return int(banco.valor("select max(sequence_number) from core.event_log"))


@contextmanager
def recusando(banco: Banco, demanda_id: str) -> Iterator[None]:
    """While it lasts, the demand's score is refused."""
    banco.executar(
        f"alter table d5.backlog_scores add constraint veneno check (demanda_id <> '{demanda_id}') not valid"
    )
    yield
    banco.executar("alter table d5.backlog_scores drop constraint veneno")


def viver(banco: Banco, semente: int) -> None:
    """A random log in pieces, with every kind of intervention between them."""
    iniciais, todos = log_aleatorio(semente, 160)
    eventos = [evento for evento in todos if evento["origem"] != "D-5"]  # what it publishes here is real
    banco.parametrizar(iniciais)
    banco.acrescentar(eventos[:40])
    banco.semear()
    banco.processar(7)
    _acrescentar_mais(banco, eventos[40:80])
    with recusando(banco, A):
        inserir(banco.conexao, ranqueada(A), ranqueada(B))
        banco.processar()
    unidades = unidades_pedidas(banco.conexao, [], todas=True)
    reconstruir_unidades(banco.conexao, unidades, agora)
    banco.processar()
    banco.executar("update d5.dlq set proxima_em = now()")
    banco.parametrizar({**iniciais, "capacidade_padrao": 3, "concluidas_ocupam_vaga": False})
    _acrescentar_mais(banco, eventos[80:120])
    banco.processar(5)
    definir(banco.conexao, ["ranking.atualizado", "demanda.ranqueada"], fim_do_log(banco) // 2)
    banco.processar()
    _acrescentar_mais(banco, eventos[120:])
    banco.processar()


def _acrescentar_mais(banco: Banco, eventos: list[dict[str, Any]]) -> None:
    """The events after what D-5 has published meanwhile."""
    inicio = fim_do_log(banco)
    banco.acrescentar([{**evento, "sequence_number": inicio + n} for n, evento in enumerate(eventos, start=1)])


@pytest.mark.parametrize("semente", range(3))
def test_replay_equals_the_live_tables_and_publishes_nothing(banco: Banco, semente: int) -> None:
    viver(banco, semente)
    assert banco.valor("select count(*) from d5.dlq where situacao = 'resolvida'") == 1
    antes, fim = banco.resultado(), fim_do_log(banco)
    relatorio = reprocessar(banco)
    assert (relatorio.diferencas, relatorio.amostra) == ({}, {})
    assert relatorio.intervencoes == banco.valor("select count(*) from d5.intervencoes")
    assert (banco.resultado(), fim_do_log(banco)) == (antes, fim)


def test_tampered_rows_are_reported_and_put_right_on_demand(banco: Banco) -> None:
    banco.parametrizar(parametros())
    banco.semear()
    inserir(banco.conexao, ranqueada(A, score=10), ranqueada(B, score=5), sorteado(A), ranking())
    banco.processar()
    certo = banco.resultado()
    banco.executar("update d5.backlog_items set status = 'disponivel' where demanda_id = %s", A)
    banco.executar("delete from d5.backlog_scores where demanda_id = %s", B)
    assert reprocessar(banco).diferencas == {"backlog_scores": 1, "backlog_items": 2}
    assert reprocessar(banco, trocar=True).trocado
    assert banco.resultado() == certo
    assert reprocessar(banco).total == 0


@pytest.mark.parametrize("transicoes", [0, 1, 40])
def test_events_after_an_exchange_apply_as_before_it(banco: Banco, transicoes: int) -> None:
    """Rows that were put in place must not stand in the way of the next ones, however many there are."""
    demandas = [demanda(numero) for numero in range(max(transicoes, 1))]
    banco.parametrizar(parametros(capacidade_padrao=100))
    banco.semear()
    inserir(banco.conexao, *map(ranqueada, demandas), *map(sorteado, demandas[:transicoes]))
    banco.processar()
    banco.executar("delete from d5.transicoes_status where id > 1")
    banco.executar("alter sequence d5.transicoes_status_id_seq restart")
    banco.executar("update d5.backlog_items set posicao = 7")
    assert reprocessar(banco, trocar=True).trocado
    assert banco.valor("select count(*) from d5.transicoes_status") == transicoes
    inserir(banco.conexao, *map(iniciada if transicoes else sorteado, demandas))
    resumo = banco.processar(1_000)
    assert (resumo.aplicados, resumo.dlq) == (len(demandas), 0)
    assert banco.valor("select count(*) from d5.transicoes_status") == transicoes + len(demandas)


def test_second_replay_is_refused_and_the_first_one_goes_on(banco: Banco) -> None:
    banco.semear()
    inserir(banco.conexao, ranqueada(A))
    banco.processar()
    with sombra(banco.url) as refeita:
        with pytest.raises(ErroDeConfiguracao, match="outro 'd5 reprocessar' está em curso"):
            reprocessar(banco)
        assert Reprocessamento(banco.conexao, refeita, 11, lambda _: None).executar(trocar=False).total == 0
    assert reprocessar(banco).total == 0


@pytest.mark.parametrize("tipos", [TIPOS_COM_CURSOR, ["ranking.atualizado"]], ids=["all", "one"])
@pytest.mark.parametrize("para_onde", ["back", "forward"])
def test_moved_cursor_is_repeated_where_it_was_moved(banco: Banco, tipos: Sequence[str], para_onde: str) -> None:
    """D32: back, rows and publications come twice; forward, what was skipped never comes."""
    banco.parametrizar(parametros())
    banco.semear()
    numeros = inserir(banco.conexao, ranqueada(A, score=10), ranqueada(B, score=20), ranking(), sorteado(B))
    if para_onde == "back":
        banco.processar()
        definir(banco.conexao, tipos, numeros[1])
        esperado = fim_do_log(banco)
    else:
        definir(banco.conexao, tipos, numeros[2])
        esperado = 0
    assert banco.valor("select aplicado_ate from d5.intervencoes where tipo = 'cursores'") == esperado
    banco.processar()
    inserir(banco.conexao, ranqueada(demanda(3), score=30), ranking())
    banco.processar()
    assert reprocessar(banco).diferencas == {}


def test_forged_publication_is_reported(banco: Banco) -> None:
    banco.semear()
    inserir(banco.conexao, ranqueada(A), ranking())
    banco.processar()
    banco.executar(
        "insert into core.event_log (event_id, tipo, versao_schema, origem, correlacao_id, payload) "
        "select gen_random_uuid(), tipo, versao_schema, origem, correlacao_id, payload from core.event_log "
        "where tipo = 'agenda.gerada'"
    )
    assert reprocessar(banco).diferencas == {"publicacoes": 1}


def test_replay_does_not_count_in_the_metrics(banco: Banco) -> None:
    """8.3: nothing was rebuilt or published anew, whether its rows are taken over or not."""
    banco.semear()
    inserir(banco.conexao, ranqueada(A), ranking(), ranking())
    banco.processar()
    banco.executar("update d5.backlog_items set posicao = 7")
    antes = banco.consultar(CONTADORES)
    assert sum(linha["total"] for linha in antes) == 3 + 2
    assert reprocessar(banco, trocar=True).trocado
    assert banco.consultar(CONTADORES) == antes


def test_nothing_of_a_replay_stays(banco: Banco) -> None:
    banco.semear()
    inserir(banco.conexao, ranqueada(A))
    banco.processar()
    reprocessar(banco)
    assert banco.valor("select count(*) from pg_namespace where nspname like 'd5_reprocessamento%%'") == 0


def test_database_that_was_never_seeded_has_no_starting_point(banco: Banco) -> None:
    with pytest.raises(ErroDeConfiguracao, match="ponto de partida"):
        reprocessar(banco)

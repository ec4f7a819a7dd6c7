"""Several writers at once, lost races and killed connections: each event applied once, each publication out once."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing

import pytest
import stamina

from d5_pipeline.barramento.publicador import publicar_pendentes
from d5_pipeline.conexao import Conexao, conectar
from d5_pipeline.erros import CercaPerdida, FalhaDePublicacao
from d5_pipeline.processamento.dreno import Dreno
from d5_pipeline.processamento.entrada import ler_lote
from d5_pipeline.processamento.lote import agora, aplicar_ondas, concluir, processar_lote
from d5_pipeline.processamento.reconstrucao import reconstruir_unidades
from d5_pipeline.processamento.resumo import Resumo
from d5_pipeline.repositorio import cursores
from tests.apoio.banco import Banco
from tests.apoio.eventos import UC, demanda, inserir, parametros, ranking, ranqueada, sorteado
from tests.apoio.observacao import (
    PRAZO,
    a_espera_de_trava,
    anunciadas,
    aplicado_ate,
    cursor,
    esperar_ate,
    impressao,
    ordem,
    publicacoes,
)
from tests.referencia.comparacao import comparar
from tests.referencia.logs import log_aleatorio
from tests.referencia.modelo import ModeloLiteral

A, B, C = demanda(1), demanda(2), demanda(3)
MATAR = """
    select count(pg_terminate_backend(pid))
    from pg_stat_activity where datname = current_database() and application_name = 'dreno'
"""
RECUSA = """
    create function public.recusar() returns trigger language plpgsql as $$
    begin
        raise exception 'log em manutenção';
    end $$
"""
RECUSA_DE_B = (
    "create trigger recusa before insert on core.event_log for each row when (new.origem = 'D-5' "
    "and new.payload ->> 'demanda_id' = 'd0000002-0000-4000-8000-000000000002') execute function public.recusar()"
)
OUTRO_GRAVA_UMA_VEZ = """
    create sequence public.lotes;
    create function public.gravar_como_outro() returns trigger language plpgsql as $$
    begin
        if nextval('public.lotes') = 1 then
            update d5.controle set epoca = epoca + 1;
        end if;
        return new;
    end $$;
    create trigger outro before insert on d5.backlog_scores for each row execute function public.gravar_como_outro()
"""


def abrir(banco: Banco) -> Callable[[], Conexao]:
    """Connections that other sessions can tell from the test's own."""
    return lambda: conectar(banco.url, "dreno")


@pytest.fixture
def pequeno(banco: Banco) -> Banco:
    """Simple parameters and seeded cursors."""
    banco.parametrizar(parametros())
    banco.semear()
    return banco


def test_two_drains_at_once_apply_each_event_once(banco: Banco) -> None:
    """Scenario 10: tables and publications are those of the literal model, which reads one event after the other."""
    valores, eventos = log_aleatorio(7, 1_000)
    modelo = ModeloLiteral(valores)
    for evento in eventos:
        modelo.aplicar(evento)
    banco.parametrizar(valores)
    banco.acrescentar(eventos)
    banco.semear()
    with ThreadPoolExecutor() as fios:
        drenos = [fios.submit(Dreno(banco.abrir, 40).drenar) for _ in range(2)]
        resumos = [dreno.result(60) for dreno in drenos]
    assert comparar(banco.resultado(), modelo.resultado()) == []
    publicados = [p["event_id"] for p in publicacoes(banco, eventos[-1]["sequence_number"])]
    assert len(publicados) == len(set(publicados)) == sum(resumo.publicacoes for resumo in resumos)
    assert banco.valor("select count(*) from d5.publicacoes_pendentes") == 0


def test_manual_rebuild_during_a_drain_changes_no_status_and_loses_no_event(banco: Banco) -> None:
    """Scenario 10: the rebuild stands somewhere between two batches; the last ranking of the log has the last word."""
    banco.parametrizar(parametros(capacidade_padrao=300))
    banco.semear()
    demandas = [demanda(numero) for numero in range(1, 201)]
    inserir(banco.conexao, *(ranqueada(d, 1_000 - n) for n, d in enumerate(demandas)))
    inserir(banco.conexao, *(sorteado(d) for d in demandas[::2]), ranking())
    with ThreadPoolExecutor() as fios, closing(banco.abrir()) as outra:
        dreno = fios.submit(Dreno(banco.abrir, 10).drenar)
        esperar_ate(lambda: aplicado_ate(banco) != {0}, "o dreno começou")
        reconstruir_unidades(outra, [UC], agora)
        dreno.result(60)
    banco.processar()
    assert ordem(banco) == [
        (posicao, d, "disponivel" if posicao % 2 == 0 else "atribuido") for posicao, d in enumerate(demandas, 1)
    ]


def test_writer_that_lost_the_race_changes_nothing_and_says_so(pequeno: Banco) -> None:
    """The fence is the epoch, not the row's lock: it holds where locks are lost, as behind a pooler."""
    inserir(pequeno.conexao, ranqueada(A), ranking())
    antes = impressao(pequeno)

    def gravar_depois_de_outro() -> None:
        with cursores.transacao_cercada(pequeno.conexao):
            lote = ler_lote(pequeno.conexao, 10)
            aplicar_ondas(pequeno.conexao, lote)
            pequeno.executar("update d5.controle set epoca = epoca + 1")
            concluir(pequeno.conexao, lote, agora)

    with pytest.raises(CercaPerdida, match="nada foi alterado"):
        gravar_depois_de_outro()
    assert impressao(pequeno) == antes


def test_drain_that_lost_the_race_reads_again_and_applies_its_event_once(pequeno: Banco) -> None:
    """D4: the epoch moves within the first attempt, which is undone; the second one finds the event where it was."""
    pequeno.executar(OUTRO_GRAVA_UMA_VEZ)
    (numero,) = inserir(pequeno.conexao, ranqueada(A))
    with stamina.set_testing(True, attempts=2):
        resumo = pequeno.processar()
    assert pequeno.valor("select last_value from public.lotes") == 2
    assert (resumo.lidos, resumo.aplicados, resumo.dlq, resumo.publicacoes) == (1, 1, 0, 1)
    assert (ordem(pequeno), anunciadas(pequeno)) == ([(1, A, "disponivel")], [A])
    assert cursor(pequeno, "demanda.ranqueada") == numero


def test_every_writing_transaction_moves_the_epoch_by_one(pequeno: Banco) -> None:
    def epoca() -> int:
        return int(pequeno.valor("select epoca from d5.controle"))

    inserir(pequeno.conexao, ranqueada(A))
    antes = epoca()
    processar_lote(pequeno.conexao, 10)
    reconstruir_unidades(pequeno.conexao, [UC], agora)
    pequeno.parametrizar(parametros(capacidade_padrao=3))
    assert epoca() == antes + 3


def test_cursor_does_not_pass_a_publication_that_another_process_left_pending(pequeno: Banco) -> None:
    """D4, T16: while one process publishes, another one's batch commits, and the log refuses its announcement."""
    pequeno.executar(RECUSA)
    pequeno.executar(RECUSA_DE_B)
    (publicado,) = inserir(pequeno.conexao, ranqueada(A))
    processar_lote(pequeno.conexao, 1)
    inserir(pequeno.conexao, sorteado(A), ranqueada(B))
    with ThreadPoolExecutor() as fios, closing(pequeno.abrir()) as outra, closing(abrir(pequeno)()) as primeira:
        with cursores.transacao_cercada(outra):
            lote = ler_lote(outra, 10)
            aplicar_ondas(outra, lote)
            concluir(outra, lote, agora)
            publicacao = fios.submit(lambda: list(publicar_pendentes(primeira, lambda _: None)))
            esperar_ate(
                lambda: publicacao.done() or a_espera_de_trava(pequeno, "dreno"), "a publicação espera ou terminou"
            )
        assert isinstance(publicacao.exception(PRAZO), FalhaDePublicacao | None)
    assert anunciadas(pequeno) == [A]
    assert cursor(pequeno, "demanda.ranqueada") == publicado


@pytest.mark.parametrize(
    "trava",
    [
        "select from d5.controle for update",
        "lock table d5.backlog_scores in share mode",
        "lock table d5.backlog_items in share mode",
        "lock table d5.publicacoes_pendentes in share mode",
        "lock table d5.consumer_offset in share mode",
        "lock table core.event_log in share mode",
    ],
    ids=["cerca", "scores", "itens", "outbox", "cursores", "log"],
)
def test_drain_whose_connection_is_killed_reconnects_and_loses_nothing(pequeno: Banco, trava: str) -> None:
    """Scenario 9: the lock makes the drain stand still at a known place; there its session is terminated."""
    inserir(pequeno.conexao, ranqueada(A, 100), ranqueada(B, 900), sorteado(A), ranking(), ranqueada(C, 50))
    with ThreadPoolExecutor() as fios, closing(pequeno.abrir()) as outra:
        outra.execute("begin")
        outra.execute(trava)
        dreno: Future[Resumo] = fios.submit(Dreno(abrir(pequeno), 2).drenar)
        esperar_ate(lambda: a_espera_de_trava(pequeno, "dreno"), "o dreno espera pela trava")
        assert pequeno.valor(MATAR) == 1
        outra.execute("rollback")
        assert dreno.result(PRAZO).dlq == 0
    assert ordem(pequeno) == [(1, B, "disponivel"), (2, A, "atribuido"), (3, C, "disponivel")]
    tipos = ["agenda.item_disponível", "agenda.item_disponível", "agenda.gerada"]
    assert [p["tipo"] for p in publicacoes(pequeno)] == tipos
    assert anunciadas(pequeno) == [A, B]
    assert pequeno.valor("select count(*) from d5.transicoes_status") == 1
    assert pequeno.valor("select count(*) from d5.publicacoes_pendentes") == 0

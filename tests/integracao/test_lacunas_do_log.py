"""Holes in the log: nothing above one is applied while a transaction that may fill it is alive (D3)."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager

import pytest
from psycopg import sql

from d5_pipeline.conexao import Conexao, conectar
from d5_pipeline.processamento.dreno import Dreno
from d5_pipeline.processamento.lote import processar_lote
from d5_pipeline.processamento.posicionamento import definir
from tests.apoio.banco import Banco
from tests.apoio.eventos import Evento, concluida, demanda, inserir, parametros, ranqueada
from tests.apoio.observacao import PRAZO, a_espera_de_trava, aplicado_ate, esperar_ate, ordem

A, B, C, D, E = (demanda(numero) for numero in range(1, 6))

QUEIMAR = """
    select max(nextval(pg_get_serial_sequence('core.event_log', 'sequence_number')))
    from generate_series(1, %s)
"""


@pytest.fixture(autouse=True)
def _parametros(banco: Banco) -> None:
    banco.parametrizar(parametros())


@contextmanager
def transacao_aberta(banco: Banco, *eventos: Evento) -> Iterator[Conexao]:
    """Another colony's transaction with these events; the caller ends it by `commit` or `rollback`."""
    conexao = banco.abrir()
    conexao.execute("begin")
    inserir(conexao, *eventos)
    yield conexao
    conexao.close()


def pid(conexao: Conexao) -> int:
    """The server process behind a connection."""
    return conexao.info.backend_pid


def demandas(banco: Banco) -> list[str]:
    """The backlog's demands in the order in which they entered."""
    return [d for _, d, _ in ordem(banco)]


def abertas(banco: Banco) -> dict[tuple[int, int], set[int]]:
    """The recorded open holes, each with the pids of those who may still fill it."""
    linhas = banco.consultar("select inicio, fim, portadores from d5.lacunas where situacao = 'aberta'")
    return {(x["inicio"], x["fim"]): {portador["pid"] for portador in x["portadores"]} for x in linhas}


def test_hole_of_an_open_transaction_stops_reading_below_it_and_names_its_process(banco: Banco) -> None:
    banco.semear()
    inserir(banco.conexao, ranqueada(A))
    with transacao_aberta(banco, ranqueada(B)) as aberta:
        (acima,) = inserir(banco.conexao, ranqueada(C))
        banco.processar()
        assert demandas(banco) == [A]
        assert aplicado_ate(banco) == {acima - 2}
        assert abertas(banco) == {(acima - 1, acima - 1): {pid(aberta)}}


@pytest.mark.parametrize("lote", [1, 5_000])
def test_hole_that_is_filled_is_read_before_what_lies_above(banco: Banco, lote: int) -> None:
    """Scenario 1: A inserts and waits, B inserts and commits, processing, A commits."""
    banco.semear()
    with transacao_aberta(banco, ranqueada(A)) as aberta:
        inserir(banco.conexao, ranqueada(B))
        banco.processar(lote)
        assert demandas(banco) == []
        aberta.execute("commit")
    banco.processar(lote)
    assert demandas(banco) == [A, B]
    assert abertas(banco) == {}


def test_hole_that_was_rolled_back_is_passed_and_counted(banco: Banco) -> None:
    """Scenario 3."""
    banco.semear()
    with transacao_aberta(banco, ranqueada(A)) as aberta:
        (acima,) = inserir(banco.conexao, ranqueada(B))
        banco.processar()
        aberta.execute("rollback")
    assert banco.processar().lacunas_passadas == 1
    assert demandas(banco) == [B]
    passadas = banco.consultar("select inicio, fim, situacao from d5.lacunas")
    assert passadas == [{"inicio": acima - 1, "fim": acima - 1, "situacao": "passada"}]


def test_transaction_that_only_reads_the_log_holds_no_hole_open(banco: Banco) -> None:
    """D3: it holds a lock on the log as well, but not the one that an INSERT takes; a report may take hours."""
    banco.semear()
    with closing(banco.abrir()) as leitora:
        leitora.execute("begin")
        leitora.execute("select from core.event_log")
        with transacao_aberta(banco, ranqueada(A)) as desistente:
            desistente.execute("rollback")
        inserir(banco.conexao, ranqueada(B))
        assert banco.processar().lacunas_passadas == 1
        assert demandas(banco) == [B]
        assert abertas(banco) == {}


def test_number_drawn_late_by_an_old_transaction_is_not_lost(banco: Banco) -> None:
    """Scenario 2: an older transaction id with a later number says nothing about the hole below."""
    banco.semear()
    with transacao_aberta(banco) as antiga:
        antiga.execute("select pg_current_xact_id()")
        with transacao_aberta(banco, ranqueada(A)) as nova:
            inserir(antiga, ranqueada(B))
            antiga.execute("commit")
            banco.processar()
            assert demandas(banco) == []
            nova.execute("commit")
    banco.processar()
    assert demandas(banco) == [A, B]


def test_hole_rolled_back_to_a_savepoint_is_passed_while_its_transaction_lives(banco: Banco) -> None:
    banco.semear()
    with transacao_aberta(banco) as aberta:
        aberta.execute("savepoint antes")
        inserir(aberta, ranqueada(A))
        aberta.execute("rollback to savepoint antes")
        inserir(banco.conexao, ranqueada(B))
        banco.processar()
        assert demandas(banco) == [B]


def test_a_thousand_burnt_numbers_cost_one_step(banco: Banco) -> None:
    """Scenario 4."""
    banco.semear()
    banco.valor(QUEIMAR, 1_000)
    (numero,) = inserir(banco.conexao, ranqueada(A))
    lote = processar_lote(banco.conexao, 5_000)
    assert (lote.leitura.ate, demandas(banco)) == (numero, [A])
    assert banco.consultar("select inicio, fim from d5.lacunas") == [{"inicio": 1, "fim": 1_000}]


def test_a_thousand_single_holes_cost_one_step(banco: Banco) -> None:
    """Scenario 4, with an event of another colony between any two holes."""
    banco.semear()
    banco.executar(
        "insert into core.event_log (sequence_number, event_id, tipo, versao_schema, origem, correlacao_id, payload) "
        "overriding system value select n * 2, gen_random_uuid(), 'demanda.recebida', '1.0.0', 'D-1a', "
        "gen_random_uuid(), '{}' from generate_series(1, 1000) as n"
    )
    lote = processar_lote(banco.conexao, 5_000)
    assert (lote.leitura.ate, lote.leitura.lacunas_passadas) == (2_000, 1_000)


def test_later_transactions_do_not_keep_a_hole_open(banco: Banco) -> None:
    """The list of a hole only shrinks, or a busy log would never let it go."""
    banco.semear()
    with transacao_aberta(banco, ranqueada(A)) as primeira, transacao_aberta(banco, ranqueada(B)) as segunda:
        (acima,) = inserir(banco.conexao, ranqueada(C))
        banco.processar()
        assert abertas(banco) == {(1, 2): {pid(primeira), pid(segunda)}}
        with transacao_aberta(banco, ranqueada(D)) as tardia:
            inserir(banco.conexao, ranqueada(E))
            primeira.execute("rollback")
            banco.processar()
            assert abertas(banco) == {(1, 2): {pid(segunda)}, (4, 4): {pid(segunda), pid(tardia)}}
            segunda.execute("rollback")
            banco.processar()
            assert demandas(banco) == [C]
            assert aplicado_ate(banco) == {acima}
            assert abertas(banco) == {(4, 4): {pid(tardia)}}


def test_default_isolation_of_the_database_does_not_lose_an_event(banco: Banco) -> None:
    """Holes are read again after their holders were listed (D3): one snapshot for both looks would prove nothing."""
    banco.semear()
    banco.conexao.execute(
        sql.SQL("alter database {} set default_transaction_isolation = 'repeatable read'").format(
            sql.Identifier(banco.conexao.info.dbname)
        )
    )
    with ThreadPoolExecutor() as fio, transacao_aberta(banco, ranqueada(A)) as aberta, transacao_aberta(banco) as trava:
        inserir(banco.conexao, ranqueada(B))
        trava.execute("select from d5.controle for update")
        dreno = fio.submit(Dreno(lambda: conectar(banco.url, "dreno")).drenar)
        esperar_ate(lambda: a_espera_de_trava(banco, "dreno"), "o dreno espera pela cerca")
        aberta.execute("commit")
        trava.execute("rollback")
        dreno.result(PRAZO)
    banco.processar()
    assert demandas(banco) == [A, B]


def test_seed_stays_below_an_open_hole(banco: Banco) -> None:
    """D1: what an open transaction may still commit is not the past."""
    (abaixo,) = inserir(banco.conexao, ranqueada(A))
    with transacao_aberta(banco, ranqueada(B)) as aberta:
        inserir(banco.conexao, ranqueada(C))
        assert banco.semear(desde_inicio=False) == abaixo
        aberta.execute("commit")
    banco.processar()
    assert demandas(banco) == [B, C]


@pytest.mark.parametrize("lote", [1, 5_000])
def test_cursor_moved_forward_does_not_pass_an_open_hole_of_other_types(banco: Banco, lote: int) -> None:
    """D3: the operator skips scores; what another transaction is about to commit below is none of his word."""
    banco.semear()
    inserir(banco.conexao, ranqueada(A))
    banco.processar()
    with transacao_aberta(banco, concluida(A)) as aberta:
        (pulado,) = inserir(banco.conexao, ranqueada(B))
        definir(banco.conexao, ["demanda.ranqueada"], pulado)
        inserir(banco.conexao, ranqueada(C))
        banco.processar(lote)
        aberta.execute("commit")
    banco.processar(lote)
    assert ordem(banco) == [(1, A, "concluido"), (1, C, "disponivel")]

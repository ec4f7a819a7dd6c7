"""Places inside the database where a session waits until the test lets it go on.

A trigger asks for an advisory lock that the test holds: no sleeping, and the application knows nothing of it.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from psycopg import sql

from tests.apoio.banco import Banco

TRAVA = 5
ESPERAR = """
    create function public.esperar() returns trigger language plpgsql as $$
    begin
        perform pg_advisory_xact_lock_shared(5);
        return new;
    end $$
"""
NO_COMMIT = """
    create constraint trigger espera after update on d5.controle deferrable initially deferred
    for each row when (new.epoca = {}) execute function public.esperar()
"""
NUMERAR = """
    create sequence public.publicadas;
    create function public.numerar() returns trigger language plpgsql as $$
    begin
        if nextval('public.publicadas') = tg_argv[0]::bigint then
            perform pg_advisory_xact_lock_shared(5);
        end if;
        return new;
    end $$
"""
NA_PUBLICACAO = """
    create trigger espera before insert on core.event_log for each row when (new.origem = 'D-5')
    execute function public.numerar({})
"""
ALGUEM_ESPERA = """
    select count(*) = 1 from pg_locks
    where locktype = 'advisory' and objid = 5 and not granted
        and database = (select oid from pg_database where datname = current_database())
"""


def esperar_no_commit(banco: Banco, transacao: int) -> None:
    """From now on, the COMMIT of the n-th writing transaction waits: everything is checked, nothing is visible."""
    banco.executar(ESPERAR)
    epoca = banco.valor("select epoca from d5.controle")
    banco.conexao.execute(sql.SQL(NO_COMMIT).format(sql.Literal(epoca + transacao)))


def esperar_na_publicacao(banco: Banco, numero: int) -> None:
    """From now on, the INSERT of the n-th publication into the log waits."""
    banco.executar(NUMERAR)
    banco.conexao.execute(sql.SQL(NA_PUBLICACAO).format(sql.Literal(str(numero))))


def alguem_espera(banco: Banco) -> bool:
    """Whether a session waits at the place."""
    return bool(banco.valor(ALGUEM_ESPERA))


def fechar_porta(banco: Banco) -> None:
    """From now on, sessions that come to the place wait there: until the test's session ends, or its server."""
    banco.executar("select pg_advisory_lock(%s)", TRAVA)


@contextmanager
def porta_fechada(banco: Banco) -> Iterator[None]:
    """Sessions that come to the place wait there until the block ends."""
    fechar_porta(banco)
    yield
    banco.executar("select pg_advisory_unlock(%s)", TRAVA)

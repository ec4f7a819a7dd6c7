"""Scenario 24: what the roles of sql/papeis.sql cannot do, and how the file is applied."""

from contextlib import closing

import psycopg
import pytest
from psycopg import sql

from d5_pipeline.conexao import Conexao, conectar
from d5_pipeline.repositorio import migracoes
from tests.apoio.banco import Banco
from tests.apoio.eventos import demanda, inserir, ranking, ranqueada
from tests.apoio.observacao import ordem
from tests.apoio.papeis import DONO, LEITURA, SERVICO, aplicar_papeis, como, criar_papel

pytestmark = pytest.mark.faltas

A = demanda(1)
ESQUEMAS = [sql.Identifier(esquema) for esquema in ("core", "d5", "d5_modelos", "d5_leitura")]
RELACOES = """
    select n.nspname, c.relname
    from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
    where n.nspname = any(%s) and c.relkind in ('r', 'v')
    order by 1, 2
"""
GRAVAVEIS = """
    select c.oid::regclass
    from pg_class as c
    where c.relkind in ('r', 'v')
        and c.relnamespace::regnamespace::text in ('core', 'd5', 'd5_modelos', 'd5_leitura', 'dagster')
        and has_table_privilege(%s, c.oid, 'insert, update, delete, truncate, references, trigger')
"""
DIREITOS = """
    select 'relation', oid::regclass::text, pg_get_userbyid(relowner), relacl::text from pg_class
    where relnamespace::regnamespace::text in ('core', 'd5', 'd5_modelos', 'd5_leitura')
    union all select 'schema', nspname, pg_get_userbyid(nspowner), nspacl::text from pg_namespace
    union all select 'default', defaclnamespace::regnamespace::text, pg_get_userbyid(defaclrole), defaclacl::text
    from pg_default_acl
    union all select 'database', datname, pg_get_userbyid(datdba), datacl::text from pg_database
    where datname = current_database()
    order by 1, 2
"""


def relacoes(banco: Banco, *esquemas: str) -> list[sql.Identifier]:
    """Every table and view of the schemas."""
    return [sql.Identifier(*linha.values()) for linha in banco.consultar(RELACOES, list(esquemas))]


def exigir_recusa(conexao: Conexao, *comandos: sql.SQL | sql.Composed) -> None:
    """Each statement fails for want of a right, and for nothing else."""
    for instrucao in comandos:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            conexao.execute(instrucao)


def test_the_service_role_cannot_change_the_log_or_its_own_records(plataforma: Banco, servico: Banco) -> None:
    inserir(plataforma.conexao, ranqueada(A))
    antes = plataforma.consultar("select * from core.event_log")
    exigir_recusa(
        servico.conexao,
        sql.SQL("update core.event_log set tipo = 'x'"),
        sql.SQL("update d5.event_log set tipo = 'x'"),
        sql.SQL("delete from core.event_log"),
        sql.SQL("delete from d5.event_log"),
        sql.SQL("truncate core.event_log"),
        sql.SQL("alter table core.event_log add column x int"),
        sql.SQL("create index on core.event_log (tipo)"),
        sql.SQL(
            "create trigger t before insert on core.event_log execute function suppress_redundant_updates_trigger()"
        ),
        sql.SQL("select setval(pg_get_serial_sequence('core.event_log', 'sequence_number'), 1)"),
        sql.SQL("drop table core.event_log cascade"),
        sql.SQL("create or replace view d5.event_log as select 1 as sequence_number"),
        sql.SQL("drop view d5.event_log cascade"),
        sql.SQL("create table core.outra (x int)"),
        sql.SQL("create table d5.outra (x int)"),
        sql.SQL("create schema outro"),
        sql.SQL("truncate d5.backlog_items"),
        sql.SQL("update d5.intervencoes set quem = 'ninguem'"),
        sql.SQL("delete from d5.param_versions"),
        sql.SQL("delete from d5.migracoes"),
        sql.SQL("set role d5_dono"),
    )
    assert plataforma.consultar("select * from core.event_log") == antes


def test_another_role_can_neither_read_nor_write(plataforma: Banco) -> None:
    """2.1: other colonies meet D-5 in the log only."""
    criar_papel(plataforma.conexao, "alheia")
    with closing(conectar(como("alheia", plataforma.url))) as alheia:
        for relacao in relacoes(plataforma, "d5", "d5_modelos", "d5_leitura", "dagster"):
            exigir_recusa(
                alheia,
                sql.SQL("select from {}").format(relacao),
                sql.SQL("delete from {}").format(relacao),
                sql.SQL("insert into {} default values").format(relacao),
            )


MEDIDAS = {
    "andamento_do_log": "*",
    "anuncios_por_uc": "*",
    "backlog_items": "demanda_id, unidade_civica_id, status",
    "consumer_offset": "*",
    "contagem_publicacoes": "*",
    "controle": "*",
    "dlq": "motivo, situacao",
    "duracao_rebuilds": "*",
    "lacunas": "*",
    "migracoes": "*",
    "publicacoes_pendentes": "id, criado_em",
    "unidades_civicas": "*",
}
"""What metrics and health read of schema d5: relation → columns."""


def test_the_read_role_reads_the_views_and_what_is_measured_and_writes_nothing(plataforma: Banco) -> None:
    with closing(conectar(como(LEITURA, plataforma.url))) as leitura:
        for visao in relacoes(plataforma, "d5_modelos", "d5_leitura"):
            leitura.execute(sql.SQL("select * from {}").format(visao))
        for nome, colunas in MEDIDAS.items():
            relacao = sql.Identifier("d5", nome)
            leitura.execute(sql.SQL("select {} from {}").format(sql.SQL(colunas), relacao))
            exigir_recusa(leitura, sql.SQL("delete from {}").format(relacao))
            if colunas != "*":
                exigir_recusa(leitura, sql.SQL("select * from {}").format(relacao))
        for relacao in relacoes(plataforma, "d5", "core"):
            if relacao not in [sql.Identifier("d5", nome) for nome in MEDIDAS]:
                exigir_recusa(
                    leitura, sql.SQL("select from {}").format(relacao), sql.SQL("delete from {}").format(relacao)
                )
        exigir_recusa(leitura, *(sql.SQL("create table {}.x (x int)").format(e) for e in ESQUEMAS))
    assert plataforma.consultar(GRAVAVEIS, LEITURA) == []


def test_what_the_owner_adds_later_is_covered(plataforma: Banco, servico: Banco) -> None:
    with closing(conectar(como(DONO, plataforma.url))) as dono, closing(conectar(como(LEITURA, plataforma.url))) as ler:
        dono.execute("create table d5.futura (x int generated always as identity, y int)")
        dono.execute("create view d5_modelos.futura as select y from d5.futura")
        dono.execute("create view d5_leitura.futura as select y from d5_modelos.futura")
        servico.executar("insert into d5.futura (y) values (7)")
        servico.executar("update d5.futura set y = y + 1")
        assert ler.execute("select y from d5_modelos.futura").fetchall() == [(8,)]
        assert ler.execute("select y from d5_leitura.futura").fetchall() == [(8,)]
        exigir_recusa(ler, sql.SQL("select y from d5.futura"))


def test_a_database_that_a_superuser_prepared_is_taken_over_and_repeating_changes_nothing(banco: Banco) -> None:
    aplicar_papeis(banco.conexao)
    direitos = banco.consultar(DIREITOS)
    aplicar_papeis(banco.conexao)
    assert banco.consultar(DIREITOS) == direitos
    with closing(conectar(como(DONO, banco.url))) as dono:
        assert migracoes.migrar(dono) == []
        dono.execute("alter table d5.backlog_items add column nova int")
    servico = Banco(como(SERVICO, banco.url))
    servico.semear()
    inserir(banco.conexao, ranqueada(A), ranking())
    servico.processar()
    servico.fechar()
    assert ordem(banco) == [(1, A, "disponivel")]

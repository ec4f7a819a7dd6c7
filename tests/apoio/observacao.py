"""What tests read from a database: publications, cursors, fingerprints; and waiting on its state, not on the clock."""

import time
from collections.abc import Callable
from typing import Any

from psycopg import sql

from tests.apoio.banco import Banco

PRAZO = 20.0  # seconds until a wait is a failure

TABELAS = "select schemaname, tablename from pg_tables where schemaname in ('core', 'd5')"
IMPRESSAO = "select md5(string_agg(t::text, chr(10) order by t::text)) from {} as t"


def publicacoes(banco: Banco, depois_de: int = 0) -> list[dict[str, Any]]:
    """Everything D-5 published above a number, in log order."""
    return banco.consultar(
        "select sequence_number, event_id, tipo, versao_schema, correlacao_id, payload from core.event_log "
        "where origem = 'D-5' and sequence_number > %s order by sequence_number",
        depois_de,
    )


def anunciadas(banco: Banco, depois_de: int = 0) -> list[str]:
    """The demands of the announcements above a number, in log order."""
    return [
        publicacao["payload"]["demanda_id"]
        for publicacao in publicacoes(banco, depois_de)
        if publicacao["tipo"] == "agenda.item_disponível"
    ]


def fim_do_log(banco: Banco) -> int:
    """The log's highest number."""
    return int(banco.valor("select coalesce(max(sequence_number), 0) from core.event_log"))


def cursor(banco: Banco, tipo: str) -> int:
    """last_sequence of a type."""
    return int(banco.valor("select last_sequence from d5.consumer_offset where tipo_evento = %s", tipo))


def aplicado_ate(banco: Banco) -> set[int]:
    """The applied positions of the nine cursors."""
    return {linha["aplicado_ate"] for linha in banco.consultar("select aplicado_ate from d5.consumer_offset")}


def itens(banco: Banco) -> dict[str, dict[str, Any]]:
    """The rows of backlog_items by demand."""
    return {linha["demanda_id"]: linha for linha in banco.consultar("select * from d5.backlog_items")}


def ordem(banco: Banco) -> list[tuple[int, str, str]]:
    """(posicao, demanda_id, status) of the backlog, in order."""
    linhas = banco.consultar("select posicao, demanda_id, status from d5.backlog_items order by posicao, demanda_id")
    return [(linha["posicao"], linha["demanda_id"], linha["status"]) for linha in linhas]


def impressao(banco: Banco, *exceto: str) -> dict[str, Any]:
    """A fingerprint of every table of core and d5 but the excepted ones: equal fingerprints, equal rows."""
    impressoes = {}
    for linha in banco.consultar(TABELAS):
        tabela = sql.Identifier(linha["schemaname"], linha["tablename"])
        (impressoes[linha["tablename"]],) = banco.conexao.execute(sql.SQL(IMPRESSAO).format(tabela)).fetchone() or ("",)
    return {tabela: valor for tabela, valor in impressoes.items() if tabela not in exceto}


def esperar_ate(condicao: Callable[[], object], o_que: str) -> None:
    """Looks at the database until the condition holds; fails after PRAZO."""
    fim = time.monotonic() + PRAZO
    while not condicao():
        assert time.monotonic() < fim, f"não aconteceu: {o_que}"


def a_espera_de_trava(banco: Banco, aplicacao: str) -> bool:
    """Whether a session of this name waits for a lock."""
    return bool(
        banco.valor(
            "select exists (select from pg_stat_activity "
            "where datname = current_database() and application_name = %s and wait_event_type = 'Lock')",
            aplicacao,
        )
    )


def sequencias(banco: Banco) -> dict[str, int | None]:
    """The last number drawn from every sequence of core and d5."""
    linhas = banco.consultar("select sequencename, last_value from pg_sequences where schemaname in ('core', 'd5')")
    return {linha["sequencename"]: linha["last_value"] for linha in linhas}

"""Connections to the database that holds `core` and `d5`."""

import re

import psycopg
from psycopg.types.string import TextLoader

from d5_pipeline.erros import BancoInacessivel, ErroD5, ErroDeConfiguracao
from d5_pipeline.matriz import ListaComoMatriz

_CITADO = re.compile(r'"[^"]*"')
_ANTES_DA_ARROBA = re.compile(r"[^\s'\"]*@")
"""What messages repeat of a badly written address: it may be a piece of the password."""

Conexao = psycopg.Connection[tuple[object, ...]]


def conectar(url: str, aplicacao: str = "d5", comandos_preparados: bool = True, espera: int = 10) -> Conexao:
    """A connection in autocommit: every transaction is an explicit block. UUIDs arrive as lower-case text.

    `espera`: seconds, at least 2, until a server that does not answer counts as away. Without prepared statements
    nothing outlives a transaction, as a transaction pooler demands.
    Raises ErroDeConfiguracao where the URL is malformed, BancoInacessivel where the server cannot be reached.
    """
    esquema, separador, _ = url.partition("://")
    if separador and esquema not in ("postgresql", "postgres"):
        raise ErroDeConfiguracao("D5_DATABASE_URL deve começar com postgresql://")
    try:
        conexao = psycopg.connect(url, autocommit=True, application_name=aplicacao, connect_timeout=espera)
    except psycopg.ProgrammingError as erro:
        motivo = _CITADO.sub("…", linha_unica(erro))
        raise ErroDeConfiguracao(f"D5_DATABASE_URL não é um endereço PostgreSQL válido: {motivo}") from None
    except psycopg.OperationalError as erro:
        motivo = _ANTES_DA_ARROBA.sub("…@", linha_unica(erro))
        raise BancoInacessivel(
            f"sem conexão com o banco: {motivo}; confira D5_DATABASE_URL e se o servidor está no ar"
        ) from None
    conexao.isolation_level = psycopg.IsolationLevel.READ_COMMITTED  # every look at a hole needs its own snapshot (D3)
    conexao.adapters.register_loader("uuid", TextLoader)
    conexao.adapters.register_dumper(list, ListaComoMatriz)
    if not comandos_preparados:
        conexao.prepare_threshold = None
    return conexao


def linha_unica(erro: BaseException) -> str:
    """A message without its line breaks."""
    return " ".join(str(erro).split())


def com_tipo(erro: BaseException) -> str:
    """The same behind the error's type, for those who look for its cause."""
    return f"{type(erro).__name__}: {linha_unica(erro)}"


def transitorio(erro: BaseException) -> bool:
    """Whether the fault lies in the moment, not in the event: worth a retry, never a dead letter (D11)."""
    if isinstance(erro, psycopg.errors.ProgramLimitExceeded):
        return False
    return isinstance(
        erro,
        psycopg.OperationalError
        | psycopg.InterfaceError
        | psycopg.errors.IdleInTransactionSessionTimeout
        | BancoInacessivel,
    )


def causado_pelo_evento(erro: BaseException) -> bool:
    """Whether applying this event is what failed, so that it becomes a dead letter and the rest goes on (D11)."""
    if isinstance(erro, psycopg.Error):
        return isinstance(
            erro,
            psycopg.DataError
            | psycopg.IntegrityError
            | psycopg.errors.ProgramLimitExceeded
            | psycopg.errors.RaiseException,
        )
    return not isinstance(erro, ErroD5)

"""How the service is doing, read in one short read-only transaction at bounded cost (`d5 saude`, `d5 metricas`)."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Final, TypeVar

import psycopg

from d5_pipeline.conexao import Conexao, linha_unica
from d5_pipeline.consultas import consultas
from d5_pipeline.dominio.eventos import GRAFIAS, TIPOS_COM_CURSOR
from d5_pipeline.dominio.lacunas import Lacuna
from d5_pipeline.dominio.saude import Atraso, LacunaPresa, Sinais
from d5_pipeline.erros import BancoInacessivel, ErroDeConfiguracao, MedicaoImpossivel
from d5_pipeline.repositorio import cursores, migracoes

T = TypeVar("T")

_sql = consultas("sinais")

PRAZO: Final = "5s"
"""No statement of a measurement takes longer."""

LINHAS_DO_LOG: Final = 50_000
PENDENTES: Final = 10_000
"""Rows of the log above the position, and of the outbox, that are counted: a number this high is a lower bound."""


def medicao(abrir: Callable[[], Conexao], medir: Callable[[Conexao], T]) -> T:
    """`medir` over one consistent look that writes nothing, on a connection of its own.

    Raises MedicaoImpossivel where the server is away, schema d5 is not this program's, or a right is missing.
    """
    try:
        with closing(abrir()) as conexao:
            conexao.read_only = True
            conexao.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            with _clara(), conexao.transaction():
                _sql.limitar_tempo(conexao, prazo=PRAZO)
                migracoes.verificar(conexao)
                return medir(conexao)
    except BancoInacessivel as erro:
        raise MedicaoImpossivel(str(erro)) from erro


@contextmanager
def _clara() -> Iterator[None]:
    try:
        yield
    except ErroDeConfiguracao as erro:
        raise MedicaoImpossivel(str(erro)) from erro
    except psycopg.errors.InsufficientPrivilege as erro:
        raise MedicaoImpossivel(
            f"o usuário do banco não tem direito suficiente ({linha_unica(erro)}); confira sql/papeis.sql"
        ) from erro
    except psycopg.Error as erro:
        raise MedicaoImpossivel(f"o banco não respondeu à medição: {linha_unica(erro)}") from erro


def sinais(conexao: Conexao) -> Sinais:
    """The signals; through `medicao`. Raises ErroDeConfiguracao where a cursor is missing."""
    fim, sem_progresso = _sql.progresso(conexao)
    pendentes, pendentes_ha = _sql.pendentes(conexao, limite=PENDENTES)
    semeada = cursores.semeados(conexao)
    posicoes = cursores.posicoes(conexao) if semeada else None
    return Sinais(
        semeada=semeada,
        fim_do_log=fim,
        desde=posicoes.desde if posicoes else 0,
        alto=max(posicoes.por_tipo.values()) if posicoes else 0,
        sem_progresso=sem_progresso,
        atrasos=_atrasos(conexao, posicoes.desde, posicoes.por_grafia()) if posicoes else {},
        lacunas=lacunas_presas(conexao),
        pendentes=pendentes,
        pendentes_ha=pendentes_ha,
        dlq={(motivo, situacao): quantas for motivo, situacao, quantas in _sql.dlq(conexao)},
    )


def _atrasos(conexao: Conexao, desde: int, por_grafia: tuple[list[str], list[int]]) -> dict[str, Atraso]:
    grafias, posicoes = por_grafia
    atrasos = dict.fromkeys(TIPOS_COM_CURSOR, Atraso(0, 0.0))
    for grafia, eventos, segundos in _sql.atraso(
        conexao, desde=desde, grafias=grafias, posicoes=posicoes, limite=LINHAS_DO_LOG
    ):
        tipo = GRAFIAS[grafia]
        if tipo in atrasos:
            ja = atrasos[tipo]
            atrasos[tipo] = Atraso(ja.eventos + eventos, max(ja.segundos, segundos))
    return atrasos


def lacunas_presas(conexao: Conexao) -> list[LacunaPresa]:
    """The holes that hold the log up, in its order: one whose transactions are gone is passed by the next reading."""
    return [
        LacunaPresa(Lacuna(inicio, fim, tuple(portadores)), vista_em, segundos)
        for inicio, fim, vista_em, segundos, portadores in _sql.lacunas(conexao)
    ]

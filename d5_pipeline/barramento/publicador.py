"""From the outbox into the log: 4 attempts, in order, each publication once (D7, T15, T16)."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import psycopg

from d5_pipeline.barramento.dlq import enterrar
from d5_pipeline.conexao import Conexao, linha_unica, transitorio
from d5_pipeline.consultas import consultas
from d5_pipeline.dominio.eventos import GRAFIAS
from d5_pipeline.erros import FalhaDePublicacao
from d5_pipeline.registro import log
from d5_pipeline.repositorio import cursores

_barramento = consultas("barramento")
_sql = consultas("publicacao")

TENTATIVAS = 4
ESPERAS = (0.5, 1.0, 2.0)  # seconds between them (3.8)
LINHAS_POR_TRANSACAO = 2_000


class Pendente(NamedTuple):
    """A pending publication, by what identifies it and its trigger."""

    id: int
    gatilho_sequence: int
    gatilho_event_id: str
    gatilho_tipo: str


def ha_pendentes(conexao: Conexao) -> bool:
    """Whether anything waits to be published."""
    return bool(_sql.ha_pendentes(conexao))


def publicar_pendentes(conexao: Conexao, esperar: Callable[[float], None]) -> Iterator[int]:
    """Publishes everything pending, in order, and moves the cursors. Yields after each commit how many events went out.

    `esperar` takes seconds. Raises FalhaDePublicacao where the log refused a trigger's events four times: that trigger
    becomes a dead letter with motive `publicacao`, its events and all later ones stay pending, cursors stop below it.
    """
    while pendentes := [Pendente(*linha) for linha in _sql.pendentes(conexao, limite=LINHAS_POR_TRANSACAO)]:
        try:
            publicadas = _publicar(conexao, pendentes)
        except psycopg.Error as erro:
            if transitorio(erro):
                raise
            log.warning("publicação recusada pelo log", erro=linha_unica(erro), publicacoes=len(pendentes))
            yield from _insistir(conexao, pendentes, esperar)
        else:
            yield publicadas


def _insistir(conexao: Conexao, pendentes: Sequence[Pendente], esperar: Callable[[float], None]) -> Iterator[int]:
    """After a refused attempt: trigger by trigger, so that the one at fault gets its other three attempts."""
    falhas = 1
    esperar(ESPERAS[0])
    for _, linhas in groupby(pendentes, key=lambda pendente: pendente.gatilho_event_id):
        gatilho = list(linhas)
        while True:
            try:
                publicadas = _publicar(conexao, gatilho)
            except psycopg.Error as erro:
                if transitorio(erro):
                    raise
                falhas += 1
                if falhas == TENTATIVAS:
                    raise _desistir(conexao, gatilho[0], linha_unica(erro)) from erro
                esperar(ESPERAS[falhas - 1])
            else:
                yield publicadas
                break


def _publicar(conexao: Conexao, linhas: Sequence[Pendente]) -> int:
    """One transaction: into the log, out of the outbox, dead letters closed; the cursors once nothing is pending."""
    with cursores.transacao_cercada(conexao):
        publicadas = list(_barramento.publicar(conexao, ids=[linha.id for linha in linhas]))
        consultas("dlq").encerrar_publicadas(conexao, gatilhos=sorted({gatilho for _, gatilho in publicadas}))
        cursores.avancar_publicado(conexao)
    return len(publicadas)


def _desistir(conexao: Conexao, gatilho: Pendente, erro: str) -> FalhaDePublicacao:
    """The trigger becomes a dead letter, the cursors move to the last events below it; returns the failure to raise."""
    _registrar_recusa(conexao, gatilho, erro)
    with cursores.transacao_cercada(conexao):
        enterrar(
            conexao,
            gatilho.gatilho_sequence,
            gatilho.gatilho_event_id,
            gatilho.gatilho_tipo,
            "publicacao",
            erro,
            TENTATIVAS,
        )
        cursores.avancar_publicado_ate(conexao, _ultimos_abaixo(conexao, gatilho.gatilho_sequence))
    return FalhaDePublicacao(
        f"o log recusou {TENTATIVAS} vezes as publicações de {gatilho.gatilho_tipo} "
        f"(sequência {gatilho.gatilho_sequence}): {erro}; elas seguem pendentes e saem na próxima execução"
    )


def _registrar_recusa(conexao: Conexao, gatilho: Pendente, erro: str) -> None:
    """A line for each type of event that did not go out (5.3, 5.4); the ids are those of its first."""
    recusadas = _sql.recusadas(conexao, gatilho=gatilho.gatilho_event_id)
    for tipo, demanda_id, unidade_civica_id, event_id, correlacao_id, quantas in recusadas:
        log.error(
            f"Falha ao publicar {tipo}",
            demanda_id=demanda_id,
            unidade_civica_id=unidade_civica_id,
            event_id=event_id,
            correlacao_id=correlacao_id,
            gatilho_tipo=gatilho.gatilho_tipo,
            gatilho_event_id=gatilho.gatilho_event_id,
            sequence_number=gatilho.gatilho_sequence,
            publicacoes=quantas,
            erro=erro,
        )


def _ultimos_abaixo(conexao: Conexao, limite: int) -> dict[str, int]:
    """Last event of each type below `limite`."""
    desde = min(int(str(cursor["last_sequence"])) for cursor in cursores.listar(conexao))
    ultimos: dict[str, int] = {}
    for grafia, ultimo in _barramento.ultimos_abaixo(conexao, desde=desde, limite=limite, grafias=list(GRAFIAS)):
        ultimos[GRAFIAS[grafia]] = max(ultimo, ultimos.get(GRAFIAS[grafia], 0))
    return ultimos

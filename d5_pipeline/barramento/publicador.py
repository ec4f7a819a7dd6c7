"""From the outbox into the log: 4 attempts, in order, each publication once (D7, T15, T16)."""

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import NamedTuple

import psycopg

from d5_pipeline.barramento.dlq import enterrar
from d5_pipeline.conexao import Conexao
from d5_pipeline.consultas import consultas
from d5_pipeline.dominio.eventos import GRAFIAS
from d5_pipeline.erros import FalhaDePublicacao
from d5_pipeline.registro import log

_barramento = consultas("barramento")
_sql = consultas("publicacao")
_cursores = consultas("cursores")

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


def publicar_pendentes(conexao: Conexao, esperar: Callable[[float], None]) -> int:
    """Publishes everything pending, in order; then moves the cursors. Returns how many events went out.

    `esperar` takes seconds. Raises FalhaDePublicacao where the log refused a trigger's events four times: that trigger
    becomes a dead letter with motive `publicacao`, its events and all later ones stay pending, cursors stop below it.
    """
    publicadas = 0
    while pendentes := [Pendente(*linha) for linha in _sql.pendentes(conexao, limite=LINHAS_POR_TRANSACAO)]:
        falhas = 0
        try:
            publicadas += _publicar(conexao, pendentes)
            continue
        except psycopg.Error as erro:
            if conexao.broken:
                raise
            log.warning("publicação recusada pelo log", erro=_linha(erro), publicacoes=len(pendentes))
            falhas = 1
        for _, linhas in groupby(pendentes, key=lambda pendente: pendente.gatilho_event_id):
            publicadas += _insistir(conexao, list(linhas), falhas, esperar)
            falhas = 0
    with conexao.transaction():
        _cursores.avancar_cursores(conexao)
    return publicadas


def _insistir(conexao: Conexao, linhas: Sequence[Pendente], falhas: int, esperar: Callable[[float], None]) -> int:
    """One trigger's events, up to four attempts in all."""
    while True:
        if falhas:
            esperar(ESPERAS[falhas - 1])
        try:
            return _publicar(conexao, linhas)
        except psycopg.Error as erro:
            if conexao.broken:
                raise
            falhas += 1
            if falhas == TENTATIVAS:
                _desistir(conexao, linhas[0], _linha(erro))
                raise FalhaDePublicacao(
                    f"o log recusou {TENTATIVAS} vezes as publicações de {linhas[0].gatilho_tipo} "
                    f"(sequência {linhas[0].gatilho_sequence}): {_linha(erro)}; "
                    "elas seguem pendentes e saem na próxima execução"
                ) from erro


def _publicar(conexao: Conexao, linhas: Sequence[Pendente]) -> int:
    """One transaction: into the log, out of the outbox, dead letters closed; the cursors once nothing is pending."""
    with conexao.transaction():
        publicadas = list(_barramento.publicar(conexao, ids=[linha.id for linha in linhas]))
        gatilhos = sorted({gatilho for _, gatilho in publicadas})
        _sql.encerrar_publicadas(conexao, gatilhos=gatilhos)
        if not _sql.ha_pendentes(conexao):
            _cursores.avancar_cursores(conexao)
    return len(publicadas)


def _desistir(conexao: Conexao, gatilho: Pendente, erro: str) -> None:
    """The trigger becomes a dead letter; the cursors move to the last events below it."""
    log.error(
        "falha ao publicar",
        tipo=gatilho.gatilho_tipo,
        event_id=gatilho.gatilho_event_id,
        sequence_number=gatilho.gatilho_sequence,
        erro=erro,
    )
    with conexao.transaction():
        enterrar(
            conexao,
            gatilho.gatilho_sequence,
            gatilho.gatilho_event_id,
            gatilho.gatilho_tipo,
            "publicacao",
            erro,
            TENTATIVAS,
        )
        desde = min(last_sequence for _, last_sequence, *_ in _cursores.listar(conexao))
        ultimos: dict[str, int] = {}
        linhas = _barramento.ultimos_abaixo(
            conexao, desde=desde, limite=gatilho.gatilho_sequence, grafias=list(GRAFIAS)
        )
        for grafia, ultimo in linhas:
            ultimos[GRAFIAS[grafia]] = max(ultimo, ultimos.get(GRAFIAS[grafia], 0))
        _cursores.avancar_cursores_ate(conexao, tipos=list(ultimos), ultimos=list(ultimos.values()))


def _linha(erro: Exception) -> str:
    return " ".join(str(erro).split())

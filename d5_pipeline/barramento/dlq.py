"""Dead letters: events that failed while applied, triggers whose events the log refused (D7, D11)."""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from d5_pipeline.conexao import Conexao
from d5_pipeline.consultas import consultas

_sql = consultas("dlq")

Motivo = Literal["aplicacao", "publicacao"]

ESPERAS = (60.0, 300.0, 1_800.0, 7_200.0, 43_200.0)
"""Seconds from each failed attempt to the next automatic one; after the last the dead letter is exhausted."""


class Vencida(NamedTuple):
    """A dead letter whose next attempt is due."""

    event_id: str
    sequencia: int
    tentativas: int


def enterrar(
    conexao: Conexao, sequencia: int, event_id: str, tipo: str, motivo: Motivo, erro: str, tentativas: int
) -> None:
    """One dead letter per event and motive; a repeated failure adds its attempts."""
    _sql.enterrar(
        conexao,
        sequencia=sequencia,
        event_id=event_id,
        tipo=tipo,
        motivo=motivo,
        erro=erro,
        tentativas=tentativas,
        espera=ESPERAS[0],
    )


def sem_solucao(conexao: Conexao) -> dict[str, int]:
    """event_id → number of the events whose application failed and that nobody has settled, in log order."""
    return dict(_sql.sem_solucao(conexao))


def encerrar_aplicadas(conexao: Conexao, event_ids: Sequence[str]) -> None:
    """Closes the dead letters of events that are applied in this transaction after all."""
    _sql.encerrar_aplicadas(conexao, event_ids=list(event_ids))


def vencidas(conexao: Conexao) -> list[Vencida]:
    """Dead letters whose next automatic attempt is due, in log order."""
    return [Vencida(*linha) for linha in _sql.vencidas(conexao)]


def ha_vencidas(conexao: Conexao) -> bool:
    """Whether an automatic attempt is due."""
    return bool(_sql.ha_vencidas(conexao))


def registrar_tentativa(conexao: Conexao, vencida: Vencida, erro: str) -> bool:
    """Another attempt failed; returns whether there will be a next automatic one."""
    espera = ESPERAS[vencida.tentativas] if vencida.tentativas < len(ESPERAS) else None
    _sql.registrar_tentativa(conexao, event_id=vencida.event_id, erro=erro, espera=espera)
    return espera is not None


def esgotar(conexao: Conexao, vencida: Vencida, erro: str) -> None:
    """No further attempt can help: only an operator may settle it."""
    _sql.registrar_tentativa(conexao, event_id=vencida.event_id, erro=erro, espera=None)


def listar(conexao: Conexao, todas: bool) -> list[dict[str, Any]]:
    """Dead letters that wait for something, or all of them, as an operator reads them."""
    nomes = (
        "id",
        "sequence_number",
        "event_id",
        "tipo",
        "motivo",
        "situacao",
        "tentativas",
        "proxima_em",
        "criado_em",
        "erro",
    )
    return [dict(zip(nomes, linha, strict=True)) for linha in _sql.listar(conexao, todas=todas)]


def descartar(conexao: Conexao, event_ids: Sequence[str]) -> int:
    """Gives dead letters up on an operator's word; returns how many."""
    return int(_sql.descartar(conexao, event_ids=list(event_ids)))

"""The sensor's thinking: from what was observed to a decision, without a database, a clock or Dagster.

Belongs here: when a run is worth its start. Does not: how the situation is observed (processamento/situacao.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from d5_pipeline.dominio.lacunas import espera
from d5_pipeline.processamento.situacao import Situacao

PRAZO_DE_PARTIDA = timedelta(seconds=30)
"""A run that was launched less than this ago may still be importing."""

PRAZO_DE_CONEXAO = timedelta(seconds=15)
"""A run that started less than this ago, or whose server did, may still be on its way to a connection."""

LINHAS_ALHEIAS = 20_000
"""Rows of other types after which the applied position is moved: the next look would start too far back."""


@dataclass(frozen=True)
class Executar:
    """A run has something to do."""

    motivo: str


@dataclass(frozen=True)
class Esperar:
    """No run now; `motivo` says what is waited for."""

    motivo: str


Decisao = Executar | Esperar


@dataclass(frozen=True)
class Execucao:
    """A run of the job, as far as the decision needs it."""

    run_id: str
    em_curso: bool
    lancada_em: datetime
    servidor_desde: datetime
    """When the database server started: no session is older."""
    iniciada_em: datetime | None = None
    """When its process began to execute."""
    conectada: bool = False
    """Whether a session of it is in the database: from its first op to its end there is one."""
    relatando: bool = False
    """Whether its work is done and only the report for the UI is left."""
    falhou_em: datetime | None = None
    """When it failed with its work undone; dead letters are work done."""


def decidir(situacao: Situacao) -> Decisao:
    """Whether the database has something for a run."""
    if not situacao.semeada:
        return Executar("cursores por semear")
    if situacao.publicacoes:
        return Executar("publicações pendentes")
    if situacao.reenvios:
        return Executar("reenvio da DLQ vencido")
    if not situacao.eventos:
        if situacao.lacuna is None and situacao.fim_do_log - situacao.aplicado_ate > LINHAS_ALHEIAS:
            return Executar("posição distante do fim do log")
        return Esperar(f"nada novo no log até {situacao.fim_do_log}")
    if situacao.lacuna is not None:
        return Esperar(espera(situacao.lacuna))
    return Executar("eventos pendentes")


def conter(execucoes: Sequence[Execucao], agora: datetime) -> Esperar | None:
    """What holds a new run back: one in progress, or the pause after repeated failures. `execucoes`: newest first."""
    for execucao in execucoes:
        if execucao.em_curso and not execucao.relatando and viva(execucao, agora):
            return Esperar(f"execução {execucao.run_id[:8]} em curso")
    falhas = _falhas_seguidas(execucoes)
    if len(falhas) < 2:
        return None
    retomada = falhas[0] + min(timedelta(seconds=5 * 2 ** (len(falhas) - 1)), timedelta(seconds=30))
    if agora >= retomada:
        return None
    segundos = (retomada - agora).total_seconds()
    return Esperar(f"as últimas {len(falhas)} execuções falharam; nova tentativa em {segundos:.0f} s")


def viva(execucao: Execucao, agora: datetime) -> bool:
    """Whether a run in progress has a process: one that was killed keeps its status for ever."""
    if execucao.conectada:
        return True
    if execucao.iniciada_em is None:
        return agora - max(execucao.lancada_em, execucao.servidor_desde) < PRAZO_DE_PARTIDA
    return agora - max(execucao.iniciada_em, execucao.servidor_desde) < PRAZO_DE_CONEXAO


def _falhas_seguidas(execucoes: Sequence[Execucao]) -> list[datetime]:
    falhas = []
    for execucao in execucoes:
        if execucao.falhou_em is None:
            break
        falhas.append(execucao.falhou_em)
    return falhas

"""The state machine of an item as data (4.5, D17)."""

from typing import Final, Literal

from d5_pipeline.dominio.eventos import (
    CONCLUSAO_CONFIRMADA,
    CONSELHEIRO_SORTEADO,
    DEMANDA_CONCLUIDA,
    DEMANDA_INICIADA,
    DUPLICIDADE_AGREGADA,
)

Status = Literal["disponivel", "atribuido", "em_progresso", "concluido", "agregado", "removido"]

ENCERRADOS: Final[frozenset[Status]] = frozenset({"concluido", "agregado", "removido"})
"""Neither counted against the capacity nor announced (D18)."""

ATIVOS: Final[frozenset[Status]] = frozenset({"disponivel", "atribuido", "em_progresso"})

TRANSICOES: Final[dict[str, tuple[frozenset[Status], Status]]] = {
    CONSELHEIRO_SORTEADO: (ATIVOS, "atribuido"),
    DEMANDA_INICIADA: (frozenset({"disponivel", "atribuido"}), "em_progresso"),
    DEMANDA_CONCLUIDA: (ATIVOS, "concluido"),
    CONCLUSAO_CONFIRMADA: (frozenset({"disponivel", "atribuido"}), "concluido"),
    DUPLICIDADE_AGREGADA: (ATIVOS | {"concluido", "removido"}, "agregado"),
}
"""Event type → (statuses it leaves from, status it leads to); anything else is a logged no-op."""


def transicao(tipo: str, de: Status) -> Status | None:
    """The status that an event of `tipo` leads to from `de`, or None where it changes nothing."""
    origens, destino = TRANSICOES[tipo]
    return destino if de in origens else None

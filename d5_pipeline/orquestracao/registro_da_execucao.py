"""The structured log's lines in a run's own log, where the UI shows them: level, op, text with its fields.

Belongs here: how many, and how they get there. Does not: what a line says (registro.py).

They go through a log manager without a console: `context.log` would print each line a second time on stderr, where the
program has already written it in the form that D5_LOG and D5_LOG_JSON ask for.
"""

from collections import Counter
from typing import Final

from dagster import DagsterInstance, DagsterInvariantViolationError, DagsterLogManager, DagsterRun, OpExecutionContext

from d5_pipeline.registro import Classe

QUOTAS: Final[dict[Classe, int]] = {"info": 50, "unidade": 100, "warning": 100, "error": 100}
"""Most lines of each class in a run's log: each is a row of Dagster's tables, and a run applies thousands of events."""

_NIVEIS: Final[dict[Classe, str]] = {"unidade": "INFO"}
_NOMES: Final[dict[Classe, str]] = {
    "info": "de detalhe",
    "unidade": "de rebuild",
    "warning": "de aviso",
    "error": "de erro",
}


class RegistroDaExecucao:
    """Collects lines while the work is done, and writes them once it is committed and published."""

    def __init__(self, instancia: DagsterInstance, run: DagsterRun) -> None:
        self._registro = DagsterLogManager.create(loggers=[], instance=instancia, dagster_run=run)
        self._recebidas: Counter[Classe] = Counter()
        self._linhas: list[tuple[Classe, str | None, str]] = []

    def cabe(self, classe: Classe) -> bool:
        """Whether the run's log still takes a line of this class."""
        return self._recebidas[classe] < QUOTAS.get(classe, 0)

    def receber(self, classe: Classe, linha: str) -> None:
        """Takes a line for the op that runs now; the last one of a class is followed by a word about the limit."""
        self._recebidas[classe] += 1
        self._linhas.append((classe, _operacao(), linha))
        if not self.cabe(classe):
            limite = (
                f"limite de {QUOTAS[classe]} linhas {_NOMES[classe]} nesta execução; se houver outras, só em stderr"
            )
            self._linhas.append((classe, _operacao(), limite))

    def escoar(self) -> None:
        """Writes what was collected."""
        linhas, self._linhas = self._linhas, []
        for classe, operacao, linha in linhas:
            registro = self._registro if operacao is None else self._registro.with_tags(step_key=operacao)
            registro.log(_NIVEIS.get(classe, classe.upper()), linha)


def _operacao() -> str | None:
    """The op that runs now; None outside of one."""
    try:
        return OpExecutionContext.get().log.metadata["step_key"]
    except DagsterInvariantViolationError:
        return None

"""What a run has touched so far: noted while it works, read when it reports.

Belongs here: noting. Does not: showing (relatorio.py).
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from d5_pipeline.conexao import Conexao
from d5_pipeline.processamento.dreno import Dreno
from d5_pipeline.processamento.entrada import Lote
from d5_pipeline.processamento.resumo import Resumo


class Rastro:
    """Units, numbers of the log, lag and rebuild time of one run; only what was committed counts."""

    def __init__(self) -> None:
        self._unidades: dict[str, None] = {}
        self.primeira: int | None = None
        self.ultima: int | None = None
        self.atraso: float | None = None
        """Seconds from the oldest event's creation to its commit by this run."""
        self.rebuild: float | None = None
        """Seconds from the selection to the commit of the wave that the graph shows, loading of libraries aside."""
        self._inicio = 0.0

    @property
    def unidades(self) -> list[str]:
        """Units whose agenda may have changed, those touched last first."""
        return list(reversed(self._unidades))

    def anotar(self, lote: Lote, agora: datetime) -> None:
        """Adds a committed batch."""
        for ocorrencia in lote.ocorrencias:
            if ocorrencia.unidade_civica_id is not None:
                self._unidades.pop(ocorrencia.unidade_civica_id, None)
                self._unidades[ocorrencia.unidade_civica_id] = None
        envelopes = lote.leitura.envelopes
        if envelopes:
            self.primeira = self.primeira or envelopes[0].sequence_number
            self.ultima = envelopes[-1].sequence_number
            mais_antigo = min(envelope.criado_em for envelope in envelopes)
            self.atraso = max(self.atraso or 0.0, (agora - mais_antigo).total_seconds())

    def comecar_rebuild(self) -> None:
        """The wave has units to rebuild."""
        self._inicio = time.monotonic()

    @contextmanager
    def sem_a_carga(self, biblioteca: str) -> Iterator[None]:
        """Leaves a step out of the rebuild's time if it loads a library: that is the process's time."""
        carregada, inicio = biblioteca in sys.modules, time.monotonic()
        yield
        if not carregada and biblioteca in sys.modules:
            self._inicio += time.monotonic() - inicio

    def terminar_rebuild(self) -> None:
        """The wave is committed."""
        self.rebuild = time.monotonic() - self._inicio


class DrenoObservado(Dreno):
    """A drain that notes what it touched."""

    def __init__(self, abrir: Callable[[], Conexao], lote: int, ao_avancar: Callable[[Resumo], None]) -> None:
        super().__init__(abrir, lote, ao_avancar=ao_avancar)
        self.rastro = Rastro()

    def contar(self, lote: Lote) -> None:
        """Adds a committed batch to summary, log and trail."""
        super().contar(lote)
        self.rastro.anotar(lote, datetime.now(UTC))

"""What every neighbour shares: the log, and how far it has read it."""

from d5_pipeline.demonstracao.eventos import EventoLido, Log
from d5_pipeline.demonstracao.solicitacoes import Solicitacao

# Stands for the events upstream of D-5's neighbours (recebida, normalizada, categorizada), which the demo leaves out.
Catalogo = dict[str, Solicitacao]


class Vizinho:
    """A colony beside D-5 with its own position in the log."""

    def __init__(self, log: Log, catalogo: Catalogo) -> None:
        self._log = log
        self._catalogo = catalogo
        self._lido_ate = 0

    def _novidades(self, tipos: list[str]) -> list[EventoLido]:
        """Events of these types since the last call, in the order of the log."""
        eventos = self._log.ler(tipos, self._lido_ate)
        if eventos:
            self._lido_ate = eventos[-1].sequence_number
        return eventos

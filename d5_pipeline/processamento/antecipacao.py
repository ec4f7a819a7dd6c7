"""Reading ahead: while a full batch is applied, the next one is read and validated over a connection of its own."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from typing import NamedTuple

from d5_pipeline.barramento.leitor import Trecho, ler_adiante
from d5_pipeline.conexao import Conexao, transitorio
from d5_pipeline.dominio.eventos import Descarte, Envelope, Evento
from d5_pipeline.dominio.validacao import validar
from d5_pipeline.repositorio.fotografia import fotografia

MENOR_LOTE = 1_000
"""Events: below, a connection for each batch costs more than it brings."""


class Antecipada(NamedTuple):
    """The consumed events among `linhas` rows of the log above `desde`, up to `ate`."""

    desde: int
    ate: int
    linhas: int
    envelopes: list[Envelope]
    validados: list[Evento | Descarte]

    def vale(self, trecho: Trecho) -> bool:
        """Whether these are the stretch's events.

        Rows of the log neither change nor vanish: as many rows up to the same last one are the same rows, also where
        some of them came in late.
        """
        iguais = (self.ate, self.linhas) == (trecho.ate, trecho.linhas)
        return iguais and self.desde == trecho.posicoes.desde == trecho.posicoes.alto


class Antecipacao:
    """At most one batch is read ahead; a fault of the connection only means that it will be read again."""

    def __init__(self, abrir: Callable[[], Conexao]) -> None:
        self._abrir = abrir
        self._pedido: Future[Antecipada] | None = None

    def pedir(self, desde: int, lote: int) -> None:
        """Starts to read the next `lote` rows above `desde`, where they are enough for that."""
        if lote < MENOR_LOTE:
            return
        fio = ThreadPoolExecutor(1, "d5-antecipacao")
        self._pedido = fio.submit(self._ler, desde, lote)
        fio.shutdown(wait=False)  # the thread ends with its work

    def obter(self, trecho: Trecho) -> Antecipada | None:
        """What was read ahead, if that is the stretch. Raises what is not a fault of the connection."""
        pedido, self._pedido = self._pedido, None
        if pedido is None:
            return None
        erro = pedido.exception()
        if erro is not None:
            if transitorio(erro):
                return None
            raise erro
        antecipada = pedido.result()
        return antecipada if antecipada.vale(trecho) else None

    def esquecer(self) -> None:
        """Gives up what was asked for; its connection closes by itself."""
        self._pedido = None

    def _ler(self, desde: int, lote: int) -> Antecipada:
        with closing(self._abrir()) as conexao, fotografia(conexao):
            ate, linhas, envelopes = ler_adiante(conexao, desde, lote)
        return Antecipada(desde, ate, linhas, envelopes, [validar(envelope) for envelope in envelopes])

"""The neighbours' side of the demonstration, in rounds that alternate with D-5's processing."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from d5_pipeline.demonstracao.eventos import Log, NovoEvento
from d5_pipeline.demonstracao.parametros import Pesos, ler_pesos
from d5_pipeline.demonstracao.solicitacoes import Solicitacao, ler_solicitacoes
from d5_pipeline.demonstracao.vizinhos.d2 import georreferenciar
from d5_pipeline.demonstracao.vizinhos.d4 import Ranqueador
from d5_pipeline.demonstracao.vizinhos.d6a import Sorteador
from d5_pipeline.demonstracao.vizinhos.d6b import Relator
from d5_pipeline.demonstracao.vizinhos.d12 import Detector

RODADAS_COM_NOVIDADES = 24
RODADAS_DE_ENCERRAMENTO = 3
_PASSO_DE_ENCERRAMENTO = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class ResumoDaRodada:
    """What one round put into the log; `relogio` is the simulated time that it reached."""

    numero: int
    relogio: datetime
    novas_demandas: int
    eventos_por_tipo: dict[str, int]


class Simulacao:
    """Rounds of the neighbours: new requests in chronological order, then their reactions to the log.

    The last rounds bring no requests; they let what is under way go on, and leave some of it open on purpose, so that
    the final agenda shows every status.
    """

    def __init__(
        self,
        log: Log,
        solicitacoes: Sequence[Solicitacao] | None = None,
        pesos: Pesos | None = None,
        rodadas: int = RODADAS_COM_NOVIDADES,
    ) -> None:
        if rodadas < 1:
            raise ValueError("a simulação precisa de pelo menos uma rodada")
        self._log = log
        todas = ler_solicitacoes() if solicitacoes is None else list(solicitacoes)
        self._fatias = [todas[i * len(todas) // rodadas : (i + 1) * len(todas) // rodadas] for i in range(rodadas)]
        self._realizadas = 0
        self._relogio = todas[0].aberta_em
        catalogo = {solicitacao.demanda_id: solicitacao for solicitacao in todas}
        self._d4 = Ranqueador(log, catalogo, ler_pesos() if pesos is None else pesos)
        self._d12 = Detector(log, catalogo)
        self._d6b = Relator(log, catalogo)
        self._d6a = Sorteador(log, catalogo)

    @property
    def total_de_rodadas(self) -> int:
        """Rounds from the first request to the end."""
        return len(self._fatias) + RODADAS_DE_ENCERRAMENTO

    @property
    def terminou(self) -> bool:
        """Whether the last round is over."""
        return self._realizadas >= self.total_de_rodadas

    def rodada(self) -> ResumoDaRodada:
        """Perform one round; the caller lets D-5 process the log before the next."""
        if self.terminou:
            raise RuntimeError("a simulação já terminou")
        fatia = self._fatias[self._realizadas] if self._realizadas < len(self._fatias) else []
        self._realizadas += 1
        self._relogio = fatia[-1].aberta_em if fatia else self._relogio + _PASSO_DE_ENCERRAMENTO
        eventos = self._receber(fatia)
        # D-6b looks before D-6a draws: a demand starts one round after its draw, and freed councillors are drawn again.
        for reagir in (self._d12.reagir, self._d6b.reagir, self._d6a.reagir):
            eventos += reagir(self._relogio)
        por_tipo = Counter(evento.tipo for evento in eventos)
        return ResumoDaRodada(self._realizadas, self._relogio, len(fatia), dict(por_tipo))

    def _receber(self, fatia: Sequence[Solicitacao]) -> list[NovoEvento]:
        self._d4.retirar_encerradas()
        eventos: list[NovoEvento] = []
        for solicitacao in fatia:
            eventos += [georreferenciar(solicitacao), *self._d4.ranquear(solicitacao)]
        self._log.acrescentar(eventos)
        return eventos

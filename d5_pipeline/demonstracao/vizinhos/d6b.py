"""D-6b: follows the drawn councillors, from first contact to conclusion."""

from datetime import datetime

from d5_pipeline.demonstracao.eventos import (
    CONSELHEIRO_SORTEADO,
    DEMANDA_CONCLUIDA,
    DEMANDA_INICIADA,
    ENCERRAMENTOS,
    EventoLido,
    Log,
    NovoEvento,
    demandas_encerradas,
    iso,
    novo_evento,
)
from d5_pipeline.demonstracao.vizinhos.vizinho import Catalogo, Vizinho


class Relator(Vizinho):
    """Starts what was drawn in an earlier round and concludes what the city has closed by now."""

    def __init__(self, log: Log, catalogo: Catalogo) -> None:
        super().__init__(log, catalogo)
        self._sorteadas: dict[str, str] = {}
        self._iniciadas: dict[str, str] = {}

    def reagir(self, relogio: datetime) -> list[NovoEvento]:
        """conselheiro.demanda_iniciada and demanda.concluída due at `relogio`, never both for a demand in one round."""
        for evento in self._novidades([CONSELHEIRO_SORTEADO, DEMANDA_INICIADA, *ENCERRAMENTOS]):
            self._anotar(evento)
        concluidas = [
            self._concluida(demanda_id, parecer_em, relogio)
            for demanda_id in self._iniciadas
            if (parecer_em := self._catalogo[demanda_id].parecer_em) is not None and parecer_em <= relogio
        ]
        iniciadas = [self._iniciada(demanda_id, relogio) for demanda_id in self._sorteadas]
        eventos = concluidas + iniciadas
        self._log.acrescentar(eventos)
        return eventos

    def _anotar(self, evento: EventoLido) -> None:
        if evento.tipo == CONSELHEIRO_SORTEADO:
            if evento.payload["demanda_id"] in self._catalogo:
                self._sorteadas[evento.payload["demanda_id"]] = evento.payload["conselheiro_id"]
        elif evento.tipo == DEMANDA_INICIADA:
            demanda_id = evento.payload["demanda_id"]
            if self._sorteadas.pop(demanda_id, None) is not None:
                self._iniciadas[demanda_id] = evento.payload["conselheiro_id"]
        else:
            for demanda_id in demandas_encerradas(evento):
                self._sorteadas.pop(demanda_id, None)
                self._iniciadas.pop(demanda_id, None)

    def _iniciada(self, demanda_id: str, relogio: datetime) -> NovoEvento:
        solicitacao = self._catalogo[demanda_id]
        # The city may have closed the request before the simulation drew it: no contact is later than the conclusion.
        inicio = relogio if solicitacao.parecer_em is None else min(relogio, solicitacao.parecer_em)
        payload = {
            "demanda_id": demanda_id,
            "conselheiro_id": self._sorteadas[demanda_id],
            "unidade_civica_id": solicitacao.unidade_civica_id,
            "timestamp_inicio": iso(inicio),
        }
        return novo_evento("D-6b", DEMANDA_INICIADA, demanda_id, demanda_id, payload, relogio)

    def _concluida(self, demanda_id: str, parecer_em: datetime, relogio: datetime) -> NovoEvento:
        solicitacao = self._catalogo[demanda_id]
        payload = {
            "demanda_id": demanda_id,
            "unidade_civica_id": solicitacao.unidade_civica_id,
            "data_conclusao": iso(parecer_em),
            "conselheiro_id": self._iniciadas[demanda_id],
            "categoria_id": solicitacao.categoria.categoria_id,
        }
        return novo_evento("D-6b", DEMANDA_CONCLUIDA, demanda_id, demanda_id, payload, relogio)

"""A batch as it comes in: events of the log read and validated, with the state that they touch (D2, D13)."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from d5_pipeline.barramento.leitor import Leitura, delimitar, ler_ate
from d5_pipeline.conexao import Conexao
from d5_pipeline.dominio.estado import Estado
from d5_pipeline.dominio.eventos import TIPOS_COM_CURSOR, Descarte, Evento, Reentrega
from d5_pipeline.dominio.linhas import Ocorrencia, Publicacao
from d5_pipeline.dominio.recusas import identificadores
from d5_pipeline.dominio.validacao import como_evento, validar
from d5_pipeline.processamento.antecipacao import Antecipacao
from d5_pipeline.repositorio import estado
from d5_pipeline.repositorio.metricas import Duracao


@dataclass(slots=True)
class Lote:
    """A batch on its way: what was read, and the state that its waves leave to be written at the end."""

    leitura: Leitura
    eventos: list[Evento]
    descartes: list[Descarte]
    estado: Estado = field(default_factory=Estado)
    unidades_reconstruidas: list[str] = field(default_factory=list)
    duracoes: list[Duracao] = field(default_factory=list)
    cronometro: Callable[[], float] = time.perf_counter
    """Seconds from anywhere: for metrics only, nothing else may depend on it."""
    onda_aplicada_em: float = 0.0
    simulado: bool = False
    """Whether the last step only compares: nothing of this batch may be written."""

    @property
    def publicacoes(self) -> list[Publicacao]:
        """What the batch publishes."""
        return self.estado.mudancas.publicacoes

    @property
    def ocorrencias(self) -> list[Ocorrencia]:
        """Its lines for the structured log."""
        return self.estado.mudancas.ocorrencias

    @property
    def ultimos(self) -> dict[str, int]:
        """Last event of each type that has a cursor."""
        return {e.tipo: e.sequence_number for e in self.leitura.envelopes if e.tipo in TIPOS_COM_CURSOR}

    def antes_de(self, sequencia: int) -> "Lote":
        """The part of the batch below `sequencia`."""
        envelopes = [e for e in self.leitura.envelopes if e.sequence_number < sequencia]
        return replace(
            self,
            leitura=self.leitura._replace(envelopes=envelopes, ate=sequencia - 1),
            eventos=[e for e in self.eventos if e.sequence_number < sequencia],
            descartes=[d for d in self.descartes if d.sequence_number < sequencia],
        )


def ler_lote(conexao: Conexao, tamanho: int, antecipacao: Antecipacao | None = None) -> Lote:
    """The next events, validated; the transaction must hold the fence already."""
    trecho = delimitar(conexao, tamanho)
    antecipada = antecipacao and antecipacao.obter(trecho)
    if antecipacao and trecho.linhas >= tamanho:
        antecipacao.pedir(trecho.ate, tamanho)
    if antecipada:
        return _montar(conexao, trecho.com(antecipada.envelopes, trecho.ate), antecipada.validados)
    return validar_leitura(conexao, trecho.com(*ler_ate(conexao, trecho.posicoes, trecho.ate, tamanho)))


def validar_leitura(conexao: Conexao, leitura: Leitura) -> Lote:
    """What was read, as events and discards, with the state that the events touch."""
    return _montar(conexao, leitura, [validar(envelope) for envelope in leitura.envelopes])


def _montar(conexao: Conexao, leitura: Leitura, validados: list[Evento | Descarte]) -> Lote:
    """A batch of what was validated.

    The guard by event_id of 3.10 comes before validation (D13): a discard whose event a score carries already is a
    redelivery; a valid one is recognised by the fold.
    """
    lote = Lote(
        leitura,
        [validado for validado in validados if isinstance(validado, Evento)],
        [validado for validado in validados if isinstance(validado, Descarte)],
    )
    if lote.descartes:
        _poupar_reentregues(conexao, lote)
    lote.estado = estado.carregar(conexao, lote.eventos)
    return lote


def lote_de_evento(conexao: Conexao, evento: Evento, simulado: bool = False) -> Lote:
    """A batch of one event from beside the log: it moves no cursor (D32)."""
    return Lote(Leitura([], 0, 0), [evento], [], estado.carregar(conexao, [evento]), simulado=simulado)


def _poupar_reentregues(conexao: Conexao, lote: Lote) -> None:
    reentregues = estado.ja_aplicados(conexao, lote.descartes)
    if reentregues:
        lote.descartes = [d for d in lote.descartes if d.event_id not in reentregues]
        devolvidos = [
            como_evento(e, Reentrega(*identificadores(e.payload)))
            for e in lote.leitura.envelopes
            if e.event_id in reentregues
        ]
        lote.eventos = sorted([*lote.eventos, *devolvidos], key=lambda evento: evento.sequence_number)

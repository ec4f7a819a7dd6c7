"""Draining the log: batch after batch until nothing is pending, through transient faults and poisonous events."""

import time
from collections.abc import Callable

import stamina

from d5_pipeline.barramento import publicador
from d5_pipeline.barramento.dlq import enterrar
from d5_pipeline.barramento.leitor import Leitura, ler, recusar_cursor_acima_do_log
from d5_pipeline.conexao import Conexao, causado_pelo_evento, com_tipo, transitorio
from d5_pipeline.erros import CercaPerdida
from d5_pipeline.processamento.antecipacao import Antecipacao
from d5_pipeline.processamento.entrada import Lote, validar_leitura
from d5_pipeline.processamento.lote import Relogio, agora, aplicar_ondas, concluir, processar_lote
from d5_pipeline.processamento.reenvio import reenviar_vencidas
from d5_pipeline.processamento.resumo import Resumo
from d5_pipeline.registro import log, registrar_descarte, registrar_morte, registrar_ocorrencias
from d5_pipeline.repositorio import cursores

LOTE_PADRAO = 20_000
PACIENCIA = 120.0  # seconds that a server may be away before a drain gives up


class Dreno:
    """Applies and publishes what is pending over a connection of its own, which it reopens when it breaks."""

    def __init__(
        self,
        abrir: Callable[[], Conexao],
        lote: int = LOTE_PADRAO,
        relogio: Relogio = agora,
        ao_avancar: Callable[[Resumo], None] = lambda _: None,
    ) -> None:
        self._abrir = abrir
        self._lote = lote
        self._relogio = relogio
        self._ao_avancar = ao_avancar
        self._conexao: Conexao | None = None
        self._antecipacao = Antecipacao(abrir)
        self.resumo = Resumo()

    def drenar(self, prazo: float = float("inf")) -> Resumo:
        """Until nothing is pending, or until the monotonic time `prazo` (seconds) has passed.

        Pending publications go out first; re-drives that are due come last, also in a log that is never caught up.
        Raises FalhaDePublicacao (T15, T16), ErroDeConfiguracao, and what is neither transient nor an event's fault;
        what was committed before stays.
        """
        try:
            self._insistindo(self._conferir)
            self._insistindo(self._publicar)
            while self._insistindo(self._passo):
                self._ao_avancar(self.resumo)
                if time.monotonic() > prazo:
                    break
            self._insistindo(self._reenviar)
        finally:
            self.fechar()
        return self.resumo

    def publicar(self) -> int:
        """Publishes what is pending and nothing else; returns how many events went out in this call."""
        antes = self.resumo.publicacoes
        try:
            self._insistindo(self._conferir)
            self._insistindo(self._publicar)
        finally:
            self.fechar()
        return self.resumo.publicacoes - antes

    def fechar(self) -> None:
        """Gives the connection back."""
        self._antecipacao.esquecer()
        if self._conexao is not None:
            self._conexao.close()
            self._conexao = None

    def _passo(self) -> bool:
        """One batch and its publications; whether the position moved."""
        conexao = self._conectada()
        lote = self._aplicar(conexao)
        self.resumo.lacuna = lote.leitura.lacuna_aberta
        if lote.publicacoes or not lote.leitura.envelopes:
            self._publicar()
        return lote.leitura.ate > lote.leitura.desde or bool(lote.leitura.envelopes)

    def _aplicar(self, conexao: Conexao) -> Lote:
        """A batch; where an event poisons it, smaller ones up to the event, which becomes a dead letter (D11)."""
        tamanho = self._lote
        while tamanho > 1:
            try:
                lote = processar_lote(conexao, tamanho, self._relogio, self._antecipacao)
            except Exception as erro:
                if isinstance(erro, CercaPerdida) or transitorio(erro) or not causado_pelo_evento(erro):
                    raise
                tamanho //= 2
            else:
                self.contar(lote)
                return lote
        return self._isolar(conexao)

    def _isolar(self, conexao: Conexao) -> Lote:
        """The next event by itself, applied or set aside in one commit: no other process moves on in between."""
        morte: Exception | None = None
        with cursores.transacao_cercada(conexao):
            leitura = ler(conexao, 1)
            try:
                with conexao.transaction():
                    lote = validar_leitura(conexao, leitura)
                    aplicar_ondas(conexao, lote)
                    concluir(conexao, lote, self._relogio)
            except Exception as erro:
                if not leitura.envelopes or transitorio(erro) or not causado_pelo_evento(erro):
                    raise
                morte, lote = erro, self._enterrar(conexao, leitura, erro)
        self.contar(lote)
        if morte is not None:
            registrar_morte("evento enviado à DLQ", leitura.envelopes[0], morte)
            self.resumo.aplicados -= 1
            self.resumo.dlq += 1
        return lote

    def _enterrar(self, conexao: Conexao, leitura: Leitura, erro: Exception) -> Lote:
        """Dead letter and position: the reader passes the event, and nothing is lost."""
        (envelope,) = leitura.envelopes
        lote = Lote(leitura, [], [])
        concluir(conexao, lote, self._relogio)
        enterrar(
            conexao,
            envelope.sequence_number,
            envelope.event_id,
            envelope.tipo,
            "aplicacao",
            com_tipo(erro),
            tentativas=1,
        )
        return lote

    def contar(self, lote: Lote) -> None:
        """Adds a committed batch to the summary, and what it did to the structured log."""
        self.resumo.somar(lote)
        if lote.leitura.lacunas_passadas:
            log.info("lacunas passadas: números que nunca serão usados", lacunas=lote.leitura.lacunas_passadas)
        registrar_ocorrencias(lote.ocorrencias)
        for descarte in lote.descartes:
            registrar_descarte(descarte)

    def _conferir(self) -> bool:
        """A publication would lift a restored log above the cursors and hide the fault: look before."""
        conexao = self._conectada()
        recusar_cursor_acima_do_log(conexao, cursores.posicoes(conexao))
        return True

    def _reenviar(self) -> bool:
        """Dead letters whose next attempt is due (D11)."""
        conexao = self._conectada()
        reenviar_vencidas(conexao, self._relogio, self.contar)
        return self._publicar()

    def _publicar(self) -> bool:
        for publicadas in publicador.publicar_pendentes(self._conectada(), time.sleep):
            self.resumo.publicacoes += publicadas
        return True

    def _conectada(self) -> Conexao:
        if self._conexao is None or self._conexao.closed:
            self._conexao = self._abrir()
        return self._conexao

    def _insistindo(self, acao: Callable[[], bool]) -> bool:
        """`acao`, repeated with growing, jittered delays while the fault is transient; each time from a fresh read."""
        for tentativa in stamina.retry_context(on=_passageiro, attempts=None, timeout=PACIENCIA):
            with tentativa:
                try:
                    return acao()
                except Exception as erro:
                    if transitorio(erro):
                        self.fechar()
                    raise
        raise AssertionError("retry_context returns or raises")


def _passageiro(erro: Exception) -> bool:
    return isinstance(erro, CercaPerdida) or transitorio(erro)

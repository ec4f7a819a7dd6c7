"""The unit of work of one run: one connection and one fenced transaction that its ops share.

Belongs here: when that transaction begins, ends and is given up. Does not: what happens inside it (processamento/).
"""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TypeVar

from d5_pipeline.conexao import Conexao, causado_pelo_evento, com_tipo, transitorio
from d5_pipeline.erros import CercaPerdida, ErroD5
from d5_pipeline.registro import log
from d5_pipeline.repositorio import cursores
from d5_pipeline.repositorio.fotografia import fotografia

T = TypeVar("T")


class TransacaoPerdida(ErroD5):
    """An op ran outside the run that opened its transaction."""


class Interrompida(ErroD5):
    """The run ended before its transaction did."""


def exigir_transacao() -> TransacaoPerdida:
    """The refusal of an op that is executed again on its own."""
    return TransacaoPerdida(
        "a transação desta operação terminou com a execução que a abriu e nada foi alterado; "
        "execute o trabalho inteiro de novo, nunca uma operação isolada"
    )


class UnidadeDeTrabalho:
    """Opened by the first op, committed by `confirmar`, rolled back by whatever fails in between."""

    def __init__(self, abrir: Callable[[], Conexao]) -> None:
        self._abrir = abrir
        self._conexao: Conexao | None = None
        self._transacao: AbstractContextManager[None] | None = None
        self._tolerante = False
        self.desistiu = False
        """Whether a tolerated fault undid the transaction; later steps do nothing."""
        self._trabalhado = 0.0
        self._passo_desde: float | None = None

    @property
    def conexao(self) -> Conexao:
        """The run's connection, opened anew where it broke."""
        if self._conexao is None or self._conexao.closed:
            self._conexao = self._abrir()
        return self._conexao

    def iniciar(self, *, tolerante: bool) -> None:
        """Begins the transaction; `tolerante`: a drain follows and isolates a poisonous event, or awaits the server."""
        self._tolerante = tolerante
        self._entrar(cursores.transacao_cercada(self.conexao))

    def simular(self) -> None:
        """Begins one in which nothing can be written: no fence, no lock, one snapshot."""
        self._tolerante = False
        self._entrar(fotografia(self.conexao))

    def _entrar(self, transacao: AbstractContextManager[None]) -> None:
        self._transacao = transacao
        self._transacao.__enter__()

    def passo(self, acao: Callable[[Conexao], T]) -> T | None:
        """`acao` inside the transaction; None once a tolerated fault has undone it.

        Raises TransacaoPerdida outside of a transaction, and what is not tolerated, after rolling back.
        """
        if self.desistiu:
            return None
        if self._transacao is None:
            raise exigir_transacao()
        self._passo_desde = time.perf_counter()
        try:
            return acao(self.conexao)
        except Exception as erro:
            self._tratar(erro)
            return None
        finally:
            self._trabalhado, self._passo_desde = self.tempo_de_trabalho(), None

    def tempo_de_trabalho(self) -> float:
        """Seconds spent inside steps so far: a clock that stands still while the orchestrator is at work."""
        return self._trabalhado + (0.0 if self._passo_desde is None else time.perf_counter() - self._passo_desde)

    def confirmar(self, acao: Callable[[Conexao], T]) -> T | None:
        """The last step: `acao`, then the fence moves and everything is committed."""
        resultado = self.passo(acao)
        if self._transacao is not None:
            transacao, self._transacao = self._transacao, None
            try:
                transacao.__exit__(None, None, None)
            except Exception as erro:
                self._tratar(erro)
                return None
        return resultado

    def encerrar(self) -> None:
        """Rolls back what was not committed, and closes the connection."""
        self._desfazer(Interrompida())
        if self._conexao is not None:
            self._conexao.close()

    def _tratar(self, erro: Exception) -> None:
        self._desfazer(erro)
        recuperavel = isinstance(erro, CercaPerdida) or transitorio(erro) or causado_pelo_evento(erro)
        if not self._tolerante or not recuperavel:
            raise erro
        self.desistiu = True
        log.warning("onda desfeita; o dreno prossegue", erro=com_tipo(erro))

    def _desfazer(self, erro: Exception) -> None:
        if self._transacao is not None:
            transacao, self._transacao = self._transacao, None
            transacao.__exit__(type(erro), erro, erro.__traceback__)

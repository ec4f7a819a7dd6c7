"""Resources: what ops and sensors are given from outside: the database, and the hand-over between ops.

Belongs here: how a run reaches the database. Does not: statements, and what a run does with them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from dagster import ConfigurableResource, InitResourceContext, InputContext, IOManager, OutputContext, io_manager
from pydantic import Field, PrivateAttr

from d5_pipeline import registro
from d5_pipeline.conexao import Conexao, conectar
from d5_pipeline.config import configuracao
from d5_pipeline.orquestracao.rastro import DrenoObservado
from d5_pipeline.orquestracao.registro_da_execucao import RegistroDaExecucao
from d5_pipeline.orquestracao.unidade_de_trabalho import UnidadeDeTrabalho, exigir_transacao
from d5_pipeline.processamento.situacao import ha_trabalho
from d5_pipeline.repositorio.banco_embutido import url_embutida

APLICACAO = "d5-dagster"


def aplicacao_da_execucao(run_id: str) -> str:
    """Application name of a run's sessions: while one is connected, the run is alive."""
    return f"{APLICACAO}-{run_id}"


class BancoD5(ConfigurableResource[Any]):
    """The database with core and d5, and the run's unit of work."""

    url: str | None = Field(default=None, description="PostgreSQL; sem ele, D5_DATABASE_URL ou o banco embutido.")
    lote: int | None = Field(default=None, ge=1, description="Máximo de eventos lidos de uma vez; sem ele, D5_LOTE.")

    _aplicacao: str = PrivateAttr(default=APLICACAO)
    _unidade: UnidadeDeTrabalho | None = PrivateAttr(default=None)
    _dreno: DrenoObservado | None = PrivateAttr(default=None)

    @contextmanager
    def yield_for_execution(self, context: InitResourceContext) -> Iterator["BancoD5"]:
        """One unit of work per run; what the run leaves open is rolled back."""
        definicoes = configuracao()
        linhas = None
        if context.run is not None and context.instance is not None:
            self._aplicacao = aplicacao_da_execucao(context.run.run_id)
            linhas = RegistroDaExecucao(context.instance, context.run)
        registro.configurar(definicoes.log, definicoes.log_json, linhas)
        self._unidade = UnidadeDeTrabalho(self.abrir)
        self._dreno = DrenoObservado(
            self.abrir, self.tamanho_do_lote, ao_avancar=lambda _: linhas.escoar() if linhas else None
        )
        try:
            yield self
        finally:
            self._unidade.encerrar()
            registro.configurar(definicoes.log, definicoes.log_json)
            if linhas is not None:
                linhas.escoar()

    @property
    def unidade(self) -> UnidadeDeTrabalho:
        """The run's unit of work. Raises TransacaoPerdida outside of a run."""
        if self._unidade is None:
            raise exigir_transacao()
        return self._unidade

    @property
    def dreno(self) -> DrenoObservado:
        """The run's drain; its summary and trail are the run's. Raises TransacaoPerdida outside of a run."""
        if self._dreno is None:
            raise exigir_transacao()
        return self._dreno

    @property
    def tamanho_do_lote(self) -> int:
        """Most events read at once."""
        return self.lote or configuracao().lote

    def ha_trabalho(self) -> bool:
        """Whether something waits; where the server does not answer, that is for the drain to find out."""
        try:
            return ha_trabalho(self.unidade.conexao)
        except psycopg.OperationalError:
            return True

    @property
    def url_efetiva(self) -> str:
        """Where the database is; starts the embedded one where none is configured."""
        definicoes = configuracao()
        return self.url or definicoes.database_url or url_embutida(definicoes.pasta)

    def abrir(self) -> Conexao:
        """A new connection in autocommit."""
        return conectar(self.url_efetiva, self._aplicacao, configuracao().comandos_preparados)


class EmMemoria(IOManager):
    """Hands values on inside one run; an op that is executed again on its own finds none, and refuses."""

    def __init__(self) -> None:
        self._valores: dict[tuple[str, ...], object] = {}

    def handle_output(self, context: OutputContext, obj: object) -> None:
        """Keeps the value as it is."""
        self._valores[tuple(context.get_identifier())] = obj

    def load_input(self, context: InputContext) -> object:
        """The value of the same run. Raises TransacaoPerdida where another run produced it."""
        chave = tuple(context.get_identifier())
        if chave not in self._valores:
            raise exigir_transacao()
        return self._valores[chave]


@io_manager(description="Entrega valores entre as operações de uma mesma execução, na memória.")
def em_memoria(_: InitResourceContext) -> EmMemoria:
    """A memory of its own for each run."""
    return EmMemoria()

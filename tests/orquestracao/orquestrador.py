"""Running the jobs in the test's process, and reading what a person would see."""

import logging
from collections.abc import Sequence
from typing import Any

from dagster import AssetKey, DagsterEventType, DagsterInstance, ExecuteInProcessResult

from d5_pipeline.definitions import build_defs
from d5_pipeline.orquestracao.recursos import BancoD5
from tests.apoio.banco import Banco

Etiquetas = dict[str, str] | None
SEM_PERMANENCIA = {"drenar": {"config": {"permanencia": 0}}}


class Orquestrador:
    """The project's jobs on one database and one instance."""

    def __init__(self, banco: Banco, instancia: DagsterInstance) -> None:
        self.instancia = instancia
        self._definicoes = build_defs(BancoD5(url=banco.url))

    def processar(self) -> ExecuteInProcessResult:
        """A whole run of processar_eventos, which does not wait for a cascade."""
        return self._executar("processar_eventos", {"ops": SEM_PERMANENCIA})

    def processar_uma_onda(self) -> ExecuteInProcessResult:
        """The same run without the drain: its ops alone."""
        return self._executar("processar_eventos", {}, ["*publicar"])

    def reconstruir(
        self, unidades: Sequence[str] = (), todas: bool = False, etiquetas: Etiquetas = None, **outros: object
    ) -> ExecuteInProcessResult:
        """A whole run of reconstruir_agenda, configured as in the Launchpad."""
        pedido = {"unidades": list(unidades), "todas": todas, **outros}
        return self._executar("reconstruir_agenda", {"ops": {"pedir": {"config": pedido}}}, etiquetas=etiquetas)

    def reconstruir_como_esta(self) -> ExecuteInProcessResult:
        """reconstruir_agenda launched without touching what the Launchpad starts with."""
        return self._executar("reconstruir_agenda", None)

    def reenviar(self, origem: str, eventos: Sequence[str] = (), **outros: object) -> ExecuteInProcessResult:
        """A whole run of reenviar_dlq, configured as in the Launchpad."""
        pedido = {"origem": origem, "eventos": list(eventos), **outros}
        return self._executar("reenviar_dlq", {"ops": {"reenviar": {"config": pedido}}})

    def reter(self) -> ExecuteInProcessResult:
        """A whole run of the retention."""
        return self._executar("reter_execucoes", {})

    def verificar(self) -> ExecuteInProcessResult:
        """A whole run of the checks."""
        return self._executar("verificar", {})

    def _executar(
        self,
        trabalho: str,
        config: dict[str, Any] | None,
        operacoes: list[str] | None = None,
        etiquetas: Etiquetas = None,
    ) -> ExecuteInProcessResult:
        return self._definicoes.resolve_job_def(trabalho).execute_in_process(
            run_config=config,
            instance=self.instancia,
            op_selection=operacoes,
            raise_on_error=False,
            tags=etiquetas,
        )


def falhas(resultado: ExecuteInProcessResult) -> dict[str, str]:
    """op → the line by which it says why it failed."""
    mensagens = {}
    for evento in resultado.all_node_events:
        if evento.is_step_failure:
            dados = evento.step_failure_data
            erro = dados.user_failure_data.description if dados.user_failure_data else dados.error_display_string
            mensagens[str(evento.step_key)] = erro or ""
    return mensagens


def metadados(resultado: ExecuteInProcessResult, operacao: str) -> dict[str, Any]:
    """What an op shows beside its output in the UI."""
    achados: dict[str, Any] = {}
    for evento in resultado.all_node_events:
        if evento.is_successful_output and evento.step_key == operacao:
            dados = evento.step_output_data
            achados |= {nome: valor.value for nome, valor in dados.metadata.items()}
    return achados


def materializacoes(instancia: DagsterInstance, run_id: str, chave: AssetKey) -> dict[str | None, dict[str, Any]]:
    """Partition → metadata of what a run materialised of an asset, as kept by the instance."""
    registros = instancia.get_records_for_run(run_id, of_type=DagsterEventType.ASSET_MATERIALIZATION).records
    achadas = [registro.asset_materialization for registro in registros]
    return {
        m.partition: {nome: valor.value for nome, valor in m.metadata.items()}
        for m in achadas
        if m is not None and m.asset_key == chave
    }


def avisos(instancia: DagsterInstance, run_id: str) -> list[str]:
    """The warnings of a run."""
    return [registro.user_message for registro in instancia.all_logs(run_id) if registro.level == logging.WARNING]

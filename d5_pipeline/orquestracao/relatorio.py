"""What a run tells the UI: metadata, materialisations, and a failure where a person is needed.

Belongs here: how results are shown. Does not: the results themselves.
"""

from dagster import AssetMaterialization, AssetObservation, Failure, OpExecutionContext

from d5_pipeline.conexao import Conexao
from d5_pipeline.consultas import consultas
from d5_pipeline.orquestracao.ativos import BACKLOG, LOG
from d5_pipeline.processamento.resumo import Resumo

ETIQUETA_DLQ = "d5/dlq"
"""Tag of a run that failed only because events went to the DLQ: its work is done, nothing waits for a retry."""


def relatar(context: OpExecutionContext, conexao: Conexao, resumo: Resumo, reconstrucoes: int) -> None:
    """The summary as metadata and as a line; a materialisation of the backlog after `reconstrucoes` rebuilds."""
    dados = resumo.como_dict()
    context.add_output_metadata(dados)
    context.log.info(", ".join(f"{nome}: {valor}" for nome, valor in dados.items()))
    if resumo.lidos:
        context.log_event(AssetObservation(LOG, description="log lido", metadata=dados))
    if reconstrucoes:
        linhas, unidades = consultas("orquestracao").contar_backlog(conexao)
        contagem = {"reconstrucoes": reconstrucoes, "dagster/row_count": linhas, "unidades_civicas": unidades}
        context.log_event(AssetMaterialization(BACKLOG, description="agendas reconstruídas", metadata=contagem))


def exigir_dlq_vazia(context: OpExecutionContext, resumo: Resumo) -> None:
    """Fails the run, and tags it, where it set events aside (D11)."""
    if resumo.dlq:
        context.instance.add_run_tags(context.run_id, {ETIQUETA_DLQ: str(resumo.dlq)})
        raise Failure(
            description=f"{resumo.dlq} evento(s) foram à DLQ e precisam de uma pessoa; os demais foram aplicados. "
            "Veja 'd5 status' e a tabela d5.dlq",
            metadata=resumo.como_dict(),
            allow_retries=False,
        )

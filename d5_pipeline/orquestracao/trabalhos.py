"""Jobs: how the ops are joined.

Belongs here: the graphs, and how long a run may take. Does not: what an op does.
"""

from dagster import in_process_executor, job

from d5_pipeline.orquestracao.operacoes import (
    agrupar,
    aplicar,
    drenar,
    ilustrar,
    ler,
    ordenar,
    pedir,
    persistir,
    publicar,
    reenviar,
    selecionar,
)

ETIQUETAS = {"dagster/max_runtime": "900"}  # seconds; drenar stops by itself long before


@job(
    description="Aplica ao backlog os eventos pendentes do log e publica agendas e itens disponíveis.",
    executor_def=in_process_executor,
    tags=ETIQUETAS,
)
def processar_eventos() -> None:
    """The first wave step by step, then everything else."""
    lote = ler()
    gatilhos = aplicar(lote)
    selecao = selecionar(gatilhos)
    grupos = agrupar(selecao)
    ordenacao = ordenar(selecao, grupos, gatilhos)
    drenar(publicar(persistir(lote, ordenacao)))


@job(
    description="Reconstrói a agenda das unidades cívicas pedidas por um operador e publica o resultado.",
    executor_def=in_process_executor,
    tags=ETIQUETAS,
)
def reconstruir_agenda() -> None:
    """The middle of the same graph, on an operator's word."""
    lote = pedir()
    gatilhos = aplicar(lote)
    selecao = selecionar(gatilhos)
    grupos = agrupar(selecao)
    ordenacao = ordenar(selecao, grupos, gatilhos)
    ilustrar(publicar(persistir(lote, ordenacao)))


@job(
    description="Reenvia eventos da DLQ ou descartados, a pedido de um operador: alguns, ou tudo o que está à espera.",
    executor_def=in_process_executor,
    tags=ETIQUETAS,
)
def reenviar_dlq() -> None:
    """Dead letters or discards, on an operator's word."""
    reenviar()

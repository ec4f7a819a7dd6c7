"""Jobs: how the ops are joined.

Belongs here: the graphs, and how long a run may take. Does not: what an op does.
"""

from dagster import in_process_executor, job

from d5_pipeline.orquestracao.configuracao import EXEMPLO_DA_RECONSTRUCAO
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

RECONSTRUCAO = """Reconstrói a agenda das unidades cívicas pedidas por um operador e publica o resultado.

O Launchpad começa por uma simulação de todas as unidades, que não grava nada: a diferença (entra, sai, sobe, desce)
aparece nos metadados de `persistir`. Para reconstruir de fato:

```yaml
ops:
  pedir:
    config:
      unidades: ["f0000001-0000-4000-8000-000000000001"]  # ou: todas: true
      quem: Ana, plantão
      por_que: capacidade nova da unidade
```
"""

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
    selecao = selecionar(lote, gatilhos)
    grupos = agrupar(selecao)
    ordenacao = ordenar(selecao, grupos, gatilhos)
    drenar(publicar(persistir(lote, ordenacao)))


@job(
    description=RECONSTRUCAO,
    executor_def=in_process_executor,
    tags=ETIQUETAS,
    config=EXEMPLO_DA_RECONSTRUCAO,
)
def reconstruir_agenda() -> None:
    """The middle of the same graph, on an operator's word."""
    lote = pedir()
    gatilhos = aplicar(lote)
    selecao = selecionar(lote, gatilhos)
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

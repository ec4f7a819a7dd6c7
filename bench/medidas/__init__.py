"""The figures, one module per group; importing them fills the registry."""

from bench.medidas import aplicacao, um_evento, um_rebuild, todos_rebuilds, agrupamento

__all__ = ["agrupamento", "aplicacao", "todos_rebuilds", "um_evento", "um_rebuild"]

"""The figures, one module per group; importing them fills the registry, in this order."""

from importlib import import_module

MODULOS = (
    "aplicacao",
    "um_evento",
    "um_rebuild",
    "todos_rebuilds",
    "agrupamento",
    "crescimento",
    "fim_a_fim",
    "historico",
    "importacao",
)

for modulo in MODULOS:
    import_module(f"bench.medidas.{modulo}")

"""The figures, one module per group; importing them fills the registry, in this order."""

from importlib import import_module

MODULOS = (
    "aplicacao",
    "um_evento",
    "um_rebuild",
    "todos_rebuilds",
    "agrupamento",
    "crescimento",
    "importacao",
)

for modulo in MODULOS:
    import_module(f"bench.medidas.{modulo}")

"""What starting costs: importing the definitions, against importing dagster alone."""

import subprocess
import sys

from bench.medida import Contexto, Cronometro, Medida, Meta, figura


@figura("importacao")
def importar(ctx: Contexto) -> list[Medida]:
    """A process of its own each time, in turn."""
    vezes, antes = ctx.tamanho((11, 1), (1, 0))
    ctx.dizer(f"importação: {vezes} vezes de cada lado")
    proprio, dagster = Cronometro(), Cronometro()
    for vez in range(-antes, vezes):  # the first ones only fill the caches
        for codigo, cronometro in (("import d5_pipeline.definitions", proprio), ("import dagster", dagster)):
            with (cronometro if vez >= 0 else Cronometro()).medir():
                subprocess.run([sys.executable, "-c", codigo], check=True)
    lado, deles = proprio.serie("d5_pipeline.definitions", "s"), dagster.serie("dagster", "s")
    return [
        Medida(
            "importacao",
            "import",
            "python -c 'import d5_pipeline.definitions', a process each",
            "python -c 'import dagster'",
            (lado, deles),
            lado.mediana / deles.mediana,
            Meta("≤", 1.3),
        )
    ]

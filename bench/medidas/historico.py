"""Retention of Dagster's history: with it, the history does not grow for ever."""

import shutil
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.banco import parametrizar
from bench.carga import parametros
from bench.medida import Contexto, Medida, Meta, Serie, figura
from bench.preparo import em_processo
from d5_pipeline.conexao import conectar
from d5_pipeline.recursos import ARQUIVO_DAGSTER


@figura("historico")
def reter(ctx: Contexto) -> list[Medida]:
    """Weeks of runs; at the end of each, the retention of 7 days deletes the week before."""
    semanas, execucoes = ctx.tamanho((4, 25), (2, 1))
    ctx.dizer(f"histórico: {semanas} semanas de {execucoes} execuções, com retenção")
    with ctx.servidor.copia() as url, TemporaryDirectory(prefix="d5-bench-") as pasta:
        with closing(conectar(url)) as conexao:
            parametrizar(conexao, parametros(200))
        shutil.copyfile(ARQUIVO_DAGSTER, Path(pasta) / "dagster.yaml")
        bytes_por_semana = em_processo(url, "historico", semanas, execucoes, DAGSTER_HOME=pasta)
    tamanhos = [tamanho / 2**20 for tamanho in bytes_por_semana]
    return [
        Medida(
            "historico",
            "storage: with retention",
            f"{semanas} weeks of {execucoes} runs, retention of 7 days: size of the history at the end of the last",
            "its size at the end of the second: two weeks lie side by side then",
            (Serie.de("last week", "MiB", [tamanhos[-1]]), Serie.de("second week", "MiB", [tamanhos[1]])),
            tamanhos[-1] / tamanhos[1],
            Meta("≤", 1.1),
        )
    ]

"""`python -m bench`: measures, shows a table, keeps the results."""

import argparse
import sys
from collections.abc import Sequence

from rich.console import Console

from bench import medidas  # noqa: F401
from bench.banco import servidor_embutido
from bench.medida import FIGURAS, Contexto, Medida
from d5_pipeline.registro import configurar


def principal(argumentos: Sequence[str] | None = None) -> int:
    analisador = argparse.ArgumentParser(prog="python -m bench")
    analisador.add_argument("--curto", action="store_true")
    analisador.add_argument("--so", choices=list(FIGURAS), action="append", metavar="FIGURA")
    opcoes = analisador.parse_args(argumentos)
    configurar("error", em_json=False)
    progresso = Console(stderr=True)
    with servidor_embutido() as servidor:
        progresso.print(servidor.ajustes())
        ctx = Contexto(servidor, opcoes.curto, lambda t: progresso.print(t))
        ms: list[Medida] = []
        for nome in opcoes.so or FIGURAS:
            ms += FIGURAS[nome](ctx)
    for m in ms:
        progresso.print(m.nome, round(m.razao, 3), m.meta, m.cumprida, m.nota)
        for s in m.series:
            progresso.print("    ", s.nome, round(s.mediana, 3), round(s.p95, 3), s.unidade, s.n)
    return 0


sys.exit(principal())

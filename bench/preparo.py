"""Databases filled for a figure, to be cloned for each of its sides."""

import json
import os
import subprocess
import sys
from contextlib import closing
from typing import Any

from bench.banco import Servidor, analisar, parametrizar
from bench.carga import Cidade, parametros
from bench.gravacao import acrescentar, povoar
from d5_pipeline.conexao import conectar
from d5_pipeline.processamento.dreno import LOTE_PADRAO, Dreno


class ProcessoFalhou(Exception):
    """A measured process ended with an error; the message is the end of its stderr."""


def com_log(servidor: Servidor, eventos: int, unidades: int, cidade: Cidade | None = None) -> str:
    """A database whose log holds the events, nothing of it applied; returns its name."""
    nome = servidor.clonar()
    with closing(conectar(servidor.url(nome))) as conexao:
        parametrizar(conexao, parametros(unidades))
        acrescentar(conexao, (cidade or Cidade(unidades)).eventos(eventos))
        analisar(conexao)
    return nome


def com_scores(servidor: Servidor, unidades: int, scores: int, capacidade: int) -> str:
    """A database of units that have scores and coordinates and no agenda yet; returns its name."""
    nome = servidor.clonar()
    with closing(conectar(servidor.url(nome))) as conexao:
        parametrizar(conexao, parametros(unidades, capacidade))
        povoar(conexao, range(unidades), scores)
        analisar(conexao)
    return nome


def drenar(url: str, lote: int = LOTE_PADRAO) -> None:
    """What `d5 processar` does, in this process."""
    Dreno(lambda: conectar(url), lote).drenar()


def em_processo(url: str, nome: str, *argumentos: object, **variaveis: str) -> Any:
    """What one of bench.processos answers, in a process of its own on the database. Raises ProcessoFalhou."""
    comando = [sys.executable, "-m", "bench.processos", nome, *map(str, argumentos)]
    ambiente = os.environ | variaveis | {"D5_DATABASE_URL": url}
    saida = subprocess.run(comando, env=ambiente, capture_output=True, text=True, check=False)
    if saida.returncode:
        raise ProcessoFalhou(f"{nome}: {saida.stderr[-2_000:]}")
    return json.loads(saida.stdout)

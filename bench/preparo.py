"""Databases filled for a figure, to be cloned for each of its sides."""

from contextlib import closing

from bench.banco import Servidor, analisar, parametrizar
from bench.carga import Cidade, acrescentar, parametros, povoar
from d5_pipeline.conexao import conectar
from d5_pipeline.processamento.dreno import LOTE_PADRAO, Dreno


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

"""The longest part of what is pending that is a single wave: one pass through the stages applies it."""

import polars as pl

from d5_pipeline.conexao import Conexao
from d5_pipeline.dominio.agenda_builder import Agenda
from d5_pipeline.processamento.entrada import Lote, ler_lote
from d5_pipeline.processamento.lote import Relogio, concluir, incorporar, ondas

Ordenacao = tuple[pl.DataFrame, list[Agenda]]


def ler_primeira_onda(conexao: Conexao, tamanho: int) -> Lote:
    """The next batch, cut before its second wave; the transaction must hold the fence already."""
    lote = ler_lote(conexao, tamanho)
    cortadas = ondas(conexao, lote)
    return lote if len(cortadas) < 2 else lote.antes_de(cortadas[1][0].sequence_number)


def gravar_onda(conexao: Conexao, lote: Lote, ordenacao: Ordenacao | None, relogio: Relogio) -> Lote:
    """The wave with its agendas, if it has any: the writes of the transaction."""
    if ordenacao is not None:
        incorporar(lote, *ordenacao)
    concluir(conexao, lote, relogio)
    return lote

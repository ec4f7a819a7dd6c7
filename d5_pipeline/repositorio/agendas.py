"""Reading and writing for the rebuild of a wave's units (4.1)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import polars as pl

from d5_pipeline.conexao import Conexao
from d5_pipeline.consultas import consultas
from d5_pipeline.dominio.agenda_builder import ESQUEMA_MEMORIA, ESQUEMA_SELECAO, Agenda, Parametros, entradas_novas
from d5_pipeline.repositorio.gravacao import gravar_anuncios, gravar_itens

_sql = consultas("agenda")


class Selecao(NamedTuple):
    """What the models answer for the rebuilt units, and what is known of the selected demands."""

    demandas: pl.DataFrame
    niveis: Mapping[str, int | None]
    memoria: pl.DataFrame
    anunciadas: Mapping[str, str]
    parametros: Parametros


def selecionar(conexao: Conexao, unidades: Sequence[str]) -> Selecao:
    """Asks the models for the agenda of each unit (4.2)."""
    ids = list(unidades)
    demandas = pl.DataFrame(list(_sql.selecionadas(conexao, unidades=ids)), schema=ESQUEMA_SELECAO, orient="row")
    niveis = dict(_sql.niveis(conexao, unidades=ids))
    memoria = _sql.memoria(conexao, demandas=demandas["demanda_id"].to_list())
    return Selecao(
        demandas,
        niveis,
        pl.DataFrame(list(memoria), schema=ESQUEMA_MEMORIA, orient="row"),
        dict(_sql.anunciadas(conexao, unidades=ids)),
        Parametros(*_sql.parametros(conexao)),
    )


def persistir(conexao: Conexao, ordenadas: pl.DataFrame, agendas: Sequence[Agenda]) -> None:
    """Writes the agendas and removes the rows outside them, aggregated ones excepted (3.11 e, f)."""
    itens = [item for agenda in agendas for item in agenda.itens]
    gravar_itens(conexao, itens)
    _sql.remover_fora_da_selecao(
        conexao,
        unidades=[agenda.unidade_civica_id for agenda in agendas],
        demandas=[item.demanda_id for item in itens],
    )
    novas = entradas_novas(ordenadas)
    if novas:
        _sql.lembrar_entradas(conexao, demandas=[d for d, _ in novas], entradas=[quando for _, quando in novas])
    gravar_anuncios(
        conexao,
        {a.unidade_civica_id: (a.anunciada, a.gatilho) for a in agendas if a.anunciada is not None},
    )

"""Reading for the rebuild of a wave's units (4.1)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import polars as pl

from d5_pipeline.conexao import Conexao
from d5_pipeline.consultas import consultas
from d5_pipeline.dominio.agenda_builder import ESQUEMA_SELECAO, Parametros, memoria
from d5_pipeline.dominio.estado import Estado
from d5_pipeline.repositorio.estado import completar

_sql = consultas("agenda")


class Selecao(NamedTuple):
    """What the models answer for the rebuilt units, and what is known of the selected demands."""

    demandas: pl.DataFrame
    niveis: Mapping[str, int | None]
    memoria: pl.DataFrame
    anunciadas: Mapping[str, str]
    parametros: Parametros


def selecionar(conexao: Conexao, estado: Estado, unidades: Sequence[str]) -> Selecao:
    """Asks the models for the agenda of each unit (4.2); the state gets to know the selected demands."""
    ids = list(unidades)
    demandas = pl.DataFrame(list(_sql.selecionadas(conexao, unidades=ids)), schema=ESQUEMA_SELECAO, orient="row")
    selecionadas = demandas["demanda_id"].to_list()
    completar(conexao, estado, selecionadas)
    return Selecao(
        demandas,
        dict(_sql.niveis(conexao, unidades=ids)),
        memoria(estado, selecionadas),
        {unidade: anunciada for unidade in ids if (anunciada := estado.unidades[unidade].anunciada) is not None},
        Parametros(*_sql.parametros(conexao)),
    )

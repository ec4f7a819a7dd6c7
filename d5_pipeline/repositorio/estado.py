"""Loading what a batch of events has to know (Estado)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from d5_pipeline.conexao import Conexao
from d5_pipeline.consultas import consultas
from d5_pipeline.dominio.estado import Estado, UnidadeCivica
from d5_pipeline.dominio.eventos import (
    DEMANDA_RANQUEADA,
    Descarte,
    Evento,
    Georreferenciada,
    demandas_citadas,
    unidades_citadas,
)
from d5_pipeline.dominio.linhas import Item, ScoreAtual, Situacao, primeiro

_sql = consultas("estado")

_SCORE = slice(1, 6)
_ITEM = slice(6, 18)
_SITUACAO = slice(18, 23)


def ja_aplicados(conexao: Conexao, descartes: Iterable[Descarte]) -> set[str]:
    """event_ids of demanda.ranqueada that a score already carries (3.10, step 1)."""
    ids = [descarte.event_id for descarte in descartes if descarte.tipo == DEMANDA_RANQUEADA]
    return {event_id for (event_id,) in _sql.scores_ja_aplicados(conexao, event_ids=ids)} if ids else set()


def cruzadas(conexao: Conexao) -> list[tuple[str, str]]:
    """Pairs of units (row's, score's) of rows that lie in another unit than their score (D16)."""
    return list(_sql.cruzadas(conexao))


def carregar(conexao: Conexao, eventos: Sequence[Evento]) -> Estado:
    """The state of every demand and unit that the events read or write.

    Coordinates are written without a look at it: what ties them to a unit matters only among other events.
    """
    estado = Estado()
    if len(eventos) == 1 and isinstance(eventos[0].dados, Georreferenciada):
        return estado
    demandas = {demanda for evento in eventos for demanda in demandas_citadas(evento.dados)}
    unidades = {unidade for evento in eventos for unidade in unidades_citadas(evento.dados)}
    _conhecer(conexao, estado, demandas, unidades)
    return estado


def completar(conexao: Conexao, estado: Estado, demandas: Iterable[str]) -> None:
    """Adds the state of those of the demands that no event of the batch touches: a rebuild selected them."""
    _conhecer(conexao, estado, set(demandas) - estado.conhecidas, set())


def _conhecer(conexao: Conexao, estado: Estado, demandas: set[str], citadas: set[str]) -> None:
    linhas = [_linha(linha) for linha in _sql.demandas(conexao, demandas=sorted(demandas))] if demandas else []
    itens = {linha.demanda_id: linha.item for linha in linhas if linha.item is not None}
    unidades = citadas.union(item.unidade_civica_id for item in itens.values())
    unidades.update(linha.score.unidade_civica_id for linha in linhas if linha.score is not None)
    estado.unidades |= _unidades(conexao, sorted(unidades - estado.unidades.keys()), itens)
    for linha in linhas:
        estado.conhecer(*linha)


class _Linha(NamedTuple):
    """What is stored of a demand."""

    demanda_id: str
    score: ScoreAtual | None
    item: Item | None
    situacao: Situacao | None
    agregada: bool


def _linha(colunas: Sequence[Any]) -> _Linha:
    demanda_id = colunas[0]
    return _Linha(
        demanda_id,
        None if colunas[_SCORE.start] is None else ScoreAtual(*colunas[_SCORE]),
        None if colunas[_ITEM.start] is None else Item(demanda_id, *colunas[_ITEM]),
        None if colunas[_SITUACAO.start] is None else Situacao(*colunas[_SITUACAO]),
        colunas[-1],
    )


def _unidades(conexao: Conexao, ids: list[str], conhecidos: Mapping[str, Item]) -> dict[str, UnidadeCivica]:
    """The units as they are stored; their first available item is the first outside the known ones."""
    if not ids:
        return {}
    disponiveis = Counter(item.unidade_civica_id for item in conhecidos.values() if item.status == "disponivel")
    quantos = [disponiveis[unidade] + 1 for unidade in ids]
    unidades: dict[str, UnidadeCivica] = {}
    outros: dict[str, list[Item]] = {unidade: [] for unidade in ids}
    for unidade, capacidade, ativos, anunciada, *item in _sql.unidades(conexao, unidades=ids, quantos=quantos):
        unidades[unidade] = UnidadeCivica(capacidade, ativos, None, anunciada)
        if item[0] is not None and item[0] not in conhecidos:
            outros[unidade].append(Item(*item))
    for unidade, itens in outros.items():
        unidades[unidade].primeiro_dos_outros = primeiro(itens)
    return unidades

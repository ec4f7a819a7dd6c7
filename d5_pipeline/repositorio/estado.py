"""Loading what a wave of events has to know (Estado)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from d5_pipeline.conexao import Conexao
from d5_pipeline.consultas import consultas
from d5_pipeline.dominio.estado import Estado, Item, ScoreAtual, Situacao, UnidadeCivica, primeiro
from d5_pipeline.dominio.estados import ATIVOS
from d5_pipeline.dominio.eventos import (
    DEMANDA_RANQUEADA,
    Descarte,
    Evento,
    Georreferenciada,
    RankingAtualizado,
    ReconstrucaoManual,
    demandas_citadas,
    unidades_citadas,
)

_sql = consultas("estado")

_SCORE = slice(1, 6)
_ITEM = slice(6, 18)
_SITUACAO = slice(18, 23)


def ja_aplicados(conexao: Conexao, descartes: Iterable[Descarte]) -> set[str]:
    """event_ids of demanda.ranqueada that a score already carries (3.10, step 1)."""
    ids = [descarte.event_id for descarte in descartes if descarte.tipo == DEMANDA_RANQUEADA]
    return {event_id for (event_id,) in _sql.scores_ja_aplicados(conexao, event_ids=ids)} if ids else set()


def vinculos(conexao: Conexao, eventos: Iterable[Evento]) -> dict[str, list[str]]:
    """Units of the row and the score of every demand the events name."""
    demandas = sorted({demanda for evento in eventos for demanda in demandas_citadas(evento.dados)})
    linhas = _sql.vinculos(conexao, demandas=demandas)
    return {demanda: [u for u in unidades if u is not None] for demanda, *unidades in linhas}


def cruzadas(conexao: Conexao) -> list[tuple[str, str]]:
    """Pairs of units (row's, score's) of rows that lie in another unit than their score (D16)."""
    return list(_sql.cruzadas(conexao))


def carregar(conexao: Conexao, eventos: Sequence[Evento]) -> Estado:
    """The state of every demand and unit that the wave's events read or write."""
    demandas: set[str] = set()
    unidades: set[str] = set()
    for evento in eventos:
        if isinstance(evento.dados, Georreferenciada | RankingAtualizado | ReconstrucaoManual):
            continue  # written or rebuilt without a look at the state
        demandas.update(demandas_citadas(evento.dados))
        unidades.update(unidades_citadas(evento.dados))
    estado = Estado({}, {}, {}, set(), {})
    for linha in _sql.demandas(conexao, demandas=sorted(demandas)) if demandas else ():
        _acolher(estado, linha)
    unidades.update(score.unidade_civica_id for score in estado.scores.values())
    unidades.update(item.unidade_civica_id for item in estado.itens.values())
    estado.unidades = _unidades(conexao, sorted(unidades), estado.itens)
    return Estado(estado.scores, estado.itens, estado.situacoes, estado.agregadas, estado.unidades)


def _acolher(estado: Estado, linha: Sequence[Any]) -> None:
    demanda_id = linha[0]
    if linha[_SCORE.start] is not None:
        estado.scores[demanda_id] = ScoreAtual(*linha[_SCORE])
    if linha[_ITEM.start] is not None:
        estado.itens[demanda_id] = Item(demanda_id, *linha[_ITEM])
    if linha[_SITUACAO.start] is not None:
        estado.situacoes[demanda_id] = Situacao(*linha[_SITUACAO])
    if linha[-1]:
        estado.agregadas.add(demanda_id)


def _unidades(conexao: Conexao, ids: list[str], tocados: dict[str, Item]) -> dict[str, UnidadeCivica]:
    """The units, with the items outside the touched ones summed up: how many are active, and the first available."""
    if not ids:
        return {}
    ativos = Counter(item.unidade_civica_id for item in tocados.values() if item.status in ATIVOS)
    disponiveis = Counter(item.unidade_civica_id for item in tocados.values() if item.status == "disponivel")
    quantos = [disponiveis[unidade] + 1 for unidade in ids]
    unidades: dict[str, UnidadeCivica] = {}
    outros: dict[str, list[Item]] = {unidade: [] for unidade in ids}
    for unidade, capacidade, contagem, anunciada, *item in _sql.unidades(conexao, unidades=ids, quantos=quantos):
        unidades[unidade] = UnidadeCivica(capacidade, contagem - ativos[unidade], None, anunciada)
        if item[0] is not None and item[0] not in tocados:
            outros[unidade].append(Item(*item))
    for unidade, itens in outros.items():
        unidades[unidade].primeiro_dos_outros = primeiro(itens)
    return unidades

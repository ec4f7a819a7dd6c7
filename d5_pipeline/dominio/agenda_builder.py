"""AgendaBuilder: selection, groups and earlier statuses put together into each unit's agenda (4.1)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import polars as pl

from d5_pipeline.dominio.estado import Estado
from d5_pipeline.dominio.eventos import AGENDA_GERADA, ITEM_DISPONIVEL, Evento
from d5_pipeline.dominio.linhas import Item, Publicacao
from d5_pipeline.dominio.publicacoes import agenda_gerada, item_disponivel

Esquema = Mapping[str, pl.DataType | type[pl.DataType]]
_INSTANTE: Final = pl.Datetime("us", "UTC")

ESQUEMA_SELECAO: Final[Esquema] = {
    "unidade_civica_id": pl.String,
    "demanda_id": pl.String,
    "posicao": pl.Int64,
    "score": pl.Decimal(12, 2),
    "categoria_id": pl.String,
    "nivel_precedencia": pl.Int64,
    "prioritaria": pl.Boolean,
    "lat": pl.Float64,
    "lng": pl.Float64,
}
"""Rows of the model backlog_ordenado: the selected demands of the rebuilt units, in order."""

ESQUEMA_MEMORIA: Final[Esquema] = {
    "status": pl.String,
    "entrou_em": _INSTANTE,
    "atualizado_em": _INSTANTE,
    "data_conclusao": _INSTANTE,
    "dias_ate_conclusao": pl.Int64,
}
"""What is known of selected demands, one row each: their row, else their last recorded transition (D10)."""


class Agenda(NamedTuple):
    """The agenda of one rebuilt unit, ready to be written and published."""

    gatilho: Evento
    unidade_civica_id: str
    itens: list[Item]
    publicacoes: list[Publicacao]
    anunciada: str | None
    """The demand announced by this rebuild, if any (D9)."""


class Parametros(NamedTuple):
    """The current parameters that a rebuild needs outside the models (4.3)."""

    versao: str
    raio_metros: float
    min_pontos: int


def memoria(estado: Estado, demandas: Sequence[str]) -> pl.DataFrame:
    """What the state knows of each of the demands, in their order and in the form of ESQUEMA_MEMORIA."""
    itens = [estado.itens.get(demanda) for demanda in demandas]
    origens = [item or estado.situacoes.get(demanda) for item, demanda in zip(itens, demandas, strict=True)]
    return pl.DataFrame(
        {
            "status": [origem and origem.status for origem in origens],
            "entrou_em": [origem and origem.entrou_em for origem in origens],
            "atualizado_em": [item and item.atualizado_em for item in itens],
            "data_conclusao": [origem and origem.data_conclusao for origem in origens],
            "dias_ate_conclusao": [origem and origem.dias_ate_conclusao for origem in origens],
        },
        schema=ESQUEMA_MEMORIA,
    )


def ordenar(
    selecao: pl.DataFrame, grupos: pl.DataFrame, memoria: pl.DataFrame, gatilhos: Mapping[str, Evento]
) -> pl.DataFrame:
    """The rows of backlog_items after the rebuild, plus prioritaria and entrada_nova, by unit and posicao.

    `memoria` has a row per row of `selecao`. A row that exists keeps status and times; a demand that comes back takes
    them from its last recorded transition; any other enters as disponivel at the trigger's time (D10, D27).
    `entrada_nova` marks a recorded demand that enters now for the first time: its entry time has to be remembered.
    """
    quando = pl.DataFrame(
        [(unidade, evento.event_id, evento.criado_em) for unidade, evento in gatilhos.items()],
        schema={"unidade_civica_id": pl.String, "event_id": pl.String, "criado_em": _INSTANTE},
        orient="row",
    )
    return (
        selecao.hstack(memoria)
        .join(grupos, on="demanda_id", how="left")
        .join(quando, on="unidade_civica_id", how="left")
        .with_columns(
            entrada_nova=pl.col("status").is_not_null() & pl.col("entrou_em").is_null(),
            status=pl.col("status").fill_null("disponivel"),
            entrou_em=pl.coalesce("entrou_em", "criado_em"),
            atualizado_em=pl.coalesce("atualizado_em", "criado_em"),
        )
        .sort("unidade_civica_id", "posicao")
    )


def montar(
    ordenadas: pl.DataFrame,
    gatilhos: Mapping[str, Evento],
    niveis: Mapping[str, int | None],
    anunciadas: Mapping[str, str],
    versao_parametros: str,
) -> list[Agenda]:
    """One Agenda per rebuilt unit, in order of unidade_civica_id (D19), also for units whose agenda is empty (T18)."""
    itens: dict[str, list[Item]] = {unidade: [] for unidade in gatilhos}
    prioritarias: Counter[str] = Counter()
    for prioritaria, *linha in ordenadas.select("prioritaria", *Item.__struct_fields__).iter_rows():
        item = Item(*linha)
        itens[item.unidade_civica_id].append(item)
        prioritarias[item.unidade_civica_id] += prioritaria
    return [
        _montar_uma(
            gatilhos[unidade],
            unidade,
            itens[unidade],
            niveis.get(unidade),
            prioritarias[unidade],
            anunciadas.get(unidade),
            versao_parametros,
        )
        for unidade in sorted(gatilhos)
    ]


def _montar_uma(
    gatilho: Evento,
    unidade: str,
    itens: list[Item],
    nivel_nao_vencido: int | None,
    prioritarias: int,
    anunciada: str | None,
    versao_parametros: str,
) -> Agenda:
    grupos = len({item.grupo_id for item in itens if item.grupo_id is not None})
    gerada = agenda_gerada(unidade, itens, nivel_nao_vencido, prioritarias, grupos, versao_parametros)
    publicacoes = [Publicacao(gatilho, AGENDA_GERADA, gerada)]
    topo = next((item for item in itens if item.status == "disponivel"), None)
    if topo is None or topo.demanda_id == anunciada:
        return Agenda(gatilho, unidade, itens, publicacoes, None)
    publicacoes.append(Publicacao(gatilho, ITEM_DISPONIVEL, item_disponivel(topo)))
    return Agenda(gatilho, unidade, itens, publicacoes, topo.demanda_id)


def incorporar(estado: Estado, ordenadas: pl.DataFrame, agendas: Sequence[Agenda]) -> None:
    """The rebuilt units as the state of what follows, with what they publish."""
    if ordenadas["entrada_nova"].any():
        for demanda, entrou_em in ordenadas.filter("entrada_nova").select("demanda_id", "entrou_em").iter_rows():
            estado.entrada(demanda, entrou_em)
    for agenda in agendas:
        unidade, gatilho = agenda.unidade_civica_id, agenda.gatilho
        estado.trocar_linhas(unidade, agenda.itens)
        if agenda.anunciada is not None:
            estado.anunciar(unidade, agenda.anunciada, gatilho)
        estado.mudancas.publicacoes += agenda.publicacoes
        estado.registrar("info", "backlog reconstruído", gatilho, unidade_civica_id=unidade)

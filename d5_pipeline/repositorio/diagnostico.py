"""The state of the colony as an operator reads it. Nothing here writes."""

from collections.abc import Sequence
from typing import Any

from d5_pipeline.conexao import Conexao
from d5_pipeline.consultas import consultas
from d5_pipeline.dominio.eventos import GRAFIAS
from d5_pipeline.repositorio import cursores
from d5_pipeline.repositorio.sinais import lacunas_presas

_sql = consultas("diagnostico")


def situacao(conexao: Conexao) -> dict[str, Any]:
    """Cursors, lag, holes, backlog, queues and silent units, as plain values ready for JSON."""
    pendentes, dlq, descartados = _sql.filas(conexao)
    return {
        "cursores": _cursores_com_atraso(conexao),
        "lacunas": [{**presa.lacuna._asdict(), "vista_em": presa.vista_em} for presa in lacunas_presas(conexao)],
        "lacunas_passadas": _sql.lacunas_passadas(conexao),
        "backlog": _backlog(conexao),
        "publicacoes_pendentes": pendentes,
        "dlq": dlq,
        "descartados": descartados,
        "unidades_silenciosas": [unidade for (unidade,) in _sql.unidades_silenciosas(conexao)],
    }


def _cursores_com_atraso(conexao: Conexao) -> list[dict[str, Any]]:
    if not cursores.semeados(conexao):
        return []
    posicoes = cursores.posicoes(conexao)
    grafias, valores = posicoes.por_grafia()
    atrasos: dict[str, int] = {}
    mais_antigos: dict[str, Any] = {}
    for grafia, eventos, mais_antigo in _sql.atraso(conexao, desde=posicoes.desde, grafias=grafias, posicoes=valores):
        tipo = GRAFIAS[grafia]
        atrasos[tipo] = atrasos.get(tipo, 0) + eventos
        mais_antigos[tipo] = min(mais_antigo, mais_antigos.get(tipo, mais_antigo))
    return [
        {
            **cursor,
            "atraso": atrasos.get(str(cursor["tipo_evento"]), 0),
            "mais_antigo": mais_antigos.get(str(cursor["tipo_evento"])),
        }
        for cursor in cursores.listar(conexao)
    ]


def eventos_por_aplicar(conexao: Conexao) -> int:
    """Consumed events above the applied position of their type. Raises ErroDeConfiguracao where a cursor is missing."""
    return sum(int(cursor["atraso"]) for cursor in _cursores_com_atraso(conexao))


def _backlog(conexao: Conexao) -> list[dict[str, Any]]:
    por_unidade: dict[str, dict[str, int]] = {}
    for unidade, status, itens in _sql.backlog(conexao):
        por_unidade.setdefault(unidade, {})[status] = itens
    return [{"unidade_civica_id": unidade, "itens": itens} for unidade, itens in por_unidade.items()]


def descartados(conexao: Conexao, todos: bool) -> list[dict[str, Any]]:
    """Discards that nobody has settled, or all of them."""
    nomes = ("sequence_number", "event_id", "tipo", "versao_schema", "situacao", "descartado_em", "motivo")
    return [dict(zip(nomes, linha, strict=True)) for linha in consultas("descartes").listar(conexao, todas=todos)]


def agenda(conexao: Conexao, unidades: Sequence[str]) -> list[dict[str, Any]]:
    """The backlog of the units in order, aggregated members aside."""
    nomes = (
        "unidade_civica_id",
        "posicao",
        "demanda_id",
        "score",
        "nivel_precedencia",
        "categoria_id",
        "status",
        "grupo_id",
    )
    return [dict(zip(nomes, linha, strict=True)) for linha in _sql.agenda(conexao, unidades=list(unidades))]

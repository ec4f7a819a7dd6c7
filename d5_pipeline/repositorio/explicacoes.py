"""The facts behind "why is this demand here?", from the reading views; the log only where this user may read it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import psycopg

from d5_pipeline.conexao import Conexao
from d5_pipeline.consultas import consultas
from d5_pipeline.dominio.explicacao import Contexto, EventoCitado, Fatos
from d5_pipeline.erros import ErroDeConfiguracao
from d5_pipeline.repositorio import cursores

_sql = consultas("explicacao")
_citacoes = consultas("citacoes")

_TRANSICAO = ("ordem", "de", "para", "tipo_evento", "event_id", "correlacao_id", "sequence_number", "ocorreu_em")
_UNIDADE = ("unidade_civica_id", "capacidade", "nivel_nao_vencido", "itens", "disponiveis")
_NIVEL = (
    "nivel",
    "vagas",
    "na_agenda",
    "candidatas",
    "usadas",
    "ultima_dentro",
    "score_da_ultima_dentro",
    "primeira_fora",
    "score_da_primeira_fora",
)
_ITEM = (
    "demanda_id",
    "posicao_atual",
    "posicao_no_rebuild",
    "nivel_precedencia",
    "score_final",
    "status",
    "efeito",
)


class Explicacao(NamedTuple):
    """A demand's facts (None if D-5 does not know it), what stands around it, its transitions, how far the log went."""

    demanda_id: str
    fatos: Fatos | None
    contexto: Contexto
    historico: list[dict[str, Any]]
    aplicado_ate: int | None


@contextmanager
def fotografia(conexao: Conexao) -> Iterator[None]:
    """One moment for every statement inside. Raises ErroDeConfiguracao without this version's reading views."""
    try:
        with conexao.transaction():
            _sql.fotografar(conexao)
            yield
    except (psycopg.errors.UndefinedTable, psycopg.errors.UndefinedColumn, psycopg.errors.InvalidSchemaName) as erro:
        raise ErroDeConfiguracao(
            "as visões de leitura (esquema d5_leitura) não existem ou não são desta versão; execute 'd5 preparar'"
        ) from erro


def explicar(conexao: Conexao, demanda_id: str) -> Explicacao:
    """Everything that is known of a demand, as of one moment."""
    with fotografia(conexao):
        fatos = _fatos(conexao, demanda_id)
        return Explicacao(
            demanda_id,
            fatos,
            _contexto(conexao, demanda_id, fatos),
            [dict(zip(_TRANSICAO, linha, strict=True)) for linha in _sql.historico(conexao, demanda=demanda_id)],
            _sql.aplicado_ate(conexao),
        )


def explicar_unidade(conexao: Conexao, unidade: str) -> dict[str, Any]:
    """A unit's slots, cuts, agenda, and a rebuild's effect. Raises ErroDeConfiguracao for an unknown one."""
    with fotografia(conexao):
        conhecida = _sql.unidade(conexao, unidade=unidade)
        if conhecida is None:
            raise ErroDeConfiguracao(f"unidade cívica desconhecida: {unidade}; veja as conhecidas em 'd5 status'")
        return {
            **dict(zip(_UNIDADE, conhecida, strict=True)),
            "aplicado_ate": _sql.aplicado_ate(conexao),
            "niveis": [dict(zip(_NIVEL, linha, strict=True)) for linha in _sql.niveis(conexao, unidade=unidade)],
            "demandas": _agenda(conexao, unidade),
        }


def _agenda(conexao: Conexao, unidade: str) -> list[dict[str, Any]]:
    return [dict(zip(_ITEM, linha, strict=True)) for linha in _sql.agenda_e_rebuild(conexao, unidade=unidade)]


def _fatos(conexao: Conexao, demanda_id: str) -> Fatos | None:
    linha = _sql.fatos(conexao, demanda=demanda_id)
    return None if linha is None else Fatos(**dict(zip(Fatos.__struct_fields__, linha, strict=True)))


def _contexto(conexao: Conexao, demanda_id: str, fatos: Fatos | None) -> Contexto:
    pendentes, recusados, semeado_em = _do_log(conexao, demanda_id)
    grupo = None if fatos is None or fatos.agregada else fatos.grupo_id
    return Contexto(
        a_frente=_a_frente(conexao, fatos),
        companheiras=list(_sql.companheiras(conexao, grupo=grupo, demanda=demanda_id)) if grupo else [],
        representa=_sql.representadas(conexao, demanda=demanda_id),
        representantes=_representantes(conexao, fatos),
        pendentes=pendentes,
        recusados=recusados,
        semeado_em=semeado_em,
    )


def _a_frente(conexao: Conexao, fatos: Fatos | None) -> int | None:
    if fatos is None or not fatos.na_fila or fatos.status != "disponivel" or fatos.unidade_da_linha is None:
        return None
    fila = [
        item["demanda_id"]
        for item in _agenda(conexao, fatos.unidade_da_linha)
        if item["status"] == "disponivel" and item["posicao_atual"] is not None
    ]
    return fila.index(fatos.demanda_id)


def _representantes(conexao: Conexao, fatos: Fatos | None) -> list[Fatos]:
    """Who answers for the demand, and so on; stops before a circle closes."""
    cadeia: list[Fatos] = []
    vistas = {fatos.demanda_id} if fatos else set()
    while fatos is not None and (seguinte := fatos.representante_demanda_id) is not None and seguinte not in vistas:
        vistas.add(seguinte)
        fatos = _fatos(conexao, seguinte) or Fatos(demanda_id=seguinte)
        cadeia.append(fatos)
    return cadeia


def _do_log(conexao: Conexao, demanda_id: str) -> tuple[list[EventoCitado] | None, list[EventoCitado], int]:
    """Events that wait, refused ones, where reading began; None, nothing and 0 without the right to look."""
    try:
        with conexao.transaction():
            if not cursores.semeados(conexao):
                return [], [], 0
            posicoes = cursores.posicoes(conexao)
            grafias, valores = posicoes.por_grafia()
            pendentes = _citacoes.pendentes(
                conexao, demanda=demanda_id, grafias=grafias, posicoes=valores, desde=posicoes.desde
            )
            return (
                [EventoCitado(*linha) for linha in pendentes],
                [EventoCitado(*linha) for linha in _citacoes.recusados(conexao, demanda=demanda_id)],
                int(_citacoes.semeado_em(conexao)),
            )
    except psycopg.errors.InsufficientPrivilege:
        return None, [], 0

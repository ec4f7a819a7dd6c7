"""What operators do beside the log, recorded so that a replay can repeat it in its place (D32)."""

import getpass
import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Literal, NamedTuple
from uuid import uuid4

from psycopg.rows import class_row

from d5_pipeline.conexao import Conexao
from d5_pipeline.consultas import consultas
from d5_pipeline.dominio.tempo import centesimos
from d5_pipeline.erros import ErroDeConfiguracao

_sql = consultas("intervencoes")

Tipo = Literal["semeadura", "parametros", "cursores", "reconstrucao", "reenvio", "encerramento", "reprocessamento"]

TAMANHO_QUEM = 255
TAMANHO_POR_QUE = 1_000
POR_VEZ = 100


class Autoria(NamedTuple):
    """Who intervenes, and why; without a name it is the system's user."""

    quem: str | None = None
    por_que: str | None = None


NINGUEM = Autoria()


def autoria(quem: str | None, por_que: str | None) -> Autoria:
    """What an operator gave as author and reason, in one line each.

    Raises ErroDeConfiguracao that names the part which is too long or not printable.
    """
    return Autoria(_uma_linha("quem", quem, TAMANHO_QUEM), _uma_linha("por que", por_que, TAMANHO_POR_QUE))


def _uma_linha(nome: str, texto: str | None, tamanho: int) -> str | None:
    linha = " ".join((texto or "").split())
    if len(linha) > tamanho:
        raise ErroDeConfiguracao(f"{nome}: deve ter no máximo {tamanho} caracteres, não {len(linha)}")
    if not linha.isprintable():
        raise ErroDeConfiguracao(f"{nome}: só pode ter caracteres visíveis")
    return linha or None


def registrar(
    conexao: Conexao, tipo: Tipo, quando: datetime, argumentos: dict[str, object], autoria: Autoria = NINGUEM
) -> str:
    """Records an intervention; returns its id."""
    id_ = str(uuid4())
    _sql.registrar_intervencao(
        conexao,
        id=id_,
        tipo=tipo,
        quem=autoria.quem or _usuario(),
        por_que=autoria.por_que,
        quando=centesimos(quando),
        argumentos=json.dumps(argumentos, ensure_ascii=False),
    )
    return id_


class Intervencao(NamedTuple):
    """What an operator did and why, and how far the log was applied at that moment."""

    id: str
    tipo: Tipo
    quando: datetime
    aplicado_ate: int
    argumentos: dict[str, Any]
    quem: str
    por_que: str | None


def listar(conexao: Conexao) -> list[Intervencao]:
    """Every intervention, in the order in which they took effect."""
    return [Intervencao(*linha) for linha in _sql.intervencoes(conexao)]


def percorrer(conexao: Conexao) -> Iterator[Intervencao]:
    """The same, a few at a time: a load of parameters may hold thousands of units."""
    em_partes = conexao.cursor("intervencoes", row_factory=class_row(Intervencao))
    with conexao.transaction(), em_partes as cursor:
        cursor.itersize = POR_VEZ
        yield from cursor.execute(_sql.intervencoes.sql)


def _usuario() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container's user may have no name
        return "desconhecido"

"""The public agenda as a stream: one cursor on the server, one moment, memory that does not grow with the agenda."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from psycopg import sql

from d5_pipeline.conexao import Conexao
from d5_pipeline.consultas import consultas
from d5_pipeline.dominio import formatos
from d5_pipeline.dominio.exportacao import Linha
from d5_pipeline.erros import ErroDeConfiguracao
from d5_pipeline.repositorio.conhecidos import identificador
from d5_pipeline.repositorio.explicacoes import fotografia

_sql = consultas("exportacao")

LINHAS_POR_VEZ = 2_000


class Caixa(NamedTuple):
    """A bounding box in degrees, both edges included."""

    oeste: float
    sul: float
    leste: float
    norte: float


class Filtro(NamedTuple):
    """What to export; None does not filter. `status` is the public one (2.3)."""

    uc: str | None = None
    nivel: int | None = None
    categoria: str | None = None
    status: str | None = None
    caixa: Caixa | None = None
    com_agregadas: bool = False


def filtro(
    uc: str | None, nivel: int | None, categoria: str | None, status: str | None, caixa: str | None, com_agregadas: bool
) -> Filtro:
    """The filter as an operator writes it. Raises ErroDeConfiguracao that names the option that does not fit."""
    if status == "agregado" and not com_agregadas:
        raise ErroDeConfiguracao("--status agregado só com --com-agregadas: a agenda pública não as mostra")
    return Filtro(
        None if uc is None else identificador(uc, "unidade cívica"),
        nivel,
        None if categoria is None else _categoria(categoria),
        status,
        None if caixa is None else _caixa(caixa),
        com_agregadas,
    )


def _categoria(texto: str) -> str:
    try:
        return formatos.categoria(texto)
    except formatos.NaoCabe as erro:
        raise ErroDeConfiguracao(f"--categoria deve ter a forma N.M, não '{texto}'") from erro


def _caixa(texto: str) -> Caixa:
    try:
        oeste, sul, leste, norte = map(float, texto.split(","))
    except ValueError as erro:
        raise ErroDeConfiguracao(f"--caixa são quatro números LNG,LAT,LNG,LAT, não '{texto}'") from erro
    if not (-180 <= oeste <= leste <= 180 and -90 <= sul <= norte <= 90):
        raise ErroDeConfiguracao(
            f"--caixa vai de oeste, sul a leste, norte, em graus (por exemplo -46.7,-23.6,-46.6,-23.5), não '{texto}'"
        )
    return Caixa(oeste, sul, leste, norte)


def agenda(conexao: Conexao, filtro: Filtro) -> Iterator[Linha]:
    """Rows in the order of exportacao.COLUNAS, in agenda order. Raises ErroDeConfiguracao without the views."""
    visao = sql.Identifier("d5_leitura", "agenda_com_agregadas" if filtro.com_agregadas else "agenda_publica")
    caixa = filtro.caixa or (None, None, None, None)
    valores: dict[str, Any] = {
        "uc": filtro.uc,
        "nivel": filtro.nivel,
        "categoria": filtro.categoria,
        "status": filtro.status,
        **dict(zip(Caixa._fields, caixa, strict=True)),
    }
    with fotografia(conexao), conexao.cursor(name="d5_exportacao") as cursor:
        cursor.itersize = LINHAS_POR_VEZ
        cursor.execute(sql.SQL(_sql.agenda.sql).format(visao=visao), valores)
        yield from cursor

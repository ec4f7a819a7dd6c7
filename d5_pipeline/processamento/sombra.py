"""The replay's own schemas: same migrations, same views, same statements, other names; the log is the live one."""

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import psycopg

from d5_pipeline.conexao import Conexao, conectar
from d5_pipeline.consultas import consultas
from d5_pipeline.erros import ErroDeConfiguracao
from d5_pipeline.repositorio import migracoes
from d5_pipeline.repositorio.modelos import implantar_modelos

ESQUEMA = "d5_reprocessamento"
ESQUEMA_DOS_MODELOS = "d5_reprocessamento_modelos"

_sql = consultas("reprocessamento")
_VISOES = re.compile(r"\bd5_modelos\b")
_TABELAS = re.compile(r"\bd5\b")


class _CursorDaSombra(psycopg.Cursor[tuple[object, ...]]):
    """Runs the program's statements on the replay's schemas."""

    def execute(self, query: Any, *args: Any, **kwargs: Any) -> Any:
        texto = query if isinstance(query, str) else query.as_string(self.connection)
        texto = _TABELAS.sub(ESQUEMA, _VISOES.sub(ESQUEMA_DOS_MODELOS, texto))
        return super().execute(texto, *args, **kwargs)


@contextmanager
def sombra(url: str, comandos_preparados: bool = True) -> Iterator[Conexao]:
    """A connection to fresh, empty schemas beside the live ones; they are gone afterwards. Needs the owner's rights.

    Raises ErroDeConfiguracao while another replay of this database is under way.
    """
    with closing(conectar(url, "d5-reprocessamento", comandos_preparados)) as conexao:
        if not _sql.reservar(conexao):
            raise ErroDeConfiguracao("outro 'd5 reprocessar' está em curso neste banco; espere que ele termine")
        _sql.apagar_esquemas(conexao)
        conexao.cursor_factory = _CursorDaSombra
        try:
            migracoes.migrar(conexao)
            consultas("log").criar_visao_do_log(conexao)
            consultas("visao_dos_eventos").criar_visao_dos_eventos(conexao)
            implantar_modelos(url, ESQUEMA, ESQUEMA_DOS_MODELOS, leitura=False)
            yield conexao
        finally:
            conexao.cursor_factory = psycopg.Cursor
            _sql.apagar_esquemas(conexao)

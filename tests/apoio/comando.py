"""The d5 command as operators run it: a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

D5 = Path(sys.executable).parent / "d5"


@dataclass(frozen=True)
class Saida:
    """What a command left behind."""

    codigo: int
    tela: str
    erros: str

    @property
    def json(self) -> Any:
        """Standard output as the one JSON document that it is."""
        return json.loads(self.tela)

    @property
    def recusa(self) -> str:
        """The message of a command that refused: exit status 2, one line on stderr, no traceback (contract)."""
        assert self.codigo == 2, self
        linhas = self.erros.splitlines()
        assert len(linhas) == 1, self
        assert linhas[0].startswith("d5: "), self
        return linhas[0].removeprefix("d5: ")


D5Comando = Callable[..., Saida]


def ambiente(url: str | None, **variaveis: str) -> dict[str, str]:
    """The environment with only the given settings."""
    outras = {nome: valor for nome, valor in os.environ.items() if not nome.startswith(("D5_", "PG", "DAGSTER"))}
    return outras | variaveis | ({} if url is None else {"D5_DATABASE_URL": url})


def comando(pasta: Path, url: str | None, **variaveis: str) -> D5Comando:
    """`d5` in an empty folder, with only the given settings."""
    proprio = ambiente(url, **variaveis)

    def executar(*argumentos: str) -> Saida:
        saida = subprocess.run(
            [D5, *argumentos], cwd=pasta, env=proprio, capture_output=True, text=True, timeout=60, check=False
        )
        return Saida(saida.returncode, saida.stdout, saida.stderr)

    return executar

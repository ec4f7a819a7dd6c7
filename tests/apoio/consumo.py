"""A drain in a process of its own that tells how much memory it needed: `python -m tests.apoio.consumo URL`."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from d5_pipeline import registro
from d5_pipeline.conexao import conectar
from d5_pipeline.processamento.dreno import Dreno

RAIZ = Path(__file__).parents[2]
MEMORIA = "memoria_kb"


def drenar_a_parte(url: str) -> dict[str, Any]:
    """The drain's summary, and under MEMORIA the most memory its process ever held."""
    comando = [sys.executable, "-m", "tests.apoio.consumo", url]
    saida = subprocess.run(comando, cwd=RAIZ, stdout=subprocess.PIPE, check=True).stdout
    resumo: dict[str, Any] = json.loads(saida)
    return resumo


def pico() -> int:
    """Peak resident size in kilobytes; getrusage would count the parent's before the fork as well."""
    linhas = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    (pico,) = (linha for linha in linhas if linha.startswith("VmHWM:"))
    return int(pico.split()[1])


if __name__ == "__main__":
    registro.configurar("error", em_json=False)
    dreno = Dreno(lambda: conectar(sys.argv[1]))
    sys.stdout.write(json.dumps(dreno.drenar().como_dict() | {MEMORIA: pico()}))

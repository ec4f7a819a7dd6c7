"""A drain in a process of its own that stands still at a named point of its work, to be killed there.

The application knows nothing of it: the function at the point is replaced from outside. Run as
`python -m tests.apoio.parada URL PONTO VEZ LOTE`, it prints one line when it arrives there for the VEZ-th time.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from d5_pipeline import registro
from d5_pipeline.barramento import publicador
from d5_pipeline.conexao import conectar
from d5_pipeline.processamento import dreno, lote
from d5_pipeline.repositorio import cursores, gravacao

RAIZ = Path(__file__).parents[2]
PARADO = "parado\n"

Lugar = tuple[Any, str, bool]  # module, function, whether the function is done when the process stops
PONTOS: dict[str, Lugar] = {
    "depois de ler": (lote, "ler_lote", True),
    "depois dos incrementos": (lote, "aplicar_onda", True),
    "depois do rebuild": (lote, "reconstruir", True),
    "depois da outbox": (gravacao, "gravar_pendentes", True),
    "antes do commit": (lote, "concluir", True),
    "antes de publicar": (publicador, "publicar_pendentes", False),
    "publicado, antes do cursor": (cursores, "avancar_publicado", False),
    "depois do cursor, antes do commit": (cursores, "avancar_publicado", True),
    "antes da DLQ": (dreno, "enterrar", False),
    "depois da DLQ": (dreno, "enterrar", True),
}


def matar_em(url: str, ponto: str, vez: int, tamanho: int) -> bool:
    """Starts a drain and kills it -9 at the point; False where it ended before it came there so often."""
    comando = [sys.executable, "-m", "tests.apoio.parada", url, ponto, str(vez), str(tamanho)]
    with subprocess.Popen(
        comando, cwd=RAIZ, env=os.environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as processo:
        assert processo.stdout is not None
        parou = processo.stdout.readline() == PARADO
        if parou:
            processo.kill()
    assert parou or processo.returncode == 0, processo.returncode
    return parou


def _parar_em(ponto: str, vez: int) -> None:
    modulo, nome, feito = PONTOS[ponto]
    original: Callable[..., Any] = getattr(modulo, nome)
    passagens = count(1)

    def ate_aqui(*argumentos: Any, **nomeados: Any) -> Any:
        parar = next(passagens) == vez
        if parar and not feito:
            _ficar()
        resultado = original(*argumentos, **nomeados)
        if parar:
            _ficar()
        return resultado

    setattr(modulo, nome, ate_aqui)


def _ficar() -> None:
    sys.stdout.write(PARADO)
    sys.stdout.flush()
    sys.stdin.read()


def _principal(url: str, ponto: str, vez: int, tamanho: int) -> None:
    registro.configurar("error", em_json=False)  # standard output is for the one line
    _parar_em(ponto, vez)
    dreno.Dreno(lambda: conectar(url, "parada"), tamanho).drenar()


if __name__ == "__main__":
    _principal(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))

"""`d5 servir`: web UI and daemon as children of one process; they stop together."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from d5_pipeline.cli.contexto import Banco, interromper, tela
from d5_pipeline.erros import ErroD5
from d5_pipeline.preparacao import verificar
from d5_pipeline.recursos import ARQUIVO_DAGSTER, ARQUIVO_WORKSPACE

PRAZO_DE_PARADA = 20.0  # seconds


def servir(alvo: Banco, porta: int, endereco: str) -> int:
    """Runs until interrupted (exit 0) or until one of the two ends by itself (ErroD5)."""
    with alvo.conectado() as conexao:
        verificar(conexao)
    ambiente = {
        **os.environ,
        "DAGSTER_HOME": str(_casa_do_dagster(alvo.configuracao.pasta)),
        "D5_DATABASE_URL": alvo.url,
    }
    workspace = ["-w", str(ARQUIVO_WORKSPACE)]
    comandos = {
        "dagster-webserver": [*workspace, "--host", endereco, "--port", str(porta)],
        "dagster-daemon": ["run", *workspace],
    }
    signal.signal(signal.SIGTERM, interromper)
    processos: dict[str, subprocess.Popen[bytes]] = {}
    try:
        for nome, argumentos in comandos.items():
            processos[nome] = _iniciar(nome, argumentos, ambiente)
        tela.print(f"Interface web em http://{endereco}:{porta}; o sensor processa o log sozinho. Ctrl-C para parar.")
        while True:
            for nome, processo in processos.items():
                if processo.poll() is not None:
                    raise ErroD5(f"{nome} terminou com código {processo.returncode}; veja a saída acima")
            time.sleep(0.5)
    except KeyboardInterrupt:
        return 0
    finally:
        _parar(list(processos.values()))


def _casa_do_dagster(pasta: Path) -> Path:
    """DAGSTER_HOME under the working folder, with the project's instance settings."""
    casa = pasta.resolve() / "dagster"
    casa.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(ARQUIVO_DAGSTER, casa / "dagster.yaml")
    return casa


def _iniciar(nome: str, argumentos: Sequence[str], ambiente: dict[str, str]) -> subprocess.Popen[bytes]:
    programa = Path(sys.executable).with_name(nome)
    return subprocess.Popen([programa, *argumentos], env=ambiente, start_new_session=True)


def _parar(processos: Sequence[subprocess.Popen[bytes]]) -> None:
    """Asks nicely, then insists: at once where somebody interrupts again."""
    for processo in processos:
        if processo.poll() is None:
            processo.terminate()
    prazo = time.monotonic() + PRAZO_DE_PARADA
    try:
        for processo in processos:
            processo.wait(max(0.1, prazo - time.monotonic()))
    except (subprocess.TimeoutExpired, KeyboardInterrupt):
        for processo in processos:
            if processo.poll() is None:
                os.killpg(processo.pid, signal.SIGKILL)
                processo.wait()

"""`d5 servir`: web UI and daemon as children of one process; they stop together."""

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from d5_pipeline.cli.contexto import Banco, interromper, nao_escuta, tela
from d5_pipeline.erros import ErroD5
from d5_pipeline.preparacao import verificar
from d5_pipeline.recursos import ARQUIVO_DAGSTER, ARQUIVO_WORKSPACE

PRAZO_DE_PARADA = 20.0  # seconds
_PR_SET_PDEATHSIG = 1  # prctl(2)


def servir(alvo: Banco, porta: int, endereco: str) -> int:
    """Runs until interrupted (exit 0) or until one of the two ends by itself (ErroD5).

    Raises ErroDeConfiguracao where the web UI cannot listen; nothing is started then.
    """
    with alvo.conectado() as conexao:
        verificar(conexao)
    _exigir_porta_livre(endereco, porta)
    ambiente = {
        **os.environ,
        "DAGSTER_HOME": str(_casa_do_dagster(alvo.configuracao.pasta)),
        "D5_DATABASE_URL": alvo.url,
    }
    workspace = ["-w", str(ARQUIVO_WORKSPACE)]
    nivel, forma = alvo.configuracao.log, "json" if alvo.configuracao.log_json else "colored"
    registro = ["--code-server-log-level", nivel, "--log-format", forma]
    comandos = {
        "dagster-webserver": [*workspace, "--host", endereco, "--port", str(porta), "--dagster-log-level", nivel],
        "dagster-daemon": ["run", *workspace, "--log-level", nivel],
    }
    signal.signal(signal.SIGTERM, interromper)
    signal.signal(signal.SIGHUP, interromper)
    processos: dict[str, subprocess.Popen[bytes]] = {}
    try:
        for nome, argumentos in comandos.items():
            processos[nome] = _iniciar(nome, [*argumentos, *registro], ambiente)
        tela.print(f"Em instantes, a interface web em http://{endereco}:{porta}; o sensor processa o log sozinho.")
        tela.print("Ctrl-C para parar.")
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


def _exigir_porta_livre(endereco: str, porta: int) -> None:
    familia = socket.AF_INET6 if ":" in endereco else socket.AF_INET
    try:
        socket.create_server((endereco, porta), family=familia).close()
    except OSError as erro:
        raise nao_escuta(endereco, porta, erro) from erro


def _iniciar(nome: str, argumentos: Sequence[str], ambiente: dict[str, str]) -> subprocess.Popen[bytes]:
    programa = Path(sys.executable).with_name(nome)
    ao_nascer = _seguir_o_pai if sys.platform == "linux" else None
    return subprocess.Popen([programa, *argumentos], env=ambiente, start_new_session=True, preexec_fn=ao_nascer)


def _seguir_o_pai() -> None:
    """In the child: who kills the parent without a word ends the child too."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


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

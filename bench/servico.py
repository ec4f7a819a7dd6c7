"""The whole machinery in processes of its own: `d5 servir`, or a daemon as Dagster comes for comparison."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.banco import PASTA

PRAZO = 120.0  # seconds until a wait is a failure
OLHAR = 0.01  # seconds between two looks
PROGRAMAS = Path(sys.executable).parent


class NaoAconteceu(Exception):
    """What was waited for did not happen, or a process ended before."""


@contextmanager
def d5_servir(url: str) -> Iterator["Servico"]:
    """Web UI and daemon on the database, as operators start them."""
    with _pasta() as pasta:
        comando = [str(PROGRAMAS / "d5"), "servir", "--porta", str(_porta_livre())]
        yield from _executar(comando, pasta, {"D5_DATABASE_URL": url})


@contextmanager
def daemon_comum(url: str) -> Iterator["Servico"]:
    """A daemon with Dagster's defaults and a sensor that looks once per tick (bench/sensor_comum.py)."""
    with _pasta() as pasta:
        shutil.copyfile(PASTA / "dagster_comum.yaml", pasta / "dagster.yaml")
        comando = [str(PROGRAMAS / "dagster-daemon"), "run", "--module-name", "bench.sensor_comum"]
        yield from _executar(comando, pasta, {"D5_DATABASE_URL": url, "DAGSTER_HOME": str(pasta)})


@contextmanager
def _pasta() -> Iterator[Path]:
    with TemporaryDirectory(prefix="d5-bench-", ignore_cleanup_errors=True) as pasta:
        yield Path(pasta)


def _porta_livre() -> int:
    with socket.socket() as tomada:
        tomada.bind(("127.0.0.1", 0))
        return int(tomada.getsockname()[1])


def _executar(comando: Sequence[str], pasta: Path, variaveis: dict[str, str]) -> Iterator["Servico"]:
    ambiente = {nome: valor for nome, valor in os.environ.items() if not nome.startswith(("D5_", "DAGSTER_"))}
    ambiente |= variaveis | {"PYTHONPATH": os.pathsep.join([str(PASTA.parent), ambiente.get("PYTHONPATH", "")])}
    with (pasta / "saida.log").open("wb") as saida:
        processo = subprocess.Popen(
            comando, cwd=pasta, env=ambiente, stdout=saida, stderr=saida, start_new_session=True
        )
        try:
            yield Servico(processo, pasta / "saida.log")
        finally:
            processo.terminate()
            with suppress(subprocess.TimeoutExpired):
                processo.wait(40)
            with suppress(ProcessLookupError):
                os.killpg(processo.pid, signal.SIGKILL)  # and the code server that waits for a sign of life


class Servico:
    """A running service, and waiting for what it does."""

    def __init__(self, processo: subprocess.Popen[bytes], registro: Path) -> None:
        self._processo = processo
        self._registro = registro

    def esperar_ate(self, condicao: Callable[[], bool], o_que: str) -> None:
        """Looks until the condition holds. Raises NaoAconteceu after PRAZO, or where the service ends."""
        fim = time.monotonic() + PRAZO
        while not condicao():
            if time.monotonic() > fim or self._processo.poll() is not None:
                raise NaoAconteceu(f"{o_que}\n{self._registro.read_text(encoding='utf-8')[-2_000:]}")
            time.sleep(OLHAR)

"""`d5 servir` watches two processes: when one is gone, the other goes too, and the right one is blamed."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from d5_pipeline.cli import servico
from d5_pipeline.cli.contexto import Banco as Alvo
from d5_pipeline.config import Configuracao
from d5_pipeline.erros import ErroD5, ErroDeConfiguracao
from tests.apoio.banco import Banco
from tests.apoio.observacao import esperar_ate

FICA = "import time; time.sleep(60)"
TERMINA = "raise SystemExit(7)"
Iniciados = list[subprocess.Popen[bytes]]


NO_LUGAR_DELES = """
import os, sys
from d5_pipeline.cli import servico
from d5_pipeline.cli.contexto import Banco
from d5_pipeline.config import Configuracao

def iniciar(nome, argumentos, ambiente, original=servico._iniciar):
    processo = original("python", ["-c", "import time; time.sleep(60)"], ambiente)
    print(processo.pid, flush=True)
    return processo

servico._iniciar = iniciar
alvo = Banco(os.environ["D5_DATABASE_URL"], Configuracao())
sys.exit(servico.servir(alvo, int(sys.argv[1]), "127.0.0.1"))
"""
"""`d5 servir` with two small programs that write their numbers."""


def porta_livre() -> int:
    """A port at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as servidor:
        return int(servidor.getsockname()[1])


def vive(pid: int) -> bool:
    """Whether there is such a process that is not only waiting to be collected."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.fixture
def alvo(banco: Banco, tmp_path: Path) -> Alvo:
    """The test's database with a working folder of its own."""
    return Alvo(banco.url, Configuracao(database_url=banco.url, pasta=tmp_path))


@pytest.fixture
def iniciados(monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, str]], Iniciados]:
    """Small programs in the place of web server and daemon; one without a program cannot be started."""

    def substituir(programas: dict[str, str]) -> Iniciados:
        processos: Iniciados = []

        def iniciar(nome: str, _argumentos: Sequence[str], _ambiente: dict[str, str]) -> subprocess.Popen[bytes]:
            if nome not in programas:
                raise FileNotFoundError(2, "não existe", nome)
            processos.append(subprocess.Popen([sys.executable, "-c", programas[nome]], start_new_session=True))
            return processos[-1]

        monkeypatch.setattr(servico, "_iniciar", iniciar)
        monkeypatch.setattr("signal.signal", lambda *_: None)
        return processos

    return substituir


@pytest.mark.parametrize("quem", ["dagster-webserver", "dagster-daemon"])
def test_process_that_ended_is_named_with_its_code_and_the_other_is_stopped(
    alvo: Alvo, iniciados: Callable[[dict[str, str]], Iniciados], quem: str
) -> None:
    processos = iniciados({"dagster-webserver": FICA, "dagster-daemon": FICA, quem: TERMINA})
    with pytest.raises(ErroD5, match=f"{quem} terminou com código 7"):
        servico.servir(alvo, porta_livre(), "127.0.0.1")
    assert [processo.poll() is None for processo in processos] == [False, False]


def test_web_server_does_not_outlive_a_daemon_that_cannot_start(
    alvo: Alvo, iniciados: Callable[[dict[str, str]], Iniciados]
) -> None:
    processos = iniciados({"dagster-webserver": FICA})
    with pytest.raises(FileNotFoundError):
        servico.servir(alvo, porta_livre(), "127.0.0.1")
    assert [processo.poll() is None for processo in processos] == [False]


@pytest.mark.parametrize("sinal", [signal.SIGHUP, signal.SIGTERM, signal.SIGINT, signal.SIGKILL], ids=lambda s: s.name)
def test_nothing_outlives_it_however_it_is_ended(banco: Banco, tmp_path: Path, sinal: signal.Signals) -> None:
    """A closed terminal, a stop, Ctrl-C, a kill that leaves no time for anything."""
    ambiente = os.environ | {"D5_DATABASE_URL": banco.url, "D5_PASTA": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", NO_LUGAR_DELES, str(porta_livre())], env=ambiente, stdout=subprocess.PIPE, text=True
    ) as processo:
        assert processo.stdout is not None
        filhos = [int(processo.stdout.readline()) for _ in range(2)]
        assert all(map(vive, filhos))
        assert "Em instantes" in processo.stdout.readline()
        processo.send_signal(sinal)
        codigo = processo.wait(30)
    assert codigo == (0 if sinal != signal.SIGKILL else -signal.SIGKILL)
    esperar_ate(lambda: not any(map(vive, filhos)), "os filhos terminaram")


def test_port_that_is_taken_is_refused_before_anything_starts(
    alvo: Alvo, iniciados: Callable[[dict[str, str]], Iniciados]
) -> None:
    processos = iniciados({"dagster-webserver": FICA, "dagster-daemon": FICA})
    with socket.create_server(("127.0.0.1", 0)) as ocupada:
        porta = ocupada.getsockname()[1]
        with pytest.raises(ErroDeConfiguracao, match=f"não foi possível escutar em 127.0.0.1:{porta} .já está em uso."):
            servico.servir(alvo, porta, "127.0.0.1")
    assert processos == []

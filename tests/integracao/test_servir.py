"""`d5 servir` watches two processes: when one is gone, the other goes too, and the right one is blamed."""

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from d5_pipeline.cli import servico
from d5_pipeline.cli.contexto import Banco as Alvo
from d5_pipeline.config import Configuracao
from d5_pipeline.erros import ErroD5
from tests.apoio.banco import Banco

FICA = "import time; time.sleep(60)"
TERMINA = "raise SystemExit(7)"
Iniciados = list[subprocess.Popen[bytes]]


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
        servico.servir(alvo, 3000, "127.0.0.1")
    assert [processo.poll() is None for processo in processos] == [False, False]


def test_web_server_does_not_outlive_a_daemon_that_cannot_start(
    alvo: Alvo, iniciados: Callable[[dict[str, str]], Iniciados]
) -> None:
    processos = iniciados({"dagster-webserver": FICA})
    with pytest.raises(FileNotFoundError):
        servico.servir(alvo, 3000, "127.0.0.1")
    assert [processo.poll() is None for processo in processos] == [False]

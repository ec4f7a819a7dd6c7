"""The whole machinery in processes of its own: daemon, code server and run workers, as `d5 servir` starts them."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.apoio.banco import Banco
from tests.apoio.eventos import demanda, inserir, ranqueada, sorteado
from tests.apoio.observacao import anunciadas, ordem
from tests.apoio.ouvinte import SEGREDO, Ouvinte

RAIZ = Path(__file__).parents[2]
PRAZO = 60.0  # seconds until a wait is a failure
A, B = demanda(1), demanda(2)


class Daemon:
    """A dagster-daemon on the test's database, with a code server and an instance directory of its own."""

    def __init__(self, banco: Banco, pasta: Path, **variaveis: str) -> None:
        self._ambiente = {nome: valor for nome, valor in os.environ.items() if not nome.startswith(("D5_", "DAGSTER_"))}
        self._ambiente |= {"D5_DATABASE_URL": banco.url, "DAGSTER_HOME": str(pasta)} | variaveis
        self._registro = pasta / "daemon.log"
        shutil.copy(RAIZ / "dagster.yaml", pasta)
        self.iniciar()

    def iniciar(self) -> None:
        """Starts it, with its children in a process group of their own."""
        comando = [sys.executable, "-m", "dagster._daemon", "run", "--module-name", "d5_pipeline.definitions"]
        with self._registro.open("ab") as saida:
            self._processo = subprocess.Popen(
                comando, cwd=RAIZ, env=self._ambiente, stdout=saida, stderr=saida, start_new_session=True
            )

    def esperar_ate(self, condicao: Callable[[], object], o_que: str) -> None:
        """Looks at the database until the condition holds; fails after PRAZO, or where the daemon ends."""
        fim = time.monotonic() + PRAZO
        while not condicao():
            assert time.monotonic() < fim, f"não aconteceu: {o_que}\n{self._registro.read_text()[-4_000:]}"
            try:
                codigo = self._processo.wait(0.2)
            except subprocess.TimeoutExpired:
                continue
            pytest.fail(f"o daemon terminou com código {codigo}\n{self._registro.read_text()[-4_000:]}")

    def matar(self) -> None:
        """kill -9 of daemon, code server and run workers."""
        os.killpg(self._processo.pid, signal.SIGKILL)
        self._processo.wait()


@pytest.fixture
def daemon(banco: Banco, tmp_path: Path) -> Iterator[Daemon]:
    """A running daemon on seeded cursors."""
    banco.semear()
    proprio = Daemon(banco, tmp_path)
    yield proprio
    proprio.matar()


def execucoes(banco: Banco, situacao: str) -> int:
    """How many runs have this status."""
    if not banco.valor("select to_regclass('dagster.runs') is not null"):
        return 0
    return int(banco.valor("select count(*) from dagster.runs where status = %s", situacao))


def test_appended_event_is_applied_and_announced_without_help(banco: Banco, daemon: Daemon) -> None:
    inserir(banco.conexao, ranqueada(A), ranqueada(B))
    daemon.esperar_ate(lambda: anunciadas(banco) == [A], "o anúncio da primeira demanda")
    inserir(banco.conexao, sorteado(A))
    daemon.esperar_ate(lambda: anunciadas(banco) == [A, B], "o anúncio que responde ao sorteio")
    assert ordem(banco) == [(1, A, "atribuido"), (2, B, "disponivel")]
    daemon.esperar_ate(lambda: execucoes(banco, "STARTED") == 0, "o fim da execução")
    assert execucoes(banco, "FAILURE") == 0


@pytest.mark.faltas
def test_work_goes_on_after_everything_was_killed_in_the_middle_of_a_run(banco: Banco, daemon: Daemon) -> None:
    """The lock keeps the run inside its transaction; killed there, it is rolled back, and a new one takes its place."""
    with banco.abrir() as obstaculo, obstaculo.transaction():
        obstaculo.execute("lock table d5.backlog_items in access exclusive mode")
        inserir(banco.conexao, ranqueada(A))
        daemon.esperar_ate(lambda: esperando_trava(banco), "a execução presa na trava")
        daemon.matar()
    daemon.iniciar()
    daemon.esperar_ate(lambda: anunciadas(banco) == [A], "o anúncio depois do reinício")
    daemon.esperar_ate(lambda: execucoes(banco, "STARTED") == 0, "o fim da execução")
    assert (execucoes(banco, "FAILURE"), ordem(banco)) == (1, [(1, A, "disponivel")])


@pytest.mark.faltas
def test_run_that_failed_is_told_to_the_webhook_without_help(banco: Banco, tmp_path: Path) -> None:
    """The log refuses every publication: the run fails after its four attempts."""
    ouvinte = Ouvinte()
    banco.semear()
    banco.executar("alter table core.event_log add constraint recusa check (origem <> 'D-5') not valid")
    inserir(banco.conexao, ranqueada(A))
    proprio = Daemon(banco, tmp_path, D5_WEBHOOK_URL=ouvinte.url)
    try:
        proprio.esperar_ate(lambda: ouvinte.recebidos, "o aviso da falha")
    finally:
        proprio.matar()
        ouvinte.fechar()
    (_, aviso), *_ = ouvinte.recebidos
    assert aviso["trabalho"] == "processar_eventos"
    assert aviso["falhou"].startswith("publicar: o log recusou")
    assert (tmp_path / "daemon.log").read_text().count(SEGREDO) == 0


def esperando_trava(banco: Banco) -> bool:
    """Whether a run's session waits for a lock."""
    return bool(
        banco.valor(
            "select exists (select from pg_stat_activity where application_name like 'd5-dagster-%%' "
            "and wait_event_type = 'Lock' and datname = current_database())"
        )
    )

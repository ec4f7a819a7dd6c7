"""`d5 servir` on real requests, and Debian's chromium without a window in front of it."""

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import urllib3
from playwright.sync_api import Browser, Page, sync_playwright

from d5_pipeline.demonstracao.log import LogPostgres
from d5_pipeline.demonstracao.parametros import PARAMETROS_DEMO
from d5_pipeline.demonstracao.simulacao import Simulacao
from d5_pipeline.parametros import ler_parametros
from d5_pipeline.preparacao import carregar_parametros
from d5_pipeline.processamento.situacao import ha_trabalho
from tests.apoio.banco import Banco, clonar
from tests.apoio.comando import D5
from tests.ui.interface import LARGURA_E_ALTURA, Interface

PRAZO = 180.0  # seconds until a wait is a failure; dbt reads its project while the service starts
RODADAS_DO_SERVICO = 5
"""Rounds of the demo that are left to the running service, so that the plots have something to show."""


class Servico:
    """`d5 servir` in a process group of its own, on a port of its own."""

    def __init__(self, banco: Banco, pasta: Path) -> None:
        with socket.socket() as livre:
            livre.bind(("127.0.0.1", 0))
            porta = livre.getsockname()[1]
        self.url = f"http://127.0.0.1:{porta}"
        self._registro = pasta / "servir.log"
        ambiente = {nome: valor for nome, valor in os.environ.items() if not nome.startswith(("D5_", "DAGSTER"))}
        ambiente |= {"D5_DATABASE_URL": banco.url, "D5_PASTA": str(pasta / ".d5")}
        with self._registro.open("wb") as saida:
            self._processo = subprocess.Popen(
                [D5, "servir", "--porta", str(porta)],
                cwd=pasta,
                env=ambiente,
                stdout=saida,
                stderr=saida,
                start_new_session=True,
            )

    def esperar_ate(self, condicao: Callable[[], object], o_que: str) -> None:
        """Until the condition holds; fails after PRAZO, or where the service ends."""
        for _ in range(int(PRAZO / 0.25)):
            if condicao():
                return
            try:
                codigo = self._processo.wait(0.25)
            except subprocess.TimeoutExpired:
                continue
            pytest.fail(f"d5 servir terminou com código {codigo}\n{self._registro.read_text()[-4_000:]}")
        pytest.fail(f"não aconteceu: {o_que}\n{self._registro.read_text()[-4_000:]}")

    def no_ar(self) -> bool:
        """Whether the web UI answers."""
        try:
            return urllib3.request("GET", f"{self.url}/server_info", timeout=5, retries=False).status == 200
        except urllib3.exceptions.HTTPError:
            return False

    def parar(self) -> None:
        """Asks the whole group to end, and waits."""
        os.killpg(self._processo.pid, signal.SIGTERM)
        self._processo.wait(30)


@pytest.fixture(scope="session")
def cidade(servidor: str, banco_preparado: str) -> Iterator[Banco]:
    """The demo's city, all rounds but the last ones."""
    banco = Banco(servidor.format(clonar(servidor, banco_preparado)))
    carregar_parametros(banco.conexao, ler_parametros(PARAMETROS_DEMO))
    banco.semear()
    yield banco
    banco.fechar()


@pytest.fixture(scope="session")
def servico(cidade: Banco, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servico]:
    """The service, after it has processed the demo's last rounds by itself."""
    simulacao = Simulacao(LogPostgres(cidade.conexao))
    for _ in range(simulacao.total_de_rodadas - RODADAS_DO_SERVICO):
        simulacao.rodada()
        cidade.processar()
    proprio = Servico(cidade, tmp_path_factory.mktemp("servico"))
    try:
        proprio.esperar_ate(proprio.no_ar, "a interface no ar")
        while not simulacao.terminou:
            simulacao.rodada()
            proprio.esperar_ate(lambda: em_repouso(cidade), "o fim das execuções")
        yield proprio
    finally:
        proprio.parar()


def em_repouso(banco: Banco) -> bool:
    """Whether everything is applied, published and reported."""
    if ha_trabalho(banco.conexao) or not banco.valor("select to_regclass('dagster.runs') is not null"):
        return False
    return bool(banco.valor("select bool_and(status in ('SUCCESS', 'FAILURE')) from dagster.runs"))


@pytest.fixture(scope="session")
def navegador() -> Iterator[Browser]:
    """Debian's chromium."""
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.fail("falta o chromium: apt-get install chromium")
    with sync_playwright() as playwright:
        aberto = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield aberto
        aberto.close()


@pytest.fixture
def pagina(navegador: Browser) -> Iterator[Page]:
    """A page of a fixed size."""
    aberta = navegador.new_page(viewport=LARGURA_E_ALTURA, locale="pt-BR", timezone_id="America/Sao_Paulo")
    yield aberta
    aberta.close()


@pytest.fixture
def interface(servico: Servico, pagina: Page) -> Interface:
    """The web UI as a person uses it."""
    return Interface(pagina, servico.url)

"""A server that goes away in the middle of a batch, and sessions that it ends: the drain reconnects (D11)."""

import random
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from typing import Any

import pytest

from d5_pipeline.conexao import Conexao, conectar
from d5_pipeline.erros import BancoInacessivel
from d5_pipeline.processamento.dreno import Dreno
from d5_pipeline.processamento.resumo import Resumo
from tests.aceitacao.faltas.conftest import SemFaltas
from tests.aceitacao.faltas.corrida import Corrida, diferencas
from tests.apoio.banco import Banco
from tests.apoio.espera import alguem_espera, esperar_na_publicacao, esperar_no_commit, fechar_porta, porta_fechada
from tests.apoio.observacao import a_espera_de_trava, esperar_ate
from tests.apoio.rede import rede_ruim
from tests.apoio.servidor import ServidorProprio

pytestmark = pytest.mark.faltas

SESSAO = "select pid from pg_stat_activity where datname = current_database() and application_name = 'dreno'"
PRAZO = 60.0  # seconds until a drain that reconnects is a failure
RECUSAS = 3  # attempts to connect that the absent server refuses before it comes back


class Dreno40:
    """A drain in batches of 40 in a thread, its connections told from others, and counted where they are refused."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.recusas = 0
        self._fios = ThreadPoolExecutor(1)
        self.futuro: Future[Resumo] = self._fios.submit(Dreno(self._abrir, 40).drenar)

    def _abrir(self) -> Conexao:
        try:
            return conectar(self._url, "dreno")
        except BancoInacessivel:
            self.recusas += 1
            raise

    def terminar(self) -> Resumo:
        """Waits for its end."""
        resumo = self.futuro.result(PRAZO)
        self._fios.shutdown()
        return resumo


@pytest.fixture
def fragil(servidor_fragil: ServidorProprio) -> Iterator[Banco]:
    """The test's database on a server that may stop."""
    banco = Banco(servidor_fragil.criar())
    yield banco
    banco.fechar()


def parar_e_voltar(servidor: ServidorProprio, banco: Banco, dreno: Dreno40) -> None:
    """The server stops at once, and stays away until the drain found it away several times."""
    servidor.parar_na_hora()
    esperar_ate(lambda: dreno.recusas >= RECUSAS or dreno.futuro.done(), "o dreno tentou reconectar")
    servidor.voltar()
    banco.fechar()
    banco.conexao = banco.abrir()


@pytest.mark.parametrize(
    "trava",
    [
        "lock table d5.backlog_scores in share mode",
        "lock table d5.publicacoes_pendentes in share mode",
        "lock table core.event_log in share mode",
    ],
    ids=["scores", "outbox", "log"],
)
def test_drain_waits_for_a_server_that_was_stopped_in_the_middle_of_a_batch(
    servidor_fragil: ServidorProprio, fragil: Banco, sem_faltas: SemFaltas, trava: str
) -> None:
    """Scenario 8: a lock makes the drain stand still at a known place; there the server is stopped at once."""
    corrida = Corrida(3)
    corrida.carregar(fragil)
    with closing(fragil.abrir()) as obstaculo:
        obstaculo.execute("begin")
        obstaculo.execute(trava)
        dreno = Dreno40(fragil.url)
        esperar_ate(lambda: a_espera_de_trava(fragil, "dreno"), "o dreno espera pela trava")
        parar_e_voltar(servidor_fragil, fragil, dreno)
    assert dreno.terminar().dlq == 0
    assert diferencas(fragil, sem_faltas(corrida), corrida) == []


@pytest.mark.parametrize("transacao", [1, 2])
def test_commit_that_the_server_did_not_finish_is_done_again(
    servidor_fragil: ServidorProprio, fragil: Banco, sem_faltas: SemFaltas, transacao: int
) -> None:
    """Scenario 8: stopped inside the COMMIT of the first batch, and inside that of its publications."""
    corrida = Corrida(3)
    corrida.carregar(fragil)
    esperar_no_commit(fragil, transacao)
    fechar_porta(fragil)
    dreno = Dreno40(fragil.url)
    esperar_ate(lambda: alguem_espera(fragil), "o dreno espera no commit")
    parar_e_voltar(servidor_fragil, fragil, dreno)
    assert dreno.terminar().dlq == 0
    assert diferencas(fragil, sem_faltas(corrida), corrida) == []


def test_publication_that_the_server_did_not_finish_goes_out_once(
    servidor_fragil: ServidorProprio, fragil: Banco, sem_faltas: SemFaltas
) -> None:
    """Scenario 8: stopped between two INSERTs of one publishing transaction."""
    corrida = Corrida(3)
    corrida.carregar(fragil)
    esperar_na_publicacao(fragil, 5)
    fechar_porta(fragil)
    dreno = Dreno40(fragil.url)
    esperar_ate(lambda: alguem_espera(fragil), "a publicação espera")
    parar_e_voltar(servidor_fragil, fragil, dreno)
    assert dreno.terminar().dlq == 0
    assert diferencas(fragil, sem_faltas(corrida), corrida) == []


def olhar(banco: Banco, vezes: int) -> list[dict[str, Any]]:
    """Looks at the drain's session so many times, or until it is gone; what the last look saw."""
    sessoes: list[dict[str, Any]] = []
    for _ in range(vezes):
        sessoes = banco.consultar(SESSAO)
        if not sessoes:
            break
    return sessoes


@pytest.mark.parametrize("semente", [3, 11, 23])
def test_sessions_terminated_at_random_moments_lose_and_double_nothing(
    banco: Banco, sem_faltas: SemFaltas, semente: int
) -> None:
    """Scenario 9: each time the drain is back, its session is ended after a random number of looks at it."""
    corrida, sorte = Corrida(semente, 600), random.Random(semente)
    corrida.carregar(banco)
    dreno, mortas = Dreno40(banco.url), 0
    for _ in range(8):
        esperar_ate(lambda: dreno.futuro.done() or banco.consultar(SESSAO), "o dreno conectou")
        for sessao in olhar(banco, sorte.randint(1, 60)):
            mortas += banco.valor("select pg_terminate_backend(%s)::int", sessao["pid"])
    assert dreno.terminar().dlq == 0
    assert mortas >= 2
    assert diferencas(banco, sem_faltas(corrida), corrida) == []


@pytest.mark.parametrize("transacao", [1, 2, 3, 4])
def test_session_terminated_inside_its_commit_starts_again_from_a_fresh_read(
    banco: Banco, sem_faltas: SemFaltas, transacao: int
) -> None:
    """Scenario 9."""
    corrida = Corrida(3)
    corrida.carregar(banco)
    esperar_no_commit(banco, transacao)
    with porta_fechada(banco):
        dreno = Dreno40(banco.url)
        esperar_ate(lambda: alguem_espera(banco), "o dreno espera no commit")
        for sessao in banco.consultar(SESSAO):
            banco.executar("select pg_terminate_backend(%s)", sessao["pid"])
        esperar_ate(lambda: not alguem_espera(banco) or len(banco.consultar(SESSAO)) > 1, "a sessão terminou")
    assert dreno.terminar().dlq == 0
    assert diferencas(banco, sem_faltas(corrida), corrida) == []


@pytest.mark.parametrize("semente", [3, 11])
def test_commit_whose_answer_was_lost_is_not_repeated(banco: Banco, sem_faltas: SemFaltas, semente: int) -> None:
    """Scenario 9: the client cannot know the outcome and reads the position again; every third answer gets lost."""
    corrida = Corrida(semente)
    corrida.carregar(banco)
    with rede_ruim(banco.url, cada=3) as (url, rede):
        Dreno(lambda: conectar(url), 40).drenar()
    assert rede.perdidas >= 3
    assert diferencas(banco, sem_faltas(corrida), corrida) == []

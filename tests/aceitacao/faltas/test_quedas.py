"""Processes killed -9 between any two steps: tables and publications are those of a run that nobody disturbed."""

import os
import random
import signal
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from tests.aceitacao.faltas.conftest import SemFaltas
from tests.aceitacao.faltas.corrida import Corrida, diferencas
from tests.apoio.banco import Banco
from tests.apoio.comando import D5
from tests.apoio.espera import alguem_espera, esperar_na_publicacao, esperar_no_commit, porta_fechada
from tests.apoio.observacao import esperar_ate
from tests.apoio.parada import matar_em

pytestmark = pytest.mark.faltas

NA_APLICACAO = ["depois de ler", "depois dos incrementos", "depois do rebuild", "depois da outbox", "antes do commit"]
NA_PUBLICACAO = ["antes de publicar", "publicado, antes do cursor", "depois do cursor, antes do commit"]
QUEDAS = 4
CONTADAS = """
    select tipo, total from d5.contagem_publicacoes
    union all select 'rebuilds', sum(total)::bigint from d5.duracao_rebuilds
"""


def matar_varias_vezes(banco: Banco, corrida: Corrida, ponto: str) -> int:
    """Kills drains at the point, each a random number of passes and batch size further; returns how many."""
    sorte = random.Random(f"{corrida.semente} {ponto}")
    return sum(matar_em(banco.url, ponto, sorte.randint(1, 3), sorte.choice([10, 40, 90])) for _ in range(QUEDAS))


@pytest.mark.parametrize("semente", [3, 11])
@pytest.mark.parametrize("ponto", NA_APLICACAO + NA_PUBLICACAO)
def test_drain_killed_between_two_steps_leaves_what_an_undisturbed_run_leaves(
    banco: Banco, sem_faltas: SemFaltas, ponto: str, semente: int
) -> None:
    """Scenario 6."""
    corrida = Corrida(semente)
    corrida.carregar(banco)
    assert matar_varias_vezes(banco, corrida, ponto) >= 2
    banco.processar(40)
    assert diferencas(banco, sem_faltas(corrida), corrida) == []
    publicadas = Counter(publicacao["tipo"] for publicacao in banco.publicacoes())
    contadas = {linha["tipo"]: linha["total"] for linha in banco.consultar(CONTADAS)}
    assert contadas == {**publicadas, "rebuilds": publicadas["agenda.gerada"]}


@pytest.mark.parametrize("ponto", ["antes da DLQ", "depois da DLQ"])
def test_drain_killed_while_it_writes_a_dead_letter_writes_it_once(
    banco: Banco, sem_faltas: SemFaltas, ponto: str
) -> None:
    """Scenario 6."""
    corrida = Corrida(3, veneno=True)
    corrida.carregar(banco)
    for tamanho in (40, 7):
        assert matar_em(banco.url, ponto, 1, tamanho)
        assert banco.valor("select count(*) from d5.dlq") == 0
    assert banco.processar(40).dlq == 1
    assert diferencas(banco, sem_faltas(corrida), corrida) == []


def matar_o_comando(banco: Banco, pasta: Path) -> None:
    """`d5 processar`, killed -9 at the place where its session waits; the server finds out later, or never."""
    ambiente = {**os.environ, "D5_DATABASE_URL": banco.url, "D5_LOTE": "40"}
    with porta_fechada(banco):
        with subprocess.Popen([D5, "processar"], cwd=pasta, env=ambiente) as processo:
            esperar_ate(lambda: alguem_espera(banco) or processo.poll() is not None, "o comando chegou ao lugar")
            processo.kill()
        assert processo.returncode == -signal.SIGKILL


@pytest.mark.parametrize("publicacao", [1, 2, 9])
def test_command_killed_inside_the_publish_publishes_each_event_once(
    banco: Banco, sem_faltas: SemFaltas, tmp_path: Path, publicacao: int
) -> None:
    """Scenario 6."""
    corrida = Corrida(3)
    corrida.carregar(banco)
    esperar_na_publicacao(banco, publicacao)
    matar_o_comando(banco, tmp_path)
    banco.processar()
    assert diferencas(banco, sem_faltas(corrida), corrida) == []


@pytest.mark.parametrize("transacao", [1, 2, 3, 4])
def test_commit_that_nobody_heard_of_is_neither_repeated_nor_lost(
    banco: Banco, sem_faltas: SemFaltas, tmp_path: Path, transacao: int
) -> None:
    """Scenario 6: batches and publications take turns; the COMMIT goes through after its process was killed."""
    corrida = Corrida(3)
    corrida.carregar(banco)
    esperar_no_commit(banco, transacao)
    antes = banco.valor("select epoca from d5.controle")
    matar_o_comando(banco, tmp_path)
    esperar_ate(lambda: banco.valor("select epoca from d5.controle") == antes + transacao, "o commit sem dono")
    banco.processar()
    assert diferencas(banco, sem_faltas(corrida), corrida) == []

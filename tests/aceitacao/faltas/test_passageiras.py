"""Real faults of the moment, made by another session: retried until they pass, never an event's fault (D11)."""

from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing

import pytest
from psycopg.conninfo import make_conninfo

from d5_pipeline.conexao import Conexao, conectar
from d5_pipeline.processamento.dreno import Dreno
from d5_pipeline.processamento.resumo import Resumo
from tests.aceitacao.faltas.conftest import SemFaltas
from tests.aceitacao.faltas.corrida import Corrida, diferencas
from tests.apoio.banco import Banco
from tests.apoio.observacao import PRAZO, a_espera_de_trava, esperar_ate

pytestmark = pytest.mark.faltas

PACIENTE = "-c deadlock_timeout=1h -c statement_timeout=20s"  # never the one who finds the deadlock


@pytest.mark.parametrize("limite", ["lock_timeout", "statement_timeout"])
def test_timeout_is_retried_until_the_lock_is_free(banco: Banco, sem_faltas: SemFaltas, limite: str) -> None:
    """Scenario 15: the lock goes only after the drain ran into the timeout more than once."""
    corrida, conexoes = Corrida(11), list[Conexao]()
    corrida.carregar(banco)
    url = make_conninfo(banco.url, options=f"-c {limite}=200ms")

    def abrir() -> Conexao:
        conexoes.append(conectar(url, "dreno"))
        return conexoes[-1]

    with ThreadPoolExecutor() as fios, closing(banco.abrir()) as obstaculo:
        obstaculo.execute("begin")
        obstaculo.execute("lock table d5.backlog_items in share mode")
        dreno: Future[Resumo] = fios.submit(Dreno(abrir, 40).drenar)
        esperar_ate(lambda: len(conexoes) >= 3 or dreno.done(), "o dreno conectou três vezes")
        obstaculo.execute("rollback")
        assert dreno.result(PRAZO).dlq == 0
    assert diferencas(banco, sem_faltas(corrida), corrida) == []


def test_victim_of_a_deadlock_starts_its_batch_again(banco: Banco, sem_faltas: SemFaltas) -> None:
    """Scenario 15: the other session asks for the fence while the drain, which holds it, waits for the table."""
    corrida = Corrida(11)
    corrida.carregar(banco)
    url = make_conninfo(banco.url, options="-c deadlock_timeout=3s")
    with (
        ThreadPoolExecutor() as fios,
        closing(conectar(make_conninfo(banco.url, options=PACIENTE))) as paciente,
    ):
        paciente.execute("begin")
        paciente.execute("lock table d5.backlog_items in share mode")
        dreno: Future[Resumo] = fios.submit(Dreno(lambda: conectar(url, "dreno"), 40).drenar)
        esperar_ate(lambda: a_espera_de_trava(banco, "dreno"), "o dreno espera pela tabela")
        paciente.execute("update d5.controle set epoca = epoca")
        paciente.execute("rollback")
        assert dreno.result(PRAZO).dlq == 0
    assert diferencas(banco, sem_faltas(corrida), corrida) == []

"""Runs that do not start and runs that fail: a later tick of the sensor does the work, without a person."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.apoio.banco import Banco
from tests.apoio.eventos import demanda, inserir, ranqueada
from tests.apoio.lancador import CONFIGURACAO, RECUSAS
from tests.apoio.observacao import anunciadas, ordem
from tests.orquestracao.test_daemon import Daemon, execucoes

pytestmark = pytest.mark.faltas

A = demanda(1)
TENTATIVAS_POR_EXECUCAO = 4
RECUSAR = """
    create sequence public.tentativas;
    create function public.recusar() returns trigger language plpgsql as $$
    begin
        if nextval('public.tentativas') <= tg_argv[0]::int then
            raise exception 'log em manutenção';
        end if;
        return new;
    end $$;
"""
NO_LOG = """
    create trigger recusa before insert on core.event_log for each row when (new.origem = 'D-5')
    execute function public.recusar('12')
"""


class DaemonSemRecursos(Daemon):
    """A daemon whose launcher fails at first."""

    def __init__(self, banco: Banco, pasta: Path) -> None:
        self._configuracao = pasta / "dagster.yaml"
        super().__init__(banco, pasta)

    def iniciar(self) -> None:
        """Starts it with the other launcher."""
        with self._configuracao.open("a") as arquivo:
            arquivo.write(CONFIGURACAO)
        super().iniciar()


@pytest.fixture
def iniciar(banco: Banco, tmp_path: Path) -> Iterator[Callable[[type[Daemon]], Daemon]]:
    """Starts a daemon on seeded cursors."""
    banco.semear()
    iniciados: list[Daemon] = []

    def iniciar_um(tipo: type[Daemon]) -> Daemon:
        iniciados.append(tipo(banco, tmp_path))
        return iniciados[-1]

    yield iniciar_um
    for daemon in iniciados:
        daemon.matar()


def test_work_is_done_after_the_launcher_failed_three_times(
    banco: Banco, iniciar: Callable[[type[Daemon]], Daemon]
) -> None:
    """Scenario 18."""
    inserir(banco.conexao, ranqueada(A))
    daemon = iniciar(DaemonSemRecursos)
    daemon.esperar_ate(lambda: execucoes(banco, "FAILURE") == RECUSAS, "as execuções que não partiram")
    assert ordem(banco) == []
    daemon.esperar_ate(lambda: anunciadas(banco) == [A], "o anúncio")
    assert ordem(banco) == [(1, A, "disponivel")]
    assert execucoes(banco, "FAILURE") == RECUSAS


def test_work_is_done_after_the_run_failed_three_times(banco: Banco, iniciar: Callable[[type[Daemon]], Daemon]) -> None:
    """Scenario 18: three runs use up their four attempts to publish; the log takes the first one of the fourth run."""
    banco.executar(RECUSAR)
    banco.executar(NO_LOG)
    inserir(banco.conexao, ranqueada(A))
    daemon = iniciar(Daemon)
    daemon.esperar_ate(lambda: execucoes(banco, "FAILURE") == 3, "as execuções que falharam")
    assert anunciadas(banco) == []
    daemon.esperar_ate(lambda: anunciadas(banco) == [A], "o anúncio")
    assert banco.valor("select last_value from public.tentativas") == 3 * TENTATIVAS_POR_EXECUCAO + 1
    assert banco.valor("select count(*) from d5.publicacoes_pendentes") == 0
    assert execucoes(banco, "FAILURE") == 3

"""Staying after a drain: as long as a cascade goes on, and no longer."""

import time

from d5_pipeline.processamento.dreno import Dreno
from d5_pipeline.processamento.permanencia import drenar_e_permanecer
from d5_pipeline.processamento.resumo import Resumo
from tests.apoio.banco import Banco
from tests.apoio.eventos import demanda, inserir, parametros, ranqueada
from tests.apoio.observacao import aplicado_ate


class DrenoDeTeste:
    """Reads what has arrived by now; time passes only by waiting."""

    def __init__(self, chegadas: list[float], alcancaveis: bool = True) -> None:
        self.resumo = Resumo()
        self.agora = 0.0
        self._chegadas = sorted(chegadas)
        self._alcancaveis = alcancaveis

    def drenar(self, prazo: float) -> Resumo:
        """Reads every arrival up to now."""
        assert prazo < float("inf")
        if self._alcancaveis:
            self.resumo.lidos += len(self._pendentes())
            self._chegadas = [chegada for chegada in self._chegadas if chegada > self.agora]
        return self.resumo

    def ha_trabalho(self) -> bool:
        """Whether something has arrived that was not read."""
        return bool(self._pendentes())

    def relogio(self) -> float:
        """Seconds since the beginning."""
        return self.agora

    def esperar(self, segundos: float) -> None:
        """Time passes."""
        self.agora += segundos

    def _pendentes(self) -> list[float]:
        return [chegada for chegada in self._chegadas if chegada <= self.agora]


def permanecer(dreno: DrenoDeTeste, permanencia: float = 1.5, duracao: float = 600, ativo: bool = False) -> float:
    """Seconds that it stayed."""
    drenar_e_permanecer(dreno, dreno.ha_trabalho, duracao, permanencia, ativo, dreno.relogio, dreno.esperar)
    return dreno.agora


def test_nothing_done_means_no_stay() -> None:
    assert permanecer(DrenoDeTeste([])) == 0


def test_run_that_did_something_before_the_drain_stays() -> None:
    assert 1.5 <= permanecer(DrenoDeTeste([]), ativo=True) < 1.8


def test_each_event_of_a_cascade_prolongs_the_stay() -> None:
    dreno = DrenoDeTeste([0, 1, 2, 3])
    assert 4.5 <= permanecer(dreno) < 5.1
    assert dreno.resumo.lidos == 4


def test_event_after_the_stay_is_left_to_the_next_run() -> None:
    dreno = DrenoDeTeste([0, 5])
    permanecer(dreno)
    assert dreno.resumo.lidos == 1


def test_work_held_back_by_a_hole_does_not_prolong_the_stay() -> None:
    assert permanecer(DrenoDeTeste([0], alcancaveis=False), ativo=True) < 1.8


def test_stay_ends_at_the_deadline_though_events_go_on() -> None:
    assert permanecer(DrenoDeTeste([float(n) for n in range(60)]), duracao=10) < 10.3


def test_drain_of_many_batches_ends_with_the_one_in_which_its_time_was_up(banco: Banco) -> None:
    """What is left stays pending for the next run."""
    banco.parametrizar(parametros())
    banco.semear()
    primeiro, *_ = inserir(banco.conexao, *(ranqueada(demanda(numero)) for numero in (1, 2, 3)))
    assert Dreno(banco.abrir, lote=1).drenar(prazo=time.monotonic() - 1).lidos == 1
    assert aplicado_ate(banco) == {primeiro}

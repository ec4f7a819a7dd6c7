"""Draining, and staying for a moment: an announcement is soon answered by the next event of the cascade."""

import time
from collections.abc import Callable
from typing import Protocol

from d5_pipeline.processamento.resumo import Resumo

INTERVALO = 0.15  # seconds between two looks at the log


class Drenavel(Protocol):
    """What drains: a Dreno, in everything but tests."""

    resumo: Resumo

    def drenar(self, prazo: float) -> Resumo:
        """Until nothing is pending, or until the monotonic time `prazo`."""


def drenar_e_permanecer(
    dreno: Drenavel,
    ha_trabalho: Callable[[], bool],
    duracao: float,
    permanencia: float,
    ativo: bool,
    relogio: Callable[[], float] = time.monotonic,
    esperar: Callable[[float], None] = time.sleep,
) -> None:
    """Drains for at most `duracao` seconds; where that did something, or the run is `ativo` already, stays for more.

    Each progress prolongs the stay to `permanencia` seconds from then on. Work that cannot be done now (held back by a
    hole) does not.
    """
    inicio = relogio()
    prazo = inicio + duracao
    antes = _progresso(dreno.resumo)
    dreno.drenar(prazo)
    feito = _progresso(dreno.resumo)
    fim = relogio() + permanencia if ativo or feito > antes else inicio
    while relogio() < min(fim, prazo):
        esperar(INTERVALO)
        if ha_trabalho():
            dreno.drenar(prazo)
            if _progresso(dreno.resumo) > feito:
                feito = _progresso(dreno.resumo)
                fim = relogio() + permanencia


def _progresso(resumo: Resumo) -> int:
    return resumo.lidos + resumo.publicacoes

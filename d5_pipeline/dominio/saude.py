"""What is wrong with a running D-5, judged from what was measured: no clock, no database."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from d5_pipeline.dominio.lacunas import Lacuna, quem


class Atraso(NamedTuple):
    """Consumed events of one type above their position, and the age of the oldest in seconds."""

    eventos: int
    segundos: float


class LacunaPresa(NamedTuple):
    """An open hole with the living transactions that may still fill it, when it was first seen, and seconds since."""

    lacuna: Lacuna
    vista_em: datetime
    segundos: float


class Sinais(NamedTuple):
    """One look at the database. Ages in seconds; 0 where there is nothing to be old."""

    semeada: bool
    fim_do_log: int
    desde: int
    """The lowest applied position."""
    alto: int
    """The highest one."""
    sem_progresso: float
    """Seconds since a cursor last moved."""
    atrasos: Mapping[str, Atraso]
    """By type with a cursor."""
    lacunas: Sequence[LacunaPresa]
    pendentes: int
    pendentes_ha: float
    dlq: Mapping[tuple[str, str], int]
    """(motivo, situacao) → open dead letters."""


class Limites(NamedTuple):
    """Seconds from which on something is ill."""

    atraso_maximo: float
    sem_progresso: float


def motivos(sinais: Sinais, limites: Limites) -> Iterator[str]:
    """Why the service is not healthy, one Portuguese line each; none where it is.

    A lag alone is no illness: the service may be working through a burst. It is one when nothing moves either.
    """
    if not sinais.semeada:
        yield "os cursores não foram semeados: nada é processado; inicie o serviço ou execute 'd5 iniciar'"
        return
    if sinais.alto > sinais.fim_do_log:
        yield (
            f"cursor em {sinais.alto}, acima do fim do log ({sinais.fim_do_log}): o log foi restaurado ou cortado? "
            "Veja 'd5 processar'"
        )
    tipo, atraso = max(sinais.atrasos.items(), key=lambda item: item[1].segundos)
    if atraso.segundos > limites.atraso_maximo and sinais.sem_progresso > limites.sem_progresso:
        yield (
            f"atraso de {atraso.segundos:.0f} s em {tipo} ({atraso.eventos} evento(s)) e nenhum progresso há "
            f"{sinais.sem_progresso:.0f} s: o serviço parou? Veja 'd5 status'"
        )
    for lacuna, _, segundos in sinais.lacunas:
        if segundos > limites.atraso_maximo:
            yield (
                f"lacuna de {lacuna.inicio} a {lacuna.fim} aberta há {segundos:.0f} s: {quem(lacuna.portadores)} "
                "ainda pode preenchê-la e tem de terminar"
            )
    if sinais.pendentes_ha > limites.sem_progresso:
        yield (
            f"{sinais.pendentes} publicação(ões) pendente(s), a primeira há {sinais.pendentes_ha:.0f} s: "
            "o log as recusa ou o serviço parou? Veja 'd5 dlq listar'"
        )
    esgotadas = sum(quantas for (_, situacao), quantas in sinais.dlq.items() if situacao == "esgotada")
    if esgotadas:
        yield f"{esgotadas} evento(s) esgotado(s) na DLQ: não serão tentados de novo sozinhos; veja 'd5 dlq listar'"

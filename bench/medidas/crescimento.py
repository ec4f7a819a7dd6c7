"""Memory and growth: drains of ever larger logs, each in a process of its own."""

from collections.abc import Collection, Sequence
from statistics import median
from typing import NamedTuple

from bench.medida import Contexto, Medida, Meta, Serie, figura
from bench.preparo import com_log, em_processo


class Tamanho(NamedTuple):
    """A log to drain, and how often."""

    eventos: int
    unidades: int
    vezes: int


class Dreno(NamedTuple):
    """What the drains of one size took: µs per event, peak MiB."""

    tamanho: Tamanho
    por_evento: list[float]
    picos: list[float]


@figura("crescimento")
def crescer(ctx: Contexto) -> list[Medida]:
    """10,000 to 1,000,000 events at 200 units, 20 to 2,000 units at 100,000 events."""
    meio, fator, unidades, vezes = ctx.tamanho((100_000, 10, 200, 3), (400, 1, 20, 1))
    do_meio = Tamanho(meio, unidades, vezes)
    por_eventos = [Tamanho(meio // fator, unidades, ctx.tamanho(5, 1)), do_meio, Tamanho(meio * fator, unidades, 1)]
    por_unidades = [Tamanho(meio, unidades // fator, vezes), do_meio, Tamanho(meio, unidades * fator, vezes)]
    medidos = _drenar(ctx, dict.fromkeys((*por_eventos, *por_unidades)))
    _, pequeno, grande = (medidos[tamanho] for tamanho in por_eventos)
    return [
        Medida(
            "memoria",
            "memory",
            f"draining {grande.tamanho.eventos:,} events, {unidades} UCs: peak resident memory of its process",
            f"draining {pequeno.tamanho.eventos:,} events",
            tuple(Serie.de(f"{d.tamanho.eventos:,} events", "MiB", d.picos) for d in (grande, pequeno)),
            median(grande.picos) / median(pequeno.picos),
            Meta("≤", 1.2),
        ),
        _crescimento("growth with events", f"{unidades} UCs", "events", [medidos[t] for t in por_eventos]),
        _crescimento("growth with units", f"{meio:,} events", "UCs", [medidos[t] for t in por_unidades]),
    ]


def _crescimento(nome: str, fixo: str, eixo: str, drenos: Sequence[Dreno]) -> Medida:
    valores = [d.tamanho.eventos if eixo == "events" else d.tamanho.unidades for d in drenos]
    medianas = [median(d.por_evento) for d in drenos]
    return Medida(
        "crescimento",
        nome,
        f"{' → '.join(f'{valor:,}' for valor in valores)} {eixo} at {fixo}; time per event",
        "the fastest of the three; the value is slowest over fastest",
        tuple(Serie.de(f"{v:,} {eixo}", "µs", d.por_evento) for v, d in zip(valores, drenos, strict=True)),
        max(medianas) / min(medianas),
        Meta("≤", 1.15),
    )


def _drenar(ctx: Contexto, tamanhos: Collection[Tamanho]) -> dict[Tamanho, Dreno]:
    """Drains of every size in rounds: the machine's speed drifts from minute to minute, and each is to see the same."""
    logs = {}
    for tamanho in tamanhos:
        ctx.dizer(f"crescimento: log de {tamanho.eventos} eventos, {tamanho.unidades} unidades")
        logs[tamanho] = com_log(ctx.servidor, tamanho.eventos, tamanho.unidades)
    drenos = {tamanho: Dreno(tamanho, [], []) for tamanho in tamanhos}
    rodadas = max(tamanho.vezes for tamanho in tamanhos)
    for rodada in range(rodadas):
        ctx.dizer(f"crescimento: rodada {rodada + 1} de {rodadas}")
        for tamanho in tamanhos:
            if _cabe(rodada, tamanho.vezes, rodadas):
                _drenar_um(ctx, logs[tamanho], drenos[tamanho])
    for log in logs.values():
        ctx.servidor.remover(log)
    return drenos


def _cabe(rodada: int, vezes: int, rodadas: int) -> bool:
    """Whether the round is one of the `vezes` that lie evenly among all; a single one lies in the middle."""
    antes, depois = ((quantas * vezes + rodadas // 2) // rodadas for quantas in (rodada, rodada + 1))
    return depois > antes


def _drenar_um(ctx: Contexto, log: str, dreno: Dreno) -> None:
    with ctx.servidor.copia(log) as url:
        ctx.servidor.assentar()
        medido = em_processo(url, "dreno")
    dreno.por_evento.append(medido["segundos"] * 1e6 / dreno.tamanho.eventos)
    dreno.picos.append(medido["pico_mib"])

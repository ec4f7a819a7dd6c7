"""Memory and growth: drains of ever larger logs, each in a process of its own."""

from collections.abc import Sequence
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
    medidos = {tamanho: _drenar(ctx, tamanho) for tamanho in dict.fromkeys((*por_eventos, *por_unidades))}
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


def _drenar(ctx: Contexto, tamanho: Tamanho) -> Dreno:
    ctx.dizer(f"crescimento: {tamanho.eventos} eventos, {tamanho.unidades} unidades, {tamanho.vezes} vez(es)")
    log = com_log(ctx.servidor, tamanho.eventos, tamanho.unidades)
    dreno = Dreno(tamanho, [], [])
    for _ in range(tamanho.vezes):
        with ctx.servidor.copia(log) as url:
            ctx.servidor.assentar()
            medido = em_processo(url, "dreno")
        dreno.por_evento.append(medido["segundos"] * 1e6 / tamanho.eventos)
        dreno.picos.append(medido["pico_mib"])
    ctx.servidor.remover(log)
    return dreno

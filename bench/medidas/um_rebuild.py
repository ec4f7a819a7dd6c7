"""One rebuild: a ranking.atualizado read, its unit rebuilt, published, committed."""

import time
from contextlib import closing

from bench.banco import Servidor
from bench.carga import INICIO, Evento, acrescentar, parametros, unidade, uuid_sorteado
from bench.medida import Contexto, Cronometro, Medida, Meta, figura
from bench.preparo import com_scores
from bench.referencia.processador import Referencia
from d5_pipeline.barramento import publicador
from d5_pipeline.conexao import conectar
from d5_pipeline.processamento.dreno import LOTE_PADRAO
from d5_pipeline.processamento.lote import processar_lote

CAPACIDADE = 50
POUCOS, MEIO, MUITOS = 100, 500, 10_000


@figura("um_rebuild")
def reconstruir_uma_unidade(ctx: Contexto) -> list[Medida]:
    """Units with 100, 500 and 10,000 scores; both sides in turn, over open connections."""
    unidades, vezes = ctx.tamanho((20, 200), (2, 4))
    tempos = {}
    for scores in (POUCOS, MEIO, MUITOS):
        ctx.dizer(f"um rebuild: {scores} scores por unidade")
        base = com_scores(ctx.servidor, unidades, scores, CAPACIDADE)
        tempos[scores] = _medir(ctx.servidor, base, unidades, vezes)
        ctx.servidor.remover(base)
    motor, referencia = (tempos[MEIO][i].serie(nome, "ms") for i, nome in enumerate(("motor", "referência")))
    poucos, muitos = (tempos[scores][0].serie(f"motor, {scores:,} scores", "ms") for scores in (POUCOS, MUITOS))
    outras = ", ".join(
        f"{scores:,} scores: {tempos[scores][0].serie('', 'ms').p95 / tempos[scores][1].serie('', 'ms').p95:.2f}"
        for scores in (POUCOS, MUITOS)
    )
    return [
        Medida(
            "um_rebuild",
            "one rebuild: p95 against the reference's p95",
            f"a unit of {MEIO} scores, capacity {CAPACIDADE}, coordinates for all, commit included; {vezes} rebuilds",
            "one query for the scores, selection in Python, DBSCAN per category, one upsert per item, one commit",
            (motor, referencia),
            motor.p95 / referencia.p95,
            Meta("≤", 0.25),
            f"the same ratio with other sizes: {outras}",
        ),
        Medida(
            "um_rebuild",
            "one rebuild: 10,000 scores against 100",
            f"a unit of {MUITOS:,} scores, capacity {CAPACIDADE}; {vezes} rebuilds",
            f"a unit of {POUCOS} scores",
            (muitos, poucos),
            muitos.mediana / poucos.mediana,
            Meta("≤", 1.3),
        ),
    ]


def _medir(servidor: Servidor, base: str, unidades: int, vezes: int) -> tuple[Cronometro, Cronometro]:
    import random

    motor, referencia, sorte = Cronometro(), Cronometro(), random.Random(7)
    with (
        servidor.copia(base) as do_motor,
        servidor.copia(base) as da_referencia,
        closing(conectar(do_motor)) as um,
        closing(conectar(da_referencia)) as outro,
    ):
        passo_a_passo = Referencia(outro, parametros(unidades, CAPACIDADE))
        servidor.assentar()
        for vez in range(-unidades, vezes):  # the first rebuild of each unit fills its agenda and is not timed
            evento = Evento(
                uuid_sorteado(sorte),
                "ranking.atualizado",
                "1.0.0",
                "vizinho",
                uuid_sorteado(sorte),
                f'{{"unidade_civica_id":"{unidade(vez % unidades)}"}}',
                INICIO,
            )
            acrescentar(um, [evento])
            acrescentar(outro, [evento])
            with (motor if vez >= 0 else Cronometro()).medir():
                processar_lote(um, LOTE_PADRAO)
                publicador.publicar_pendentes(um, time.sleep)
            with (referencia if vez >= 0 else Cronometro()).medir():
                passo_a_passo.aplicar_um()
    return motor, referencia

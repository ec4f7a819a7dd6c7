"""One rebuild: a ranking.atualizado read, its unit rebuilt, published, committed."""

import random
import time
from contextlib import closing

from threadpoolctl import threadpool_limits

from bench.banco import Servidor
from bench.carga import parametros, ranking
from bench.gravacao import acrescentar
from bench.medida import Contexto, Cronometro, Medida, Meta, figura
from bench.preparo import com_scores
from bench.referencia.processador import Referencia
from d5_pipeline.barramento import publicador
from d5_pipeline.conexao import conectar
from d5_pipeline.processamento.dreno import LOTE_PADRAO
from d5_pipeline.processamento.lote import processar_lote

CAPACIDADE = 50


@figura("um_rebuild")
def reconstruir_uma_unidade(ctx: Contexto) -> list[Medida]:
    """Units of three sizes; the middle one is that of the figure of all rebuilds."""
    unidades, vezes = ctx.tamanho((20, 200), (2, 4))
    tamanhos = poucos, meio, muitos = ctx.tamanho((100, 500, 10_000), (20, 60, 100))
    medidos, fios = {}, {}
    for scores in tamanhos:
        ctx.dizer(f"um rebuild: {scores} scores por unidade")
        base = com_scores(ctx.servidor, unidades, scores, CAPACIDADE)
        motor, referencia, com_um_fio = _medir(ctx.servidor, base, unidades, vezes)
        medidos[scores] = motor.serie("d5", "ms"), referencia.serie("reference", "ms")
        fios[scores] = com_um_fio.serie("reference, one thread", "ms")
        ctx.servidor.remover(base)
    nosso, deles = medidos[meio]
    razoes = {scores: f"{n.p95 / d.p95:.2f} at {scores:,} scores" for scores, (n, d) in medidos.items()}
    grande, pequena = (medidos[scores][0].com_nome(f"d5, {scores:,} scores") for scores in (muitos, poucos))
    return [
        Medida(
            "um_rebuild",
            "one rebuild: p95 against the reference's p95",
            f"a unit of {meio} scores, capacity {CAPACIDADE}, coordinates for all, commit included; {vezes} rebuilds",
            "one query for the scores, selection in Python, DBSCAN per category, one upsert per item, one commit",
            (nosso, deles, fios[meio]),
            nosso.p95 / deles.p95,
            Meta("≤", 0.25),
            nota=f"the same ratio is {razoes[poucos]}, {razoes[muitos]}; with scikit-learn held to one thread in the "
            f"reference, {nosso.p95 / fios[meio].p95:.2f}",
        ),
        Medida(
            "um_rebuild",
            f"one rebuild: {muitos:,} scores against {poucos}",
            f"a unit of {muitos:,} scores, capacity {CAPACIDADE}; {vezes} rebuilds",
            f"a unit of {poucos} scores",
            (grande, pequena),
            grande.mediana / pequena.mediana,
            Meta("≤", 1.3),
        ),
    ]


def _medir(servidor: Servidor, base: str, unidades: int, vezes: int) -> tuple[Cronometro, Cronometro, Cronometro]:
    """The same triggers for two equal databases, each side in turn, over open connections.

    Every second rebuild of the reference runs with scikit-learn held to one thread.
    """
    motor, referencia, com_um_fio, sorte = Cronometro(), Cronometro(), Cronometro(), random.Random(7)
    with (
        servidor.copia(base) as do_motor,
        servidor.copia(base) as da_referencia,
        closing(conectar(do_motor)) as um,
        closing(conectar(da_referencia)) as outro,
    ):
        passo_a_passo = Referencia(outro, parametros(unidades, CAPACIDADE))
        servidor.assentar()
        for vez in range(-unidades, vezes):  # the first rebuild of each unit fills its agenda and is not counted
            gatilho = ranking(sorte, vez % unidades)
            acrescentar(um, [gatilho])
            acrescentar(outro, [gatilho])
            with (motor if vez >= 0 else Cronometro()).medir():
                processar_lote(um, LOTE_PADRAO)
                list(publicador.publicar_pendentes(um, time.sleep))
            if vez % 2:
                with threadpool_limits(1), (com_um_fio if vez >= 0 else Cronometro()).medir():
                    passo_a_passo.aplicar_um()
            else:
                with (referencia if vez >= 0 else Cronometro()).medir():
                    passo_a_passo.aplicar_um()
    return motor, referencia, com_um_fio

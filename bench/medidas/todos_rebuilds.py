"""All rebuilds: every unit of a city at once, against the reference and against itself unit by unit."""

import random
import time
from contextlib import closing

from bench.carga import INICIO, Evento, acrescentar, parametros, unidade, uuid_sorteado
from bench.medida import Contexto, Cronometro, Medida, Meta, figura
from bench.preparo import com_scores
from bench.referencia.processador import Referencia
from d5_pipeline.barramento import publicador
from d5_pipeline.conexao import Conexao, conectar
from d5_pipeline.processamento.lote import agora
from d5_pipeline.processamento.reconstrucao import reconstruir_unidades

CAPACIDADE = 50


@figura("todos_rebuilds")
def reconstruir_a_cidade(ctx: Contexto) -> list[Medida]:
    """Empty agendas at first; the sides that go unit by unit on a slice of the units."""
    unidades, scores, fatia = ctx.tamanho((2_000, 500, 300), (20, 60, 5))
    ctx.dizer(f"todos os rebuilds: {unidades} unidades com {scores} scores")
    base = com_scores(ctx.servidor, unidades, scores, CAPACIDADE)
    todas = [unidade(i) for i in range(unidades)]
    juntas, uma_a_uma, referencia = Cronometro(), Cronometro(), Cronometro()
    with ctx.servidor.copia(base) as url, closing(conectar(url)) as conexao:
        ctx.servidor.assentar()
        with juntas.medir():
            _reconstruir(conexao, todas)
    with ctx.servidor.copia(base) as url, closing(conectar(url)) as conexao:
        _reconstruir(conexao, todas[-1:])
        ctx.servidor.assentar()
        ctx.dizer(f"todos os rebuilds: {fatia} unidades uma a uma")
        for uma in todas[:fatia]:
            with uma_a_uma.medir():
                _reconstruir(conexao, [uma])
    with ctx.servidor.copia(base) as url, closing(conectar(url)) as conexao:
        acrescentar(conexao, _gatilhos(fatia))
        passo_a_passo = Referencia(conexao, parametros(unidades, CAPACIDADE))
        ctx.servidor.assentar()
        ctx.dizer(f"todos os rebuilds: {fatia} unidades pela referência")
        for _ in range(fatia):
            with referencia.medir():
                passo_a_passo.aplicar_um()
    ctx.servidor.remover(base)
    lado = juntas.serie("todas juntas, por unidade", "ms", unidades)
    proprio, deles = uma_a_uma.serie("uma a uma", "ms"), referencia.serie("referência", "ms")
    media = sum(uma_a_uma.segundos) * 1e3 / fatia
    media_deles = sum(referencia.segundos) * 1e3 / fatia
    trabalho = f"{unidades:,} UCs × {scores} scores, capacity {CAPACIDADE}, empty agendas at first; time per UC"
    return [
        Medida(
            "todos_rebuilds",
            "all rebuilds: against the reference",
            trabalho,
            f"the reference's rebuild, mean of the first {fatia} units",
            (lado, deles),
            media_deles / lado.mediana,
            Meta("≥", 10),
        ),
        Medida(
            "todos_rebuilds",
            "all rebuilds: against its own, UC by UC",
            trabalho,
            f"the same call once per unit, mean of the first {fatia} units",
            (lado, proprio),
            media / lado.mediana,
            Meta("≥", 1.8),
        ),
    ]


def _reconstruir(conexao: Conexao, unidades: list[str]) -> None:
    reconstruir_unidades(conexao, unidades, agora)
    publicador.publicar_pendentes(conexao, time.sleep)


def _gatilhos(quantos: int) -> list[Evento]:
    sorte = random.Random(7)
    return [
        Evento(
            uuid_sorteado(sorte),
            "ranking.atualizado",
            "1.0.0",
            "vizinho",
            uuid_sorteado(sorte),
            f'{{"unidade_civica_id":"{unidade(i)}"}}',
            INICIO,
        )
        for i in range(quantos)
    ]

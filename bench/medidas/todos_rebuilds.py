"""All rebuilds: every unit of a city at once, against the reference and against itself unit by unit."""

import random
import time
from collections.abc import Sequence
from contextlib import closing

from bench.banco import Servidor
from bench.carga import parametros, ranking, unidade
from bench.gravacao import acrescentar
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
    """Empty agendas at first; the sides that go unit by unit do so on a slice of the units."""
    unidades, scores, fatia = ctx.tamanho((2_000, 500, 300), (20, 60, 5))
    ctx.dizer(f"todos os rebuilds: {unidades} unidades com {scores} scores")
    base = com_scores(ctx.servidor, unidades, scores, CAPACIDADE)
    juntas = _juntas(ctx.servidor, base, unidades)
    ctx.dizer(f"todos os rebuilds: {fatia} unidades, uma a uma")
    uma_a_uma = _uma_a_uma(ctx.servidor, base, fatia)
    ctx.dizer(f"todos os rebuilds: {fatia} unidades, pela referência")
    referencia = _pela_referencia(ctx.servidor, base, unidades, fatia)
    ctx.servidor.remover(base)
    lado = juntas.serie("together, per UC", "ms", unidades)
    proprio, deles = uma_a_uma.serie("UC by UC", "ms"), referencia.serie("reference", "ms")
    trabalho = f"{unidades:,} UCs × {scores} scores, capacity {CAPACIDADE}, empty agendas at first; time per UC"
    return [
        Medida(
            "todos_rebuilds",
            "all rebuilds: against the reference",
            trabalho,
            f"the reference's rebuild, one commit each, mean of {fatia} units",
            (lado, deles),
            sum(referencia.segundos) * 1e3 / fatia / lado.mediana,
            Meta("≥", 10),
        ),
        Medida(
            "todos_rebuilds",
            "all rebuilds: against its own, UC by UC",
            trabalho,
            f"the same call once per unit, mean of {fatia} units",
            (lado, proprio),
            sum(uma_a_uma.segundos) * 1e3 / fatia / lado.mediana,
            Meta("≥", 1.8),
        ),
    ]


def _juntas(servidor: Servidor, base: str, unidades: int) -> Cronometro:
    cronometro = Cronometro()
    with servidor.copia(base) as url, closing(conectar(url)) as conexao:
        servidor.assentar()
        with cronometro.medir():
            _reconstruir(conexao, [unidade(i) for i in range(unidades)])
    return cronometro


def _uma_a_uma(servidor: Servidor, base: str, fatia: int) -> Cronometro:
    cronometro = Cronometro()
    with servidor.copia(base) as url, closing(conectar(url)) as conexao:
        _reconstruir(conexao, [unidade(fatia)])  # a connection that is warm
        servidor.assentar()
        for numero in range(fatia):
            with cronometro.medir():
                _reconstruir(conexao, [unidade(numero)])
    return cronometro


def _pela_referencia(servidor: Servidor, base: str, unidades: int, fatia: int) -> Cronometro:
    cronometro, sorte = Cronometro(), random.Random(7)
    with servidor.copia(base) as url, closing(conectar(url)) as conexao:
        acrescentar(conexao, [ranking(sorte, numero) for numero in (fatia, *range(fatia))])
        passo_a_passo = Referencia(conexao, parametros(unidades, CAPACIDADE))
        passo_a_passo.aplicar_um()
        servidor.assentar()
        for _ in range(fatia):
            with cronometro.medir():
                passo_a_passo.aplicar_um()
    return cronometro


def _reconstruir(conexao: Conexao, unidades: Sequence[str]) -> None:
    reconstruir_unidades(conexao, unidades, agora)
    list(publicador.publicar_pendentes(conexao, time.sleep))

"""Putting workloads into a database: events into the log, and projections as they are long after."""

import random
from collections.abc import Iterable, Sequence

from bench.banco import consultas
from bench.carga import CATEGORIAS_POR_NIVEL, INICIO, Demanda, Evento, lugar, unidade, uuid_sorteado
from d5_pipeline.conexao import Conexao

_sql = consultas("medicao")


def acrescentar(conexao: Conexao, eventos: Iterable[Evento]) -> None:
    """COPY into the log, which gives the numbers."""
    with conexao.cursor().copy(_sql.copiar_log.sql) as copia:
        for evento in eventos:
            copia.write_row(evento)


def povoar(conexao: Conexao, unidades: Sequence[int], scores: int, semente: int = 5) -> None:
    """`scores` demands for each unit, all with coordinates, as if ranked and located long ago."""
    sorte = random.Random(semente)
    demandas = [
        Demanda(uuid_sorteado(sorte), numero, nivel := 1 + i % 5, f"{nivel}.{1 + i // 5 % CATEGORIAS_POR_NIVEL}")
        for numero in unidades
        for i in range(scores)
    ]
    with conexao.cursor().copy(_sql.copiar_scores.sql) as copia:
        for d in demandas:
            score = sorte.randrange(1_000_000) / 100
            fixos = (100, 0.85, 95, 1, "bench-1", uuid_sorteado(sorte), uuid_sorteado(sorte), 0, INICIO)
            copia.write_row((d.id, d.id, unidade(d.unidade), d.categoria, d.nivel, score, *fixos))
    with conexao.cursor().copy(_sql.copiar_coordenadas.sql) as copia:
        for d in demandas:
            copia.write_row((d.id, *lugar(sorte, d.unidade), INICIO))
    with conexao.cursor().copy(_sql.copiar_unidades.sql) as copia:
        for numero in unidades:
            copia.write_row((unidade(numero),))

"""Applying in bulk: the drain against the per-event reference, and against one bare INSERT of its scores."""

import json
from collections.abc import Iterable, Sequence
from contextlib import closing
from datetime import datetime
from decimal import Decimal
from typing import Any

from threadpoolctl import threadpool_limits

from bench.banco import analisar, consultas, digitais
from bench.carga import Cidade, Evento, parametros
from bench.gravacao import acrescentar
from bench.medida import Contexto, Cronometro, Medida, Meta, figura
from bench.preparo import com_log, drenar
from bench.referencia.processador import Referencia
from d5_pipeline.conexao import conectar
from d5_pipeline.repositorio.cursores import posicoes

UNIDADES = 200
POR_COMANDO = 5_000
_sql = consultas("medicao")


@figura("aplicacao")
def aplicar_em_massa(ctx: Contexto) -> list[Medida]:
    """100,000 events from the beginning; the reference on a slice of the same log, from the state before it."""
    eventos, fatia, vezes = ctx.tamanho((100_000, 3_000, 5), (1_500, 200, 1))
    log, meio = com_log(ctx.servidor, eventos, UNIDADES), _no_meio(ctx, eventos // 2, fatia)
    comandos = _scores_em_lotes(Cidade(UNIDADES).eventos(eventos))
    dreno, insercao, na_fatia = Cronometro(), Cronometro(), Cronometro()
    um_a_um, com_um_fio = Cronometro(), Cronometro()
    diferentes: set[str] = set()
    for vez in range(vezes):
        ctx.dizer(f"aplicação em massa {vez + 1}/{vezes}: {eventos} eventos; referência em {fatia}")
        _drenar(ctx, log, dreno)
        _inserir(ctx, log, comandos, insercao)
        diferentes |= _comparar(_drenar(ctx, meio, na_fatia), _passo_a_passo(ctx, meio, um_a_um))
        with threadpool_limits(1):
            _passo_a_passo(ctx, meio, com_um_fio)
    nosso, nosso_na_fatia = dreno.serie("drain", "µs", eventos), na_fatia.serie("drain, same slice", "µs", fatia)
    deles_com_um_fio = com_um_fio.serie("reference, one thread", "µs", fatia)
    deles, bruta = um_a_um.serie("reference", "µs", fatia), insercao.serie("INSERT … ON CONFLICT", "µs", eventos)
    com_um_fio_so, na_mesma_fatia = deles_com_um_fio.mediana / nosso.mediana, deles.mediana / nosso_na_fatia.mediana
    trabalho = (
        f"{eventos:,} events, {UNIDADES} UCs: 80 % demanda.ranqueada (half re-rankings), 4 % ranking.atualizado, "
        "8 % coordinates, 8 % status; time per event"
    )
    return [
        Medida(
            "aplicacao",
            "applying, bulk: against the reference",
            trabalho,
            f"one statement per step, one commit per event, on the {fatia:,} events after the first {eventos // 2:,}",
            (nosso, deles, deles_com_um_fio, nosso_na_fatia),
            deles.mediana / nosso.mediana,
            Meta("≥", 20),
            nota=f"{com_um_fio_so:.1f} × with scikit-learn held to one thread in the reference; {na_mesma_fatia:.1f} × "
            "on the slice itself, where both sides ended in the same tables and publications",
            divergencia=f"tables that differ at the end: {', '.join(sorted(diferentes))}" if diferentes else "",
        ),
        Medida(
            "aplicacao",
            "applying, bulk: against a bare INSERT",
            trabalho,
            f"the same scores by INSERT … ON CONFLICT in batches of {POR_COMANDO:,}, same table and indexes",
            (nosso, bruta),
            bruta.mediana / nosso.mediana,
            Meta("≥", 0.5),
        ),
    ]


def _no_meio(ctx: Contexto, aplicados: int, fatia: int) -> str:
    """A database with the first events applied and the next ones in its log; returns its name."""
    cidade = Cidade(UNIDADES)
    nome = com_log(ctx.servidor, aplicados, UNIDADES, cidade)
    drenar(ctx.servidor.url(nome))
    with closing(conectar(ctx.servidor.url(nome))) as conexao:
        acrescentar(conexao, cidade.eventos(fatia))
        analisar(conexao)
    return nome


def _drenar(ctx: Contexto, modelo: str, cronometro: Cronometro) -> dict[str, str]:
    with ctx.servidor.copia(modelo) as url:
        ctx.servidor.assentar()
        with cronometro.medir():
            drenar(url)
        with closing(conectar(url)) as conexao:
            return digitais(conexao)


def _passo_a_passo(ctx: Contexto, modelo: str, cronometro: Cronometro) -> dict[str, str]:
    with ctx.servidor.copia(modelo) as url, closing(conectar(url)) as conexao:
        ctx.servidor.assentar()
        referencia = Referencia(conexao, parametros(UNIDADES), posicoes(conexao).desde)
        with cronometro.medir():
            referencia.drenar()
        return digitais(conexao)


def _inserir(ctx: Contexto, modelo: str, comandos: Sequence[dict[str, list[Any]]], cronometro: Cronometro) -> None:
    with ctx.servidor.copia(modelo) as url, closing(conectar(url)) as conexao:
        ctx.servidor.assentar()
        with cronometro.medir():
            for comando in comandos:
                _sql.gravar_scores(conexao, **comando)


def _comparar(obtidas: dict[str, str], esperadas: dict[str, str]) -> set[str]:
    """The names of the tables that differ."""
    return {tabela for tabela in esperadas if esperadas[tabela] != obtidas[tabela]}


def _scores_em_lotes(eventos: Iterable[Evento]) -> list[dict[str, list[Any]]]:
    """The arguments of the bare INSERT, one dictionary per batch; within a batch the last event of a demand wins."""
    comandos: list[dict[str, list[Any]]] = []
    lote: dict[str, tuple[Any, ...]] = {}
    vistos = 0
    for sequencia, evento in enumerate(eventos, start=1):
        if evento.tipo != "demanda.ranqueada":
            continue
        linha = _linha(sequencia, evento)
        lote[linha[0]] = linha
        vistos += 1
        if vistos % POR_COMANDO == 0:
            comandos.append(_colunas(lote))
            lote = {}
    return [*comandos, _colunas(lote)] if lote else comandos


NOMES = (
    "demandas",
    "unidades",
    "categorias",
    "niveis",
    "scores",
    "pesos_nacionais",
    "pesos_situacionais",
    "horizontais",
    "posicoes",
    "versoes",
    "event_ids",
    "correlacoes",
    "sequencias",
    "criados",
)


def _linha(sequencia: int, evento: Evento) -> tuple[Any, ...]:
    dados = json.loads(evento.payload, parse_float=Decimal)
    pesos = dados["breakdown"]
    criado_em: datetime = evento.criado_em
    return (
        dados["demanda_id"],
        dados["unidade_civica_id"],
        dados["categoria_id"],
        dados["nivel_precedencia"],
        Decimal(dados["score_final"]),
        Decimal(pesos["peso_nacional"]),
        pesos["peso_situacional"],
        pesos["score_horizontal"],
        dados["posicao_no_ranking"],
        dados["versao_parametros"],
        evento.event_id,
        evento.correlacao_id,
        sequencia,
        criado_em,
    )


def _colunas(lote: dict[str, tuple[Any, ...]]) -> dict[str, list[Any]]:
    colunas = zip(*lote.values(), strict=True)
    return {nome: list(coluna) for nome, coluna in zip(NOMES, colunas, strict=True)}

"""Applying in bulk: the drain against the per-event reference, and against one bare INSERT of its scores."""

import json
from contextlib import closing
from datetime import datetime
from decimal import Decimal
from typing import Any

from bench.banco import consultas, digitais
from bench.carga import Cidade, Evento, parametros
from bench.medida import Contexto, Cronometro, Medida, Meta, figura
from bench.preparo import com_log, drenar
from bench.referencia.processador import Referencia
from d5_pipeline.conexao import Conexao, conectar

UNIDADES = 200
POR_COMANDO = 5_000
_sql = consultas("medicao")


@figura("aplicacao")
def aplicar_em_massa(ctx: Contexto) -> list[Medida]:
    """100,000 events; the reference on the first of them, and there both must leave the same tables."""
    eventos, fatia, vezes = ctx.tamanho((100_000, 10_000, 5), (1_500, 300, 1))
    log, log_da_fatia = com_log(ctx.servidor, eventos, UNIDADES), com_log(ctx.servidor, fatia, UNIDADES)
    comandos = _scores_em_lotes(Cidade(UNIDADES).eventos(eventos))
    dreno, insercao, um_a_um, na_fatia = Cronometro(), Cronometro(), Cronometro(), Cronometro()
    for vez in range(vezes):
        ctx.dizer(f"aplicação em massa {vez + 1}/{vezes}: dreno de {eventos} eventos")
        with ctx.servidor.copia(log) as url:
            ctx.servidor.assentar()
            with dreno.medir():
                drenar(url)
        with ctx.servidor.copia(log) as url, closing(conectar(url)) as conexao:
            ctx.servidor.assentar()
            with insercao.medir():
                _inserir(conexao, comandos)
    diferentes = _comparar_com_a_referencia(ctx, log_da_fatia, um_a_um, na_fatia)
    lado, na_fatia_dele = dreno.serie("drain", "µs", eventos), na_fatia.serie("drain, same slice", "µs", fatia)
    referencia = um_a_um.serie("reference", "µs", fatia)
    bruta = insercao.serie("INSERT … ON CONFLICT", "µs", eventos)
    na_mesma_fatia = referencia.mediana / na_fatia_dele.mediana
    trabalho = (
        f"{eventos:,} events, {UNIDADES} UCs: 80 % demanda.ranqueada (half re-rankings), 4 % ranking.atualizado, "
        "8 % coordinates, 8 % status; time per event"
    )
    return [
        Medida(
            "aplicacao",
            "applying, bulk: against the reference",
            trabalho,
            f"one statement per step, one commit per event, on the first {fatia:,} of the same events",
            (lado, referencia, na_fatia_dele),
            referencia.mediana / lado.mediana,
            Meta("≥", 20),
            nota=f"on the same {fatia:,} events: {na_mesma_fatia:.1f} ×, and both end in the same tables and publications",
            divergencia=f"tables that differ at the end: {diferentes}" if diferentes else "",
        ),
        Medida(
            "aplicacao",
            "applying, bulk: against a bare INSERT",
            trabalho,
            f"the same scores by INSERT … ON CONFLICT in batches of {POR_COMANDO:,}, same table and indexes",
            (lado, bruta),
            bruta.mediana / lado.mediana,
            Meta("≥", 0.5),
        ),
    ]


def _comparar_com_a_referencia(ctx: Contexto, log: str, um_a_um: Cronometro, dreno: Cronometro) -> str:
    """Times both on the slice; the names of the tables that differ at the end, none if all are equal."""
    with ctx.servidor.copia(log) as da_referencia, ctx.servidor.copia(log) as do_dreno:
        ctx.dizer("aplicação em massa: referência, evento a evento")
        with closing(conectar(da_referencia)) as conexao:
            referencia = Referencia(conexao, parametros(UNIDADES))
            ctx.servidor.assentar()
            with um_a_um.medir():
                referencia.drenar()
            esperadas = digitais(conexao)
        ctx.servidor.assentar()
        with dreno.medir():
            drenar(do_dreno)
        with closing(conectar(do_dreno)) as conexao:
            obtidas = digitais(conexao)
    return ", ".join(tabela for tabela in esperadas if esperadas[tabela] != obtidas[tabela])


def _scores_em_lotes(eventos: Any) -> list[dict[str, list[Any]]]:
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


def _inserir(conexao: Conexao, comandos: list[dict[str, list[Any]]]) -> None:
    for comando in comandos:
        _sql.gravar_scores(conexao, **comando)

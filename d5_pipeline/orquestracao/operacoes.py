"""Ops: the steps of a run, each a few lines that hand a stage of processamento/ its input and pass the result on.

Belongs here: the order and the names an operator sees. Does not: rules, statements, what a value means.
None between ops means that there is nothing to do, or that the wave was undone and is left to the drain.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

import polars as pl
from dagster import Failure, OpExecutionContext, op

from d5_pipeline import preparacao
from d5_pipeline.dominio.eventos import Evento
from d5_pipeline.erros import ErroD5
from d5_pipeline.orquestracao.configuracao import (
    ConfiguracaoDaReconstrucao,
    ConfiguracaoDoDreno,
    ConfiguracaoDoReenvio,
    assinar,
)
from d5_pipeline.orquestracao.recursos import BancoD5
from d5_pipeline.orquestracao.relatorio import exigir_dlq_vazia, relatar, resumir
from d5_pipeline.orquestracao.simulacao import relatar_simulacao
from d5_pipeline.processamento import lote as etapas
from d5_pipeline.processamento.entrada import Lote
from d5_pipeline.processamento.lote import agora
from d5_pipeline.processamento.permanencia import drenar_e_permanecer
from d5_pipeline.processamento.primeira_onda import Ordenacao, gravar_onda, ler_primeira_onda
from d5_pipeline.processamento.reconstrucao import abrir_reconstrucao, unidades_pedidas
from d5_pipeline.processamento.reenvio import reenviar as reenviar_eventos
from d5_pipeline.processamento.resumo import Resumo
from d5_pipeline.processamento.semeadura import semear_se_preciso
from d5_pipeline.processamento.simulacao import comparar_onda, simular_pedido
from d5_pipeline.repositorio.agendas import Selecao

Gatilhos = Mapping[str, Evento]


@contextmanager
def erros_claros() -> Iterator[None]:
    """The project's own errors, shown as the run's failure in one line."""
    try:
        yield
    except ErroD5 as erro:
        raise Failure(description=str(erro), allow_retries=False) from erro


@op(description="Publica o que estava pendente e lê o maior prefixo do log que cabe em uma só onda.")
def ler(banco: BancoD5) -> Lote | None:
    """Opens the run's transaction."""
    with erros_claros():
        preparacao.verificar(banco.unidade.conexao)
        semear_se_preciso(banco.unidade.conexao)
        banco.dreno.publicar()
        banco.unidade.iniciar(tolerante=True)
        return banco.unidade.passo(lambda conexao: ler_primeira_onda(conexao, banco.tamanho_do_lote))


@op(description="Confere as unidades pedidas, publica o que estava pendente e registra a intervenção; ou só simula.")
def pedir(context: OpExecutionContext, banco: BancoD5, config: ConfiguracaoDaReconstrucao) -> Lote | None:
    """Opens the run's transaction for a manual rebuild (D32), or a look at one moment for its dry run."""
    with erros_claros():
        preparacao.verificar(banco.unidade.conexao)
        assinada = assinar(context, config.quem, config.por_que)
        unidades = unidades_pedidas(banco.unidade.conexao, config.unidades, config.todas)
        if config.simular:
            banco.unidade.simular()
            return banco.unidade.passo(lambda conexao: simular_pedido(conexao, unidades))
        semear_se_preciso(banco.unidade.conexao)
        banco.dreno.publicar()
        banco.unidade.iniciar(tolerante=False)
        return banco.unidade.passo(lambda conexao: abrir_reconstrucao(conexao, unidades, agora, assinada))


@op(description="Aplica os incrementos da onda e diz que unidades reconstruir.")
def aplicar(banco: BancoD5, lote: Lote | None) -> Gatilhos | None:
    """unit → trigger of the rebuilds that the wave asks for."""
    if lote is None:
        return None
    lote.cronometro = banco.unidade.tempo_de_trabalho
    return banco.unidade.passo(lambda conexao: etapas.aplicar_onda(conexao, lote, lote.eventos))


@op(description="Seleciona as demandas de cada unidade com as visões dbt (níveis e vagas).")
def selecionar(banco: BancoD5, lote: Lote | None, gatilhos: Gatilhos | None) -> Selecao | None:
    """The models' answer for the units to rebuild."""
    if lote is None or not gatilhos:
        return None
    banco.dreno.rastro.comecar_rebuild()
    return banco.unidade.passo(lambda conexao: etapas.selecionar(conexao, lote, gatilhos))


@op(description="Agrupa as demandas próximas de mesma categoria (DBSCAN, raio em metros).")
def agrupar(banco: BancoD5, selecao: Selecao | None) -> pl.DataFrame | None:
    """demanda_id, grupo_id."""
    if selecao is None:
        return None
    with banco.dreno.rastro.sem_a_carga("sklearn"):
        return banco.unidade.passo(lambda _: etapas.agrupar(selecao))


@op(description="Ordena a agenda de cada unidade com Polars e monta o que será publicado.")
def ordenar(
    banco: BancoD5, selecao: Selecao | None, grupos: pl.DataFrame | None, gatilhos: Gatilhos | None
) -> Ordenacao | None:
    """The rows to write, and each unit's agenda."""
    if selecao is None or grupos is None or not gatilhos:
        return None
    return banco.unidade.passo(lambda _: etapas.ordenar(selecao, grupos, gatilhos))


@op(description="Grava agendas, publicações pendentes, descartes e posição, e confirma; numa simulação, só compara.")
def persistir(
    context: OpExecutionContext, banco: BancoD5, lote: Lote | None, ordenacao: Ordenacao | None
) -> Lote | None:
    """The committed wave; None where nothing was committed."""
    if lote is None:
        return None
    if lote.simulado:
        _, prontas = ordenacao or (None, [])
        relatar_simulacao(context, banco.unidade.confirmar(lambda conexao: comparar_onda(conexao, prontas)))
        return None
    gravado = banco.unidade.confirmar(lambda conexao: gravar_onda(conexao, lote, ordenacao, agora))
    if gravado is not None and ordenacao is not None:
        banco.dreno.rastro.terminar_rebuild()
    return gravado


@op(description="Leva ao log o que está pendente, em ordem: até quatro tentativas por evento.")
def publicar(context: OpExecutionContext, banco: BancoD5, gravado: Lote | None) -> Resumo:
    """What the run did so far: nothing where the wave was undone."""
    if gravado is not None:
        banco.dreno.contar(gravado)
        with erros_claros():
            banco.dreno.publicar()
    resumo = replace(banco.dreno.resumo)
    resumir(context, resumo)
    return resumo


@op(description="Repete as etapas até nada restar, e permanece um instante à espera da cascata.")
def drenar(context: OpExecutionContext, banco: BancoD5, config: ConfiguracaoDoDreno, primeira: Resumo) -> Resumo:
    """What the whole run did. The run fails where events went to the DLQ, after the rest was applied."""
    resumo = banco.dreno.resumo
    with erros_claros():
        drenar_e_permanecer(banco.dreno, banco.ha_trabalho, config.prazo, config.permanencia, ativo=primeira.lidos > 0)
    resumir(context, resumo)
    relatar(context, banco)
    exigir_dlq_vazia(context, resumo)
    return resumo


@op(description="Mostra a agenda de cada unidade reconstruída: distribuição, tabela e mapa.")
def ilustrar(context: OpExecutionContext, banco: BancoD5, publicado: Resumo) -> Resumo:
    """What an operator had rebuilt, with maps in any case."""
    relatar(context, banco, mapas=True)
    return publicado


@op(description="Aplica de novo eventos da DLQ ou descartados, sem regredir estados, e publica o que resultar.")
def reenviar(context: OpExecutionContext, banco: BancoD5, config: ConfiguracaoDoReenvio) -> Resumo:
    """An operator's re-drive (D11, D32)."""
    with erros_claros():
        preparacao.verificar(banco.unidade.conexao)
        banco.dreno.publicar()
        assinada = assinar(context, config.quem, config.por_que)
        lote = reenviar_eventos(banco.unidade.conexao, config.origem.value, config.eventos, autoria=assinada)
        banco.dreno.contar(lote)
        banco.dreno.publicar()
    resumir(context, banco.dreno.resumo)
    relatar(context, banco)
    return banco.dreno.resumo

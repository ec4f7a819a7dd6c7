"""What a run tells the UI: tags, metadata, materialisations, and a failure where a person is needed.

Belongs here: when and how results are shown, and never at the cost of the run. Does not: the results themselves.
"""

import base64
import os
from collections.abc import Sequence
from typing import Any, Final

from dagster import AssetMaterialization, AssetObservation, Failure, MetadataValue, OpExecutionContext

from d5_pipeline.conexao import Conexao, com_tipo
from d5_pipeline.config import configuracao
from d5_pipeline.consultas import consultas
from d5_pipeline.orquestracao import retrato
from d5_pipeline.orquestracao.ativos import AGENDA, BACKLOG, LOG, UNIDADES
from d5_pipeline.orquestracao.rastro import Rastro
from d5_pipeline.orquestracao.recursos import BancoD5
from d5_pipeline.orquestracao.retrato import Retrato
from d5_pipeline.processamento.resumo import Resumo

ETIQUETA_DLQ = "d5/dlq"
"""Tag of a run that failed only because events went to the DLQ: its work is done, nothing waits for a retry."""

ETIQUETA_RELATO = "d5/relato"
"""Tag of a run whose work is done: what follows is only for the UI, and holds no other run back (vigia.py)."""

MAIS_UNIDADES: Final = 50
"""Units that a run reports one by one, those touched last; about 10 ms each."""

MAIS_MAPAS: Final = 20
"""Units of a run up to which each gets its map; about 0.1 s and 15 kB each."""


def resumir(context: OpExecutionContext, resumo: Resumo) -> None:
    """The summary as metadata of the op and as a line."""
    dados = resumo.como_dict()
    context.add_output_metadata(dados)
    context.log.info(", ".join(f"{nome}: {valor}" for nome, valor in dados.items()))


def relatar(context: OpExecutionContext, banco: BancoD5, mapas: bool = False) -> None:
    """Tags, the log that was read, the backlog and the agendas that were touched; `mapas`: draw them in any case.

    Called after everything is committed and published. What goes wrong here is a warning, never a failure of the run.
    """
    resumo, rastro = banco.dreno.resumo, banco.dreno.rastro
    try:
        context.instance.add_run_tags(context.run_id, etiquetas(resumo, rastro))
        if resumo.lidos:
            context.log_event(AssetObservation(LOG, description="log lido", metadata=_do_log(resumo, rastro)))
        if rastro.unidades:
            context.log_event(_backlog(banco.unidade.conexao, resumo, rastro))
            _relatar_agendas(context, banco.unidade.conexao, rastro.unidades, mapas)
    except Exception as erro:
        context.log.warning(f"o relatório ficou incompleto, a agenda não: {com_tipo(erro)}")


def etiquetas(resumo: Resumo, rastro: Rastro) -> dict[str, str]:
    """Tags by which a run is found: the numbers of the log it read, and counts where they are not 0."""
    contagens = {
        nome: getattr(resumo, nome)
        for nome in ("lidos", "descartados", "reconstrucoes", "publicacoes")
        if getattr(resumo, nome)
    }
    faixa = {} if rastro.primeira is None else {"sequencias": f"{rastro.primeira}-{rastro.ultima}"}
    unidades = {"unidades": len(rastro.unidades)} if rastro.unidades else {}
    return {f"d5/{nome}": str(valor) for nome, valor in {**faixa, **contagens, **unidades, "relato": "sim"}.items()}


def _do_log(resumo: Resumo, rastro: Rastro) -> dict[str, Any]:
    return {**resumo.como_dict(), "primeira_sequencia": rastro.primeira, "atraso_s": round(rastro.atraso or 0.0, 3)}


def _backlog(conexao: Conexao, resumo: Resumo, rastro: Rastro) -> AssetMaterialization:
    linhas, unidades, disponiveis = consultas("relatorio").contar_backlog(conexao)
    dados: dict[str, Any] = {
        "dagster/row_count": linhas,
        "unidades_civicas": unidades,
        "disponiveis": disponiveis,
        "unidades_tocadas": len(rastro.unidades),
        "unidades_relatadas": min(len(rastro.unidades), MAIS_UNIDADES),
        "reconstrucoes": resumo.reconstrucoes,
    }
    if rastro.rebuild is not None:
        dados["rebuild_ms"] = round(rastro.rebuild * 1000, 1)
    return AssetMaterialization(BACKLOG, description="agendas alteradas", metadata=dados)


def _relatar_agendas(context: OpExecutionContext, conexao: Conexao, tocadas: Sequence[str], mapas: bool) -> None:
    """One materialisation per unit, read just before: another run may have moved on meanwhile."""
    unidades = tocadas[:MAIS_UNIDADES]
    context.instance.add_dynamic_partitions(str(UNIDADES.name), unidades)
    com_mapa = unidades[:MAIS_MAPAS] if mapas or len(tocadas) <= MAIS_MAPAS else []
    for unidade in unidades:
        da_unidade = retrato.ler(conexao, unidade)
        dados = metadados(da_unidade)
        if unidade in com_mapa:
            dados["mapa"] = _mapa(context, da_unidade)
        context.log_event(AssetMaterialization(AGENDA, partition=unidade, description="agenda", metadata=dados))


def metadados(da_unidade: Retrato) -> dict[str, Any]:
    """What the materialisation of an agenda shows beside the map."""
    return {
        "total_itens": len(da_unidade.linhas),
        "disponiveis": sum(linha.status == "disponivel" for linha in da_unidade.linhas),
        "grupos_territoriais": len(da_unidade.grupos),
        "nivel_nao_vencido": da_unidade.nivel_nao_vencido or "nenhum",
        "vagas_oferecidas": sum(nivel.oferecidas for nivel in da_unidade.niveis),
        "vagas_livres": sum(nivel.livres for nivel in da_unidade.niveis),
        "distribuicao": MetadataValue.md(retrato.tabela_dos_niveis(da_unidade)),
        "agenda": MetadataValue.md(retrato.tabela_da_agenda(da_unidade)),
    }


def _mapa(context: OpExecutionContext, da_unidade: Retrato) -> MetadataValue:
    try:
        png = desenhar(da_unidade)
    except Exception as erro:
        context.log.warning(f"mapa de {da_unidade.unidade_civica_id} não desenhado: {type(erro).__name__}: {erro}")
        return MetadataValue.text("não foi desenhado; veja o aviso no registro da execução")
    if png is None:
        return MetadataValue.text("nenhuma demanda da agenda tem coordenadas")
    return MetadataValue.md(f"![mapa da agenda](data:image/png;base64,{base64.b64encode(png).decode()})")


def desenhar(da_unidade: Retrato) -> bytes | None:
    """PNG of the agenda's map; None where no demand has coordinates. Imports matplotlib, which keeps its caches."""
    os.environ.setdefault("MPLCONFIGDIR", str(configuracao().pasta.resolve() / "matplotlib"))
    import polars as pl

    from d5_pipeline.orquestracao import mapa

    linhas = [[getattr(linha, coluna) for coluna in mapa.ESQUEMA] for linha in da_unidade.linhas]
    return mapa.desenhar(pl.DataFrame(linhas, schema=mapa.ESQUEMA, orient="row"), da_unidade.unidade_civica_id)


def exigir_dlq_vazia(context: OpExecutionContext, resumo: Resumo) -> None:
    """Fails the run, and tags it, where it set events aside (D11)."""
    if resumo.dlq:
        context.instance.add_run_tags(context.run_id, {ETIQUETA_DLQ: str(resumo.dlq)})
        raise Failure(
            description=f"{resumo.dlq} evento(s) foram à DLQ e precisam de uma pessoa; os demais foram aplicados. "
            "Veja 'd5 dlq listar'",
            metadata=resumo.como_dict(),
            allow_retries=False,
        )

"""`d5 reconstruir`: the manual rebuild, and its dry run."""

from collections.abc import Sequence
from typing import Annotated

import typer

from d5_pipeline.cli import diferencas
from d5_pipeline.cli.contexto import Banco, EmJson, banco, dizer, imprimir_json, tela
from d5_pipeline.cli.intervencoes import PorQue, Quem
from d5_pipeline.cli.rascunho import rascunho
from d5_pipeline.conexao import Conexao
from d5_pipeline.repositorio.intervencoes import Autoria, autoria


def reconstruir(
    unidades: Annotated[list[str] | None, typer.Argument(metavar="UC…", help="Unidades cívicas (UUID).")] = None,
    todas: Annotated[bool, typer.Option("--todas", help="Todas as unidades conhecidas.")] = False,
    simular: Annotated[bool, typer.Option("--simular", help="Mostra o que mudaria e não grava nada.")] = False,
    em_json: EmJson = False,
    quem: Quem = None,
    por_que: PorQue = None,
) -> None:
    """Reconstrói o backlog das unidades cívicas a partir dos scores (rebuild manual)."""
    from d5_pipeline.processamento.reconstrucao import unidades_pedidas

    assinada = autoria(quem, por_que)
    alvo: Banco = banco()
    with alvo.legivel() if simular else alvo.verificado() as conexao:
        pedidas = unidades_pedidas(conexao, unidades or [], todas)
        if simular:
            _simular(conexao, pedidas, em_json)
        else:
            _reconstruir(alvo, conexao, pedidas, assinada, em_json)


def _reconstruir(alvo: Banco, conexao: Conexao, pedidas: Sequence[str], assinada: Autoria, em_json: bool) -> None:
    from d5_pipeline.processamento.dreno import Dreno
    from d5_pipeline.processamento.lote import agora
    from d5_pipeline.processamento.reconstrucao import reconstruir_unidades
    from d5_pipeline.processamento.semeadura import semear_se_preciso

    semear_se_preciso(conexao)
    publicador = Dreno(alvo.abrir, alvo.configuracao.lote)
    publicador.publicar()
    lote = reconstruir_unidades(conexao, pedidas, agora, assinada)
    publicadas, reconstruidas = publicador.publicar(), len(lote.unidades_reconstruidas)
    if em_json:
        intervencao = lote.eventos[0].event_id
        imprimir_json(
            {"gravado": True, "unidades": reconstruidas, "publicacoes": publicadas, "intervencao": intervencao}
        )
    else:
        tela.print(f"{reconstruidas} unidade(s) reconstruída(s), {publicadas} evento(s) publicado(s).")


def _simular(conexao: Conexao, pedidas: Sequence[str], em_json: bool) -> None:
    from d5_pipeline.processamento.simulacao import alcance, simular_rebuild
    from d5_pipeline.repositorio.fotografia import fotografia

    with rascunho() as achados:
        with fotografia(conexao):
            quanto = alcance(conexao)
            achados.guardar(simular_rebuild(conexao, pedidas))
        if em_json:
            diferencas.em_json(diferencas.resumo_do_rebuild(achados.totais, quanto), achados)
            return
        dizer(f"Simulação: nada foi gravado. {achados.totais.do_rebuild}")
        if quanto.ressalva:
            dizer(quanto.ressalva, "yellow")
        diferencas.detalhar(iter(achados))

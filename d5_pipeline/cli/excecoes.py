"""`d5 dlq`, `d5 descartes` and `d5 evento`: what did not go through, and what to do with it."""

import sys
from typing import Annotated

import typer

from d5_pipeline.cli import mostrar
from d5_pipeline.cli.contexto import Banco, EmJson, banco, imprimir_json, tela
from d5_pipeline.cli.idioma import Aplicativo
from d5_pipeline.cli.intervencoes import PorQue, Quem
from d5_pipeline.erros import ErroDeConfiguracao
from d5_pipeline.processamento.reenvio import Origem
from d5_pipeline.repositorio.intervencoes import Autoria, autoria

dlq = Aplicativo("Eventos que falharam: listar, mostrar, reenviar, descartar.")
descartes = Aplicativo("Eventos descartados por regra: listar, mostrar, reenviar, descartar.")

Todos = Annotated[bool, typer.Option("--todos", help="Também os já resolvidos ou encerrados.")]
Pedidos = Annotated[list[str] | None, typer.Argument(metavar="EVENTO…", help="event_id ou número de sequência.")]
Tudo = Annotated[bool, typer.Option("--tudo", help="Tudo o que está à espera.")]
Motivo = Annotated[str, typer.Option("--motivo", "--porque", help="Por que se desiste deles; fica registrado.")]


@dlq.command("listar")
def listar_dlq(todos: Todos = False, em_json: EmJson = False) -> None:
    """Lista o que está na DLQ."""
    from d5_pipeline.barramento.dlq import listar

    with banco().legivel() as conexao:
        linhas = listar(conexao, todos)
    colunas = {
        "sequence_number": "nº",
        "tipo": "tipo",
        "motivo": "motivo",
        "situacao": "situação",
        "tentativas": "tentativas",
        "proxima_em": "próxima em",
        "erro": "erro",
    }
    mostrar.registros("DLQ", colunas, linhas, em_json)


@descartes.command("listar")
def listar_descartes(todos: Todos = False, em_json: EmJson = False) -> None:
    """Lista os eventos descartados e por quê."""
    from d5_pipeline.repositorio.diagnostico import descartados

    with banco().legivel() as conexao:
        linhas = descartados(conexao, todos)
    colunas = {
        "sequence_number": "nº",
        "tipo": "tipo",
        "versao_schema": "versão do schema",
        "situacao": "situação",
        "motivo": "motivo",
    }
    mostrar.registros("Descartados", colunas, linhas, em_json)


def evento(
    pedido: Annotated[str, typer.Argument(metavar="EVENTO", help="event_id ou número de sequência.")],
    em_json: EmJson = False,
) -> None:
    """Diz o que foi feito de um evento do log: aplicado, descartado, na DLQ ou pendente, e por quê."""
    from d5_pipeline.repositorio.conhecidos import destino

    with banco().legivel() as conexao:
        achado = destino(conexao, pedido)
    if em_json:
        imprimir_json(achado)
    else:
        mostrar.evento(achado)


dlq.command("mostrar")(evento)
descartes.command("mostrar")(evento)


@dlq.command("reenviar")
def reenviar_dlq(pedidos: Pedidos = None, tudo: Tudo = False, quem: Quem = None, por_que: PorQue = None) -> int:
    """Aplica de novo eventos da DLQ, fora do seu lugar e sem regredir estados; publica o que estava pendente."""
    return _reenviar("dlq", pedidos or [], tudo, autoria(quem, por_que))


@descartes.command("reenviar")
def reenviar_descartes(pedidos: Pedidos = None, tudo: Tudo = False, quem: Quem = None, por_que: PorQue = None) -> int:
    """Valida e aplica de novo eventos descartados."""
    return _reenviar("descartes", pedidos or [], tudo, autoria(quem, por_que))


@dlq.command("descartar")
def descartar_dlq(motivo: Motivo, pedidos: Pedidos = None, tudo: Tudo = False, quem: Quem = None) -> None:
    """Desiste de eventos da DLQ; o registro fica."""
    _encerrar("dlq", pedidos or [], tudo, motivo, quem)


@descartes.command("descartar")
def descartar_descartes(motivo: Motivo, pedidos: Pedidos = None, tudo: Tudo = False, quem: Quem = None) -> None:
    """Encerra descartes: ninguém precisa mais olhar para eles."""
    _encerrar("descartes", pedidos or [], tudo, motivo, quem)


def _exigir_um(pedidos: list[str], tudo: bool) -> None:
    if tudo == bool(pedidos):
        raise ErroDeConfiguracao("informe os eventos ou use --tudo, uma coisa ou outra")


def _reenviar(origem: Origem, pedidos: list[str], tudo: bool, assinada: Autoria) -> int:
    from d5_pipeline.processamento.dreno import Dreno
    from d5_pipeline.processamento.reenvio import reenviar

    _exigir_um(pedidos, tudo)
    alvo: Banco = banco()
    with alvo.verificado() as conexao:
        publicador = Dreno(alvo.abrir, alvo.configuracao.lote)
        publicadas = publicador.publicar()
        lote = reenviar(conexao, origem, pedidos, autoria=assinada)
        publicadas += publicador.publicar()
    lidos, descartados = len(lote.leitura.envelopes), len(lote.descartes)
    tela.print(f"{lidos - descartados} evento(s) aplicado(s), {publicadas} evento(s) publicado(s).")
    for descarte in lote.descartes:
        sys.stderr.write(f"d5: {descarte.sequence_number} segue descartado: {descarte.motivo}\n")
    return 1 if descartados else 0


def _encerrar(origem: Origem, pedidos: list[str], tudo: bool, motivo: str, quem: str | None) -> None:
    from d5_pipeline.processamento.reenvio import encerrar

    _exigir_um(pedidos, tudo)
    with banco().verificado() as conexao:
        quantos = encerrar(conexao, origem, pedidos, motivo, quem)
    tela.print(f"{quantos} registro(s) encerrado(s).")

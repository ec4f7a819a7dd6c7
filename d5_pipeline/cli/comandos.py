"""The commands, one function each; what they do lies in the modules they call."""

import sys
from typing import Annotated

import typer

from d5_pipeline.cli import excecoes, leitura, modelos, mostrar, observacao
from d5_pipeline.cli.contexto import EmJson, banco, imprimir_json, tela
from d5_pipeline.cli.idioma import Aplicativo
from d5_pipeline.cli.intervencoes import PorQue, Quem, intervencoes
from d5_pipeline.cli.parametros import parametros
from d5_pipeline.cli.reconstrucao import reconstruir
from d5_pipeline.repositorio.intervencoes import autoria

aplicativo = Aplicativo("D-5 Agenda: o backlog ordenado de cada unidade cívica.", nome="d5")
cursores = Aplicativo("Posições de leitura no log: listar, definir.")
PORTA = 3000
ENDERECO = "127.0.0.1"

Porta = Annotated[int, typer.Option(min=1, max=65_535, help="Porta da interface web.")]

COMECAR = "Começar e manter no ar"
PERGUNTAR = "Perguntar (só leem)"
INTERVIR = "Intervir (cada intervenção fica registrada)"
VIGIAR = "Monitorar e documentar"


@aplicativo.command(rich_help_panel=COMECAR)
def preparar() -> None:
    """Deixa o banco pronto: log (se faltar), migrações, parâmetros e visões. Pode ser repetido."""
    from d5_pipeline.preparacao import preparar as preparar_banco

    alvo = banco()
    with alvo.conectado() as conexao:
        preparar_banco(conexao, alvo.url, alvo.configuracao.parametros, lambda passo: tela.print(f"• {passo}"))
    tela.print("Banco pronto.")


@aplicativo.command(rich_help_panel=COMECAR)
def iniciar(
    desde_inicio: Annotated[bool, typer.Option("--desde-inicio", help="Começa do primeiro evento do log.")] = False,
    quem: Quem = None,
    por_que: PorQue = None,
) -> None:
    """Semeia os cursores no fim do log, ou no início a pedido; não altera cursores que já existem."""
    from d5_pipeline.processamento.semeadura import semear

    assinada = autoria(quem, por_que)
    with banco().verificado() as conexao:
        posicao = semear(conexao, desde_inicio, autoria=assinada)
    if posicao is None:
        tela.print("Os cursores já existem e não foram alterados; veja 'd5 cursores listar'.")
    else:
        tela.print(f"Cursores semeados em {posicao}.")


@aplicativo.command(rich_help_panel=COMECAR)
def processar(em_json: EmJson = False) -> int:
    """Aplica e publica tudo o que está pendente, neste processo."""
    from d5_pipeline.cli.progresso import barra
    from d5_pipeline.processamento.dreno import Dreno
    from d5_pipeline.processamento.semeadura import semear_se_preciso

    alvo = banco()
    with alvo.verificado() as conexao:
        semear_se_preciso(conexao)
        with barra(conexao) as ao_avancar:
            dreno = Dreno(alvo.abrir, alvo.configuracao.lote, ao_avancar=ao_avancar)
            try:
                dreno.drenar()
            finally:
                mostrar.resumo(dreno.resumo, em_json)
    if dreno.resumo.dlq:
        sys.stderr.write(f"d5: {dreno.resumo.dlq} evento(s) na DLQ; veja 'd5 dlq listar'\n")
    return 1 if dreno.resumo.dlq else 0


@cursores.command("listar")
def listar_cursores(em_json: EmJson = False) -> None:
    """Mostra a posição de cada tipo de evento."""
    from d5_pipeline.repositorio import cursores as repositorio
    from d5_pipeline.repositorio import migracoes

    with banco().conectado() as conexao:
        migracoes.verificar(conexao)
        lista = repositorio.listar(conexao)
    if em_json:
        imprimir_json(lista)
    else:
        mostrar.cursores(lista)


@cursores.command("definir", context_settings={"ignore_unknown_options": True})
def definir_cursores(
    argumentos: Annotated[list[str], typer.Argument(metavar="TIPO|--todos N", help="Tipo de evento e posição.")],
    quem: Quem = None,
    por_que: PorQue = None,
) -> None:
    """Move cursores por ordem do operador (reentrega, backup restaurado)."""
    from d5_pipeline.processamento.posicionamento import definir, interpretar

    tipos, posicao = interpretar(argumentos)
    assinada = autoria(quem, por_que)
    with banco().verificado() as conexao:
        definir(conexao, tipos, posicao, assinada)
    tela.print(f"{len(tipos)} cursor(es) em {posicao}: a próxima leitura começa acima.")


@aplicativo.command(rich_help_panel=PERGUNTAR)
def status(em_json: EmJson = False) -> None:
    """Cursores, atraso, lacunas, backlog por unidade, filas e unidades silenciosas."""
    from d5_pipeline.preparacao import verificar_esquemas
    from d5_pipeline.repositorio import diagnostico

    with banco().conectado() as conexao:
        verificar_esquemas(conexao)
        situacao = diagnostico.situacao(conexao)
    if em_json:
        imprimir_json(situacao)
    else:
        mostrar.situacao(situacao)


@aplicativo.command(rich_help_panel=INTERVIR)
def reprocessar(
    trocar: Annotated[bool, typer.Option("--trocar", help="Põe as linhas refeitas no lugar das vivas.")] = False,
    em_json: EmJson = False,
    quem: Quem = None,
    por_que: PorQue = None,
) -> int:
    """Refaz toda a projeção a partir do log, ao lado das tabelas vivas, e diz o que difere; não publica nada."""
    from d5_pipeline.cli.progresso import barra_ate
    from d5_pipeline.processamento.reprocessamento import Reprocessamento
    from d5_pipeline.processamento.sombra import sombra

    assinada = autoria(quem, por_que)
    alvo = banco()
    lote, comandos_preparados = alvo.configuracao.lote, alvo.configuracao.comandos_preparados
    with (
        alvo.verificado() as conexao,
        sombra(alvo.url, comandos_preparados) as refeita,
        barra_ate(conexao) as ao_avancar,
    ):
        relatorio = Reprocessamento(conexao, refeita, lote, ao_avancar).executar(trocar, assinada)
    mostrar.reprocessamento(relatorio, em_json)
    return 1 if relatorio.total and not relatorio.trocado else 0


@aplicativo.command(rich_help_panel=COMECAR)
def demo(
    ui: Annotated[bool, typer.Option("--ui", help="Mantém a interface web no ar com os mesmos dados.")] = False,
    porta: Porta = PORTA,
) -> int:
    """A demonstração: solicitações reais viram eventos, a D-5 responde, as agendas aparecem na tela."""
    from d5_pipeline.cli.demo import executar

    return executar(porta if ui else None, ENDERECO)


@aplicativo.command(rich_help_panel=COMECAR)
def servir(
    porta: Porta = PORTA,
    endereco: Annotated[str, typer.Option(help="Endereço em que ela escuta.")] = ENDERECO,
) -> int:
    """Inicia a interface web e o daemon do Dagster sobre o banco configurado."""
    from d5_pipeline.cli.servico import servir as iniciar_servico

    return iniciar_servico(banco(), porta, endereco)


aplicativo.command("evento", rich_help_panel=PERGUNTAR)(excecoes.evento)
aplicativo.command("explicar", rich_help_panel=PERGUNTAR)(leitura.explicar)
aplicativo.command("rastrear", rich_help_panel=PERGUNTAR)(leitura.rastrear)
aplicativo.command("exportar", rich_help_panel=PERGUNTAR)(leitura.exportar)
aplicativo.add_typer(intervencoes, name="intervencoes", rich_help_panel=PERGUNTAR)
aplicativo.command("reconstruir", rich_help_panel=INTERVIR)(reconstruir)
aplicativo.add_typer(parametros, name="parametros", rich_help_panel=INTERVIR)
aplicativo.add_typer(cursores, name="cursores", rich_help_panel=INTERVIR)
aplicativo.add_typer(excecoes.dlq, name="dlq", rich_help_panel=INTERVIR)
aplicativo.add_typer(excecoes.descartes, name="descartes", rich_help_panel=INTERVIR)
aplicativo.command("saude", rich_help_panel=VIGIAR)(observacao.saude)
aplicativo.command("metricas", rich_help_panel=VIGIAR)(observacao.metricas)
aplicativo.command("dbt", context_settings=modelos.REPASSAR, rich_help_panel=VIGIAR)(modelos.dbt)

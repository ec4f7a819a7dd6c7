"""`d5 intervencoes`, and how every command that intervenes asks who does it and why (D32)."""

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from d5_pipeline.cli import mostrar
from d5_pipeline.cli.contexto import EmJson, banco, imprimir_lista_json
from d5_pipeline.cli.idioma import Aplicativo
from d5_pipeline.repositorio.intervencoes import Intervencao, percorrer

intervencoes = Aplicativo("O que operadores fizeram fora do log: quem, quando e por quê.")

Quem = Annotated[str | None, typer.Option("--quem", help="Quem intervém; sem ele, o usuário do sistema.")]
PorQue = Annotated[str | None, typer.Option("--porque", help="Por que se intervém; fica registrado.")]


@intervencoes.command("listar")
def listar_intervencoes(em_json: EmJson = False) -> None:
    """Lista as intervenções na ordem em que valeram."""
    from d5_pipeline.repositorio import migracoes

    with banco().conectado() as conexao:
        migracoes.verificar(conexao)
        if em_json:
            imprimir_lista_json(intervencao._asdict() for intervencao in percorrer(conexao))
            return
        colunas = ("quando", "quem", "tipo", "o quê", "por quê", "log aplicado até")
        mostrar.tabela("Intervenções", colunas, _linhas(percorrer(conexao)))


def _linhas(todas: Iterator[Intervencao]) -> Iterator[tuple[Any, ...]]:
    for i in todas:
        yield i.quando, i.quem, i.tipo, _resumir(i), i.por_que, i.aplicado_ate


def _resumir(intervencao: Intervencao) -> str:
    argumentos = intervencao.argumentos
    match intervencao.tipo:
        case "semeadura":
            return f"a partir de {argumentos['posicao']}"
        case "parametros":
            return f"versão {argumentos['versao']}"
        case "cursores":
            return f"{len(argumentos['tipos'])} cursor(es) em {argumentos['posicao']}"
        case "reconstrucao":
            return f"{len(argumentos['unidades'])} unidade(s)"
        case "reenvio" | "encerramento":
            return f"{len(argumentos['sequencias'])} evento(s), {argumentos['origem']}"
        case "reprocessamento":
            return f"{sum(argumentos['diferencas'].values())} diferença(s)"

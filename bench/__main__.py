"""`python -m bench`: measures, shows a table, keeps the results."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from bench import medidas, relatorio
from bench.banco import servidor_embutido
from bench.medida import FIGURAS, Contexto, Medida
from d5_pipeline.registro import configurar

DOCS = Path(__file__).resolve().parents[1] / "docs"


def principal(
    curto: Annotated[bool, typer.Option("--curto", help="Tamanhos mínimos, só para ver que tudo roda.")] = False,
    so: Annotated[list[str] | None, typer.Option(help=f"Só estas figuras: {', '.join(medidas.MODULOS)}.")] = None,
    json: Annotated[Path | None, typer.Option(help="Grava os resultados neste arquivo.")] = None,
    gravar: Annotated[bool, typer.Option("--relatorio", help="Refaz docs/desempenho.* com os resultados.")] = False,
    redesenhar: Annotated[bool, typer.Option(help="Não mede: refaz página e imagens do JSON que há.")] = False,
) -> None:
    """Mede cada figura contra a sua referência. Sai com 1 onde os dois lados deviam dar o mesmo e não deram."""
    if redesenhar:
        relatorio.escrever(relatorio.de_json((DOCS / "desempenho.json").read_text(encoding="utf-8")), DOCS)
        return
    nomes = so or list(medidas.MODULOS)
    if desconhecidas := sorted(set(nomes) - set(FIGURAS)):
        raise typer.BadParameter(f"figura desconhecida: {', '.join(desconhecidas)}")
    if gravar and (so or curto):
        raise typer.BadParameter("o relatório é de uma execução inteira: sem --so e sem --curto")
    resultados = _medir(nomes, curto)
    if json is not None:
        json.write_text(relatorio.como_json(resultados), encoding="utf-8")
    if gravar:
        relatorio.escrever(resultados, DOCS)
    Console(width=160).print(relatorio.tabela(resultados.medidas))
    if divergencias := [f"{m.nome}: {m.divergencia}" for m in resultados.medidas if m.divergencia]:
        sys.exit("; ".join(divergencias))


def _medir(nomes: list[str], curto: bool) -> relatorio.Resultados:
    configurar("error", em_json=False)
    tela = Console(stderr=True)
    inicio = datetime.now(UTC)

    def dizer(texto: str) -> None:
        tela.print(f"{(datetime.now(UTC) - inicio).total_seconds():6.0f} s  {texto}")

    medidos: list[Medida] = []
    with servidor_embutido() as servidor:
        ambiente = relatorio.ambiente(servidor, inicio.date())
        for nome in nomes:
            novos = FIGURAS[nome](Contexto(servidor, curto, dizer))
            for medida in novos:
                dizer(relatorio.resumo(medida))
            medidos += novos
    return relatorio.Resultados(ambiente, medidos)


if __name__ == "__main__":
    typer.run(principal)

"""`d5 metricas` and `d5 saude`: the running service as monitoring sees it."""

import sys
from typing import Annotated, Any

import typer

from d5_pipeline.cli.contexto import EmJson, banco, imprimir_json, tela
from d5_pipeline.dominio.saude import Limites, Sinais, motivos
from d5_pipeline.erros import MedicaoImpossivel

PORTA = 9405


def metricas(
    porta: Annotated[int, typer.Option(min=0, max=65_535, help="Porta HTTP; 0: uma livre.")] = PORTA,
    endereco: Annotated[str, typer.Option(help="Endereço em que escuta.")] = "127.0.0.1",
    uma_vez: Annotated[bool, typer.Option("--uma-vez", help="Escreve as métricas na saída padrão e termina.")] = False,
) -> None:
    """Serve as métricas no formato do Prometheus; com o banco fora do ar, d5_up vale 0."""
    from d5_pipeline.cli.exposicao import Exposicao
    from d5_pipeline.repositorio.metricas import medir

    alvo = banco()
    exposicao = Exposicao(lambda: alvo.medir(medir))
    primeira = exposicao.texto()  # an address that can never work is refused before anybody listens
    if uma_vez:
        sys.stdout.write(primeira)
    else:
        exposicao.servir(porta, endereco, lambda url: tela.print(f"Métricas em {url}. Ctrl-C para parar."))


def saude(
    atraso_maximo: Annotated[
        float | None, typer.Option(min=0, metavar="SEGUNDOS", help="Atraso tolerado; sem ela, D5_ATRASO_MAXIMO.")
    ] = None,
    sem_progresso: Annotated[
        float | None, typer.Option(min=0, metavar="SEGUNDOS", help="Parada tolerada; sem ela, D5_SEM_PROGRESSO.")
    ] = None,
    em_json: EmJson = False,
) -> int:
    """Diz se o serviço está saudável: código 0; ou 1, com um motivo por linha."""
    from d5_pipeline.repositorio.sinais import sinais

    alvo = banco()
    limites = Limites(
        alvo.configuracao.atraso_maximo if atraso_maximo is None else atraso_maximo,
        alvo.configuracao.sem_progresso if sem_progresso is None else sem_progresso,
    )
    try:
        medidos = alvo.medir(sinais)
    except MedicaoImpossivel as erro:
        return _concluir([str(erro)], None, em_json)
    return _concluir(list(motivos(medidos, limites)), medidos, em_json)


def _concluir(achados: list[str], medidos: Sinais | None, em_json: bool) -> int:
    if em_json:
        imprimir_json({"saudavel": not achados, "motivos": achados, "sinais": medidos and _em_json(medidos)})
    elif not achados:
        tela.print("Saudável.")
    else:
        sys.stderr.writelines(f"d5: {motivo}\n" for motivo in achados)
    return 1 if achados else 0


def _em_json(medidos: Sinais) -> dict[str, Any]:
    return {
        **medidos._asdict(),
        "atrasos": {tipo: atraso._asdict() for tipo, atraso in medidos.atrasos.items()},
        "lacunas": [{**presa.lacuna._asdict(), "segundos": presa.segundos} for presa in medidos.lacunas],
        "dlq": [
            {"motivo": motivo, "situacao": situacao, "eventos": quantas}
            for (motivo, situacao), quantas in medidos.dlq.items()
        ],
    }

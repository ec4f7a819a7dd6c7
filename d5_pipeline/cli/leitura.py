"""`d5 explicar`, `d5 exportar`, `d5 rastrear`: reading for operators, auditors and open data. Nothing here writes."""

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from d5_pipeline.cli import mostrar_leitura, mostrar_rastro
from d5_pipeline.cli.contexto import EmJson, banco, imprimir_json, tela
from d5_pipeline.dominio.exportacao import Linha
from d5_pipeline.erros import ErroDeConfiguracao

Unidade = Annotated[str | None, typer.Option("--uc", metavar="UNIDADE", help="Unidade cívica (UUID).")]


def explicar(
    demanda: Annotated[str | None, typer.Argument(metavar="DEMANDA", help="Demanda (UUID).")] = None,
    uc: Unidade = None,
    em_json: EmJson = False,
) -> None:
    """Diz por que a demanda está onde está e o que teria de mudar; com --uc, o mesmo de toda uma unidade."""
    from d5_pipeline.repositorio.conhecidos import identificador
    from d5_pipeline.repositorio.explicacoes import explicar as explicar_demanda
    from d5_pipeline.repositorio.explicacoes import explicar_unidade

    if (demanda is None) == (uc is None):
        raise ErroDeConfiguracao("informe uma demanda ou --uc UNIDADE, uma coisa ou outra")
    if demanda is not None:
        demanda_id = identificador(demanda, "demanda")
        with banco().conectado() as conexao:
            mostrar_leitura.explicacao(explicar_demanda(conexao, demanda_id), em_json)
        return
    unidade = identificador(uc or "", "unidade cívica")
    with banco().conectado() as conexao:
        achado = explicar_unidade(conexao, unidade)
    mostrar_leitura.unidade(achado, em_json)


class Formato(StrEnum):
    """What `d5 exportar` writes."""

    CSV = "csv"
    GEOJSON = "geojson"


class StatusPublico(StrEnum):
    """What the public sees: a drawn demand is still available (2.3)."""

    DISPONIVEL = "disponivel"
    EM_PROGRESSO = "em_progresso"
    CONCLUIDO = "concluido"
    REMOVIDO = "removido"
    AGREGADO = "agregado"


class Contagem:
    """Counts what passes by."""

    def __init__(self) -> None:
        self.total = 0

    def contar(self, linhas: Iterator[Linha]) -> Iterator[Linha]:
        """The same rows."""
        for linha in linhas:
            self.total += 1
            yield linha


def exportar(
    uc: Unidade = None,
    nivel: Annotated[int | None, typer.Option(min=0, max=5, help="Nível de precedência.")] = None,
    categoria: Annotated[str | None, typer.Option(metavar="N.M", help="Categoria.")] = None,
    status: Annotated[StatusPublico | None, typer.Option(help="Status público.")] = None,
    caixa: Annotated[str | None, typer.Option(metavar="LNG,LAT,LNG,LAT", help="Oeste, sul, leste, norte.")] = None,
    formato: Annotated[Formato, typer.Option(help="Formato da saída.")] = Formato.CSV,
    com_agregadas: Annotated[bool, typer.Option("--com-agregadas", help="Também as demandas agregadas.")] = False,
    saida: Annotated[Path | None, typer.Option(metavar="ARQUIVO", help="Arquivo; sem ele, a saída padrão.")] = None,
    em_json: Annotated[bool, typer.Option("--json", help="Com --saida: o resumo como objeto JSON.")] = False,
) -> None:
    """Exporta a agenda pública em dados abertos: uma demanda sorteada e não iniciada aparece como disponivel."""
    from d5_pipeline.cli.saida import escrever
    from d5_pipeline.dominio.exportacao import em_csv, em_geojson
    from d5_pipeline.repositorio.exportacoes import agenda, filtro

    if em_json and saida is None:
        raise ErroDeConfiguracao("--json resume o que foi para um arquivo; use-o com --saida")
    escolhido = filtro(uc, nivel, categoria, status, caixa, com_agregadas)
    contagem = Contagem()
    with banco().conectado() as conexao:
        linhas = contagem.contar(agenda(conexao, escolhido))
        escrever(em_csv(linhas) if formato is Formato.CSV else em_geojson(linhas), saida)
    if em_json:
        imprimir_json({"demandas": contagem.total, "formato": formato, "arquivo": str(saida)})
    elif saida is not None:
        tela.print(f"{contagem.total} demanda(s) em {saida}.", highlight=False)


def rastrear(
    correlacao: Annotated[str, typer.Argument(metavar="CORRELACAO_ID", help="Correlação (UUID).")],
    desde: Annotated[int, typer.Option(min=1, help="Primeiro número do log a procurar.")] = 1,
    ate: Annotated[int | None, typer.Option(min=0, help="Último número; sem ele, o fim do log.")] = None,
    em_json: EmJson = False,
) -> int:
    """Segue uma correlação: no que a D-5 guarda e no log, lido do começo ao fim ou entre --desde e --ate."""
    from d5_pipeline.barramento.leitor import maior_sequencia
    from d5_pipeline.cli.progresso import barra_entre
    from d5_pipeline.repositorio.conhecidos import identificador
    from d5_pipeline.repositorio.rastros import Busca
    from d5_pipeline.repositorio.rastros import rastrear as seguir

    correlacao_id = identificador(correlacao, "correlação")
    if ate and ate < desde:
        raise ErroDeConfiguracao(f"--ate {ate} vem antes de --desde {desde}; nada há a procurar entre eles")
    with banco().legivel() as conexao:
        fim = maior_sequencia(conexao)
        busca = Busca(desde - 1, fim if ate is None else min(ate, fim), fim)
        with barra_entre(busca.desde, busca.ate, "Procurando no log") as ao_avancar:
            rastro = seguir(conexao, correlacao_id, busca, ao_avancar)
    mostrar_rastro.rastro(rastro, em_json)
    return 130 if rastro.busca.interrompida else 0

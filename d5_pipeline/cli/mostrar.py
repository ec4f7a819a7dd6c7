"""Tables people can read."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from rich.table import Table

from d5_pipeline.cli.contexto import dizer, imprimir_json, tela
from d5_pipeline.dominio.lacunas import espera, quem
from d5_pipeline.dominio.portugues import momento
from d5_pipeline.processamento.reprocessamento import Relatorio
from d5_pipeline.processamento.resumo import Resumo

STATUS = ("disponivel", "atribuido", "em_progresso", "concluido", "agregado", "removido")


def tabela(titulo: str, colunas: Iterable[str], linhas: Iterable[Sequence[object]]) -> None:
    """A titled table; numbers to the right and whole, None as a dash."""
    desenho = Table(title=titulo, title_justify="left", title_style="bold")
    for coluna in colunas:
        desenho.add_column(coluna)
    for linha in linhas:
        desenho.add_row(*map(_celula, linha))
    for desenhada in desenho.columns:
        celulas = [str(celula).replace("—", "0") for celula in desenhada.cells]
        numeros = bool(celulas) and all(_numero(celula) for celula in celulas)
        desenhada.justify, desenhada.overflow = "right" if numeros else "left", "fold"  # a narrow screen drops nothing
        desenhada.min_width = max(map(len, celulas)) if numeros else 1
    tela.print(desenho)


def _celula(valor: object) -> str:
    if isinstance(valor, datetime):
        return momento(valor)
    return "—" if valor is None else str(valor)


def _numero(texto: str) -> bool:
    return texto.replace(".", "").replace(",", "", 1).isdigit()


def resumo(feito: Resumo, em_json: bool = False) -> None:
    """What a drain did, and the hole at which it stopped: a JSON object for programs, else a few sentences."""
    if em_json:
        imprimir_json({**feito.como_dict(), "lacuna": feito.lacuna and feito.lacuna._asdict()})
        return
    tela.print(
        f"{feito.lidos} evento(s) lido(s): {feito.aplicados} aplicado(s), {feito.descartados} descartado(s), "
        f"{feito.dlq} na DLQ."
    )
    tela.print(f"{feito.reconstrucoes} rebuild(s), {feito.publicacoes} evento(s) publicado(s).")
    if feito.lacunas_passadas:
        tela.print(f"{feito.lacunas_passadas} lacuna(s) do log passada(s): números que nunca serão usados.")
    tela.print(f"Log aplicado até a sequência {feito.ultima_sequencia}.")
    if feito.lacuna is not None:
        dizer(f"O que vem depois espera pela {espera(feito.lacuna)}.", "yellow")


def cursores(lista: Sequence[dict[str, Any]]) -> None:
    """Positions by type."""
    tabela(
        "Cursores",
        ("tipo de evento", "publicado até", "aplicado até"),
        ((c["tipo_evento"], c["last_sequence"], c["aplicado_ate"]) for c in lista),
    )


def registros(titulo: str, colunas: Mapping[str, str], linhas: Sequence[dict[str, Any]], em_json: bool) -> None:
    """A list of records: some columns (field → heading) for people, everything for programs."""
    if em_json:
        imprimir_json(linhas)
    elif not linhas:
        tela.print(f"{titulo}: nada à espera.")
    else:
        tabela(titulo, colunas.values(), ([linha[coluna] for coluna in colunas] for linha in linhas))


def evento(achado: dict[str, Any]) -> None:
    """What became of an event."""
    tela.print(f"{achado['tipo']} nº {achado['sequence_number']} ({achado['event_id']}), de {achado['origem']}")
    tela.print(f"correlação {achado['correlacao_id']}, criado em {momento(achado['criado_em'])}")
    tela.print(f"{achado['destino']}: ", style="bold", end="")
    tela.print(achado["motivo"])
    for efeito in achado["efeitos"]:
        tela.print(f"• {efeito['efeito']}" + (f" (demanda {efeito['demanda_id']})" if efeito["demanda_id"] else ""))
    for publicacao in achado["publicacoes"]:
        tela.print(f"• publicado na mesma correlação: nº {publicacao['sequence_number']} {publicacao['tipo']}")


def reprocessamento(relatorio: Relatorio, em_json: bool) -> None:
    """What a replay did and found."""
    if em_json:
        imprimir_json({**asdict(relatorio), "total": relatorio.total})
        return
    tela.print(
        f"{relatorio.eventos} evento(s) e {relatorio.intervencoes} intervenção(ões) refeitos até {relatorio.ate}: "
        f"{relatorio.total} diferença(s)."
    )
    for tabela_, quantas in relatorio.diferencas.items():
        tela.print(f"{tabela_}: {quantas}", style="yellow")
        for achado in relatorio.amostra[tabela_]:
            tela.print(f"  {achado}")
    if relatorio.trocado:
        tela.print("As linhas refeitas estão no lugar das antigas.")


def situacao(dados: dict[str, Any], agora: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
    """The whole state, section by section."""
    if not dados["cursores"]:
        tela.print("Os cursores ainda não foram semeados: nada é lido antes de 'd5 iniciar'.", style="yellow")
    tabela(
        "Cursores",
        ("tipo de evento", "publicado até", "aplicado até", "atraso (eventos)", "atraso (s)"),
        (
            (
                c["tipo_evento"],
                c["last_sequence"],
                c["aplicado_ate"],
                c["atraso"],
                int((agora() - c["mais_antigo"]).total_seconds()) if c["mais_antigo"] else 0,
            )
            for c in dados["cursores"]
        ),
    )
    if dados["lacunas"]:
        tabela(
            "Lacunas abertas no log: nada acima é aplicado enquanto a transação que pode preenchê-las viver",
            ("de", "até", "vista em", "quem segura"),
            ((x["inicio"], x["fim"], x["vista_em"], quem(x["portadores"])) for x in dados["lacunas"]),
        )
    tabela(
        "Backlog por unidade cívica",
        ("unidade cívica", *STATUS),
        ((u["unidade_civica_id"], *(u["itens"].get(status, 0) for status in STATUS)) for u in dados["backlog"]),
    )
    tela.print(
        f"Publicações pendentes: {dados['publicacoes_pendentes']} · DLQ: {dados['dlq']} · "
        f"Descartados: {dados['descartados']} · Números de lacunas passadas: {dados['lacunas_passadas']}"
    )
    for unidade in dados["unidades_silenciosas"]:
        tela.print(f"Unidade silenciosa: {unidade} tem demandas à espera e nenhuma disponível (D31).", style="yellow")

"""Explanations and traces on the screen, and the same as JSON."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from msgspec import to_builtins
from rich.padding import Padding
from rich.text import Text

from d5_pipeline.cli.contexto import imprimir_json, tela
from d5_pipeline.cli.mostrar import tabela
from d5_pipeline.dominio.condicoes import condicoes, no_rebuild
from d5_pipeline.dominio.explicacao import motivos, situacao
from d5_pipeline.dominio.portugues import momento, numero
from d5_pipeline.repositorio.explicacoes import Explicacao


def explicada(achado: Explicacao) -> dict[str, Any]:
    """An explanation as plain values: the sentences, and the facts behind them."""
    fatos, contexto = achado.fatos, achado.contexto
    return {
        "demanda_id": achado.demanda_id,
        "situacao": situacao(fatos),
        "motivos": motivos(fatos, contexto) if fatos else [],
        "no_rebuild": no_rebuild(fatos) if fatos else None,
        "condicoes": condicoes(fatos, contexto),
        "aplicado_ate": achado.aplicado_ate,
        "fatos": to_builtins(fatos, builtin_types=(Decimal, datetime)),
        "contexto": to_builtins(contexto, builtin_types=(Decimal, datetime)),
        "historico": achado.historico,
    }


def explicacao(achado: Explicacao, em_json: bool) -> None:
    """Why a demand is where it is."""
    dita = explicada(achado)
    if em_json:
        imprimir_json(dita)
        return
    titulo(f"Demanda {dita['demanda_id']}")
    texto(dita["situacao"])
    topicos("Por quê", dita["motivos"])
    topicos("Se a unidade fosse reconstruída agora", [dita["no_rebuild"]] if dita["no_rebuild"] else [])
    topicos("O que teria de mudar", dita["condicoes"])
    if dita["fatos"]:
        historico(dita["historico"])
    ate_onde(dita["aplicado_ate"])


def historico(transicoes: Sequence[dict[str, Any]]) -> None:
    """A demand's transitions, oldest first."""
    tela.print()
    if not transicoes:
        texto("Nenhuma transição de status.")
        return
    tabela(
        "Transições de status",
        ("nº no log", "quando", "de", "para", "evento", "event_id"),
        (
            (t["sequence_number"], momento(t["ocorreu_em"]), t["de"], t["para"], t["tipo_evento"], t["event_id"])
            for t in transicoes
        ),
    )


def unidade(achado: dict[str, Any], em_json: bool) -> None:
    """A unit's slots and cuts, its agenda, and what a rebuild would make of it."""
    mudancas = [item for item in achado["demandas"] if item["efeito"] != "fica"]
    if em_json:
        imprimir_json({**achado, "mudancas": len(mudancas)})
        return
    titulo(f"Unidade cívica {achado['unidade_civica_id']}")
    texto(_resumo(achado))
    tela.print()
    tabela(
        "Vagas por nível",
        ("nível", "vagas", "na agenda", "candidatas", "última dentro", "primeira fora"),
        _niveis(achado),
    )
    tabela(
        "Agenda, e o que um rebuild faria agora",
        ("posição", "no rebuild", "demanda", "nível", "score", "status", "efeito"),
        (
            (
                item["posicao_atual"],
                item["posicao_no_rebuild"],
                item["demanda_id"],
                item["nivel_precedencia"],
                numero(item["score_final"]),
                item["status"],
                item["efeito"],
            )
            for item in achado["demandas"]
        ),
    )
    texto(f"Um rebuild agora mudaria {len(mudancas)} linha(s)." if mudancas else "Um rebuild agora não mudaria nada.")
    ate_onde(achado["aplicado_ate"])


def _resumo(achado: dict[str, Any]) -> str:
    if achado["capacidade"] is None:
        return "Nenhum score ativo: um rebuild a deixaria com a agenda vazia."
    nivel = achado["nivel_nao_vencido"]
    corrente = f"nível corrente {nivel}" if nivel is not None else "sem nível corrente (distribuição uniforme)"
    return (
        f"Capacidade {numero(achado['capacidade'])}, {corrente}. Na agenda: {numero(achado['itens'])} demanda(s), "
        f"{numero(achado['disponiveis'])} disponível(is) para sorteio."
    )


def _niveis(achado: dict[str, Any]) -> Iterable[Sequence[object]]:
    for corte in achado["niveis"]:
        yield (
            "todos" if corte["nivel"] is None else corte["nivel"],
            corte["vagas"],
            corte["na_agenda"],
            corte["candidatas"],
            _com_score(corte["ultima_dentro"], corte["score_da_ultima_dentro"]),
            _com_score(corte["primeira_fora"], corte["score_da_primeira_fora"]),
        )


def _com_score(demanda_id: str | None, score: Any) -> str | None:
    return None if demanda_id is None else f"{demanda_id} ({numero(score)})"


def titulo(linha: str) -> None:
    """A heading."""
    tela.print(Text(linha, style="bold"))


def texto(linha: str) -> None:
    """A sentence, wrapped, without markup."""
    tela.print(Text(linha))


def topicos(cabecalho: str, linhas: Sequence[str]) -> None:
    """A heading with one item per sentence; nothing where there is none."""
    if not linhas:
        return
    tela.print()
    titulo(cabecalho)
    for linha in linhas:
        tela.print(Padding(Text(f"• {linha}"), (0, 0, 0, 2), expand=False))


def ate_onde(aplicado_ate: int | None) -> None:
    """How far the log is reflected in what was shown."""
    tela.print()
    texto("Nenhum evento foi aplicado ainda." if aplicado_ate is None else f"Log aplicado até o nº {aplicado_ate}.")

"""Comparison of two results, and labels for groups."""

import copy
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

Dados = dict[str, Any]

CHAVES = {
    "backlog_scores": "demanda_id",
    "backlog_items": "demanda_id",
    "demandas_agregadas": "demanda_id",
    "coordenadas_demanda": "demanda_id",
}
_INSTANTES = {"entrou_em", "data_conclusao"}
_NAO_COMPARADOS = {"timestamp", "event_id"}  # of publications
_GRUPOS = {"grupo", "grupo_id"}


class _Bijecao:
    """Pairs ids of one side with ids of the other; equal must mean equal over the whole result."""

    def __init__(self) -> None:
        self.ida: dict[str, str] = {}
        self.volta: dict[str, str] = {}

    def aceita(self, obtido: str | None, esperado: str | None) -> bool:
        if obtido is None or esperado is None:
            return obtido is esperado
        return self.ida.setdefault(obtido, esperado) == esperado and self.volta.setdefault(esperado, obtido) == obtido


def comparar(obtido: Dados, esperado: Dados) -> list[str]:
    """Differences as readable lines, none if both results are the same.

    Publications are compared in order per UC, without timestamp and event_id; numbers as decimals, coordinates as
    doubles, times as instants; groups (`grupo` or `grupo_id`) by a bijection over tables and publications.
    """
    grupos = _Bijecao()
    linhas: list[str] = []
    for tabela, chave in CHAVES.items():
        linhas += _comparar_tabela(tabela, chave, obtido[tabela], esperado[tabela], grupos)
    linhas += _comparar_valor("consumer_offset", obtido["consumer_offset"], esperado["consumer_offset"], grupos)
    linhas += _comparar_valor("descartados", sorted(obtido["descartados"]), sorted(esperado["descartados"]), grupos)
    das_ucs_obtidas, das_ucs_esperadas = _por_uc(obtido["publicacoes"]), _por_uc(esperado["publicacoes"])
    for uc in sorted(das_ucs_obtidas.keys() | das_ucs_esperadas.keys()):
        onde = f"publicacoes de {uc}"
        linhas += _comparar_valor(onde, das_ucs_obtidas.get(uc, []), das_ucs_esperadas.get(uc, []), grupos)
    return linhas


def rotular_grupos(resultado: Dados) -> Dados:
    """A copy with labels g1, g2, … under `grupo` in place of the ids under `grupo_id`, in order of appearance."""
    copia = copy.deepcopy(resultado)
    rotulos: dict[str, str] = {}
    for objeto in _objetos(copia):
        if "grupo_id" in objeto:
            grupo = objeto.pop("grupo_id")
            objeto["grupo"] = None if grupo is None else rotulos.setdefault(grupo, f"g{len(rotulos) + 1}")
    return copia


def _objetos(valor: Any) -> Iterator[Dados]:
    if isinstance(valor, dict):
        yield valor
    partes = valor.values() if isinstance(valor, dict) else valor if isinstance(valor, list) else []
    for parte in partes:
        yield from _objetos(parte)


def _por_uc(publicacoes: list[Dados]) -> dict[str, list[Dados]]:
    por_uc: dict[str, list[Dados]] = {}
    for publicacao in publicacoes:
        payload = {nome: valor for nome, valor in publicacao["payload"].items() if nome not in _NAO_COMPARADOS}
        visivel = {"tipo": publicacao["tipo"], "correlacao_id": publicacao["correlacao_id"], "payload": payload}
        por_uc.setdefault(payload["unidade_civica_id"], []).append(visivel)
    return por_uc


def _comparar_tabela(
    tabela: str, chave: str, obtidas: list[Dados], esperadas: list[Dados], grupos: _Bijecao
) -> list[str]:
    por_chave_obtida = {linha[chave]: linha for linha in obtidas}
    por_chave_esperada = {linha[chave]: linha for linha in esperadas}
    linhas = [f"{tabela}: {len(obtidas)} linhas para {len(por_chave_obtida)} chaves"] * (
        len(obtidas) != len(por_chave_obtida)
    )
    for valor in sorted(por_chave_obtida.keys() | por_chave_esperada.keys()):
        onde = f"{tabela}[{valor}]"
        if valor not in por_chave_esperada:
            linhas.append(f"{onde}: sobra {por_chave_obtida[valor]}")
        elif valor not in por_chave_obtida:
            linhas.append(f"{onde}: falta {por_chave_esperada[valor]}")
        else:
            linhas += _comparar_valor(onde, por_chave_obtida[valor], por_chave_esperada[valor], grupos)
    return linhas


def _comparar_valor(onde: str, obtido: Any, esperado: Any, grupos: _Bijecao) -> list[str]:
    if isinstance(obtido, dict) and isinstance(esperado, dict):
        return _comparar_objeto(onde, obtido, esperado, grupos)
    if isinstance(obtido, list) and isinstance(esperado, list):
        linhas = []
        for i in range(max(len(obtido), len(esperado))):
            if i >= len(esperado):
                linhas.append(f"{onde}[{i}]: sobra {obtido[i]}")
            elif i >= len(obtido):
                linhas.append(f"{onde}[{i}]: falta {esperado[i]}")
            else:
                linhas += _comparar_valor(f"{onde}[{i}]", obtido[i], esperado[i], grupos)
        return linhas
    return [] if _numero(obtido) == _numero(esperado) else [_diferenca(onde, obtido, esperado)]


def _comparar_objeto(onde: str, obtido: Dados, esperado: Dados, grupos: _Bijecao) -> list[str]:
    linhas = []
    obtido, esperado = _com_grupo(obtido), _com_grupo(esperado)
    for nome in sorted(obtido.keys() | esperado.keys()):
        campo = f"{onde}.{nome}"
        if nome not in obtido or nome not in esperado:
            linhas.append(f"{campo}: só no {'esperado' if nome in esperado else 'obtido'}")
            continue
        um, outro = obtido[nome], esperado[nome]
        if nome == "grupo":
            iguais = grupos.aceita(um, outro)
        elif nome in _INSTANTES:
            iguais = _instante(um) == _instante(outro)
        elif nome in {"lat", "lng"}:
            iguais = float(um) == float(outro)
        else:
            linhas += _comparar_valor(campo, um, outro, grupos)
            continue
        if not iguais:
            linhas.append(_diferenca(campo, um, outro))
    return linhas


def _com_grupo(objeto: Dados) -> Dados:
    return {"grupo" if nome in _GRUPOS else nome: valor for nome, valor in objeto.items()}


def _numero(valor: Any) -> Any:
    if isinstance(valor, bool) or not isinstance(valor, int | float | Decimal):
        return valor
    return Decimal(repr(valor)) if isinstance(valor, float) else Decimal(valor)


def _instante(valor: Any) -> datetime | None:
    if valor is None:
        return None
    return (valor if isinstance(valor, datetime) else datetime.fromisoformat(valor)).astimezone(UTC)


def _diferenca(onde: str, obtido: Any, esperado: Any) -> str:
    return f"{onde}: obtido {obtido!r}, esperado {esperado!r}"

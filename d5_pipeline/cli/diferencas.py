"""What a dry run found, for people and for programs: the totals first, then unit by unit."""

import json
import sys
from collections.abc import Iterator
from typing import Any

from msgspec.structs import asdict

from d5_pipeline.cli.contexto import dizer
from d5_pipeline.cli.rascunho import Rascunho
from d5_pipeline.dominio.balanco import DiferencaDaUnidade, Retrato, Totais, descrever
from d5_pipeline.dominio.diferencas import Mudanca
from d5_pipeline.processamento.simulacao import Alcance


def em_json(resumo: dict[str, Any], achados: Rascunho) -> None:
    """One JSON object: the summary's keys, then `diferencas`, an element at a time."""
    sys.stdout.write(json.dumps(resumo, ensure_ascii=False)[:-1] + ', "diferencas": [')
    for indice, linha in enumerate(achados.linhas()):
        sys.stdout.write((",\n" if indice else "\n") + linha)
    sys.stdout.write("]}\n")


def _resumo(totais: Totais, quanto: Alcance) -> dict[str, Any]:
    """What both dry runs say in JSON before the units."""
    contagens = {"unidades": totais.unidades, "mudam": totais.mudam, **asdict(totais.contagem)}
    return {"gravado": False, **asdict(quanto), **contagens}


def resumo_do_rebuild(totais: Totais, quanto: Alcance) -> dict[str, Any]:
    """The summary of a simulated rebuild, in JSON."""
    return {**_resumo(totais, quanto), "anunciam": totais.anunciam}


def resumo_dos_parametros(totais: Totais, quanto: Alcance) -> dict[str, Any]:
    """The summary of simulated parameters, in JSON."""
    return {
        **_resumo(totais, quanto),
        "mudam_so_de_distribuicao": totais.mudam_so_de_distribuicao,
        "so_do_rebuild": {"mudam": totais.mudam_so_pelo_rebuild, **asdict(totais.so_do_rebuild)},
    }


def dizer_efeito_dos_parametros(totais: Totais) -> None:
    """The summary of simulated parameters, for people."""
    iguais = totais.unidades - totais.mudam - totais.mudam_so_de_distribuicao
    dizer(
        f"Efeito dos parâmetros: de {totais.unidades} unidade(s), {totais.mudam} mudaria(m) de agenda, "
        f"{totais.mudam_so_de_distribuicao} só de nível ou vagas, {iguais} em nada: {descrever(totais.contagem)}."
    )
    if totais.mudam_so_pelo_rebuild:
        dizer(
            f"À parte, o rebuild sozinho, com os parâmetros vigentes, já mudaria {totais.mudam_so_pelo_rebuild} "
            f"unidade(s): {descrever(totais.so_do_rebuild)}. Isso não está na conta acima."
        )


def detalhar(diferencas: Iterator[DiferencaDaUnidade]) -> None:
    """One line per unit, one per demand below it: thousands of them cost no memory."""
    for diferenca in diferencas:
        sys.stdout.write(f"\n{_cabecalho(diferenca)}\n")
        sys.stdout.writelines(f"  {_linha(mudanca)}\n" for mudanca in diferenca.demandas)


def _cabecalho(diferenca: DiferencaDaUnidade) -> str:
    antes, depois = diferenca.antes, diferenca.depois
    nivel, vagas = _nivel(depois), _vagas(depois)
    if diferenca.so_do_rebuild is not None:
        nivel, vagas = _passo(_nivel(antes), nivel), _passo(_vagas(antes), vagas)
    partes = [
        f"nível {nivel}",
        f"vagas {vagas}",
        f"itens {_passo(antes.itens, depois.itens)}",
        f"grupos {_passo(antes.grupos, depois.grupos)}",
        descrever(diferenca.contagem),
    ]
    if depois.anuncia != antes.anuncia:
        partes.append(f"anuncia {depois.anuncia or 'nenhuma'}")
    if diferenca.so_do_rebuild is not None and diferenca.so_do_rebuild.total:
        partes.append(f"à parte, só pelo rebuild: {descrever(diferenca.so_do_rebuild)}")
    return f"{diferenca.unidade_civica_id}: {'; '.join(partes)}"


def _linha(mudanca: Mudanca) -> str:
    linha = f"{mudanca.demanda_id}  {mudanca.efeito:<8}  {_traco(mudanca.antes):>4} → {_traco(mudanca.depois):<4}"
    if mudanca.grupo_antes != mudanca.grupo_depois:
        linha += f"  grupo {_curto(mudanca.grupo_antes)} → {_curto(mudanca.grupo_depois)}"
    if mudanca.vem_de is not None:
        linha += f"  vem de {mudanca.vem_de}"
    return linha.rstrip()


def _passo(antes: object, depois: object) -> str:
    return str(depois) if antes == depois else f"{antes} → {depois}"


def _nivel(retrato: Retrato) -> str:
    return "nenhum" if retrato.nivel_nao_vencido is None else str(retrato.nivel_nao_vencido)


def _vagas(retrato: Retrato) -> str:
    return "—" if retrato.vagas is None else "/".join(map(str, retrato.vagas))


def _traco(valor: object) -> str:
    return "—" if valor is None else str(valor)


def _curto(grupo: str | None) -> str:
    return _traco(grupo and grupo[:8])

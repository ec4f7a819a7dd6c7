"""How the shipped sample was chosen from the open data: `python -m d5_pipeline.demonstracao.amostra ORIGEM DESTINO`."""

import csv
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from d5_pipeline.demonstracao.mapeamento import NOMES_DAS_SUBPREFEITURAS, demanda_id
from d5_pipeline.demonstracao.proximidade import Familias
from d5_pipeline.demonstracao.solicitacoes import interpretar

POR_SUBPREFEITURA = 130
FAMILIAS_POR_SUBPREFEITURA = 8
MEMBROS_POR_FAMILIA = 4
_MINIMO_DE_MEMBROS = 3

Linha = Mapping[str, str]


def escolher_amostra(linhas: Sequence[Linha]) -> list[Linha]:
    """The rule of CREDITOS.md, without chance: the same rows always give the same sample, ordered by id."""
    escolhidas: list[Linha] = []
    for subprefeitura in NOMES_DAS_SUBPREFEITURAS:
        da_subprefeitura = sorted(
            (linha for linha in linhas if linha["subprefeitura"] == subprefeitura), key=lambda linha: int(linha["id"])
        )
        escolhidas += _escolher(da_subprefeitura)
    return sorted(escolhidas, key=lambda linha: int(linha["id"]))


def _escolher(linhas: Sequence[Linha]) -> list[Linha]:
    repetidas = _familias_mais_rapidas(linhas)
    ids_repetidos = {linha["id"] for linha in repetidas}
    outras = [linha for linha in linhas if linha["id"] not in ids_repetidos]
    faltam = min(POR_SUBPREFEITURA - len(repetidas), len(outras))
    return repetidas + [outras[i * len(outras) // faltam] for i in range(faltam)]


def _familias_mais_rapidas(linhas: Sequence[Linha]) -> list[Linha]:
    """Members of the families whose first three requests came closest together in time."""
    linha_da_demanda = {demanda_id(int(linha["id"])): linha for linha in linhas}
    familias = Familias()
    membros: dict[str, list[Linha]] = defaultdict(list)
    for solicitacao in interpretar(linhas):
        representante = familias.acolher(solicitacao)
        if representante is not None:
            membros[representante.demanda_id].append(linha_da_demanda[solicitacao.demanda_id])
    candidatas = [familia for familia in membros.values() if len(familia) >= _MINIMO_DE_MEMBROS]
    candidatas.sort(key=lambda familia: (_tempo_ate_a_terceira(familia), int(familia[0]["id"])))
    return [linha for familia in candidatas[:FAMILIAS_POR_SUBPREFEITURA] for linha in familia[:MEMBROS_POR_FAMILIA]]


def _tempo_ate_a_terceira(familia: Sequence[Linha]) -> timedelta:
    primeira, terceira = familia[0], familia[_MINIMO_DE_MEMBROS - 1]
    return datetime.fromisoformat(terceira["data_abertura"]) - datetime.fromisoformat(primeira["data_abertura"])


def gravar_amostra(origem: Path, destino: Path) -> None:
    """Write the sample of `origem` to `destino` with the columns of the origin."""
    with origem.open(encoding="utf-8", newline="") as entrada:
        leitor = csv.DictReader(entrada)
        linhas = list(leitor)
        colunas = list(leitor.fieldnames or [])
    with destino.open("w", encoding="utf-8", newline="") as saida:
        escritor = csv.DictWriter(saida, colunas, lineterminator="\n")
        escritor.writeheader()
        escritor.writerows(escolher_amostra(linhas))


if __name__ == "__main__":
    gravar_amostra(Path(sys.argv[1]), Path(sys.argv[2]))

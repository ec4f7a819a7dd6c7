"""Requests of the 156 as the demonstration reads them from the shipped sample."""

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from d5_pipeline.demonstracao.mapeamento import (
    CATEGORIA_DO_ASSUNTO,
    NIVEL_DO_TEMA,
    Categoria,
    demanda_id,
    unidade_civica_id,
)

AMOSTRA = Path(__file__).parent / "dados" / "sp156_amostra.csv"

# A request that still waits carries the date of an intermediate opinion, which is no conclusion.
_STATUS_ENCERRADOS = frozenset({"FINALIZADA", "INDEFERIDO", "CANCELADA"})


@dataclass(frozen=True, slots=True)
class Solicitacao:
    """One request: `coordenadas` are (latitude, longitude) in degrees, `parecer_em` is when the city closed it."""

    demanda_id: str
    unidade_civica_id: str
    subprefeitura: str
    nivel: int
    categoria: Categoria
    servico: str
    aberta_em: datetime
    coordenadas: tuple[float, float] | None
    parecer_em: datetime | None


def ler_solicitacoes(arquivo: Path = AMOSTRA) -> list[Solicitacao]:
    """Requests of a file in chronological order."""
    with arquivo.open(encoding="utf-8", newline="") as linhas:
        return interpretar(csv.DictReader(linhas))


def interpretar(linhas: Iterable[Mapping[str, str]]) -> list[Solicitacao]:
    """Rows of the open data as requests, in chronological order; an unknown tema or assunto is a KeyError."""
    ordenadas = sorted(linhas, key=lambda linha: (linha["data_abertura"], int(linha["id"])))
    return [_interpretar_linha(linha) for linha in ordenadas]


def _interpretar_linha(linha: Mapping[str, str]) -> Solicitacao:
    encerrada = linha["status"] in _STATUS_ENCERRADOS and linha["data_parecer"]
    localizada = linha["latitude"] and linha["longitude"]
    return Solicitacao(
        demanda_id=demanda_id(int(linha["id"])),
        unidade_civica_id=unidade_civica_id(linha["subprefeitura"]),
        subprefeitura=linha["subprefeitura"],
        nivel=NIVEL_DO_TEMA[linha["tema"]],
        categoria=CATEGORIA_DO_ASSUNTO[linha["assunto"]],
        servico=linha["servico"],
        aberta_em=datetime.fromisoformat(linha["data_abertura"]),
        coordenadas=(float(linha["latitude"]), float(linha["longitude"])) if localizada else None,
        parecer_em=datetime.fromisoformat(linha["data_parecer"]) if encerrada else None,
    )

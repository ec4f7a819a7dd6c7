"""The events D-5 consumes: their names, their envelope and their typed content (section 3)."""

import unicodedata
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from itertools import product
from typing import Final

from msgspec import Struct

DEMANDA_RANQUEADA: Final = "demanda.ranqueada"
RANKING_ATUALIZADO: Final = "ranking.atualizado"
CONSELHEIRO_SORTEADO: Final = "conselheiro.sorteado"
DEMANDA_INICIADA: Final = "conselheiro.demanda_iniciada"
DEMANDA_CONCLUIDA: Final = "demanda.concluída"
CONCLUSAO_CONFIRMADA: Final = "demanda.conclusao_confirmada"
DUPLICIDADE_AGREGADA: Final = "duplicidade.agregada"
DEMANDA_GEORREFERENCIADA: Final = "demanda.georreferenciada"
PARAMETROS_ATUALIZADOS: Final = "parâmetros.atualizados"
REMOVIDA_POR_VOTACAO: Final = "demanda.removida_por_votação"

AGENDA_GERADA: Final = "agenda.gerada"
ITEM_DISPONIVEL: Final = "agenda.item_disponível"

RECONSTRUCAO_MANUAL: Final = "intervencao.reconstrucao"  # never in the log; see D32

TIPOS_COM_CURSOR: Final = (
    DEMANDA_RANQUEADA,
    RANKING_ATUALIZADO,
    CONSELHEIRO_SORTEADO,
    DEMANDA_INICIADA,
    DEMANDA_CONCLUIDA,
    CONCLUSAO_CONFIRMADA,
    DUPLICIDADE_AGREGADA,
    DEMANDA_GEORREFERENCIADA,
    PARAMETROS_ATUALIZADOS,
)
TIPOS_LIDOS: Final = (*TIPOS_COM_CURSOR, REMOVIDA_POR_VOTACAO)


def _grafias(tipo: str) -> Iterator[str]:
    """Every string whose NFC is `tipo`: each letter composed, or decomposed with any of its mark's spellings."""
    return ("".join(letras) for letras in product(*map(_grafias_da_letra, tipo)))


def _grafias_da_letra(letra: str) -> list[str]:
    decomposta = unicodedata.normalize("NFD", letra)
    if decomposta == letra:
        return [letra]
    base, marca = decomposta[0], decomposta[1:]
    combinantes = map(chr, range(0x0300, 0x0370))
    return [letra, *(base + c for c in combinantes if unicodedata.normalize("NFD", c) == marca)]


GRAFIAS: Final = {grafia: tipo for tipo in TIPOS_LIDOS for grafia in _grafias(tipo)}
"""Every spelling that NFC makes equal to a consumed type → that type (D5)."""


class Envelope(Struct, frozen=True, gc=False):
    """One row of the log: `tipo` in NFC, `payload` the JSON text of the fields that handlers use."""

    sequence_number: int
    event_id: str
    tipo: str
    versao_schema: str
    correlacao_id: str
    criado_em: datetime
    payload: str


class Ranqueada(Struct, frozen=True, gc=False):
    """demanda.ranqueada 1.1.0 (3.1). Decimals are rounded half up to their columns."""

    demanda_id: str
    unidade_civica_id: str
    categoria_id: str
    nivel_precedencia: int
    score_final: Decimal
    peso_nacional: Decimal
    peso_situacional: Decimal
    score_horizontal: int
    posicao_ranking: int
    versao_parametros: str


class RankingAtualizado(Struct, frozen=True, gc=False):
    """ranking.atualizado (3.2): rebuild the unit."""

    unidade_civica_id: str


class Sorteado(Struct, frozen=True, gc=False):
    """conselheiro.sorteado (3.3)."""

    demanda_id: str
    unidade_civica_id: str | None


class Iniciada(Struct, frozen=True, gc=False):
    """conselheiro.demanda_iniciada (3.4)."""

    demanda_id: str


class Concluida(Struct, frozen=True, gc=False):
    """demanda.concluída (3.5); `dias_ate_conclusao` only where the payload's value can be used (D15)."""

    demanda_id: str
    data_conclusao: datetime | None
    dias_ate_conclusao: int | None


class ConclusaoConfirmada(Struct, frozen=True, gc=False):
    """demanda.conclusao_confirmada (3.6)."""

    demanda_id: str
    data_conclusao: datetime | None
    ratificacao_necessaria: bool


class Agregada(Struct, frozen=True):
    """duplicidade.agregada (3.7): `membros` in the payload's order."""

    agregado_id: str
    representante_demanda_id: str
    membros: tuple[str, ...]


class Georreferenciada(Struct, frozen=True, gc=False):
    """demanda.georreferenciada (4.6): degrees, or None where a coordinate is absent."""

    demanda_id: str
    coordenadas: tuple[float, float] | None


class ParametrosAtualizados(Struct, frozen=True, gc=False):
    """parâmetros.atualizados: stub (4.8)."""


class RemovidaPorVotacao(Struct, frozen=True, gc=False):
    """demanda.removida_por_votação: stub without a cursor (4.8)."""


class Reentrega(Struct, frozen=True, gc=False):
    """A demanda.ranqueada whose event_id a score already carries: nothing to validate, nothing to do (3.10).

    The ids, where the payload has them, are for the structured log alone.
    """

    demanda_id: str | None
    unidade_civica_id: str | None


class ReconstrucaoManual(Struct, frozen=True):
    """An operator's rebuild, as an event beside the log (D32)."""

    unidades: tuple[str, ...]


Dados = (
    Ranqueada
    | RankingAtualizado
    | Sorteado
    | Iniciada
    | Concluida
    | ConclusaoConfirmada
    | Agregada
    | Georreferenciada
    | ParametrosAtualizados
    | RemovidaPorVotacao
    | Reentrega
    | ReconstrucaoManual
)


class Evento(Struct, frozen=True):
    """A valid event: `criado_em` already in hundredths of a second (D14)."""

    sequence_number: int
    event_id: str
    tipo: str
    versao_schema: str
    correlacao_id: str
    criado_em: datetime
    dados: Dados


class Descarte(Struct, frozen=True, gc=False):
    """An event dropped by rule, with the reason an operator reads (D12)."""

    sequence_number: int
    event_id: str
    tipo: str
    versao_schema: str
    motivo: str
    correlacao_id: str
    demanda_id: str | None
    unidade_civica_id: str | None


def descarte(
    origem: Envelope | Evento, motivo: str, demanda_id: str | None = None, unidade_civica_id: str | None = None
) -> Descarte:
    """The discard of an event, for the reason given; the ids, where they are known, are for the structured log."""
    return Descarte(
        origem.sequence_number,
        origem.event_id,
        origem.tipo,
        origem.versao_schema,
        motivo,
        origem.correlacao_id,
        demanda_id,
        unidade_civica_id,
    )


def demandas_citadas(dados: Dados) -> tuple[str, ...]:
    """The demands an event reads or writes."""
    match dados:
        case Ranqueada() | Sorteado() | Iniciada() | Concluida() | ConclusaoConfirmada() | Georreferenciada():
            return (dados.demanda_id,)
        case Agregada():
            return (dados.representante_demanda_id, *dados.membros)
        case _:
            return ()


def unidades_citadas(dados: Dados) -> tuple[str, ...]:
    """The units an event names itself."""
    match dados:
        case Ranqueada() | RankingAtualizado():
            return (dados.unidade_civica_id,)
        case Sorteado(unidade_civica_id=str() as unidade):
            return (unidade,)
        case ReconstrucaoManual():
            return dados.unidades
        case _:
            return ()

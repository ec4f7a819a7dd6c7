"""Envelope → typed event, or the reason why it is dropped (D12, D13).

The JSON Schemas in `contratos/` are the truth. `_CONVERSORES` is their fast form, which also produces the typed
event; it is held against the schemas by a property test. The schemas speak only when the fast form says no.
"""

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any, Final

import msgspec

from d5_pipeline.dominio import contratos
from d5_pipeline.dominio import eventos as ev
from d5_pipeline.dominio import formatos as fmt
from d5_pipeline.dominio.recusas import PAYLOAD_INVALIDO, identificadores
from d5_pipeline.dominio.tempo import centesimos

Bruto = msgspec.Raw


class _Pesos(msgspec.Struct, gc=False):
    peso_nacional: Bruto
    peso_situacional: Bruto
    score_horizontal: Bruto


class _Ranqueada(msgspec.Struct, gc=False):
    demanda_id: str
    unidade_civica_id: str
    categoria_id: str
    nivel_precedencia: Bruto
    score_final: Bruto
    breakdown: _Pesos
    posicao_no_ranking: Bruto
    versao_parametros: str


class _Ranking(msgspec.Struct, gc=False):
    unidade_civica_id: str


class _Sorteado(msgspec.Struct, gc=False):
    demanda_id: str
    unidade_civica_id: str | None = None


class _Demanda(msgspec.Struct, gc=False):
    demanda_id: str


class _Concluida(msgspec.Struct, gc=False):
    demanda_id: str
    data_conclusao: str | None = None
    dias_ate_conclusao: Bruto = Bruto(b"null")


class _Confirmada(msgspec.Struct, gc=False):
    demanda_id: str
    ratificacao_necessaria: bool
    data_conclusao: str | None = None


class _Agregada(msgspec.Struct):
    agregado_id: str
    representante_demanda_id: str
    membros: list[_Demanda]


class _Georreferenciada(msgspec.Struct, gc=False):
    demanda_id: str
    coordenadas_lat: Bruto = Bruto(b"null")
    coordenadas_lng: Bruto = Bruto(b"null")


def _ranqueada(p: _Ranqueada) -> ev.Ranqueada:
    if len(p.versao_parametros) > fmt.TAMANHO_VERSAO:
        raise fmt.NaoCabe
    return ev.Ranqueada(
        fmt.uuid(p.demanda_id),
        fmt.uuid(p.unidade_civica_id),
        fmt.categoria(p.categoria_id),
        fmt.inteiro(bytes(p.nivel_precedencia), 1, 5),
        fmt.decimal(bytes(p.score_final), fmt.SCORE),
        fmt.peso(bytes(p.breakdown.peso_nacional), fmt.PESO_NACIONAL),
        fmt.peso(bytes(p.breakdown.peso_situacional), fmt.PESO_SITUACIONAL),
        fmt.inteiro(bytes(p.breakdown.score_horizontal), 0, fmt.MAIOR_INTEGER),
        fmt.inteiro(bytes(p.posicao_no_ranking), fmt.MENOR_INTEGER, fmt.MAIOR_INTEGER),
        p.versao_parametros,
    )


def _sorteado(p: _Sorteado) -> ev.Sorteado:
    return ev.Sorteado(fmt.uuid(p.demanda_id), None if p.unidade_civica_id is None else fmt.uuid(p.unidade_civica_id))


def _concluida(p: _Concluida) -> ev.Concluida:
    data = None if p.data_conclusao is None else fmt.data_hora(p.data_conclusao)
    return ev.Concluida(fmt.uuid(p.demanda_id), data, fmt.dias(bytes(p.dias_ate_conclusao)))


def _confirmada(p: _Confirmada) -> ev.ConclusaoConfirmada:
    data = None if p.data_conclusao is None else fmt.data_hora(p.data_conclusao)
    return ev.ConclusaoConfirmada(fmt.uuid(p.demanda_id), data, p.ratificacao_necessaria)


def _agregada(p: _Agregada) -> ev.Agregada:
    if not p.membros:
        raise fmt.NaoCabe
    membros = tuple(fmt.uuid(membro.demanda_id) for membro in p.membros)
    return ev.Agregada(fmt.uuid(p.agregado_id), fmt.uuid(p.representante_demanda_id), membros)


def _georreferenciada(p: _Georreferenciada) -> ev.Georreferenciada:
    demanda_id = fmt.uuid(p.demanda_id)
    lat, lng = bytes(p.coordenadas_lat), bytes(p.coordenadas_lng)
    if fmt.NULO in (lat, lng):
        return ev.Georreferenciada(demanda_id, None)
    return ev.Georreferenciada(demanda_id, (fmt.grau(lat, 90), fmt.grau(lng, 180)))


def _conversor(forma: type, montar: Callable[[Any], ev.Dados]) -> Callable[[str], ev.Dados]:
    decodificador: msgspec.json.Decoder[Any] = msgspec.json.Decoder(forma)
    return lambda payload: montar(decodificador.decode(payload))


_CONVERSORES: Final[dict[str, Callable[[str], ev.Dados]]] = {
    ev.DEMANDA_RANQUEADA: _conversor(_Ranqueada, _ranqueada),
    ev.RANKING_ATUALIZADO: _conversor(_Ranking, lambda p: ev.RankingAtualizado(fmt.uuid(p.unidade_civica_id))),
    ev.CONSELHEIRO_SORTEADO: _conversor(_Sorteado, _sorteado),
    ev.DEMANDA_INICIADA: _conversor(_Demanda, lambda p: ev.Iniciada(fmt.uuid(p.demanda_id))),
    ev.DEMANDA_CONCLUIDA: _conversor(_Concluida, _concluida),
    ev.CONCLUSAO_CONFIRMADA: _conversor(_Confirmada, _confirmada),
    ev.DUPLICIDADE_AGREGADA: _conversor(_Agregada, _agregada),
    ev.DEMANDA_GEORREFERENCIADA: _conversor(_Georreferenciada, _georreferenciada),
    ev.PARAMETROS_ATUALIZADOS: lambda _: ev.ParametrosAtualizados(),
    ev.REMOVIDA_POR_VOTACAO: lambda _: ev.RemovidaPorVotacao(),
}


def sem_nulos(valor: Any) -> Any:
    """The JSON value without the object members that are null: null counts as absent (D13)."""
    if isinstance(valor, dict):
        return {chave: sem_nulos(item) for chave, item in valor.items() if item is not None}
    if isinstance(valor, list):
        return [sem_nulos(item) for item in valor]
    return valor


def motivo_da_recusa(tipo: str, payload: str) -> str:
    """Why an event of `tipo` with this payload cannot be used, in one Portuguese line."""
    valor = json.loads(payload, parse_float=Decimal, parse_int=Decimal)
    achados = sorted(contratos.erros(tipo, sem_nulos(valor)))
    return PAYLOAD_INVALIDO + ("; ".join(achados) or "data fora dos anos 1 a 9999")


def validar(envelope: ev.Envelope) -> ev.Evento | ev.Descarte:
    """The typed event, or the discard with its reason. Never raises for what a payload contains."""
    try:
        dados = _CONVERSORES[envelope.tipo](envelope.payload)
        return como_evento(envelope, dados)
    except (msgspec.ValidationError, fmt.NaoCabe, OverflowError, RecursionError):
        return ev.descarte(envelope, _motivo(envelope), *identificadores(envelope.payload))


def _motivo(envelope: ev.Envelope) -> str:
    try:
        return motivo_da_recusa(envelope.tipo, envelope.payload)
    except RecursionError:
        return f"{PAYLOAD_INVALIDO}aninhamento profundo demais"
    except ValueError:
        return f"{PAYLOAD_INVALIDO}número com algarismos demais"


def como_evento(envelope: ev.Envelope, dados: ev.Dados) -> ev.Evento:
    """The envelope with its typed content; the time rounded as D14 asks."""
    return ev.Evento(
        envelope.sequence_number,
        envelope.event_id,
        envelope.tipo,
        envelope.versao_schema,
        envelope.correlacao_id,
        centesimos(envelope.criado_em),
        dados,
    )

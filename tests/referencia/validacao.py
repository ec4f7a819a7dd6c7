"""What each handler demands of a payload (D13), and the discards (D12)."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

Dados = dict[str, Any]

MAIOR_INTEGER = 2**31 - 1
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE | re.ASCII)
_CATEGORIA = re.compile(r"[0-9]+\.[0-9]+", re.ASCII)
_RFC3339 = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?(?:Z|([+-])(\d\d):(\d\d))", re.IGNORECASE | re.ASCII
)


class DescarteError(Exception):
    """The event is dropped: its cursor moves and nothing else changes (D12)."""


def _exigir(condicao: bool, motivo: str) -> None:
    if not condicao:
        raise DescarteError(motivo)


def instante(texto: object) -> datetime:
    """An RFC 3339 date-time with offset, in UTC, rounded half up to hundredths of a second (D13, D14)."""
    if not isinstance(texto, str) or (partes := _RFC3339.fullmatch(texto)) is None:
        raise DescarteError(f"date-time: {texto!r}")
    ano, mes, dia, hora, minuto, segundo = (int(partes[i]) for i in range(1, 7))
    horas, minutos = int(partes[9] or 0), int(partes[10] or 0)
    _exigir(horas <= 23 and minutos <= 59, f"offset: {texto!r}")
    deslocamento = timedelta(hours=horas, minutes=minutos) * (-1 if partes[8] == "-" else 1)
    centesimos = int((Decimal(partes[7] or 0) * 100).to_integral_value(ROUND_HALF_UP))
    try:
        base = datetime(ano, mes, dia, hora, minuto, segundo, tzinfo=timezone(deslocamento))
        return base.astimezone(UTC) + timedelta(milliseconds=10 * centesimos)
    except (ValueError, OverflowError) as erro:
        raise DescarteError(f"date-time: {texto!r}") from erro


def _campo(objeto: object, nome: str) -> Any:
    """A required field; null counts as absent (D13)."""
    _exigir(isinstance(objeto, dict), "payload is no object")
    assert isinstance(objeto, dict)
    _exigir(objeto.get(nome) is not None, f"{nome} is absent")
    return objeto[nome]


def _uuid(valor: object) -> str:
    if not isinstance(valor, str) or _UUID.fullmatch(valor) is None:
        raise DescarteError(f"not a UUID: {valor!r}")
    return valor.lower()


def _numero(valor: object) -> Decimal:
    if isinstance(valor, bool) or not isinstance(valor, int | float | Decimal):
        raise DescarteError(f"not a number: {valor!r}")
    numero = Decimal(repr(valor)) if isinstance(valor, float) else Decimal(valor)
    _exigir(numero.is_finite(), "not finite")
    return numero


def _inteiro(valor: object, menor: int, maior: int) -> int:
    """An integer within its limits; 1.0 is an integer (D13)."""
    numero = _numero(valor)
    _exigir(menor <= numero <= maior, f"out of range: {valor!r}")
    _exigir(numero == numero.to_integral_value(), f"not an integer: {valor!r}")
    return int(numero)


def _nao_negativo(valor: object, passo: str, maior: str) -> Decimal:
    """Not negative before rounding; within the column after rounding half up (D13)."""
    numero = _numero(valor)
    _exigir(numero >= 0, f"negative: {valor!r}")
    _exigir(numero < Decimal(maior) + 1, f"out of range: {valor!r}")
    arredondado = abs(numero.quantize(Decimal(passo), ROUND_HALF_UP))
    _exigir(arredondado <= Decimal(maior), f"out of range after rounding: {valor!r}")
    return arredondado


def _texto(valor: object, limite: int) -> str:
    if not isinstance(valor, str) or len(valor) > limite:
        raise DescarteError(f"not a text of at most {limite} characters: {valor!r}")
    return valor


def _ranqueada(payload: object) -> Dados:
    categoria = _texto(_campo(payload, "categoria_id"), 10)
    _exigir(_CATEGORIA.fullmatch(categoria) is not None, f"categoria_id is not N.M: {categoria!r}")
    breakdown = _campo(payload, "breakdown")
    return {
        "demanda_id": _uuid(_campo(payload, "demanda_id")),
        "unidade_civica_id": _uuid(_campo(payload, "unidade_civica_id")),
        "categoria_id": categoria,
        "nivel_precedencia": _inteiro(_campo(payload, "nivel_precedencia"), 1, 5),
        "score_final": _nao_negativo(_campo(payload, "score_final"), "0.01", "9999999999.99"),
        "peso_nacional": _nao_negativo(_campo(breakdown, "peso_nacional"), "0.01", "999.99"),
        "peso_situacional": _nao_negativo(_campo(breakdown, "peso_situacional"), "0.0001", "9.9999"),
        "score_horizontal": _inteiro(_campo(breakdown, "score_horizontal"), 0, MAIOR_INTEGER),
        "posicao_ranking": _inteiro(_campo(payload, "posicao_no_ranking"), -MAIOR_INTEGER - 1, MAIOR_INTEGER),
        "versao_parametros": _texto(_campo(payload, "versao_parametros"), 20),
    }


def _ranking(payload: object) -> Dados:
    return {"unidade_civica_id": _uuid(_campo(payload, "unidade_civica_id"))}


def _demanda(payload: object) -> Dados:
    return {"demanda_id": _uuid(_campo(payload, "demanda_id"))}


def _sorteado(payload: object) -> Dados:
    dados = _demanda(payload)
    assert isinstance(payload, dict)
    uc = payload.get("unidade_civica_id")
    return dados | {"unidade_civica_id": None if uc is None else _uuid(uc)}


def _data_conclusao(payload: object) -> datetime | None:
    assert isinstance(payload, dict)
    texto = payload.get("data_conclusao")
    return None if texto is None else instante(texto)


def _dias(valor: object) -> int | None:
    """dias_ate_conclusao where it is a non-negative integer; anything else is computed (D15)."""
    try:
        numero = _numero(valor)
    except DescarteError:
        return None
    if numero < 0 or numero != numero.to_integral_value():
        return None
    return _inteiro(valor, 0, MAIOR_INTEGER)


def _concluida(payload: object) -> Dados:
    dados = _demanda(payload)
    assert isinstance(payload, dict)
    return dados | {"data_conclusao": _data_conclusao(payload), "dias": _dias(payload.get("dias_ate_conclusao"))}


def _confirmada(payload: object) -> Dados:
    dados = _demanda(payload)
    ratificacao = _campo(payload, "ratificacao_necessaria")
    _exigir(isinstance(ratificacao, bool), "ratificacao_necessaria is no boolean")
    return dados | {"ratificacao_necessaria": ratificacao, "data_conclusao": _data_conclusao(payload), "dias": None}


def _agregada(payload: object) -> Dados:
    membros = _campo(payload, "membros")
    _exigir(isinstance(membros, list) and len(membros) > 0, "membros is empty or no list")
    return {
        "agregado_id": _uuid(_campo(payload, "agregado_id")),
        "representante_demanda_id": _uuid(_campo(payload, "representante_demanda_id")),
        "membros": [_uuid(_campo(membro, "demanda_id")) for membro in membros],
    }


def _georreferenciada(payload: object) -> Dados:
    dados = _demanda(payload)
    assert isinstance(payload, dict)
    lat, lng = payload.get("coordenadas_lat"), payload.get("coordenadas_lng")
    if lat is None or lng is None:
        return dados | {"ponto": None}
    _exigir(abs(_numero(lat)) <= 90 and abs(_numero(lng)) <= 180, "coordinates out of range")
    return dados | {"ponto": (float(lat), float(lng))}


VALIDAR: dict[str, Callable[[object], Dados]] = {
    "demanda.ranqueada": _ranqueada,
    "ranking.atualizado": _ranking,
    "conselheiro.sorteado": _sorteado,
    "conselheiro.demanda_iniciada": _demanda,
    "demanda.concluída": _concluida,
    "demanda.conclusao_confirmada": _confirmada,
    "duplicidade.agregada": _agregada,
    "demanda.georreferenciada": _georreferenciada,
}

"""JSON scalars → values that fit their columns, exactly; NaoCabe where one does not (D13, D14, D15)."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache, wraps
from typing import Any, Final, NamedTuple, TypeVar, cast

from d5_pipeline.dominio.tempo import centesimos

NULO: Final = b"null"
MENOR_INTEGER: Final = -(2**31)
MAIOR_INTEGER: Final = 2**31 - 1
TAMANHO_VERSAO: Final = 20
TAMANHO_CATEGORIA: Final = 10
MAIS_LONGO_LEMBRADO: Final = 32  # characters

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE | re.ASCII)
_CATEGORIA = re.compile(r"[0-9]+\.[0-9]+", re.ASCII)
_DATA_HORA = re.compile(
    r"(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}):(\d{2})(\.\d+)?([Zz]|[+-]\d{2}:[0-5]\d)",
    re.ASCII,
)


class NaoCabe(ValueError):
    """The value has the wrong type or form, or does not fit its column or range."""


class Coluna(NamedTuple):
    """A NUMERIC column: its step, and the first value that no longer fits once rounded half up."""

    passo: Decimal
    excesso: Decimal


SCORE: Final = Coluna(Decimal("0.01"), Decimal("9999999999.995"))
PESO_NACIONAL: Final = Coluna(Decimal("0.01"), Decimal("999.995"))
PESO_SITUACIONAL: Final = Coluna(Decimal("0.0001"), Decimal("9.99995"))


Conversor = TypeVar("Conversor", bound=Callable[..., Any])


def _lembrar(converter: Conversor) -> Conversor:
    """For numbers that come from a short list, such as weights: what they convert to is looked up.

    A long text is not kept: 1.000… with a million zeros is a valid number too.
    """
    lembrado = lru_cache(maxsize=4096)(converter)

    @wraps(converter)
    def curto_ou_nao(bruto: bytes, *limites: Any) -> Any:
        return (lembrado if len(bruto) <= MAIS_LONGO_LEMBRADO else converter)(bruto, *limites)

    return cast(Conversor, curto_ou_nao)


def _numero(bruto: bytes) -> Decimal:
    if bruto[:1] not in b"-0123456789":
        raise NaoCabe
    return Decimal(bruto.decode("ascii"))


def uuid(texto: str) -> str:
    """Canonical UUID of any version, in lower case."""
    if _UUID.fullmatch(texto) is None:
        raise NaoCabe
    return texto.lower()


def categoria(texto: str) -> str:
    """A category in the form N.M, up to 10 characters."""
    if len(texto) > TAMANHO_CATEGORIA or _CATEGORIA.fullmatch(texto) is None:
        raise NaoCabe
    return texto


@_lembrar
def inteiro(bruto: bytes, minimo: int, maximo: int) -> int:
    """A JSON number that is an integer (1.0 is one) between the limits, both included."""
    numero = _numero(bruto)
    if not minimo <= numero <= maximo or numero % 1 != 0:
        raise NaoCabe
    return int(numero)


def decimal(bruto: bytes, coluna: Coluna) -> Decimal:
    """A JSON number that is not negative and, rounded half up to the column's step, fits the column."""
    numero = _numero(bruto)
    if not 0 <= numero < coluna.excesso:
        raise NaoCabe
    return abs(numero.quantize(coluna.passo, ROUND_HALF_UP))


peso = _lembrar(decimal)
"""The same for a weight."""


def grau(bruto: bytes, limite: int) -> float:
    """A coordinate in degrees, between -limite and limite."""
    numero = _numero(bruto)
    if not -limite <= numero <= limite:
        raise NaoCabe
    return float(numero)


def dias(bruto: bytes) -> int | None:
    """The payload's dias_ate_conclusao where it is a non-negative integer, else None (D15)."""
    try:
        numero = _numero(bruto)
    except NaoCabe:
        return None
    if numero < 0 or (numero <= MAIOR_INTEGER and numero % 1 != 0):
        return None
    if numero > MAIOR_INTEGER:
        if numero == numero.to_integral_value():
            raise NaoCabe
        return None
    return int(numero)


def data_hora(texto: str) -> datetime:
    """An RFC 3339 date-time as UTC in hundredths of a second (D14); a leap second is the next second's start.

    Raises NaoCabe where it is none, OverflowError where it leaves the years 1 to 9999.
    """
    partes = _DATA_HORA.fullmatch(texto)
    if partes is None:
        raise NaoCabe
    dia, minuto, segundo, fracao, fuso = partes.groups()
    bissexto = segundo == "60"
    try:
        instante = datetime.fromisoformat(
            f"{dia}T{minuto}:{'59' if bissexto else segundo}{fracao or ''}{fuso.upper().replace('Z', '+00:00')}"
        )
    except ValueError as erro:
        raise NaoCabe from erro
    if bissexto:
        utc = instante.astimezone(UTC)
        if (utc.hour, utc.minute) != (23, 59):
            raise NaoCabe
        instante = utc + timedelta(seconds=1)
    return centesimos(instante)

"""Numbers, times and lists as Portuguese prose writes them."""

from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal


def numero(valor: Decimal | int) -> str:
    """1234.5 as `1.234,5`, with the decimals that `valor` carries."""
    return f"{valor:,}".translate(str.maketrans(",.", ".,"))


def quantas(quantidade: int, singular: str, plural: str) -> str:
    """The number with the word that agrees with it."""
    return f"{numero(quantidade)} {singular if quantidade == 1 else plural}"


def ordinal(lugar: int) -> str:
    """Feminine: the nth demand."""
    return f"{numero(lugar)}ª"


def momento(instante: datetime) -> str:
    """Day and time in UTC, to the second."""
    return f"{instante.astimezone(UTC):%d/%m/%Y %H:%M:%S} UTC"


def lista(partes: Sequence[str]) -> str:
    """`a`, `a e b`, `a, b e c`."""
    *primeiras, ultima = partes
    return f"{', '.join(primeiras)} e {ultima}" if primeiras else ultima

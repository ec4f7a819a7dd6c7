"""Times as the columns of schema d5 hold them: UTC, hundredths of a second (D14)."""

from datetime import UTC, datetime, timedelta
from typing import Final

CENTESIMO: Final = 10_000  # microseconds


def centesimos(instante: datetime) -> datetime:
    """The aware `instante` in UTC, rounded half up to hundredths of a second.

    Raises OverflowError where the result leaves the years 1 to 9999.
    """
    utc = instante.astimezone(UTC)
    resto = utc.microsecond % CENTESIMO
    if resto == 0:
        return utc
    ajuste = CENTESIMO - resto if resto * 2 >= CENTESIMO else -resto
    return utc + timedelta(microseconds=ajuste)


def dias_completos(inicio: datetime, fim: datetime) -> int:
    """Whole 24-hour periods from `inicio` to `fim`, never below 0 (D15)."""
    return max(0, (fim - inicio) // timedelta(days=1))

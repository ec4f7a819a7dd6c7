"""The event as the reference's handlers see it."""

from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

TIPOS = (
    "demanda.ranqueada",
    "ranking.atualizado",
    "conselheiro.sorteado",
    "conselheiro.demanda_iniciada",
    "demanda.concluída",
    "demanda.conclusao_confirmada",
    "duplicidade.agregada",
    "demanda.georreferenciada",
    "parâmetros.atualizados",
)


class Evento(NamedTuple):
    """A row of the log; `quando` in hundredths of a second (D14)."""

    sequencia: int
    event_id: str
    tipo: str
    correlacao_id: str
    quando: datetime
    dados: dict[str, Any]


def centesimos(instante: datetime) -> datetime:
    """Rounded half up to hundredths of a second, in UTC (D14)."""
    utc = instante.astimezone(UTC)
    centesimo = (utc.microsecond + 5_000) // 10_000
    return utc.replace(microsecond=0) + timedelta(milliseconds=10 * centesimo)

"""How far the log was applied, by type (D4)."""

from collections.abc import Mapping
from typing import NamedTuple

from d5_pipeline.dominio.eventos import GRAFIAS, REMOVIDA_POR_VOTACAO


class Posicoes(NamedTuple):
    """Applied position of each consumed type; all equal except after an operator moved a cursor."""

    por_tipo: Mapping[str, int]

    @property
    def desde(self) -> int:
        """The lowest: the next read starts above it."""
        return min(self.por_tipo.values())

    @property
    def alto(self) -> int:
        """The highest: holes below it were judged already."""
        return max(self.por_tipo.values())

    def por_grafia(self) -> tuple[list[str], list[int]]:
        """Every spelling of the consumed types with its position; the type without a cursor follows the highest."""
        posicoes = {REMOVIDA_POR_VOTACAO: self.alto, **self.por_tipo}
        return list(GRAFIAS), [posicoes[tipo] for tipo in GRAFIAS.values()]

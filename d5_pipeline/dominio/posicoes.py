"""How far the log was applied, by type, and how far it was searched for holes (D3, D4)."""

from collections.abc import Mapping
from typing import NamedTuple

from d5_pipeline.dominio.eventos import GRAFIAS, REMOVIDA_POR_VOTACAO


class Posicoes(NamedTuple):
    """Applied position of each consumed type; all equal except after an operator moved a cursor."""

    por_tipo: Mapping[str, int]
    julgado_ate: int
    """Holes up to here were judged already, wherever the cursors stand."""

    @property
    def desde(self) -> int:
        """The lowest position: the next read starts above it."""
        return min(self.por_tipo.values())

    @property
    def alto(self) -> int:
        """The highest position: above it every consumed type is read."""
        return max(self.julgado_ate, *self.por_tipo.values())

    def por_grafia(self) -> tuple[list[str], list[int]]:
        """Every spelling of the consumed types with its position; the type without a cursor follows the judged one."""
        posicoes = {REMOVIDA_POR_VOTACAO: self.julgado_ate, **self.por_tipo}
        return list(GRAFIAS), [posicoes[tipo] for tipo in GRAFIAS.values()]

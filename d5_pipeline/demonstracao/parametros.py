"""The weights that D-4 uses, read from the file that D-5 loads; each keeps its own copy of the values (1.3)."""

import tomllib
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

PARAMETROS_DEMO = Path(__file__).parent / "parametros_demo.toml"

# A unit without weights counts in full (7.3).
_PESO_PADRAO = Decimal("1.0")


@dataclass(frozen=True, slots=True)
class Pesos:
    """Version of the parameters and the situational weight of each (civic unit, level)."""

    versao: str
    situacionais: dict[tuple[str, int], Decimal]

    def situacional(self, unidade_civica_id: str, nivel: int) -> Decimal:
        """Weight of a level in a unit; 1.0 where the file says nothing."""
        return self.situacionais.get((unidade_civica_id, nivel), _PESO_PADRAO)


def ler_pesos(arquivo: Path = PARAMETROS_DEMO) -> Pesos:
    """Weights of a parameter file in the format of 4.3; its other keys are D-5's business."""
    with arquivo.open("rb") as conteudo:
        parametros = tomllib.load(conteudo, parse_float=Decimal)
    situacionais = {
        (unidade_civica_id, int(nivel)): Decimal(peso)
        for unidade_civica_id, pesos in parametros["pesos_situacionais"].items()
        for nivel, peso in pesos.items()
    }
    return Pesos(parametros["versao"], situacionais)

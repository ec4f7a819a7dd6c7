"""Near duplicates: the same service, in the same civic unit, at most 50 m away."""

import math
from collections import defaultdict

from d5_pipeline.demonstracao.solicitacoes import Solicitacao

RAIO_METROS = 50
_RAIO_DA_TERRA = 6_371_000


def distancia_metros(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Haversine distance between two (latitude, longitude) pairs in degrees."""
    lat_a, lng_a, lat_b, lng_b = map(math.radians, (*a, *b))
    meia_corda = math.sin((lat_b - lat_a) / 2) ** 2
    meia_corda += math.cos(lat_a) * math.cos(lat_b) * math.sin((lng_b - lng_a) / 2) ** 2
    return 2 * _RAIO_DA_TERRA * math.asin(math.sqrt(meia_corda))


class Familias:
    """Families of near duplicates, fed in chronological order: the oldest request represents its family."""

    def __init__(self) -> None:
        self._representantes: dict[tuple[str, str], list[Solicitacao]] = defaultdict(list)

    def acolher(self, solicitacao: Solicitacao) -> Solicitacao | None:
        """Oldest representative within reach; the request itself if it founds a family; None without coordinates."""
        if solicitacao.coordenadas is None:
            return None
        representantes = self._representantes[solicitacao.unidade_civica_id, solicitacao.servico]
        for representante in representantes:
            if representante.coordenadas is not None and (
                distancia_metros(representante.coordenadas, solicitacao.coordenadas) <= RAIO_METROS
            ):
                return representante
        representantes.append(solicitacao)
        return solicitacao

    def dispensar(self, representante: Solicitacao) -> None:
        """Forget a representative that has ended: a later request at its place is a new problem, not a duplicate."""
        representantes = self._representantes[representante.unidade_civica_id, representante.servico]
        if representante in representantes:
            representantes.remove(representante)

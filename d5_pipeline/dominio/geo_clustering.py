"""DBSCAN over the selected demands with coordinates, per unit and category (4.4, D25, D26)."""

import uuid
from collections.abc import Sequence
from hashlib import sha1
from typing import TYPE_CHECKING, Final, TypeAlias

import polars as pl

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Graus: TypeAlias = NDArray[np.float64]
    Indices: TypeAlias = NDArray[np.int64]

RAIO_DA_TERRA: Final = 6_371_000.0  # metres
_NAMESPACE: Final = uuid.UUID("d5a6e0da-0000-5000-8000-677275706f73")
_VARIANTE: Final = {algarismo: "89ab"[int(algarismo, 16) % 4] for algarismo in "0123456789abcdef"}
"""Hexadecimal digit → the same with the two bits that RFC 9562 fixes."""
_FOLGA: Final = 1e-9  # relative: the tree's radius only has to be no smaller than the exact one

_COLUNAS: Final = ("unidade_civica_id", "categoria_id", "demanda_id")
ESQUEMA_GRUPOS: Final = {"demanda_id": pl.String, "grupo_id": pl.String}


def agrupar(selecao: pl.DataFrame, raio_metros: float, min_pontos: int) -> pl.DataFrame:
    """demanda_id, grupo_id of the demands that form a group; solo demands are absent.

    `selecao` has unidade_civica_id, categoria_id, demanda_id, lat, lng (degrees, null where unknown). All groups of a
    wave are clustered in one call over a sparse graph of neighbours, in order of demanda_id.
    """
    com_lugar = selecao.drop_nulls(["lat", "lng"])
    um, outro = _vizinhos(com_lugar, raio_metros)
    pontos = _em_ordem(com_lugar, um, outro, min_pontos)
    grupos: dict[int, list[str]] = {}
    chaves: dict[int, str] = {}
    rotulos = _rotular(pontos["numero"].to_list(), um, outro, min_pontos)
    for unidade, categoria, demanda, rotulo in zip(*map(pontos.get_column, _COLUNAS), rotulos, strict=True):
        if rotulo in grupos:
            grupos[rotulo].append(demanda)
        elif rotulo >= 0:
            grupos[rotulo] = [demanda]
            chaves[rotulo] = f"{unidade}:{categoria}"
    linhas = []
    for rotulo, demandas in grupos.items():
        if len(demandas) >= min_pontos:
            grupo_id = _uuid5(f"{chaves[rotulo]}:{','.join(demandas)}")
            linhas += [(demanda, grupo_id) for demanda in demandas]
    return pl.DataFrame(linhas, schema=ESQUEMA_GRUPOS, orient="row")


def _em_ordem(com_lugar: pl.DataFrame, um: "Indices", outro: "Indices", min_pontos: int) -> pl.DataFrame:
    """The points that DBSCAN has to see, by unit, category and demanda_id, with their row as `numero`.

    One without neighbours is noise, or a group by itself where one point is enough.
    """
    import numpy as np

    numeros = np.arange(len(com_lugar)) if min_pontos == 1 else np.union1d(um, outro)
    return com_lugar.with_row_index("numero")[numeros].sort(_COLUNAS)


def _uuid5(nome: str) -> str:
    """uuid.uuid5 in the project's namespace as text: without its objects, which cost more than DBSCAN itself."""
    texto = sha1(_NAMESPACE.bytes + nome.encode(), usedforsecurity=False).hexdigest()
    return f"{texto[:8]}-{texto[8:12]}-5{texto[13:16]}-{_VARIANTE[texto[16]]}{texto[17:20]}-{texto[20:32]}"


def _vizinhos(com_lugar: pl.DataFrame, raio_metros: float) -> tuple["Indices", "Indices"]:
    """Pairs of points of one unit and category at most `raio_metros` apart (Haversine), each pair once."""
    import numpy as np
    from scipy.spatial import KDTree

    unidade, categoria = (com_lugar[nome].cast(pl.Categorical).to_physical().to_numpy() for nome in _COLUNAS[:2])
    particao = unidade.astype(float) * (int(categoria.max(initial=0)) + 1) + categoria
    lat, lng = (np.radians(com_lugar[nome].to_numpy()) for nome in ("lat", "lng"))
    esfera = (np.cos(lat) * np.cos(lng), np.cos(lat) * np.sin(lng), np.sin(lat))
    corda = 2.0 * np.sin(min(raio_metros / (2.0 * RAIO_DA_TERRA), np.pi / 2))
    pontos = np.column_stack((*esfera, particao * 10.0))  # a fourth dimension, farther than any chord
    arvore = KDTree(pontos, balanced_tree=False, compact_nodes=False)  # asked once: building it is most of the work
    pares = arvore.query_pairs(corda * (1 + _FOLGA) + 1e-12, output_type="ndarray")
    um, outro = pares[:, 0], pares[:, 1]
    haver = np.sin((lat[um] - lat[outro]) / 2) ** 2 + np.cos(lat[um]) * np.cos(lat[outro]) * (
        np.sin((lng[um] - lng[outro]) / 2) ** 2
    )
    metros = 2.0 * RAIO_DA_TERRA * np.arcsin(np.sqrt(np.minimum(haver, 1.0)))
    perto = metros <= raio_metros
    return um[perto], outro[perto]


def _rotular(pontos: Sequence[int], um: "Indices", outro: "Indices", min_pontos: int) -> list[int]:
    """scikit-learn's label of each of the points, −1 for noise; `um` and `outro` are the neighbours among them."""
    if not pontos:
        return []
    import numpy as np
    from scipy.sparse import csr_matrix
    from sklearn import config_context
    from sklearn.cluster import DBSCAN

    lugar = np.empty(max(pontos) + 1, dtype=np.int64)
    eu = lugar[pontos] = np.arange(len(pontos))
    linhas, colunas = np.concatenate((lugar[um], lugar[outro], eu)), np.concatenate((lugar[outro], lugar[um], eu))
    # Who is near is settled: equal distances spare scikit-learn a sort of every row.
    grafo = csr_matrix((np.zeros(len(linhas)), (linhas, colunas)), shape=(len(eu), len(eu)))
    with config_context(assume_finite=True, skip_parameter_validation=True):  # half of the time for fifty points
        modelo = DBSCAN(eps=1.0, min_samples=min_pontos, metric="precomputed").fit(grafo)
    rotulos: list[int] = modelo.labels_.tolist()
    return rotulos

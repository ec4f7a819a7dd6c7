"""DBSCAN over the selected demands with coordinates, per unit and category (4.4, D25, D26)."""

import uuid
from typing import Final

import polars as pl

RAIO_DA_TERRA: Final = 6_371_000.0  # metres
_NAMESPACE: Final = uuid.UUID("d5a6e0da-0000-5000-8000-677275706f73")
_FOLGA: Final = 1e-9  # relative: the tree's radius only has to be no smaller than the exact one

ESQUEMA_GRUPOS: Final = {"demanda_id": pl.String, "grupo_id": pl.String}


def agrupar(selecao: pl.DataFrame, raio_metros: float, min_pontos: int) -> pl.DataFrame:
    """demanda_id, grupo_id of the demands that form a group; solo demands are absent.

    `selecao` has unidade_civica_id, categoria_id, demanda_id, lat, lng (degrees, null where unknown). All groups of a
    wave are clustered in one call over a sparse graph of neighbours, in order of demanda_id.
    """
    chave = ["unidade_civica_id", "categoria_id"]
    pontos = (
        selecao.lazy()
        .drop_nulls(["lat", "lng"])
        .filter(pl.len().over(chave) >= min_pontos)
        .sort([*chave, "demanda_id"])
        .select(*chave, "demanda_id", "lat", "lng", particao=pl.struct(chave).rle_id())
        .collect()
    )
    if pontos.is_empty():
        return pl.DataFrame(schema=ESQUEMA_GRUPOS)
    rotulos = _rotular(pontos, raio_metros, min_pontos)
    membros = (
        pontos.lazy()
        .with_columns(rotulo=rotulos)
        .filter(pl.col("rotulo") >= 0)
        .group_by([*chave, "rotulo"], maintain_order=True)
        .agg("demanda_id")
        .filter(pl.col("demanda_id").list.len() >= min_pontos)
        .collect()
    )
    ids = [
        str(uuid.uuid5(_NAMESPACE, f"{unidade}:{categoria}:{','.join(demandas)}"))
        for unidade, categoria, _, demandas in membros.iter_rows()
    ]
    return (
        membros.lazy()
        .with_columns(grupo_id=pl.Series(ids, dtype=pl.String))
        .explode("demanda_id")
        .select("demanda_id", "grupo_id")
        .collect()
    )


def _rotular(pontos: pl.DataFrame, raio_metros: float, min_pontos: int) -> pl.Series:
    """scikit-learn's labels, −1 for noise; points of different partitions are never neighbours."""
    import numpy as np
    from scipy.sparse import csr_matrix
    from scipy.spatial import KDTree
    from sklearn.cluster import DBSCAN

    lat, lng = (np.radians(pontos[coluna].to_numpy()) for coluna in ("lat", "lng"))
    esfera = np.column_stack((np.cos(lat) * np.cos(lng), np.cos(lat) * np.sin(lng), np.sin(lat)))
    particao = pontos["particao"].to_numpy().astype(float) * 10.0  # a fourth dimension, farther than any chord
    corda = 2.0 * np.sin(min(raio_metros / (2.0 * RAIO_DA_TERRA), np.pi / 2))
    pares = KDTree(np.column_stack((esfera, particao))).query_pairs(corda * (1 + _FOLGA) + 1e-12, output_type="ndarray")
    um, outro = pares[:, 0], pares[:, 1]
    haver = np.sin((lat[um] - lat[outro]) / 2) ** 2 + np.cos(lat[um]) * np.cos(lat[outro]) * (
        np.sin((lng[um] - lng[outro]) / 2) ** 2
    )
    metros = 2.0 * RAIO_DA_TERRA * np.arcsin(np.sqrt(np.minimum(haver, 1.0)))
    perto = metros <= raio_metros
    linhas = np.concatenate((um[perto], outro[perto]))
    colunas = np.concatenate((outro[perto], um[perto]))
    grafo = csr_matrix((np.tile(metros[perto], 2), (linhas, colunas)), shape=(len(pontos), len(pontos)))
    grafo.setdiag(0.0)
    modelo = DBSCAN(eps=raio_metros, min_samples=min_pontos, metric="precomputed")
    return pl.Series(modelo.fit(grafo).labels_.astype("int64"))

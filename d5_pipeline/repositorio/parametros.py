"""Parameters as versions in the database, where the models read them."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, NamedTuple

from d5_pipeline.conexao import Conexao
from d5_pipeline.consultas import consultas
from d5_pipeline.parametros import Clustering, Parametros

_sql = consultas("parametros")


class Versao(NamedTuple):
    """One load of parameters: its names may repeat, its id does not. `quem` is None where nobody was recorded."""

    id: int
    versao: str
    carregada_em: datetime
    quem: str | None
    por_que: str | None
    unidades_com_capacidade: int
    unidades_com_pesos: int
    vigente: bool


def historico(conexao: Conexao) -> list[Versao]:
    """Every version, oldest first."""
    return [Versao(*linha) for linha in _sql.historico(conexao)]


def id_vigente(conexao: Conexao) -> int | None:
    """Id of the current version, or None in a fresh database."""
    id_: int | None = _sql.vigente(conexao)
    return id_


def ids(conexao: Conexao) -> list[tuple[int, str]]:
    """Id and name of every version, newest first."""
    return list(_sql.ids(conexao))


def vigentes(conexao: Conexao) -> Parametros | None:
    """The current version, or None in a fresh database."""
    id_ = id_vigente(conexao)
    return None if id_ is None else ler(conexao, id_)


def ler(conexao: Conexao, id_: int) -> Parametros | None:
    """The content of a version, or None where there is none with this id."""
    linha = _sql.versao(conexao, id=id_)
    if linha is None:
        return None
    versao, fator, limiar, capacidade, concluidas, raio, min_pontos = linha
    pesos: dict[str, dict[int, float]] = {}
    for unidade, nivel, peso in _sql.pesos(conexao, id=id_):
        pesos.setdefault(unidade, {})[nivel] = peso
    return Parametros(
        versao=versao,
        fator_decaimento=fator,
        limiar_peso_nao_vencido=limiar,
        capacidade_padrao=capacidade,
        concluidas_ocupam_vaga=concluidas,
        clustering=Clustering(raio_metros=raio, min_pontos=min_pontos),
        capacidade_por_uc=dict(_sql.capacidades(conexao, id=id_)),
        pesos_situacionais=pesos,
    )


def carregar(conexao: Conexao, parametros: Parametros, intervencao: str) -> None:
    """Makes `parametros` the current version, loaded by the intervention of that id."""
    id_ = _sql.inserir_versao(conexao, intervencao=intervencao, **_colunas(parametros))
    _inserir_por_unidade(conexao, id_, parametros)


class Provisorios:
    """Parameters that only the open transaction knows, and that count only inside `valendo`; never to be committed.

    Their id lies above every real one, is given instead of drawn (no number of the sequence is used up), and differs
    from one simulation to the next, so that none waits for another's.
    """

    def __init__(self, conexao: Conexao, parametros: Parametros) -> None:
        self._conexao = conexao
        self._id = 2**62 + secrets.randbelow(2**62)
        self._colunas = _colunas(parametros)
        _inserir_por_unidade(conexao, self._id, parametros)

    @contextmanager
    def valendo(self) -> Iterator[None]:
        """While it lasts, the models read these parameters."""
        with self._conexao.transaction(force_rollback=True):
            _sql.inserir_versao_provisoria(self._conexao, id=self._id, **self._colunas)
            yield


def _colunas(parametros: Parametros) -> dict[str, Any]:
    return {
        "versao": parametros.versao,
        "fator": parametros.fator_decaimento,
        "limiar": parametros.limiar_peso_nao_vencido,
        "capacidade": parametros.capacidade_padrao,
        "concluidas": parametros.concluidas_ocupam_vaga,
        "raio": parametros.clustering.raio_metros,
        "min_pontos": parametros.clustering.min_pontos,
    }


def _inserir_por_unidade(conexao: Conexao, id_: int, parametros: Parametros) -> None:
    _sql.inserir_capacidades(
        conexao,
        id=id_,
        unidades=list(parametros.capacidade_por_uc),
        capacidades=list(parametros.capacidade_por_uc.values()),
    )
    pesos = [(u, n, p) for u, niveis in parametros.pesos_situacionais.items() for n, p in niveis.items()]
    _sql.inserir_pesos(
        conexao,
        id=id_,
        unidades=[unidade for unidade, _, _ in pesos],
        niveis=[nivel for _, nivel, _ in pesos],
        pesos=[peso for _, _, peso in pesos],
    )


def unidades_conhecidas(conexao: Conexao) -> int:
    """Units that have had a score or a row."""
    return int(_sql.unidades_conhecidas(conexao))

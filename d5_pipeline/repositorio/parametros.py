"""Parameters as versions in the database, where the models read them."""

from d5_pipeline.conexao import Conexao
from d5_pipeline.consultas import consultas
from d5_pipeline.parametros import Clustering, Parametros

_sql = consultas("parametros")


def vigentes(conexao: Conexao) -> Parametros | None:
    """The current version, or None in a fresh database."""
    linha = _sql.vigente(conexao)
    if linha is None:
        return None
    id_, versao, fator, limiar, capacidade, concluidas, raio, min_pontos = linha
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


def carregar(conexao: Conexao, parametros: Parametros) -> None:
    """Makes `parametros` the current version."""
    id_ = _sql.inserir_versao(
        conexao,
        versao=parametros.versao,
        fator=parametros.fator_decaimento,
        limiar=parametros.limiar_peso_nao_vencido,
        capacidade=parametros.capacidade_padrao,
        concluidas=parametros.concluidas_ocupam_vaga,
        raio=parametros.clustering.raio_metros,
        min_pontos=parametros.clustering.min_pontos,
    )
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

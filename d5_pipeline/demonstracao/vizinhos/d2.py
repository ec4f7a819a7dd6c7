"""D-2: says where each demand is."""

from d5_pipeline.demonstracao.eventos import DEMANDA_GEORREFERENCIADA, NovoEvento, novo_evento
from d5_pipeline.demonstracao.solicitacoes import Solicitacao


def georreferenciar(solicitacao: Solicitacao) -> NovoEvento:
    """demanda.georreferenciada of a request; the coordinates are absent where the city has none (4.6)."""
    payload: dict[str, object] = {"demanda_id": solicitacao.demanda_id}
    if solicitacao.coordenadas is not None:
        payload["coordenadas_lat"], payload["coordenadas_lng"] = solicitacao.coordenadas
    demanda_id = solicitacao.demanda_id
    return novo_evento("D-2", DEMANDA_GEORREFERENCIADA, demanda_id, demanda_id, payload, solicitacao.aberta_em)

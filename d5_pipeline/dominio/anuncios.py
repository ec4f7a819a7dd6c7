"""When a unit's first available demand is announced (D8, D9)."""

from d5_pipeline.dominio.estado import Estado
from d5_pipeline.dominio.eventos import ITEM_DISPONIVEL, Evento
from d5_pipeline.dominio.linhas import Publicacao
from d5_pipeline.dominio.publicacoes import item_disponivel


def anunciar(estado: Estado, evento: Evento, unidade_id: str) -> None:
    """Publishes the first available demand of the unit if it is not the one last announced (D9)."""
    unidade = estado.unidades[unidade_id]
    topo = unidade.primeiro_disponivel()
    if topo is None or topo.demanda_id == unidade.anunciada:
        return
    estado.anunciar(unidade_id, topo.demanda_id, evento)
    estado.mudancas.publicacoes.append(Publicacao(evento, ITEM_DISPONIVEL, item_disponivel(topo)))

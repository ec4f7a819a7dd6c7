"""Payloads of the two events that D-5 publishes (3.8, 3.9), without their timestamp."""

from collections.abc import Sequence

from d5_pipeline.dominio.linhas import Item

TAMANHO_DO_TOPO = 10


def item_disponivel(item: Item) -> dict[str, object]:
    """agenda.item_disponível for the first available item of a unit."""
    return {
        "demanda_id": item.demanda_id,
        "unidade_civica_id": item.unidade_civica_id,
        "posicao_no_backlog": item.posicao,
        "score_final": item.score,
        "categoria_id": item.categoria_id,
        "nivel_precedencia": item.nivel_precedencia,
        "grupo_id": item.grupo_id,
    }


def agenda_gerada(
    unidade_civica_id: str,
    agenda: Sequence[Item],
    nivel_nao_vencido: int | None,
    itens_nivel_prioritario: int,
    grupos_territoriais: int,
    versao_parametros: str,
) -> dict[str, object]:
    """agenda.gerada for a rebuilt unit; `agenda` in order of posicao."""
    return {
        "unidade_civica_id": unidade_civica_id,
        "total_itens": len(agenda),
        "distribuicao_decay": {
            "nivel_nao_vencido": nivel_nao_vencido,
            "itens_nivel_prioritario": itens_nivel_prioritario,
            "itens_outros_niveis": len(agenda) - itens_nivel_prioritario,
        },
        "top_10": [
            {
                "posicao": item.posicao,
                "demanda_id": item.demanda_id,
                "score_final": item.score,
                "categoria_id": item.categoria_id,
                "grupo_id": item.grupo_id,
            }
            for item in agenda[:TAMANHO_DO_TOPO]
        ],
        "grupos_territoriais": grupos_territoriais,
        "versao_parametros": versao_parametros,
    }

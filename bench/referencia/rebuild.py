"""The rebuild of one unit: 3.11 a to f, in the order of 4.1."""

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from bench.banco import consultas
from bench.referencia.evento import Evento
from bench.referencia.selecao import Score, agrupar, selecionar

if TYPE_CHECKING:
    from bench.referencia.processador import Referencia

_sql = consultas("referencia/passos")


def reconstruir(r: "Referencia", evento: Evento, unidade: str) -> None:
    """Rebuilds the unit's backlog, publishes agenda.gerada, announces."""
    linhas = list(_sql.buscar_scores_ativos(r.conexao, unidade_civica_id=unidade))
    coordenadas = {d: (lat, lng) for d, lat, lng in _sql.buscar_coordenadas(r.conexao, unidade_civica_id=unidade)}
    todas = r.parametros["concluidas_ocupam_vaga"]
    scores = [Score(*campos) for *campos, concluida in linhas if todas or not concluida]
    selecao = selecionar(scores, r.parametros, unidade)
    ordenadas = selecao.prioritarias + selecao.outras
    grupos = agrupar(ordenadas, coordenadas, r.parametros, unidade)
    _persistir(r, evento, unidade, ordenadas, grupos)
    payload = {
        "unidade_civica_id": unidade,
        "total_itens": len(ordenadas),
        "distribuicao_decay": {
            "nivel_nao_vencido": selecao.nivel if linhas else None,
            "itens_nivel_prioritario": len(selecao.prioritarias),
            "itens_outros_niveis": len(selecao.outras),
        },
        "top_10": [
            {
                "posicao": posicao,
                "demanda_id": score.demanda_id,
                "score_final": score.score,
                "categoria_id": score.categoria_id,
                "grupo_id": grupos.get(score.demanda_id),
            }
            for posicao, score in enumerate(ordenadas[:10], start=1)
        ],
        "grupos_territoriais": len(set(grupos.values())),
        "versao_parametros": r.parametros["versao"],
    }
    r.publicar(evento, "agenda.gerada", payload)
    r.anunciar(evento, unidade)


def _persistir(r: "Referencia", evento: Evento, unidade: str, ordenadas: list[Score], grupos: dict[str, str]) -> None:
    """One upsert per row; status and times of existing rows stay, remembered ones come back (4.1, D10, D27)."""
    ids = [score.demanda_id for score in ordenadas]
    com_linha = {demanda for (demanda,) in _sql.buscar_itens(r.conexao, demandas=ids)}
    sem_linha = [demanda for demanda in ids if demanda not in com_linha]
    situacoes = {}
    if sem_linha:
        situacoes = {demanda: campos for demanda, *campos in _sql.buscar_situacoes(r.conexao, demandas=sem_linha)}
    for posicao, score in enumerate(ordenadas, start=1):
        status, sequencia, entrou_em, conclusao, dias = situacoes.get(score.demanda_id, _NOVA)
        if score.demanda_id in situacoes and entrou_em is None:
            _sql.gravar_situacao(
                r.conexao,
                demanda_id=score.demanda_id,
                status=status,
                sequence_number=sequencia,
                entrou_em=evento.quando,
                data_conclusao=conclusao,
                dias_ate_conclusao=dias,
            )
        _sql.upsert_item(
            r.conexao,
            demanda_id=score.demanda_id,
            unidade_civica_id=unidade,
            posicao=posicao,
            score=Decimal(score.score),
            status=status,
            grupo_id=grupos.get(score.demanda_id),
            categoria_id=score.categoria_id,
            nivel_precedencia=score.nivel,
            event_id=evento.event_id,
            entrou_em=entrou_em or evento.quando,
            atualizado_em=evento.quando,
            data_conclusao=conclusao,
            dias_ate_conclusao=dias,
        )
    _sql.remover_fora(r.conexao, unidade_civica_id=unidade, demandas=ids)


_NOVA: tuple[Any, ...] = ("disponivel", 0, None, None, None)

"""D-4: scores demands and ranks them within their civic unit, in memory."""

from bisect import bisect_left, insort
from collections import defaultdict
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from d5_pipeline.demonstracao.eventos import (
    DEMANDA_RANQUEADA,
    ENCERRAMENTOS,
    RANKING_ATUALIZADO,
    Log,
    NovoEvento,
    demandas_encerradas,
    iso,
    novo_evento,
)
from d5_pipeline.demonstracao.mapeamento import PESO_NACIONAL, score_final
from d5_pipeline.demonstracao.parametros import Pesos
from d5_pipeline.demonstracao.solicitacoes import Solicitacao
from d5_pipeline.demonstracao.vizinhos.vizinho import Catalogo, Vizinho

_TOPO = 10


@dataclass(frozen=True, slots=True, order=True)
class _Posto:
    """Place in a ranking: higher score first, then demanda_id (D23)."""

    menos_score: Decimal
    demanda_id: str
    categoria_id: str = field(compare=False)


class Ranqueador(Vizinho):
    """The ranking of each unit; demands that ended leave it."""

    def __init__(self, log: Log, catalogo: Catalogo, pesos: Pesos) -> None:
        super().__init__(log, catalogo)
        self._pesos = pesos
        self._rankings: dict[str, list[_Posto]] = defaultdict(list)

    def retirar_encerradas(self) -> None:
        """Take out of the ranking what the log says has been concluded or aggregated."""
        encerradas = {
            demanda_id
            for evento in self._novidades(ENCERRAMENTOS)
            for demanda_id in demandas_encerradas(evento)
            if demanda_id in self._catalogo
        }
        for uc_id in {self._catalogo[demanda_id].unidade_civica_id for demanda_id in encerradas}:
            ranking = self._rankings[uc_id]
            self._rankings[uc_id] = [posto for posto in ranking if posto.demanda_id not in encerradas]

    def ranquear(self, solicitacao: Solicitacao) -> list[NovoEvento]:
        """demanda.ranqueada, and ranking.atualizado when the demand enters the unit's top 10 (3.1, 3.2)."""
        score = self._score(solicitacao)
        posto = _Posto(-score, solicitacao.demanda_id, solicitacao.categoria.categoria_id)
        ranking = self._rankings[solicitacao.unidade_civica_id]
        posicao = bisect_left(ranking, posto) + 1
        insort(ranking, posto)
        eventos = [self._ranqueada(solicitacao, score, posicao)]
        if posicao <= _TOPO:
            eventos.append(self._ranking_atualizado(solicitacao, posicao))
        return eventos

    def _score(self, solicitacao: Solicitacao) -> Decimal:
        peso = self._pesos.situacional(solicitacao.unidade_civica_id, solicitacao.nivel)
        return score_final(solicitacao.nivel, peso, solicitacao.categoria.score_horizontal)

    def _ranqueada(self, solicitacao: Solicitacao, score: Decimal, posicao: int) -> NovoEvento:
        uc_id = solicitacao.unidade_civica_id
        payload = {
            "demanda_id": solicitacao.demanda_id,
            "unidade_civica_id": uc_id,
            "categoria_id": solicitacao.categoria.categoria_id,
            "nivel_precedencia": solicitacao.nivel,
            "score_final": _numero(score),
            "breakdown": {
                "peso_nacional": PESO_NACIONAL[solicitacao.nivel],
                "peso_situacional": _numero(self._pesos.situacional(uc_id, solicitacao.nivel)),
                "score_horizontal": solicitacao.categoria.score_horizontal,
            },
            "posicao_no_ranking": posicao,
            "total_demandas_na_uc": len(self._rankings[uc_id]),
            "versao_parametros": self._pesos.versao,
            "timestamp_calculo": iso(solicitacao.aberta_em),
        }
        return self._evento(DEMANDA_RANQUEADA, solicitacao, payload, versao_schema="1.1.0")

    def _ranking_atualizado(self, solicitacao: Solicitacao, posicao: int) -> NovoEvento:
        ranking = self._rankings[solicitacao.unidade_civica_id]
        payload = {
            "unidade_civica_id": solicitacao.unidade_civica_id,
            "motivo": "primeira_posicao_alterada" if posicao == 1 else "demanda_top10",
            "demanda_id_gatilho": solicitacao.demanda_id,
            "top_10": [
                {
                    "posicao": posicao_do_posto,
                    "demanda_id": posto.demanda_id,
                    "score_final": _numero(-posto.menos_score),
                    "categoria_id": posto.categoria_id,
                }
                for posicao_do_posto, posto in enumerate(ranking[:_TOPO], start=1)
            ],
            "total_demandas": len(ranking),
            "versao_parametros": self._pesos.versao,
            "timestamp": iso(solicitacao.aberta_em),
        }
        return self._evento(RANKING_ATUALIZADO, solicitacao, payload)

    def _evento(
        self, tipo: str, solicitacao: Solicitacao, payload: dict[str, Any], versao_schema: str = "1.0.0"
    ) -> NovoEvento:
        demanda_id = solicitacao.demanda_id
        return novo_evento("D-4", tipo, demanda_id, demanda_id, payload, solicitacao.aberta_em, versao_schema)


def _numero(valor: Decimal) -> float:
    """JSON number; with at most four decimals the shortest form of the float is the decimal itself."""
    return float(valor)

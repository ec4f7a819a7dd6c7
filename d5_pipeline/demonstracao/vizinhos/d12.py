"""D-12: consolidates near duplicates and confirms what citizens say is resolved."""

from collections import defaultdict
from datetime import datetime

from d5_pipeline.demonstracao.eventos import (
    CONCLUSAO_CONFIRMADA,
    CONSELHEIRO_SORTEADO,
    DEMANDA_GEORREFERENCIADA,
    DUPLICIDADE_AGREGADA,
    ENCERRAMENTOS,
    EventoLido,
    Log,
    NovoEvento,
    demandas_encerradas,
    iso,
    novo_evento,
    uuid_de,
)
from d5_pipeline.demonstracao.proximidade import RAIO_METROS, Familias
from d5_pipeline.demonstracao.solicitacoes import Solicitacao
from d5_pipeline.demonstracao.vizinhos.vizinho import Catalogo, Vizinho

# Three distinct citizens say it is resolved (3.6): here, those who reported the same thing as the representative.
_CONCLUSOES_NECESSARIAS = 3


class Detector(Vizinho):
    """Families of near duplicates among the open demands; a demand is compared one round after it arrived."""

    def __init__(self, log: Log, catalogo: Catalogo) -> None:
        super().__init__(log, catalogo)
        self._familias = Familias()
        self._em_observacao: list[Solicitacao] = []
        self._membros: dict[str, list[str]] = defaultdict(list)
        self._sorteadas: set[str] = set()
        self._encerradas: set[str] = set()

    def reagir(self, relogio: datetime) -> list[NovoEvento]:
        """duplicidade.agregada for families that grew, demanda.conclusao_confirmada for confirmed representatives."""
        chegadas: list[Solicitacao] = []
        for evento in self._novidades([DEMANDA_GEORREFERENCIADA, CONSELHEIRO_SORTEADO, *ENCERRAMENTOS]):
            if evento.tipo == DEMANDA_GEORREFERENCIADA:
                chegadas += self._conhecida(evento)
            else:
                self._anotar(evento)
        eventos = self._agregar(relogio) + self._confirmar(relogio)
        self._em_observacao = chegadas
        self._log.acrescentar(eventos)
        return eventos

    def _conhecida(self, evento: EventoLido) -> list[Solicitacao]:
        solicitacao = self._catalogo.get(evento.payload["demanda_id"])
        return [] if solicitacao is None else [solicitacao]

    def _anotar(self, evento: EventoLido) -> None:
        if evento.tipo == CONSELHEIRO_SORTEADO:
            self._sorteadas.add(evento.payload["demanda_id"])
            return
        for demanda_id in demandas_encerradas(evento):
            self._encerradas.add(demanda_id)
            if demanda_id in self._catalogo:
                self._familias.dispensar(self._catalogo[demanda_id])

    def _agregar(self, relogio: datetime) -> list[NovoEvento]:
        cresceram: dict[str, None] = {}
        for solicitacao in self._em_observacao:
            if solicitacao.demanda_id in self._encerradas:
                continue
            representante = self._familias.acolher(solicitacao)
            if representante is None:
                continue
            self._membros[representante.demanda_id].append(solicitacao.demanda_id)
            if representante is not solicitacao:
                cresceram[representante.demanda_id] = None
        return [self._agregada(representante_id, relogio) for representante_id in cresceram]

    def _agregada(self, representante_id: str, relogio: datetime) -> NovoEvento:
        membros = self._membros[representante_id]
        payload = {
            "agregado_id": uuid_de("agregado", representante_id),
            "representante_demanda_id": representante_id,
            "membros": [{"demanda_id": demanda_id} for demanda_id in membros],
            "mecanismo": "confirmacao_coletiva",
            "confirmacoes_gatilho": len(membros),
            "criterios": {
                "servico": self._catalogo[representante_id].servico,
                "raio_metros": RAIO_METROS,
                "mesma_unidade_civica": True,
            },
        }
        # A demand joins one family only, so the newest member names this publication of a family that grows.
        return novo_evento("D-12", DUPLICIDADE_AGREGADA, membros[-1], representante_id, payload, relogio)

    def _confirmar(self, relogio: datetime) -> list[NovoEvento]:
        """Representatives confirmed by enough citizens, drawn by nobody, that the city has closed by now."""
        eventos: list[NovoEvento] = []
        for demanda_id, membros in self._membros.items():
            parecer_em = self._catalogo[demanda_id].parecer_em
            aberta = demanda_id not in self._encerradas and demanda_id not in self._sorteadas
            conclusoes = len(membros) - 1
            if aberta and conclusoes >= _CONCLUSOES_NECESSARIAS and parecer_em is not None and parecer_em <= relogio:
                eventos.append(self._confirmada(demanda_id, conclusoes, parecer_em, relogio))
        return eventos

    def _confirmada(self, demanda_id: str, conclusoes: int, parecer_em: datetime, relogio: datetime) -> NovoEvento:
        payload = {
            "demanda_id": demanda_id,
            "unidade_civica_id": self._catalogo[demanda_id].unidade_civica_id,
            "conclusao_id": uuid_de("conclusao", demanda_id),
            "total_conclusoes": conclusoes,
            "data_conclusao": iso(parecer_em),
            "mecanismo": "confirmacao_coletiva",
            "ratificacao_necessaria": False,
        }
        return novo_evento("D-12", CONCLUSAO_CONFIRMADA, demanda_id, demanda_id, payload, relogio)

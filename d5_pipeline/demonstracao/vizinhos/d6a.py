"""D-6a: draws a councillor for each demand that D-5 announces."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256

from d5_pipeline.demonstracao.eventos import (
    CONSELHEIRO_SORTEADO,
    ENCERRAMENTOS,
    ITEM_DISPONIVEL,
    EventoLido,
    Log,
    NovoEvento,
    demandas_encerradas,
    novo_evento,
    uuid_de,
)
from d5_pipeline.demonstracao.vizinhos.vizinho import Catalogo, Vizinho

CONSELHEIROS_POR_UC = 4


def fisher_yates(elegiveis: Sequence[str], semente: str) -> list[str]:
    """The eligible ones shuffled by a public seed, so that anybody can repeat the draw."""
    lista = sorted(elegiveis)
    for i in range(len(lista) - 1, 0, -1):
        j = int.from_bytes(sha256(f"{semente}:{i}".encode()).digest(), "big") % (i + 1)
        lista[i], lista[j] = lista[j], lista[i]
    return lista


def conselheiros_da(unidade_civica_id: str) -> list[str]:
    """The councillors of a civic unit."""
    return [uuid_de("conselheiro", unidade_civica_id, str(numero)) for numero in range(1, CONSELHEIROS_POR_UC + 1)]


class Sorteador(Vizinho):
    """Draws while councillors are free: each holds one demand until it ends, the other announcements wait."""

    def __init__(self, log: Log, catalogo: Catalogo) -> None:
        super().__init__(log, catalogo)
        self._anunciadas: dict[str, dict[str, None]] = defaultdict(dict)
        self._conselheiro_da_demanda: dict[str, str] = {}
        self._encerradas: set[str] = set()

    def reagir(self, relogio: datetime) -> list[NovoEvento]:
        """conselheiro.sorteado for every announced demand that is still open and finds a free councillor."""
        for evento in self._novidades([ITEM_DISPONIVEL, CONSELHEIRO_SORTEADO, *ENCERRAMENTOS]):
            self._anotar(evento)
        eventos: list[NovoEvento] = []
        for uc_id in sorted(self._anunciadas):
            eventos += self._sortear_na_unidade(uc_id, relogio)
        self._log.acrescentar(eventos)
        return eventos

    def _anotar(self, evento: EventoLido) -> None:
        if evento.tipo == ITEM_DISPONIVEL:
            demanda_id = evento.payload["demanda_id"]
            if demanda_id in self._catalogo:
                self._anunciadas[evento.payload["unidade_civica_id"]][demanda_id] = None
        elif evento.tipo == CONSELHEIRO_SORTEADO:
            self._conselheiro_da_demanda[evento.payload["demanda_id"]] = evento.payload["conselheiro_id"]
        else:
            self._encerradas.update(demandas_encerradas(evento))

    def _sortear_na_unidade(self, uc_id: str, relogio: datetime) -> list[NovoEvento]:
        em_espera = [
            demanda_id
            for demanda_id in self._anunciadas[uc_id]
            if demanda_id not in self._encerradas and demanda_id not in self._conselheiro_da_demanda
        ]
        self._anunciadas[uc_id] = dict.fromkeys(em_espera)
        eventos: list[NovoEvento] = []
        for demanda_id in em_espera:
            livres = self._livres(uc_id)
            if not livres:
                break
            evento = _sorteado(uc_id, demanda_id, livres, relogio)
            self._conselheiro_da_demanda[demanda_id] = evento.payload["conselheiro_id"]
            eventos.append(evento)
        return eventos

    def _livres(self, uc_id: str) -> list[str]:
        ocupados = {
            conselheiro_id
            for demanda_id, conselheiro_id in self._conselheiro_da_demanda.items()
            if demanda_id not in self._encerradas
        }
        return [conselheiro_id for conselheiro_id in conselheiros_da(uc_id) if conselheiro_id not in ocupados]


def _sorteado(uc_id: str, demanda_id: str, livres: list[str], relogio: datetime) -> NovoEvento:
    semente = sha256(f"{uc_id}:{demanda_id}".encode()).hexdigest()
    elegiveis = sorted(livres)
    sorteado = fisher_yates(elegiveis, semente)[0]
    payload = {
        "conselheiro_id": sorteado,
        "demanda_id": demanda_id,
        "unidade_civica_id": uc_id,
        "metodo_sorteio": "fisher_yates",
        "seed_publico": semente,
        "lista_elegiveis_hash": sha256("\n".join(elegiveis).encode()).hexdigest(),
        "posicao_sorteada": elegiveis.index(sorteado) + 1,
        "total_elegiveis": len(elegiveis),
    }
    return novo_evento("D-6a", CONSELHEIRO_SORTEADO, demanda_id, demanda_id, payload, relogio)

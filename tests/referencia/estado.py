"""State of D-5 as plain dicts: rows, recorded transitions, announcements (D8 to D10)."""

import copy
from datetime import UTC, datetime
from typing import Any

from tests.referencia.validacao import VALIDAR

Dados = dict[str, Any]

CONSUMIDOS = (*VALIDAR, "parâmetros.atualizados")
ENCERRADOS = {"concluido", "agregado", "removido"}


class Estado:
    """Tables keyed by demanda_id; announcements keyed by unidade_civica_id.

    A trigger (`gatilho`) is a dict with tipo, sequencia, event_id, correlacao_id and quando.
    """

    def __init__(self, parametros: Dados) -> None:
        self.parametros = copy.deepcopy(parametros)
        self.scores: dict[str, Dados] = {}
        self.itens: dict[str, Dados] = {}
        self.agregadas: dict[str, Dados] = {}
        self.coordenadas: dict[str, tuple[float, float]] = {}
        self.transicoes: dict[str, Dados] = {}  # the last transition caused by a status event (D10)
        self.anuncios: dict[str, str] = {}  # the demand last announced (D8)
        self.cursores = dict.fromkeys(CONSUMIDOS, 0)
        self.descartados: list[int] = []
        self.publicacoes: list[Dados] = []

    def status(self, demanda: str) -> str:
        """Status of the row, else the recorded one, else disponivel (D10, D17)."""
        if demanda in self.itens:
            return str(self.itens[demanda]["status"])
        if demanda in self.agregadas:
            return "agregado"
        return str(self.transicoes[demanda]["status"]) if demanda in self.transicoes else "disponivel"

    def entrada(self, demanda: str) -> datetime | None:
        """entrou_em of the row, else the recorded one, else none (D10)."""
        origem: Dados | None = self.itens.get(demanda) or self.transicoes.get(demanda)
        return None if origem is None else origem["entrou_em"]

    def capacidade(self, uc: str) -> int:
        """Capacity of a unit (4.3)."""
        return int(self.parametros["capacidade_por_uc"].get(uc, self.parametros["capacidade_padrao"]))

    def ocupadas(self, uc: str) -> int:
        """contarItensPorUc: rows of the unit that have not ended (3.10, D18)."""
        return sum(i["unidade_civica_id"] == uc and i["status"] not in ENCERRADOS for i in self.itens.values())

    def criar_linha(self, demanda: str, quando: datetime, colunas: Dados) -> None:
        """A demand gets a row: with its recorded transition if there is one, else anew as disponivel (D10)."""
        registro = self.transicoes.get(demanda)
        if registro is None:
            registro = {"status": "disponivel", "entrou_em": quando, "data_conclusao": None, "dias_ate_conclusao": None}
        elif registro["entrou_em"] is None:
            registro["entrou_em"] = quando
        do_registro = ("status", "entrou_em", "data_conclusao", "dias_ate_conclusao")
        self.itens[demanda] = {"demanda_id": demanda} | colunas | {nome: registro[nome] for nome in do_registro}

    def transitar(self, gatilho: Dados, demanda: str, status: str, conclusao: Dados | None = None) -> None:
        """Writes a transition to the row, where there is one, and records it (D10)."""
        mudanca = {"status": status} | (conclusao or {})
        if demanda in self.itens:
            self.itens[demanda].update(mudanca, event_id=gatilho["event_id"])
        nenhuma_conclusao = {"data_conclusao": None, "dias_ate_conclusao": None}
        origem = {"entrou_em": self.entrada(demanda), "sequencia": gatilho["sequencia"]}
        self.transicoes[demanda] = nenhuma_conclusao | mudanca | origem

    def atrasado(self, gatilho: Dados, demanda: str) -> bool:
        """Not above the sequence of the demand's last recorded transition (D6)."""
        return demanda in self.transicoes and gatilho["sequencia"] <= self.transicoes[demanda]["sequencia"]

    def anunciar(self, gatilho: Dados, uc: str) -> None:
        """Publishes the first available row of the unit unless it is the one last announced (D9)."""
        disponiveis = [i for i in self.itens.values() if i["unidade_civica_id"] == uc and i["status"] == "disponivel"]
        if not disponiveis:
            return
        topo = min(disponiveis, key=lambda i: (i["posicao"], -i["score"], i["demanda_id"]))
        if self.anuncios.get(uc) == topo["demanda_id"]:
            return
        self.anuncios[uc] = topo["demanda_id"]
        payload = {
            "demanda_id": topo["demanda_id"],
            "unidade_civica_id": uc,
            "posicao_no_backlog": topo["posicao"],
            "score_final": topo["score"],
            "categoria_id": topo["categoria_id"],
            "nivel_precedencia": topo["nivel_precedencia"],
            "grupo_id": topo["grupo_id"],
        }
        self.publicar(gatilho, "agenda.item_disponível", payload)

    def publicar(self, gatilho: Dados, tipo: str, payload: Dados) -> None:
        """Appends a publication with the trigger's correlacao_id (3.8, 3.9)."""
        self.publicacoes.append({"tipo": tipo, "correlacao_id": gatilho["correlacao_id"], "payload": payload})

    def resultado(self) -> Dados:
        """Tables and publications in the form of the conformance files, with real ids under grupo_id."""
        itens = [{nome: _visivel(valor) for nome, valor in item.items()} for item in self.itens.values()]
        pontos = sorted(self.coordenadas.items())
        resultado = {
            "backlog_scores": sorted(self.scores.values(), key=lambda s: s["demanda_id"]),
            "backlog_items": sorted(itens, key=lambda i: (i["unidade_civica_id"], i["posicao"], i["demanda_id"])),
            "demandas_agregadas": sorted(self.agregadas.values(), key=lambda a: a["demanda_id"]),
            "coordenadas_demanda": [{"demanda_id": demanda, "lat": lat, "lng": lng} for demanda, (lat, lng) in pontos],
            "consumer_offset": self.cursores,
            "descartados": self.descartados,
            "publicacoes": self.publicacoes,
        }
        return copy.deepcopy(resultado)


def _visivel(valor: Any) -> Any:
    """Times as text, in UTC with as many decimals as they need."""
    if not isinstance(valor, datetime):
        return valor
    texto = valor.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f").rstrip("0").rstrip(".")
    return f"{texto}Z"

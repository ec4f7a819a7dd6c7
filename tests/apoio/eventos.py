"""Events of the neighbours, one function per type (section 3), and their way into the log."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from psycopg.types.json import Jsonb

from d5_pipeline.conexao import Conexao

Dados = dict[str, Any]

INICIO = datetime(2026, 3, 1, 12, tzinfo=UTC)
UC = "f0000001-0000-4000-8000-000000000001"
OUTRA_UC = "f0000002-0000-4000-8000-000000000002"
PESOS = {"1": 0.85, "2": 0.6, "3": 0.75, "4": 0.4, "5": 0.2}

INSERIR = """
    insert into core.event_log (event_id, tipo, versao_schema, origem, correlacao_id, payload, criado_em)
    values (%s, %s, %s, %s, %s, %s, %s)
    returning sequence_number
"""


@dataclass(frozen=True)
class Evento:
    """An event before the log gives it its number."""

    tipo: str
    payload: Dados
    quando: datetime = INICIO
    versao_schema: str = "1.0.0"
    origem: str = "vizinho"
    event_id: str = field(default_factory=lambda: str(uuid4()))
    correlacao_id: str = field(default_factory=lambda: str(uuid4()))


def demanda(numero: int) -> str:
    """The id of a demand; ids sort like numbers."""
    return f"d{numero:07d}-0000-4000-8000-{numero:012d}"


def parametros(**outros: Any) -> Dados:
    """The parameters of 4.3 without units of their own: capacity 10, uniform distribution."""
    return {
        "versao": "mvp-v1",
        "fator_decaimento": 0.40,
        "limiar_peso_nao_vencido": 0.1,
        "capacidade_padrao": 10,
        "concluidas_ocupam_vaga": True,
        "clustering": {"raio_metros": 500, "min_pontos": 2},
        "capacidade_por_uc": {},
        "pesos_situacionais": {},
    } | outros


def ranqueada(
    demanda_id: str, score: float = 100, uc: str = UC, nivel: int = 1, categoria: str = "1.1", quando: datetime = INICIO
) -> Evento:
    """demanda.ranqueada 1.1.0 (3.1)."""
    payload = {
        "demanda_id": demanda_id,
        "unidade_civica_id": uc,
        "categoria_id": categoria,
        "nivel_precedencia": nivel,
        "score_final": score,
        "breakdown": {"peso_nacional": 100, "peso_situacional": 0.85, "score_horizontal": 95},
        "posicao_no_ranking": 1,
        "total_demandas_na_uc": 10,
        "versao_parametros": "mvp-v1",
        "timestamp_calculo": "2026-03-01T00:00:00.000Z",
    }
    return Evento("demanda.ranqueada", payload, quando, "1.1.0")


def ranking(uc: str = UC, quando: datetime = INICIO) -> Evento:
    """ranking.atualizado (3.2)."""
    payload = {"unidade_civica_id": uc, "motivo": "demanda_top10", "top_10": [], "total_demandas": 10}
    return Evento("ranking.atualizado", payload, quando)


def sorteado(demanda_id: str, uc: str | None = UC, quando: datetime = INICIO) -> Evento:
    """conselheiro.sorteado (3.3)."""
    payload = {"conselheiro_id": str(uuid4()), "demanda_id": demanda_id, "metodo_sorteio": "fisher_yates"}
    return Evento("conselheiro.sorteado", payload | ({"unidade_civica_id": uc} if uc else {}), quando)


def iniciada(demanda_id: str, quando: datetime = INICIO) -> Evento:
    """conselheiro.demanda_iniciada (3.4)."""
    return Evento("conselheiro.demanda_iniciada", {"demanda_id": demanda_id, "unidade_civica_id": UC}, quando)


def concluida(demanda_id: str, quando: datetime = INICIO, **payload: Any) -> Evento:
    """demanda.concluída (3.5)."""
    return Evento("demanda.concluída", {"demanda_id": demanda_id, "unidade_civica_id": UC} | payload, quando)


def confirmada(demanda_id: str, quando: datetime = INICIO, ratificacao: bool = False, **payload: Any) -> Evento:
    """demanda.conclusao_confirmada (3.6)."""
    fixos = {"demanda_id": demanda_id, "unidade_civica_id": UC, "ratificacao_necessaria": ratificacao}
    return Evento("demanda.conclusao_confirmada", fixos | payload, quando)


def agregada(representante: str, membros: Iterable[str], quando: datetime = INICIO) -> Evento:
    """duplicidade.agregada (3.7)."""
    payload = {
        "agregado_id": str(uuid4()),
        "representante_demanda_id": representante,
        "membros": [{"demanda_id": membro} for membro in membros],
        "mecanismo": "confirmacao_coletiva",
        "confirmacoes_gatilho": 3,
        "criterios": {},
    }
    return Evento("duplicidade.agregada", payload, quando)


def georreferenciada(demanda_id: str, lat: float, lng: float) -> Evento:
    """demanda.georreferenciada (4.6)."""
    return Evento(
        "demanda.georreferenciada", {"demanda_id": demanda_id, "coordenadas_lat": lat, "coordenadas_lng": lng}
    )


def inserir(conexao: Conexao, *eventos: Evento) -> list[int]:
    """Appends events as the other colonies do, the log giving the numbers; returns them."""
    numeros: list[int] = []
    for evento in eventos:
        valores = (
            evento.event_id,
            evento.tipo,
            evento.versao_schema,
            evento.origem,
            evento.correlacao_id,
            Jsonb(evento.payload),
            evento.quando,
        )
        numeros += [int(str(numero)) for (numero,) in conexao.execute(INSERIR, valores)]
    return numeros

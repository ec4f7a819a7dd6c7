"""Every event of the neighbours has the envelope and the payload of the specification's sections 3.1 to 3.7 and 4.6."""

import json
import unicodedata
from datetime import datetime
from typing import Any
from uuid import UUID

import pytest

from d5_pipeline.demonstracao.solicitacoes import ler_solicitacoes
from tests.apoio.demonstracao import LogEmMemoria, demonstracao


@pytest.fixture(scope="module")
def log() -> LogEmMemoria:
    return demonstracao()[0]


def _uuid(valor: Any) -> bool:
    return isinstance(valor, str) and str(UUID(valor)) == valor


def _instante(valor: Any) -> bool:
    return isinstance(valor, str) and datetime.fromisoformat(valor).tzinfo is not None


def _texto(valor: Any) -> bool:
    return isinstance(valor, str) and valor != ""


def _natural(valor: Any) -> bool:
    return type(valor) is int and valor >= 1


def _score(valor: Any) -> bool:
    return type(valor) in (int, float) and 0 <= valor < 10**10


def _membros(valor: Any) -> bool:
    return len(valor) >= 2 and all(set(membro) == {"demanda_id"} and _uuid(membro["demanda_id"]) for membro in valor)


def _top_10(valor: Any) -> bool:
    campos = {"posicao", "demanda_id", "score_final", "categoria_id"}
    scores = [item["score_final"] for item in valor]
    posicoes = [item["posicao"] for item in valor]
    em_ordem = posicoes == list(range(1, len(valor) + 1)) and scores == sorted(scores, reverse=True)
    return 1 <= len(valor) <= 10 and em_ordem and all(set(item) == campos for item in valor)


def _breakdown(valor: Any) -> bool:
    return set(valor) == {"peso_nacional", "peso_situacional", "score_horizontal"} and all(map(_score, valor.values()))


# Sections 3.1 to 3.7 and 4.6: origin, version, then every field with what it must be.
CONTRATOS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "demanda.ranqueada": (
        "D-4",
        "1.1.0",
        {
            "demanda_id": _uuid,
            "unidade_civica_id": _uuid,
            "categoria_id": _texto,
            "nivel_precedencia": lambda v: v in {1, 2, 3, 4, 5},
            "score_final": _score,
            "breakdown": _breakdown,
            "posicao_no_ranking": _natural,
            "total_demandas_na_uc": _natural,
            "versao_parametros": lambda v: 0 < len(v) <= 20,
            "timestamp_calculo": _instante,
        },
    ),
    "ranking.atualizado": (
        "D-4",
        "1.0.0",
        {
            "unidade_civica_id": _uuid,
            "motivo": lambda v: v in {"demanda_top10", "primeira_posicao_alterada"},
            "demanda_id_gatilho": _uuid,
            "top_10": _top_10,
            "total_demandas": _natural,
            "versao_parametros": _texto,
            "timestamp": _instante,
        },
    ),
    "conselheiro.sorteado": (
        "D-6a",
        "1.0.0",
        {
            "conselheiro_id": _uuid,
            "demanda_id": _uuid,
            "unidade_civica_id": _uuid,
            "metodo_sorteio": lambda v: v == "fisher_yates",
            "seed_publico": _texto,
            "lista_elegiveis_hash": _texto,
            "posicao_sorteada": _natural,
            "total_elegiveis": _natural,
        },
    ),
    "conselheiro.demanda_iniciada": (
        "D-6b",
        "1.0.0",
        {"demanda_id": _uuid, "conselheiro_id": _uuid, "unidade_civica_id": _uuid, "timestamp_inicio": _instante},
    ),
    "demanda.concluída": (
        "D-6b",
        "1.0.0",
        {
            "demanda_id": _uuid,
            "unidade_civica_id": _uuid,
            "data_conclusao": _instante,
            "conselheiro_id": _uuid,
            "categoria_id": _texto,
        },
    ),
    "demanda.conclusao_confirmada": (
        "D-12",
        "1.0.0",
        {
            "demanda_id": _uuid,
            "unidade_civica_id": _uuid,
            "conclusao_id": _uuid,
            "total_conclusoes": lambda v: type(v) is int and v >= 3,
            "data_conclusao": _instante,
            "mecanismo": lambda v: v == "confirmacao_coletiva",
            "ratificacao_necessaria": lambda v: v is False,
        },
    ),
    "duplicidade.agregada": (
        "D-12",
        "1.0.0",
        {
            "agregado_id": _uuid,
            "representante_demanda_id": _uuid,
            "membros": _membros,
            "mecanismo": lambda v: v == "confirmacao_coletiva",
            "confirmacoes_gatilho": _natural,
            "criterios": lambda v: isinstance(v, dict),
        },
    ),
    "demanda.georreferenciada": (
        "D-2",
        "1.0.0",
        {
            "demanda_id": _uuid,
            "coordenadas_lat": lambda v: -90 <= v <= 90,
            "coordenadas_lng": lambda v: -180 <= v <= 180,
        },
    ),
}


def test_every_event_fits_the_payload_table_of_its_type(log: LogEmMemoria) -> None:
    for evento in log.dos_vizinhos():
        origem, versao, campos = CONTRATOS[evento.tipo]
        assert (evento.origem, evento.versao_schema) == (origem, versao)
        faltam = set(campos) - set(evento.payload)
        sem_coordenadas = {"coordenadas_lat", "coordenadas_lng"}
        assert not faltam or (evento.tipo == "demanda.georreferenciada" and faltam == sem_coordenadas)
        for campo, valor in evento.payload.items():
            assert campos[campo](valor), (evento.tipo, campo, valor)


def test_every_type_of_the_neighbours_occurs_with_its_name_in_nfc(log: LogEmMemoria) -> None:
    tipos = {evento.tipo for evento in log.dos_vizinhos()}
    assert tipos == set(CONTRATOS)
    assert all(unicodedata.is_normalized("NFC", tipo) for tipo in tipos)


def test_envelopes_are_distinct_tied_to_a_demand_and_never_go_back_in_time(log: LogEmMemoria) -> None:
    eventos = log.dos_vizinhos()
    assert len({evento.event_id for evento in eventos}) == len(eventos)
    correlacoes = {evento.correlacao_id for evento in eventos}
    assert len(correlacoes) == len(ler_solicitacoes())
    instantes = [evento.criado_em for evento in eventos]
    assert instantes == sorted(instantes)


def test_payloads_are_json(log: LogEmMemoria) -> None:
    for evento in log.dos_vizinhos():
        assert json.loads(json.dumps(evento.payload, allow_nan=False)) == evento.payload

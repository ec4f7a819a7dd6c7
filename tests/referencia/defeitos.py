"""Payloads that D13 must discard, and odd ones that it must not."""

import copy
import random
from typing import Any

Dados = dict[str, Any]

FALTA = object()
_NAO_UUID: tuple[Any, ...] = (
    FALTA,
    None,
    "",
    "x",
    5,
    "d0000001-0000-4000-8000-00000000000",
    "d000000100004000800000000000001",
    True,
    {},
)
_NAO_UUID_DE_UC = _NAO_UUID[2:]
_NAO_DATA = ("ontem", "2026-03-01", "2026-03-01T10:00:00", "2026-02-30T10:00:00Z", "2026-03-01T25:00:00Z", 20260301, "")
_DIAS = (-3, 1.5, "4", True, None, 2147483648, 1e10, 2147483647, 7.0)
_NAO_INTEIRO = (FALTA, None, 1.5, "1", True, 2147483648, -2147483649)
_NAO_PESO = (FALTA, None, -1, -0.001, "10", False)
_CATEGORIAS = (FALTA, None, "", "1", "1.1.1", "abc", "1.", ".1", "1.1\n", "1234567.12345", "12345678.1", "１.１", 1.1)

# per type: field (a path), values to put there; not every one of them is a discard
DEFEITOS: dict[str, list[tuple[tuple[str, ...], tuple[Any, ...]]]] = {
    "demanda.ranqueada": [
        (("demanda_id",), _NAO_UUID),
        (("unidade_civica_id",), _NAO_UUID),
        (("categoria_id",), _CATEGORIAS),
        (("nivel_precedencia",), (FALTA, None, 0, 6, 1.5, "1", True, 2.0, -1)),
        (("score_final",), (*_NAO_PESO, 10_000_000_000, 9999999999.995, 9999999999.994, 1e300, 0)),
        (("breakdown",), (FALTA, None, [], "x", {})),
        (("breakdown", "peso_nacional"), (*_NAO_PESO, 1000, 999.995, 999.994)),
        (("breakdown", "peso_situacional"), (*_NAO_PESO, 10, 9.99995, 9.99994)),
        (("breakdown", "score_horizontal"), (*_NAO_PESO, 2147483648, 2147483647, 95.0, 95.5)),
        (("posicao_no_ranking",), (*_NAO_INTEIRO, -5, 0, 3.0)),
        (("versao_parametros",), (FALTA, None, 7, "v" * 21, "ç" * 20, "")),
        (("total_demandas_na_uc",), (FALTA, None, "x")),
        (("timestamp_calculo",), (FALTA, None, 5)),
    ],
    "ranking.atualizado": [
        (("unidade_civica_id",), _NAO_UUID),
        (("top_10",), (FALTA, None, "x")),
        (("demanda_id_gatilho",), (FALTA, "x")),
    ],
    "conselheiro.sorteado": [
        (("demanda_id",), _NAO_UUID),
        (("unidade_civica_id",), _NAO_UUID_DE_UC),
        (("conselheiro_id",), (FALTA, "x", 5)),
    ],
    "conselheiro.demanda_iniciada": [
        (("demanda_id",), _NAO_UUID),
        (("unidade_civica_id",), _NAO_UUID),
        (("timestamp_inicio",), _NAO_DATA),
    ],
    "demanda.concluída": [
        (("demanda_id",), _NAO_UUID),
        (("unidade_civica_id",), _NAO_UUID),
        (("data_conclusao",), _NAO_DATA),
        (("dias_ate_conclusao",), _DIAS),
    ],
    "demanda.conclusao_confirmada": [
        (("demanda_id",), _NAO_UUID),
        (("unidade_civica_id",), _NAO_UUID),
        (("data_conclusao",), _NAO_DATA),
        (("ratificacao_necessaria",), (FALTA, None, 0, 1, "false", [])),
        (("total_conclusoes",), (FALTA, 1, "x")),
    ],
    "duplicidade.agregada": [
        (("agregado_id",), _NAO_UUID),
        (("representante_demanda_id",), _NAO_UUID),
        (("membros",), (FALTA, None, [], {}, "x", [{}], ["d0000001-0000-4000-8000-000000000001"], [None])),
        (("membros", "+"), ({"demanda_id": "x"}, {"demanda_id": None}, {}, 5)),
        (("criterios",), (FALTA, None)),
    ],
    "demanda.georreferenciada": [
        (("demanda_id",), _NAO_UUID),
        (("coordenadas_lat",), (FALTA, None, 90.0001, -90.5, "1", True, -90, 90.0)),
        (("coordenadas_lng",), (FALTA, None, 180.0001, -200, "1", False, -180, 180.0)),
    ],
}


def estragar(sorte: random.Random, tipo: str, payload: Dados) -> Any:
    """The payload with one defect of its type, or one oddity, or no object at all."""
    if tipo not in DEFEITOS:
        return payload
    if sorte.randrange(12) == 0:
        return sorte.choice([[], None, "x", 5, {}])
    caminho, valores = sorte.choice(DEFEITOS[tipo])
    estragado = copy.deepcopy(payload)
    alvo: Any = estragado
    for passo in caminho[:-1]:
        alvo = alvo[passo]
    valor = sorte.choice(valores)
    if caminho[-1] == "+":
        alvo.append(valor)
    elif valor is FALTA:
        alvo.pop(caminho[-1], None)
    else:
        alvo[caminho[-1]] = valor
    return estragado

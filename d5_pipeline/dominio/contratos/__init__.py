"""The JSON Schemas (draft 2020-12) of the ten consumed and the two produced events: the truth on validity (D13)."""

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any, Final

import jsonschema_rs

from d5_pipeline.dominio import eventos as ev

ARQUIVOS: Final = {
    ev.DEMANDA_RANQUEADA: "demanda_ranqueada",
    ev.RANKING_ATUALIZADO: "ranking_atualizado",
    ev.CONSELHEIRO_SORTEADO: "conselheiro_sorteado",
    ev.DEMANDA_INICIADA: "conselheiro_demanda_iniciada",
    ev.DEMANDA_CONCLUIDA: "demanda_concluida",
    ev.CONCLUSAO_CONFIRMADA: "demanda_conclusao_confirmada",
    ev.DUPLICIDADE_AGREGADA: "duplicidade_agregada",
    ev.DEMANDA_GEORREFERENCIADA: "demanda_georreferenciada",
    ev.PARAMETROS_ATUALIZADOS: "parametros_atualizados",
    ev.REMOVIDA_POR_VOTACAO: "demanda_removida_por_votacao",
    ev.AGENDA_GERADA: "agenda_gerada",
    ev.ITEM_DISPONIVEL: "agenda_item_disponivel",
}

_MOTIVOS: Final = {
    "type": "tem o tipo errado",
    "pattern": "está fora do formato",
    "format": "não é uma data e hora RFC 3339",
    "minimum": "está abaixo do mínimo {limit}",
    "maximum": "está acima do máximo {limit}",
    "exclusiveMaximum": "não cabe na coluna depois de arredondado (limite {limit})",
    "maxLength": "é longo demais (máximo {limit})",
    "minItems": "está vazio",
}


def esquema(tipo: str) -> Any:
    """The schema of an event type, as parsed JSON."""
    return json.loads(files(__package__).joinpath(f"{ARQUIVOS[tipo]}.json").read_text(encoding="utf-8"))


@cache
def _validador(tipo: str) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(esquema(tipo), validate_formats=True)


def valido(tipo: str, payload: Any) -> bool:
    """Whether the schema of `tipo` accepts the payload; numbers may be Decimal and are compared exactly."""
    return bool(_validador(tipo).is_valid(payload))


def erros(tipo: str, payload: Any) -> Iterator[str]:
    """What the schema of `tipo` finds wrong, one Portuguese clause per finding."""
    for erro in _validador(tipo).iter_errors(payload):
        campo = ".".join(str(parte) for parte in erro.instance_path) or "payload"
        if isinstance(erro.kind, jsonschema_rs.ValidationErrorKind.Required):
            prefixo = "" if campo == "payload" else f"{campo}."
            yield f"{prefixo}{erro.kind.property} ausente"
        else:
            motivo = _MOTIVOS.get(erro.kind.name, "foi recusado pelo esquema ({nome})")
            yield f"{campo} {motivo.format(limit=getattr(erro.kind, 'limit', None), nome=erro.kind.name)}"

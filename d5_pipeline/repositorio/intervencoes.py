"""What operators do beside the log, recorded so that a replay can repeat it in its place (D32)."""

import getpass
import json
from datetime import datetime
from typing import Any, Literal, NamedTuple
from uuid import uuid4

from d5_pipeline.conexao import Conexao
from d5_pipeline.consultas import consultas
from d5_pipeline.dominio.tempo import centesimos

Tipo = Literal["semeadura", "parametros", "cursores", "reconstrucao", "reenvio", "encerramento", "reprocessamento"]


def registrar(conexao: Conexao, tipo: Tipo, quando: datetime, argumentos: dict[str, object]) -> str:
    """Records an intervention by the current system user; returns its id."""
    id_ = str(uuid4())
    consultas("parametros").registrar_intervencao(
        conexao,
        id=id_,
        tipo=tipo,
        quem=_quem(),
        quando=centesimos(quando),
        argumentos=json.dumps(argumentos, ensure_ascii=False),
    )
    return id_


class Intervencao(NamedTuple):
    """What an operator did, and how far the log was applied at that moment."""

    id: str
    tipo: Tipo
    quando: datetime
    aplicado_ate: int
    argumentos: dict[str, Any]


def listar(conexao: Conexao) -> list[Intervencao]:
    """Every intervention, in the order in which they took effect."""
    return [Intervencao(*linha) for linha in consultas("parametros").intervencoes(conexao)]


def _quem() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container's user may have no name
        return "desconhecido"

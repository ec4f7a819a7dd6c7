"""Dead letters: events that failed while applied, triggers whose events the log refused (D7, D11)."""

from typing import Literal

from d5_pipeline.conexao import Conexao
from d5_pipeline.consultas import consultas

Motivo = Literal["aplicacao", "publicacao"]


def enterrar(
    conexao: Conexao, sequencia: int, event_id: str, tipo: str, motivo: Motivo, erro: str, tentativas: int
) -> None:
    """One dead letter per event and motive; a repeated failure adds its attempts."""
    consultas("publicacao").enterrar(
        conexao,
        sequencia=sequencia,
        event_id=event_id,
        tipo=tipo,
        motivo=motivo,
        erro=erro,
        tentativas=tentativas,
    )

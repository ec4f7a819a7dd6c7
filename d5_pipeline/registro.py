"""Structured logs on stderr: one line per happening, in Portuguese, with its identifiers as fields."""

import logging
import sys
from collections.abc import Iterable
from typing import Any

import structlog

from d5_pipeline.dominio.estado import Ocorrencia
from d5_pipeline.dominio.eventos import Descarte

log: Any = structlog.get_logger("d5")


def configurar(nivel: str, em_json: bool) -> None:
    """Lines from `nivel` (debug, info, warning, error) up; JSON for machines, text for people."""
    formato = structlog.processors.JSONRenderer(ensure_ascii=False) if em_json else structlog.dev.ConsoleRenderer()
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="instante"),
            structlog.processors.EventRenamer("mensagem"),
            formato,
        ]
        if em_json
        else [structlog.processors.add_log_level, structlog.processors.TimeStamper(fmt="%H:%M:%S", utc=False), formato],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[nivel.upper()]),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )


def registrar_ocorrencias(ocorrencias: Iterable[Ocorrencia]) -> None:
    """Lines about what events did or why they did nothing (8.1), in log order; those that would be seen."""
    informa = log.is_enabled_for(logging.INFO)
    vistas = [ocorrencia for ocorrencia in ocorrencias if informa or ocorrencia.nivel == "warning"]
    for ocorrencia in sorted(vistas, key=lambda ocorrencia: ocorrencia.evento.sequence_number):
        _registrar(ocorrencia)


def _registrar(ocorrencia: Ocorrencia) -> None:
    evento = ocorrencia.evento
    registrar = log.warning if ocorrencia.nivel == "warning" else log.info
    registrar(
        ocorrencia.mensagem,
        tipo=evento.tipo,
        demanda_id=ocorrencia.demanda_id,
        unidade_civica_id=ocorrencia.unidade_civica_id,
        status=ocorrencia.status,
        event_id=evento.event_id,
        correlacao_id=evento.correlacao_id,
        sequence_number=evento.sequence_number,
    )


def registrar_descarte(descarte: Descarte) -> None:
    """A line about a dropped event: log.warn where version 1.0.0 lacks the fields of 1.1.0, else log.error (3.13)."""
    registrar = log.warning if descarte.versao_schema == "1.0.0" and "ausente" in descarte.motivo else log.error
    registrar(
        "evento descartado",
        motivo=descarte.motivo,
        tipo=descarte.tipo,
        event_id=descarte.event_id,
        sequence_number=descarte.sequence_number,
    )

"""Structured logs on stderr: one line per happening, in Portuguese, with its identifiers as fields (8.1).

A line has correlacao_id, event_id, demanda_id, unidade_civica_id and status where they apply, else not at all.
"""

import logging
import re
import sys
from collections.abc import Iterable, MutableMapping
from typing import Any, Final, Literal, Protocol, cast

import structlog
from stamina.instrumentation import RetryDetails, set_on_retry_hooks

from d5_pipeline.dominio.eventos import Descarte, Envelope
from d5_pipeline.dominio.linhas import Ocorrencia
from d5_pipeline.dominio.recusas import identificadores, so_faltam_campos_da_1_1_0

Campos = MutableMapping[str, Any]
Nivel = Literal["debug", "info", "warning", "error"]

log: Any = structlog.get_logger("d5")

_NIVEIS: Final = logging.getLevelNamesMapping()
_INVISIVEIS: Final = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_SENHA: Final = re.compile(r"(?<=://)\S*@|(?<=password=)('(\\.|[^'\\])*'|\S+)", re.IGNORECASE)


Classe = Literal["debug", "info", "unidade", "warning", "error"]
"""A line's level; lines of info about a whole unit, not about one of its demands, are a class of their own."""


class Copia(Protocol):
    """Another reader of the lines, which takes a limited number of each class."""

    def cabe(self, classe: Classe) -> bool:
        """Whether it still takes such a line."""

    def receber(self, classe: Classe, linha: str) -> None:
        """Takes a line, in the form that was configured, without level and time."""


class _Destinos:
    """Where lines go; asked first, so that a line that nobody reads costs nothing."""

    def __init__(self) -> None:
        self.minimo = _NIVEIS["WARNING"]
        self.em_json = False
        self.copia: Copia | None = None

    def querem(self, nivel: Nivel, classe: Classe) -> bool:
        """Whether anybody reads such a line."""
        return _NIVEIS[nivel.upper()] >= self.minimo or (self.copia is not None and self.copia.cabe(classe))

    def repartir(self, _logger: object, nivel: str, campos: Campos) -> Campos:
        """Hands the line to the copy, and on to stderr where its level asks for that."""
        classe = _classe(cast("Nivel", nivel), campos.get("demanda_id"), campos.get("unidade_civica_id"))
        if self.copia is not None and self.copia.cabe(classe):
            self.copia.receber(classe, str(_forma(self.em_json, cores=False)(None, nivel, {**campos})))
        if _NIVEIS[nivel.upper()] < self.minimo:
            raise structlog.DropEvent
        return campos


_destinos: Final = _Destinos()


def configurar(nivel: str, em_json: bool, copia: Copia | None = None) -> None:
    """Lines from `nivel` (debug, info, warning, error) up; JSON for machines, text for people.

    `copia` gets lines from info up in the same form, whatever `nivel` is, as long as it takes them.
    """
    set_on_retry_hooks([_registrar_espera])
    logging.getLogger("psycopg").setLevel(logging.ERROR)  # its warnings only follow an error that is raised as well
    _destinos.minimo, _destinos.em_json, _destinos.copia = _NIVEIS[nivel.upper()], em_json, copia
    structlog.configure(
        processors=[
            _arrumar,
            *([structlog.processors.EventRenamer("mensagem")] if em_json else []),
            _destinos.repartir,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="instante")
            if em_json
            else structlog.processors.TimeStamper(fmt="%H:%M:%S", utc=False),
            _forma(em_json, cores=sys.stderr.isatty()),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(
            min(_destinos.minimo, _NIVEIS["INFO" if copia else "ERROR"])
        ),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )


def _registrar_espera(details: RetryDetails) -> None:
    """A line about a fault of the moment, in the place of the library's own."""
    espera, erro = round(details.wait_for, 1), str(details.caused_by)
    log.warning("falha passageira; nova tentativa em seguida", espera_s=espera, erro=erro)


def _classe(nivel: Nivel, demanda_id: object, unidade_civica_id: object) -> Classe:
    return "unidade" if nivel == "info" and demanda_id is None and unidade_civica_id is not None else nivel


def _forma(em_json: bool, *, cores: bool) -> structlog.typing.Processor:
    if em_json:
        return structlog.processors.JSONRenderer(ensure_ascii=False)
    return structlog.dev.ConsoleRenderer(
        colors=cores, pad_event_to=0, sort_keys=False, exception_formatter=structlog.dev.plain_traceback
    )


def _arrumar(_logger: object, _nivel: str, campos: Campos) -> Campos:
    """Without absent fields, line breaks, terminal codes and passwords of addresses, whoever wrote the text."""
    return {
        nome: _SENHA.sub("…", _INVISIVEIS.sub(" ", valor)) if isinstance(valor, str) else valor
        for nome, valor in campos.items()
        if valor is not None
    }


def registrar_ocorrencias(ocorrencias: Iterable[Ocorrencia]) -> None:
    """Lines about what events did or why they did nothing (8.1), in log order; only those that somebody reads."""
    for ocorrencia in sorted(filter(_alguem_le, ocorrencias), key=lambda lida: lida.evento.sequence_number):
        _registrar(ocorrencia)


def _alguem_le(ocorrencia: Ocorrencia) -> bool:
    classe = _classe(ocorrencia.nivel, ocorrencia.demanda_id, ocorrencia.unidade_civica_id)
    return _destinos.querem(ocorrencia.nivel, classe)


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
    """A line about a dropped event: a warning where demanda.ranqueada lacks fields of 1.1.0, else an error (3.13)."""
    registrar = log.warning if so_faltam_campos_da_1_1_0(descarte) else log.error
    registrar(
        "evento descartado",
        motivo=descarte.motivo,
        tipo=descarte.tipo,
        demanda_id=descarte.demanda_id,
        unidade_civica_id=descarte.unidade_civica_id,
        event_id=descarte.event_id,
        correlacao_id=descarte.correlacao_id,
        sequence_number=descarte.sequence_number,
    )


def registrar_morte(mensagem: str, envelope: Envelope, erro: BaseException, **campos: object) -> None:
    """A line about an event that failed while it was applied (3.13)."""
    demanda_id, unidade_civica_id = identificadores(envelope.payload)
    log.error(
        mensagem,
        tipo=envelope.tipo,
        demanda_id=demanda_id,
        unidade_civica_id=unidade_civica_id,
        event_id=envelope.event_id,
        correlacao_id=envelope.correlacao_id,
        sequence_number=envelope.sequence_number,
        erro=f"{type(erro).__name__}: {erro}",
        **campos,
    )

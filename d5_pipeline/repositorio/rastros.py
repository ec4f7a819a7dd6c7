"""One correlation followed through the log, D-5's tables and the publications."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from d5_pipeline.conexao import Conexao
from d5_pipeline.consultas import consultas
from d5_pipeline.dominio import formatos
from d5_pipeline.repositorio.conhecidos import julgar

_sql = consultas("rastreio")

TRECHO = 100_000
"""Rows of the log looked at by one statement: a fraction of a second, and a step of the progress bar."""

_EVENTO = (
    "sequence_number",
    "event_id",
    "tipo",
    "versao_schema",
    "origem",
    "criado_em",
    "demandas",
    "unidade_civica_id",
)
_DEMANDA = (
    "demanda_id",
    "unidade_civica_id",
    "posicao",
    "status",
    "entrou_em",
    "score_final",
    "sequencia_do_score",
    "evento_do_score",
    "representante_demanda_id",
)
_TRANSICAO = ("demanda_id", "de", "para", "tipo_evento", "event_id", "correlacao_id", "sequence_number", "ocorreu_em")
_PENDENTE = (
    "id",
    "tipo",
    "event_id",
    "gatilho_tipo",
    "gatilho_sequence",
    "unidade_civica_id",
    "demanda_id",
    "criado_em",
)


@dataclass
class Busca:
    """How much of the log was searched: numbers above `desde`, up to `ate`; less than asked for if interrupted."""

    desde: int
    ate: int
    fim_do_log: int
    interrompida: bool = False

    @property
    def completa(self) -> bool:
        """Whether the whole log was searched."""
        return self.desde == 0 and self.ate >= self.fim_do_log


@dataclass
class Rastro:
    """What carries the correlation, in order of the log, and what became of it; plain values ready for JSON."""

    correlacao_id: str
    busca: Busca
    intervencao: dict[str, Any] | None
    eventos: list[dict[str, Any]] = field(default_factory=list)
    fora_do_log: list[str] = field(default_factory=list)
    """event_ids that D-5 keeps and the log no longer has."""
    demandas: list[dict[str, Any]] = field(default_factory=list)
    pendentes: list[dict[str, Any]] = field(default_factory=list)


def rastrear(conexao: Conexao, correlacao_id: str, busca: Busca, ao_avancar: Callable[[int], None]) -> Rastro:
    """Follows a correlation: first what D-5 keeps, then the stretch of the log, told step by step to `ao_avancar`.

    A KeyboardInterrupt ends the search, not the trace: `busca` then says how far it came.
    """
    guardados = [event_id for (event_id,) in _sql.guardados(conexao, correlacao_id=correlacao_id)]
    no_log = dict(_sql.localizar(conexao, event_ids=guardados))
    sequencias = {*no_log.values(), *_procurar(conexao, correlacao_id, busca, ao_avancar)}
    linhas = _sql.eventos(conexao, sequencias=sorted(sequencias))
    eventos = julgar(conexao, [dict(zip(_EVENTO, linha, strict=True)) for linha in linhas])
    intervencao = _sql.intervencao(conexao, correlacao_id=correlacao_id)
    return Rastro(
        correlacao_id,
        busca,
        intervencao and dict(zip(("tipo", "quem", "quando", "aplicado_ate"), intervencao, strict=True)),
        eventos,
        sorted(set(guardados) - set(no_log)),
        _demandas(conexao, [demanda for evento in eventos for demanda in evento["demandas"]]),
        [dict(zip(_PENDENTE, linha, strict=True)) for linha in _sql.pendentes(conexao, correlacao_id=correlacao_id)],
    )


def _procurar(conexao: Conexao, correlacao_id: str, busca: Busca, ao_avancar: Callable[[int], None]) -> list[int]:
    achadas: list[int] = []
    ate, busca.ate = busca.ate, busca.desde
    try:
        while busca.ate < ate:
            ultimo, numeros = _sql.trecho(
                conexao, correlacao_id=correlacao_id, desde=busca.ate, ate=ate, quantos=TRECHO
            )
            achadas += numeros
            busca.ate = ate if ultimo is None else ultimo
            ao_avancar(busca.ate)
    except KeyboardInterrupt:
        busca.interrompida = True
    return achadas


def _demandas(conexao: Conexao, citadas: Iterable[str]) -> list[dict[str, Any]]:
    """The demands in order of first mention, each with its transitions; what is no UUID is no demand."""
    ids = list(dict.fromkeys(demanda for demanda in citadas if _e_uuid(demanda)))
    transicoes: dict[str, list[dict[str, Any]]] = {}
    for linha in _sql.transicoes(conexao, demandas=ids):
        transicao = dict(zip(_TRANSICAO, linha, strict=True))
        transicoes.setdefault(transicao.pop("demanda_id"), []).append(transicao)
    return [
        {**dict(zip(_DEMANDA, linha, strict=True)), "transicoes": transicoes.get(linha[0], [])}
        for linha in _sql.demandas(conexao, demandas=ids)
    ]


def _e_uuid(texto: str) -> bool:
    try:
        formatos.uuid(texto)
    except formatos.NaoCabe:
        return False
    return True

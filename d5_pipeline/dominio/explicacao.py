"""Why a demand is where it is, in sentences for whoever asks; the facts are the reading views' (2.3, 4.2, 4.10)."""

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import Final

from msgspec import Struct

from d5_pipeline.dominio.portugues import lista, momento, numero, ordinal, quantas

STATUS: Final = {
    "disponivel": "disponível",
    "atribuido": "atribuída a um conselheiro, ainda não iniciada (para o público: disponível)",
    "em_progresso": "em progresso",
    "concluido": "concluída",
    "agregado": "agregada",
    "removido": "removida",
}
"""Status → how a sentence about the demand calls it."""


class Fatos(Struct, frozen=True, kw_only=True):
    """A row of the view explicacao_demandas; what each column means stands beside the model."""

    demanda_id: str
    unidade_civica_id: str | None = None
    unidade_da_linha: str | None = None
    posicao: int | None = None
    score_da_linha: Decimal | None = None
    status_da_linha: str | None = None
    grupo_id: str | None = None
    evento_da_linha: str | None = None
    entrou_em: datetime | None = None
    score_final: Decimal | None = None
    nivel_precedencia: int | None = None
    categoria_id: str | None = None
    posicao_ranking: int | None = None
    evento_do_score: str | None = None
    sequencia_do_score: int | None = None
    status_recordado: str | None = None
    data_conclusao: datetime | None = None
    dias_ate_conclusao: int | None = None
    agregado_id: str | None = None
    representante_demanda_id: str | None = None
    agregado_em: datetime | None = None
    anunciado_em: datetime | None = None
    selecionavel: bool | None = None
    capacidade: int | None = None
    nivel_nao_vencido: int | None = None
    vagas: int | None = None
    na_agenda: int | None = None
    candidatas: int | None = None
    usadas: int | None = None
    ultima_dentro: str | None = None
    score_da_ultima_dentro: Decimal | None = None
    primeira_fora: str | None = None
    score_da_primeira_fora: Decimal | None = None
    lugar_no_nivel: int | None = None
    posicao_no_rebuild: int | None = None

    @property
    def agregada(self) -> bool:
        """Whether another demand answers for this one."""
        return self.representante_demanda_id is not None

    @property
    def na_fila(self) -> bool:
        """Whether it has a row in the agenda and is no member of an aggregate."""
        return self.posicao is not None and not self.agregada

    @property
    def status(self) -> str | None:
        """The row's, else the recorded one."""
        return "agregado" if self.agregada else self.status_da_linha or self.status_recordado


class EventoCitado(Struct, frozen=True):
    """An event of the log about the demand that has had no effect; `motivo` says why, None if it only waits."""

    sequence_number: int
    tipo: str
    motivo: str | None = None


class Contexto(Struct, frozen=True, kw_only=True):
    """What stands around the demand."""

    a_frente: int | None = None
    """Available demands before it in the agenda; None where it is not one of them."""
    companheiras: list[tuple[int, str]] = []
    """(posicao, demanda_id) of the others of its group."""
    representa: int = 0
    """Members of aggregates that it answers for."""
    representantes: list[Fatos] = []
    """Who answers for it, then who answers for that one, …; the last one may be unknown but for its id."""
    pendentes: list[EventoCitado] | None = []
    """Its events above the applied position; None where this user may not read the log."""
    recusados: list[EventoCitado] = []
    """Its discards and dead letters that nobody has settled."""
    semeado_em: int = 0
    """Events of the log up to here were never read (D1)."""


def situacao(fatos: Fatos | None) -> str:
    """In or out, in one line."""
    match fatos:
        case None:
            return "Desconhecida: a D-5 não tem score, linha nem status desta demanda."
        case Fatos(agregada=True):
            return "Fora da agenda: foi agregada a outra demanda."
        case Fatos(posicao=None):
            unidade = f" da unidade {fatos.unidade_civica_id}" if fatos.unidade_civica_id else ""
            recordado = f": {nome_do_status(fatos.status)}" if fatos.status else ""
            return f"Fora da agenda{unidade}{recordado}."
        case Fatos(posicao=0):
            lugar = "fora da ordem (posição 0, sorteada sem estar na agenda)"
        case _:
            lugar = f"posição {fatos.posicao}"
    return f"Na agenda da unidade {fatos.unidade_da_linha}, {lugar}: {nome_do_status(fatos.status)}."


def nome_do_status(status: str | None) -> str:
    """What a sentence about a demand calls its status."""
    return "sem status" if status is None else STATUS.get(status, status)


def motivos(fatos: Fatos, contexto: Contexto) -> list[str]:
    """Score, level and its slots, place and cut, group, aggregation, announcement."""
    return [*_do_score(fatos), *_da_vaga(fatos), *_do_entorno(fatos, contexto)]


def _do_score(fatos: Fatos) -> Iterator[str]:
    if fatos.score_final is None:
        yield "Não tem score: nenhum demanda.ranqueada dela foi aplicado."
        return
    yield (
        f"Score {numero(fatos.score_final)}, nível de precedência {fatos.nivel_precedencia}, categoria "
        f"{fatos.categoria_id} (demanda.ranqueada nº {fatos.sequencia_do_score}; era a "
        f"{ordinal(fatos.posicao_ranking or 0)} no ranking da D-4)."
    )


def _da_vaga(fatos: Fatos) -> Iterator[str]:
    if fatos.score_final is None or fatos.vagas is None or fatos.agregada:
        return
    yield _distribuicao(fatos)
    if fatos.lugar_no_nivel is None:
        yield "Concluída, não concorre a vaga: os parâmetros dizem concluidas_ocupam_vaga = false (D31)."
    else:
        onde = "dentro" if fatos.lugar_no_nivel <= fatos.vagas else "fora"
        candidatas = quantas(fatos.candidatas or 0, "candidata", "candidatas")
        lugar = f"{ordinal(fatos.lugar_no_nivel)} de {candidatas}"
        yield f"{do_nivel(fatos).capitalize()}, por score, é a {lugar}: {onde} das vagas."
    dentro = _com_score("a última com vaga é", fatos.ultima_dentro, fatos.score_da_ultima_dentro) or "ninguém tem vaga"
    fora = _com_score("a primeira sem vaga é", fatos.primeira_fora, fatos.score_da_primeira_fora) or "ninguém fica sem"
    empate = fatos.primeira_fora is not None and fatos.score_da_ultima_dentro == fatos.score_da_primeira_fora
    yield f"Corte: {dentro}; {fora}{'; no empate, a menor demanda_id vem antes (D23)' if empate else ''}."


def _distribuicao(fatos: Fatos) -> str:
    total = quantas(fatos.capacidade or 0, "vaga", "vagas")
    agora = f"{numero(fatos.na_agenda or 0)} na agenda agora"
    if fatos.nivel_nao_vencido is None:
        return f"A unidade não tem nível corrente: {total} para os maiores scores, de qualquer nível; {agora}."
    tem = "nenhuma" if fatos.vagas == 0 else numero(fatos.vagas or 0)
    if fatos.nivel_nao_vencido == fatos.nivel_precedencia:
        return f"É do nível corrente, o não vencido de maior peso na unidade: {tem} das {total}; {agora}."
    return (
        f"O nível corrente da unidade é o {fatos.nivel_nao_vencido}; o decaimento dá {tem} das {total} ao nível "
        f"{fatos.nivel_precedencia}; {agora}."
    )


def do_nivel(fatos: Fatos) -> str:
    """Where the demand competes: its level, or the whole unit in the uniform distribution."""
    return "na unidade" if fatos.nivel_nao_vencido is None else f"no nível {fatos.nivel_precedencia}"


def _com_score(rotulo: str, demanda_id: str | None, score: Decimal | None) -> str | None:
    return None if demanda_id is None or score is None else f"{rotulo} {demanda_id} (score {numero(score)})"


def _do_entorno(fatos: Fatos, contexto: Contexto) -> Iterator[str]:
    if fatos.na_fila and fatos.entrou_em is not None:
        yield f"Entrou na agenda em {momento(fatos.entrou_em)}."
    if contexto.companheiras:
        outras = lista([f"{demanda} (posição {posicao})" for posicao, demanda in contexto.companheiras])
        yield f"Grupo territorial {fatos.grupo_id}, sugestivo, com {outras}."
    elif fatos.na_fila:
        yield "Sem grupo territorial."
    if contexto.representa:
        outras = quantas(contexto.representa, "outra demanda foi agregada", "outras demandas foram agregadas")
        yield f"Representa um agregado: {outras} a ela."
    if fatos.anunciado_em is not None:
        quando = momento(fatos.anunciado_em)
        yield f"É a última que a unidade anunciou para sorteio (agenda.item_disponível), em {quando}."

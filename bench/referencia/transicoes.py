"""The handlers of status events, step by step (3.7, 3.12; D6, D10, D16, D17, D19)."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from bench.banco import consultas
from bench.referencia.evento import Evento, centesimos
from bench.referencia.rebuild import reconstruir

if TYPE_CHECKING:
    from bench.referencia.processador import Referencia

_sql = consultas("referencia/passos")

ENCERRADOS = {"concluido", "agregado", "removido"}


def sorteado(r: "Referencia", evento: Evento) -> None:
    """conselheiro.sorteado; a demand without a row is drawn outside the backlog (D16)."""
    demanda = evento.dados["demanda_id"].lower()
    item, situacao, status = _estado(r, demanda)
    if _superado(evento, situacao) or status in ENCERRADOS:
        return
    if item is not None:
        _transitar(r, evento, demanda, item, "atribuido")
        r.anunciar(evento, item[0])
        return
    score = _sql.buscar_score(r.conexao, demanda_id=demanda)  # drawn outside the backlog (D16)
    unidade = evento.dados.get("unidade_civica_id") or (score[0] if score else None)
    if unidade is None:
        return
    entrou_em = (situacao[2] if situacao else None) or evento.quando
    nova = ("atribuido", evento.sequencia, entrou_em, None, None)
    _lembrar(r, demanda, nova)
    colunas = {
        "demanda_id": demanda,
        "unidade_civica_id": unidade.lower(),
        "posicao": 0,
        "score": Decimal(0),
        "categoria_id": score[1] if score else "0.0",
        "nivel_precedencia": score[2] if score else 0,
        "event_id": evento.event_id,
    }
    inserir(r, evento, nova, colunas)


def iniciada(r: "Referencia", evento: Evento) -> None:
    """conselheiro.demanda_iniciada: nothing is announced."""
    demanda = evento.dados["demanda_id"].lower()
    item, situacao, status = _estado(r, demanda)
    if _superado(evento, situacao) or status not in {"disponivel", "atribuido"}:
        return
    if item is not None:
        _transitar(r, evento, demanda, item, "em_progresso")
    else:
        entrou_em = situacao[2] if situacao else None
        _lembrar(r, demanda, ("em_progresso", evento.sequencia, entrou_em, None, None))


def concluida(r: "Referencia", evento: Evento) -> None:
    """demanda.concluída (3.5)."""
    dias = evento.dados.get("dias_ate_conclusao")
    _encerrar(r, evento, {"disponivel", "atribuido", "em_progresso"}, None if dias is None else int(dias))


def confirmada(r: "Referencia", evento: Evento) -> None:
    """demanda.conclusao_confirmada (3.6)."""
    if not evento.dados["ratificacao_necessaria"]:
        _encerrar(r, evento, {"disponivel", "atribuido"}, None)


def _encerrar(r: "Referencia", evento: Evento, origens: set[str], dias: int | None) -> None:
    demanda = evento.dados["demanda_id"].lower()
    item, situacao, status = _estado(r, demanda)
    if _superado(evento, situacao) or status not in origens:
        return
    informada = evento.dados.get("data_conclusao")
    fim = evento.quando if informada is None else centesimos(datetime.fromisoformat(informada))
    entrou_em = item[2] if item else situacao[2] if situacao else None
    if dias is None and entrou_em is not None:
        dias = max(0, (fim - entrou_em) // timedelta(days=1))
    if item is None:
        _lembrar(r, demanda, ("concluido", evento.sequencia, entrou_em, fim, dias))
        return
    _transitar(r, evento, demanda, (*item[:4], fim, dias), "concluido")
    r.anunciar(evento, item[0])


def agregada(r: "Referencia", evento: Evento) -> None:
    """duplicidade.agregada (3.7, D19)."""
    representante = evento.dados["representante_demanda_id"].lower()
    afetadas = set()
    for membro in evento.dados["membros"]:
        demanda = membro["demanda_id"].lower()
        if demanda == representante:
            continue
        item, situacao, status = _estado(r, demanda)
        origem = item or _sql.buscar_score(r.conexao, demanda_id=demanda)
        _sql.registrar_agregacao(
            r.conexao,
            demanda_id=demanda,
            agregado_id=evento.dados["agregado_id"].lower(),
            representante_demanda_id=representante,
            evento_id=evento.event_id,
            agregado_em=evento.quando,
        )
        if origem is not None:
            afetadas.add(origem[0])
        if status == "agregado":
            continue
        if item is not None:
            _transitar(r, evento, demanda, item, "agregado")
        else:
            _lembrar(r, demanda, ("agregado", evento.sequencia, *(situacao[2:] if situacao else (None, None, None))))
    for unidade in sorted(afetadas):
        reconstruir(r, evento, unidade)


def inserir(r: "Referencia", evento: Evento, situacao: tuple[Any, ...] | None, colunas: dict[str, Any]) -> None:
    """A demand gets a row: from what is remembered of it, or anew (D10)."""
    status, sequencia, entrou_em, conclusao, dias = situacao or ("disponivel", 0, None, None, None)
    if situacao is not None and entrou_em is None:
        _lembrar(r, colunas["demanda_id"], (status, sequencia, evento.quando, conclusao, dias))
    _sql.inserir_item(
        r.conexao,
        **colunas,
        status=status,
        entrou_em=entrou_em or evento.quando,
        atualizado_em=evento.quando,
        data_conclusao=conclusao,
        dias_ate_conclusao=dias,
    )


def _estado(r: "Referencia", demanda: str) -> tuple[tuple[Any, ...] | None, tuple[Any, ...] | None, str]:
    """Row, last transition and status of a demand (3.12, step 2; D10, D17)."""
    item = _sql.buscar_item(r.conexao, demanda_id=demanda)
    situacao = _sql.buscar_situacao(r.conexao, demanda_id=demanda)
    if item is not None:
        return item, situacao, item[1]
    if _sql.buscar_agregacao(r.conexao, demanda_id=demanda) is not None:
        return None, situacao, "agregado"
    return None, situacao, situacao[0] if situacao else "disponivel"


def _superado(evento: Evento, situacao: tuple[Any, ...] | None) -> bool:
    """Not above the demand's last transition (D6)."""
    return situacao is not None and evento.sequencia <= situacao[1]


def _transitar(r: "Referencia", evento: Evento, demanda: str, item: tuple[Any, ...], para: str) -> None:
    _, de, entrou_em, atualizado_em, conclusao, dias = item
    _sql.atualizar_status(
        r.conexao,
        demanda_id=demanda,
        status=para,
        event_id=evento.event_id,
        atualizado_em=atualizado_em if de == para else evento.quando,
        data_conclusao=conclusao,
        dias_ate_conclusao=dias,
    )
    _lembrar(r, demanda, (para, evento.sequencia, entrou_em, conclusao, dias))


def _lembrar(r: "Referencia", demanda: str, situacao: tuple[Any, ...]) -> None:
    status, sequencia, entrou_em, conclusao, dias = situacao
    _sql.gravar_situacao(
        r.conexao,
        demanda_id=demanda,
        status=status,
        sequence_number=sequencia,
        entrou_em=entrou_em,
        data_conclusao=conclusao,
        dias_ate_conclusao=dias,
    )

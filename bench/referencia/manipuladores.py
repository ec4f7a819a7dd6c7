"""The handlers, step by step (3.7, 3.10, 3.12; D6, D10, D16, D17)."""

from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, Any

from bench.banco import consultas
from bench.referencia.evento import Evento, centesimos
from bench.referencia.rebuild import reconstruir

if TYPE_CHECKING:
    from bench.referencia.processador import Referencia

_sql = consultas("referencia/passos")

ENCERRADOS = {"concluido", "agregado", "removido"}


def aplicar(r: "Referencia", evento: Evento) -> None:
    """Applies one event of the log; the caller moves the cursor."""
    manipulador = MANIPULADORES.get(evento.tipo)
    if manipulador is not None:
        manipulador(r, evento)


def _ranqueada(r: "Referencia", evento: Evento) -> None:
    """3.10."""
    c, dados = r.conexao, evento.dados
    if _sql.buscar_score_por_event_id(c, event_id=evento.event_id) is not None:
        return
    demanda, unidade = dados["demanda_id"].lower(), dados["unidade_civica_id"].lower()
    if _sql.buscar_agregacao(c, demanda_id=demanda) is not None:
        return
    anterior = _sql.buscar_score(c, demanda_id=demanda)
    if anterior is not None and evento.sequencia <= anterior[3]:
        return
    score = _decimal(dados["score_final"], "0.01")
    comuns = {
        "demanda_id": demanda,
        "unidade_civica_id": unidade,
        "categoria_id": dados["categoria_id"],
        "nivel_precedencia": int(dados["nivel_precedencia"]),
        "event_id": evento.event_id,
    }
    colunas = comuns | {
        "score_final": score,
        "peso_nacional": _decimal(dados["breakdown"]["peso_nacional"], "0.01"),
        "peso_situacional": _decimal(dados["breakdown"]["peso_situacional"], "0.0001"),
        "score_horizontal": int(dados["breakdown"]["score_horizontal"]),
        "posicao_ranking": int(dados["posicao_no_ranking"]),
        "versao_parametros": dados["versao_parametros"],
        "correlacao_id": evento.correlacao_id,
        "sequence_number": evento.sequencia,
    }
    if anterior is None:
        _sql.inserir_score(c, **colunas, criado_em=evento.quando)
    else:
        _sql.atualizar_score(c, **colunas)
    if _sql.buscar_item(c, demanda_id=demanda) is not None:
        _sql.atualizar_item(c, **comuns, score=score)
        return
    itens = _sql.contar_itens(c, unidade_civica_id=unidade)
    if itens >= r.capacidade(unidade):
        return
    situacao = _sql.buscar_situacao(c, demanda_id=demanda)
    if situacao is not None and situacao[0] in ENCERRADOS:
        return
    _inserir(r, evento, situacao, comuns | {"posicao": itens + 1, "score": score})
    r.anunciar(evento, unidade)


def _inserir(r: "Referencia", evento: Evento, situacao: tuple[Any, ...] | None, colunas: dict[str, Any]) -> None:
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


def _sorteado(r: "Referencia", evento: Evento) -> None:
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
    _inserir(r, evento, nova, colunas)


def _iniciada(r: "Referencia", evento: Evento) -> None:
    demanda = evento.dados["demanda_id"].lower()
    item, situacao, status = _estado(r, demanda)
    if _superado(evento, situacao) or status not in {"disponivel", "atribuido"}:
        return
    if item is not None:
        _transitar(r, evento, demanda, item, "em_progresso")
    else:
        entrou_em = situacao[2] if situacao else None
        _lembrar(r, demanda, ("em_progresso", evento.sequencia, entrou_em, None, None))


def _concluida(r: "Referencia", evento: Evento) -> None:
    dias = evento.dados.get("dias_ate_conclusao")
    _encerrar(r, evento, {"disponivel", "atribuido", "em_progresso"}, None if dias is None else int(dias))


def _confirmada(r: "Referencia", evento: Evento) -> None:
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


def _agregada(r: "Referencia", evento: Evento) -> None:
    """3.7, D19."""
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


def _georreferenciada(r: "Referencia", evento: Evento) -> None:
    """4.6."""
    lat, lng = evento.dados.get("coordenadas_lat"), evento.dados.get("coordenadas_lng")
    if lat is not None and lng is not None:
        demanda = evento.dados["demanda_id"].lower()
        _sql.gravar_coordenadas(r.conexao, demanda_id=demanda, lat=float(lat), lng=float(lng), criado_em=evento.quando)


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


def _decimal(valor: object, passo: str) -> Decimal:
    return Decimal(str(valor)).quantize(Decimal(passo), ROUND_HALF_UP)


def _ranking(r: "Referencia", evento: Evento) -> None:
    reconstruir(r, evento, evento.dados["unidade_civica_id"].lower())


MANIPULADORES: dict[str, Callable[["Referencia", Evento], None]] = {
    "demanda.ranqueada": _ranqueada,
    "ranking.atualizado": _ranking,
    "conselheiro.sorteado": _sorteado,
    "conselheiro.demanda_iniciada": _iniciada,
    "demanda.concluída": _concluida,
    "demanda.conclusao_confirmada": _confirmada,
    "duplicidade.agregada": _agregada,
    "demanda.georreferenciada": _georreferenciada,
}

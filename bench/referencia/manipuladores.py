"""The handlers of rankings and coordinates, step by step (3.10, 4.6), and the table of all of them."""

from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING

from bench.banco import consultas
from bench.referencia import transicoes
from bench.referencia.evento import Evento
from bench.referencia.rebuild import reconstruir

if TYPE_CHECKING:
    from bench.referencia.processador import Referencia

_sql = consultas("referencia/passos")


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
    if situacao is not None and situacao[0] in transicoes.ENCERRADOS:
        return
    transicoes.inserir(r, evento, situacao, comuns | {"posicao": itens + 1, "score": score})
    r.anunciar(evento, unidade)


def _georreferenciada(r: "Referencia", evento: Evento) -> None:
    """4.6."""
    lat, lng = evento.dados.get("coordenadas_lat"), evento.dados.get("coordenadas_lng")
    if lat is not None and lng is not None:
        demanda = evento.dados["demanda_id"].lower()
        _sql.gravar_coordenadas(r.conexao, demanda_id=demanda, lat=float(lat), lng=float(lng), criado_em=evento.quando)


def _decimal(valor: object, passo: str) -> Decimal:
    return Decimal(str(valor)).quantize(Decimal(passo), ROUND_HALF_UP)


def _ranking(r: "Referencia", evento: Evento) -> None:
    reconstruir(r, evento, evento.dados["unidade_civica_id"].lower())


MANIPULADORES: dict[str, Callable[["Referencia", Evento], None]] = {
    "demanda.ranqueada": _ranqueada,
    "ranking.atualizado": _ranking,
    "conselheiro.sorteado": transicoes.sorteado,
    "conselheiro.demanda_iniciada": transicoes.iniciada,
    "demanda.concluída": transicoes.concluida,
    "demanda.conclusao_confirmada": transicoes.confirmada,
    "duplicidade.agregada": transicoes.agregada,
    "demanda.georreferenciada": _georreferenciada,
}

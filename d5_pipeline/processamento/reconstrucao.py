"""The manual rebuild: an operator's intervention, applied as an event beside the log (D32)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import psycopg

from d5_pipeline.conexao import Conexao
from d5_pipeline.consultas import consultas
from d5_pipeline.dominio import formatos
from d5_pipeline.dominio.eventos import RECONSTRUCAO_MANUAL, Evento, ReconstrucaoManual
from d5_pipeline.dominio.tempo import centesimos
from d5_pipeline.erros import ErroDeConfiguracao
from d5_pipeline.processamento.lote import Lote, Relogio, agora, aplicar_ondas, concluir
from d5_pipeline.repositorio import cursores, diagnostico, intervencoes

_sql = consultas("unidades")


def unidades_pedidas(conexao: Conexao, pedidas: Sequence[str], todas: bool) -> list[str]:
    """The units to rebuild, in order. Raises ErroDeConfiguracao that names what is malformed or unknown."""
    if todas == bool(pedidas):
        raise ErroDeConfiguracao("informe as unidades cívicas a reconstruir ou peça todas, uma coisa ou outra")
    if todas:
        return [unidade for (unidade,) in _sql.conhecidas(conexao)]
    unidades = sorted({_uuid(texto) for texto in pedidas})
    existentes = {unidade for (unidade,) in _sql.existentes(conexao, unidades=unidades)}
    for unidade in unidades:
        if unidade not in existentes:
            raise ErroDeConfiguracao(f"unidade cívica desconhecida: {unidade}; veja as conhecidas em 'd5 status'")
    return unidades


def _uuid(texto: str) -> str:
    try:
        return formatos.uuid(texto)
    except formatos.NaoCabe as erro:
        raise ErroDeConfiguracao(f"'{texto}' não é um UUID de unidade cívica") from erro


def abrir_reconstrucao(conexao: Conexao, unidades: Sequence[str], relogio: Relogio) -> Lote:
    """Records the intervention and returns it as a batch of one event; the transaction must hold the fence already."""
    quando = centesimos(relogio())
    posicao = cursores.posicoes(conexao).alto
    id_ = intervencoes.registrar(conexao, "reconstrucao", quando, {"unidades": list(unidades)})
    evento = Evento(posicao, id_, RECONSTRUCAO_MANUAL, "", id_, quando, ReconstrucaoManual(tuple(unidades)))
    return Lote.de_evento(evento)


def reconstruir_unidades(conexao: Conexao, unidades: Sequence[str], relogio: Relogio) -> Lote:
    """Rebuilds the units in one transaction; what is to be published waits in the outbox."""
    with cursores.transacao_cercada(conexao):
        lote = abrir_reconstrucao(conexao, unidades, relogio)
        aplicar_ondas(conexao, lote)
        concluir(conexao, lote, relogio)
    return lote


@dataclass(frozen=True)
class Diferenca:
    """What a rebuild would do to one demand: its positions before and after, None where it has none."""

    unidade_civica_id: str
    demanda_id: str
    antes: int | None
    depois: int | None


def simular(conexao: Conexao, unidades: Sequence[str]) -> list[Diferenca]:
    """The rebuild's effect on positions, by unit and new position; nothing is written."""
    antes = diagnostico.agenda(conexao, unidades)
    depois: list[dict[str, Any]] = []
    with conexao.transaction():
        lote = Lote.de_evento(_simulada(unidades))
        aplicar_ondas(conexao, lote)
        depois = diagnostico.agenda(conexao, unidades)
        raise psycopg.Rollback
    return _comparar(antes, depois)


def _simulada(unidades: Sequence[str]) -> Evento:
    nula = "00000000-0000-0000-0000-000000000000"
    return Evento(0, nula, RECONSTRUCAO_MANUAL, "", nula, centesimos(agora()), ReconstrucaoManual(tuple(unidades)))


def _comparar(antes: Sequence[dict[str, Any]], depois: Sequence[dict[str, Any]]) -> list[Diferenca]:
    def posicoes(linhas: Sequence[dict[str, Any]]) -> dict[tuple[str, str], int]:
        return {(linha["unidade_civica_id"], linha["demanda_id"]): linha["posicao"] for linha in linhas}

    velhas, novas = posicoes(antes), posicoes(depois)
    diferencas = [
        Diferenca(*chave, velhas.get(chave), novas.get(chave))
        for chave in velhas.keys() | novas.keys()
        if velhas.get(chave) != novas.get(chave)
    ]
    return sorted(diferencas, key=lambda d: (d.unidade_civica_id, d.depois is None, d.depois or 0, d.demanda_id))

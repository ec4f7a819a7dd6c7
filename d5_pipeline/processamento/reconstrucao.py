"""The manual rebuild: an operator's intervention, applied as an event beside the log (D32)."""

from collections.abc import Sequence

from d5_pipeline.conexao import Conexao
from d5_pipeline.consultas import consultas
from d5_pipeline.dominio.eventos import RECONSTRUCAO_MANUAL, Evento, ReconstrucaoManual
from d5_pipeline.dominio.tempo import centesimos
from d5_pipeline.erros import ErroDeConfiguracao
from d5_pipeline.processamento.entrada import Lote, lote_de_evento
from d5_pipeline.processamento.lote import Relogio, aplicar_ondas, concluir
from d5_pipeline.repositorio import cursores, intervencoes
from d5_pipeline.repositorio.conhecidos import identificador
from d5_pipeline.repositorio.intervencoes import NINGUEM, Autoria

_sql = consultas("unidades")


def unidades_pedidas(conexao: Conexao, pedidas: Sequence[str], todas: bool) -> list[str]:
    """The units to rebuild, in order. Raises ErroDeConfiguracao that names what is malformed or unknown."""
    if todas == bool(pedidas):
        raise ErroDeConfiguracao("informe as unidades cívicas a reconstruir ou peça todas, uma coisa ou outra")
    if todas:
        return [unidade for (unidade,) in _sql.conhecidas(conexao)]
    unidades = sorted({identificador(texto, "unidade cívica") for texto in pedidas})
    existentes = {unidade for (unidade,) in _sql.existentes(conexao, unidades=unidades)}
    for unidade in unidades:
        if unidade not in existentes:
            raise ErroDeConfiguracao(f"unidade cívica desconhecida: {unidade}; veja as conhecidas em 'd5 status'")
    return unidades


def abrir_reconstrucao(conexao: Conexao, unidades: Sequence[str], relogio: Relogio, autoria: Autoria = NINGUEM) -> Lote:
    """Records the intervention and returns it as a batch of one event; the transaction must hold the fence already."""
    quando = centesimos(relogio())
    posicao = cursores.posicoes(conexao).alto
    id_ = intervencoes.registrar(conexao, "reconstrucao", quando, {"unidades": list(unidades)}, autoria)
    evento = Evento(posicao, id_, RECONSTRUCAO_MANUAL, "", id_, quando, ReconstrucaoManual(tuple(unidades)))
    return lote_de_evento(conexao, evento)


def reconstruir_unidades(
    conexao: Conexao, unidades: Sequence[str], relogio: Relogio, autoria: Autoria = NINGUEM
) -> Lote:
    """Rebuilds the units in one transaction; what is to be published waits in the outbox."""
    with cursores.transacao_cercada(conexao):
        lote = abrir_reconstrucao(conexao, unidades, relogio, autoria)
        aplicar_ondas(conexao, lote)
        concluir(conexao, lote, relogio)
    return lote

"""The first boot: where the cursors begin (D1, 4.7)."""

from d5_pipeline.barramento.leitor import ponto_de_partida
from d5_pipeline.conexao import Conexao
from d5_pipeline.processamento.lote import Relogio, agora
from d5_pipeline.registro import log
from d5_pipeline.repositorio import cursores, intervencoes
from d5_pipeline.repositorio.intervencoes import NINGUEM, Autoria


def semear(conexao: Conexao, desde_inicio: bool, relogio: Relogio = agora, autoria: Autoria = NINGUEM) -> int | None:
    """Seeds the cursors, at 0 or at the log's end, and returns the position; None, and no change, where they exist."""
    with cursores.transacao_cercada(conexao):
        if cursores.semeados(conexao):
            return None
        posicao = 0 if desde_inicio else ponto_de_partida(conexao)
        cursores.semear(conexao, posicao)
        intervencoes.registrar(conexao, "semeadura", relogio(), {"posicao": posicao}, autoria)
    log.info("D-5 Agenda inicializada", posicao=posicao)
    return posicao


def semear_se_preciso(conexao: Conexao) -> int | None:
    """Seeds at the log's end where nobody did; None where the cursors exist."""
    if cursores.semeados(conexao):
        return None
    return semear(conexao, desde_inicio=False, autoria=Autoria(por_que="primeira partida, sem 'd5 iniciar'"))

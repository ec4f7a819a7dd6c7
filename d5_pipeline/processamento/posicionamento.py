"""Moving cursors on an operator's word: redelivery, restored backups (D4, T7, T8, T21)."""

import unicodedata
from collections.abc import Sequence

from d5_pipeline.barramento.leitor import maior_sequencia
from d5_pipeline.conexao import Conexao
from d5_pipeline.dominio.eventos import TIPOS_COM_CURSOR
from d5_pipeline.erros import ErroDeConfiguracao
from d5_pipeline.processamento.lote import agora
from d5_pipeline.repositorio import cursores, intervencoes
from d5_pipeline.repositorio.intervencoes import NINGUEM, Autoria


def interpretar(argumentos: Sequence[str]) -> tuple[list[str], int]:
    """`TIPO N` or `--todos N` → types and position. Raises ErroDeConfiguracao that says what does not fit."""
    if len(argumentos) != 2:
        raise ErroDeConfiguracao("use 'd5 cursores definir TIPO N' ou 'd5 cursores definir --todos N'")
    alvo, texto = argumentos
    tipo = unicodedata.normalize("NFC", alvo)
    if tipo != "--todos" and tipo not in TIPOS_COM_CURSOR:
        raise ErroDeConfiguracao(f"'{alvo}' não tem cursor; os tipos são {', '.join(TIPOS_COM_CURSOR)}")
    if not (texto.isascii() and texto.isdigit()):
        raise ErroDeConfiguracao(f"a posição deve ser um número inteiro a partir de 0, não '{texto}'")
    return (list(TIPOS_COM_CURSOR) if tipo == "--todos" else [tipo]), int(texto)


def definir(conexao: Conexao, tipos: Sequence[str], posicao: int, autoria: Autoria = NINGUEM) -> None:
    """Moves the cursors as a recorded intervention. Raises ErroDeConfiguracao for a position above the log."""
    with cursores.transacao_cercada(conexao):
        maior = maior_sequencia(conexao)
        if posicao > maior:
            raise ErroDeConfiguracao(f"o log termina em {maior}; um cursor em {posicao} perderia os próximos eventos")
        # Recorded with the position at which it came, before it moves it: a replay repeats it there.
        intervencoes.registrar(conexao, "cursores", agora(), {"tipos": list(tipos), "posicao": posicao}, autoria)
        cursores.definir(conexao, tipos, posicao, maior)

"""Cursors and the fence between writers (D1 to D4)."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from d5_pipeline.conexao import Conexao
from d5_pipeline.consultas import consultas
from d5_pipeline.dominio.eventos import TIPOS_COM_CURSOR
from d5_pipeline.dominio.posicoes import Posicoes
from d5_pipeline.erros import CercaPerdida, ErroDeConfiguracao
from d5_pipeline.registro import log

_sql = consultas("cursores")


@contextmanager
def transacao_cercada(conexao: Conexao) -> Iterator[None]:
    """One writing transaction: the epoch is read with the state and moved by one at the end.

    Raises CercaPerdida, and leaves everything as it was, where another writer moved it in between.
    """
    with conexao.transaction():
        epoca = _sql.travar_se_livre(conexao)
        if epoca is None:
            log.warning("outro processo está gravando; este espera e segue do novo estado")
            epoca = _sql.travar(conexao)
        yield
        if _sql.avancar_epoca(conexao, epoca=epoca) is None:
            raise CercaPerdida("outro processo gravou no meio do caminho; nada foi alterado, leia de novo")


def posicoes(conexao: Conexao) -> Posicoes:
    """The applied positions. Raises ErroDeConfiguracao where a cursor's row is missing."""
    por_tipo = {tipo: aplicado for tipo, _, aplicado, *_ in _sql.listar(conexao)}
    return como_posicoes(por_tipo, int(_sql.julgado_ate(conexao)))


def como_posicoes(por_tipo: Mapping[str, int], julgado_ate: int) -> Posicoes:
    """Applied positions as they were read. Raises ErroDeConfiguracao where a type has none."""
    faltando = sorted(set(TIPOS_COM_CURSOR) - set(por_tipo))
    if faltando:
        raise ErroDeConfiguracao(f"cursor ausente: {', '.join(faltando)}; recrie-o com 'd5 cursores definir TIPO N'")
    return Posicoes({tipo: por_tipo[tipo] for tipo in TIPOS_COM_CURSOR}, julgado_ate)


def semeados(conexao: Conexao) -> bool:
    """Whether any cursor exists."""
    return next(iter(_sql.listar(conexao)), None) is not None


def semear(conexao: Conexao, posicao: int) -> int:
    """Seeds missing cursors at `posicao`; returns how many there were (4.7)."""
    _sql.avancar_julgado(conexao, ate=posicao)
    return int(_sql.semear(conexao, tipos=list(TIPOS_COM_CURSOR), posicao=posicao))


def listar(conexao: Conexao) -> list[dict[str, object]]:
    """The cursors as an operator reads them."""
    nomes = ("tipo_evento", "last_sequence", "aplicado_ate", "ultimo_evento", "updated_at")
    return [dict(zip(nomes, linha, strict=True)) for linha in _sql.listar(conexao)]


def definir(conexao: Conexao, tipos: Sequence[str], posicao: int, fim_do_log: int) -> None:
    """Moves the cursors of `tipos` on an operator's word; a log that was cut back is searched for holes again."""
    _sql.definir(conexao, tipos=list(tipos), posicao=posicao)
    _sql.recuar_julgado(conexao, posicao=fim_do_log)


def avancar_aplicado(conexao: Conexao, ate: int, ultimos: Mapping[str, int]) -> None:
    """Effects are durable up to `ate`; `ultimos` is the last event of each type among them.

    last_sequence follows where nothing waits to be published (D4).
    """
    _sql.avancar_aplicado(conexao, ate=ate, tipos=list(ultimos), ultimos=list(ultimos.values()))


def avancar_publicado(conexao: Conexao) -> None:
    """Moves last_sequence to the last applied event of each type, unless a publication is still pending (D4)."""
    _sql.avancar_cursores(conexao)


def avancar_publicado_ate(conexao: Conexao, ultimos: Mapping[str, int]) -> None:
    """Moves last_sequence of each type to its event in `ultimos`: a later publication is still pending."""
    _sql.avancar_cursores_ate(conexao, tipos=list(ultimos), ultimos=list(ultimos.values()))

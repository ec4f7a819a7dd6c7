"""Looking at the state of one moment: a transaction of one snapshot, always rolled back."""

from collections.abc import Iterator
from contextlib import contextmanager

from d5_pipeline.conexao import Conexao
from d5_pipeline.consultas import consultas

_sql = consultas("simulacao")


@contextmanager
def fotografia(conexao: Conexao) -> Iterator[None]:
    """Every look sees one moment, the server refuses any write; no row is locked and no writer is held up."""
    with conexao.transaction(force_rollback=True):
        _sql.fotografar_sem_gravar(conexao)
        yield


@contextmanager
def fotografia_gravavel(conexao: Conexao) -> Iterator[None]:
    """The same where something provisional has to be written to be seen; nothing of it stays."""
    with conexao.transaction(force_rollback=True):
        _sql.fotografar(conexao)
        yield

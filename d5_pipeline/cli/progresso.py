"""The progress bar of a drain, on stderr, only where a person is watching."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from d5_pipeline.barramento.leitor import maior_sequencia
from d5_pipeline.cli.contexto import avisos
from d5_pipeline.conexao import Conexao
from d5_pipeline.processamento.resumo import Resumo
from d5_pipeline.repositorio import cursores


@contextmanager
def barra(conexao: Conexao) -> Iterator[Callable[[Resumo], None]]:
    """A bar over the stretch of the log between the cursors and its end; yields what a Dreno tells its progress."""
    with barra_ate(conexao, cursores.posicoes(conexao).desde) as avancar:
        yield lambda resumo: avancar(resumo.ultima_sequencia)


@contextmanager
def barra_ate(conexao: Conexao, desde: int = 0) -> Iterator[Callable[[int], None]]:
    """A bar from `desde` to the log's end; yields what is told the position reached."""
    with barra_entre(desde, maior_sequencia(conexao), "Aplicando o log") as avancar:
        yield avancar


@contextmanager
def barra_entre(desde: int, fim: int, titulo: str) -> Iterator[Callable[[int], None]]:
    """A bar over a stretch of the log; yields what is told the position reached."""
    colunas = (TextColumn(titulo), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*colunas, console=avisos, disable=not avisos.is_terminal, transient=True) as progresso:
        tarefa = progresso.add_task("log", total=max(fim - desde, 0))
        yield lambda posicao: progresso.update(tarefa, completed=min(posicao, fim) - desde)

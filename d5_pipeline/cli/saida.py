"""Where a long result goes: standard output, or a file that appears whole or not at all."""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from d5_pipeline.erros import ErroDeConfiguracao
from d5_pipeline.mensagens import motivo_do_sistema


def escrever(pedacos: Iterable[bytes], arquivo: Path | None) -> None:
    """Writes the pieces as they come. Raises ErroDeConfiguracao where a file cannot be; it stays as it was."""
    if arquivo is None:
        _na_saida_padrao(pedacos)
        return
    with _inteiro(arquivo) as destino:
        destino.writelines(pedacos)


def _na_saida_padrao(pedacos: Iterable[bytes]) -> None:
    try:
        sys.stdout.buffer.writelines(pedacos)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        calar()


def calar() -> None:
    """Whoever reads standard output has had enough: what Python flushes at its end must not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def _inteiro(arquivo: Path) -> Iterator[BinaryIO]:
    """A file beside the wanted one that takes its place at the end."""
    final = arquivo.resolve()
    if final.exists() and not final.is_file():
        raise ErroDeConfiguracao(f"{arquivo} não é um arquivo comum; escolha outro em --saida")
    parcial = final.with_name(f".{final.name}.{os.getpid()}.parcial")
    try:
        with parcial.open("xb") as destino:
            yield destino
            destino.flush()
            os.fsync(destino.fileno())
        parcial.replace(final)
    except OSError as erro:
        raise ErroDeConfiguracao(
            f"não foi possível gravar {arquivo}: {motivo_do_sistema(erro)}; confira --saida"
        ) from erro
    finally:
        parcial.unlink(missing_ok=True)

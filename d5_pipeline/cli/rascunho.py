"""A stream of differences kept on disk until its totals are known: the summary comes first, memory stays flat."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import IO

import msgspec

from d5_pipeline.dominio.balanco import DiferencaDaUnidade, Totais


class Rascunho:
    """The units that differ in anything, in order, and the totals over all units."""

    def __init__(self, arquivo: IO[bytes]) -> None:
        self._arquivo = arquivo
        self.totais = Totais()

    def guardar(self, diferencas: Iterable[DiferencaDaUnidade]) -> None:
        """Counts every unit; keeps those that differ."""
        codificar = msgspec.json.Encoder().encode
        for diferenca in diferencas:
            self.totais.somar(diferenca)
            if diferenca.difere:
                self._arquivo.write(codificar(diferenca) + b"\n")

    def linhas(self) -> Iterator[str]:
        """The kept units as JSON objects."""
        self._arquivo.seek(0)
        for linha in self._arquivo:
            yield linha.decode().rstrip()

    def __iter__(self) -> Iterator[DiferencaDaUnidade]:
        decodificar = msgspec.json.Decoder(DiferencaDaUnidade).decode
        return (decodificar(linha) for linha in self.linhas())


@contextmanager
def rascunho() -> Iterator[Rascunho]:
    """An empty draft, gone afterwards."""
    with TemporaryFile() as arquivo:
        yield Rascunho(arquivo)

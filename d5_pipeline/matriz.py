"""Python lists as PostgreSQL arrays, for statements that take thousands of rows as one array per column."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import psycopg
from psycopg.abc import Buffer
from psycopg.adapt import Dumper

_NUMEROS = {int, Decimal}


class ListaComoMatriz(Dumper):
    """A flat list as an array literal; the statement's cast, or what it is compared with, gives the type.

    psycopg's own dumper looks at every element several times: for a batch that was a fifth of all time.
    """

    def dump(self, obj: Sequence[Any]) -> Buffer:
        """Raises psycopg.DataError where a text holds a NUL character, which PostgreSQL cannot store."""
        literal = "{" + _elementos(obj) + "}"
        if "\0" in literal:
            raise psycopg.DataError("textos do PostgreSQL não comportam o caractere NUL (0x00)")
        return literal.encode()


def _elementos(valores: Sequence[Any]) -> str:
    tipos = set(map(type, valores))
    if tipos <= _NUMEROS:
        return ",".join(map(str, valores))
    textos = valores if tipos == {str} else [None if valor is None else str(valor) for valor in valores]
    if type(None) not in tipos:
        return _seguros('"' + '","'.join(textos) + '"', textos)
    return _seguros(",".join(["NULL" if texto is None else f'"{texto}"' for texto in textos]), textos)


def _seguros(citados: str, textos: Sequence[str | None]) -> str:
    """`citados`, the texts between quotes, unless one holds a character to escape: looked for in all at once."""
    if "\\" not in citados and citados.count('"') == 2 * (len(textos) - textos.count(None)):
        return citados
    return ",".join("NULL" if texto is None else f'"{_escapado(texto)}"' for texto in textos)


def _escapado(texto: str) -> str:
    return texto.replace("\\", "\\\\").replace('"', '\\"')

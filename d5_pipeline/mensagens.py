"""What libraries and the system find wrong, said in Portuguese."""

import errno
from collections.abc import Callable
from typing import Final

from pydantic import ValidationError

_MENSAGENS: Final = {
    "missing": "ausente",
    "extra_forbidden": "chave desconhecida",
    "greater_than": "deve ser maior que {gt}",
    "greater_than_equal": "deve ser no mínimo {ge}",
    "less_than_equal": "deve ser no máximo {le}",
    "finite_number": "deve ser um número finito",
    "int_type": "deve ser um número inteiro",
    "int_parsing": "deve ser um número inteiro",
    "int_from_float": "deve ser um número inteiro",
    "float_type": "deve ser um número",
    "float_parsing": "deve ser um número",
    "bool_type": "deve ser true ou false",
    "bool_parsing": "deve ser true ou false",
    "literal_error": "deve ser um destes valores: {expected}",
    "string_type": "deve ser um texto",
    "string_too_long": "deve ter no máximo {max_length} caracteres",
    "string_too_short": "não pode ser vazio",
    "dict_type": "deve ser uma tabela",
    "model_type": "deve ser uma tabela",
    "url_parsing": "deve ser um endereço http ou https",
    "url_scheme": "deve ser um endereço http ou https",
}


_DO_SISTEMA: Final = {
    errno.ENOENT: "não existe",
    errno.ENOTDIR: "um diretório do caminho não é um diretório",
    errno.EISDIR: "é um diretório",
    errno.EACCES: "sem permissão",
    errno.EROFS: "só pode ser lido",
    errno.ENOSPC: "não há espaço no disco",
    errno.EADDRINUSE: "já está em uso",
    errno.EADDRNOTAVAIL: "não é um endereço desta máquina",
}


def motivo_do_sistema(erro: OSError) -> str:
    """Why the system refused a file or an address; in its own words where there are no others."""
    return _DO_SISTEMA.get(erro.errno or 0) or erro.strerror or str(erro)


def explicar(erro: ValidationError, nomear: Callable[[str], str] = str) -> str:
    """Every finding in one line; `nomear` turns a key (parts joined by dots) into the name an operator knows."""
    return "; ".join(
        f"{nomear('.'.join(str(parte) for parte in achado['loc'] if parte != '[key]'))}: {_motivo(dict(achado))}"
        for achado in erro.errors()
    )


def _motivo(achado: dict[str, object]) -> str:
    modelo = _MENSAGENS.get(str(achado["type"]))
    if modelo is None:
        return str(achado["msg"]).removeprefix("Value error, ")
    contexto = achado.get("ctx", {})
    return modelo.format(**contexto) if isinstance(contexto, dict) else modelo

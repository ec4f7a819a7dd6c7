"""What every command needs: settings, the database, the screen."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from types import FrameType
from typing import Annotated, Any, TypeVar

import typer
from rich.console import Console

from d5_pipeline import registro
from d5_pipeline.cli.saida import calar, escrever
from d5_pipeline.conexao import Conexao, conectar
from d5_pipeline.config import Configuracao, configuracao
from d5_pipeline.erros import ErroDeConfiguracao
from d5_pipeline.mensagens import motivo_do_sistema

T = TypeVar("T")
EmJson = Annotated[bool, typer.Option("--json", help="Um documento JSON na saída padrão.")]


class _Tela(Console):
    """Standard output for people; `d5 … | head` is no failure."""

    def on_broken_pipe(self) -> None:
        calar()
        raise SystemExit(0)


tela = _Tela(width=None if sys.stdout.isatty() else 160, markup=False)  # names and reasons are anybody's choice
avisos = Console(stderr=True, markup=False)


@dataclass(frozen=True)
class Banco:
    """The configured database, or the embedded one."""

    url: str
    configuracao: Configuracao

    @contextmanager
    def conectado(self) -> Iterator[Conexao]:
        """A connection for one command."""
        with closing(self.abrir()) as conexao:
            yield conexao

    @contextmanager
    def verificado(self) -> Iterator[Conexao]:
        """A connection to a database that was found ready."""
        from d5_pipeline.preparacao import verificar

        with self.conectado() as conexao:
            verificar(conexao)
            yield conexao

    @contextmanager
    def legivel(self) -> Iterator[Conexao]:
        """The same for a command that writes nothing: no right to append to the log is asked for."""
        from d5_pipeline.preparacao import verificar_leitura

        with self.conectado() as conexao:
            verificar_leitura(conexao)
            yield conexao

    def abrir(self) -> Conexao:
        """A connection that its user closes."""
        return conectar(self.url, comandos_preparados=self.configuracao.comandos_preparados)

    def medir(self, medir: Callable[[Conexao], T]) -> T:
        """`medir` in one short read-only transaction. Raises MedicaoImpossivel, soon, where the database is no help.

        Raises ErroDeConfiguracao where the address can never work.
        """
        from d5_pipeline.repositorio.sinais import medicao

        return medicao(lambda: conectar(self.url, "d5-medicao", self.configuracao.comandos_preparados, 2), medir)


def banco() -> Banco:
    """Settings read, logs configured, embedded server started where no database is configured."""
    lidas = configuracao()
    registro.configurar(lidas.log, lidas.log_json)
    if lidas.database_url is not None:
        return Banco(lidas.database_url, lidas)
    from d5_pipeline.repositorio.banco_embutido import url_embutida

    return Banco(url_embutida(lidas.pasta), lidas)


def interromper(_sinal: int, _quadro: FrameType | None) -> None:
    """Signal handler: a termination ends a long-running command as Ctrl-C does."""
    raise KeyboardInterrupt


def nao_escuta(endereco: str, porta: int, erro: OSError) -> ErroDeConfiguracao:
    """What to say where nothing can listen at an address."""
    return ErroDeConfiguracao(
        f"não foi possível escutar em {endereco}:{porta} ({motivo_do_sistema(erro)}); use --porta e --endereco"
    )


def dizer(texto: str, style: str | None = None) -> None:
    """A sentence as it is, on one line where no terminal wraps it."""
    tela.print(texto, style=style, highlight=False, soft_wrap=not tela.is_terminal)


def imprimir_json(valor: Any) -> None:
    """One JSON document on stdout, for programs."""
    escrever([_em_json(valor), b"\n"], None)


def imprimir_lista_json(valores: Iterable[Any]) -> None:
    """One JSON array on stdout, an element at a time."""
    escrever(_elementos(valores), None)


def _elementos(valores: Iterable[Any]) -> Iterator[bytes]:
    separador = b"["
    for valor in valores:
        yield separador + _em_json(valor)
        separador = b",\n "
    yield b"]\n" if separador != b"[" else b"[]\n"


def _em_json(valor: Any) -> bytes:
    return json.dumps(valor, ensure_ascii=False, default=_simples).encode()


def _simples(valor: Any) -> Any:
    match valor:
        case datetime():
            return valor.isoformat()
        case Decimal():
            return float(valor)
        case _:
            return str(valor)

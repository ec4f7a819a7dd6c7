"""The d5 command (contract): exit status 0 done, 1 needs a person, 2 wrong usage or configuration."""

import sys
from io import TextIOWrapper
from typing import Protocol, runtime_checkable

from d5_pipeline.erros import ErroD5, ErroDeConfiguracao


@runtime_checkable
class _ErroDaLinhaDeComando(Protocol):
    """The errors of the command-line parser, whichever library it comes from."""

    exit_code: int

    def format_message(self) -> str: ...


def principal() -> None:
    """Entry point: runs a command and turns every error into one line on stderr and an exit status."""
    from d5_pipeline.cli.comandos import aplicativo

    for saida in (sys.stdout, sys.stderr):
        if isinstance(saida, TextIOWrapper):
            saida.reconfigure(errors="replace")  # a locale without a sign is no reason to say nothing
    try:
        resultado = aplicativo(sys.argv[1:] or ["--help"], standalone_mode=False)
    except KeyboardInterrupt:
        _sair(130, "interrompido")
    except Exception as erro:
        _sair(*_explicar(erro))
    sys.exit(resultado if isinstance(resultado, int) else 0)


def _explicar(erro: Exception) -> tuple[int, str]:
    """Exit status and message of an error."""
    if isinstance(erro, _ErroDaLinhaDeComando):
        from d5_pipeline.cli.idioma import traduzir

        return 2, f"uso incorreto: {traduzir(erro.format_message()) or 'falta o comando'} (veja 'd5 --help')"
    if isinstance(erro, ErroD5):
        return (2 if isinstance(erro, ErroDeConfiguracao) else 1), str(erro)
    import psycopg

    if isinstance(erro, psycopg.errors.InsufficientPrivilege):
        return 2, f"o usuário do banco não tem direito suficiente: {erro}; veja os papéis em sql/papeis.sql"
    if isinstance(erro, psycopg.Error):
        return 1, f"o banco recusou a operação: {erro}; nada além do já confirmado foi alterado"
    return 1, f"falha inesperada ({type(erro).__name__}): {erro}"


def _sair(codigo: int, mensagem: str) -> None:
    sys.stderr.write(f"d5: {' '.join(mensagem.split())}\n")
    sys.exit(codigo)

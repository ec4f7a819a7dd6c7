"""The d5 command (contract): exit status 0 done, 1 needs a person, 2 wrong usage or configuration."""

import sys

import click

from d5_pipeline.erros import ErroD5, ErroDeConfiguracao


def principal() -> None:
    """Entry point: runs a command and turns every error into one line on stderr and an exit status."""
    from d5_pipeline.cli.comandos import aplicativo

    try:
        resultado = aplicativo(standalone_mode=False)
    except click.UsageError as erro:
        _sair(2, erro.format_message())
    except (click.Abort, KeyboardInterrupt):
        _sair(130, "interrompido")
    except ErroDeConfiguracao as erro:
        _sair(2, str(erro))
    except ErroD5 as erro:
        _sair(1, str(erro))
    except Exception as erro:
        _sair(*_inesperado(erro))
    sys.exit(resultado if isinstance(resultado, int) else 0)


def _inesperado(erro: Exception) -> tuple[int, str]:
    import psycopg

    linha = " ".join(str(erro).split())
    if isinstance(erro, psycopg.errors.InsufficientPrivilege):
        return 2, f"o usuário do banco não tem direito suficiente: {linha}"
    if isinstance(erro, psycopg.Error):
        return 1, f"o banco recusou a operação: {linha}; nada além do já confirmado foi alterado"
    return 1, f"falha inesperada ({type(erro).__name__}): {linha}"


def _sair(codigo: int, mensagem: str) -> None:
    sys.stderr.write(f"d5: {' '.join(mensagem.split())}\n")
    sys.exit(codigo)

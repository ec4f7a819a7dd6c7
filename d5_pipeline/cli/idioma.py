"""The parser's own words in Portuguese: headings of the help and messages about wrong usage."""

import re
from collections.abc import Callable
from typing import Any, Final

from typer import Typer, rich_utils
from typer.core import TyperCommand, TyperGroup, TyperOption

rich_utils.OPTIONS_PANEL_TITLE = "Opções"
rich_utils.ARGUMENTS_PANEL_TITLE = "Argumentos"
rich_utils.COMMANDS_PANEL_TITLE = "Comandos"
rich_utils.DEFAULT_STRING = "[padrão: {}]"
rich_utils.REQUIRED_LONG_STRING = "[obrigatório]"

_OPCOES: Final = "[OPÇÕES]"
_FRASES: Final = tuple(
    (re.compile(ingles), portugues)
    for ingles, portugues in (
        (r"\. Did you mean (.+)\?", r"; quis dizer \1?"),
        (r"No such command ('.+?')\.?", r"comando desconhecido: \1"),
        (r"No such option: (\S+)", r"opção desconhecida: \1"),
        (r"\(Possible options: (.+)\)", r"(parecidas: \1)"),
        (r"Missing argument (.+)\.", r"falta o argumento \1"),
        (r"Missing option (.+)\.", r"falta a opção \1"),
        (r"Got unexpected extra argument\(s\) \((.+)\)", r"sobra na linha de comando: \1"),
        (r"Option (\S+) requires an argument\.", r"a opção \1 pede um valor"),
        (r"Option (\S+) does not take a value\.", r"a opção \1 não leva valor"),
        (r"Invalid value for (.+?): ", r"valor inválido para \1: "),
        (r"Value error, ", ""),
        (r"(\S+) is not one of (.+)\.", r"\1 não está entre \2"),
        (r"Input should be a valid integer.*", "deve ser um número inteiro"),
        (r"Input should be a valid number.*", "deve ser um número"),
        (r"Input should be greater than or equal to (\S+)", r"deve ser no mínimo \1"),
        (r"Input should be less than or equal to (\S+)", r"deve ser no máximo \1"),
    )
)
"""What typer says of wrong usage; it has no catalogue of messages. Anything else stays as it comes."""


def traduzir(mensagem: str) -> str:
    """A message of the parser in Portuguese."""
    for ingles, portugues in _FRASES:
        mensagem = ingles.sub(portugues, mensagem)
    return mensagem


class _Comando(TyperCommand):
    def get_help_option(self, ctx: Any) -> TyperOption | None:
        return _em_portugues(super().get_help_option(ctx))

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        _escrever_uso(self, ctx, formatter)


class _Grupo(TyperGroup):
    def get_help_option(self, ctx: Any) -> TyperOption | None:
        return _em_portugues(super().get_help_option(ctx))

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        _escrever_uso(self, ctx, formatter)


def _em_portugues(ajuda: TyperOption | None) -> TyperOption | None:
    if ajuda is not None:
        ajuda.help = "Mostra esta ajuda."
    return ajuda


def _escrever_uso(comando: _Comando | _Grupo, ctx: Any, formatter: Any) -> None:
    formatter.write_usage(ctx.command_path, " ".join(comando.collect_usage_pieces(ctx)), "Uso: ")


class Aplicativo(Typer):
    """A typer application, or a group of commands, whose help is in Portuguese."""

    def __init__(self, ajuda: str, nome: str | None = None) -> None:
        super().__init__(
            name=nome,
            help=ajuda,
            cls=_Grupo,
            no_args_is_help=True,
            add_completion=False,
            options_metavar=_OPCOES,
            subcommand_metavar="COMANDO [ARGUMENTOS]...",
        )

    def command(self, name: str | None = None, **opcoes: Any) -> Callable[[Any], Any]:
        """As typer's, with the help in Portuguese."""
        return super().command(name, cls=_Comando, options_metavar=_OPCOES, **opcoes)

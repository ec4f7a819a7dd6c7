"""What the command line says by itself is Portuguese, whatever its parser speaks."""

import re
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from typer.main import get_command

from d5_pipeline.cli import principal
from d5_pipeline.cli.comandos import aplicativo

INGLES = re.compile(
    r"\b(usage|options?|arguments?|commands?|show|message|exit|default|required|missing|invalid|value|such|"
    r"unexpected|extra|requires|does|take|input|should|valid|not one|did you|possible)\b",
    re.IGNORECASE,
)


def caminhos(comando: Any, ate_aqui: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The command and all below it."""
    yield ate_aqui
    for nome, filho in getattr(comando, "commands", {}).items():
        yield from caminhos(filho, (*ate_aqui, nome))


def dizer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *argumentos: str
) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of `d5 ARGUMENTOS`."""
    monkeypatch.setattr(sys, "argv", ["d5", *argumentos])
    with pytest.raises(SystemExit) as saida:
        principal()
    dito = capsys.readouterr()
    return int(saida.value.code or 0), dito.out, dito.err


@pytest.mark.parametrize("comando", list(caminhos(get_command(aplicativo))), ids=" ".join)
def test_help_of_every_command_is_portuguese(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], comando: tuple[str, ...]
) -> None:
    codigo, texto, _ = dizer(monkeypatch, capsys, *comando, "--help")
    assert codigo == 0
    assert "Uso: " in texto
    assert "Mostra esta ajuda." in texto
    assert not INGLES.findall(texto)


@pytest.mark.parametrize(
    ("argumentos", "mensagem"),
    [
        (["nada"], "comando desconhecido: 'nada'"),
        (["procesar"], "comando desconhecido: 'procesar'; quis dizer 'processar', 'reprocessar', 'preparar'?"),
        (["cursores"], "falta o comando"),
        (["--nada"], "opção desconhecida: --nada"),
        (["-n"], "opção desconhecida: -n"),
        (["exportar", "--nivell", "3"], "opção desconhecida: --nivell (parecidas: --nivel)"),
        (["exportar", "--nivel"], "a opção '--nivel' pede um valor"),
        (["exportar", "--nivel", "x"], "valor inválido para '--nivel': deve ser um número inteiro"),
        (["exportar", "--nivel", "6"], "valor inválido para '--nivel': deve ser no máximo 5"),
        (["exportar", "--nivel", "-1"], "valor inválido para '--nivel': deve ser no mínimo 0"),
        (["exportar", "--formato", "x"], "valor inválido para '--formato': 'x' não está entre 'csv', 'geojson'"),
        (["saude", "--atraso-maximo", "x"], "valor inválido para '--atraso-maximo': deve ser um número"),
        (["processar", "--json=1"], "a opção '--json' não leva valor"),
        (["processar", "a", "b"], "sobra na linha de comando: a b"),
        (["rastrear"], "falta o argumento 'CORRELACAO_ID'"),
        (["parametros", "carregar"], "falta o argumento 'ARQUIVO'"),
    ],
)
def test_wrong_usage_is_one_portuguese_line_with_status_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], argumentos: list[str], mensagem: str
) -> None:
    codigo, _, erro = dizer(monkeypatch, capsys, *argumentos)
    assert (codigo, erro) == (2, f"d5: uso incorreto: {mensagem} (veja 'd5 --help')\n")

"""The lines of the structured log, as they are written."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from d5_pipeline import registro
from tests.apoio.eventos import Evento


class Linhas:
    """Every line from info up, as it is written."""

    def __init__(self) -> None:
        self.todas: list[dict[str, Any]] = []

    def cabe(self, classe: registro.Classe) -> bool:
        return classe != "debug"

    def receber(self, classe: registro.Classe, linha: str) -> None:
        nivel = "info" if classe == "unidade" else classe
        self.todas.append({"nivel": nivel, **json.loads(linha)})

    def de(self, evento: Evento) -> list[tuple[Any, ...]]:
        """(level, message, demand, unit, status) of the lines about an event; its correlation is on each."""
        suas = [linha for linha in self.todas if linha.get("event_id") == evento.event_id]
        assert {linha["correlacao_id"] for linha in suas} <= {evento.correlacao_id}
        campos = ("demanda_id", "unidade_civica_id", "status")
        return [(linha["nivel"], linha["mensagem"], *(linha.get(campo) for campo in campos)) for linha in suas]

    def com(self, mensagem: str) -> list[dict[str, Any]]:
        return [linha for linha in self.todas if linha["mensagem"] == mensagem]


@contextmanager
def ouvindo() -> Iterator[Linhas]:
    """While it lasts, every line is kept."""
    copia = Linhas()
    registro.configurar("error", em_json=True, copia=copia)
    yield copia
    registro.configurar("error", em_json=False)

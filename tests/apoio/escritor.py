"""A colony that writes random events into the log, in a process of its own, until its time is over.

`python -m tests.apoio.escritor URL SEMENTE INDICE SEGUNDOS`: of the log of a seed, it appends every fourth event.
"""

import json
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

import psycopg
from psycopg.types.json import Jsonb

from d5_pipeline.conexao import Conexao, conectar
from d5_pipeline.erros import BancoInacessivel
from tests.referencia.logs import log_aleatorio

ESCRITORES = 4
EVENTOS = 100_000
DESISTE = 0.05
INSERIR = """
    insert into core.event_log (event_id, tipo, versao_schema, origem, correlacao_id, payload, criado_em)
    values (%(event_id)s, %(tipo)s, %(versao_schema)s, %(origem)s, %(correlacao_id)s, %(payload)s, %(criado_em)s)
    on conflict (event_id) do nothing
"""

Dados = dict[str, Any]


@dataclass
class Contas:
    """What a writer did."""

    confirmados: int = 0
    desistencias: int = 0
    reconexoes: int = 0


def log_dos_escritores(semente: int) -> tuple[Dados, list[Dados]]:
    """Parameters, and the events of all writers in the order in which they were thought of; none is D-5's own."""
    parametros, eventos = log_aleatorio(semente, EVENTOS)
    return parametros, [evento for evento in eventos if evento["origem"] != "D-5"]


class Escritor:
    """Transactions of one to four events, held open for random times; one in twenty rolls back."""

    def __init__(self, url: str, eventos: Iterator[Dados], sorte: random.Random) -> None:
        self._url = url
        self._eventos = eventos
        self._sorte = sorte
        self.contas = Contas()

    def escrever(self, ate: float) -> None:
        """Until the monotonic time `ate`, however often the server goes away."""
        conexao = self._conectar()
        while time.monotonic() < ate and (eventos := list(islice(self._eventos, self._sorte.randint(1, 4)))):
            desiste = self._sorte.random() < DESISTE
            while not self._transacao(conexao, eventos, desiste):
                self.contas.reconexoes += 1
                conexao.close()
                conexao = self._conectar()
            self.contas.desistencias += desiste
            self.contas.confirmados += 0 if desiste else len(eventos)
        conexao.close()

    def _transacao(self, conexao: Conexao, eventos: list[Dados], desiste: bool) -> bool:
        """Whether it came to its end; if not, nobody knows whether it was committed, and it is done again."""
        try:
            with conexao.transaction(force_rollback=desiste):
                for evento in eventos:
                    conexao.execute(INSERIR, {**evento, "payload": Jsonb(evento["payload"])})
                    self._segurar()
        except psycopg.OperationalError:
            return False
        return True

    def _segurar(self) -> None:
        """Holding a transaction open for a time of its own is what this scenario is about, so here it sleeps."""
        longa = self._sorte.random() < 0.02
        time.sleep(self._sorte.uniform(0.5, 2) if longa else self._sorte.uniform(0, 0.05))

    def _conectar(self) -> Conexao:
        while True:
            try:
                return conectar(self._url, "escritor")
            except BancoInacessivel:
                time.sleep(0.1)  # the server is on its way back


def _principal(url: str, semente: int, indice: int, segundos: float) -> None:
    _, eventos = log_dos_escritores(semente)
    escritor = Escritor(url, islice(eventos, indice, None, ESCRITORES), random.Random(f"{semente} {indice}"))
    escritor.escrever(time.monotonic() + segundos)
    sys.stdout.write(json.dumps(asdict(escritor.contas)))


if __name__ == "__main__":
    _principal(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]))

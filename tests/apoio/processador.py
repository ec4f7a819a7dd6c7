"""`d5 processar` again and again in processes of its own, as a scheduler would start it, and killed now and then."""

import os
import signal
import subprocess
from contextlib import closing
from pathlib import Path
from threading import Event, Thread

from psycopg.conninfo import make_conninfo

from d5_pipeline.conexao import conectar
from tests.apoio.comando import D5, Saida
from tests.apoio.observacao import esperar_ate

NO_MEIO = """
    select exists (
        select from pg_stat_activity
        where usename = %s and application_name = 'd5' and state in ('active', 'idle in transaction')
    )
"""


class Processador:
    """One at a time, each started when the one before it ended; its sessions go by a role's name of their own."""

    def __init__(self, url: str, nome: str, pasta: Path) -> None:
        self._url = url
        self._nome = nome
        self._pasta = pasta
        self._parar = Event()
        self._processo: subprocess.Popen[str] | None = None
        self.saidas: list[Saida] = []
        with closing(conectar(url)) as conexao:
            conexao.execute(f"create role {nome} superuser login")
        self._fio = Thread(target=self._repetir)
        self._fio.start()

    def _repetir(self) -> None:
        ambiente = {**os.environ, "D5_DATABASE_URL": make_conninfo(self._url, user=self._nome)}
        while not self._parar.is_set():
            with subprocess.Popen(
                [D5, "processar", "--json"],
                cwd=self._pasta,
                env=ambiente,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            ) as processo:
                self._processo = processo
                tela, erros = processo.communicate()
            self.saidas.append(Saida(processo.returncode, tela, erros))

    def matar(self) -> None:
        """kill -9 while its session is in a transaction."""
        with closing(conectar(self._url)) as conexao:
            esperar_ate(lambda: conexao.execute(NO_MEIO, [self._nome]).fetchone() == (True,), "uma transação dele")
        if self._processo is not None:
            self._processo.kill()

    def terminar(self) -> None:
        """Lets the last process come to its end."""
        self._parar.set()
        self._fio.join()

    def mortes(self) -> int:
        """How many of its processes were killed."""
        return sum(saida.codigo == -signal.SIGKILL for saida in self.saidas)

    def queixas(self) -> list[str]:
        """What those said that neither were killed nor ended well."""
        return [saida.erros for saida in self.saidas if saida.codigo not in (0, -signal.SIGKILL)]

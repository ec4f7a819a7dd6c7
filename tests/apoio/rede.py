"""A network between client and server that loses the answer to a COMMIT, and with it the connection.

It relays PostgreSQL's protocol (version 3, UNIX sockets), one server session for each client.
"""

import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedIOBase
from itertools import count
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingUnixStreamServer
from tempfile import TemporaryDirectory
from threading import Thread

from psycopg.conninfo import conninfo_to_dict, make_conninfo

PRONTO, FIM = b"Z", b"X"
PERGUNTAS = (b"Q", b"S")  # after a query or a sync the server answers until it is ready
CONFIRMAR = b"COMMIT\0"
SOQUETE = ".s.PGSQL.5432"

Mensagem = tuple[bytes, bytes]


def _ler(entrada: BufferedIOBase) -> Mensagem | None:
    cabeca = entrada.read(5)
    if len(cabeca) < 5:
        return None
    tipo, tamanho = struct.unpack("!cI", cabeca)
    return tipo, entrada.read(tamanho - 4)


def _escrita(mensagem: Mensagem) -> bytes:
    return struct.pack("!cI", mensagem[0], len(mensagem[1]) + 4) + mensagem[1]


def _resposta(servidor: BufferedIOBase) -> bytes:
    """Everything the server says until it is ready for the next question."""
    resposta = b""
    while mensagem := _ler(servidor):
        resposta += _escrita(mensagem)
        if mensagem[0] == PRONTO:
            break
    return resposta


class RedeRuim:
    """Loses the answer to every n-th COMMIT; the server has carried it out."""

    def __init__(self, destino: str, cada: int) -> None:
        self._destino = destino
        self._cada = cada
        self._commits = count(1)
        self.perdidas = 0

    def atender(self, entrada: BufferedIOBase, saida: BufferedIOBase) -> None:
        """A client, from its startup packet to its end or to the answer that gets lost."""
        (tamanho,) = struct.unpack("!I", entrada.read(4))
        partida = struct.pack("!I", tamanho) + entrada.read(tamanho - 4)
        with socket.socket(socket.AF_UNIX) as soquete:
            soquete.connect(self._destino)
            with soquete.makefile("rb") as servidor:
                soquete.sendall(partida)
                saida.write(_resposta(servidor))
                while (mensagem := _ler(entrada)) and mensagem[0] != FIM:
                    soquete.sendall(_escrita(mensagem))
                    if mensagem[0] in PERGUNTAS:
                        resposta = _resposta(servidor)
                        if mensagem[1] == CONFIRMAR and next(self._commits) % self._cada == 0:
                            self.perdidas += 1
                            break
                        saida.write(resposta)


@contextmanager
def rede_ruim(url: str, cada: int) -> Iterator[tuple[str, RedeRuim]]:
    """The network, and the address of the server as seen through it."""
    rede = RedeRuim(f"{conninfo_to_dict(url)['host']}/{SOQUETE}", cada)

    class Cliente(StreamRequestHandler):
        def handle(self) -> None:
            rede.atender(self.rfile, self.wfile)

    with (
        TemporaryDirectory(prefix="d5-rede-") as pasta,
        ThreadingUnixStreamServer(str(Path(pasta) / SOQUETE), Cliente) as servidor,
    ):
        fio = Thread(target=servidor.serve_forever, args=(0.05,))
        fio.start()
        yield make_conninfo(url, host=pasta), rede
        servidor.shutdown()
        fio.join()

"""A transaction pooler on the wire: after every transaction a client meets another server session.

It speaks just enough of PostgreSQL's protocol (version 3, no authentication, UNIX sockets) to see where a transaction
ends; the session that a client leaves forgets everything (DISCARD ALL) and waits for the next client.
"""

import select
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from tempfile import TemporaryDirectory

from psycopg.conninfo import conninfo_to_dict, make_conninfo

SESSOES = 3
CONSULTA, SINCRONIA, PRONTO, FIM = b"Q", b"S", b"Z", b"X"
PEDACO = 1 << 16


class Fio:
    """One socket, read as whole messages."""

    def __init__(self, soquete: socket.socket) -> None:
        self.soquete = soquete
        self._lido = b""

    def fileno(self) -> int:
        """For select."""
        return self.soquete.fileno()

    def mensagens(self) -> Iterator[tuple[bytes, bytes]]:
        """(type, whole message) of what one receive completes. Raises EOFError at the other side's end."""
        pedaco = self.soquete.recv(PEDACO)
        if not pedaco:
            raise EOFError
        self._lido += pedaco
        while len(self._lido) >= 5 and len(self._lido) > (tamanho := struct.unpack_from("!I", self._lido, 1)[0]):
            mensagem, self._lido = self._lido[: tamanho + 1], self._lido[tamanho + 1 :]
            yield mensagem[:1], mensagem

    def ate_pronto(self) -> bytes:
        """Everything up to the server's ReadyForQuery."""
        tudo = b""
        while True:
            for tipo, mensagem in self.mensagens():
                tudo += mensagem
                if tipo == PRONTO:
                    return tudo


class Pooler:
    """Listens on `url`; `sessoes` server sessions serve all clients, first come, first served."""

    def __init__(self, alvo: str, pasta: Path, sessoes: int = SESSOES) -> None:
        dados = conninfo_to_dict(alvo)
        self.url = make_conninfo(alvo, host=str(pasta))
        self.transacoes = 0
        self._servidor = f"{dados['host']}/.s.PGSQL.5432"
        corpo = struct.pack("!I", 196608) + f"user\0{dados['user']}\0database\0{dados['dbname']}\0\0".encode()
        self._inicio = struct.pack("!I", len(corpo) + 4) + corpo
        self._livres: Queue[Fio] = Queue()
        for _ in range(sessoes):
            self._saudacao = self._abrir_sessao()
        self._escuta = socket.socket(socket.AF_UNIX)
        self._escuta.bind(str(pasta / ".s.PGSQL.5432"))
        self._escuta.listen()
        self._fios = [threading.Thread(target=self._aceitar)]
        self._fios[0].start()

    def fechar(self) -> None:
        """Refuses new clients, waits until the present ones have left, gives the server sessions back."""
        self._escuta.shutdown(socket.SHUT_RDWR)
        for fio in self._fios:
            fio.join()
        self._escuta.close()
        while not self._livres.empty():
            self._livres.get().soquete.close()

    def _abrir_sessao(self) -> bytes:
        soquete = socket.socket(socket.AF_UNIX)
        soquete.connect(self._servidor)
        soquete.sendall(self._inicio)
        sessao = Fio(soquete)
        saudacao = sessao.ate_pronto()
        self._livres.put(sessao)
        return saudacao

    def _aceitar(self) -> None:
        while True:
            try:
                soquete, _ = self._escuta.accept()
            except OSError:
                return
            self._fios.append(threading.Thread(target=self._atender, args=[soquete]))
            self._fios[-1].start()

    def _atender(self, soquete: socket.socket) -> None:
        (tamanho,) = struct.unpack("!I", soquete.recv(4))
        soquete.recv(tamanho - 4)
        soquete.sendall(self._saudacao)
        with soquete:
            self._servir(Fio(soquete))

    def _servir(self, cliente: Fio) -> None:
        """Until the client leaves; in the middle of a transaction it takes the server session with it."""
        sessao: Fio | None = None
        respostas_devidas = 0
        while True:
            prontos, _, _ = select.select([cliente] if sessao is None else [cliente, sessao], [], [])
            if cliente in prontos:
                try:
                    pedidos = list(cliente.mensagens())
                except (EOFError, ConnectionResetError):
                    pedidos = [(FIM, b"")]
                for tipo, mensagem in pedidos:
                    if tipo == FIM:
                        self._abandonar(sessao)
                        return
                    sessao = sessao or self._livres.get()
                    sessao.soquete.sendall(mensagem)
                    respostas_devidas += tipo in (CONSULTA, SINCRONIA)
            elif sessao is not None:
                livre = False
                for tipo, mensagem in sessao.mensagens():
                    cliente.soquete.sendall(mensagem)
                    respostas_devidas -= tipo == PRONTO
                    livre = tipo == PRONTO and mensagem.endswith(b"I") and respostas_devidas == 0
                if livre:
                    self._devolver(sessao)
                    sessao = None

    def _devolver(self, sessao: Fio) -> None:
        sessao.soquete.sendall(b"Q\0\0\0\x10DISCARD ALL\0")
        sessao.ate_pronto()
        self.transacoes += 1
        self._livres.put(sessao)

    def _abandonar(self, sessao: Fio | None) -> None:
        if sessao is not None:
            sessao.soquete.close()
            self._abrir_sessao()


@contextmanager
def pooler(alvo: str) -> Iterator[Pooler]:
    """A pooler in front of a database; the socket's path must stay short."""
    with TemporaryDirectory(prefix="d5-pooler-") as pasta:
        proprio = Pooler(alvo, Path(pasta))
        yield proprio
        proprio.fechar()

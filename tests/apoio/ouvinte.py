"""A real HTTP server on the other end of the webhook."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SEGREDO = "T0K3N-s3cr3t0"
"""Part of the address, as in many webhooks: nobody may repeat it."""


class Ouvinte:
    """An HTTP server that keeps what it is sent and answers with `status`."""

    def __init__(self, status: int = 200) -> None:
        self.recebidos: list[tuple[str, dict[str, Any]]] = []
        ouvinte = self

        class Atendente(BaseHTTPRequestHandler):
            """Answers one POST."""

            def do_POST(self) -> None:  # the name is http.server's
                corpo = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                ouvinte.recebidos.append((self.path, corpo))
                self.send_response(status)
                self.send_header("Location", "/outro")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Says nothing."""

        self._servidor = ThreadingHTTPServer(("127.0.0.1", 0), Atendente)
        self._fio = threading.Thread(target=self._servidor.serve_forever)
        self._fio.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._servidor.server_port}/servicos/{SEGREDO}"

    def fechar(self) -> None:
        self._servidor.shutdown()
        self._servidor.server_close()
        self._fio.join()

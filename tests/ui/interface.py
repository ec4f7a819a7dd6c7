"""Dagster's web UI as a person uses it: pages by their place, buttons by their name, pictures for the docs."""

from io import BytesIO
from pathlib import Path
from typing import Any, Final

import msgspec
from PIL import Image
from playwright.sync_api import Locator, Page, ViewportSize, expect

IMAGENS: Final = Path(__file__).parents[2] / "docs" / "imagens"
LARGURA_E_ALTURA: Final[ViewportSize] = {"width": 1440, "height": 900}
MAIOR_IMAGEM: Final = 300_000  # bytes
PRAZO: Final = 90_000  # milliseconds until something that has to become visible is missing


class Interface:
    """A browser page on a running service."""

    def __init__(self, pagina: Page, url: str) -> None:
        self.pagina = pagina
        self._url = url
        pagina.set_default_timeout(PRAZO)

    def abrir(self, caminho: str) -> None:
        """Goes to a page of the UI."""
        self.pagina.goto(f"{self._url}{caminho}")

    def texto(self, texto: str) -> Locator:
        """The first element that says exactly this, once it is visible."""
        achado = self.pagina.get_by_text(texto, exact=True).filter(visible=True).first
        expect(achado).to_be_visible(timeout=PRAZO)
        return achado

    def icone(self, nome: str) -> Locator:
        """The first icon of this name."""
        return self.pagina.locator(f'[aria-label="{nome}"]').first

    def lancar(self, local: str, trabalho: str, pedido: dict[str, Any] | None = None) -> None:
        """Launches a job from its Launchpad and waits until its run is green.

        Of what the editor holds, only the fields of `pedido` that the job asks for are changed.
        """
        self.abrir(f"/locations/{local}/jobs/{trabalho}/playground")
        botao = self.pagina.get_by_role("button", name="Launch Run")
        expect(botao).to_be_enabled(timeout=PRAZO)
        if pedido:
            self._preencher(pedido)
            self.texto("No errors")
            expect(botao).to_be_enabled(timeout=PRAZO)
            self.fotografar("launchpad")
        botao.click()
        self.pagina.wait_for_url("**/runs/**")
        self.texto("Success")

    def _preencher(self, pedido: dict[str, Any]) -> None:
        editor = self.pagina.locator(".CodeMirror").first
        atual = msgspec.yaml.decode(editor.evaluate("elemento => elemento.CodeMirror.getValue()").encode())
        campos = atual["ops"]["pedir"]["config"]
        campos |= {nome: valor for nome, valor in pedido.items() if nome in campos}
        editor.click()
        self.pagina.keyboard.press("Control+A")
        self.pagina.keyboard.insert_text(msgspec.yaml.encode(atual).decode())

    def fotografar(self, nome: str) -> None:
        """The page as it is now, for docs/imagens; small enough to be read over a slow line."""
        self.pagina.wait_for_load_state("networkidle")
        IMAGENS.mkdir(parents=True, exist_ok=True)
        imagem = Image.open(BytesIO(self.pagina.screenshot(animations="disabled")))
        arquivo = IMAGENS / f"{nome}.png"
        imagem.convert("RGB").quantize(256, Image.Quantize.MEDIANCUT).save(arquivo, optimize=True)
        assert arquivo.stat().st_size < MAIOR_IMAGEM

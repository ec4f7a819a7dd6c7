"""An agenda of any length is exported in the same memory."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.apoio.banco import Banco
from tests.integracao.test_exportar import MUITAS

pytestmark = pytest.mark.faltas

RAIZ = Path(__file__).parents[3]
PROGRAMA = """
import sys
from pathlib import Path
from d5_pipeline.cli.saida import escrever
from d5_pipeline.conexao import conectar
from d5_pipeline.dominio.exportacao import em_csv, em_geojson
from d5_pipeline.repositorio.exportacoes import Filtro, agenda
from tests.apoio.consumo import pico

url, pasta = sys.argv[1:]
for formato, nome in ((em_csv, "agenda.csv"), (em_geojson, "agenda.geojson")):
    with conectar(url) as conexao:
        escrever(formato(agenda(conexao, Filtro())), Path(pasta) / nome)
print(pico())
"""


def exportar_a_parte(banco: Banco, pasta: Path) -> int:
    """Both formats into files; the most memory that took, in kilobytes."""
    comando = [sys.executable, "-c", PROGRAMA, banco.url, str(pasta)]
    return int(subprocess.run(comando, cwd=RAIZ, stdout=subprocess.PIPE, text=True, check=True).stdout)


def test_100_000_demands_are_exported_in_the_memory_of_5_000(banco: Banco, tmp_path: Path) -> None:
    banco.executar(MUITAS, 5_000)
    de_poucas = exportar_a_parte(banco, tmp_path)
    banco.executar("truncate d5.backlog_items")
    banco.executar(MUITAS, 100_000)
    de_muitas = exportar_a_parte(banco, tmp_path)
    assert (tmp_path / "agenda.csv").read_bytes().count(b"\r\n") == 100_001
    assert de_muitas <= 1.05 * de_poucas

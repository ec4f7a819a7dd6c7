"""Parameters that change between two batches of one log."""

import copy
from pathlib import Path

import pytest

from d5_pipeline.processamento.dreno import Dreno
from tests.aceitacao.faltas.corrida import Corrida
from tests.apoio.banco import Banco
from tests.apoio.comando import comando
from tests.apoio.observacao import aplicado_ate
from tests.referencia.comparacao import comparar
from tests.referencia.modelo import ModeloLiteral

pytestmark = pytest.mark.faltas


@pytest.mark.parametrize("semente", [2, 3, 11])
def test_next_rebuild_uses_the_new_parameters_and_a_wrong_file_changes_nothing(
    banco: Banco, tmp_path: Path, semente: int
) -> None:
    """Scenario 21: what was built before stays as it is until its unit is rebuilt."""
    corrida = Corrida(semente)
    antigos, eventos = corrida.log()
    novos, _ = Corrida(semente + 100).log()
    corrida.carregar(banco)
    Dreno(banco.abrir, 90).drenar(prazo=0)
    (posicao,) = aplicado_ate(banco)
    assert 0 < posicao < eventos[-1]["sequence_number"]
    (tmp_path / "errado.toml").write_text("fator_decaimento = 2")
    assert "errado.toml" in comando(tmp_path, banco.url)("parametros", "carregar", "errado.toml").recusa
    Dreno(banco.abrir, 40).drenar(prazo=0)
    (troca,) = aplicado_ate(banco)
    assert posicao < troca < eventos[-1]["sequence_number"]
    banco.parametrizar(novos)
    banco.processar()
    modelo = ModeloLiteral(antigos)
    for evento in eventos:
        if modelo.parametros != novos and evento["sequence_number"] > troca:
            modelo.parametros = copy.deepcopy(novos)
        modelo.aplicar(evento)
    assert comparar(banco.resultado(), modelo.resultado()) == []

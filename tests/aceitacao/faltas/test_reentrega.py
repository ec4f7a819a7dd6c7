"""The whole log delivered again: rewound cursors have no second effect but the rebuilds that are asked for (D6, T8)."""

from typing import Any

import pytest

from d5_pipeline.dominio.eventos import TIPOS_COM_CURSOR
from d5_pipeline.processamento.posicionamento import definir
from tests.aceitacao.faltas.corrida import Corrida
from tests.apoio.banco import Banco
from tests.apoio.observacao import impressao
from tests.referencia.comparacao import comparar

pytestmark = pytest.mark.faltas

LIDO_DE_NOVO = ("consumer_offset", "controle", "intervencoes", "lacunas")
SCORES_E_STATUS = (
    "demanda.ranqueada",
    "conselheiro.sorteado",
    "conselheiro.demanda_iniciada",
    "demanda.concluída",
    "demanda.conclusao_confirmada",
)


def sorteio_sem_unidade(evento: dict[str, Any]) -> bool:
    """A draw that only a score can place: discarded before that score came, applied when delivered after it (D16)."""
    return evento["tipo"] == "conselheiro.sorteado" and not evento["payload"].get("unidade_civica_id")


@pytest.mark.parametrize("lote", [7, 5_000])
@pytest.mark.parametrize("semente", range(5))
def test_scores_and_status_events_delivered_again_change_and_publish_nothing(
    banco: Banco, semente: int, lote: int
) -> None:
    """Scenario 11, for events whose first delivery had everything it needed."""
    parametros, eventos = Corrida(semente).log()
    banco.parametrizar(parametros)
    banco.acrescentar(evento for evento in eventos if not sorteio_sem_unidade(evento))
    banco.semear()
    banco.processar()
    antes = impressao(banco, *LIDO_DE_NOVO)
    definir(banco.conexao, SCORES_E_STATUS, 0)
    assert banco.processar(lote).lidos > 0
    assert impressao(banco, *LIDO_DE_NOVO) == antes


@pytest.mark.parametrize("lote", [7, 5_000])
@pytest.mark.parametrize("semente", range(5))
def test_whole_log_delivered_again_ends_where_the_model_ends(banco: Banco, semente: int, lote: int) -> None:
    """Scenario 11: rankings and aggregations rebuild again, coordinates are written again, nothing else happens."""
    corrida = Corrida(semente)
    corrida.carregar(banco)
    banco.processar()
    definir(banco.conexao, TIPOS_COM_CURSOR, 0)
    banco.processar(lote)
    modelo = corrida.modelo()
    for evento in corrida.log()[1]:
        modelo.aplicar(evento)
    modelo.descartados = sorted(set(modelo.descartados))
    assert comparar(banco.resultado(), modelo.resultado()) == []

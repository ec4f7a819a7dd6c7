"""Scenario 23: behind a transaction pooler, where no session state survives a transaction, all is still right."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from d5_pipeline.conexao import Conexao, conectar
from d5_pipeline.processamento.dreno import Dreno
from d5_pipeline.processamento.lote import agora
from d5_pipeline.processamento.reconstrucao import reconstruir_unidades
from tests.apoio.banco import Banco
from tests.apoio.comando import comando
from tests.apoio.eventos import UC, demanda, inserir, parametros, ranqueada
from tests.apoio.observacao import ordem, publicacoes
from tests.apoio.pooler import SESSOES, Pooler, pooler
from tests.referencia.comparacao import comparar
from tests.referencia.logs import log_aleatorio
from tests.referencia.modelo import ModeloLiteral

pytestmark = pytest.mark.faltas

CONFORMIDADE = Path(__file__).parents[1] / "conformidade"
CASOS = [
    "T03_rebuild",
    "T19_ciclo_completo",
    "T20_dois_grupos_um_solo",
    "T24_conclusao_coletiva",
    "E02_agregacao_duas_ucs",
]
A, B = demanda(1), demanda(2)


@pytest.fixture
def piscina(banco: Banco) -> Iterator[Pooler]:
    """A pooler in front of the test's database."""
    with pooler(banco.url) as propria:
        yield propria


def abrir(piscina: Pooler) -> Conexao:
    """A client of the pooler; statements prepared on the server would stay behind in another session."""
    return conectar(piscina.url, comandos_preparados=False)


def test_the_pooler_of_these_tests_changes_sessions_and_forgets(piscina: Pooler) -> None:
    with closing(abrir(piscina)) as conexao:
        processos = set()
        for _ in range(SESSOES):
            with conexao.transaction():
                conexao.execute("select set_config('d5.lembranca', 'x', false)")
                (lembrada,) = conexao.execute("select current_setting('d5.lembranca')").fetchone() or ()
                assert lembrada == "x"
                processos |= set(conexao.execute("select pg_backend_pid()"))
            (esquecida,) = conexao.execute("select current_setting('d5.lembranca', true)").fetchone() or ()
            assert not esquecida
        assert len(processos) == SESSOES


@pytest.mark.parametrize("caso", CASOS)
def test_tables_and_publications_are_as_specified(banco: Banco, piscina: Pooler, caso: str) -> None:
    exemplo: dict[str, Any] = json.loads((CONFORMIDADE / f"{caso}.json").read_text(encoding="utf-8"))
    banco.parametrizar(exemplo["parametros"])
    banco.acrescentar(exemplo["eventos"])
    banco.semear()
    Dreno(lambda: abrir(piscina), 7).drenar()
    assert comparar(banco.resultado(), exemplo["esperado"]) == []
    assert piscina.transacoes > SESSOES


@pytest.mark.parametrize("drenos", [1, 2])
@pytest.mark.parametrize("semente", [31, 32, 33])
def test_random_logs_end_where_the_literal_model_ends(banco: Banco, piscina: Pooler, semente: int, drenos: int) -> None:
    """Two drains at once share the pooler's sessions."""
    valores, eventos = log_aleatorio(semente, 150)
    modelo = ModeloLiteral(valores)
    for evento in eventos:
        modelo.aplicar(evento)
    banco.parametrizar(valores)
    banco.acrescentar(eventos)
    banco.semear()
    with ThreadPoolExecutor() as fios:
        for dreno in [fios.submit(Dreno(lambda: abrir(piscina), 20).drenar) for _ in range(drenos)]:
            dreno.result(60)
    assert comparar(banco.resultado(), modelo.resultado()) == []
    publicados = [p["event_id"] for p in publicacoes(banco, eventos[-1]["sequence_number"])]
    assert len(publicados) == len(set(publicados))


def test_hole_of_a_writer_behind_the_same_pooler_is_waited_for(banco: Banco, piscina: Pooler) -> None:
    """D3: the lock belongs to the transaction, whichever session carries it."""
    banco.parametrizar(parametros())
    banco.semear()
    with closing(abrir(piscina)) as colonia:
        with colonia.transaction():
            inserir(colonia, ranqueada(A))
            inserir(banco.conexao, ranqueada(B))
            Dreno(lambda: abrir(piscina)).drenar()
            assert ordem(banco) == []
        Dreno(lambda: abrir(piscina)).drenar()
    assert ordem(banco) == [(1, A, "disponivel"), (2, B, "disponivel")]


def test_manual_rebuild_and_its_publications_need_no_session(banco: Banco, piscina: Pooler) -> None:
    banco.parametrizar(parametros())
    banco.semear()
    inserir(banco.conexao, ranqueada(A, 10), ranqueada(B, 20))
    Dreno(lambda: abrir(piscina)).drenar()
    with closing(abrir(piscina)) as conexao:
        reconstruir_unidades(conexao, [UC], agora)
    assert Dreno(lambda: abrir(piscina)).publicar() == 2
    assert ordem(banco) == [(1, B, "disponivel"), (2, A, "disponivel")]


def test_command_works_behind_the_pooler_once_it_is_told(banco: Banco, piscina: Pooler, tmp_path: Path) -> None:
    """With statements left prepared in another session it fails in one line, and leaves nothing half done."""
    banco.semear()
    inserir(banco.conexao, *(ranqueada(demanda(n), score=n) for n in range(1, 30)))
    avisado = comando(tmp_path, piscina.url, D5_COMANDOS_PREPARADOS="false", D5_LOTE="2")
    assert avisado("processar", "--json").json["aplicados"] == 29
    assert banco.valor("select count(*) from d5.backlog_scores") == 29

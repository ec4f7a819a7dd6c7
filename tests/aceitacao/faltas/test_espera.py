"""A transaction of another colony that stays open: held below it, named, and gone on with when it ends (D3)."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from d5_pipeline.conexao import Conexao, conectar
from d5_pipeline.orquestracao.vigia import Esperar, Executar, decidir
from d5_pipeline.processamento.situacao import observar
from tests.apoio.banco import Banco
from tests.apoio.comando import comando
from tests.apoio.eventos import demanda, inserir, parametros, ranqueada
from tests.apoio.observacao import aplicado_ate, esperar_ate, fim_do_log, itens

pytestmark = pytest.mark.faltas

A, B, *DEPOIS = (demanda(numero) for numero in range(1, 6))
SESSOES = "select count(*) from pg_stat_activity where datname = current_database() and application_name = 'd-4'"

Fim = Callable[[Banco, Conexao], object]


def confirmar(_: Banco, aberta: Conexao) -> None:
    """The transaction ends well."""
    aberta.execute("commit")


def desistir(_: Banco, aberta: Conexao) -> None:
    """The transaction rolls back."""
    aberta.execute("rollback")


def perder_a_sessao(banco: Banco, aberta: Conexao) -> None:
    """An administrator ends the session, or its process dies."""
    banco.executar("select pg_terminate_backend(%s)", aberta.info.backend_pid)
    esperar_ate(lambda: not banco.valor(SESSOES), "a sessão terminou")


@pytest.mark.parametrize(
    ("terminar", "aplicadas"),
    [(confirmar, {A, B, *DEPOIS}), (desistir, {A, *DEPOIS}), (perder_a_sessao, {A, *DEPOIS})],
    ids=["commit", "rollback", "sessão perdida"],
)
def test_open_transaction_is_named_while_it_holds_the_log_and_work_goes_on_when_it_ends(
    banco: Banco, tmp_path: Path, terminar: Fim, aplicadas: set[str]
) -> None:
    """Scenario 5: however much comes above, and however often it is looked at."""
    banco.parametrizar(parametros())
    banco.semear()
    inserir(banco.conexao, ranqueada(A))
    status = comando(tmp_path, banco.url)
    with closing(conectar(banco.url, "d-4")) as aberta:
        aberta.execute("begin")
        inserir(aberta, ranqueada(B))
        vistas = []
        for tardia in DEPOIS:
            inserir(banco.conexao, ranqueada(tardia))
            banco.processar()
            (lacuna,) = status("status", "--json").json["lacunas"]
            (portador,) = lacuna["portadores"]
            assert (portador["pid"], portador["aplicacao"]) == (aberta.info.backend_pid, "d-4")
            vistas.append(lacuna["vista_em"])
        assert len(set(vistas)) == 1
        assert set(itens(banco)) == {A}
        assert aplicado_ate(banco) == {lacuna["inicio"] - 1}
        assert isinstance(decidir(observar(banco.conexao)), Esperar)
        terminar(banco, aberta)
        assert isinstance(decidir(observar(banco.conexao)), Executar)
        banco.processar()
    assert set(itens(banco)) == aplicadas
    assert aplicado_ate(banco) == {fim_do_log(banco)}

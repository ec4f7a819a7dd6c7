"""What was read ahead is used where it is what would be read now, and nowhere else (D2, D3)."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from d5_pipeline.barramento.leitor import Trecho, delimitar, ler_ate
from d5_pipeline.conexao import Conexao
from d5_pipeline.dominio.eventos import Evento, demandas_citadas
from d5_pipeline.erros import BancoInacessivel
from d5_pipeline.processamento import antecipacao
from d5_pipeline.processamento.antecipacao import Antecipacao
from d5_pipeline.processamento.posicionamento import definir
from d5_pipeline.repositorio import cursores
from tests.apoio.banco import Banco
from tests.apoio.eventos import demanda, inserir, parametros, ranqueada
from tests.apoio.observacao import itens

A, B, C, D = (demanda(numero) for numero in range(1, 5))


@pytest.fixture(autouse=True)
def _lotes_pequenos(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every full batch reads ahead."""
    monkeypatch.setattr(antecipacao, "MENOR_LOTE", 1)


@pytest.fixture(autouse=True)
def _inicio_do_log(banco: Banco) -> None:
    banco.parametrizar(parametros())
    banco.semear()


@pytest.fixture
def escritora(banco: Banco) -> Iterator[Conexao]:
    """A neighbour whose transactions take their time."""
    with closing(banco.abrir()) as conexao:
        yield conexao


def lida(banco: Banco, desde: int, lote: int) -> Antecipacao:
    """With the next `lote` rows above `desde` read ahead."""
    adiantada = Antecipacao(banco.abrir)
    adiantada.pedir(desde, lote)
    assert adiantada._pedido is not None
    adiantada._pedido.exception()
    return adiantada


def trecho_de_agora(banco: Banco, lote: int) -> Trecho:
    """What a batch would read now."""
    with cursores.transacao_cercada(banco.conexao):
        return delimitar(banco.conexao, lote)


@pytest.mark.parametrize("lote", [1, 2, 3, 100])
def test_next_batch_is_what_would_be_read_now(banco: Banco, lote: int) -> None:
    (primeiro,) = inserir(banco.conexao, ranqueada(A))
    banco.processar()
    inserir(banco.conexao, ranqueada(B), ranqueada(C), ranqueada(D))
    desde = int(banco.valor("select max(aplicado_ate) from d5.consumer_offset"))
    assert desde > primeiro
    trecho = trecho_de_agora(banco, lote)
    antecipada = lida(banco, desde, lote).obter(trecho)
    assert antecipada is not None
    assert (antecipada.envelopes, trecho.ate) == ler_ate(banco.conexao, trecho.posicoes, trecho.ate, lote)
    eventos = [e for e in antecipada.validados if isinstance(e, Evento)]
    assert [demandas_citadas(e.dados) for e in eventos] == [(B,), (C,), (D,)][:lote]


@pytest.mark.parametrize("lote", [2, 3, 100])
def test_row_that_came_in_late_is_not_passed_over(banco: Banco, escritora: Conexao, lote: int) -> None:
    """Fewer rows than the batch holds, as many, and more: the late one is among the first in each."""
    with escritora.transaction():
        inserir(escritora, ranqueada(A))
        inserir(banco.conexao, ranqueada(B), ranqueada(C), ranqueada(D))
        adiantada = lida(banco, 0, lote)
    assert adiantada.obter(trecho_de_agora(banco, lote)) is None
    banco.processar(lote)
    assert set(itens(banco)) == {A, B, C, D}


def test_open_hole_ends_what_may_be_used(banco: Banco, escritora: Conexao) -> None:
    with escritora.transaction():
        inserir(banco.conexao, ranqueada(A))
        inserir(escritora, ranqueada(B))
        inserir(banco.conexao, ranqueada(C))
        adiantada = lida(banco, 0, 10)
        assert adiantada.obter(trecho_de_agora(banco, 10)) is None
        banco.processar(10)
        assert set(itens(banco)) == {A}
    banco.processar(10)
    assert set(itens(banco)) == {A, B, C}


def test_cursor_that_was_moved_meanwhile_is_followed(banco: Banco) -> None:
    primeiro, *_ = inserir(banco.conexao, ranqueada(A), ranqueada(B), ranqueada(C))
    banco.processar()
    adiantada = lida(banco, 0, 10)
    assert adiantada.obter(trecho_de_agora(banco, 10)) is None
    adiantada = lida(banco, primeiro, 10)
    definir(banco.conexao, ["demanda.ranqueada"], primeiro)
    assert adiantada.obter(trecho_de_agora(banco, 10)) is None


def test_fault_of_the_second_connection_only_means_reading_again(banco: Banco) -> None:
    inserir(banco.conexao, ranqueada(A))
    adiantada = Antecipacao(_sem_conexao)
    adiantada.pedir(0, 1)
    assert adiantada.obter(trecho_de_agora(banco, 1)) is None


def test_any_other_fault_is_not_hidden(banco: Banco) -> None:
    inserir(banco.conexao, ranqueada(A))
    adiantada = Antecipacao(_com_defeito)
    adiantada.pedir(0, 1)
    with pytest.raises(ZeroDivisionError):
        adiantada.obter(trecho_de_agora(banco, 1))


def _sem_conexao() -> Conexao:
    raise BancoInacessivel("sem conexão com o banco")


def _com_defeito() -> Conexao:
    raise ZeroDivisionError

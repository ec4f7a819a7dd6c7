"""What others do at any moment of a batch: several steps read as one, and decide as one (D3, D11)."""

from collections.abc import Callable
from contextlib import closing
from typing import Any, Self

import psycopg
import pytest

from d5_pipeline.conexao import Conexao, conectar
from d5_pipeline.processamento import antecipacao
from d5_pipeline.processamento.dreno import Dreno
from tests.apoio.banco import Banco
from tests.apoio.eventos import demanda, inserir, parametros, ranqueada
from tests.apoio.observacao import ordem

COMANDOS = 40
"""More than a drain sends for its first two batches."""


def abridor(banco: Banco, antes_de: int, acontecer: Callable[[], object]) -> Callable[[], Conexao]:
    """Connections of one drain, with something that happens before it sends its statement number `antes_de`."""
    enviados = 0

    class Cursor(psycopg.Cursor[tuple[Any, ...]]):
        def execute(self, *argumentos: Any, **nomeados: Any) -> Self:
            nonlocal enviados
            enviados += 1
            if enviados == antes_de:
                acontecer()
            return super().execute(*argumentos, **nomeados)

    def abrir() -> Conexao:
        conexao = conectar(banco.url)
        conexao.cursor_factory = Cursor
        return conexao

    return abrir


@pytest.mark.parametrize("lote", [1, 2, 3])
def test_row_that_comes_in_late_is_neither_lost_nor_overtaken_whenever_it_commits(
    banco: Banco, monkeypatch: pytest.MonkeyPatch, lote: int
) -> None:
    monkeypatch.setattr(antecipacao, "MENOR_LOTE", 1)
    banco.parametrizar(parametros(capacidade_padrao=10_000))
    banco.semear()
    esperadas: list[str] = []
    for momento in range(1, COMANDOS):
        primeira, tardia, *outras = (demanda(5 * momento + numero) for numero in range(5))
        esperadas += [primeira, tardia, *outras]
        with closing(banco.abrir()) as vizinha:
            inserir(banco.conexao, ranqueada(primeira))
            vizinha.execute("begin")
            inserir(vizinha, ranqueada(tardia))
            inserir(banco.conexao, *(ranqueada(outra) for outra in outras))
            Dreno(abridor(banco, momento, lambda: vizinha.execute("commit")), lote).drenar()
            vizinha.execute("commit")
        banco.processar()
        assert [d for _, d, _ in ordem(banco)] == esperadas, f"before statement {momento}"


VENENO = """
    create function public.falhar() returns trigger language plpgsql as $$
    begin
        raise exception 'valor que não serve';
    end $$;
    create trigger falha before insert on d5.backlog_scores for each row
    when (new.categoria_id = '9.9') execute function public.falhar()
"""


@pytest.mark.parametrize("lote", [1, 2, 3])
def test_poison_is_set_aside_and_nothing_else_whenever_another_process_comes_first(banco: Banco, lote: int) -> None:
    banco.parametrizar(parametros(capacidade_padrao=10_000))
    banco.semear()
    banco.executar(VENENO)
    esperadas: list[str] = []
    mortas: list[int] = []

    def passar_na_frente() -> None:
        if banco.consultar("select from d5.controle for update skip locked"):
            banco.processar()

    for momento in range(1, COMANDOS):
        veneno, *outras = (demanda(3 * momento + numero) for numero in range(3))
        esperadas += outras
        mortas += inserir(banco.conexao, ranqueada(veneno, categoria="9.9"))
        inserir(banco.conexao, *(ranqueada(outra) for outra in outras))
        Dreno(abridor(banco, momento, passar_na_frente), lote).drenar()
        banco.processar()
        assert [d for _, d, _ in ordem(banco)] == esperadas, f"before statement {momento}"
        assert [
            x["sequence_number"] for x in banco.consultar("select sequence_number from d5.dlq order by 1")
        ] == mortas

"""Events that fail while they are applied, and faults that are not theirs (D11)."""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
import stamina

from d5_pipeline.processamento.posicionamento import definir
from d5_pipeline.processamento.reenvio import reenviar
from tests.apoio.banco import Banco
from tests.apoio.eventos import concluida, demanda, iniciada, inserir, parametros, ranking, ranqueada, sorteado
from tests.apoio.observacao import anunciadas, aplicado_ate, cursor, fim_do_log, impressao, itens, ordem, publicacoes

A, B, C, D, VENENO = (demanda(numero) for numero in (1, 2, 3, 4, 666))

FALHA = """
    create sequence public.falhas;
    create function public.falhar() returns trigger language plpgsql as $$
    begin
        if nextval('public.falhas') <= tg_argv[1]::int then
            raise exception 'valor que não serve' using errcode = tg_argv[0];
        end if;
        return new;
    end $$
"""
SEM_FIM = 1_000_000
NO_SCORE = (
    "create trigger falha before insert or update on d5.backlog_scores for each row "
    "when (new.demanda_id = 'd0000666-0000-4000-8000-000000000666') execute function public.falhar(%s, %s)"
)
NO_ITEM = (
    "create trigger falha before insert or update on d5.backlog_items for each row "
    "when (new.status = 'em_progresso') execute function public.falhar(%s, %s)"
)
NA_DLQ = (
    "create trigger dlq_cheia before insert on d5.dlq for each row execute function public.falhar('P0001', '1000000')"
)


@pytest.fixture(autouse=True)
def _inicio_do_log(banco: Banco) -> None:
    banco.parametrizar(parametros())
    banco.semear()
    banco.executar(FALHA)


@pytest.fixture
def _sem_espera() -> Iterator[None]:
    """Retries follow each other at once."""
    with stamina.set_testing(True, attempts=10):
        yield


def envenenar(banco: Banco, gatilho: str, erro: str, vezes: int) -> None:
    """A trigger that raises `erro` the first times it is asked, beyond any rollback."""
    comando = psycopg.sql.SQL(gatilho.replace("%s, %s", "{}, {}"))
    banco.conexao.execute(comando.format(psycopg.sql.Literal(erro), psycopg.sql.Literal(str(vezes))))


def mortas(banco: Banco) -> list[dict[str, Any]]:
    """The dead letters."""
    return banco.consultar("select sequence_number, event_id, tipo, motivo, situacao from d5.dlq order by id")


@pytest.mark.parametrize("erro", ["P0001", "23514", "23505", "22003"], ids=["raise", "check", "unique", "overflow"])
@pytest.mark.parametrize("lote", [1, 2, 5_000])
def test_poisonous_event_is_set_aside_and_its_neighbours_apply_once(banco: Banco, lote: int, erro: str) -> None:
    envenenar(banco, NO_SCORE, erro, SEM_FIM)
    veneno = ranqueada(VENENO)
    numeros = inserir(
        banco.conexao, ranqueada(A), ranqueada(B), veneno, sorteado(A), ranqueada(C), ranking(), ranqueada(D)
    )
    resumo = banco.processar(lote)
    assert (resumo.lidos, resumo.aplicados, resumo.descartados, resumo.dlq) == (7, 6, 0, 1)
    assert (resumo.reconstrucoes, resumo.publicacoes) == (1, 3)
    assert mortas(banco) == [
        {
            "sequence_number": numeros[2],
            "event_id": veneno.event_id,
            "tipo": "demanda.ranqueada",
            "motivo": "aplicacao",
            "situacao": "aberta",
        }
    ]
    assert ordem(banco) == [(1, A, "atribuido"), (2, B, "disponivel"), (3, C, "disponivel"), (4, D, "disponivel")]
    assert anunciadas(banco) == [A, B]
    assert len(banco.consultar("select from d5.transicoes_status where demanda_id = %s", A)) == 1
    assert cursor(banco, "demanda.ranqueada") == numeros[-1]
    assert aplicado_ate(banco) == {fim_do_log(banco)}


def test_poison_at_the_end_of_the_log_moves_its_cursor(banco: Banco) -> None:
    envenenar(banco, NO_ITEM, "P0001", SEM_FIM)
    *_, numero = inserir(banco.conexao, ranqueada(A), sorteado(A), iniciada(A))
    assert banco.processar().dlq == 1
    assert (ordem(banco), cursor(banco, "conselheiro.demanda_iniciada")) == ([(1, A, "atribuido")], numero)


def test_nothing_moves_where_the_dead_letter_cannot_be_written(banco: Banco) -> None:
    """Scenario 13: nothing is lost; once the table takes rows again, the run goes on."""
    envenenar(banco, NO_SCORE, "P0001", SEM_FIM)
    banco.executar(NA_DLQ)
    inserir(banco.conexao, ranqueada(VENENO), ranqueada(A))
    antes = impressao(banco, "lacunas")
    with pytest.raises(psycopg.errors.RaiseException):
        banco.processar()
    assert impressao(banco, "lacunas") == antes
    banco.executar("drop trigger dlq_cheia on d5.dlq")
    assert banco.processar().dlq == 1
    assert ordem(banco) == [(1, A, "disponivel")]


@pytest.mark.parametrize(
    "defeito",
    [
        "drop view d5_modelos.backlog_ordenado cascade",
        "alter table d5.anuncios_por_uc drop column anunciado_em cascade",
        "drop table d5.transicoes_status cascade",
    ],
    ids=["view", "coluna", "tabela"],
)
def test_a_broken_schema_is_no_events_fault(banco: Banco, defeito: str) -> None:
    banco.executar(defeito)
    inserir(banco.conexao, ranqueada(A), sorteado(A), ranking())
    antes = impressao(banco, "lacunas")
    with pytest.raises(psycopg.errors.ProgrammingError, match="does not exist"):
        banco.processar()
    assert impressao(banco, "lacunas") == antes


@pytest.mark.usefixtures("_sem_espera")
@pytest.mark.parametrize("erro", ["40001", "40P01", "55P03", "57014"], ids=["serial", "deadlock", "lock", "timeout"])
def test_passing_faults_are_retried_and_never_dead_lettered(banco: Banco, erro: str) -> None:
    """Scenario 15."""
    envenenar(banco, NO_SCORE, erro, 2)
    inserir(banco.conexao, ranqueada(A), ranqueada(VENENO), ranqueada(B))
    resumo = banco.processar()
    assert (resumo.lidos, resumo.aplicados, resumo.dlq) == (3, 3, 0)
    assert banco.valor("select last_value from public.falhas") == 3
    assert ordem(banco) == [(1, A, "disponivel"), (2, VENENO, "disponivel"), (3, B, "disponivel")]
    assert anunciadas(banco) == [A]


@pytest.mark.usefixtures("_sem_espera")
def test_a_fault_that_does_not_pass_ends_the_run_without_a_dead_letter(banco: Banco) -> None:
    envenenar(banco, NO_SCORE, "40001", SEM_FIM)
    inserir(banco.conexao, ranqueada(VENENO))
    antes = impressao(banco, "lacunas")
    with pytest.raises(psycopg.errors.SerializationFailure):
        banco.processar()
    assert impressao(banco, "lacunas") == antes


@pytest.mark.usefixtures("_sem_espera")
@pytest.mark.parametrize("erro", ["40P01", "55P03"], ids=["deadlock", "lock"])
def test_passing_fault_of_an_automatic_attempt_is_not_counted_against_the_event(banco: Banco, erro: str) -> None:
    """D11: the attempt is repeated at once and applies; the dead letter had no other failure than its first."""
    envenenar(banco, NO_SCORE, "P0001", SEM_FIM)
    inserir(banco.conexao, ranqueada(VENENO))
    assert banco.processar().dlq == 1
    banco.executar("drop trigger falha on d5.backlog_scores")
    banco.executar("alter sequence public.falhas restart")
    envenenar(banco, NO_SCORE, erro, 2)
    banco.executar("update d5.dlq set proxima_em = now()")
    assert banco.processar().publicacoes == 1
    assert banco.valor("select last_value from public.falhas") == 3
    assert banco.consultar("select situacao, tentativas from d5.dlq") == [{"situacao": "resolvida", "tentativas": 1}]
    assert ordem(banco) == [(1, VENENO, "disponivel")]
    assert banco.valor("select count(*) from d5.intervencoes where tipo = 'reenvio'") == 1


def test_redriven_score_older_than_the_one_applied_changes_nothing(banco: Banco) -> None:
    """Scenario 14: poison for a demand, then a good event for it; the poison again, alone and with what followed."""
    envenenar(banco, NO_SCORE, "P0001", SEM_FIM)
    inserir(banco.conexao, ranqueada(VENENO, 100))
    assert banco.processar().dlq == 1
    banco.executar("drop trigger falha on d5.backlog_scores")
    inserir(banco.conexao, ranqueada(VENENO, 900), ranqueada(A))
    banco.processar()
    linhas, publicadas = itens(banco), publicacoes(banco)
    scores = banco.consultar("select * from d5.backlog_scores order by demanda_id")
    reenviar(banco.conexao, "dlq", [])  # the poison alone: by the cursor the good event would come behind it again
    for _ in range(2):
        assert (itens(banco), publicacoes(banco)) == (linhas, publicadas)
        assert banco.consultar("select * from d5.backlog_scores order by demanda_id") == scores
        definir(banco.conexao, ["demanda.ranqueada"], 0)
        assert banco.processar().dlq == 0


def test_redriven_status_event_takes_no_status_back(banco: Banco) -> None:
    """Scenario 14, D6: the start failed, the conclusion came; the start again is stale."""
    envenenar(banco, NO_ITEM, "P0001", SEM_FIM)
    inserir(banco.conexao, ranqueada(A), sorteado(A), iniciada(A))
    assert banco.processar().dlq == 1
    banco.executar("drop trigger falha on d5.backlog_items")
    inserir(banco.conexao, concluida(A))
    banco.processar()
    assert ordem(banco) == [(1, A, "concluido")]
    linhas = itens(banco)
    definir(banco.conexao, ["conselheiro.demanda_iniciada"], 0)
    assert banco.processar().dlq == 0
    assert itens(banco) == linhas


def test_redriven_event_that_was_never_overtaken_is_applied_once(banco: Banco) -> None:
    envenenar(banco, NO_SCORE, "P0001", SEM_FIM)
    (numero,) = inserir(banco.conexao, ranqueada(VENENO))
    banco.processar()
    assert ordem(banco) == []
    banco.executar("drop trigger falha on d5.backlog_scores")
    for _ in range(2):
        definir(banco.conexao, ["demanda.ranqueada"], numero - 1)
        banco.processar()
        assert ordem(banco) == [(1, VENENO, "disponivel")]
        assert anunciadas(banco) == [VENENO]

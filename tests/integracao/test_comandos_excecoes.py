"""`d5 dlq`, `d5 descartes`, `d5 evento` and `d5 reprocessar` from outside (contract)."""

import json
from pathlib import Path

import pytest

from tests.apoio.banco import Banco
from tests.apoio.comando import D5Comando, comando
from tests.apoio.eventos import Evento, demanda, inserir, parametros, ranking, ranqueada
from tests.apoio.observacao import ordem

A, B = demanda(1), demanda(2)


@pytest.fixture
def d5(banco: Banco, tmp_path: Path) -> D5Comando:
    """The command on the test's database, whose cursors are seeded."""
    banco.semear()
    return comando(tmp_path, banco.url)


def envenenar(banco: Banco) -> None:
    """The score of A is refused."""
    banco.executar(f"alter table d5.backlog_scores add constraint veneno check (demanda_id <> '{A}')")


def curar(banco: Banco) -> None:
    banco.executar("alter table d5.backlog_scores drop constraint veneno")


def test_dead_letter_is_listed_shown_and_redriven(banco: Banco, d5: D5Comando) -> None:
    envenenar(banco)
    (numero,) = inserir(banco.conexao, ranqueada(A))
    assert d5("processar").codigo == 1
    (morta,) = d5("dlq", "listar", "--json").json
    assert (morta["sequence_number"], morta["motivo"], morta["situacao"]) == (numero, "aplicacao", "aberta")
    assert d5("dlq", "mostrar", str(numero), "--json").json["destino"] == "dlq"
    de_novo = d5("dlq", "reenviar", str(numero))
    assert de_novo.codigo == 1
    assert "veneno" in de_novo.erros
    curar(banco)
    assert d5("dlq", "reenviar", morta["event_id"]).codigo == 0
    assert ordem(banco) == [(1, A, "disponivel")]
    assert d5("dlq", "listar", "--json").json == []
    assert d5("evento", str(numero), "--json").json["destino"] == "aplicado"


def test_poisonous_event_leaves_nothing_on_stderr_but_lines_of_the_log(banco: Banco, tmp_path: Path) -> None:
    """Nor do libraries speak there: machines read these lines. A rebuild and a later event follow the poison."""
    banco.semear()
    envenenar(banco)
    inserir(banco.conexao, ranqueada(B), ranqueada(A), ranking(), ranqueada(demanda(3)))
    saida = comando(tmp_path, banco.url, D5_LOG_JSON="true")("processar")
    assert saida.codigo == 1
    *linhas, ultima = saida.erros.splitlines()
    assert [json.loads(linha)["mensagem"] for linha in linhas] == ["evento enviado à DLQ"]
    assert ultima.startswith("d5: ")


def test_dead_letters_are_given_up_only_with_a_reason(banco: Banco, d5: D5Comando) -> None:
    envenenar(banco)
    inserir(banco.conexao, ranqueada(A))
    d5("processar")
    assert d5("dlq", "descartar", "--tudo").codigo == 2
    assert d5("dlq", "descartar", "--tudo", "--motivo", "teste").codigo == 0
    assert d5("status", "--json").json["dlq"] == 0
    (morta,) = d5("dlq", "listar", "--todos", "--json").json
    assert morta["situacao"] == "descartada"


def test_discards_are_listed_with_their_reason_and_settled(banco: Banco, d5: D5Comando) -> None:
    (numero,) = inserir(banco.conexao, Evento("conselheiro.demanda_iniciada", {"demanda_id": "x"}))
    d5("processar")
    (descarte,) = d5("descartes", "listar", "--json").json
    assert (descarte["sequence_number"], descarte["motivo"]) == (
        numero,
        "payload inválido: demanda_id está fora do formato",
    )
    ainda = d5("descartes", "reenviar", "--tudo")
    assert (ainda.codigo, ainda.erros.count("\n")) == (1, 1)
    assert d5("descartes", "descartar", str(numero), "--motivo", "teste").codigo == 0
    assert d5("status", "--json").json["descartados"] == 0


@pytest.mark.parametrize(
    ("argumentos", "motivo"),
    [
        (["dlq", "reenviar"], "--tudo"),
        (["dlq", "reenviar", "--tudo", "1"], "--tudo"),
        (["dlq", "reenviar", "x"], "não é um event_id"),
        (["descartes", "reenviar", "999"], "nada espera por reenvio em '999'"),
        (["evento", "00000000-0000-4000-8000-000000000000"], "não há evento"),
    ],
)
def test_what_is_not_there_is_refused_in_one_line(d5: D5Comando, argumentos: list[str], motivo: str) -> None:
    assert motivo in d5(*argumentos).recusa


def test_reprocessar_reports_differences_and_exchanges_on_demand(banco: Banco, d5: D5Comando) -> None:
    inserir(banco.conexao, ranqueada(A), ranqueada(B))
    d5("processar")
    assert d5("reprocessar", "--json").json["total"] == 0
    banco.executar("update d5.backlog_items set posicao = 9 where demanda_id = %s", A)
    relatorio = d5("reprocessar", "--json")
    assert (relatorio.codigo, relatorio.json["diferencas"]) == (1, {"backlog_items": 2})
    assert d5("reprocessar", "--trocar").codigo == 0
    assert ordem(banco) == [(1, A, "disponivel"), (2, B, "disponivel")]


@pytest.mark.parametrize("texto", ["[/N-9]", "[bold]", "[x]", "[link=http://a]b", "\\[", "[/]"])
def test_text_of_others_is_shown_as_it_is(banco: Banco, d5: D5Comando, texto: str) -> None:
    """Nothing in an origin, a version's name, a category or a reason is an instruction to the screen."""
    versao = f"v{texto}"
    banco.parametrizar(parametros(versao=versao))
    banco.semear()
    alheio, _ = inserir(
        banco.conexao, Evento(f"tipo {texto}", {}, origem=texto), Evento("demanda.ranqueada", {}, versao_schema=texto)
    )
    assert d5("processar").codigo == 0
    for argumentos in (["evento", str(alheio)], ["parametros", "listar"], ["parametros", "mostrar", versao]):
        mostrado = d5(*argumentos)
        assert (mostrado.codigo, mostrado.erros) == (0, "")
        assert texto in mostrado.tela
    assert d5("descartes", "descartar", "--tudo", "--motivo", texto).codigo == 0
    assert texto in d5("intervencoes", "listar").tela

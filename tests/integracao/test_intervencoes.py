"""Every act beside the log is recorded with who and why, and listed (D32)."""

import getpass
from pathlib import Path
from typing import Any

import pytest

from d5_pipeline.repositorio import migracoes
from tests.apoio.banco import Banco, clonar
from tests.apoio.comando import D5Comando, comando
from tests.apoio.eventos import UC, demanda, inserir, ranqueada, sorteado
from tests.apoio.observacao import impressao, itens

A, B = demanda(1), demanda(2)
ASSINATURA = ["--quem", "Ana", "--porque", "ensaio de sexta"]
MOTIVO = "20261201120000_d5_intervencoes_motivo"


@pytest.fixture
def d5(banco: Banco, tmp_path: Path) -> D5Comando:
    """The command on the test's database."""
    return comando(tmp_path, banco.url)


def ultima(banco: Banco, tipo: str) -> dict[str, Any]:
    """The last intervention of a kind."""
    return banco.consultar("select * from d5.intervencoes where tipo = %s order by ordem", tipo)[-1]


def envenenar(banco: Banco) -> None:
    """A goes to the DLQ; a start without a valid demand is discarded."""
    banco.executar(f"alter table d5.backlog_scores add constraint veneno check (demanda_id <> '{A}')")
    defeituoso = sorteado(B)
    del defeituoso.payload["demanda_id"]
    inserir(banco.conexao, ranqueada(A), ranqueada(B), defeituoso)
    banco.processar()
    banco.executar("alter table d5.backlog_scores drop constraint veneno")


@pytest.mark.parametrize(
    ("argumentos", "tipo"),
    [
        (["reconstruir", UC], "reconstrucao"),
        (["parametros", "carregar", "novos.toml"], "parametros"),
        (["cursores", "definir", "--todos", "0"], "cursores"),
        (["dlq", "reenviar", "--tudo"], "reenvio"),
        (["dlq", "descartar", "--tudo"], "encerramento"),
        (["descartes", "descartar", "--tudo"], "encerramento"),
        (["reprocessar", "--trocar"], "reprocessamento"),
    ],
    ids=lambda valor: valor if isinstance(valor, str) else " ".join(valor),
)
def test_every_command_that_intervenes_records_who_and_why(
    banco: Banco, d5: D5Comando, tmp_path: Path, argumentos: list[str], tipo: str
) -> None:
    banco.semear()
    envenenar(banco)
    banco.executar("update d5.backlog_items set posicao = 9 where demanda_id = %s", B)
    (tmp_path / "novos.toml").write_text(d5("parametros", "mostrar").tela)
    saida = d5(*argumentos, *ASSINATURA)
    assert (saida.codigo, saida.erros) == (0, "")
    assert {c: ultima(banco, tipo)[c] for c in ("quem", "por_que")} == {"quem": "Ana", "por_que": "ensaio de sexta"}


def test_seeding_by_hand_records_who_and_why_and_by_itself_says_so(banco: Banco, d5: D5Comando) -> None:
    assert d5("iniciar", *ASSINATURA).codigo == 0
    assert ultima(banco, "semeadura")["por_que"] == "ensaio de sexta"
    banco.executar("delete from d5.consumer_offset")
    assert d5("processar").codigo == 0
    assert ultima(banco, "semeadura")["por_que"] == "primeira partida, sem 'd5 iniciar'"


def test_automatic_attempts_say_that_nobody_asked(banco: Banco) -> None:
    banco.semear()
    envenenar(banco)
    banco.executar("update d5.dlq set proxima_em = now()")
    banco.processar()
    assert A in itens(banco)
    assert ultima(banco, "reenvio")["por_que"] == "tentativa automática"


def test_without_a_name_it_is_the_systems_user_and_no_reason_is_none(banco: Banco, d5: D5Comando) -> None:
    """The command of the contract, without new options."""
    banco.semear()
    inserir(banco.conexao, ranqueada(A))
    banco.processar()
    assert d5("reconstruir", UC, "--porque", " \n ").codigo == 0
    assert (ultima(banco, "reconstrucao")["quem"], ultima(banco, "reconstrucao")["por_que"]) == (
        getpass.getuser(),
        None,
    )


@pytest.mark.parametrize(
    ("opcao", "texto", "o_que"),
    [
        ("--quem", "x" * 256, "quem: deve ter no máximo 255 caracteres, não 256"),
        ("--porque", "x" * 1_001, "por que: deve ter no máximo 1000 caracteres, não 1001"),
        ("--quem", "Ana\x1b[2J", "quem: só pode ter caracteres visíveis"),
        ("--porque", "\u202eodartni", "por que: só pode ter caracteres visíveis"),
    ],
    ids=["quem longo", "por que longo", "terminal", "direção"],
)
def test_a_name_or_reason_that_cannot_be_shown_is_refused(
    banco: Banco, d5: D5Comando, opcao: str, texto: str, o_que: str
) -> None:
    banco.semear()
    inserir(banco.conexao, ranqueada(A))
    banco.processar()
    antes = impressao(banco)
    assert d5("reconstruir", UC, opcao, texto).recusa == o_que
    assert impressao(banco) == antes


def test_interventions_are_listed_in_order_for_people_and_programs(banco: Banco, d5: D5Comando) -> None:
    """What looks like markup stays text."""
    banco.semear()
    inserir(banco.conexao, ranqueada(A))
    banco.processar()
    aplicado = banco.valor("select max(aplicado_ate) from d5.consumer_offset")
    d5("reconstruir", UC, "--quem", "[bold]Rui[/oops]", "--porque", "feira, dúvida da UC")
    d5("cursores", "definir", "ranking.atualizado", "1")
    listadas = d5("intervencoes", "listar", "--json").json
    assert [i["tipo"] for i in listadas] == ["parametros", "semeadura", "reconstrucao", "cursores"]
    assert listadas[2] == {
        "id": ultima(banco, "reconstrucao")["id"],
        "tipo": "reconstrucao",
        "quando": ultima(banco, "reconstrucao")["quando"].isoformat(),
        "aplicado_ate": aplicado,
        "argumentos": {"unidades": [UC]},
        "quem": "[bold]Rui[/oops]",
        "por_que": "feira, dúvida da UC",
    }
    tela = d5("intervencoes", "listar").tela
    for texto in ("[bold]Rui[/oops]", "feira, dúvida da UC", "1 unidade(s)", "1 cursor(es) em 1", "versão mvp-v1"):
        assert texto in tela


def test_loads_of_an_older_database_are_matched_with_who_made_them(servidor: str) -> None:
    """One load recorded one intervention, in the same order; a version nobody recorded stays without."""
    banco = Banco(servidor.format(clonar(servidor, "template1")))
    banco.executar("create schema d5")
    for nome, arquivo in migracoes.conhecidas().items():
        if nome < MOTIVO:
            migracoes.executar_arquivo(banco.conexao, arquivo)
    for versao, quem in (("v1", "ana"), ("v2", "rui"), ("v3", None)):
        banco.executar(
            "insert into d5.param_versions (versao, fator_decaimento, limiar_peso_nao_vencido, capacidade_padrao, "
            "concluidas_ocupam_vaga, raio_metros, min_pontos) values (%s, 0.4, 0.1, 10, true, 500, 2)",
            versao,
        )
        banco.executar(
            "insert into d5.intervencoes (id, tipo, quem, quando, aplicado_ate, argumentos) select gen_random_uuid(), "
            "'parametros', %s::text, now(), 0, jsonb_build_object('versao', %s::text) where %s::text is not null",
            *(quem, versao, quem),
        )
        banco.executar(
            "insert into d5.intervencoes (id, tipo, quem, quando, aplicado_ate, argumentos) "
            "values (gen_random_uuid(), 'semeadura', 'outro', now(), 0, '{}')"
        )
    migracoes.executar_arquivo(banco.conexao, migracoes.conhecidas()[MOTIVO])
    achadas = banco.consultar(
        "select v.versao, i.quem from d5.param_versions as v left join d5.intervencoes as i on i.id = v.intervencao_id "
        "order by v.id"
    )
    assert [(linha["versao"], linha["quem"]) for linha in achadas] == [("v1", "ana"), ("v2", "rui"), ("v3", None)]
    banco.fechar()

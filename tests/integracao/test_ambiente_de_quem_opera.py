"""Screens, pipes, locales, folders and rights as operators have them (contract)."""

import subprocess
from pathlib import Path

import pytest
from psycopg import sql
from rich.console import Console

from d5_pipeline.cli import mostrar
from d5_pipeline.config import Configuracao, configuracao
from d5_pipeline.erros import ErroDeConfiguracao
from d5_pipeline.repositorio.banco_embutido import url_embutida
from tests.apoio.banco import Banco
from tests.apoio.comando import D5, D5Comando, ambiente, comando
from tests.apoio.eventos import demanda, inserir, ranqueada

A, B = demanda(1), demanda(2)


@pytest.fixture
def d5(banco: Banco, tmp_path: Path) -> D5Comando:
    """The command on the test's database, whose cursors are seeded."""
    banco.semear()
    return comando(tmp_path, banco.url)


@pytest.mark.parametrize("largura", [40, 60, 80, 200])
def test_numbers_are_whole_on_every_screen(monkeypatch: pytest.MonkeyPatch, largura: int) -> None:
    tela = Console(width=largura, record=True, markup=False, quiet=False)
    monkeypatch.setattr(mostrar, "tela", tela)
    mostrar.tabela(
        "Backlog por unidade cívica",
        ("unidade cívica", *mostrar.STATUS),
        [("44d5e286-0000-4000-8000-000000000001", 14, 0, 123, 4567, 8, 0)],
    )
    escrito = tela.export_text()
    for texto in ("14", "123", "4567", "8"):
        assert texto in escrito
    assert "…" not in escrito


def test_a_reader_that_has_had_enough_is_no_failure(banco: Banco, tmp_path: Path) -> None:
    banco.semear()
    for argumentos in ("status", "status --json", "intervencoes listar --json", "exportar"):
        encanado = subprocess.run(
            ["/bin/bash", "-c", f"set -o pipefail; '{D5}' {argumentos} | true"],
            cwd=tmp_path,
            env=ambiente(banco.url),
            capture_output=True,
            text=True,
            check=False,
        )
        assert (encanado.returncode, encanado.stderr) == (0, "")


@pytest.mark.parametrize(
    "variaveis",
    [{"LC_ALL": "C"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"PYTHONIOENCODING": "latin-1"}],
)
def test_a_poor_locale_loses_signs_not_answers(banco: Banco, tmp_path: Path, variaveis: dict[str, str]) -> None:
    banco.semear()
    (numero,) = inserir(banco.conexao, ranqueada(A))
    saida = subprocess.run(
        [D5, "processar"], cwd=tmp_path, env=ambiente(banco.url, **variaveis), capture_output=True, check=False
    )
    assert (saida.returncode, saida.stderr) == (0, b"")
    saida = subprocess.run(
        [D5, "evento", str(numero)],
        cwd=tmp_path,
        env=ambiente(banco.url, **variaveis),
        capture_output=True,
        check=False,
    )
    assert (saida.returncode, saida.stderr) == (0, b"")
    assert b"score vigente" in saida.stdout


def test_an_empty_variable_is_an_unset_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for nome in Configuracao.model_fields:
        monkeypatch.setenv(f"D5_{nome.upper()}", "")
    vazia = configuracao()
    for nome in Configuracao.model_fields:
        monkeypatch.delenv(f"D5_{nome.upper()}")
    assert vazia == configuracao()


def test_an_address_of_another_kind_is_told_what_it_should_be(tmp_path: Path) -> None:
    recusa = comando(tmp_path, "mysql://usuario:segredo@maquina/banco")("status").recusa
    assert recusa == "D5_DATABASE_URL deve começar com postgresql://"


def test_embedded_server_refuses_a_folder_that_it_cannot_use_and_leaves_nothing(tmp_path: Path) -> None:
    pasta = tmp_path / "com espaço"
    with pytest.raises(ErroDeConfiguracao, match="com espaço no nome"):
        url_embutida(pasta)
    assert not pasta.exists()


def test_questions_need_no_right_to_append_to_the_log(banco: Banco, tmp_path: Path) -> None:
    """Somebody took the right away: whoever looks for the cause must be able to ask."""
    banco.semear()
    (numero,) = inserir(banco.conexao, ranqueada(A))
    banco.processar()
    papel = sql.Identifier("papel_sem_insert")
    for comando_sql in (
        "drop role if exists {}",
        "create role {} login",
        "grant usage on schema core, d5, d5_modelos, d5_leitura to {}",
        "grant select on all tables in schema core, d5, d5_modelos, d5_leitura to {}",
    ):
        banco.conexao.execute(sql.SQL(comando_sql).format(papel))
    d5 = comando(tmp_path, banco.url.replace("postgresql://postgres", "postgresql://papel_sem_insert"))
    for pergunta in (["status"], ["evento", str(numero)], ["dlq", "listar"], ["descartes", "listar"], ["explicar", A]):
        assert (d5(*pergunta).codigo, d5(*pergunta).erros) == (0, "")
    assert "INSERT em core.event_log" in d5("processar").recusa


def test_processing_says_which_hole_it_stopped_at(banco: Banco, d5: D5Comando) -> None:
    assert d5("processar", "--json").json["lacuna"] is None
    aberta = banco.abrir()
    aberta.execute("begin")
    inserir(aberta, ranqueada(A))
    (acima,) = inserir(banco.conexao, ranqueada(B))
    processo = f"o processo {aberta.info.backend_pid} (d5)"
    frase = f"O que vem depois espera pela lacuna de {acima - 1} a {acima - 1}: {processo} ainda pode preenchê-la."
    assert frase in d5("processar").tela
    lacuna = d5("processar", "--json").json["lacuna"]
    assert (lacuna["inicio"], lacuna["portadores"][0]["pid"]) == (acima - 1, aberta.info.backend_pid)
    aberta.close()


def test_cursors_that_were_never_seeded_are_told(banco: Banco, tmp_path: Path) -> None:
    assert "ainda não foram semeados" in comando(tmp_path, banco.url)("status").tela


def test_a_search_that_ends_before_it_begins_is_refused(d5: D5Comando) -> None:
    assert "vem antes de --desde 10" in d5("rastrear", A, "--desde", "10", "--ate", "5").recusa

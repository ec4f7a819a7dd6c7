"""Structured logs: the same fields in both forms, one line each, whatever a text contains (8.1, 3.10, 3.13)."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Literal

import pytest
import stamina

from d5_pipeline import registro
from d5_pipeline.dominio import eventos as ev
from d5_pipeline.dominio.linhas import Ocorrencia
from d5_pipeline.dominio.recusas import identificadores
from d5_pipeline.dominio.validacao import validar
from d5_pipeline.erros import BancoInacessivel
from tests.apoio.eventos import UC, demanda

A = demanda(1)
EVENT_ID, CORRELACAO = "e0000001-0000-4000-8000-000000000001", "c0000001-0000-4000-8000-000000000001"
QUANDO = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _de_volta() -> Iterator[None]:
    yield
    registro.configurar("error", em_json=False)


def envelope(tipo: str, payload: str, versao: str = "1.0.0") -> ev.Envelope:
    return ev.Envelope(7, EVENT_ID, tipo, versao, CORRELACAO, QUANDO, payload)


def ocorrencia(mensagem: str = "status alterado", nivel: Literal["info", "warning"] = "info") -> Ocorrencia:
    evento = ev.Evento(7, EVENT_ID, ev.DEMANDA_CONCLUIDA, "1.0.0", CORRELACAO, QUANDO, ev.Concluida(A, None, None))
    return Ocorrencia(nivel, mensagem, evento, demanda_id=A, unidade_civica_id=UC, status="concluido")


def descarte(tipo: str, payload: str, versao: str = "1.0.0") -> ev.Descarte:
    recusado = validar(envelope(tipo, payload, versao))
    assert isinstance(recusado, ev.Descarte)
    return recusado


def test_json_line_carries_every_identifier_and_accents_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    registro.configurar("info", em_json=True)
    registro.registrar_ocorrencias([ocorrencia("conclusão confirmada")])
    saida = capsys.readouterr().err
    assert "conclusão" in saida
    linha = json.loads(saida)
    assert linha.pop("instante").endswith("Z")
    assert linha == {
        "mensagem": "conclusão confirmada",
        "level": "info",
        "tipo": "demanda.concluída",
        "demanda_id": A,
        "unidade_civica_id": UC,
        "status": "concluido",
        "event_id": EVENT_ID,
        "correlacao_id": CORRELACAO,
        "sequence_number": 7,
    }


def test_readable_line_carries_the_same_fields_without_terminal_codes(capsys: pytest.CaptureFixture[str]) -> None:
    registro.configurar("info", em_json=False)
    registro.registrar_ocorrencias([ocorrencia("conclusão confirmada")])
    saida = capsys.readouterr().err
    assert "\x1b" not in saida
    assert "conclusão confirmada tipo=demanda.concluída" in saida
    for campo in (
        f"demanda_id={A}",
        f"unidade_civica_id={UC}",
        "status=concluido",
        f"event_id={EVENT_ID}",
        f"correlacao_id={CORRELACAO}",
    ):
        assert campo in saida


@pytest.mark.parametrize("em_json", [False, True])
def test_lines_below_the_configured_level_are_not_written(capsys: pytest.CaptureFixture[str], em_json: bool) -> None:
    registro.configurar("warning", em_json)
    registro.registrar_ocorrencias([ocorrencia(nivel="info")])
    assert capsys.readouterr().err == ""
    registro.registrar_ocorrencias([ocorrencia(nivel="warning")])
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_absent_field_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    registro.configurar("info", em_json=True)
    registro.log.info("sem unidade", demanda_id=A, unidade_civica_id=None)
    assert "unidade_civica_id" not in json.loads(capsys.readouterr().err)


@pytest.mark.parametrize("em_json", [False, True])
@pytest.mark.parametrize(
    "texto",
    ["linha\nforjada", "linha\r\nforjada", "\x1b[2Jlinha forjada", "linha\u2028forjada", "linha\x00\x85forjada"],
)
def test_hostile_text_stays_on_its_line(capsys: pytest.CaptureFixture[str], em_json: bool, texto: str) -> None:
    registro.configurar("info", em_json)
    registro.log.error("evento descartado", motivo=texto)
    saida = capsys.readouterr().err
    assert len(saida.splitlines()) == 1
    assert "\x1b" not in saida
    assert "forjada" in saida


@pytest.mark.parametrize("em_json", [False, True])
@pytest.mark.parametrize(
    "texto",
    [
        "falhou em postgresql://d5:s3cr3ta@host/d5",
        "falhou em postgresql://d5:a@s3cr3ta@host/d5 agora",
        "falhou em postgresql://d5:a/s3cr3ta@host/d5",
        "falhou com host=h password=s3cr3ta user=d5",
        "falhou com password='a s3cr3ta \\' s3cr3ta' user=d5",
    ],
)
def test_no_line_shows_the_password_of_an_address(
    capsys: pytest.CaptureFixture[str], em_json: bool, texto: str
) -> None:
    registro.configurar("debug", em_json)
    registro.log.error(texto, erro=texto)
    saida = capsys.readouterr().err
    assert "falhou" in saida
    assert "s3cr3ta" not in saida


@pytest.mark.parametrize(
    ("tipo", "payload", "nivel"),
    [
        # 3.10 step 3, 3.13: category or level absent, whatever the version
        ("demanda.ranqueada", f'{{"demanda_id":"{A}","unidade_civica_id":"{UC}"}}', "warning"),
        # 3.10 step 2
        ("demanda.ranqueada", f'{{"demanda_id":"{A}"}}', "error"),
        ("demanda.ranqueada", f'{{"unidade_civica_id":"{UC}"}}', "error"),
        # T9, T10
        ("ranking.atualizado", "{}", "error"),
        ("conselheiro.sorteado", "{}", "error"),
        ("conselheiro.demanda_iniciada", "{}", "error"),
        ("demanda.concluída", "{}", "error"),
        ("demanda.conclusao_confirmada", "{}", "error"),
    ],
)
@pytest.mark.parametrize("versao", ["1.0.0", "1.1.0"])
def test_discard_is_logged_at_the_level_of_the_specification(
    capsys: pytest.CaptureFixture[str], tipo: str, payload: str, nivel: str, versao: str
) -> None:
    registro.configurar("info", em_json=True)
    registro.registrar_descarte(descarte(tipo, payload, versao))
    linha = json.loads(capsys.readouterr().err)
    assert (linha["level"], linha["event_id"], linha["correlacao_id"]) == (nivel, EVENT_ID, CORRELACAO)


def test_discard_says_which_demand_and_unit_it_was_about(capsys: pytest.CaptureFixture[str]) -> None:
    registro.configurar("info", em_json=True)
    registro.registrar_descarte(
        descarte("demanda.ranqueada", f'{{"demanda_id":"{A.upper()}","unidade_civica_id":"{UC}","score_final":-1}}')
    )
    linha = json.loads(capsys.readouterr().err)
    assert (linha["demanda_id"], linha["unidade_civica_id"]) == (A, UC)


@pytest.mark.parametrize(
    "payload",
    ["", "nada", "[]", "1", '{"demanda_id":{"a":1}}', '{"demanda_id":"' + "x" * 36 + '"}', "[" * 100_000],
)
def test_what_is_no_identifier_is_none(payload: str) -> None:
    assert identificadores(payload) == (None, None)


def test_identifiers_are_found_one_without_the_other() -> None:
    assert identificadores(f'{{"demanda_id":7,"unidade_civica_id":"{UC}"}}') == (None, UC)


class CopiaDeTeste:
    """Takes two lines of each class."""

    def __init__(self) -> None:
        self.linhas: list[tuple[str, str]] = []

    def cabe(self, classe: registro.Classe) -> bool:
        return classe != "debug" and sum(c == classe for c, _ in self.linhas) < 2

    def receber(self, classe: registro.Classe, linha: str) -> None:
        self.linhas.append((classe, linha))


def test_copy_gets_lines_from_info_up_whatever_the_level_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    copia = CopiaDeTeste()
    registro.configurar("warning", em_json=False, copia=copia)
    registro.log.debug("detalhe")
    for _ in range(5):
        registro.registrar_ocorrencias([ocorrencia(nivel="info")])
    registro.registrar_ocorrencias([ocorrencia("fora do backlog", nivel="warning")])
    assert [classe for classe, _ in copia.linhas] == ["info", "info", "warning"]
    assert copia.linhas[2][1].startswith("fora do backlog tipo=demanda.concluída demanda_id=")
    (linha,) = capsys.readouterr().err.splitlines()
    assert "fora do backlog" in linha


def test_copy_of_a_json_log_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    copia = CopiaDeTeste()
    registro.configurar("info", em_json=True, copia=copia)
    registro.registrar_ocorrencias([ocorrencia()])
    (_, texto) = copia.linhas[0]
    assert json.loads(texto)["demanda_id"] == A
    assert json.loads(capsys.readouterr().err)["demanda_id"] == A


def test_faults_of_the_moment_are_told_in_one_portuguese_line(capsys: pytest.CaptureFixture[str]) -> None:
    registro.configurar("warning", em_json=True)
    falhas = iter([BancoInacessivel("sem conexão com o banco")])

    def tentar() -> None:
        for falha in falhas:
            raise falha

    with stamina.set_testing(True, attempts=2):
        stamina.retry(on=BancoInacessivel)(tentar)()
    (linha,) = capsys.readouterr().err.splitlines()
    dito = json.loads(linha)
    assert dito["mensagem"] == "falha passageira; nova tentativa em seguida"
    assert dito["erro"] == "sem conexão com o banco"

"""Scenario 12: ten thousand hostile payloads. Each is applied, dropped with a reason or dead-lettered; none is lost."""

import json
import unicodedata
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any

import jsonschema_rs
import psycopg
import pytest

from d5_pipeline.dominio import contratos
from d5_pipeline.dominio.eventos import Descarte, Envelope, Evento
from d5_pipeline.dominio.validacao import validar
from d5_pipeline.processamento import antecipacao, entrada
from tests.apoio.banco import Banco
from tests.apoio.comando import comando
from tests.apoio.eventos import INICIO, parametros
from tests.apoio.hostis import FUNDO, Gerador, Hostil
from tests.apoio.valores_hostis import RECUSAS_DO_LOG
from tests.referencia.comparacao import comparar
from tests.referencia.modelo import ModeloLiteral

pytestmark = pytest.mark.faltas

SEMENTE, QUANTOS = 20261130, 10_000
COPIAR = "copy core.event_log (event_id, tipo, versao_schema, origem, correlacao_id, payload, criado_em) from stdin"
LER = """
    select sequence_number, event_id::text, payload::text from core.event_log where origem = 'hostil' order by 1
"""
SEM_UNIDADE = "sorteio de demanda sem linha"


@pytest.fixture
def pronto(banco: Banco) -> Banco:
    """Simple parameters and seeded cursors."""
    banco.parametrizar(parametros())
    banco.semear()
    return banco


def despejar(banco: Banco, eventos: Iterable[Hostil]) -> None:
    """Raw text into the log, in bulk; PostgreSQL itself parses it."""
    with banco.conexao.cursor() as cursor, cursor.copy(COPIAR) as copia:
        for e in eventos:
            copia.write_row((e.event_id, e.tipo, e.versao_schema, "hostil", e.event_id, e.payload, INICIO))


def no_log(banco: Banco, eventos: Iterable[Hostil]) -> list[tuple[int, Hostil, Any]]:
    """(number, event, payload as the log returns it) in log order; of a deep one, the payload that stands for it."""
    por_id = {evento.event_id: evento for evento in eventos}
    lidos = []
    for linha in banco.consultar(LER):
        evento = por_id.pop(linha["event_id"])
        texto = linha["payload"] if evento.plano is None else evento.plano
        lidos.append((linha["sequence_number"], evento, json.loads(texto, parse_float=Decimal, parse_int=Decimal)))
    assert not por_id
    return lidos


def tipo_de(evento: Hostil) -> str:
    """The type as D5 compares it."""
    return unicodedata.normalize("NFC", evento.tipo)


def aceito(tipo: str, payload: Any) -> bool:
    """What the JSON Schema says, null counting as absent (D13)."""
    validador = jsonschema_rs.Draft202012Validator(contratos.esquema(tipo), validate_formats=True)
    return bool(validador.is_valid(_sem_nulos(payload)))


def _sem_nulos(valor: Any) -> Any:
    match valor:
        case dict():
            return {chave: _sem_nulos(item) for chave, item in valor.items() if item is not None}
        case list():
            return [_sem_nulos(item) for item in valor]
        case _:
            return valor


def test_hostile_payloads_are_judged_as_the_schemas_judge_and_spoil_no_neighbour(pronto: Banco) -> None:
    eventos = Gerador(SEMENTE).eventos(QUANTOS)
    despejar(pronto, eventos)
    resumo = pronto.processar()
    lidos = no_log(pronto, eventos)
    consumidos = [(n, tipo_de(e), p) for n, e, p in lidos if tipo_de(e) in contratos.ARQUIVOS]
    assert (resumo.lidos, resumo.dlq) == (len(consumidos), 0)
    assert resumo.aplicados + resumo.descartados == resumo.lidos
    descartes = pronto.consultar("select sequence_number, motivo from d5.eventos_descartados")
    assert len(descartes) == resumo.descartados
    assert all(d["motivo"] for d in descartes)
    invalidos = {d["sequence_number"] for d in descartes if not d["motivo"].startswith(SEM_UNIDADE)}
    assert invalidos == {n for n, tipo, payload in consumidos if not aceito(tipo, payload)}
    assert comparar(pronto.resultado(), _modelo(lidos).resultado()) == []


def _modelo(lidos: list[tuple[int, Hostil, Any]]) -> ModeloLiteral:
    modelo = ModeloLiteral(parametros())
    for numero, evento, payload in lidos:
        registro = {"sequence_number": numero, "event_id": evento.event_id, "correlacao_id": evento.event_id}
        modelo.aplicar(registro | {"tipo": evento.tipo, "criado_em": INICIO.isoformat(), "payload": payload})
    return modelo


def test_what_is_no_jsonb_never_gets_into_the_log(pronto: Banco) -> None:
    """NUL, lone surrogates, numbers beyond NUMERIC, broken JSON: PostgreSQL refuses the writer, not the reader."""
    for numero, payload in enumerate(RECUSAS_DO_LOG):
        evento = Hostil(f"e0000000-0000-4000-8000-{numero:012d}", "demanda.ranqueada", "1.1.0", payload)
        with pytest.raises((psycopg.DataError, psycopg.errors.StatementTooComplex)):
            despejar(pronto, [evento])
    assert pronto.valor("select count(*) from core.event_log") == 0
    assert pronto.processar().lidos == 0


def test_the_command_survives_hostile_payloads(pronto: Banco, tmp_path: Path) -> None:
    eventos = Gerador(SEMENTE + 1).eventos(1_000)
    despejar(pronto, eventos)
    saida = comando(tmp_path, pronto.url, D5_LOTE="300")("processar", "--json")
    assert saida.codigo == (1 if saida.json["dlq"] else 0)
    assert "Traceback" not in saida.erros
    consumidos = sum(tipo_de(evento) in contratos.ARQUIVOS for evento in eventos)
    assert saida.json["aplicados"] + saida.json["descartados"] + saida.json["dlq"] == consumidos
    assert any(evento.payload.startswith("[" * FUNDO) for evento in eventos)


@pytest.mark.parametrize("lote", [5_000, 20], ids=["read in its batch", "read ahead"])
def test_an_event_that_breaks_validation_itself_is_set_aside(
    pronto: Banco, monkeypatch: pytest.MonkeyPatch, lote: int
) -> None:
    """Whatever a payload makes of the code that judges it: a dead letter, never a log that nobody can pass."""
    eventos = Gerador(SEMENTE + 2).eventos(100)

    def quebrar(envelope: Envelope) -> Evento | Descarte:
        if envelope.event_id == eventos[50].event_id:
            raise ValueError("Exceeds the limit (4300 digits)")
        return validar(envelope)

    monkeypatch.setattr(antecipacao, "MENOR_LOTE", 1)
    monkeypatch.setattr(antecipacao, "validar", quebrar)
    monkeypatch.setattr(entrada, "validar", quebrar)
    despejar(pronto, eventos)
    assert tipo_de(eventos[50]) in contratos.ARQUIVOS
    assert pronto.processar(lote).dlq == 1
    (morta,) = pronto.consultar("select event_id::text, motivo from d5.dlq")
    assert morta == {"event_id": eventos[50].event_id, "motivo": "aplicacao"}

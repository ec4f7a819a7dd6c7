"""Types nobody told us of, and versions from the future: passed or discarded by rule, and counted (D12, D13)."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.apoio.banco import Banco
from tests.apoio.comando import comando
from tests.apoio.eventos import Evento, demanda, inserir, parametros, ranking, ranqueada
from tests.apoio.observacao import aplicado_ate, fim_do_log, itens

pytestmark = pytest.mark.faltas

A, B, C, D = (demanda(numero) for numero in range(1, 5))


def sem_campos_novos(evento: Evento, versao: str) -> Evento:
    """demanda.ranqueada as 1.0.0 had it: without categoria_id and nivel_precedencia (3.1)."""
    payload = {c: v for c, v in evento.payload.items() if c not in ("categoria_id", "nivel_precedencia")}
    return replace(evento, payload=payload, versao_schema=versao)


def test_unknown_types_are_passed_and_unknown_versions_are_judged_by_what_they_carry(
    banco: Banco, tmp_path: Path
) -> None:
    """Scenario 16."""
    banco.parametrizar(parametros())
    banco.semear()
    passados = [Evento("demanda.teletransportada", {"demanda_id": A}), Evento("Demanda.Ranqueada", {})]
    aplicados = [replace(ranqueada(A), versao_schema="1.0.0"), replace(ranqueada(B), versao_schema="9.9.9"), ranking()]
    descartados = [sem_campos_novos(ranqueada(C), "1.0.0"), sem_campos_novos(ranqueada(D), "9.9.9")]
    numeros = inserir(banco.conexao, *passados, *aplicados, *descartados)
    d5 = comando(tmp_path, banco.url)
    saida = d5("processar", "--json")
    assert saida.codigo == 0
    assert (saida.json["lidos"], saida.json["aplicados"], saida.json["descartados"]) == (5, 3, 2)
    guardados = banco.consultar(
        "select sequence_number, event_id, versao_schema from d5.eventos_descartados order by sequence_number"
    )
    assert guardados == [
        {"sequence_number": numero, "event_id": evento.event_id, "versao_schema": evento.versao_schema}
        for numero, evento in zip(numeros[-2:], descartados, strict=True)
    ]
    assert set(itens(banco)) == {A, B}
    assert aplicado_ate(banco) == {fim_do_log(banco)}
    assert d5("status", "--json").json["descartados"] == 2

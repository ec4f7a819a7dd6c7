"""The checks on a real database: each sees what it is there for, and none holds anything up."""

from contextlib import closing
from dataclasses import replace
from datetime import timedelta

import pytest
from dagster import AssetCheckSeverity

from d5_pipeline.orquestracao.verificacoes import VERIFICACOES
from tests.apoio.banco import Banco
from tests.apoio.eventos import INICIO, PESOS, UC, Evento, concluida, demanda, inserir, parametros, ranking, ranqueada
from tests.apoio.observacao import esperar_ate
from tests.orquestracao.orquestrador import Orquestrador, falhas

A, B = demanda(1), demanda(2)
TODAS = {verificacao.check_key.name for verificacao in VERIFICACOES}


def achados(orquestrador: Orquestrador) -> dict[str, tuple[bool, str]]:
    """check → whether it is an error, and what it says; those that passed are left out."""
    resultado = orquestrador.verificar()
    assert resultado.success, "no check fails its run"
    avaliadas = resultado.get_asset_check_evaluations()
    assert {avaliada.check_name for avaliada in avaliadas} == TODAS
    return {
        avaliada.check_name: (avaliada.severity == AssetCheckSeverity.ERROR, avaliada.description or "")
        for avaliada in avaliadas
        if not avaliada.passed
    }


def com_peso(evento: Evento, peso: float) -> Evento:
    """The ranking of a demand under another situational weight."""
    breakdown = evento.payload["breakdown"] | {"peso_situacional": peso}
    return replace(evento, payload=evento.payload | {"breakdown": breakdown})


def test_healthy_system_passes_every_check(banco: Banco, orquestrador: Orquestrador) -> None:
    assert achados(orquestrador) == {}, "also before the first boot"
    banco.semear()
    inserir(banco.conexao, ranqueada(A), ranqueada(B), ranking())
    assert orquestrador.processar().success
    assert achados(orquestrador) == {}


def test_waiting_events_are_seen_by_their_age(banco: Banco, orquestrador: Orquestrador) -> None:
    banco.semear()
    inserir(banco.conexao, ranqueada(A), ranqueada(B))
    ((nome, (erro, linha)),) = achados(orquestrador).items()
    assert (nome, erro) == ("atraso_do_log", True)
    assert linha.startswith("2 evento(s) à espera")


def test_old_hole_is_seen_with_its_holder(banco: Banco, orquestrador: Orquestrador) -> None:
    banco.semear()
    with closing(banco.abrir()) as aberta:
        aberta.execute("begin")
        inserir(aberta, ranqueada(A))
        (acima,) = inserir(banco.conexao, ranqueada(B))
        banco.processar()
        banco.executar("update d5.lacunas set vista_em = now() - interval '10 min'")
        assert achados(orquestrador)["lacuna_aberta"] == (
            False,
            f"a lacuna de {acima - 1} a {acima - 1} está aberta há 10 min e segura tudo o que vem depois: o processo "
            f"{aberta.info.backend_pid} (d5) tem de terminar (pg_terminate_backend, ou commit/rollback prepared)",
        )
    esperar_ate(lambda: "lacuna_aberta" not in achados(orquestrador), "quem se foi não é mais nomeado")


@pytest.mark.parametrize(("situacao", "erro"), [("aberta", False), ("esgotada", True)])
def test_dead_letters_are_seen(banco: Banco, orquestrador: Orquestrador, situacao: str, erro: bool) -> None:
    banco.semear()
    banco.executar(
        "insert into d5.dlq (sequence_number, event_id, tipo, motivo, erro, situacao) values "
        "(1, gen_random_uuid(), 't', 'aplicacao', 'x', %s), (2, gen_random_uuid(), 't', 'aplicacao', 'x', 'resolvida')",
        situacao,
    )
    assert achados(orquestrador)["dlq_vazia"][0] is erro


def test_publication_that_waits_too_long_is_seen(banco: Banco, orquestrador: Orquestrador) -> None:
    banco.semear()
    inserir(banco.conexao, ranking())
    banco.executar("alter table core.event_log add constraint recusa check (origem <> 'D-5')")
    assert falhas(orquestrador.processar())
    assert "publicacoes_em_dia" not in achados(orquestrador)
    banco.executar("update d5.publicacoes_pendentes set criado_em = now() - interval '6 min'")
    assert achados(orquestrador)["publicacoes_em_dia"][0] is True


def test_silent_unit_is_seen(banco: Banco, orquestrador: Orquestrador) -> None:
    """D31: by the letter a concluded demand keeps the only slot, and the other one waits."""
    banco.parametrizar(parametros(capacidade_por_uc={UC: 1}))
    banco.semear()
    inserir(banco.conexao, ranqueada(A, 900), ranqueada(B, 100), concluida(A), ranking())
    assert orquestrador.processar().success
    erro, linha = achados(orquestrador)["unidades_com_voz"]
    assert not erro
    assert UC in linha


def test_announcement_is_old_by_the_clock_of_the_log(banco: Banco, orquestrador: Orquestrador) -> None:
    """Announced at INICIO and still available; what counts is when the neighbours last said something."""
    banco.semear()
    inserir(banco.conexao, ranqueada(A), ranqueada(B, quando=INICIO + timedelta(days=6)))
    assert orquestrador.processar().success
    assert "anuncios_atendidos" not in achados(orquestrador)
    inserir(banco.conexao, ranqueada(demanda(3), quando=INICIO + timedelta(days=8)))
    assert orquestrador.processar().success
    assert f"{UC} (demanda {A}, 8 dias)" in achados(orquestrador)["anuncios_atendidos"][1]


def test_weights_that_differ_from_the_ranking_are_seen(banco: Banco, orquestrador: Orquestrador) -> None:
    """The events say 0.85 for level 1, last of all; the older one said the same."""
    banco.parametrizar(parametros(pesos_situacionais={UC: PESOS}))
    banco.semear()
    inserir(banco.conexao, ranqueada(A), ranqueada(B))
    assert orquestrador.processar().success
    assert "pesos_da_d4" not in achados(orquestrador)
    banco.parametrizar(parametros(pesos_situacionais={UC: PESOS | {"1": 0.5}}))
    erro, linha = achados(orquestrador)["pesos_da_d4"]
    assert erro, "level 3 would be current by the parameters, level 1 by the ranking"
    assert UC in linha


@pytest.mark.parametrize(("pesos", "divergem"), [((0.50, 0.85), False), ((0.85, 0.50), True)])
def test_weight_of_the_ranking_is_that_of_its_last_event(
    banco: Banco, orquestrador: Orquestrador, pesos: tuple[float, float], divergem: bool
) -> None:
    """8.4: two demands of one unit and level; the parameters say 0.85."""
    banco.parametrizar(parametros(pesos_situacionais={UC: PESOS}))
    banco.semear()
    inserir(banco.conexao, *(com_peso(ranqueada(d), peso) for d, peso in zip((A, B), pesos, strict=True)))
    assert orquestrador.processar().success
    assert ("pesos_da_d4" in achados(orquestrador)) is divergem


def test_thresholds_come_from_the_environment(
    banco: Banco, orquestrador: Orquestrador, monkeypatch: pytest.MonkeyPatch
) -> None:
    banco.semear()
    inserir(banco.conexao, ranqueada(A))
    monkeypatch.setenv("D5_ALERTA_ATRASO_S", "1e9")
    monkeypatch.setenv("D5_ALERTA_ATRASO_GRAVE_S", "1e9")
    assert achados(orquestrador) == {}
    monkeypatch.setenv("D5_ALERTA_ATRASO_S", "logo")
    assert "variável de ambiente inválida: D5_ALERTA_ATRASO_S: deve ser um número" in " ".join(
        falhas(orquestrador.verificar()).values()
    )


def test_unprepared_database_fails_the_run_with_the_command_that_helps(
    banco: Banco, orquestrador: Orquestrador
) -> None:
    banco.executar("drop schema d5 cascade")
    assert set(falhas(orquestrador.verificar()).values()) == {
        "o esquema d5 não existe neste banco; execute 'd5 preparar'"
    }

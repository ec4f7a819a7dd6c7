"""What is told of each event: the lines the specification asks for, with the identifiers that apply (3.10 to 3.13)."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from d5_pipeline.barramento.publicador import publicar_pendentes
from d5_pipeline.conexao import conectar
from d5_pipeline.erros import FalhaDePublicacao
from d5_pipeline.processamento.dreno import Dreno
from d5_pipeline.processamento.lote import processar_lote
from d5_pipeline.processamento.posicionamento import definir
from tests.apoio.banco import Banco
from tests.apoio.comando import comando
from tests.apoio.eventos import (
    OUTRA_UC,
    UC,
    Evento,
    agregada,
    concluida,
    confirmada,
    demanda,
    iniciada,
    inserir,
    parametros,
    ranking,
    ranqueada,
    sorteado,
)
from tests.apoio.linhas import Linhas, ouvindo
from tests.apoio.observacao import PRAZO, a_espera_de_trava, esperar_ate

A, B, C = (demanda(numero) for numero in range(1, 4))
IDENTIFICADORES = ("demanda_id", "unidade_civica_id", "status", "event_id", "correlacao_id")


@pytest.fixture
def linhas() -> Iterator[Linhas]:
    with ouvindo() as copia:
        yield copia


@pytest.fixture(autouse=True)
def _inicio(banco: Banco) -> None:
    banco.parametrizar(parametros(capacidade_padrao=2))


def aplicar(banco: Banco, *eventos: Evento) -> None:
    banco.semear()
    inserir(banco.conexao, *eventos)
    banco.processar()


def test_first_boot_is_told_in_the_words_of_the_specification(banco: Banco, linhas: Linhas) -> None:
    """4.7."""
    banco.semear()
    banco.semear()
    assert len(linhas.com("D-5 Agenda inicializada")) == 1


def test_ranked_demand_says_what_became_of_it(banco: Banco, linhas: Linhas) -> None:
    """3.10, steps 1, 4, 5 and 6."""
    entra, atualiza, sobra = ranqueada(A), ranqueada(A, 200), ranqueada(C)
    aplicar(banco, entra, ranqueada(B), atualiza, sobra)
    assert linhas.de(entra) == [("info", "demanda inserida no backlog", A, UC, "disponivel")]
    assert linhas.de(atualiza) == [("info", "score atualizado no backlog", A, UC, "disponivel")]
    assert linhas.de(sobra) == [("info", "demanda fora da capacidade da unidade", C, UC, "disponivel")]
    linhas.todas.clear()
    aplicar(banco, agregada(A, [A, B]), tardia := ranqueada(B))
    assert linhas.de(tardia) == [("info", "demanda já agregada, evento tardio ignorado", B, UC, "agregado")]
    definir(banco.conexao, ["demanda.ranqueada"], 0)
    banco.processar()
    assert linhas.de(atualiza) == [("info", "demanda.ranqueada reentregue, já aplicada", A, UC, "disponivel")]
    assert linhas.de(entra) == [("info", "evento fora de ordem ignorado", A, UC, "disponivel")]


def test_status_event_says_what_it_changed_or_why_it_changed_nothing(banco: Banco, linhas: Linhas) -> None:
    """3.12, 3.13, T12, T13, T14, T25."""
    sorteio, inicio, de_novo = sorteado(A), iniciada(A), iniciada(A)
    coletiva, fim, fim_de_novo = confirmada(A, ratificacao=True), concluida(A), concluida(A)
    fora, sem_linha = sorteado(C), concluida(B)
    aplicar(banco, ranqueada(A), sorteio, inicio, de_novo, coletiva, fim, fim_de_novo, fora, sem_linha)
    assert linhas.de(sorteio) == [("info", "status alterado", A, UC, "atribuido")]
    assert linhas.de(inicio) == [("info", "status alterado", A, UC, "em_progresso")]
    assert linhas.de(de_novo) == [("info", "evento sem efeito no estado atual", A, UC, "em_progresso")]
    assert linhas.de(coletiva) == [("info", "conclusão aguarda ratificação na D-6b", A, UC, "em_progresso")]
    assert linhas.de(fim) == [("info", "status alterado", A, UC, "concluido")]
    assert linhas.de(fim_de_novo) == [("info", "evento sem efeito no estado atual", A, UC, "concluido")]
    assert linhas.de(fora) == [("warning", "conselheiro sorteado para demanda fora do backlog", C, UC, "atribuido")]
    ((nivel, _, *campos),) = linhas.de(sem_linha)
    assert (nivel, campos) == ("warning", [B, None, "concluido"])


def test_rebuild_and_aggregation_are_told_by_unit_and_member(banco: Banco, linhas: Linhas) -> None:
    rebuild, agregacao = ranking(OUTRA_UC), agregada(A, [A, B, C])
    aplicar(banco, ranqueada(A), ranqueada(B), ranqueada(C), rebuild, agregacao)
    assert linhas.de(rebuild) == [("info", "backlog reconstruído", None, OUTRA_UC, None)]
    assert linhas.de(agregacao) == [
        ("info", "status alterado", B, UC, "agregado"),
        ("info", "membro sem linha no backlog: registrado como agregado", C, UC, "agregado"),
        ("info", "backlog reconstruído", None, UC, None),
    ]


@pytest.mark.parametrize(
    ("tipo", "mensagem"),
    [
        ("demanda.removida_por_votação", "Evento demanda.removida_por_votação ignorado (MVP)"),
        ("parâmetros.atualizados", "Evento parâmetros.atualizados ignorado (MVP — config estática)"),
    ],
)
def test_stub_is_told_in_the_words_of_the_specification(banco: Banco, linhas: Linhas, tipo: str, mensagem: str) -> None:
    """4.8."""
    evento = Evento(tipo, {})
    aplicar(banco, evento)
    assert linhas.de(evento) == [("info", mensagem, None, None, None)]


def test_refused_publication_says_which_event_did_not_go_out(banco: Banco, linhas: Linhas) -> None:
    """5.3, 5.4, T15, T16."""
    banco.semear()
    gatilho = ranking()
    inserir(banco.conexao, ranqueada(A), sorteado(A), ranqueada(B))
    banco.processar()
    banco.executar("delete from d5.anuncios_por_uc")
    inserir(banco.conexao, gatilho)
    processar_lote(banco.conexao, 10)
    banco.executar(
        "create function public.recusar() returns trigger language plpgsql as "
        "'begin raise exception ''log em manutenção''; end'"
    )
    banco.executar("create trigger recusa before insert on core.event_log execute function public.recusar()")
    pendentes = banco.consultar("select tipo, event_id from d5.publicacoes_pendentes")
    with pytest.raises(FalhaDePublicacao):
        list(publicar_pendentes(banco.conexao, lambda _: None))
    (gerada,) = linhas.com("Falha ao publicar agenda.gerada")
    (disponivel,) = linhas.com("Falha ao publicar agenda.item_disponível")
    for linha in (gerada, disponivel):
        assert (linha["nivel"], linha["unidade_civica_id"]) == ("error", UC)
        assert (linha["correlacao_id"], linha["gatilho_event_id"]) == (gatilho.correlacao_id, gatilho.event_id)
        assert "log em manutenção" in linha["erro"]
    assert disponivel["demanda_id"] == B
    assert {(linha["tipo"], linha["event_id"]) for linha in pendentes} == {
        ("agenda.gerada", gerada["event_id"]),
        ("agenda.item_disponível", disponivel["event_id"]),
    }


def test_dead_letter_and_each_failed_attempt_are_told(banco: Banco, linhas: Linhas) -> None:
    """3.13: a failed dispatch is logged."""
    banco.semear()
    banco.executar(f"alter table d5.backlog_scores add constraint veneno check (demanda_id <> '{A}') not valid")
    evento = ranqueada(A)
    inserir(banco.conexao, evento)
    banco.processar()
    banco.executar("update d5.dlq set proxima_em = now(), tentativas = 5")
    banco.processar()
    assert linhas.de(evento) == [
        ("error", "evento enviado à DLQ", A, UC, None),
        ("error", "nova tentativa da DLQ falhou", A, UC, None),
    ]
    assert linhas.com("nova tentativa da DLQ falhou")[0]["esgotada"] is True
    assert all("veneno" in linha["erro"] for linha in linhas.todas if linha["nivel"] == "error")


def test_passed_holes_are_told(banco: Banco, linhas: Linhas) -> None:
    """D3."""
    banco.executar("select nextval(pg_get_serial_sequence('core.event_log', 'sequence_number'))")
    aplicar(banco, ranqueada(A))
    (linha,) = linhas.com("lacunas passadas: números que nunca serão usados")
    assert (linha["nivel"], linha["lacunas"]) == ("info", 1)


def test_writer_that_has_to_wait_for_another_one_says_so(banco: Banco, linhas: Linhas) -> None:
    banco.semear()
    inserir(banco.conexao, ranqueada(A))
    with ThreadPoolExecutor() as fios, closing(banco.abrir()) as outra:
        outra.execute("begin")
        outra.execute("select from d5.controle for update")
        dreno = fios.submit(Dreno(lambda: conectar(banco.url, "dreno")).drenar)
        esperar_ate(lambda: a_espera_de_trava(banco, "dreno"), "o dreno espera pela cerca")
        outra.execute("rollback")
        assert dreno.result(PRAZO).aplicados == 1
    (linha,) = linhas.com("outro processo está gravando; este espera e segue do novo estado")
    assert linha["nivel"] == "warning"


@pytest.mark.parametrize("em_json", ["true", "false"])
def test_command_writes_one_line_per_happening_in_the_form_asked_for(
    banco: Banco, tmp_path: Path, em_json: str
) -> None:
    banco.semear()
    evento = Evento("demanda.concluída", {"demanda_id": "não\né um id"})
    inserir(banco.conexao, ranqueada(A), evento, sorteado(A))
    saida = comando(tmp_path, banco.url, D5_LOG="info", D5_LOG_JSON=em_json)("processar", "--json")
    assert saida.codigo == 0
    escritas = saida.erros.splitlines()
    assert len(escritas) == 3
    if em_json == "true":
        inserida, alterada, descartada = (json.loads(linha) for linha in escritas)
        assert descartada["tipo"] == "demanda.concluída"
        assert all(campo in linha for linha in (inserida, alterada) for campo in IDENTIFICADORES)
    else:
        assert "tipo=demanda.concluída" in escritas[2]
        assert all(f" {campo}=" in linha for linha in (escritas[0], escritas[1]) for campo in IDENTIFICADORES)

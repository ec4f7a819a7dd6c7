"""Reading the log: seeding, cursors, names of types (D1, D4, D5)."""

import unicodedata

import pytest

from d5_pipeline.dominio.eventos import TIPOS_COM_CURSOR
from d5_pipeline.erros import ErroDeConfiguracao
from d5_pipeline.preparacao import verificar
from d5_pipeline.processamento.lote import agora, processar_lote
from d5_pipeline.processamento.posicionamento import definir
from d5_pipeline.processamento.reconstrucao import reconstruir_unidades
from d5_pipeline.processamento.reenvio import reenviar
from tests.apoio.banco import Banco
from tests.apoio.eventos import (
    UC,
    Evento,
    concluida,
    demanda,
    georreferenciada,
    inserir,
    parametros,
    ranking,
    ranqueada,
)
from tests.apoio.linhas import ouvindo
from tests.apoio.observacao import aplicado_ate, cursor, fim_do_log, ordem

A, B = demanda(1), demanda(2)


@pytest.fixture(autouse=True)
def _parametros(banco: Banco) -> None:
    banco.parametrizar(parametros())


def test_seed_is_the_end_of_the_log(banco: Banco) -> None:
    """D1, 4.7: nine cursors, and nothing of the past is applied."""
    *_, ultimo = inserir(banco.conexao, ranqueada(A), ranqueada(B))
    assert banco.semear(desde_inicio=False) == ultimo
    cursores = banco.consultar("select tipo_evento, last_sequence, aplicado_ate from d5.consumer_offset")
    assert {c["tipo_evento"] for c in cursores} == set(TIPOS_COM_CURSOR)
    assert len(cursores) == 9
    assert {(c["last_sequence"], c["aplicado_ate"]) for c in cursores} == {(ultimo, ultimo)}
    assert banco.processar().lidos == 0


def test_seed_of_an_empty_log_is_zero(banco: Banco) -> None:
    assert banco.semear(desde_inicio=False) == 0


def test_seed_at_the_start_reads_the_whole_log(banco: Banco) -> None:
    """8.4, on request."""
    inserir(banco.conexao, ranqueada(A))
    assert banco.semear(desde_inicio=True) == 0
    banco.processar()
    assert ordem(banco) == [(1, A, "disponivel")]


def test_seed_never_overwrites_a_cursor(banco: Banco) -> None:
    banco.semear()
    inserir(banco.conexao, ranqueada(A))
    banco.processar()
    antes = banco.consultar("select * from d5.consumer_offset order by tipo_evento")
    assert banco.semear(desde_inicio=True) is None
    assert banco.semear(desde_inicio=False) is None
    assert banco.consultar("select * from d5.consumer_offset order by tipo_evento") == antes


def test_cursor_is_the_last_event_of_its_type_and_the_applied_position_is_common(banco: Banco) -> None:
    """D4: a rare type never makes the next read start far back."""
    banco.semear()
    alheios = [Evento("demanda.recebida", {}), Evento("demanda.recebida", {})]
    primeiro, _, segundo, _ = inserir(banco.conexao, ranqueada(A), alheios[0], ranking(), alheios[1])
    banco.processar()
    cursores = {c: cursor(banco, c) for c in TIPOS_COM_CURSOR}
    esperados = dict.fromkeys(TIPOS_COM_CURSOR, 0)
    assert cursores == esperados | {"demanda.ranqueada": primeiro, "ranking.atualizado": segundo}
    assert aplicado_ate(banco) == {fim_do_log(banco)}


def test_rewound_cursor_reads_only_its_type_again(banco: Banco) -> None:
    banco.semear()
    numeros = inserir(banco.conexao, ranqueada(A), georreferenciada(A, -23.5, -46.6), ranking(), ranqueada(B))
    banco.processar()
    definir(banco.conexao, ["demanda.georreferenciada", "ranking.atualizado"], 0)
    resumo = banco.processar()
    assert (resumo.lidos, resumo.reconstrucoes) == (2, 1)
    assert (cursor(banco, "demanda.ranqueada"), cursor(banco, "ranking.atualizado")) == (numeros[3], numeros[2])
    assert aplicado_ate(banco) == {fim_do_log(banco)}


def test_types_in_nfd_are_the_same_types(banco: Banco) -> None:
    """D5: decomposed letters in the log, composed names in the cursors."""
    banco.semear()
    eventos = [concluida(A), Evento("parâmetros.atualizados", {})]
    decompostos = [Evento(unicodedata.normalize("NFD", e.tipo), e.payload) for e in eventos]
    assert [e.tipo for e in decompostos] != [e.tipo for e in eventos]
    numeros = inserir(banco.conexao, ranqueada(A), *decompostos)
    banco.processar()
    assert ordem(banco) == [(1, A, "concluido")]
    assert [cursor(banco, e.tipo) for e in eventos] == numeros[1:]
    assert banco.valor("select count(*) from d5.consumer_offset") == 9


def test_any_spelling_that_nfc_makes_equal_is_the_same_type(banco: Banco) -> None:
    """D5: the tone mark U+0341 is canonically the acute accent."""
    tipo = "demanda.conclui\u0341da"
    assert unicodedata.normalize("NFC", tipo) == "demanda.concluída"
    banco.semear()
    inserir(banco.conexao, ranqueada(A), Evento(tipo, {"demanda_id": A}))
    banco.processar()
    assert ordem(banco) == [(1, A, "concluido")]


def test_foreign_types_are_passed(banco: Banco) -> None:
    banco.semear()
    inserir(banco.conexao, Evento("demanda.recebida", {"demanda_id": A}), Evento("agenda.gerada", {}, origem="D-5"))
    assert banco.processar().lidos == 0
    assert aplicado_ate(banco) == {fim_do_log(banco)}


def test_vote_to_remove_is_read_once_without_cursor_and_without_effect(banco: Banco) -> None:
    """D4: a stub of the second phase, read with the stream."""
    banco.semear()
    inserir(banco.conexao, ranqueada(A))
    banco.processar()
    antes = ordem(banco)
    inserir(banco.conexao, Evento("demanda.removida_por_votação", {"demanda_id": A, "unidade_civica_id": UC}))
    resumo = banco.processar()
    assert (resumo.lidos, resumo.descartados, ordem(banco)) == (1, 0, antes)
    definir(banco.conexao, ["demanda.ranqueada"], 0)
    assert banco.processar().lidos == 1
    assert banco.valor("select count(*) from d5.consumer_offset") == 9


@pytest.mark.parametrize("ao_lado_do_log", ["reenvio", "reconstrucao"])
def test_vote_to_remove_is_not_read_again_after_what_happens_beside_the_log(banco: Banco, ao_lado_do_log: str) -> None:
    """D4: neither a re-drive nor a manual rebuild takes back how far the log was looked at: its cursor, as it were."""
    banco.semear()
    voto = Evento("demanda.removida_por_votação", {"demanda_id": A, "unidade_civica_id": UC})
    descartado = Evento("conselheiro.sorteado", {"demanda_id": B})
    with ouvindo() as linhas:
        inserir(banco.conexao, ranqueada(A), voto, descartado)
        assert banco.processar().descartados == 1
        if ao_lado_do_log == "reenvio":
            reenviar(banco.conexao, "descartes", [])
        else:
            reconstruir_unidades(banco.conexao, [UC], agora)
        definir(banco.conexao, list(TIPOS_COM_CURSOR), 0)
        assert banco.processar().lidos == 2
    assert [mensagem for _, mensagem, *_ in linhas.de(voto)] == ["Evento demanda.removida_por_votação ignorado (MVP)"]


def test_cursor_above_the_log_is_refused(banco: Banco) -> None:
    """Scenario 20: a restored backup."""
    banco.semear()
    inserir(banco.conexao, ranqueada(A))
    banco.executar("update d5.consumer_offset set last_sequence = 50, aplicado_ate = 50, ultimo_evento = 50")
    with pytest.raises(ErroDeConfiguracao, match=r"50.*acima do fim do log \(1\).*d5 cursores definir"):
        banco.processar()
    assert aplicado_ate(banco) == {50}


def test_pending_publications_do_not_fill_a_log_that_lies_below_the_cursors(banco: Banco) -> None:
    """Scenario 20: publishing first would lift the log over the cursors and hide that it was restored."""
    banco.semear()
    inserir(banco.conexao, ranqueada(A))
    processar_lote(banco.conexao, 100)
    banco.executar("update d5.consumer_offset set aplicado_ate = 2")
    with pytest.raises(ErroDeConfiguracao, match="acima do fim do log"):
        banco.processar()
    assert fim_do_log(banco) == 1


def test_operator_cannot_put_a_cursor_above_the_log(banco: Banco) -> None:
    banco.semear()
    (numero,) = inserir(banco.conexao, ranqueada(A))
    with pytest.raises(ErroDeConfiguracao, match=f"o log termina em {numero}"):
        definir(banco.conexao, ["demanda.ranqueada"], numero + 1)
    assert cursor(banco, "demanda.ranqueada") == 0
    assert banco.valor("select count(*) from d5.intervencoes where tipo = 'cursores'") == 0


def test_missing_cursor_is_refused_and_comes_back_on_the_operators_word(banco: Banco) -> None:
    """Scenario 20."""
    banco.semear()
    inserir(banco.conexao, ranqueada(A))
    banco.executar("delete from d5.consumer_offset where tipo_evento = 'demanda.concluída'")
    with pytest.raises(ErroDeConfiguracao, match=r"cursor ausente: demanda\.concluída"):
        banco.processar()
    assert ordem(banco) == []
    definir(banco.conexao, ["demanda.concluída"], 0)
    banco.processar()
    assert ordem(banco) == [(1, A, "disponivel")]


def test_sequence_with_a_cache_is_refused(banco: Banco) -> None:
    """A session would keep numbers for later transactions (D3)."""
    verificar(banco.conexao)
    banco.executar("alter table core.event_log alter column sequence_number set cache 5")
    with pytest.raises(ErroDeConfiguracao, match="CACHE 5"):
        verificar(banco.conexao)

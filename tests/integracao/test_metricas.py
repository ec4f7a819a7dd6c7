"""`d5 metricas`: names of 8.3, exact counters, the state of reading and publishing, and a database that is away."""

import socket
import threading
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from d5_pipeline.cli.exposicao import Exposicao
from d5_pipeline.conexao import conectar
from d5_pipeline.dominio.eventos import TIPOS_COM_CURSOR
from d5_pipeline.erros import ErroDeConfiguracao, FalhaDePublicacao, MedicaoImpossivel
from d5_pipeline.processamento.lote import agora, processar_lote
from d5_pipeline.processamento.posicionamento import definir
from d5_pipeline.processamento.reconstrucao import reconstruir_unidades
from d5_pipeline.processamento.simulacao import simular_rebuild
from d5_pipeline.repositorio import metricas, sinais
from d5_pipeline.repositorio.fotografia import fotografia
from tests.apoio.banco import Banco
from tests.apoio.comando import comando
from tests.apoio.eventos import (
    OUTRA_UC,
    UC,
    Evento,
    agregada,
    concluida,
    demanda,
    iniciada,
    inserir,
    parametros,
    ranking,
    ranqueada,
    sorteado,
)
from tests.apoio.exposicao import Amostras, amostras, tipos
from tests.referencia.logs import log_aleatorio

A, B, C, D, E = (demanda(numero) for numero in range(1, 6))
RECUSA = """
    create function public.recusar() returns trigger language plpgsql as $$
    begin raise exception 'log em manutenção'; end $$;
    create trigger recusa before insert on core.event_log for each row
    when (new.tipo = 'agenda.gerada') execute function public.recusar()
"""


@pytest.fixture(autouse=True)
def _preparado(banco: Banco) -> None:
    banco.parametrizar(parametros())


@pytest.fixture
def exposicao(banco: Banco) -> Exposicao:
    """What the endpoint of the test's database answers."""
    return Exposicao(lambda: sinais.medicao(banco.abrir, metricas.medir))


@pytest.fixture
def ler(exposicao: Exposicao) -> Callable[[], Amostras]:
    """One scrape."""
    return lambda: amostras(exposicao.texto())


def aplicar(banco: Banco, *eventos: Evento) -> None:
    banco.semear()
    inserir(banco.conexao, *eventos)
    banco.processar()


def publicadas(banco: Banco, tipo: str) -> int:
    return int(banco.valor("select count(*) from core.event_log where origem = 'D-5' and tipo = %s", tipo))


def test_the_metrics_of_the_specification_have_its_names_and_types(banco: Banco, exposicao: Exposicao) -> None:
    """8.3."""
    aplicar(banco, ranqueada(A), ranking())
    achados = tipos(exposicao.texto())
    assert achados["d5_backlog_size_by_uc"] == "gauge"
    assert achados["d5_agenda_gerada"] == achados["d5_item_disponivel"] == "counter"  # a parser drops _total
    assert achados["d5_rebuild_duration_ms"] == "histogram"


def test_counters_say_what_went_into_the_log(banco: Banco, ler: Callable[[], Amostras]) -> None:
    """A is announced when it enters, B when A is drawn; two rebuilds, the second without a new top."""
    aplicar(banco, ranqueada(A, 900), ranqueada(B), ranking(), ranking(OUTRA_UC), sorteado(A))
    lidas = ler()
    assert lidas["d5_agenda_gerada_total",] == 2
    assert lidas["d5_item_disponivel_total",] == 2
    assert lidas["d5_rebuild_duration_ms_count",] == 2
    assert lidas["d5_rebuild_duration_ms_bucket", "+Inf"] == 2
    assert 0 < lidas["d5_rebuild_duration_ms_sum",] < 60_000


@pytest.mark.parametrize("lote", [1, 7, 5_000])
def test_counters_are_exact_over_a_random_log_however_it_is_cut(
    banco: Banco, ler: Callable[[], Amostras], lote: int
) -> None:
    iniciais, todos = log_aleatorio(11, 150)
    banco.parametrizar(iniciais)
    banco.acrescentar([evento for evento in todos if evento["origem"] != "D-5"])
    banco.semear()
    banco.processar(lote)
    lidas = ler()
    assert lidas["d5_agenda_gerada_total",] == publicadas(banco, "agenda.gerada") > 0
    assert lidas["d5_item_disponivel_total",] == publicadas(banco, "agenda.item_disponível") > 0
    assert lidas["d5_rebuild_duration_ms_count",] == publicadas(banco, "agenda.gerada")


def test_counters_survive_restarts_of_everything_but_the_database(banco: Banco, tmp_path: Path) -> None:
    """Each step is a process of its own."""
    d5 = comando(tmp_path, banco.url)
    banco.semear()
    for vez in (1, 2):
        inserir(banco.conexao, ranqueada(demanda(vez)), ranking())
        assert d5("processar").codigo == 0
        lidas = amostras(d5("metricas", "--uma-vez").tela)
        assert lidas["d5_agenda_gerada_total",] == lidas["d5_rebuild_duration_ms_count",] == vez
        assert lidas["d5_item_disponivel_total",] == 1


def test_a_refused_publication_is_pending_and_counts_once_it_is_out(banco: Banco, ler: Callable[[], Amostras]) -> None:
    banco.semear()
    banco.executar(RECUSA)
    inserir(banco.conexao, ranqueada(A), ranking())
    with pytest.raises(FalhaDePublicacao):
        banco.processar()
    lidas = ler()
    assert (lidas["d5_agenda_gerada_total",], lidas["d5_item_disponivel_total",]) == (0, 1)
    assert lidas["d5_pending_publications",] == 1
    assert lidas["d5_oldest_pending_publication_age_seconds",] > 0
    assert lidas["d5_dlq_size", "publicacao", "aberta"] == 1
    banco.executar("drop trigger recusa on core.event_log")
    banco.processar()
    lidas = ler()
    assert lidas["d5_agenda_gerada_total",] == 1
    assert lidas["d5_pending_publications",] == lidas["d5_oldest_pending_publication_age_seconds",] == 0
    assert lidas["d5_dlq_size", "publicacao", "aberta"] == 0


def test_what_was_rolled_back_or_only_simulated_is_not_counted(banco: Banco, ler: Callable[[], Amostras]) -> None:
    aplicar(banco, ranqueada(A))
    with fotografia(banco.conexao):
        assert len(list(simular_rebuild(banco.conexao, [UC]))) == 1
    banco.executar(
        "create function public.nao() returns trigger language plpgsql as 'begin raise exception ''não''; end'"
    )
    banco.executar("create trigger nao before insert on d5.publicacoes_pendentes execute function public.nao()")
    with pytest.raises(psycopg.errors.RaiseException, match="não"):
        reconstruir_unidades(banco.conexao, [UC], agora)
    assert ler()["d5_rebuild_duration_ms_count",] == 0
    banco.executar("drop trigger nao on d5.publicacoes_pendentes")
    reconstruir_unidades(banco.conexao, [UC], agora)
    assert ler()["d5_rebuild_duration_ms_count",] == 1


def test_units_rebuilt_together_share_the_time_of_their_wave(banco: Banco) -> None:
    """3 units in 60 ms: three rebuilds of 20 ms; a bound belongs to its own bucket."""
    metricas.contar_reconstrucoes(banco.conexao, [metricas.Duracao(3, 60.0), metricas.Duracao(1, 50.0)])
    metricas.contar_reconstrucoes(banco.conexao, [metricas.Duracao(1, 9_999.0)])
    rebuilds = sinais.medicao(banco.abrir, metricas.medir).rebuilds
    acumulados = dict(rebuilds.acumulados)
    assert (acumulados[10], acumulados[25], acumulados[50], acumulados[5_000]) == (0, 3, 4, 4)
    assert (acumulados[float("inf")], rebuilds.soma) == (5, 60 + 50 + 9_999)


def test_backlog_is_measured_by_unit_and_status_without_aggregated_members(
    banco: Banco, ler: Callable[[], Amostras]
) -> None:
    aplicar(
        banco,
        *(ranqueada(d) for d in (A, B, C, D, E)),
        sorteado(A),
        sorteado(B),
        iniciada(B),
        concluida(C),
        agregada(D, [D, E]),
        ranqueada(demanda(9), uc=OUTRA_UC),
        sorteado(demanda(9), uc=OUTRA_UC),
    )
    lidas = {chave[1:]: valor for chave, valor in ler().items() if chave[0] == "d5_backlog_size_by_uc"}
    estados = ("disponivel", "atribuido", "em_progresso", "concluido")
    assert lidas == {
        **{(status, UC): 1 for status in estados},
        **{(status, OUTRA_UC): float(status == "atribuido") for status in estados},
    }


def test_lag_is_measured_by_type_in_events_and_seconds(banco: Banco, ler: Callable[[], Amostras]) -> None:
    """Spellings that NFC makes equal are one type (D5); D-5's own events are nobody's lag."""
    aplicar(banco, ranqueada(A))
    lidas = ler()
    assert {chave[1] for chave in lidas if chave[0] == "d5_lag_events"} == set(TIPOS_COM_CURSOR)
    assert all(valor == 0 for chave, valor in lidas.items() if chave[0] in ("d5_lag_events", "d5_lag_seconds"))
    inserir(banco.conexao, ranqueada(B), concluida(A), Evento("demanda.conclui\u0301da", {}))
    banco.executar("update core.event_log set criado_em = now() - interval '90 s' where tipo like 'demanda.conclu%%'")
    lidas = ler()
    assert lidas["d5_lag_events", "demanda.concluída"] == 2
    assert 89.99 <= lidas["d5_lag_seconds", "demanda.concluída"] < 150
    assert lidas["d5_lag_events", "demanda.ranqueada"] == 1
    assert lidas["d5_lag_log_numbers",] == 3
    banco.processar()
    assert ler()["d5_lag_events", "demanda.concluída"] == 0


def test_lag_follows_a_cursor_that_an_operator_moved_back(banco: Banco, ler: Callable[[], Amostras]) -> None:
    aplicar(banco, ranqueada(A), ranking(), ranking())
    definir(banco.conexao, ["ranking.atualizado"], 0)
    lidas = ler()
    assert (lidas["d5_lag_events", "ranking.atualizado"], lidas["d5_lag_events", "demanda.ranqueada"]) == (2, 0)


def test_counting_the_lag_stops_at_a_bound(
    banco: Banco, ler: Callable[[], Amostras], monkeypatch: pytest.MonkeyPatch
) -> None:
    banco.semear()
    inserir(banco.conexao, *(ranqueada(demanda(n)) for n in range(8)))
    monkeypatch.setattr(sinais, "LINHAS_DO_LOG", 5)
    lidas = ler()
    assert (lidas["d5_lag_events", "demanda.ranqueada"], lidas["d5_lag_log_numbers",]) == (5, 8)


def test_hole_is_open_while_a_transaction_that_may_fill_it_is_alive(banco: Banco, ler: Callable[[], Amostras]) -> None:
    banco.semear()
    escritora = banco.abrir()
    escritora.execute("begin")
    inserir(escritora, ranqueada(A))
    inserir(banco.conexao, ranqueada(B))
    banco.processar()
    banco.executar("update d5.lacunas set vista_em = now() - interval '70 s'")
    lidas = ler()
    assert lidas["d5_open_holes",] == 1
    assert 69.99 <= lidas["d5_oldest_hole_age_seconds",] < 130
    escritora.execute("rollback")
    escritora.close()
    lidas = ler()
    assert (lidas["d5_open_holes",], lidas["d5_oldest_hole_age_seconds",]) == (0, 0)


def test_announcement_is_open_until_its_demand_is_drawn(banco: Banco, ler: Callable[[], Amostras]) -> None:
    """Columns hold hundredths of a second."""
    aplicar(banco, ranqueada(A), ranqueada(B, uc=OUTRA_UC))
    banco.executar("update d5.anuncios_por_uc set anunciado_em = now() - interval '40 s'")
    banco.executar("update d5.anuncios_por_uc set anunciado_em = now() - interval '80 s' where demanda_id = %s", A)
    assert 79.99 <= ler()["d5_oldest_open_announcement_age_seconds",] < 140
    aplicar(banco, sorteado(A))
    assert 39.99 <= ler()["d5_oldest_open_announcement_age_seconds",] < 80
    aplicar(banco, sorteado(B, uc=OUTRA_UC))
    assert ler()["d5_oldest_open_announcement_age_seconds",] == 0


def test_dead_letters_are_measured_by_motive_and_state(banco: Banco, ler: Callable[[], Amostras]) -> None:
    banco.semear()
    banco.executar(f"alter table d5.backlog_scores add constraint veneno check (demanda_id <> '{A}') not valid")
    inserir(banco.conexao, ranqueada(A))
    banco.processar()
    assert ler()["d5_dlq_size", "aplicacao", "aberta"] == 1
    banco.executar("update d5.dlq set situacao = 'esgotada'")
    assert (ler()["d5_dlq_size", "aplicacao", "aberta"], ler()["d5_dlq_size", "aplicacao", "esgotada"]) == (0, 1)
    banco.executar("update d5.dlq set situacao = 'resolvida'")
    assert ler()["d5_dlq_size", "aplicacao", "esgotada"] == 0


def test_time_since_progress_is_that_of_the_cursor_that_moved_last(banco: Banco, ler: Callable[[], Amostras]) -> None:
    aplicar(banco, ranqueada(A))
    assert ler()["d5_seconds_since_progress",] < 60
    banco.executar("update d5.consumer_offset set updated_at = now() - interval '300 s'")
    assert 299.99 <= ler()["d5_seconds_since_progress",] < 360


def test_batches_applied_while_the_log_refuses_are_no_progress(banco: Banco, ler: Callable[[], Amostras]) -> None:
    """D4: no cursor moves before what is pending is out. Columns hold hundredths of a second."""
    banco.semear()
    banco.executar(RECUSA)
    inserir(banco.conexao, ranking())
    processar_lote(banco.conexao, 10)
    banco.executar("update d5.consumer_offset set updated_at = now() - interval '300 s'")
    inserir(banco.conexao, ranqueada(A))
    assert len(processar_lote(banco.conexao, 10).eventos) == 1
    assert 299.99 <= ler()["d5_seconds_since_progress",] < 360


def test_database_that_cannot_be_measured_is_down_not_a_dead_endpoint(banco: Banco) -> None:
    fora = Exposicao(lambda: sinais.medicao(lambda: conectar("postgresql://d5@127.0.0.1:1/d5"), metricas.medir))
    assert amostras(fora.texto()) == {("d5_up",): 0}
    dentro = Exposicao(lambda: sinais.medicao(banco.abrir, metricas.medir))
    assert amostras(dentro.texto())["d5_up",] == 1
    banco.executar("drop schema d5 cascade")
    assert amostras(dentro.texto()) == {("d5_up",): 0}


def test_measurement_gives_up_where_a_lock_does_not_let_it_through(
    banco: Banco, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sinais, "PRAZO", "50ms")
    with banco.conexao.transaction():
        banco.executar("lock table d5.lacunas in access exclusive mode")
        with pytest.raises(MedicaoImpossivel, match="o banco não respondeu à medição"):
            sinais.medicao(banco.abrir, metricas.medir)


def test_measurement_cannot_write(banco: Banco) -> None:
    with pytest.raises(MedicaoImpossivel, match="read-only"):
        sinais.medicao(banco.abrir, lambda conexao: conexao.execute("delete from d5.lacunas"))


def test_waiting_scrapes_share_one_reading_that_began_after_they_asked() -> None:
    """One scrape is reading, three more ask: two readings in all."""
    lendo, prossiga, olhadas = threading.Event(), threading.Event(), threading.Semaphore(0)
    leituras: list[int] = []
    instante = iter(range(1_000))

    def relogio() -> float:
        olhadas.release()
        return next(instante)

    def medir() -> metricas.Medidas:
        leituras.append(len(leituras))
        lendo.set()
        assert prossiga.wait(20)
        raise MedicaoImpossivel("em teste")

    exposicao = Exposicao(medir, relogio)
    fios = [threading.Thread(target=exposicao.texto) for _ in range(4)]
    fios[0].start()
    assert lendo.wait(20)
    for fio in fios[1:]:
        fio.start()
    for _ in range(2 + 3):  # the first asked and began; the others have asked
        assert olhadas.acquire(timeout=20)
    prossiga.set()
    for fio in fios:
        fio.join(20)
    assert len(leituras) == 2


def test_port_in_use_is_refused_with_one_line(banco: Banco) -> None:
    with socket.create_server(("127.0.0.1", 0)) as ocupada:
        porta = ocupada.getsockname()[1]
        with pytest.raises(ErroDeConfiguracao, match=f"não foi possível escutar em 127.0.0.1:{porta}"):
            Exposicao(lambda: sinais.medicao(banco.abrir, metricas.medir)).servir(porta, "127.0.0.1", lambda _: None)

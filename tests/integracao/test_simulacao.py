"""A dry run of a rebuild: exactly what the rebuild then does, over one snapshot, without writing or waiting."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from d5_pipeline.consultas import consultas
from d5_pipeline.dominio.balanco import DiferencaDaUnidade
from d5_pipeline.processamento import simulacao
from d5_pipeline.processamento.lote import agora
from d5_pipeline.processamento.reconstrucao import reconstruir_unidades, unidades_pedidas
from d5_pipeline.processamento.simulacao import alcance, simular_rebuild
from d5_pipeline.repositorio import cursores
from d5_pipeline.repositorio.fotografia import fotografia
from tests.apoio.banco import Banco
from tests.apoio.comando import comando
from tests.apoio.eventos import OUTRA_UC, UC, agregada, demanda, inserir, parametros, ranking, ranqueada, sorteado
from tests.apoio.observacao import impressao, sequencias
from tests.referencia.logs import log_aleatorio

A, B, C = demanda(1), demanda(2), demanda(3)
LINHAS = """
    select unidade_civica_id, demanda_id, posicao, grupo_id
    from d5.backlog_items where status <> 'agregado'
"""
LINHAS_DE_SOBRA = """
    insert into d5.backlog_items
        (demanda_id, unidade_civica_id, posicao, score, status, categoria_id, nivel_precedencia, event_id)
    select gen_random_uuid(), format('f0000000-0000-4000-8000-%%s', lpad(u::text, 12, '0'))::uuid, k, 1, 'disponivel',
        '1.1', 1, gen_random_uuid()
    from generate_series(1, 100) as u, generate_series(0, 399) as k
"""
Lugares = dict[str, dict[str, tuple[int, str | None]]]


def simular(banco: Banco, *unidades: str) -> dict[str, DiferencaDaUnidade]:
    """The dry run of some units, or of all."""
    pedidas = unidades or tuple(unidades_pedidas(banco.conexao, [], todas=True))
    with fotografia(banco.conexao):
        return {diferenca.unidade_civica_id: diferenca for diferenca in simular_rebuild(banco.conexao, pedidas)}


def mudancas(diferenca: DiferencaDaUnidade) -> list[tuple[str, str, int | None, int | None]]:
    """What would happen to each demand of a unit."""
    return [(m.demanda_id, m.efeito, m.antes, m.depois) for m in diferenca.demandas]


def lugares(banco: Banco) -> Lugares:
    """unit → demand → position and group, as the table has them."""
    achados: Lugares = {}
    for linha in banco.consultar(LINHAS):
        unidade = achados.setdefault(linha["unidade_civica_id"], {})
        unidade[linha["demanda_id"]] = (linha["posicao"], linha["grupo_id"])
    return achados


def diferentes(antes: Lugares, depois: Lugares, unidade: str) -> dict[str, tuple[Any, Any]]:
    """demand → (before, after) of a unit, where they differ."""
    velhos, novos = antes.get(unidade, {}), depois.get(unidade, {})
    return {d: (velhos.get(d), novos.get(d)) for d in velhos.keys() | novos.keys() if velhos.get(d) != novos.get(d)}


@pytest.mark.parametrize("semente", range(4))
def test_the_rebuild_does_exactly_what_the_dry_run_said(banco: Banco, semente: int) -> None:
    """Random cities with draws outside the backlog, aggregates, concluded demands and groups."""
    iniciais, todos = log_aleatorio(semente, 220)
    banco.parametrizar(iniciais)
    banco.acrescentar([evento for evento in todos if evento["origem"] != "D-5"])
    banco.semear()
    banco.processar(50)
    banco.parametrizar({**iniciais, "capacidade_padrao": 4, "clustering": {"raio_metros": 2_000, "min_pontos": 2}})
    prevista, antes = simular(banco), lugares(banco)
    reconstruir_unidades(banco.conexao, sorted(prevista), agora)
    depois = lugares(banco)
    for unidade, diferenca in prevista.items():
        vindas = {m.demanda_id: m.vem_de for m in diferenca.demandas if m.vem_de is not None}
        visto = {
            m.demanda_id: (
                None if m.antes is None or m.demanda_id in vindas else (m.antes, m.grupo_antes),
                None if m.depois is None else (m.depois, m.grupo_depois),
            )
            for m in diferenca.demandas
        }
        assert visto == diferentes(antes, depois, unidade)
        assert all(antes[str(de)][demanda_id][0] == 0 for demanda_id, de in vindas.items())
        assert (diferenca.antes.itens, diferenca.depois.itens) == (
            len(antes.get(unidade, {})),
            len(depois.get(unidade, {})),
        )
    anunciadas = banco.consultar(
        "select payload ->> 'unidade_civica_id' as uc, payload ->> 'demanda_id' as demanda "
        "from d5.publicacoes_pendentes where tipo = 'agenda.item_disponível'"
    )
    previstas = {u: d.depois.anuncia for u, d in prevista.items() if d.depois.anuncia is not None}
    assert {linha["uc"]: linha["demanda"] for linha in anunciadas} == previstas
    assert sum(len(d.demandas) for d in prevista.values()) > 0


@pytest.fixture
def por_chegada(banco: Banco) -> Banco:
    """Three demands in the order of arrival, which a rebuild turns around: C 900, B 500, A 100."""
    banco.parametrizar(parametros())
    banco.semear()
    inserir(banco.conexao, ranqueada(A, 100), ranqueada(B, 500), ranqueada(C, 900))
    banco.processar()
    return banco


def test_positions_figures_and_the_announcement_are_foretold(por_chegada: Banco) -> None:
    """Uniform distribution of capacity 10 (4.2); C becomes the first available instead of A (D9)."""
    (diferenca,) = simular(por_chegada, UC).values()
    assert mudancas(diferenca) == [(C, "sobe", 3, 1), (A, "desce", 1, 3)]
    assert (diferenca.contagem.sobe, diferenca.contagem.desce, diferenca.contagem.total) == (1, 1, 2)
    assert (diferenca.antes.itens, diferenca.depois.itens) == (3, 3)
    assert (diferenca.depois.nivel_nao_vencido, diferenca.depois.vagas, diferenca.depois.anuncia) == (None, [10], C)


def test_rows_beyond_the_slots_go_and_aggregated_ones_are_not_looked_at(por_chegada: Banco) -> None:
    """3.11 f: of capacity 1 the best is left; B, absorbed by C, keeps its row whatever happens."""
    inserir(por_chegada.conexao, agregada(C, [B]))
    por_chegada.processar()
    por_chegada.parametrizar(parametros(capacidade_padrao=1))
    assert mudancas(simular(por_chegada, UC)[UC]) == [(A, "sai", 2, None)]


def test_a_row_taken_over_from_another_unit_says_where_it_comes_from(banco: Banco) -> None:
    """D16: the draw names another unit than the score; the rebuild of the score's unit takes the row over."""
    banco.parametrizar(parametros(capacidade_padrao=0))
    banco.semear()
    inserir(banco.conexao, ranqueada(A, 100), ranqueada(B, 50, OUTRA_UC), sorteado(A, OUTRA_UC))
    banco.processar()
    banco.parametrizar(parametros(capacidade_padrao=1))
    so_a_do_score = simular(banco, UC)[UC]
    assert mudancas(so_a_do_score) == [(A, "entra", 0, 1)]
    assert (so_a_do_score.demandas[0].vem_de, so_a_do_score.antes.itens) == (OUTRA_UC, 0)
    ambas = simular(banco)
    assert mudancas(ambas[UC]) == [(A, "entra", 0, 1)]
    assert mudancas(ambas[OUTRA_UC]) == [(B, "entra", None, 1), (A, "sai", 0, None)]
    reconstruir_unidades(banco.conexao, [UC, OUTRA_UC], agora)
    assert lugares(banco) == {UC: {A: (1, None)}, OUTRA_UC: {B: (1, None)}}


def test_nothing_is_written_no_number_drawn(por_chegada: Banco) -> None:
    antes, numeros = impressao(por_chegada), sequencias(por_chegada)
    simular(por_chegada)
    assert (impressao(por_chegada), sequencias(por_chegada)) == (antes, numeros)


def test_the_server_refuses_a_write_within_a_snapshot(por_chegada: Banco) -> None:
    with pytest.raises(psycopg.errors.ReadOnlySqlTransaction), fotografia(por_chegada.conexao):
        por_chegada.executar("delete from d5.backlog_items")
    with pytest.raises(psycopg.errors.ReadOnlySqlTransaction), fotografia(por_chegada.conexao):
        por_chegada.executar("select nextval('d5.param_versions_id_seq')")


def test_pieces_of_one_unit_find_what_one_piece_of_all_finds(banco: Banco, monkeypatch: pytest.MonkeyPatch) -> None:
    iniciais, todos = log_aleatorio(7, 200)
    banco.parametrizar(iniciais)
    banco.acrescentar([evento for evento in todos if evento["origem"] != "D-5"])
    banco.semear()
    banco.processar()
    banco.parametrizar({**iniciais, "capacidade_padrao": 3})
    juntas = simular(banco)
    monkeypatch.setattr(simulacao, "UNIDADES_POR_VEZ", 1)
    assert len(juntas) > 1
    assert simular(banco) == juntas


def test_what_is_committed_meanwhile_is_not_seen(por_chegada: Banco, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two pieces a whole drain commits: nobody waits, and the second piece is of the first one's moment."""
    monkeypatch.setattr(simulacao, "UNIDADES_POR_VEZ", 1)
    inserir(por_chegada.conexao, ranqueada(demanda(11), 10, OUTRA_UC), ranqueada(demanda(12), 20, OUTRA_UC))
    por_chegada.processar()
    with por_chegada.abrir() as outra, fotografia(outra):
        diferencas: Iterator[DiferencaDaUnidade] = simular_rebuild(outra, [UC, OUTRA_UC])
        assert mudancas(next(diferencas)) == [(C, "sobe", 3, 1), (A, "desce", 1, 3)]
        inserir(por_chegada.conexao, ranqueada(demanda(13), 99, OUTRA_UC), ranking(OUTRA_UC), ranking())
        assert por_chegada.processar().reconstrucoes == 2
        assert mudancas(next(diferencas)) == [(demanda(12), "sobe", 2, 1), (demanda(11), "desce", 1, 2)]


def test_it_does_not_wait_for_a_writer_in_the_middle_of_its_work(por_chegada: Banco) -> None:
    """The fence is held, every row is locked and changed: the last committed state is what counts."""
    esperado = simular(por_chegada, UC)
    achados: list[dict[str, DiferencaDaUnidade]] = []
    escritor = por_chegada.abrir()
    with escritor.transaction(force_rollback=True), cursores.transacao_cercada(escritor):
        escritor.execute("update d5.backlog_items set posicao = 99")
        escritor.execute("update d5.consumer_offset set aplicado_ate = aplicado_ate + 1")
        fio = threading.Thread(target=lambda: achados.append(simular(por_chegada, UC)))
        fio.start()
        fio.join(20)
        assert achados == [esperado]
    escritor.close()


def test_events_not_yet_applied_are_counted_apart(por_chegada: Banco) -> None:
    fim = por_chegada.valor("select max(aplicado_ate) from d5.consumer_offset")
    inserir(por_chegada.conexao, ranqueada(demanda(4), 999), ranking())
    with fotografia(por_chegada.conexao):
        quanto = alcance(por_chegada.conexao)
        (diferenca,) = simular_rebuild(por_chegada.conexao, [UC])
    assert (quanto.aplicado_ate, quanto.eventos_por_aplicar) == (fim, 2)
    assert demanda(4) not in {m.demanda_id for m in diferenca.demandas}
    assert quanto.ressalva is not None
    assert "há 2 evento(s) ainda não aplicado(s)" in quanto.ressalva


def test_before_the_first_boot_nothing_is_pending(banco: Banco) -> None:
    inserir(banco.conexao, ranqueada(A))
    with fotografia(banco.conexao):
        assert (alcance(banco.conexao).eventos_por_aplicar, alcance(banco.conexao).ressalva) == (0, None)


def test_command_sums_up_first_and_tells_programs_the_same(por_chegada: Banco, tmp_path: Path) -> None:
    d5 = comando(tmp_path, por_chegada.url)
    antes, numeros = impressao(por_chegada), sequencias(por_chegada)
    saida = d5("reconstruir", "--todas", "--simular")
    assert (saida.codigo, saida.erros) == (0, "")
    assert saida.tela.splitlines() == [
        "Simulação: nada foi gravado. De 1 unidade(s), 1 mudaria(m) e 0 não: 1 sobe, 1 desce; "
        "1 anunciaria(m) uma demanda.",
        "",
        f"{UC}: nível nenhum; vagas 10; itens 3; grupos 0; 1 sobe, 1 desce; anuncia {C}",
        f"  {C}  sobe         3 → 1",
        f"  {A}  desce        1 → 3",
    ]
    dados = d5("reconstruir", UC, "--simular", "--json").json
    (diferenca,) = dados.pop("diferencas")
    assert dados == {
        "gravado": False,
        "aplicado_ate": por_chegada.valor("select max(aplicado_ate) from d5.consumer_offset"),
        "eventos_por_aplicar": 0,
        **{"unidades": 1, "mudam": 1, "anunciam": 1},
        **{"entra": 0, "sai": 0, "sobe": 1, "desce": 1, "reagrupa": 0},
    }
    assert [(m["demanda_id"], m["efeito"]) for m in diferenca["demandas"]] == [(C, "sobe"), (A, "desce")]
    assert (impressao(por_chegada), sequencias(por_chegada)) == (antes, numeros)
    feito = d5("reconstruir", UC, "--json").json
    assert (feito["gravado"], feito["unidades"], feito["publicacoes"]) == (True, 1, 2)
    assert feito["intervencao"] == por_chegada.valor("select id from d5.intervencoes where tipo = 'reconstrucao'")
    assert d5("reconstruir", UC, "--simular").tela == "Simulação: nada foi gravado. Nada mudaria em 1 unidade(s).\n"


@pytest.mark.parametrize("plano", ["force_custom_plan", "force_generic_plan"])
def test_a_piece_reads_its_rows_through_indexes(banco: Banco, plano: str) -> None:
    """Of 100 units with 400 rows each only what two of them hold is looked at."""
    banco.executar(LINHAS_DE_SOBRA)
    banco.executar("analyze d5.backlog_items")
    banco.executar(f"set plan_cache_mode = {plano}")
    unidades = [f"f0000000-0000-4000-8000-{n:012d}" for n in (1, 2)]
    for consulta, valores in (
        (consultas("simulacao").linhas_fora_do_backlog, {"demandas": [demanda(n) for n in range(20)]}),
        (consultas("diagnostico").agenda, {"unidades": unidades}),
    ):
        (linha,) = banco.conexao.execute("explain (format json) " + consulta.sql, valores).fetchall()
        assert "Seq Scan" not in str(linha)

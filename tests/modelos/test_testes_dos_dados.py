"""The data tests of the dbt project: silent on every healthy state, and each names what it is there for."""

import psycopg
import pytest

from d5_pipeline.repositorio.modelos import testar_modelos as rodar_testes
from tests.modelos.estados import Estado, demanda, parametros, score, uc
from tests.modelos.postgres import ModelosPostgres

LOG = """
    insert into core.event_log (sequence_number, event_id, tipo, versao_schema, origem, correlacao_id, payload)
    overriding system value
    select n, format('e0000000-0000-4000-8000-%s', lpad(to_hex(n), 12, '0'))::uuid, 't', '1.0.0', 'D-4',
        gen_random_uuid(), '{}'
    from generate_series(1, 30) as n
"""
ITEM = """
    insert into d5.backlog_items
        (demanda_id, unidade_civica_id, posicao, score, status, categoria_id, nivel_precedencia, event_id)
    values (%s, %s, %s, %s, %s, '1.1', %s, %s)
"""
AGREGADA = """
    insert into d5.demandas_agregadas (demanda_id, agregado_id, representante_demanda_id, evento_id)
    values (%s, gen_random_uuid(), gen_random_uuid(), %s)
"""
TRANSICAO = """
    insert into d5.transicoes_status
        (demanda_id, de, para, tipo_evento, event_id, correlacao_id, sequence_number, ocorreu_em)
    values (%s, %s, %s, 't', %s, gen_random_uuid(), %s, now())
"""
ANUNCIO = "insert into d5.anuncios_por_uc values (%s, %s, %s, now())"
CURSOR = "insert into d5.consumer_offset (tipo_evento, last_sequence, aplicado_ate) values (%s, %s, %s)"
LETRA_MORTA = """
    insert into d5.dlq (sequence_number, event_id, tipo, motivo, erro, situacao)
    values (%s, %s, 't', 'aplicacao', 'x', 'resolvida')
"""


def evento(sequencia: int) -> str:
    """event_id of the log's event with this sequence number."""
    return f"e0000000-0000-4000-8000-{sequencia:012x}"


@pytest.fixture
def url_em_uso(url: str) -> str:
    """A database whose unusual states are all healthy."""
    with psycopg.connect(url) as conexao:
        scores = [score(demanda(n), uc(1 + n // 10), 1 + n % 3, str(n)) for n in range(1, 20)]
        Estado(parametros(pesos_situacionais={uc(1): {1: 0.5}}), scores).carregar_em(ModelosPostgres(conexao))
        conexao.execute(LOG)
        linhas = [
            # One rebuild (event 8): the current level first, whatever its score; the row of position 3 moved away.
            (demanda(1), uc(1), 1, 50, "concluido", 1, evento(8)),
            (demanda(2), uc(1), 2, 40, "disponivel", 1, evento(8)),
            (demanda(3), uc(1), 4, 90, "disponivel", 2, evento(8)),
            # Inserted later at itens + 1, which repeats a position (D21); and an equal one of a moved row (D20).
            (demanda(4), uc(1), 4, 95, "disponivel", 2, evento(9)),
            (demanda(5), uc(1), 2, 10, "disponivel", 1, evento(10)),
            # Aggregated by event 11, which also rebuilt unit 2.
            (demanda(6), uc(2), 1, 70, "agregado", 1, evento(11)),
            (demanda(10), uc(2), 1, 60, "disponivel", 1, evento(11)),
            (demanda(7), uc(2), 0, 0, "atribuido", 0, evento(12)),
        ]
        for linha in linhas:
            conexao.execute(ITEM, linha)
        conexao.execute(AGREGADA, [demanda(6), evento(11)])
        conexao.execute(AGREGADA, [demanda(8), evento(5)])
        # Announced first, aggregated after; and concluded by a dead letter that was re-driven after the announcement.
        conexao.execute(ANUNCIO, [uc(1), demanda(6), evento(8)])
        conexao.execute(ANUNCIO, [uc(2), demanda(9), evento(20)])
        conexao.execute(TRANSICAO, [demanda(9), "disponivel", "concluido", evento(13), 13])
        conexao.execute(LETRA_MORTA, [13, evento(13)])
        for de, para in [("disponivel", "atribuido"), ("em_progresso", "atribuido"), ("concluido", "agregado")]:
            conexao.execute(TRANSICAO, [demanda(5), de, para, evento(21), 21])
        conexao.execute(CURSOR, ["demanda.ranqueada", 28, 30])
        conexao.execute(CURSOR, ["ranking.atualizado", 30, 30])
    return url


def test_healthy_states_violate_nothing(url_em_uso: str) -> None:
    resultado = rodar_testes(url_em_uso)
    assert resultado.reprovados == ()
    assert resultado.aprovados == resultado.total > 40


def test_every_violation_is_named(url_em_uso: str) -> None:
    with psycopg.connect(url_em_uso) as conexao:
        conexao.execute(CURSOR, ["conselheiro.sorteado", 30, 31])
        conexao.execute(TRANSICAO, [demanda(9), "concluido", "disponivel", evento(14), 14])
        conexao.execute(ITEM, [demanda(8), uc(1), 9, 1, "disponivel", 1, evento(15)])
        conexao.execute(ITEM, [demanda(11), uc(2), 0, 1, "disponivel", 1, evento(16)])
        conexao.execute(ITEM, [demanda(12), uc(1), 4, 1, "disponivel", 3, evento(8)])
        conexao.execute("delete from d5.dlq")
    assert set(rodar_testes(url_em_uso).reprovados) == {
        "cursores_dentro_do_log",
        "transicoes_permitidas",
        "agregadas_fora_da_ordem",
        "posicao_zero_so_para_sorteadas",
        "posicoes_de_um_mesmo_rebuild",
        "anunciada_nao_estava_encerrada",
    }


def test_a_rebuild_out_of_order_is_named(url_em_uso: str) -> None:
    with psycopg.connect(url_em_uso) as conexao:
        conexao.execute(ITEM, [demanda(12), uc(1), 5, 45, "disponivel", 1, evento(8)])
    assert rodar_testes(url_em_uso).reprovados == ("posicoes_de_um_mesmo_rebuild",)

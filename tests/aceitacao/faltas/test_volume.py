"""100,000 pending events after an outage: drained without help, in flat memory, seen by a sensor that reads little."""

from collections.abc import Callable

import pytest
from dagster import DagsterInstance, RunRequest, build_sensor_context

from d5_pipeline.orquestracao.recursos import BancoD5
from d5_pipeline.orquestracao.sensores import vigia_do_log
from d5_pipeline.processamento.dreno import LOTE_PADRAO
from d5_pipeline.processamento.situacao import observar
from tests.apoio.banco import Banco
from tests.apoio.consumo import MEMORIA, drenar_a_parte
from tests.apoio.eventos import parametros
from tests.apoio.observacao import aplicado_ate, fim_do_log

pytestmark = pytest.mark.faltas

POUCOS, MUITOS = 2 * LOTE_PADRAO, 100_000
"""Two full batches are in memory at a time, one applied and one read ahead, and many follow each other."""

# Of 50 events one rebuilds a unit and one draws the demand ranked before; the others rank a new demand each; 40 units.
ACUMULAR = """
    insert into core.event_log (event_id, tipo, versao_schema, origem, correlacao_id, payload, criado_em)
    select
        gen_random_uuid(),
        case n %% 50 when 0 then 'ranking.atualizado' when 1 then 'conselheiro.sorteado' else 'demanda.ranqueada' end,
        '1.1.0', 'vizinho', gen_random_uuid(),
        jsonb_build_object(
            'demanda_id', format(
                'd%%s-0000-4000-8000-000000000000',
                lpad((case n %% 50 when 1 then greatest(n - 2, 0) else n end)::text, 7, '0')
            ),
            'unidade_civica_id', format('f00000%%s-0000-4000-8000-000000000000', lpad((n / 50 %% 40)::text, 2, '0')),
            'categoria_id', '1.1', 'nivel_precedencia', n %% 5 + 1, 'score_final', n * 7919 %% 100000,
            'breakdown', '{"peso_nacional": 100, "peso_situacional": 0.85, "score_horizontal": 95}'::jsonb,
            'posicao_no_ranking', 1, 'versao_parametros', 'mvp-v1'
        ),
        now()
    from generate_series(1, %s) as n
"""
LIDAS = """
    select coalesce(sum(seq_tup_read), 0) + coalesce(sum(idx_tup_fetch), 0)
    from pg_stat_xact_user_tables where schemaname = 'core' and relname = 'event_log'
"""


def acumular(banco: Banco, eventos: int) -> None:
    """An outage's worth of pending events."""
    banco.parametrizar(parametros())
    banco.semear()
    banco.executar(ACUMULAR, eventos)


def test_outage_of_100_000_events_is_drained_in_the_memory_of_two_batches(
    novo_banco: Callable[[], Banco], record_property: Callable[[str, object], None]
) -> None:
    """Scenario 17."""
    memoria = {}
    for eventos in (POUCOS, MUITOS):
        banco = novo_banco()
        acumular(banco, eventos)
        resumo = drenar_a_parte(banco.url)
        memoria[eventos] = resumo[MEMORIA]
        assert (resumo["lidos"], resumo["aplicados"], resumo["reconstrucoes"]) == (eventos, eventos, eventos // 50)
        assert aplicado_ate(banco) == {fim_do_log(banco)}
        assert banco.valor("select count(*) from d5.backlog_scores") == eventos - eventos // 25
        assert banco.valor("select count(*) from d5.publicacoes_pendentes") == 0
    record_property("memória (kB)", memoria)
    assert memoria[MUITOS] <= 1.2 * memoria[POUCOS]


def test_sensor_with_100_000_pending_events_asks_for_a_run_and_reads_a_handful_of_them(banco: Banco) -> None:
    """Scenario 17: counted by the server, in rows of the log that one look reads."""
    acumular(banco, MUITOS)
    with (
        DagsterInstance.ephemeral() as instancia,
        build_sensor_context(instance=instancia, resources={"banco": BancoD5(url=banco.url)}) as contexto,
    ):
        assert isinstance(vigia_do_log(contexto), RunRequest)
    with banco.conexao.transaction():
        assert observar(banco.conexao).eventos
        assert banco.valor(LIDAS) <= 100

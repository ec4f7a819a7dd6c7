"""No statement of the hot path scans a table; what it reads does not grow with the database. Plans, never clocks."""

from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

from d5_pipeline.barramento.publicador import publicar_pendentes
from d5_pipeline.processamento.lote import processar_lote
from d5_pipeline.processamento.situacao import observar
from tests.apoio.banco import Banco, clonar
from tests.apoio.eventos import (
    Evento,
    agregada,
    concluida,
    confirmada,
    georreferenciada,
    iniciada,
    inserir,
    parametros,
    ranking,
    ranqueada,
    sorteado,
)
from tests.apoio.planos import Plano, espiar

CRESCEM = (
    "event_log",
    "backlog_scores",
    "backlog_items",
    "situacao_demandas",
    "transicoes_status",
    "coordenadas_demanda",
    "demandas_agregadas",
    "eventos_descartados",
    "unidades_civicas",
    "anuncios_por_uc",
    "param_capacidade_por_uc",
)
"""Tables that grow with the log or with the city."""

CIDADE = """
    create function public.id(letra text, n bigint) returns uuid immutable language sql as
    $$ select format('%s0000000-0000-4000-8000-%s', letra, lpad(to_hex(n), 12, '0'))::uuid $$;

    insert into core.event_log (event_id, tipo, versao_schema, origem, correlacao_id, payload)
    select gen_random_uuid(), case n % 3 when 0 then 'demanda.ranqueada' else 'alheio.' || n % 3 end, '1.1.0', 'x',
        gen_random_uuid(), '{}'
    from generate_series(1, 90000) as n;

    insert into d5.unidades_civicas select public.id('f', n) from generate_series(1, 3000) as n;

    insert into d5.param_capacidade_por_uc select id, public.id('f', n), 10
    from d5.param_versions, generate_series(1, 3000) as n where id = (select max(id) from d5.param_versions);

    insert into d5.param_pesos_situacionais select id, public.id('f', n), nivel, 1.0 / nivel
    from d5.param_versions, generate_series(1, 3000) as n, generate_series(1, 5) as nivel
    where id = (select max(id) from d5.param_versions);

    insert into d5.backlog_scores (id, demanda_id, unidade_civica_id, categoria_id, nivel_precedencia, score_final,
        peso_nacional, peso_situacional, score_horizontal, posicao_ranking, versao_parametros, event_id, correlacao_id)
    select public.id('a', n), public.id('d', n), public.id('f', 1 + n % 3000), '1.1', 1 + n % 5, n % 977, 1, 1, 1, 1,
        'v', public.id('e', n), public.id('c', n)
    from generate_series(1, 90000) as n;

    insert into d5.backlog_items (demanda_id, unidade_civica_id, posicao, score, status, categoria_id,
        nivel_precedencia, event_id)
    select public.id('d', n), public.id('f', 1 + n % 3000), 1 + n / 3000, 1,
        case n / 3000 % 3 when 0 then 'disponivel' when 1 then 'atribuido' else 'concluido' end, '1.1', 1,
        public.id('e', n)
    from generate_series(1, 30000) as n;

    insert into d5.situacao_demandas (demanda_id, status, sequence_number)
    select public.id('d', n), 'atribuido', 1 from generate_series(30001, 60000) as n;

    insert into d5.transicoes_status (demanda_id, unidade_civica_id, de, para, tipo_evento, event_id, correlacao_id,
        sequence_number, ocorreu_em)
    select public.id('d', n), public.id('f', 1), 'disponivel', 'atribuido', 'conselheiro.sorteado', public.id('e', n),
        public.id('c', n), n, now()
    from generate_series(1, 60000) as n;

    insert into d5.coordenadas_demanda select public.id('d', n), -23, -46 from generate_series(1, 90000) as n;

    insert into d5.demandas_agregadas
    select public.id('d', n), public.id('b', n), public.id('d', n - 1), public.id('e', n)
    from generate_series(80001, 90000) as n;

    insert into d5.anuncios_por_uc (unidade_civica_id, demanda_id, event_id, anunciado_em)
    select public.id('f', n), public.id('d', n), public.id('e', n), now() from generate_series(1, 3000) as n;

    insert into d5.eventos_descartados (sequence_number, event_id, tipo, versao_schema, motivo)
    select n, gen_random_uuid(), 'demanda.ranqueada', '1.0.0', 'x' from generate_series(1, 20000) as n;
"""


def id_(letra: str, numero: int) -> str:
    return f"{letra}0000000-0000-4000-8000-{numero:012x}"


LEITURAS: dict[str, Callable[[], list[Evento]]] = {
    "score novo": lambda: [ranqueada(id_("9", 1), 5, id_("f", 7))],
    "score de uma linha": lambda: [ranqueada(id_("d", 3006), 5, id_("f", 7))],
    "rebuild": lambda: [ranking(id_("f", 7))],
    "coordenadas": lambda: [georreferenciada(id_("d", 3006), -23.5, -46.5)],
    "sorteio": lambda: [sorteado(id_("d", 6), None)],
    "início": lambda: [iniciada(id_("d", 3006))],
    "conclusão": lambda: [concluida(id_("d", 3006))],
    "conclusão confirmada": lambda: [confirmada(id_("d", 3006))],
    "agregação": lambda: [agregada(id_("d", 6), [id_("d", 3006), id_("d", 6006)])],
    "payload incompleto": lambda: [Evento("demanda.ranqueada", {})],
    "tudo em um lote": lambda: [evento for nome, caso in LEITURAS.items() if " lote" not in nome for evento in caso()],
}


@pytest.fixture(scope="session")
def cidade(servidor: str, banco_preparado: str) -> Iterator[Banco]:
    """3,000 units, 90,000 demands, a log as long; analysed, cursors at its end."""
    banco = Banco(servidor.format(clonar(servidor, banco_preparado)))
    with closing(banco.conexao):
        banco.parametrizar(parametros())
        banco.conexao.execute(CIDADE.encode())
        banco.executar("analyze")
        banco.semear(desde_inicio=False)
        yield banco


def sem_varredura(planos: list[Plano]) -> None:
    for plano in planos:
        for no in plano.leituras:
            assert no["Relation Name"] not in CRESCEM or no["Node Type"] != "Seq Scan", (no, plano.comando)


@pytest.mark.parametrize("caso", LEITURAS)
def test_what_an_event_reads_comes_through_indexes_and_is_a_few_rows(cidade: Banco, caso: str) -> None:
    eventos = LEITURAS[caso]()
    inserir(cidade.conexao, *eventos)
    with closing(cidade.abrir()) as conexao:
        planos = espiar(conexao)
        processar_lote(conexao, 100)
        list(publicar_pendentes(conexao, lambda _: None))
    assert len(planos) >= 4
    sem_varredura(planos)
    for plano in planos:
        for tabela in CRESCEM:
            assert plano.linhas(tabela) <= 100 * len(eventos), (tabela, plano.comando)


def test_plans_made_over_empty_tables_scan_none_of_them_later(banco: Banco) -> None:
    """A connection keeps its plans while the tables grow under it."""
    banco.semear()
    banco.executar("analyze")
    inserir(banco.conexao, *(evento for caso in LEITURAS.values() for evento in caso()))
    with closing(banco.abrir()) as conexao:
        planos = espiar(conexao)
        processar_lote(conexao, 100)
        list(publicar_pendentes(conexao, lambda _: None))
    assert len(planos) >= 4
    sem_varredura(planos)


def test_a_look_for_work_reads_a_few_rows(cidade: Banco) -> None:
    inserir(cidade.conexao, ranking(id_("f", 9)))
    with closing(cidade.abrir()) as conexao, conexao.transaction():
        planos = espiar(conexao)
        observar(conexao)
    assert planos
    sem_varredura(planos)
    for plano in planos:
        assert plano.linhas("event_log") <= 10, plano.comando

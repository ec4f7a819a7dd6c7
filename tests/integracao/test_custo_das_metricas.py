"""What a scrape reads does not grow with scores, with the log or with aggregated members: plans, never clocks."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from d5_pipeline.consultas import consultas
from d5_pipeline.dominio.eventos import GRAFIAS
from d5_pipeline.recursos import PASTA_SQL
from d5_pipeline.repositorio.metricas import STATUS_NO_BACKLOG
from tests.apoio.banco import Banco

CARGA = """
    insert into core.event_log (event_id, tipo, versao_schema, origem, correlacao_id, payload)
    select gen_random_uuid(), 'demanda.ranqueada', '1.1.0', 'D-4', gen_random_uuid(), '{"x": 1}'
    from generate_series(1, 20000);

    insert into d5.unidades_civicas
    select format('f0000000-0000-4000-8000-%s', lpad(to_hex(n), 12, '0'))::uuid from generate_series(1, 20) as n;

    insert into d5.backlog_items
        (demanda_id, unidade_civica_id, posicao, score, status, categoria_id, nivel_precedencia, event_id)
    select gen_random_uuid(), u.unidade_civica_id, n, 1,
        case when n <= 4 then 'disponivel' when n <= 8 then 'atribuido' when n <= 10 then 'concluido'
            else 'agregado' end,
        '1.1', 1, gen_random_uuid()
    from d5.unidades_civicas as u, generate_series(1, 1000) as n;

    insert into d5.anuncios_por_uc
    select unidade_civica_id, demanda_id, event_id, now() from d5.backlog_items where posicao = 1;

    insert into d5.dlq (sequence_number, event_id, tipo, motivo, erro, situacao)
    select n, gen_random_uuid(), 'x', 'aplicacao', 'e', case when n <= 5 then 'aberta' else 'resolvida' end
    from generate_series(1, 20000) as n;

    insert into d5.lacunas (inicio, fim, situacao, portadores)
    select n * 2, n * 2, case when n <= 3 then 'aberta' else 'passada' end, '[]' from generate_series(1, 20000) as n;

    insert into d5.publicacoes_pendentes
        (gatilho_sequence, ordinal, gatilho_event_id, gatilho_tipo, event_id, tipo, correlacao_id, payload)
    select n, 0, gen_random_uuid(), 'x', gen_random_uuid(), 'x', gen_random_uuid(), '{"x": 1}'
    from generate_series(1, 20000) as n;
"""
PARAMETROS: dict[str, dict[str, Any]] = {
    "atraso": {"desde": 0, "grafias": list(GRAFIAS), "posicoes": [0] * len(GRAFIAS), "limite": 100},
    "pendentes": {"limite": 100},
    "backlog": {"status": list(STATUS_NO_BACKLOG)},
}
LINHAS = {
    "progresso": 1 + 9,
    "atraso": 100,
    "lacunas": 3,
    "pendentes": 100,
    "dlq": 5,
    "backlog": 20 + 20 * 10,
    "anuncio_mais_antigo": 20 + 20,
    "duracoes": 0,
    "publicadas": 0,
}
"""Statement → rows it may read from tables."""


def nos(plano: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A plan's node and all below it."""
    yield plano
    for filho in plano.get("Plans", []):
        yield from nos(filho)


def test_no_statement_of_a_scrape_reads_more_than_it_answers(banco: Banco) -> None:
    banco.semear()
    banco.conexao.execute(CARGA)
    banco.executar("vacuum analyze")
    lidas = {}
    for nome in LINHAS:
        arquivo = "sinais" if hasattr(consultas("sinais"), nome) else "metricas"
        consulta = getattr(consultas(arquivo), nome).sql
        linha = banco.conexao.execute(f"explain (analyze, format json) {consulta}", PARAMETROS.get(nome)).fetchone()
        assert linha is not None
        plano: Any = linha[0]
        lidas[nome] = sum(
            (no["Actual Rows"] + no.get("Rows Removed by Filter", 0)) * no["Actual Loops"]
            for no in nos(plano[0]["Plan"])
            if "Relation Name" in no
        )
    assert {nome: (lidas[nome], limite) for nome, limite in LINHAS.items() if lidas[nome] > limite} == {}


@pytest.mark.parametrize("arquivo", ["sinais", "metricas"])
def test_scores_and_payloads_are_not_looked_at(arquivo: str) -> None:
    texto = (Path(PASTA_SQL) / "consultas" / f"{arquivo}.sql").read_text(encoding="utf-8")
    assert "backlog_scores" not in texto
    assert "payload" not in texto

"""The migrations end in the schema that section 2 documents; further columns and tables are this project's own."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest

from d5_pipeline.erros import ErroDeConfiguracao
from d5_pipeline.repositorio import migracoes
from tests.apoio.banco import Banco, clonar
from tests.apoio.observacao import impressao


class Coluna(NamedTuple):
    """A column as PostgreSQL describes it."""

    tipo: str
    obrigatoria: bool = True
    padrao: str | None = None


UUID, INTEIRO, MOMENTO = Coluna("uuid"), Coluna("integer"), "timestamp(2) with time zone"
AGORA = Coluna(MOMENTO, padrao="CURRENT_TIMESTAMP")

COLUNAS = {
    "backlog_scores": {
        "id": UUID,
        "demanda_id": UUID,
        "unidade_civica_id": UUID,
        "categoria_id": Coluna("character varying(10)"),
        "nivel_precedencia": INTEIRO,
        "score_final": Coluna("numeric(12,2)"),
        "peso_nacional": Coluna("numeric(5,2)"),
        "peso_situacional": Coluna("numeric(5,4)"),
        "score_horizontal": INTEIRO,
        "posicao_ranking": INTEIRO,
        "versao_parametros": Coluna("character varying(20)"),
        "event_id": UUID,
        "correlacao_id": UUID,
        "sequence_number": Coluna("bigint", padrao="0"),
        "criado_em": AGORA,
    },
    "backlog_items": {
        "demanda_id": UUID,
        "unidade_civica_id": UUID,
        "posicao": INTEIRO,
        "score": Coluna("numeric(12,2)"),
        "status": Coluna("character varying(20)", padrao="'disponivel'::character varying"),
        "grupo_id": Coluna("uuid", obrigatoria=False),
        "categoria_id": Coluna("character varying(10)"),
        "nivel_precedencia": INTEIRO,
        "event_id": UUID,
        "entrou_em": AGORA,
        "atualizado_em": AGORA,
        "data_conclusao": Coluna(MOMENTO, obrigatoria=False),
        "dias_ate_conclusao": Coluna("integer", obrigatoria=False),
    },
    "coordenadas_demanda": {
        "demanda_id": UUID,
        "lat": Coluna("double precision"),
        "lng": Coluna("double precision"),
        "criado_em": AGORA,
    },
    "consumer_offset": {
        "tipo_evento": Coluna("character varying(255)"),
        "last_sequence": Coluna("bigint", padrao="0"),
        "updated_at": AGORA,
    },
    "demandas_agregadas": {
        "demanda_id": UUID,
        "agregado_id": UUID,
        "representante_demanda_id": UUID,
        "evento_id": UUID,
        "agregado_em": AGORA,
    },
}
CHAVES = {
    "backlog_scores_pkey": "PRIMARY KEY (id)",
    "backlog_items_pkey": "PRIMARY KEY (demanda_id)",
    "coordenadas_demanda_pkey": "PRIMARY KEY (demanda_id)",
    "consumer_offset_pkey": "PRIMARY KEY (tipo_evento)",
    "demandas_agregadas_pkey": "PRIMARY KEY (demanda_id)",
}
INDICES = {
    "backlog_scores_event_id_key": "UNIQUE d5.backlog_scores (event_id)",
    "backlog_scores_demanda_id_idx": "d5.backlog_scores (demanda_id)",
    "backlog_scores_unidade_civica_id_idx": "d5.backlog_scores (unidade_civica_id)",
    "backlog_scores_unidade_civica_id_score_final_idx": "d5.backlog_scores (unidade_civica_id, score_final DESC)",
    "backlog_items_unidade_civica_id_status_idx": "d5.backlog_items (unidade_civica_id, status)",
    "backlog_items_unidade_civica_id_posicao_idx": "d5.backlog_items (unidade_civica_id, posicao)",
    "backlog_items_grupo_id_idx": "d5.backlog_items (grupo_id)",
    "demandas_agregadas_evento_id_idx": "d5.demandas_agregadas (evento_id)",
    "demandas_agregadas_representante_demanda_id_idx": "d5.demandas_agregadas (representante_demanda_id)",
}
DOCUMENTADAS = [
    "20260810142037_d5_create_schema",
    "20260820153000_d5_agregacao",
    "20260902192727_d5_conclusao_coletiva",
    "20260918150000_d5_backlog_scores_sequence",
]

COLUNAS_DO_BANCO = """
    select c.relname, a.attname, format_type(a.atttypid, a.atttypmod) as tipo, a.attnotnull as obrigatoria,
           pg_get_expr(d.adbin, d.adrelid) as padrao
    from pg_attribute as a
    join pg_class as c on c.oid = a.attrelid and c.relnamespace = 'd5'::regnamespace and c.relkind = 'r'
    left join pg_attrdef as d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attnum > 0 and not a.attisdropped
"""
RESTRICOES = """
    select conname, contype::text, conrelid::regclass::text as tabela, pg_get_constraintdef(oid) as definicao
    from pg_constraint where connamespace = 'd5'::regnamespace
"""
INDICES_DO_BANCO = """
    select indexname, replace(replace(indexdef, 'USING btree ', ''), 'CREATE ', '') as definicao
    from pg_indexes where schemaname = 'd5'
"""


def colunas(banco: Banco) -> dict[str, dict[str, Coluna]]:
    """Every column of schema d5, by table."""
    tabelas: dict[str, dict[str, Coluna]] = {}
    for linha in banco.consultar(COLUNAS_DO_BANCO):
        coluna = Coluna(linha["tipo"], linha["obrigatoria"], linha["padrao"])
        tabelas.setdefault(linha["relname"], {})[linha["attname"]] = coluna
    return tabelas


def indices(banco: Banco) -> dict[str, str]:
    """Every index of schema d5, by name, as in INDICES."""
    return {
        linha["indexname"]: linha["definicao"].replace(f"INDEX {linha['indexname']} ON ", "")
        for linha in banco.consultar(INDICES_DO_BANCO)
    }


@pytest.fixture
def vazio(servidor: str) -> Iterator[Banco]:
    """An empty database."""
    banco = Banco(servidor.format(clonar(servidor, "template1")))
    yield banco
    banco.fechar()


@pytest.mark.parametrize("tabela", COLUNAS)
def test_documented_columns_are_there_with_their_types(banco: Banco, tabela: str) -> None:
    """2.2 to 2.6, after every migration."""
    existentes = colunas(banco)[tabela]
    assert {nome: existentes.get(nome) for nome in COLUNAS[tabela]} == COLUNAS[tabela]


def test_documented_keys_and_indexes_are_there(banco: Banco) -> None:
    chaves = {r["conname"]: r["definicao"] for r in banco.consultar(RESTRICOES) if r["contype"] == "p"}
    assert {nome: chaves.get(nome) for nome in CHAVES} == CHAVES
    existentes = indices(banco)
    assert {nome: existentes.get(nome) for nome in INDICES} == INDICES


def test_each_demand_has_one_score(banco: Banco) -> None:
    """D28."""
    assert "UNIQUE d5.backlog_scores (demanda_id)" in indices(banco).values()


def test_documented_tables_have_no_checks_and_the_schema_no_foreign_keys(banco: Banco) -> None:
    """2.2, 2.3: ranges are the code's; 2.8: no foreign key at all."""
    restricoes = banco.consultar(RESTRICOES)
    com_check = {r["tabela"].removeprefix("d5.") for r in restricoes if r["contype"] == "c"}
    assert com_check & set(COLUNAS) == set()
    assert [r for r in restricoes if r["contype"] == "f"] == []


def test_the_four_documented_migrations_come_first_under_their_names() -> None:
    """2.7."""
    assert list(migracoes.conhecidas())[:4] == DOCUMENTADAS


def test_documented_migrations_alone_build_the_documented_schema_and_nothing_else(vazio: Banco) -> None:
    """2.7: what this project needs more goes into further migrations."""
    for nome in DOCUMENTADAS:
        migracoes.executar_arquivo(vazio.conexao, migracoes.conhecidas()[nome])
    assert colunas(vazio) == COLUNAS
    assert set(indices(vazio)) == set(INDICES) | set(CHAVES)


def test_each_documented_migration_adds_its_own_part(vazio: Banco) -> None:
    """2.7: the earlier ones create the tables without the columns that the later ones add."""
    arquivos = migracoes.conhecidas()
    migracoes.executar_arquivo(vazio.conexao, arquivos[DOCUMENTADAS[0]])
    assert set(colunas(vazio)) == set(COLUNAS) - {"demandas_agregadas"}
    assert "sequence_number" not in colunas(vazio)["backlog_scores"]
    assert not {"data_conclusao", "dias_ate_conclusao"} & set(colunas(vazio)["backlog_items"])
    migracoes.executar_arquivo(vazio.conexao, arquivos[DOCUMENTADAS[1]])
    assert colunas(vazio)["demandas_agregadas"] == COLUNAS["demandas_agregadas"]
    migracoes.executar_arquivo(vazio.conexao, arquivos[DOCUMENTADAS[2]])
    assert colunas(vazio)["backlog_items"] == COLUNAS["backlog_items"]
    migracoes.executar_arquivo(vazio.conexao, arquivos[DOCUMENTADAS[3]])
    assert colunas(vazio)["backlog_scores"] == COLUNAS["backlog_scores"]


def test_migrations_applied_one_by_one_end_where_all_at_once_end(
    banco: Banco, vazio: Banco, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database that was prepared by every version in turn is like a new one, data included."""
    todas = migracoes.conhecidas()
    vazio.executar("create schema d5")
    for ate in range(1, len(todas) + 1):
        conhecidas: dict[str, Path] = dict(list(todas.items())[:ate])
        monkeypatch.setattr(migracoes, "conhecidas", lambda conhecidas=conhecidas: conhecidas)
        assert migracoes.migrar(vazio.conexao) == [list(todas)[ate - 1]]
    assert colunas(vazio) == colunas(banco)
    assert indices(vazio) == indices(banco)


def test_migrating_again_changes_nothing(banco: Banco) -> None:
    antes = impressao(banco)
    assert migracoes.migrar(banco.conexao) == []
    assert impressao(banco) == antes
    migracoes.verificar(banco.conexao)


def test_failed_migration_leaves_no_trace(vazio: Banco, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ruim = tmp_path / "29990101000000_d5_ruim.sql"
    ruim.write_text("create table d5.resto (a int); select 1 / 0;")
    todas = {**migracoes.conhecidas(), ruim.stem: ruim}
    monkeypatch.setattr(migracoes, "conhecidas", lambda: todas)
    with pytest.raises(psycopg.errors.DivisionByZero):
        migracoes.migrar(vazio.conexao)
    assert vazio.valor("select count(*) from pg_namespace where nspname = 'd5'") == 0


def test_database_of_a_newer_version_is_refused_by_name(banco: Banco) -> None:
    banco.executar("insert into d5.migracoes (nome) values ('29990101000000_d5_futuro')")
    with pytest.raises(ErroDeConfiguracao, match="29990101000000_d5_futuro"):
        migracoes.verificar(banco.conexao)
    with pytest.raises(ErroDeConfiguracao, match="29990101000000_d5_futuro"):
        migracoes.migrar(banco.conexao)

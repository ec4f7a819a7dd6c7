"""What the d5 command refuses: exit status 2, one clear line on stderr, nothing changed (contract)."""

from collections.abc import Callable
from pathlib import Path

import pytest
from psycopg import sql

from tests.apoio.banco import Banco, clonar
from tests.apoio.comando import D5Comando, comando
from tests.apoio.eventos import demanda, inserir, ranqueada
from tests.apoio.observacao import impressao

DESCONHECIDA = "f0000009-0000-4000-8000-000000000009"
VALIDO = """
versao = "mvp-v2"
fator_decaimento = 0.5
limiar_peso_nao_vencido = 0.2
capacidade_padrao = 4
[clustering]
raio_metros = 250
min_pontos = 3
[capacidade_por_uc]
"f0000001-0000-4000-8000-000000000001" = 7
[pesos_situacionais."f0000001-0000-4000-8000-000000000001"]
1 = 0.85
"""
Estragar = Callable[[Banco], None]


@pytest.fixture
def d5(banco: Banco, tmp_path: Path) -> D5Comando:
    """The command on the test's database, which has one event to process."""
    banco.semear()
    inserir(banco.conexao, ranqueada(demanda(1)))
    return comando(tmp_path, banco.url)


@pytest.mark.parametrize(
    ("certo", "errado", "chave"),
    [
        ("capacidade_padrao = 4", "capacidade_padrao = 4\nraio = 3", "raio"),
        ("1 = 0.85", "6 = 0.85", "pesos_situacionais.f0000001-0000-4000-8000-000000000001.6"),
        ("fator_decaimento = 0.5", "fator_decaimento = 0", "fator_decaimento"),
        ("fator_decaimento = 0.5", "fator_decaimento = 1.5", "fator_decaimento"),
        ('-000000000001" = 7', '-000000000001" = -1', "capacidade_por_uc.f0000001-0000-4000-8000-000000000001"),
        ("1 = 0.85", "1 = -0.1", "pesos_situacionais.f0000001-0000-4000-8000-000000000001.1"),
        ("min_pontos = 3", "min_pontos = 0", "clustering.min_pontos"),
        ("raio_metros = 250", "raio_metros = 0", "clustering.raio_metros"),
        ('versao = "mvp-v2"', "versao", "TOML"),
    ],
)
def test_wrong_parameter_file_is_refused_by_key(
    banco: Banco, d5: D5Comando, tmp_path: Path, certo: str, errado: str, chave: str
) -> None:
    (tmp_path / "errado.toml").write_text(VALIDO.replace(certo, errado))
    antes = impressao(banco)
    recusa = d5("parametros", "carregar", "errado.toml").recusa
    assert "errado.toml" in recusa
    assert chave in recusa
    assert impressao(banco) == antes


@pytest.mark.parametrize(
    ("argumentos", "o_que"),
    [
        (["parametros", "carregar", "não-há.toml"], "não-há.toml"),
        (["reconstruir", DESCONHECIDA], DESCONHECIDA),
        (["reconstruir", "praça-da-sé"], "praça-da-sé"),
        (["reconstruir", DESCONHECIDA, "--todas"], "todas"),
        (["reconstruir"], "todas"),
        (["cursores", "definir", "demanda.recebida", "0"], "demanda.recebida"),
        (["cursores", "definir", "demanda.removida_por_votação", "0"], "demanda.removida_por_votação"),
        (["cursores", "definir", "--todos", "-1"], "-1"),
        (["cursores", "definir", "--todos", "99"], "99"),
        (["cursores", "definir", "--todos"], "cursores definir"),
        (["processar", "--depressa"], "--depressa"),
        (["acelerar"], "acelerar"),
        (["parametros", "carregar"], "ARQUIVO"),
    ],
    ids=lambda valor: valor if isinstance(valor, str) else " ".join(valor),
)
def test_wrong_usage_is_refused(banco: Banco, d5: D5Comando, argumentos: list[str], o_que: str) -> None:
    antes = impressao(banco)
    assert o_que.lower() in d5(*argumentos).recusa.lower()
    assert impressao(banco) == antes


def versao_futura(banco: Banco) -> None:
    """A newer program prepared the database."""
    banco.executar("insert into d5.migracoes (nome) values ('29990101000000_d5_futuro')")


def versao_anterior(banco: Banco) -> None:
    """An older program prepared the database."""
    banco.executar("delete from d5.migracoes where nome = (select max(nome) from d5.migracoes)")


def cursor_acima_do_log(banco: Banco) -> None:
    """The log was restored from a backup, the schema d5 was not."""
    banco.executar("update d5.consumer_offset set last_sequence = 50, aplicado_ate = 50, ultimo_evento = 50")


def sequencia_com_cache(banco: Banco) -> None:
    """Sessions keep numbers for later."""
    banco.executar("alter table core.event_log alter column sequence_number set cache 5")


def sem_cursor(banco: Banco) -> None:
    """One of the nine rows is gone."""
    banco.executar("delete from d5.consumer_offset where tipo_evento = 'ranking.atualizado'")


def sem_log(banco: Banco) -> None:
    """The platform's schema is missing."""
    banco.executar("drop schema core cascade")


def sem_visao_do_log(banco: Banco) -> None:
    """Whoever recreated the platform's log dropped what read it."""
    banco.executar("drop view d5.event_log cascade")


@pytest.mark.parametrize(
    ("estragar", "o_que"),
    [
        (versao_futura, "29990101000000_d5_futuro"),
        (versao_anterior, "d5 preparar"),
        (cursor_acima_do_log, "d5 cursores definir"),
        (sequencia_com_cache, "CACHE"),
        (sem_cursor, "ranking.atualizado"),
        (sem_log, "core.event_log"),
        (sem_visao_do_log, "d5 preparar"),
    ],
    ids=lambda valor: valor if isinstance(valor, str) else valor.__name__,
)
def test_processar_refuses_a_database_it_cannot_work_with(
    banco: Banco, d5: D5Comando, estragar: Estragar, o_que: str
) -> None:
    estragar(banco)
    antes = impressao(banco)
    assert o_que in d5("processar").recusa
    assert impressao(banco) == antes


def test_status_refuses_a_database_without_log(banco: Banco, d5: D5Comando) -> None:
    sem_log(banco)
    assert "core.event_log" in d5("status").recusa


@pytest.mark.parametrize("argumentos", [["processar"], ["status"], ["cursores", "listar"]], ids=" ".join)
def test_unprepared_database_is_refused(servidor: str, tmp_path: Path, argumentos: list[str]) -> None:
    d5 = comando(tmp_path, servidor.format("postgres"))
    assert "d5 preparar" in d5(*argumentos).recusa


@pytest.mark.parametrize("argumentos", [["processar"], ["status"], ["preparar"]], ids=" ".join)
def test_unreachable_database_is_refused(tmp_path: Path, argumentos: list[str]) -> None:
    d5 = comando(tmp_path, f"postgresql://postgres@/d5?host={tmp_path}")
    assert "D5_DATABASE_URL" in d5(*argumentos).recusa


def test_malformed_settings_are_refused(banco: Banco, tmp_path: Path) -> None:
    assert "D5_LOTE" in comando(tmp_path, banco.url, D5_LOTE="muitos")("processar").recusa
    assert "D5_DATABASE_URL" in comando(tmp_path, "isto não é um endereço")("status").recusa


@pytest.mark.parametrize(
    ("direitos", "o_que"),
    [
        ([], "direito"),
        (["grant usage on schema core, d5 to {}", "grant select on all tables in schema core, d5 to {}"], "INSERT"),
        (
            [
                "grant usage on schema core, d5 to {}",
                "grant select, insert on core.event_log to {}",
                "grant select on all tables in schema d5 to {}",
            ],
            "direito",
        ),
    ],
    ids=["nenhum", "só leitura", "só o log"],
)
def test_role_without_rights_is_refused(
    banco: Banco, tmp_path: Path, request: pytest.FixtureRequest, direitos: list[str], o_que: str
) -> None:
    papel = sql.Identifier(f"papel_{request.node.callspec.indices['direitos']}")
    for comando_sql in ("drop role if exists {}", "create role {} login", *direitos):
        banco.conexao.execute(sql.SQL(comando_sql).format(papel))
    banco.semear()
    inserir(banco.conexao, ranqueada(demanda(1)))
    antes = impressao(banco)
    url = banco.url.replace("postgresql://postgres", f"postgresql://{papel.as_string().strip(chr(34))}")
    assert url != banco.url
    assert o_que in comando(tmp_path, url)("processar").recusa
    assert impressao(banco) == antes


def test_database_of_another_program_is_not_prepared_over(servidor: str, tmp_path: Path) -> None:
    """A log with other columns is refused before anything is created."""
    banco = Banco(servidor.format(clonar(servidor, "template1")))
    banco.executar("create schema core")
    banco.executar("create table core.event_log (id bigint primary key, tipo text)")
    assert "core.event_log" in comando(tmp_path, banco.url)("preparar").recusa
    assert banco.valor("select count(*) from pg_namespace where nspname = 'd5'") == 0
    banco.fechar()

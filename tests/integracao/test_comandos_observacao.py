"""`d5 saude` and `d5 metricas` from outside: exit status, reasons, endpoint."""

import json
import signal
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.apoio.banco import Banco, clonar
from tests.apoio.comando import D5, D5Comando, Saida, ambiente, comando
from tests.apoio.eventos import demanda, inserir, parametros, ranqueada
from tests.apoio.exposicao import Amostras, amostras
from tests.apoio.observacao import impressao

A, B = demanda(1), demanda(2)
HA_UMA_HORA = "update d5.consumer_offset set updated_at = now() - interval '1 hour'"


@pytest.fixture
def d5(banco: Banco, tmp_path: Path) -> D5Comando:
    """The command on the test's database, without limits of its own."""
    banco.parametrizar(parametros())
    return comando(tmp_path, banco.url)


def motivos(saida: Saida) -> list[str]:
    """The reasons: exit status 1, one line each on stderr, nothing on the screen."""
    assert (saida.codigo, saida.tela) == (1, ""), saida
    linhas = saida.erros.splitlines()
    assert all(linha.startswith("d5: ") for linha in linhas), saida
    return [linha.removeprefix("d5: ") for linha in linhas]


def test_processed_database_is_healthy_and_looking_writes_nothing(banco: Banco, d5: D5Comando) -> None:
    banco.semear()
    inserir(banco.conexao, ranqueada(A))
    banco.processar()
    antes = impressao(banco)
    saida = d5("saude")
    assert (saida.codigo, saida.tela, saida.erros) == (0, "Saudável.\n", "")
    assert d5("metricas", "--uma-vez").codigo == 0
    assert impressao(banco) == antes


def test_lag_without_progress_is_an_illness_and_limits_come_from_options_or_environment(
    banco: Banco, d5: D5Comando, tmp_path: Path
) -> None:
    """The event is of March, so the lag is beyond any default; the cursors were seeded a moment ago."""
    banco.semear()
    inserir(banco.conexao, ranqueada(A))
    assert d5("saude").codigo == 0
    assert d5("saude", "--sem-progresso", "0").codigo == 1
    banco.executar(HA_UMA_HORA)
    (motivo,) = motivos(d5("saude"))
    assert motivo.startswith("atraso de ")
    assert "demanda.ranqueada (1 evento(s)) e nenhum progresso há 360" in motivo
    assert d5("saude", "--sem-progresso", "7200").codigo == 0
    assert d5("saude", "--atraso-maximo", "1e9").codigo == 0
    assert comando(tmp_path, banco.url, D5_SEM_PROGRESSO="7200")("saude").codigo == 0
    assert comando(tmp_path, banco.url, D5_ATRASO_MAXIMO="1000000000")("saude").codigo == 0
    assert "D5_ATRASO_MAXIMO" in comando(tmp_path, banco.url, D5_ATRASO_MAXIMO="muito")("saude").recusa
    banco.processar()
    assert d5("saude").codigo == 0


def test_hole_publications_and_dead_letters_are_told_at_once(banco: Banco, d5: D5Comando) -> None:
    banco.semear()
    banco.executar(f"alter table d5.backlog_scores add constraint veneno check (demanda_id <> '{B}') not valid")
    inserir(banco.conexao, ranqueada(A), ranqueada(B))
    banco.processar()
    banco.executar("update d5.dlq set situacao = 'esgotada'")
    banco.executar(
        "insert into d5.publicacoes_pendentes (gatilho_sequence, ordinal, gatilho_event_id, gatilho_tipo, event_id, "
        "tipo, correlacao_id, payload, criado_em) select 1, 0, gen_random_uuid(), 'x', gen_random_uuid(), 'x', "
        "gen_random_uuid(), '{}', now() - interval '1 hour'"
    )
    escritora = banco.abrir()
    escritora.execute("begin")
    inserir(escritora, ranqueada(demanda(3)))
    (fim,) = inserir(banco.conexao, ranqueada(demanda(4)))
    banco.executar(
        "insert into d5.lacunas (inicio, fim, situacao, portadores, vista_em) "
        "select %s, %s, 'aberta', jsonb_agg(jsonb_build_object('virtualtransaction', virtualtransaction, 'pid', pid, "
        "'aplicacao', 'd4')), now() - interval '1 hour' from pg_locks where pid = %s and locktype = 'virtualxid'",
        fim - 1,
        fim - 1,
        escritora.info.backend_pid,
    )
    lacuna, pendentes, mortas = motivos(d5("saude"))
    assert f"lacuna de {fim - 1} a {fim - 1} aberta há 36" in lacuna
    assert f"o processo {escritora.info.backend_pid} (d4)" in lacuna
    assert pendentes.startswith("1 publicação(ões) pendente(s), a primeira há 36")
    assert mortas.startswith("1 evento(s) esgotado(s) na DLQ")
    em_json = d5("saude", "--json")
    assert (em_json.codigo, em_json.erros) == (1, "")
    assert em_json.json["saudavel"] is False
    assert [motivo.split(" aberta ")[0].split(",")[0] for motivo in em_json.json["motivos"]] == [
        f"lacuna de {fim - 1} a {fim - 1}",
        "1 publicação(ões) pendente(s)",
        "1 evento(s) esgotado(s) na DLQ: não serão tentados de novo sozinhos; veja 'd5 dlq listar'",
    ]
    assert em_json.json["sinais"]["pendentes"] == 1
    escritora.close()


def test_database_that_is_away_or_not_prepared_is_a_reason(servidor: str, tmp_path: Path) -> None:
    (fora,) = motivos(comando(tmp_path, "postgresql://d5:s3cr3ta@127.0.0.1:1/d5")("saude"))
    assert fora.startswith("sem conexão com o banco")
    assert "s3cr3ta" not in fora
    url = servidor.format(clonar(servidor, "template1"))
    assert motivos(comando(tmp_path, url)("saude")) == ["o esquema d5 não existe neste banco; execute 'd5 preparar'"]
    assert comando(tmp_path, url)("saude", "--json").json == {
        "saudavel": False,
        "motivos": ["o esquema d5 não existe neste banco; execute 'd5 preparar'"],
        "sinais": None,
    }


def test_unseeded_or_newer_database_is_a_reason(banco: Banco, d5: D5Comando) -> None:
    assert motivos(d5("saude"))[0].startswith("os cursores não foram semeados")
    banco.executar("insert into d5.migracoes (nome) values ('29990101000000_d5_futura')")
    (motivo,) = motivos(d5("saude"))
    assert "mais nova que este programa" in motivo


@pytest.mark.parametrize("subcomando", ["saude", "metricas"])
def test_address_that_can_never_work_is_wrong_usage(tmp_path: Path, subcomando: str) -> None:
    assert "não é um endereço PostgreSQL válido" in comando(tmp_path, "postgres:/d5")(subcomando).recusa


@contextmanager
def servindo(pasta: Path, url: str) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """`d5 metricas` on a free port; its address."""
    argumentos = [str(D5), "metricas", "--porta", "0"]
    with subprocess.Popen(argumentos, cwd=pasta, env=ambiente(url), stdout=subprocess.PIPE, text=True) as processo:
        assert processo.stdout is not None
        endereco = processo.stdout.readline().split()[2].rstrip(".")
        try:
            yield endereco, processo
        finally:
            processo.kill()


def colher(endereco: str) -> Amostras:
    """A scrape over HTTP."""
    with closing(HTTPConnection(urlsplit(endereco).netloc, timeout=20)) as conexao:
        conexao.request("GET", urlsplit(endereco).path)
        resposta = conexao.getresponse()
        assert (resposta.status, str(resposta.headers["Content-Type"]).split(";")[0]) == (200, "text/plain")
        return amostras(resposta.read().decode())


def test_endpoint_follows_the_database_down_and_up_and_ends_when_told(banco: Banco, tmp_path: Path) -> None:
    banco.semear()
    with servindo(tmp_path, banco.url) as (endereco, processo):
        assert endereco.startswith("http://127.0.0.1:")
        assert (colher(endereco)["d5_up",], colher(endereco)["d5_item_disponivel_total",]) == (1, 0)
        inserir(banco.conexao, ranqueada(A))
        banco.processar()
        assert colher(endereco)["d5_item_disponivel_total",] == 1
        banco.executar("alter schema d5 rename to d5_guardado")
        assert colher(endereco) == {("d5_up",): 0}
        banco.executar("alter schema d5_guardado rename to d5")
        assert colher(endereco)["d5_item_disponivel_total",] == 1
        processo.send_signal(signal.SIGTERM)
        assert processo.wait(20) == 0


def test_metrics_are_written_once_even_where_the_database_is_away(tmp_path: Path) -> None:
    """For textfile collectors: a stale file would go on saying that all is well."""
    saida = comando(tmp_path, "postgresql://d5@127.0.0.1:1/d5", D5_LOG_JSON="true")("metricas", "--uma-vez")
    assert (saida.codigo, amostras(saida.tela)) == (0, {("d5_up",): 0})
    assert json.loads(saida.erros)["mensagem"] == "métricas sem leitura do banco"

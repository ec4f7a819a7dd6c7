"""Scenario 24: the roles of sql/papeis.sql can do their work and nothing else; hostile strings stay data."""

import json
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from dagster import DagsterInstance

from d5_pipeline.conexao import conectar
from d5_pipeline.definitions import build_defs
from d5_pipeline.orquestracao.sensores import vigiar
from d5_pipeline.orquestracao.vigia import Executar
from d5_pipeline.recursos import ARQUIVO_DAGSTER
from tests.apoio.banco import Banco
from tests.apoio.comando import comando
from tests.apoio.eventos import UC, demanda, inserir, parametros, ranking, ranqueada, sorteado
from tests.apoio.exposicao import amostras
from tests.apoio.observacao import anunciadas, ordem
from tests.apoio.papeis import DONO, LEITURA, SERVICO, como, criar_papel
from tests.referencia.comparacao import comparar

pytestmark = pytest.mark.faltas

CONFORMIDADE = Path(__file__).parents[1] / "conformidade"
CASOS = ["T03_rebuild", "T19_ciclo_completo", "T20_dois_grupos_um_solo", "T24_conclusao_coletiva", "E26_validacao"]
A, B = demanda(1), demanda(2)
SOMBRAS = "select nspname from pg_namespace where nspname ~ 'reprocessamento'"


@pytest.mark.parametrize("caso", CASOS)
def test_the_service_role_applies_and_publishes(plataforma: Banco, servico: Banco, caso: str) -> None:
    exemplo: dict[str, Any] = json.loads((CONFORMIDADE / f"{caso}.json").read_text(encoding="utf-8"))
    plataforma.acrescentar(exemplo["eventos"])
    servico.parametrizar(exemplo["parametros"])
    servico.semear()
    servico.processar()
    assert comparar(plataforma.resultado(), exemplo["esperado"]) == []


@pytest.mark.parametrize("papel", [DONO, SERVICO, LEITURA])
def test_every_role_can_measure(plataforma: Banco, servico: Banco, tmp_path: Path, papel: str) -> None:
    """What it sees is the whole truth: the lag and the holder of a hole lie outside its own schema."""
    servico.semear()
    inserir(plataforma.conexao, ranqueada(A), ranking())
    servico.processar()
    escritora = plataforma.abrir()
    escritora.execute("begin")
    inserir(escritora, ranqueada(B))
    inserir(plataforma.conexao, ranking())
    servico.processar()
    d5 = comando(tmp_path, como(papel, plataforma.url))
    lidas = amostras(d5("metricas", "--uma-vez").tela)
    assert (lidas["d5_up",], lidas["d5_agenda_gerada_total",]) == (1, 1)
    assert lidas["d5_backlog_size_by_uc", "disponivel", UC] == 1
    assert (lidas["d5_lag_events", "ranking.atualizado"], lidas["d5_open_holes",]) == (1, 1)
    doente = d5("saude", "--atraso-maximo", "0", "--sem-progresso", "0", "--json")
    assert doente.codigo == 1
    assert f"o processo {escritora.info.backend_pid}" in " ".join(doente.json["motivos"])
    escritora.close()


def test_every_command_but_the_owners_works_as_the_service_role(plataforma: Banco, tmp_path: Path) -> None:
    d5 = comando(tmp_path, como(SERVICO, plataforma.url))
    (tmp_path / "novos.toml").write_text(
        'versao = "v2"\nfator_decaimento = 0.4\nlimiar_peso_nao_vencido = 0.1\ncapacidade_padrao = 3\n'
        "[clustering]\nraio_metros = 500\nmin_pontos = 2\n"
    )
    inserir(plataforma.conexao, ranqueada(A), ranqueada(B), sorteado(A), ranking())
    for argumentos in (
        ["iniciar", "--desde-inicio"],
        ["parametros", "carregar", "novos.toml"],
        ["processar", "--json"],
        ["reconstruir", UC, "--simular"],
        ["parametros", "simular", "novos.toml"],
        ["parametros", "mostrar"],
        ["parametros", "listar"],
        ["parametros", "voltar"],
        ["parametros", "comparar", "novos.toml"],
        ["intervencoes", "listar"],
        ["parametros", "carregar", "novos.toml"],
        ["reconstruir", "--todas"],
        ["cursores", "definir", "ranking.atualizado", "0"],
        ["cursores", "listar"],
        ["dlq", "listar"],
        ["descartes", "listar"],
        ["descartes", "reenviar", "--tudo"],
        ["evento", "1"],
        ["explicar", A],
        ["explicar", "--uc", UC],
        ["exportar", "--saida", "agenda.csv"],
        ["rastrear", A],
        ["status", "--json"],
    ):
        saida = d5(*argumentos)
        assert (saida.codigo, saida.erros) == (0, ""), argumentos
    assert ordem(plataforma) == [(1, A, "atribuido"), (2, B, "disponivel")]
    assert anunciadas(plataforma) == [A, B]
    for do_dono in ("preparar", "reprocessar"):
        assert "direito" in d5(do_dono).recusa


def test_the_read_role_explains_and_exports_and_does_not_reach_the_log(
    plataforma: Banco, servico: Banco, tmp_path: Path
) -> None:
    servico.semear()
    inserir(plataforma.conexao, ranqueada(A), sorteado(A))
    servico.processar()
    d5 = comando(tmp_path, como(LEITURA, plataforma.url))
    assert "posição 1: atribuída" in d5("explicar", A).tela
    assert "Capacidade 10" in d5("explicar", "--uc", UC).tela
    assert d5("exportar").tela.splitlines()[1].startswith(f"{UC},1,{A},100.00,1,1.1,disponivel,")
    desconhecida = d5("explicar", B, "--json").json
    assert desconhecida["condicoes"][0] == "Este usuário do banco não lê o log: não se sabe se há evento dela à espera."
    assert "direito" in d5("rastrear", A).recusa


def test_the_owner_can_replay_what_the_service_role_applied(plataforma: Banco, servico: Banco, tmp_path: Path) -> None:
    servico.semear()
    inserir(plataforma.conexao, ranqueada(A), ranqueada(B), sorteado(A), ranking())
    servico.processar()
    saida = comando(tmp_path, como(DONO, plataforma.url))("reprocessar")
    assert (saida.codigo, saida.erros) == (0, "")
    assert plataforma.consultar(SOMBRAS) == []


def test_the_service_role_sees_who_holds_a_hole(plataforma: Banco, servico: Banco) -> None:
    """D3 needs pg_locks and the application's name of sessions that belong to another role."""
    criar_papel(plataforma.conexao, "colonia")
    plataforma.executar("grant usage on schema core to colonia")
    plataforma.executar("grant insert, select on core.event_log to colonia")
    servico.semear()
    with closing(conectar(como("colonia", plataforma.url), "colonia-d4")) as colonia:
        colonia.execute("begin")
        (buraco,) = inserir(colonia, ranqueada(A))
        inserir(plataforma.conexao, ranqueada(B))
        servico.processar()
        assert ordem(plataforma) == []
        (lacuna,) = plataforma.consultar("select inicio, portadores from d5.lacunas where situacao = 'aberta'")
        (portador,) = lacuna["portadores"]
        assert lacuna["inicio"] == buraco
        assert (portador["pid"], portador["aplicacao"]) == (colonia.info.backend_pid, "colonia-d4")
    servico.processar()
    assert ordem(plataforma) == [(1, B, "disponivel")]
    assert plataforma.valor("select situacao from d5.lacunas") == "passada"


def test_sensor_run_and_dagsters_own_tables_need_no_more_than_the_service_role(
    plataforma: Banco, servico: Banco, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("D5_DATABASE_URL", servico.url)
    monkeypatch.delenv("D5_DAGSTER_URL", raising=False)
    shutil.copy(ARQUIVO_DAGSTER, tmp_path / "dagster.yaml")
    servico.semear()
    inserir(plataforma.conexao, ranqueada(A))
    with DagsterInstance.from_config(str(tmp_path)) as instancia:
        assert isinstance(vigiar(servico.conexao, instancia), Executar)
        trabalho = build_defs().resolve_job_def("processar_eventos")
        config = {"ops": {"drenar": {"config": {"permanencia": 0}}}}
        assert trabalho.execute_in_process(run_config=config, instance=instancia).success
    assert anunciadas(plataforma) == [A]
    donos = plataforma.consultar("select distinct tableowner from pg_tables where schemaname = 'dagster'")
    assert [linha["tableowner"] for linha in donos] == [SERVICO]


@pytest.mark.parametrize("lote", [1, 5_000])
def test_hostile_strings_in_payloads_stay_data(plataforma: Banco, servico: Banco, lote: int) -> None:
    """SQL, format marks, copy marks and control characters come back as they went in."""
    textos = [
        "'; drop schema d5; --",
        "%s %(a)s {} {0} :a",
        "\\.",
        "\\N",
        "$$;commit;--",
        'x" or 1=1 --',
        "\x01\u202e\u2028",
    ]
    eventos = []
    for numero, texto in enumerate(textos, start=1):
        evento = ranqueada(demanda(numero), 100 - numero)
        evento.payload.update(versao_parametros=texto[:20], extra={texto: [texto]}, categoria_id="1.1")
        estragado = ranqueada(demanda(100 + numero))
        estragado.payload["categoria_id"] = texto
        eventos += [evento, estragado, sorteado(texto)]
    servico.parametrizar(parametros())
    servico.semear()
    inserir(plataforma.conexao, *eventos, ranking())
    resumo = servico.processar(lote)
    assert (resumo.aplicados, resumo.descartados, resumo.dlq) == (len(textos) + 1, 2 * len(textos), 0)
    guardados = plataforma.consultar("select versao_parametros from d5.backlog_scores order by demanda_id")
    assert [linha["versao_parametros"] for linha in guardados] == [texto[:20] for texto in textos]
    assert [d for _, d, _ in ordem(plataforma)] == [demanda(n) for n in range(1, len(textos) + 1)]

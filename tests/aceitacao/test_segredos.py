"""The database's password is seen nowhere: screen, errors, logs, command lines, Dagster's records, dbt's files."""

import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from dagster import DagsterInstance, RunRequest, SkipReason, build_sensor_context
from dagster._serdes import serialize_value

from d5_pipeline.cli import servico
from d5_pipeline.cli.contexto import Banco as Alvo
from d5_pipeline.config import configuracao
from d5_pipeline.definitions import build_defs
from d5_pipeline.erros import ErroD5
from d5_pipeline.orquestracao import sensores
from d5_pipeline.orquestracao.recursos import BancoD5
from d5_pipeline.recursos import ARQUIVO_DAGSTER
from d5_pipeline.repositorio import modelos
from tests.apoio.banco import Banco
from tests.apoio.comando import Saida, comando
from tests.apoio.eventos import demanda, inserir, ranqueada
from tests.apoio.observacao import anunciadas
from tests.apoio.segredo import PAPEL, SEGREDO, arquivos_com_segredo, com_senha, exigir_senha, linhas_com_segredo

pytestmark = pytest.mark.faltas

COMANDOS = [
    ["preparar"],
    ["iniciar"],
    ["processar", "--json"],
    ["reconstruir", "--todas"],
    ["cursores", "listar"],
    ["cursores", "definir", "--todos", "0"],
    ["parametros", "carregar", "parametros.toml"],
    ["dlq", "reenviar", "--tudo"],
    ["descartes", "listar"],
    ["evento", "1"],
    ["reprocessar"],
    ["status", "--json"],
    ["metricas", "--uma-vez"],
    ["saude", "--json"],
    ["servir"],
    ["demo"],
]
PARAMETROS = 'versao = "v2"\nfator_decaimento = 0.4\nlimiar_peso_nao_vencido = 0.1\ncapacidade_padrao = 3\n'
PARAMETROS += "[clustering]\nraio_metros = 500\nmin_pontos = 2\n"


@pytest.fixture
def url(banco: Banco) -> str:
    """The test's database, reached with a password."""
    exigir_senha(banco.conexao, banco.url)
    banco.semear()
    inserir(banco.conexao, ranqueada(demanda(1)))
    return com_senha(banco.url)


def rodar(pasta: Path, url: str, comandos: list[list[str]], **variaveis: str) -> list[Saida]:
    """The commands, several at a time."""
    (pasta / "parametros.toml").write_text(PARAMETROS)
    d5 = comando(pasta, url, **variaveis)
    with ThreadPoolExecutor(3) as fios:
        return list(fios.map(lambda argumentos: d5(*argumentos), comandos))


@pytest.mark.parametrize("falha", ["senha", "banco", "servidor"])
def test_no_refusal_shows_the_password(banco: Banco, url: str, tmp_path: Path, falha: str) -> None:
    errada = {
        "senha": com_senha(banco.url, f"{SEGREDO}-errada"),
        "banco": url.replace("d5_teste_", "d5_que_nao_ha_"),
        "servidor": com_senha(f"postgresql://postgres:@127.0.0.1:1/{PAPEL}"),
    }[falha]
    assert errada != url
    comandos = [argumentos for argumentos in COMANDOS if argumentos[0] not in ("metricas", "saude")]
    for saida in rodar(tmp_path, errada, comandos if falha == "senha" else comandos[:3], D5_LOG="debug"):
        assert "D5_DATABASE_URL" in saida.recusa
        assert SEGREDO not in saida.tela + saida.erros
    metricas, saude = rodar(tmp_path, errada, [["metricas", "--uma-vez"], ["saude"]], D5_LOG="debug")
    assert (metricas.codigo, saude.codigo) == (0, 1)
    for saida in (metricas, saude):
        assert "D5_DATABASE_URL" in saida.erros
        assert SEGREDO not in saida.tela + saida.erros
    assert arquivos_com_segredo(tmp_path) == []


@pytest.mark.parametrize(
    "malformada",
    [
        f"postgresql://d5:a@{SEGREDO}@127.0.0.1/d5",
        f"postgresql://d5:a%{SEGREDO}@127.0.0.1/d5",
        f"postgres:/d5:{SEGREDO}@127.0.0.1/d5",
        f"host=127.0.0.1 user=d5 password=a {SEGREDO}",
    ],
    ids=["arroba", "porcento", "barra", "espaço"],
)
def test_no_malformed_address_is_repeated(tmp_path: Path, malformada: str) -> None:
    """A password with a mark of its own, written as it is: the commonest mistake."""
    (saida,) = rodar(tmp_path, malformada, [["status"]])
    assert "D5_DATABASE_URL" in saida.recusa
    assert SEGREDO not in saida.erros


def test_no_command_that_works_shows_the_password(url: str, tmp_path: Path) -> None:
    comandos = [argumentos for argumentos in COMANDOS if argumentos[0] not in ("servir", "demo", "reprocessar")]
    for saida in rodar(tmp_path, url, comandos, D5_LOG="debug", D5_LOG_JSON="true"):
        assert saida.codigo == 0, saida
        assert SEGREDO not in saida.tela + saida.erros
    assert arquivos_com_segredo(tmp_path) == []


def test_web_ui_and_daemon_get_the_password_by_environment_only(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    iniciados: list[tuple[list[str], dict[str, str]]] = []

    class Filho:
        """A child that ends at once."""

        returncode = 3
        pid = 0

        def __init__(self, argumentos: list[Any], env: dict[str, str], **_: Any) -> None:
            iniciados.append(([str(argumento) for argumento in argumentos], env))

        def poll(self) -> int:
            return self.returncode

        def wait(self, _prazo: float) -> int:
            return self.returncode

    monkeypatch.setattr("d5_pipeline.cli.servico.subprocess.Popen", Filho)
    monkeypatch.setenv("D5_PASTA", str(tmp_path))
    with pytest.raises(ErroD5) as erro:
        servico.servir(Alvo(url, configuracao()), 3000, "127.0.0.1")
    assert SEGREDO not in str(erro.value)
    assert len(iniciados) == 2
    for argumentos, ambiente in iniciados:
        assert SEGREDO not in " ".join(argumentos)
        assert ambiente["D5_DATABASE_URL"] == url
    assert arquivos_com_segredo(tmp_path) == []


def _avaliar(instancia: DagsterInstance) -> object:
    with build_sensor_context(instance=instancia, resources={"banco": BancoD5()}) as contexto:
        return sensores.vigia_do_log(contexto)


def test_dagster_keeps_the_password_nowhere(
    banco: Banco, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither in runs, tags, events and the worker's command line, nor in what the sensor says."""
    monkeypatch.setenv("D5_DATABASE_URL", url)
    monkeypatch.delenv("D5_DAGSTER_URL", raising=False)
    monkeypatch.setattr(sensores, "DURACAO_DO_TURNO", 0)
    shutil.copy(ARQUIVO_DAGSTER, tmp_path / "dagster.yaml")
    with DagsterInstance.from_config(str(tmp_path)) as instancia:
        pedido = _avaliar(instancia)
        assert isinstance(pedido, RunRequest)
        assert SEGREDO not in repr(pedido)
        trabalho = build_defs().resolve_job_def("processar_eventos")
        config = {"ops": {"drenar": {"config": {"permanencia": 0}}}}
        assert trabalho.execute_in_process(run_config=config, tags=pedido.tags, instance=instancia).success
        monkeypatch.setenv("D5_DATABASE_URL", com_senha(banco.url, f"{SEGREDO}-errada"))
        espera = _avaliar(instancia)
        assert isinstance(espera, SkipReason)
        assert SEGREDO not in str(espera.skip_message)
        falha = trabalho.execute_in_process(run_config=config, instance=instancia, raise_on_error=False)
        assert not falha.success
        assert SEGREDO not in serialize_value(instancia.get_ref())  # goes into the command line of every run's process
    assert anunciadas(banco) == [demanda(1)]
    assert linhas_com_segredo(banco.url, "dagster") == []
    assert arquivos_com_segredo(tmp_path) == []


def test_dbt_gets_the_password_by_environment_only(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    argumentos: list[str] = []
    executar = subprocess.run

    def anotar(comando_do_dbt: list[str], **opcoes: Any) -> Any:
        argumentos.extend(map(str, comando_do_dbt))
        return executar(comando_do_dbt, **opcoes)

    monkeypatch.setattr("d5_pipeline.repositorio.modelos.subprocess.run", anotar)
    saida = modelos.executar_dbt(["run", "--target", "postgres"], modelos.ambiente_postgres(url), tmp_path)
    assert saida.returncode == 0, saida
    assert SEGREDO not in " ".join(argumentos) + saida.stdout + saida.stderr
    assert (tmp_path / "manifest.json").exists()
    assert arquivos_com_segredo(tmp_path) == []

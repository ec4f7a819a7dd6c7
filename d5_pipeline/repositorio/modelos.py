"""The dbt project from Python: deploying the views of the agenda, running their tests.

dbt runs in a process of its own: it takes seconds to start and changes process-wide state. It never runs per event.
"""

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
from psycopg.pq import Conninfo

from d5_pipeline.conexao import linha_unica
from d5_pipeline.erros import ErroDeConfiguracao
from d5_pipeline.recursos import PASTA_DBT


class ErroDeModelos(ErroDeConfiguracao):
    """dbt could not deploy or test the models."""


@dataclass(frozen=True)
class ResultadoDosTestes:
    """Outcome of `dbt test`: how many tests passed, and the names of those that found violations or broke."""

    aprovados: int
    reprovados: tuple[str, ...]

    @property
    def total(self) -> int:
        return self.aprovados + len(self.reprovados)


def implantar_modelos(url: str, fontes: str = "d5", esquema: str = "d5_modelos", leitura: bool = True) -> None:
    """Create or replace the views in `esquema`, over the tables of schema `fontes`; safe to repeat.

    Those of models/leitura go to a schema of their own, always over the live tables: a replay leaves them out.
    The migrations must have run. Readers keep finding the views throughout. Raises `ErroDeModelos`.
    """
    escolhidos = [] if leitura else ["--select", "path:models/agenda"]
    ambiente = {**ambiente_postgres(url), "D5_DBT_FONTES": fontes, "D5_DBT_SCHEMA": esquema}
    with TemporaryDirectory(prefix="d5-dbt-") as pasta:
        saida = executar_dbt(["run", "--target", "postgres", *escolhidos], ambiente, Path(pasta))
        if saida.returncode != 0:
            motivo = _motivo(Path(pasta), saida)
            raise ErroDeModelos(f"as visões da agenda não foram implantadas: {motivo}; repita d5 preparar")


def testar_modelos(url: str) -> ResultadoDosTestes:
    """Run every data test and unit test of the deployed models against the database at `url`.

    A violated test is a result, not an error; raises `ErroDeModelos` only if dbt could not run them.
    """
    ambiente = ambiente_postgres(url)
    with TemporaryDirectory(prefix="d5-dbt-") as pasta:
        saida = executar_dbt(["test", "--target", "postgres"], ambiente, Path(pasta))
        resultados = _resultados(Path(pasta))
        if not resultados:
            raise ErroDeModelos(f"os testes dos modelos não rodaram: {_motivo(Path(pasta), saida)}")
    reprovados = tuple(sorted(_nome(r["unique_id"]) for r in resultados if r["status"] != "pass"))
    return ResultadoDosTestes(len(resultados) - len(reprovados), reprovados)


def manifesto(pasta: Path) -> Path:
    """dbt's manifest of the project in `pasta`, written there unless it exists. Raises `ErroDeModelos`."""
    arquivo = pasta / "manifest.json"
    if not arquivo.exists():
        pasta.mkdir(parents=True, exist_ok=True)
        saida = executar_dbt(["parse", "--target", "postgres"], {}, pasta)
        if saida.returncode != 0:
            raise ErroDeModelos(f"os modelos não foram lidos: {_motivo(pasta, saida)}")
    return arquivo


def impressao_digital() -> str:
    """SHA-256 (hex) of the dbt project's files: equal fingerprints deploy equal views."""
    resumo = hashlib.sha256()
    for arquivo in _arquivos_do_projeto():
        resumo.update(f"{arquivo.relative_to(PASTA_DBT).as_posix()}\0".encode())
        resumo.update(hashlib.sha256(arquivo.read_bytes()).digest())
    return resumo.hexdigest()


def ambiente_postgres(url: str) -> dict[str, str]:
    """Environment variables from which the `postgres` target of profiles.yml reaches the database at `url`.

    What `url` leaves open is taken from the connection that libpq makes of it; its other settings (TLS, time-outs)
    travel in libpq's own variables, which dbt's driver reads as well.
    """
    try:
        with psycopg.connect(url) as conexao:
            info = conexao.info
            demais = info.get_parameters()
            ambiente = {
                "D5_DBT_HOST": info.host,
                "D5_DBT_PORT": str(info.port),
                "D5_DBT_USER": info.user,
                "D5_DBT_PASSWORD": info.password,
                "D5_DBT_DBNAME": info.dbname,
            }
    except psycopg.OperationalError as erro:
        motivo = linha_unica(erro)
        raise ErroDeModelos(f"sem conexão com o banco ({motivo}); confira D5_DATABASE_URL") from erro
    for opcao in Conninfo.get_defaults():
        if opcao.envvar and opcao.keyword.decode() in demais:
            ambiente[opcao.envvar.decode()] = demais[opcao.keyword.decode()]
    return ambiente


def executar_dbt(argumentos: list[str], ambiente: dict[str, str], pasta: Path) -> subprocess.CompletedProcess[str]:
    """Run dbt on the project, quietly; everything that it writes goes to `pasta`."""
    comando = [sys.executable, "-c", "from dbt.cli.main import cli; cli()", "--quiet", "--no-use-colors", *argumentos]
    pastas = ["--project-dir", PASTA_DBT, "--profiles-dir", PASTA_DBT, "--target-path", pasta, "--log-path", pasta]
    herdado = {nome: valor for nome, valor in os.environ.items() if not nome.startswith(("DBT_", "PYTHONWARNINGS"))}
    return subprocess.run(
        [*comando, *map(str, pastas)], env=herdado | ambiente, capture_output=True, text=True, check=False
    )


def _arquivos_do_projeto() -> list[Path]:
    proprios = [PASTA_DBT / "dbt_project.yml", PASTA_DBT / "profiles.yml"]
    for nome in ("macros", "models", "tests"):
        proprios += (arquivo for arquivo in (PASTA_DBT / nome).rglob("*") if arquivo.suffix in {".sql", ".yml"})
    return sorted(proprios)


def _resultados(pasta: Path) -> list[dict[str, Any]]:
    arquivo = pasta / "run_results.json"
    if not arquivo.exists():
        return []
    conteudo: dict[str, list[dict[str, Any]]] = json.loads(arquivo.read_text(encoding="utf-8"))
    return conteudo["results"]


def _nome(unique_id: str) -> str:
    """`test.d5_agenda.NAME[.hash]` or `unit_test.d5_agenda.MODEL.NAME`, without what is only dbt's."""
    tipo, _, *nome = unique_id.split(".")
    return ".".join(nome) if tipo == "unit_test" else nome[0]


def _motivo(pasta: Path, saida: subprocess.CompletedProcess[str]) -> str:
    """One line: the failing model and dbt's message, or the last thing dbt said."""
    for resultado in _resultados(pasta):
        if resultado["status"] == "error":
            mensagem = " ".join(str(resultado["message"]).split())
            return f"{resultado['unique_id'].split('.')[-1]}: {mensagem}"
    return " ".join((saida.stdout + saida.stderr).split())[-500:] or f"dbt terminou com código {saida.returncode}"

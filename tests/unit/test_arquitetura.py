"""Which module may know which, and where SQL lives (architecture): read from the sources."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

RAIZ = Path(__file__).resolve().parents[2]
PACOTE = RAIZ / "d5_pipeline"

BASE = {"conexao", "config", "consultas", "erros", "matriz", "mensagens", "parametros", "recursos", "registro"}
NUCLEO = BASE | {"dominio"}
CAMADAS = {
    "dominio": {"erros"},
    "erros": set[str](),
    "recursos": set[str](),
    "mensagens": set[str](),
    "conexao": {"erros", "matriz"},
    "matriz": set[str](),
    "config": {"erros", "mensagens"},
    "consultas": {"recursos"},
    "parametros": {"dominio", "erros", "mensagens"},
    "registro": {"dominio"},
    "barramento": NUCLEO | {"repositorio"},
    "repositorio": NUCLEO,
    "processamento": NUCLEO | {"barramento", "repositorio"},
    "preparacao": NUCLEO | {"barramento", "repositorio", "processamento"},
    "demonstracao": NUCLEO,
    "orquestracao": NUCLEO | {"barramento", "repositorio", "processamento", "preparacao"},
    "cli": NUCLEO | {"barramento", "repositorio", "processamento", "preparacao", "demonstracao"},
    "definitions": {"orquestracao"},
}
"""Part of the package → the parts it may import beside itself."""

DE_FORA = {
    "dagster": {"orquestracao", "definitions"},
    "dagster_dbt": {"orquestracao", "definitions"},
    "dagster_postgres": {"orquestracao", "definitions"},
    "sqlalchemy": {"orquestracao"},
    "aiosql": {"consultas"},
    "typer": {"cli"},
    "click": {"cli"},
    "rich": {"cli"},
    "prometheus_client": {"cli"},
    "sklearn": {"dominio"},
    "scipy": {"dominio"},
}
"""Library → the only parts that may import it."""

PUROS = {
    "psycopg",
    "sqlalchemy",
    "aiosql",
    "dagster",
    "structlog",
    "stamina",
    "subprocess",
    "socket",
    "time",
    "random",
    "os",
}

COMANDO_SQL = re.compile(
    r"^\s*(select|insert\s+into|update\s+[\w.{}]+\s+set|delete\s+from|with\s+\w+\s+as|truncate|copy|lock\s+table|"
    r"(create|alter|drop)\s+(or\s+replace\s+)?(table|view|index|schema|role|database|sequence|function|trigger)|"
    r"set\s+(local|session|transaction)|begin|commit|rollback|savepoint|grant|revoke|notify|listen)\b"
    r"(?!$)|\b(from|join|into|update|table)\s+(d5|core|d5_modelos|pg_catalog)\.\w+",
    re.IGNORECASE,
)


def fontes() -> list[Path]:
    """Every module of the package."""
    return sorted(PACOTE.rglob("*.py"))


def parte(arquivo: Path) -> str:
    """The part of the package a module belongs to; the package itself is the empty one."""
    primeira = arquivo.relative_to(PACOTE).parts[0].removesuffix(".py")
    return "" if primeira == "__init__" else primeira


def importados(arquivo: Path) -> Iterator[tuple[str, ...]]:
    """Every import of a module, wherever it stands, as dotted parts."""
    for no in ast.walk(ast.parse(arquivo.read_text(encoding="utf-8"))):
        if isinstance(no, ast.Import):
            yield from (tuple(nome.name.split(".")) for nome in no.names)
        elif isinstance(no, ast.ImportFrom):
            assert no.level == 0, f"{arquivo}: relative import"
            yield from ((*(no.module or "").split("."), nome.name) for nome in no.names)


def textos(arquivo: Path) -> Iterator[tuple[int, str]]:
    """Every string of a module but its docstrings, pieces of f-strings included."""
    arvore = ast.parse(arquivo.read_text(encoding="utf-8"))
    prosa = {id(no.value) for no in ast.walk(arvore) if isinstance(no, ast.Expr) and isinstance(no.value, ast.Constant)}
    for no in ast.walk(arvore):
        if isinstance(no, ast.Constant) and isinstance(no.value, str) and id(no) not in prosa:
            yield no.lineno, no.value


def test_every_part_of_the_package_has_its_place() -> None:
    assert {parte(arquivo) for arquivo in fontes()} - {""} == set(CAMADAS)


@pytest.mark.parametrize("camada", CAMADAS)
def test_parts_import_only_what_lies_below_them(camada: str) -> None:
    indevidos = {
        (str(arquivo.relative_to(RAIZ)), alvo[1])
        for arquivo in fontes()
        if parte(arquivo) == camada
        for alvo in importados(arquivo)
        if alvo[0] == "d5_pipeline" and alvo[1] not in CAMADAS[camada] | {camada}
    }
    assert indevidos == set()


@pytest.mark.parametrize("biblioteca", DE_FORA)
def test_libraries_stay_in_their_part(biblioteca: str) -> None:
    usuarios = {parte(arquivo) for arquivo in fontes() if biblioteca in {alvo[0] for alvo in importados(arquivo)}}
    assert usuarios <= DE_FORA[biblioteca]


def test_domain_has_no_clock_no_random_and_no_input_or_output() -> None:
    usados = {
        (arquivo.name, alvo[0])
        for arquivo in fontes()
        if parte(arquivo) == "dominio"
        for alvo in importados(arquivo)
        if alvo[0] in PUROS
    }
    assert usados == set()


@pytest.mark.parametrize(
    "texto", ["select 1", " SELECT x FROM t", "insert into t", "update t set a = 1", "join d5.x as y"]
)
def test_statements_are_recognised(texto: str) -> None:
    assert COMANDO_SQL.search(texto)


@pytest.mark.parametrize(
    "texto", ["SELECT", "update", "seleciona", "a sequência … (ALTER SEQUENCE … CACHE 1)", "d5.dlq"]
)
def test_prose_is_not_taken_for_a_statement(texto: str) -> None:
    assert COMANDO_SQL.search(texto) is None


def test_no_statement_lives_in_python() -> None:
    achados = [
        f"{arquivo.relative_to(RAIZ)}:{linha}: {texto!r}"
        for arquivo in fontes()
        for linha, texto in textos(arquivo)
        if COMANDO_SQL.search(texto)
    ]
    assert achados == []


def test_one_file_knows_the_shape_of_the_platforms_log() -> None:
    """A platform with other names changes it alone; the demo plays the neighbours, and rights are granted by name."""
    citam = {
        arquivo.relative_to(RAIZ / "sql").as_posix()
        for arquivo in (RAIZ / "sql").rglob("*.sql")
        if "core.event_log" in arquivo.read_text(encoding="utf-8")
    }
    assert citam == {"consultas/log.sql", "consultas/demonstracao.sql", "papeis.sql"}


def test_models_know_the_log_only_as_a_source_and_only_for_their_tests() -> None:
    pasta = RAIZ / "dbt_project"
    textos_sql = {a.relative_to(pasta).as_posix(): a.read_text(encoding="utf-8") for a in pasta.rglob("*.sql")}
    citam = {nome: texto for nome, texto in textos_sql.items() if "event_log" in texto and "target/" not in nome}
    assert [nome for nome in citam if not nome.startswith("tests/")] == []
    assert [nome for nome, texto in citam.items() if re.search(r"core\.event_log", texto)] == []


def test_every_named_statement_is_called() -> None:
    """No dead SQL: each name of sql/consultas appears in Python."""
    python = "\n".join(arquivo.read_text(encoding="utf-8") for arquivo in fontes())
    nomes = {
        nome
        for arquivo in (RAIZ / "sql" / "consultas").glob("*.sql")
        for nome in re.findall(r"^-- name: (\w+)", arquivo.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert sorted(nome for nome in nomes if not re.search(rf"\.{nome}\b", python)) == []


@pytest.mark.parametrize("modulo", ["d5_pipeline.cli.comandos", "d5_pipeline.definitions"])
def test_entry_points_do_not_import_the_heavy_libraries(modulo: str) -> None:
    """A run, a sensor tick and a command start without scikit-learn."""
    codigo = f"import sys, {modulo}; print(*sorted({{n.split('.')[0] for n in sys.modules}} & {{'sklearn', 'scipy'}}))"
    saida = subprocess.run([sys.executable, "-c", codigo], cwd=RAIZ, capture_output=True, text=True, check=True)
    assert saida.stdout.split() == []

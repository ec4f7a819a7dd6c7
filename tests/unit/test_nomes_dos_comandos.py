"""What sql/README.md says of the statements is about statements that exist."""

import re

from d5_pipeline.recursos import PASTA_SQL

LEIA_ME = (PASTA_SQL / "README.md").read_text(encoding="utf-8")
ARQUIVOS = {arquivo.stem: arquivo.read_text(encoding="utf-8") for arquivo in (PASTA_SQL / "consultas").glob("*.sql")}


def test_every_statement_that_is_cited_exists() -> None:
    citados = [(a, nome) for a, nome in re.findall(r"`(\w+)\.(\w+)`", LEIA_ME) if a in ARQUIVOS and nome != "sql"]
    assert len(citados) >= 7
    for arquivo, nome in citados:
        assert re.search(rf"^-- name: {nome}\(", ARQUIVOS[arquivo], re.MULTILINE), f"{arquivo}.{nome}"


def test_every_file_of_statements_is_listed() -> None:
    listados = set(re.findall(r"`(\w+)\.sql`", LEIA_ME))
    assert listados >= ARQUIVOS.keys()
    assert listados <= ARQUIVOS.keys() | {"papeis"}

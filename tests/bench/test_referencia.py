"""The per-event reference ends where the engine ends, and where the literal model of the specification ends."""

import re
from pathlib import Path

import pytest

from bench.banco import PASTA, digitais, parametrizar
from bench.carga import Cidade, parametros
from bench.gravacao import acrescentar
from bench.referencia.processador import Referencia
from tests.apoio.banco import Banco
from tests.referencia.comparacao import comparar
from tests.referencia.logs import log_aleatorio
from tests.referencia.modelo import ModeloLiteral
from tests.unit.test_arquitetura import COMANDO_SQL, textos

UNIDADES = 5
NAO_GUARDADOS: dict[str, list[int]] = {
    "descartados": []
}  # the reference drops what it cannot use, and keeps no list of it


def test_reference_and_engine_leave_the_same_tables_and_publications(dois_bancos: list[Banco]) -> None:
    motor, passo_a_passo = dois_bancos
    for banco in dois_bancos:
        parametrizar(banco.conexao, parametros(UNIDADES))
        acrescentar(banco.conexao, Cidade(UNIDADES).eventos(1_000))
    motor.processar(lote=300)
    assert Referencia(passo_a_passo.conexao, parametros(UNIDADES)).drenar() == 1_000
    assert digitais(passo_a_passo.conexao) == digitais(motor.conexao)


@pytest.mark.parametrize("semente", range(6))
def test_reference_and_literal_model_agree_on_random_logs(banco: Banco, semente: int) -> None:
    valores, eventos = log_aleatorio(semente, 150, malformados=0, nfd=0)
    banco.parametrizar(valores)
    banco.acrescentar(eventos)
    banco.semear()
    Referencia(banco.conexao, valores).drenar()
    modelo = ModeloLiteral(valores)
    for evento in eventos:
        modelo.aplicar(evento)
    assert comparar(banco.resultado() | NAO_GUARDADOS, modelo.resultado() | NAO_GUARDADOS) == []


def fontes() -> list[Path]:
    """Every module of the suite."""
    return sorted(PASTA.rglob("*.py"))


def test_no_statement_lives_in_the_python_of_the_suite() -> None:
    assert [t for fonte in fontes() for _, t in textos(fonte) if COMANDO_SQL.search(t)] == []


def test_every_named_statement_of_the_suite_is_called() -> None:
    python = "\n".join(fonte.read_text(encoding="utf-8") for fonte in fontes())
    nomes = {
        nome
        for arquivo in PASTA.rglob("*.sql")
        for nome in re.findall(r"^-- name: (\w+)", arquivo.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert sorted(nome for nome in nomes if not re.search(rf"""(\.|"){nome}\b""", python)) == []

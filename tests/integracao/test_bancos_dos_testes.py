"""Databases of the tests themselves: whatever order a worker runs them in, none meets another one's."""

from pathlib import Path

from tests.apoio.banco import clonar


def test_fixture_set_up_again_gets_another_database(servidor: str) -> None:
    """A worker that takes over tests of a module it has left sets up the module's fixtures a second time."""
    assert clonar(servidor, "template1") != clonar(servidor, "template1")


def test_no_test_names_a_database_itself() -> None:
    testes = Path(__file__).parents[1]
    criadores = [
        arquivo.relative_to(testes).as_posix()
        for arquivo in testes.rglob("*.py")
        if "create database" in arquivo.read_text(encoding="utf-8") and arquivo != Path(__file__)
    ]
    assert criadores == ["apoio/banco.py"]

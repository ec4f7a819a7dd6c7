"""The parameter file: what 4.3 allows is read, anything else is refused by the name of its key (contract)."""

import copy
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from d5_pipeline.config import PARAMETROS_PADRAO
from d5_pipeline.erros import ErroDeConfiguracao
from d5_pipeline.parametros import Parametros, comparar, em_toml, ler_parametros, validar_parametros

UC = "f0000001-0000-4000-8000-000000000001"
PADRAO: dict[str, Any] = {
    "versao": "mvp-v1",
    "fator_decaimento": 0.40,
    "limiar_peso_nao_vencido": 0.1,
    "capacidade_padrao": 10,
    "concluidas_ocupam_vaga": True,
    "clustering": {"raio_metros": 500, "min_pontos": 2},
    "capacidade_por_uc": {UC: 10},
    "pesos_situacionais": {UC: {"1": 0.85, "2": 0.60, "3": 0.75, "4": 0.40, "5": 0.20}},
}


def com(chave: str, valor: Any) -> dict[str, Any]:
    """The default parameters with one value replaced; dots separate tables."""
    conteudo = copy.deepcopy(PADRAO)
    *tabelas, ultima = chave.split(".")
    alvo = conteudo
    for tabela in tabelas:
        alvo = alvo[tabela]
    alvo[ultima] = valor
    return conteudo


def test_shipped_file_has_the_values_of_the_specification() -> None:
    """4.3."""
    parametros = ler_parametros(PARAMETROS_PADRAO)
    assert parametros == validar_parametros(PADRAO, "4.3")
    assert parametros.pesos_situacionais == {UC: {1: 0.85, 2: 0.6, 3: 0.75, 4: 0.4, 5: 0.2}}
    assert parametros.capacidade_por_uc == {UC: 10}
    assert (parametros.clustering.raio_metros, parametros.clustering.min_pontos) == (500, 2)


def test_units_are_optional_and_concluded_demands_hold_their_slots_by_default() -> None:
    """D31: the letter is the default."""
    minimos = {c: v for c, v in PADRAO.items() if not c.endswith(("_uc", "_situacionais", "_vaga"))}
    parametros = validar_parametros(minimos, "teste")
    assert parametros.concluidas_ocupam_vaga is True
    assert (parametros.capacidade_por_uc, parametros.pesos_situacionais) == ({}, {})


def test_units_are_stored_in_lower_case() -> None:
    parametros = validar_parametros(PADRAO | {"capacidade_por_uc": {UC.upper(): 3}}, "teste")
    assert parametros.capacidade_por_uc == {UC: 3}


@pytest.mark.parametrize(
    ("chave", "valor"),
    [
        ("fator_decaimento", 1),
        ("fator_decaimento", 0.0001),
        ("capacidade_padrao", 0),
        (f"capacidade_por_uc.{UC}", 0),
        (f"pesos_situacionais.{UC}.1", 0),
        (f"pesos_situacionais.{UC}.5", 7.5),
        ("limiar_peso_nao_vencido", 0),
        ("clustering.min_pontos", 1),
        ("clustering.raio_metros", 0.5),
        ("concluidas_ocupam_vaga", False),
    ],
)
def test_values_at_the_limits_are_accepted(chave: str, valor: object) -> None:
    validar_parametros(com(chave, valor), "teste")


@pytest.mark.parametrize(
    ("chave", "valor"),
    [
        ("fator_decaimento", 0),
        ("fator_decaimento", -0.4),
        ("fator_decaimento", 1.5),
        ("fator_decaimento", float("nan")),
        ("fator_decaimento", "0.4"),
        ("fator_decaimento", True),
        ("limiar_peso_nao_vencido", -0.1),
        ("limiar_peso_nao_vencido", float("inf")),
        ("capacidade_padrao", -1),
        ("capacidade_padrao", 2.5),
        ("capacidade_padrao", 2**31),
        ("capacidade_padrao", True),
        (f"capacidade_por_uc.{UC}", -1),
        ("capacidade_por_uc.praça-da-sé", 3),
        (f"pesos_situacionais.{UC}.0", 0.5),
        (f"pesos_situacionais.{UC}.6", 0.5),
        (f"pesos_situacionais.{UC}.um", 0.5),
        (f"pesos_situacionais.{UC}.1", -0.1),
        (f"pesos_situacionais.{UC}.1", float("nan")),
        (f"pesos_situacionais.{UC}.1", "alto"),
        ("clustering.min_pontos", 0),
        ("clustering.min_pontos", 1.5),
        ("clustering.raio_metros", 0),
        ("clustering.raio_metros", -500),
        ("clustering.raio", 500),
        ("concluidas_ocupam_vaga", "sim"),
        ("versao", ""),
        ("versao", "v" * 21),
        ("versao", 1),
        ("raio_metros", 500),
    ],
)
def test_wrong_value_is_refused_by_file_and_key(chave: str, valor: object) -> None:
    with pytest.raises(ErroDeConfiguracao) as erro:
        validar_parametros(com(chave, valor), "meus.toml")
    assert str(erro.value).startswith(f"meus.toml: {chave}: ")
    assert "\n" not in str(erro.value)


@pytest.mark.parametrize(
    "chave", ["versao", "fator_decaimento", "limiar_peso_nao_vencido", "capacidade_padrao", "clustering"]
)
def test_missing_key_is_named(chave: str) -> None:
    conteudo = {c: v for c, v in PADRAO.items() if c != chave}
    with pytest.raises(ErroDeConfiguracao, match=rf"^meus\.toml: {chave}: ausente$"):
        validar_parametros(conteudo, "meus.toml")


def test_two_spellings_of_one_unit_are_refused() -> None:
    """One of the two capacities would be dropped without a word."""
    with pytest.raises(ErroDeConfiguracao, match=UC):
        validar_parametros(PADRAO | {"capacidade_por_uc": {UC: 3, UC.upper(): 4}}, "meus.toml")


def test_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ErroDeConfiguracao, match=r"não-há\.toml"):
        ler_parametros(tmp_path / "não-há.toml")
    with pytest.raises(ErroDeConfiguracao, match=tmp_path.name):
        ler_parametros(tmp_path)


@pytest.mark.parametrize(
    "conteudo", [b"versao = ", b"\xff\xfe", b"versao = 'a'\nversao = 'b'"], ids=["resto", "bytes", "dupla"]
)
def test_file_that_is_no_toml_is_named(tmp_path: Path, conteudo: bytes) -> None:
    arquivo = tmp_path / "meus.toml"
    arquivo.write_bytes(conteudo)
    with pytest.raises(ErroDeConfiguracao, match=r"meus\.toml não é um arquivo TOML") as erro:
        ler_parametros(arquivo)
    assert "\n" not in str(erro.value)


numeros = st.floats(min_value=0, allow_nan=False, allow_infinity=False)
unidades = st.uuids().map(str)
inteiros = st.integers(0, 2**31 - 1)


@given(
    st.fixed_dictionaries(
        {
            "versao": st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20),
            "fator_decaimento": st.floats(min_value=0, max_value=1, exclude_min=True),
            "limiar_peso_nao_vencido": numeros,
            "capacidade_padrao": inteiros,
            "concluidas_ocupam_vaga": st.booleans(),
            "clustering": st.fixed_dictionaries(
                {
                    "raio_metros": st.floats(min_value=0, exclude_min=True, allow_infinity=False),
                    "min_pontos": st.integers(1, 2**31 - 1),
                }
            ),
            "capacidade_por_uc": st.dictionaries(unidades, inteiros, max_size=3),
            "pesos_situacionais": st.dictionaries(
                unidades, st.dictionaries(st.integers(1, 5), numeros, min_size=1), max_size=3
            ),
        }
    )
)
def test_written_parameters_are_read_back_to_the_last_bit(conteudo: dict[str, Any]) -> None:
    """Names with quotes, line ends and control characters too."""
    parametros = Parametros.model_validate(conteudo)
    with TemporaryDirectory() as pasta:
        arquivo = Path(pasta) / "copia.toml"
        arquivo.write_bytes(em_toml(parametros).encode())
        assert ler_parametros(arquivo) == parametros


def test_comparison_names_keys_like_the_messages_do_in_the_order_of_the_file() -> None:
    outra = "f0000002-0000-4000-8000-000000000002"
    antes = validar_parametros(PADRAO, "antes")
    depois = validar_parametros(
        com("fator_decaimento", 0.5)
        | {
            "clustering": {"raio_metros": 250, "min_pontos": 2},
            "capacidade_por_uc": {outra: 7},
            "pesos_situacionais": {UC: {1: 0.85, 2: 0.65, 3: 0.75, 4: 0.40}},
        },
        "depois",
    )
    assert comparar(antes, depois) == [
        ("fator_decaimento", 0.4, 0.5),
        ("clustering.raio_metros", 500, 250),
        (f"capacidade_por_uc.{UC}", 10, None),
        (f"capacidade_por_uc.{outra}", None, 7),
        (f"pesos_situacionais.{UC}.2", 0.6, 0.65),
        (f"pesos_situacionais.{UC}.5", 0.2, None),
    ]
    assert comparar(antes, antes) == []

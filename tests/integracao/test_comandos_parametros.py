"""`d5 parametros` from outside: versions listed, shown as a file, compared, brought back (4.3, contract)."""

from pathlib import Path
from typing import Any

import pytest

from tests.apoio.banco import Banco
from tests.apoio.comando import D5Comando, comando
from tests.apoio.eventos import OUTRA_UC, PESOS, UC, inserir, parametros, ranking, ranqueada
from tests.apoio.observacao import impressao, publicacoes

VERSOES = "select id, versao, fator_decaimento from d5.param_versions order by id"


@pytest.fixture
def d5(banco: Banco, tmp_path: Path) -> D5Comando:
    """The command; the shipped parameters are version 1, versions 2 and 3 share a name."""
    banco.parametrizar(parametros(versao="v2", pesos_situacionais={UC: PESOS}, capacidade_por_uc={UC: 7}))
    banco.parametrizar(parametros(versao="v2", fator_decaimento=0.5))
    return comando(tmp_path, banco.url)


def recentes(banco: Banco) -> list[dict[str, Any]]:
    """Loads in order: who, why."""
    return banco.consultar("select quem, por_que from d5.intervencoes where tipo = 'parametros' order by ordem")


def test_versions_are_listed_with_who_loaded_them_and_why(d5: D5Comando, tmp_path: Path) -> None:
    (tmp_path / "novos.toml").write_text(d5("parametros", "mostrar", "--id", "2").tela)
    assert d5("parametros", "carregar", "novos.toml", "--quem", "Ana [D-5]", "--porque", "vagas da UC").codigo == 0
    versoes = d5("parametros", "listar", "--json").json
    assert [(v["id"], v["versao"], v["vigente"]) for v in versoes] == [
        (1, "mvp-v1", False),
        (2, "v2", False),
        (3, "v2", False),
        (4, "v2", True),
    ]
    assert (versoes[0]["por_que"], versoes[1]["por_que"]) == ("carregados por 'd5 preparar'", None)
    assert (versoes[3]["quem"], versoes[3]["por_que"]) == ("Ana [D-5]", "vagas da UC")
    assert (versoes[3]["unidades_com_capacidade"], versoes[3]["unidades_com_pesos"]) == (1, 1)
    tela = d5("parametros", "listar").tela
    assert "Ana [D-5]" in tela
    assert tela.count("sim") == 1


def test_a_version_shown_is_a_file_that_loads_as_the_same_version(banco: Banco, d5: D5Comando, tmp_path: Path) -> None:
    """Every key there and back; the current version without an argument."""
    mostrada = d5("parametros", "mostrar", "2")
    assert (mostrada.codigo, mostrada.erros) == (0, "")
    (tmp_path / "dois.toml").write_text(mostrada.tela)
    assert d5("parametros", "comparar", "2", "dois.toml").tela.strip().endswith("têm o mesmo conteúdo.")
    assert d5("parametros", "carregar", "dois.toml").codigo == 0
    assert d5("parametros", "mostrar").tela == mostrada.tela
    copia = "select {} from d5.{} where param_id = {} order by 1, 2"
    for tabela, colunas in (
        ("param_capacidade_por_uc", "unidade_civica_id, capacidade"),
        ("param_pesos_situacionais", "unidade_civica_id, nivel_precedencia, peso"),
    ):
        assert banco.consultar(copia.format(colunas, tabela, 4)) == banco.consultar(copia.format(colunas, tabela, 2))


def test_comparison_lists_the_keys_that_differ(d5: D5Comando) -> None:
    dados = d5("parametros", "comparar", "2", "3", "--json").json
    assert (dados["de"], dados["para"]) == ("versão 2 (v2)", "versão 3 (v2)")
    assert [(d["chave"], d["antes"], d["depois"]) for d in dados["diferencas"]] == [
        ("fator_decaimento", 0.4, 0.5),
        (f"capacidade_por_uc.{UC}", 7, None),
        *((f"pesos_situacionais.{UC}.{nivel}", peso, None) for nivel, peso in PESOS.items()),
    ]


def test_a_single_version_or_file_is_compared_with_the_current_one(d5: D5Comando, tmp_path: Path) -> None:
    (tmp_path / "novos.toml").write_text(d5("parametros", "mostrar").tela.replace("0.5", "0.6"))
    (mudanca,) = d5("parametros", "comparar", "novos.toml", "--json").json["diferencas"]
    assert mudanca == {"chave": "fator_decaimento", "antes": 0.5, "depois": 0.6}
    assert d5("parametros", "comparar", "mvp-v1", "--json").json["para"] == "versão 1 (mvp-v1)"
    tela = d5("parametros", "comparar", "novos.toml").tela
    assert "De versão 3 (v2) para arquivo novos.toml" in " ".join(tela.split())


def test_returning_loads_the_earlier_content_as_a_new_version(banco: Banco, d5: D5Comando) -> None:
    """Nothing is deleted; the next rebuild uses it, and the output says so."""
    banco.semear()
    antes = banco.consultar("select * from d5.param_versions order by id")
    saida = d5("parametros", "voltar", "--id", "2", "--quem", "Rui", "--porque", "vagas erradas")
    assert (saida.codigo, saida.erros) == (0, "")
    assert "d5 reconstruir --todas" in saida.tela
    assert banco.consultar("select * from d5.param_versions order by id")[:3] == antes
    assert banco.consultar(VERSOES)[3] == {"id": 4, "versao": "v2", "fator_decaimento": 0.4}
    assert recentes(banco)[-1] == {"quem": "Rui", "por_que": "volta à versão 2: vagas erradas"}
    inserir(banco.conexao, *(ranqueada(f"d0000000-0000-4000-8000-00000000000{n}", n) for n in range(1, 10)), ranking())
    banco.processar()
    (gerada,) = (p["payload"] for p in publicacoes(banco) if p["tipo"] == "agenda.gerada")
    assert (gerada["total_itens"], gerada["distribuicao_decay"]["nivel_nao_vencido"]) == (6, 1)


def test_without_an_id_the_last_version_of_other_content_comes_back(banco: Banco, d5: D5Comando) -> None:
    """The current content loaded twice is not gone back to itself; twice back is where it started."""
    banco.parametrizar(parametros(versao="v2", fator_decaimento=0.5))
    assert d5("parametros", "voltar").codigo == 0
    assert [linha["fator_decaimento"] for linha in banco.consultar(VERSOES)] == [0.4, 0.4, 0.5, 0.5, 0.4]
    assert recentes(banco)[-1]["por_que"] == "volta à versão 2"
    assert d5("parametros", "voltar").codigo == 0
    assert banco.consultar(VERSOES)[-1]["fator_decaimento"] == 0.5


@pytest.mark.parametrize(
    ("argumentos", "o_que"),
    [
        (["mostrar", "v2"], "há 2 versões 'v2' (ids 2, 3); diga qual pelo id"),
        (["mostrar", "9"], "não há versão de parâmetros com id 9"),
        (["mostrar", "--id", "0"], "não há versão de parâmetros com id 0"),
        (["mostrar", "99999999999999999999"], "não há versão de parâmetros com id 99999999999999999999"),
        (["mostrar", "2", "--id", "2"], "uma coisa ou outra"),
        (["mostrar", "nenhuma"], "'nenhuma' não é um arquivo, nem nome ou id de uma versão"),
        (["comparar", "v2", "1"], "há 2 versões 'v2'"),
        (["comparar", "nao-ha.toml"], "'nao-ha.toml' não é um arquivo"),
        (["voltar", "--id", "9"], "não há versão de parâmetros com id 9"),
        (["voltar", "--id", "3"], "a versão 3 (v2) já tem o conteúdo da vigente; nada a fazer"),
        (["simular", "nao-ha.toml"], "nao-ha.toml"),
    ],
    ids=" ".join,
)
def test_what_is_not_there_or_not_the_only_one_is_refused(
    banco: Banco, d5: D5Comando, argumentos: list[str], o_que: str
) -> None:
    antes = impressao(banco)
    assert o_que in d5("parametros", *argumentos).recusa
    assert impressao(banco) == antes


def test_a_first_version_has_nothing_to_go_back_to(banco: Banco, tmp_path: Path) -> None:
    recusa = comando(tmp_path, banco.url)("parametros", "voltar").recusa
    assert "não há versão anterior com outro conteúdo" in recusa


def test_units_with_a_capacity_of_their_own_read_like_the_file(d5: D5Comando, tmp_path: Path) -> None:
    """A unit in capitals is the same unit (D13)."""
    texto = d5("parametros", "mostrar", "2").tela
    (tmp_path / "novos.toml").write_text(texto.replace(UC, UC.upper()).replace(" = 7", f" = 7\n{OUTRA_UC} = 3"))
    dados = d5("parametros", "comparar", "2", "novos.toml", "--json").json
    assert [d["chave"] for d in dados["diferencas"]] == [f"capacidade_por_uc.{OUTRA_UC}"]


def test_a_configured_file_that_preparar_would_load_again_is_named(banco: Banco, d5: D5Comando, tmp_path: Path) -> None:
    """README: with D5_PARAMETROS `d5 preparar` loads that file whenever it is not the current version."""
    (tmp_path / "fixos.toml").write_text(d5("parametros", "mostrar").tela)
    configurado = comando(tmp_path, banco.url, D5_PARAMETROS=str(tmp_path / "fixos.toml"))
    assert "D5_PARAMETROS" in configurado("parametros", "voltar").tela
    assert "D5_PARAMETROS" not in configurado("parametros", "carregar", "fixos.toml").tela
    assert "D5_PARAMETROS" not in d5("parametros", "voltar").tela

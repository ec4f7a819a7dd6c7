"""What other parameters would change, by hand from 4.2 and 4.4: their effect alone, apart from a rebuild's own."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from d5_pipeline.dominio.balanco import Contagem, DiferencaDaUnidade
from d5_pipeline.parametros import validar_parametros
from d5_pipeline.processamento import simulacao
from d5_pipeline.processamento.lote import agora
from d5_pipeline.processamento.reconstrucao import reconstruir_unidades, unidades_pedidas
from d5_pipeline.processamento.simulacao import simular_parametros
from d5_pipeline.repositorio.fotografia import fotografia_gravavel
from tests.apoio.banco import Banco
from tests.apoio.comando import D5Comando, comando
from tests.apoio.eventos import (
    OUTRA_UC,
    PESOS,
    UC,
    Evento,
    concluida,
    demanda,
    georreferenciada,
    inserir,
    parametros,
    ranking,
    ranqueada,
)
from tests.apoio.observacao import impressao, sequencias
from tests.referencia.logs import log_aleatorio

A, B = demanda(1), demanda(2)
Dados = dict[str, Any]
NADA = Contagem()


def nivel(numero: int, lugar: int) -> str:
    """The demand that is the lugar-th best of a level."""
    return demanda(100 * numero + lugar)


def cidade() -> Iterable[Evento]:
    """UC: ten of level 1 (1000, 999, …), three of each other level (500 …, 400 …, 300 …, 200 …). The other: three."""
    yield from (ranqueada(nivel(1, k), 1001 - k, nivel=1) for k in range(1, 11))
    yield from (ranqueada(nivel(n, k), 701 - 100 * n - k, nivel=n) for n in range(2, 6) for k in range(1, 4))
    yield from (ranqueada(demanda(900 + k), 50 - k, OUTRA_UC) for k in range(1, 4))


@pytest.fixture
def atual() -> Dados:
    """Level 1 is current in UC, capacity 10: 8/2/0/0/0 (D30). The other unit has no weights."""
    return parametros(pesos_situacionais={UC: PESOS})


@pytest.fixture
def reconstruida(banco: Banco, atual: Dados) -> Banco:
    """A city whose agendas are those of the present parameters."""
    banco.parametrizar(atual)
    banco.semear()
    inserir(banco.conexao, *cidade(), ranking(), ranking(OUTRA_UC))
    banco.processar()
    return banco


def simular(banco: Banco, novos: Dados) -> dict[str, DiferencaDaUnidade]:
    """The dry run over all units."""
    unidades = unidades_pedidas(banco.conexao, [], todas=True)
    with fotografia_gravavel(banco.conexao):
        diferencas = simular_parametros(banco.conexao, validar_parametros(novos, "novos"), unidades)
        return {diferenca.unidade_civica_id: diferenca for diferenca in diferencas}


def mudancas(diferenca: DiferencaDaUnidade) -> list[tuple[str, str, int | None, int | None]]:
    return [(m.demanda_id, m.efeito, m.antes, m.depois) for m in diferenca.demandas]


def test_factor_one_shares_the_slots_equally(reconstruida: Banco, atual: Dados) -> None:
    """10/5 = 2 for every level: six of level 1 leave, two of level 3, 4 and 5 come in behind those of level 2."""
    achadas = simular(reconstruida, atual | {"fator_decaimento": 1.0})
    diferenca = achadas[UC]
    assert (diferenca.antes.vagas, diferenca.depois.vagas) == ([8, 2, 0, 0, 0], [2, 2, 2, 2, 2])
    assert (diferenca.antes.nivel_nao_vencido, diferenca.depois.nivel_nao_vencido) == (1, 1)
    assert mudancas(diferenca) == [
        (nivel(2, 1), "sobe", 9, 3),
        (nivel(2, 2), "sobe", 10, 4),
        *((nivel(n, k), "entra", None, 2 * n - 2 + k) for n in (3, 4, 5) for k in (1, 2)),
        *((nivel(1, k), "sai", k, None) for k in range(3, 9)),
    ]
    assert (diferenca.contagem, diferenca.so_do_rebuild) == (Contagem(entra=6, sai=6, sobe=2), NADA)
    assert (achadas[OUTRA_UC].contagem, achadas[OUTRA_UC].difere) == (NADA, False)


def test_another_current_level_turns_the_slots_around(reconstruida: Banco, atual: Dados) -> None:
    """Level 3, sum 2.12: 0/1/4/1/0 and the rest 4 to level 3, which has only three: 0/1/8/1/0, five items (D22)."""
    diferenca = simular(reconstruida, atual | {"pesos_situacionais": {UC: {"3": 0.9, "1": 0.85}}})[UC]
    assert (diferenca.antes.nivel_nao_vencido, diferenca.depois.nivel_nao_vencido) == (1, 3)
    assert diferenca.depois.vagas == [0, 1, 8, 1, 0]
    assert mudancas(diferenca) == [
        *((nivel(3, k), "entra", None, k) for k in (1, 2, 3)),
        (nivel(2, 1), "sobe", 9, 4),
        (nivel(4, 1), "entra", None, 5),
        *((nivel(1, k), "sai", k, None) for k in range(1, 9)),
        (nivel(2, 2), "sai", 10, None),
    ]
    assert (diferenca.antes.itens, diferenca.depois.itens) == (10, 5)
    assert diferenca.depois.anuncia == nivel(3, 1)


def test_without_a_level_above_the_threshold_the_best_scores_come_in(reconstruida: Banco, atual: Dados) -> None:
    """4.2, step 3: with the threshold above every weight all ten of level 1 lead by score."""
    diferenca = simular(reconstruida, atual | {"limiar_peso_nao_vencido": 0.9})[UC]
    assert (diferenca.depois.nivel_nao_vencido, diferenca.depois.vagas) == (None, [10])
    assert mudancas(diferenca) == [
        (nivel(1, 9), "entra", None, 9),
        (nivel(1, 10), "entra", None, 10),
        (nivel(2, 1), "sai", 9, None),
        (nivel(2, 2), "sai", 10, None),
    ]


def test_slots_that_nobody_fills_change_no_agenda(reconstruida: Banco, atual: Dados) -> None:
    """Capacity 5 of the other unit's three demands; uniform, so one figure."""
    achadas = simular(reconstruida, atual | {"capacidade_por_uc": {OUTRA_UC: 5}})
    diferenca = achadas[OUTRA_UC]
    assert (diferenca.antes.vagas, diferenca.depois.vagas, diferenca.contagem) == ([10], [5], NADA)
    assert diferenca.muda_distribuicao
    assert not achadas[UC].difere


def test_a_smaller_radius_parts_a_group(banco: Banco, atual: Dados) -> None:
    """0.0027 degrees of latitude are 300 m: a group within 500 m, none within 100 m (4.4). Positions stay."""
    banco.parametrizar(atual)
    banco.semear()
    inserir(banco.conexao, ranqueada(A, 2), ranqueada(B, 1))
    inserir(banco.conexao, georreferenciada(A, -23.5, -46.6), georreferenciada(B, -23.5027, -46.6), ranking())
    banco.processar()
    diferenca = simular(banco, atual | {"clustering": {"raio_metros": 100, "min_pontos": 2}})[UC]
    assert (diferenca.antes.grupos, diferenca.depois.grupos) == (1, 0)
    assert mudancas(diferenca) == [(A, "reagrupa", 1, 1), (B, "reagrupa", 2, 2)]
    assert all(m.grupo_antes is not None and m.grupo_depois is None for m in diferenca.demandas)


def test_concluded_demands_that_free_their_slots_let_others_in(reconstruida: Banco, atual: Dados) -> None:
    """D31: the best of level 1 is concluded; the ninth comes in behind the others."""
    inserir(reconstruida.conexao, concluida(nivel(1, 1)))
    reconstruida.processar()
    diferenca = simular(reconstruida, atual | {"concluidas_ocupam_vaga": False})[UC]
    assert mudancas(diferenca) == [
        *((nivel(1, k), "sobe", k, k - 1) for k in range(2, 9)),
        (nivel(1, 9), "entra", None, 8),
        (nivel(1, 1), "sai", 1, None),
    ]


def test_what_a_rebuild_changes_anyway_is_told_apart(banco: Banco, atual: Dados) -> None:
    """Inserted in order of arrival up to the capacity: a rebuild alone lets two of level 2 in for two of level 1."""
    banco.parametrizar(atual)
    banco.semear()
    inserir(banco.conexao, *cidade())
    banco.processar()
    mesmos = simular(banco, atual)[UC]
    assert (mesmos.contagem, mesmos.so_do_rebuild) == (NADA, Contagem(entra=2, sai=2))
    assert mesmos.difere
    outros = simular(banco, atual | {"fator_decaimento": 1.0})[UC]
    assert (outros.contagem, outros.so_do_rebuild) == (Contagem(entra=6, sai=6, sobe=2), Contagem(entra=2, sai=2))


@pytest.mark.parametrize("semente", range(3))
def test_loading_and_rebuilding_does_what_the_dry_run_said(banco: Banco, semente: int) -> None:
    """Between two real rebuilds, the second with the new parameters, of a random city."""
    iniciais, todos = log_aleatorio(semente, 220)
    banco.parametrizar(iniciais)
    banco.acrescentar([evento for evento in todos if evento["origem"] != "D-5"])
    banco.semear()
    banco.processar()
    novos = {
        **iniciais,
        "fator_decaimento": 0.9,
        "capacidade_padrao": 5,
        "clustering": {"raio_metros": 3_000, "min_pontos": 3},
        "concluidas_ocupam_vaga": not iniciais["concluidas_ocupam_vaga"],
    }
    previstas = simular(banco, novos)
    reconstruir_unidades(banco.conexao, sorted(previstas), agora)
    antes = lugares(banco)
    banco.parametrizar(novos)
    reconstruir_unidades(banco.conexao, sorted(previstas), agora)
    depois = lugares(banco)
    for unidade, diferenca in previstas.items():
        velhos, novos_lugares = antes.get(unidade, {}), depois.get(unidade, {})
        assert {m.demanda_id: (m.antes, m.depois) for m in diferenca.demandas if m.efeito != "reagrupa"} == {
            d: (velhos.get(d), novos_lugares.get(d))
            for d in velhos.keys() | novos_lugares.keys()
            if velhos.get(d) != novos_lugares.get(d)
        }
    assert any(diferenca.demandas for diferenca in previstas.values())


def lugares(banco: Banco) -> dict[str, dict[str, int]]:
    """unit → demand → position, as the table has them."""
    achados: dict[str, dict[str, int]] = {}
    linhas = "select unidade_civica_id, demanda_id, posicao from d5.backlog_items where status <> 'agregado'"
    for linha in banco.consultar(linhas):
        achados.setdefault(linha["unidade_civica_id"], {})[linha["demanda_id"]] = linha["posicao"]
    return achados


def test_nothing_is_written_no_number_drawn(reconstruida: Banco, atual: Dados) -> None:
    antes, numeros = impressao(reconstruida), sequencias(reconstruida)
    simular(reconstruida, atual | {"fator_decaimento": 1.0, "capacidade_por_uc": {UC: 3}})
    assert (impressao(reconstruida), sequencias(reconstruida)) == (antes, numeros)
    reconstruida.parametrizar(atual)
    assert sequencias(reconstruida)["param_versions_id_seq"] == (numeros["param_versions_id_seq"] or 0) + 1


def test_a_load_a_drain_and_another_dry_run_go_on_meanwhile(
    reconstruida: Banco, atual: Dados, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half-way through, with its provisional parameters written: nobody waits, nobody sees them, it sees nobody."""
    monkeypatch.setattr(simulacao, "UNIDADES_POR_VEZ", 1)
    novos = validar_parametros(atual | {"fator_decaimento": 1.0}, "novos")
    with reconstruida.abrir() as outra, fotografia_gravavel(outra):
        diferencas = simular_parametros(outra, novos, [UC, OUTRA_UC])
        primeira = next(diferencas)
        reconstruida.executar("set lock_timeout = '5s'")
        assert simular(reconstruida, atual | {"fator_decaimento": 1.0})[UC] == primeira
        reconstruida.parametrizar(atual | {"capacidade_por_uc": {OUTRA_UC: 1}})
        inserir(reconstruida.conexao, ranking(OUTRA_UC))
        reconstruida.processar()
        assert lugares(reconstruida)[OUTRA_UC] == {demanda(901): 1}
        assert not next(diferencas).difere


@pytest.fixture
def d5(reconstruida: Banco, tmp_path: Path) -> D5Comando:
    """The command on the rebuilt city, and two files to try."""
    texto = f"""
versao = "mvp-v2"
fator_decaimento = 1.0
limiar_peso_nao_vencido = 0.1
capacidade_padrao = 10
[clustering]
raio_metros = 500
min_pontos = 2
[capacidade_por_uc]
"f0000009-0000-4000-8000-000000000009" = 3
[pesos_situacionais."{UC}"]
1 = 0.85
"""
    (tmp_path / "novos.toml").write_text(texto)
    (tmp_path / "errados.toml").write_text(texto.replace("fator_decaimento = 1.0", "fator_decaimento = 1.1"))
    return comando(tmp_path, reconstruida.url)


def test_command_sums_up_first_and_names_units_and_what_to_do(reconstruida: Banco, d5: D5Comando) -> None:
    antes, numeros = impressao(reconstruida), sequencias(reconstruida)
    saida = d5("parametros", "simular", "novos.toml")
    assert (saida.codigo, saida.erros) == (0, "")
    resumo, detalhe = saida.tela.split("\n\n", 1)
    assert resumo.splitlines() == [
        "Simulação de novos.toml (mvp-v2) contra a versão 2 (mvp-v1): nada foi gravado.",
        "Efeito dos parâmetros: de 2 unidade(s), 1 mudaria(m) de agenda, 0 só de nível ou vagas, 1 em nada: "
        "6 entram, 6 saem, 2 sobem.",
        "Unidades do arquivo ainda sem demandas: f0000009-0000-4000-8000-000000000009.",
        "Para mudar: d5 parametros carregar novos.toml. Os parâmetros valem a partir do próximo rebuild de "
        "cada unidade cívica; a capacidade, já na próxima inserção. Para aplicá-los já: d5 reconstruir --todas (antes, "
        "com --simular).",
    ]
    assert detalhe.splitlines()[0] == (
        f"{UC}: nível 1; vagas 8/2/0/0/0 → 2/2/2/2/2; itens 10; grupos 0; 6 entram, 6 saem, 2 sobem"
    )
    assert detalhe.splitlines()[1].split() == [nivel(2, 1), "sobe", "9", "→", "3"]
    assert len(detalhe.splitlines()) == 15
    assert (impressao(reconstruida), sequencias(reconstruida)) == (antes, numeros)


def test_command_tells_programs_the_same_as_one_object(reconstruida: Banco, d5: D5Comando) -> None:
    dados = d5("parametros", "simular", "novos.toml", "--json").json
    (diferenca,) = dados.pop("diferencas")
    assert dados == {
        "versao": "mvp-v2",
        "vigente": 2,
        "unidades_desconhecidas": ["f0000009-0000-4000-8000-000000000009"],
        "gravado": False,
        "aplicado_ate": reconstruida.valor("select max(aplicado_ate) from d5.consumer_offset"),
        "eventos_por_aplicar": 0,
        "unidades": 2,
        "mudam": 1,
        "mudam_so_de_distribuicao": 0,
        **{"entra": 6, "sai": 6, "sobe": 2, "desce": 0, "reagrupa": 0},
        "so_do_rebuild": {"mudam": 0, "entra": 0, "sai": 0, "sobe": 0, "desce": 0, "reagrupa": 0},
    }
    assert (diferenca["unidade_civica_id"], diferenca["depois"]["vagas"]) == (UC, [2, 2, 2, 2, 2])
    assert {m["efeito"] for m in diferenca["demandas"]} == {"entra", "sai", "sobe"}


def test_a_wrong_file_is_refused_before_anything_is_looked_at(d5: D5Comando) -> None:
    assert d5("parametros", "simular", "errados.toml").recusa.startswith("errados.toml: fator_decaimento: ")

"""The d5 command from outside: what it does, what it prints, how it ends (contract)."""

from pathlib import Path

import pytest

from tests.apoio.banco import Banco, clonar
from tests.apoio.comando import D5Comando, comando
from tests.apoio.eventos import OUTRA_UC, UC, concluida, demanda, inserir, parametros, ranking, ranqueada, sorteado
from tests.apoio.observacao import aplicado_ate, cursor, esperar_ate, impressao, ordem, publicacoes

A, B, C = demanda(1), demanda(2), demanda(3)
VALIDO = """
versao = "mvp-v2"
fator_decaimento = 0.5
limiar_peso_nao_vencido = 0.2
capacidade_padrao = 4
concluidas_ocupam_vaga = false
[clustering]
raio_metros = 250
min_pontos = 3
[capacidade_por_uc]
"f0000001-0000-4000-8000-000000000001" = 7
[pesos_situacionais."f0000001-0000-4000-8000-000000000001"]
1 = 0.85
2 = 0.60
"""


@pytest.fixture
def d5(banco: Banco, tmp_path: Path) -> D5Comando:
    """The command on the test's database."""
    return comando(tmp_path, banco.url)


def test_preparar_makes_an_empty_database_ready_and_can_be_repeated(servidor: str, tmp_path: Path) -> None:
    url = servidor.format(clonar(servidor, "template1"))
    d5 = comando(tmp_path, url)
    assert d5("preparar").codigo == 0
    banco = Banco(url)
    inserir(banco.conexao, ranqueada(A))
    antes = impressao(banco)
    segunda = d5("preparar")
    assert (segunda.codigo, segunda.erros) == (0, "")
    assert impressao(banco) == antes
    assert d5("iniciar", "--desde-inicio").codigo == 0
    assert d5("processar").codigo == 0
    assert ordem(banco) == [(1, A, "disponivel")]
    banco.fechar()


def test_iniciar_seeds_once_at_the_end_of_the_log(banco: Banco, d5: D5Comando) -> None:
    (numero,) = inserir(banco.conexao, ranqueada(A))
    assert d5("iniciar").codigo == 0
    assert aplicado_ate(banco) == {numero}
    assert d5("iniciar", "--desde-inicio").codigo == 0
    assert aplicado_ate(banco) == {numero}


def test_processar_seeds_the_cursors_if_nobody_did(banco: Banco, d5: D5Comando) -> None:
    (numero,) = inserir(banco.conexao, ranqueada(A))
    assert d5("processar").codigo == 0
    assert (aplicado_ate(banco), ordem(banco)) == ({numero}, [])


def test_processar_reports_what_it_did_as_one_json_object(banco: Banco, d5: D5Comando) -> None:
    """Events read, applied, discarded, dead-lettered, rebuilds, publications, last sequence."""
    banco.parametrizar(parametros())
    banco.semear()
    defeituoso = sorteado(B)
    del defeituoso.payload["demanda_id"]
    inserir(banco.conexao, ranqueada(A), defeituoso, ranking())
    saida = d5("processar", "--json")
    assert saida.codigo == 0
    esperado = {"lidos": 3, "aplicados": 2, "descartados": 1, "dlq": 0, "reconstrucoes": 1, "publicacoes": 2}
    assert {chave: saida.json[chave] for chave in esperado} == esperado
    assert {saida.json["ultima_sequencia"]} == aplicado_ate(banco)


def test_processar_with_a_dead_letter_needs_a_person(banco: Banco, d5: D5Comando) -> None:
    """Exit status 1, with what and where on stderr; the neighbour is applied."""
    banco.parametrizar(parametros())
    banco.semear()
    banco.executar(
        "create function public.falhar() returns trigger language plpgsql as "
        "$$ begin raise exception 'valor que não serve'; end $$"
    )
    banco.executar(
        "create trigger falha before insert on d5.backlog_scores for each row "
        "when (new.demanda_id = 'd0000001-0000-4000-8000-000000000001') execute function public.falhar()"
    )
    inserir(banco.conexao, ranqueada(A), ranqueada(B))
    saida = d5("processar", "--json")
    assert (saida.codigo, saida.json["dlq"], saida.json["aplicados"]) == (1, 1, 1)
    assert "d5: 1 evento(s) na DLQ" in saida.erros
    assert "Traceback" not in saida.erros
    assert ordem(banco) == [(1, B, "disponivel")]


def test_processar_with_a_failed_publication_needs_a_person(banco: Banco, d5: D5Comando) -> None:
    """T15 in the real process, with its real delays."""
    banco.parametrizar(parametros())
    banco.semear()
    banco.executar(
        "create function public.recusar() returns trigger language plpgsql as "
        "$$ begin raise exception 'log em manutenção'; end $$"
    )
    banco.executar(
        "create trigger recusa before insert on core.event_log for each row when (new.origem = 'D-5') "
        "execute function public.recusar()"
    )
    inserir(banco.conexao, ranqueada(A))
    saida = d5("processar", "--json")
    assert (saida.codigo, saida.json["publicacoes"]) == (1, 0)
    assert saida.erros.splitlines()[-1].startswith("d5: ")
    assert "log em manutenção" in saida.erros.splitlines()[-1]
    assert "Traceback" not in saida.erros
    assert cursor(banco, "demanda.ranqueada") == 0


def test_cursores_are_listed_and_moved_for_a_redelivery(banco: Banco, d5: D5Comando) -> None:
    """T8 by hand: name of the type in decomposed letters, too (D5)."""
    banco.parametrizar(parametros())
    banco.semear()
    *_, numero = inserir(banco.conexao, ranqueada(A), concluida(A), ranking())
    banco.processar()
    listados = {c["tipo_evento"]: c["last_sequence"] for c in d5("cursores", "listar", "--json").json}
    assert (len(listados), listados["ranking.atualizado"]) == (9, numero)
    assert d5("cursores", "definir", "ranking.atualizado", str(numero - 1)).codigo == 0
    assert d5("cursores", "definir", "demanda.conclui\u0301da", "0").codigo == 0
    assert cursor(banco, "demanda.concluída") == 0
    assert d5("processar", "--json").json["reconstrucoes"] == 1
    assert cursor(banco, "ranking.atualizado") == numero


def test_cursores_of_all_types_are_moved_together(banco: Banco, d5: D5Comando) -> None:
    banco.semear()
    inserir(banco.conexao, ranqueada(A), ranqueada(B))
    assert d5("cursores", "definir", "--todos", "1").codigo == 0
    assert aplicado_ate(banco) == {1}
    tipos = banco.consultar("select tipo, quem, argumentos from d5.intervencoes where tipo = 'cursores'")
    assert [(linha["tipo"], linha["argumentos"]["posicao"]) for linha in tipos] == [("cursores", 1)]


def test_parametros_become_current_at_the_next_rebuild(banco: Banco, d5: D5Comando, tmp_path: Path) -> None:
    """D31, 4.3: capacity 7 of the file is in force when the unit is rebuilt; the message says so."""
    banco.parametrizar(parametros(capacidade_padrao=20))
    banco.semear()
    inserir(banco.conexao, *(ranqueada(demanda(n), n) for n in range(1, 10)), ranqueada(demanda(90), uc=OUTRA_UC))
    banco.processar()
    (tmp_path / "novos.toml").write_text(VALIDO)
    saida = d5("parametros", "carregar", "novos.toml")
    assert saida.codigo == 0
    texto = " ".join(saida.tela.split())
    assert "mvp-v2" in texto
    assert "próximo rebuild" in texto
    assert "2" in texto.replace("mvp-v2", "")
    vigente = banco.consultar("select * from d5.param_versions order by id desc limit 1")[0]
    assert (vigente["versao"], vigente["fator_decaimento"], vigente["min_pontos"]) == ("mvp-v2", 0.5, 3)
    assert len([d for _, d, _ in ordem(banco)]) == 10
    inserir(banco.conexao, ranking())
    banco.processar()
    gerada = next(p["payload"] for p in publicacoes(banco) if p["tipo"] == "agenda.gerada")
    assert gerada["versao_parametros"] == "mvp-v2"
    assert gerada["total_itens"] <= 7


def test_manual_rebuild_of_all_units_publishes_each_agenda_as_a_recorded_intervention(
    banco: Banco, d5: D5Comando
) -> None:
    """D32: its id is event_id and correlacao_id of what it causes."""
    banco.parametrizar(parametros())
    banco.semear()
    inserir(banco.conexao, ranqueada(A, 100), ranqueada(B, 900), ranqueada(C, 5, uc=OUTRA_UC))
    banco.processar()
    saida = d5("reconstruir", "--todas")
    assert (saida.codigo, saida.erros) == (0, "")
    assert saida.tela.split() == ["2", "unidade(s)", "reconstruída(s),", "3", "evento(s)", "publicado(s)."]
    (intervencao,) = banco.consultar("select id from d5.intervencoes where tipo = 'reconstrucao'")
    geradas = [p for p in publicacoes(banco) if p["tipo"] == "agenda.gerada"]
    assert [p["payload"]["unidade_civica_id"] for p in geradas] == [UC, OUTRA_UC]
    assert {p["correlacao_id"] for p in geradas} == {intervencao["id"]}
    assert ordem(banco) == [(1, B, "disponivel"), (1, C, "disponivel"), (2, A, "disponivel")]
    assert {linha["event_id"] for linha in banco.consultar("select event_id from d5.backlog_items")} == {
        intervencao["id"]
    }


def test_simulated_rebuild_shows_the_changes_and_writes_nothing(banco: Banco, d5: D5Comando) -> None:
    banco.parametrizar(parametros())
    banco.semear()
    inserir(banco.conexao, ranqueada(A, 100), ranqueada(B, 900))
    banco.processar()
    antes = impressao(banco)
    saida = d5("reconstruir", UC, "--simular")
    assert (saida.codigo, saida.erros) == (0, "")
    assert "sobe" in saida.tela
    assert "desce" in saida.tela
    assert impressao(banco) == antes


def test_status_names_holes_queues_and_silent_units(banco: Banco, d5: D5Comando) -> None:
    """D31: the only slot is held by a concluded demand while another one waits."""
    banco.parametrizar(parametros(capacidade_padrao=1))
    banco.semear()
    inserir(banco.conexao, ranqueada(A), ranqueada(B), concluida(A), sorteado(C))
    aberta = banco.abrir()
    aberta.execute("begin")
    inserir(aberta, ranking())
    (atrasado,) = inserir(banco.conexao, ranking(OUTRA_UC))
    banco.processar()
    situacao = d5("status", "--json").json
    assert situacao["unidades_silenciosas"] == [UC]
    assert situacao["backlog"] == [{"unidade_civica_id": UC, "itens": {"concluido": 1, "atribuido": 1}}]
    (lacuna,) = situacao["lacunas"]
    assert (lacuna["inicio"], lacuna["fim"]) == (atrasado - 1, atrasado - 1)
    assert [portador["pid"] for portador in lacuna["portadores"]] == [aberta.info.backend_pid]
    atrasos = {c["tipo_evento"]: c["atraso"] for c in situacao["cursores"]}
    assert (len(atrasos), atrasos["ranking.atualizado"], atrasos["demanda.ranqueada"]) == (9, 1, 0)
    assert (situacao["publicacoes_pendentes"], situacao["dlq"], situacao["descartados"]) == (0, 0, 0)
    tela = d5("status")
    assert tela.codigo == 0
    assert f"o processo {aberta.info.backend_pid} (d5)" in " ".join(tela.tela.split())
    assert f"Unidade silenciosa: {UC}" in " ".join(tela.tela.split())
    aberta.close()
    esperar_ate(lambda: not d5("status", "--json").json["lacunas"], "quem se foi não é mais nomeado")

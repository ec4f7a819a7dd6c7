"""`d5 exportar`: the public agenda in open formats, whole files or none, one moment, one filter per option."""

import csv
import io
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from d5_pipeline.cli.saida import escrever
from d5_pipeline.dominio.exportacao import COLUNAS, em_csv
from d5_pipeline.erros import ErroDeConfiguracao
from d5_pipeline.repositorio.exportacoes import LINHAS_POR_VEZ, Filtro, agenda, filtro
from tests.apoio.banco import Banco
from tests.apoio.comando import D5, D5Comando, comando
from tests.apoio.eventos import (
    OUTRA_UC,
    UC,
    agregada,
    concluida,
    demanda,
    georreferenciada,
    inserir,
    parametros,
    ranking,
    ranqueada,
    sorteado,
)

A, B, C, D, E = (demanda(n) for n in range(1, 6))

MUITAS = """
    insert into d5.backlog_items
        (demanda_id, unidade_civica_id, posicao, score, categoria_id, nivel_precedencia, event_id)
    select md5(n::text)::uuid, md5((n %% 7)::text)::uuid, n, 1, '1.1', 1, md5(n::text)::uuid
    from generate_series(1, %s) as n
"""


@pytest.fixture
def d5(banco: Banco, tmp_path: Path) -> D5Comando:
    """The command on an agenda: A is drawn, B concluded, E aggregated to C, D in the other unit."""
    banco.parametrizar(parametros())
    banco.semear()
    inserir(
        banco.conexao,
        georreferenciada(A, -23.5, -46.6),
        georreferenciada(D, -22.9, -43.2),
        ranqueada(A, 900, nivel=1, categoria="1.1"),
        ranqueada(B, 800, nivel=2, categoria="2.1"),
        ranqueada(C, 700, nivel=2, categoria="2.2"),
        ranqueada(E, 600, nivel=2, categoria="2.2"),
        ranqueada(D, 500, uc=OUTRA_UC, nivel=3, categoria="3.1"),
        ranking(),
        sorteado(A),
        concluida(B, dias_ate_conclusao=3),
        agregada(C, [E]),
    )
    banco.processar()
    return comando(tmp_path, banco.url)


def linhas(texto: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(texto, newline=""), strict=True))


def test_csv_shows_what_the_public_may_see_in_the_order_of_the_agenda(banco: Banco, d5: D5Comando) -> None:
    exportadas = linhas(d5("exportar").tela)
    assert list(exportadas[0]) == list(COLUNAS)
    colunas = ("unidade_civica_id", "posicao", "demanda_id", "status", "membros_agregados", "dias_ate_conclusao", "lat")
    assert [tuple(linha[coluna] for coluna in colunas) for linha in exportadas] == [
        (UC, "1", A, "disponivel", "0", "", "-23.5"),
        (UC, "2", B, "concluido", "0", "3", ""),
        (UC, "3", C, "disponivel", "1", "", ""),
        (OUTRA_UC, "1", D, "disponivel", "0", "", "-22.9"),
    ]
    assert banco.valor("select status from d5.backlog_items where demanda_id = %s", A) == "atribuido"
    assert "atribuido" not in d5("exportar").tela


def test_each_option_filters(banco: Banco, d5: D5Comando) -> None:
    def demandas(com_agregadas: bool = False, **opcoes: Any) -> list[str]:
        todas: dict[str, Any] = dict.fromkeys(("uc", "nivel", "categoria", "status", "caixa")) | opcoes
        lidas = agenda(banco.conexao, filtro(**todas, com_agregadas=com_agregadas))
        return [linha[COLUNAS.index("demanda_id")] for linha in lidas]

    assert demandas(uc=OUTRA_UC) == [D]
    assert demandas(uc=UC.upper(), nivel=2) == [B, C]
    assert demandas(nivel=3) == [D]
    assert demandas(categoria="2.2") == [C]
    assert demandas(categoria="2.2", com_agregadas=True) == [C, E]
    assert demandas(status="disponivel") == [A, C, D]
    assert demandas(status="concluido") == [B]
    assert demandas(status="agregado", com_agregadas=True) == [E]
    assert demandas(status="removido") == []
    assert demandas(caixa="-46.6,-23.5,-46.6,-23.5") == [A]
    assert demandas(caixa="-180,-90,180,90") == [A, D]
    assert demandas(caixa="-50,-25,-40,-20", uc=OUTRA_UC, status="disponivel") == [D]
    opcoes = ["--nivel", "2", "--categoria", "2.2", "--status", "disponivel", "--caixa", "-47,-24,-46,-23", "--uc", UC]
    assert d5("exportar", *opcoes).tela.count("\n") == 1
    assert linhas(d5("exportar", *opcoes[:6], *opcoes[8:]).tela)[0]["demanda_id"] == C


def test_geojson_puts_longitude_first_and_leaves_unlocated_demands_without_geometry(d5: D5Comando) -> None:
    feicoes = d5("exportar", "--formato", "geojson").json["features"]
    assert [(f["id"], f["geometry"] and f["geometry"]["coordinates"]) for f in feicoes] == [
        (A, [-46.6, -23.5]),
        (B, None),
        (C, None),
        (D, [-43.2, -22.9]),
    ]


def test_a_file_is_whole_and_its_summary_is_told(d5: D5Comando, tmp_path: Path) -> None:
    resumo = d5("exportar", "--saida", "agenda.csv", "--json").json
    assert resumo == {"demandas": 4, "formato": "csv", "arquivo": "agenda.csv"}
    assert (tmp_path / "agenda.csv").read_bytes().decode() == d5("exportar").tela.replace("\n", "\r\n")
    saida = d5("exportar", "--formato", "geojson", "--saida", "agenda.geojson")
    assert saida.tela == "4 demanda(s) em agenda.geojson.\n"
    assert len(json.loads((tmp_path / "agenda.geojson").read_text())["features"]) == 4
    assert {arquivo.name for arquivo in tmp_path.iterdir()} == {"agenda.csv", "agenda.geojson"}


@pytest.mark.parametrize(
    ("opcao", "texto", "motivo"),
    [
        ("uc", "x", "'x' não é um UUID de unidade cívica"),
        ("categoria", "abc", "--categoria deve ter a forma N.M"),
        ("status", "agregado", "--com-agregadas"),
        ("caixa", "1,2,3", "quatro números"),
        ("caixa", "a,b,c,d", "quatro números"),
        ("caixa", "-46,-23,-47,-22", "de oeste, sul a leste, norte"),
        ("caixa", "-46,-23,nan,-22", "de oeste, sul a leste, norte"),
        ("caixa", "-46,-91,-45,-22", "de oeste, sul a leste, norte"),
    ],
)
def test_a_filter_that_does_not_fit_is_named(opcao: str, texto: str, motivo: str) -> None:
    opcoes: dict[str, Any] = dict.fromkeys(("uc", "nivel", "categoria", "status", "caixa")) | {opcao: texto}
    with pytest.raises(ErroDeConfiguracao, match=motivo):
        filtro(**opcoes, com_agregadas=False)


def test_wrong_options_are_refused_in_one_line(d5: D5Comando) -> None:
    for opcoes, motivo in (
        (["--nivel", "6"], "--nivel"),
        (["--status", "atribuido"], "--status"),
        (["--json"], "--saida"),
        (["--saida", "falta/agenda.csv"], "não foi possível gravar falta/agenda.csv"),
        (["--saida", "/dev/null"], "não é um arquivo comum"),
    ):
        assert motivo in d5("exportar", *opcoes).recusa


def test_an_export_that_breaks_leaves_the_old_file(tmp_path: Path) -> None:
    arquivo = tmp_path / "agenda.csv"
    arquivo.write_text("antiga")

    def interrompida() -> Iterator[bytes]:
        yield b"nova"
        raise RuntimeError

    with pytest.raises(RuntimeError):
        escrever(interrompida(), arquivo)
    assert [a.name for a in tmp_path.iterdir()] == ["agenda.csv"]
    assert arquivo.read_text() == "antiga"
    escrever([b"nova"], arquivo)
    assert arquivo.read_text() == "nova"


def test_a_link_keeps_pointing_to_its_file(tmp_path: Path) -> None:
    (tmp_path / "real.csv").write_text("antiga")
    (tmp_path / "atual.csv").symlink_to("real.csv")
    escrever([b"nova"], tmp_path / "atual.csv")
    assert (tmp_path / "atual.csv").is_symlink()
    assert (tmp_path / "real.csv").read_text() == "nova"
    with pytest.raises(ErroDeConfiguracao, match="não é um arquivo comum"):
        escrever([b"nova"], tmp_path)


def test_rows_come_from_the_server_by_portions_of_one_moment(banco: Banco) -> None:
    """Rows that others change meanwhile stay as they were when the export began."""
    quantas = 3 * LINHAS_POR_VEZ
    banco.executar(MUITAS, quantas)
    lidas = agenda(banco.conexao, Filtro())
    primeira = next(lidas)
    outra = banco.abrir()
    outra.execute("update d5.backlog_items set posicao = posicao + 1, status = 'concluido'")
    outra.execute("delete from d5.backlog_items where posicao < 100")
    outra.close()
    todas: list[Any] = [primeira, *lidas]
    assert len(todas) == quantas
    assert {linha[COLUNAS.index("status")] for linha in todas} == {"disponivel"}
    assert [linha[:3] for linha in todas] == sorted(linha[:3] for linha in todas)


def test_a_reader_that_has_had_enough_is_no_error(banco: Banco, tmp_path: Path) -> None:
    """More than a pipe holds, and whoever reads closes it after a line."""
    banco.executar(MUITAS, 3_000)
    assert sum(map(len, em_csv(agenda(banco.conexao, Filtro())))) > 2**18
    ambiente = os.environ | {"D5_DATABASE_URL": banco.url}
    with subprocess.Popen(
        [D5, "exportar"], cwd=tmp_path, env=ambiente, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as processo:
        assert processo.stdout is not None
        assert processo.stderr is not None
        assert processo.stdout.readline().startswith(b"unidade_civica_id,")
        processo.stdout.close()
        assert processo.stderr.read() == b""
    assert processo.returncode == 0

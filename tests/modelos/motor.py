"""The dbt models on DuckDB, without a server: selection and order of a state in milliseconds.

DuckDB's tables are made from the columns and types that dbt_project/models/fontes.yml lists, without keys and defaults;
`test_documentacao.py` holds that list against the migrations.
"""

import re
from pathlib import Path
from typing import Any
from uuid import UUID

import duckdb
import msgspec

from d5_pipeline.recursos import PASTA_DBT
from d5_pipeline.repositorio.modelos import executar_dbt

Linha = dict[str, Any]

BACKLOG = """
    select unidade_civica_id, posicao, demanda_id, categoria_id, nivel_precedencia, score_final, prioritaria,
           nivel_nao_vencido, lat, lng
    from d5_modelos.backlog_ordenado
    where unidade_civica_id = any(cast($1 as uuid[]))
    order by unidade_civica_id, posicao
"""
NIVEIS = """
    select unidade_civica_id, nivel_nao_vencido
    from d5_modelos.nivel_nao_vencido
    where unidade_civica_id = any(cast($1 as uuid[]))
"""
VAGAS = """
    select unidade_civica_id, nivel, vagas
    from d5_modelos.vagas_por_nivel
    where unidade_civica_id = any(cast($1 as uuid[]))
"""


class Coluna(msgspec.Struct):
    """A column of a source; `data_type` is absent where no model reads the table."""

    name: str
    data_type: str | None = None


class Tabela(msgspec.Struct):
    name: str
    columns: list[Coluna] = []


class Fonte(msgspec.Struct):
    schema: str
    tables: list[Tabela]


class Fontes(msgspec.Struct):
    sources: list[Fonte]


def com_texto(linha: Linha) -> Linha:
    """The row with its uuids as str."""
    return {nome: str(valor) if isinstance(valor, UUID) else valor for nome, valor in linha.items()}


def tabelas_dos_modelos() -> dict[str, dict[str, str]]:
    """Columns and PostgreSQL types of the tables of schema d5 that the models read, in the order of fontes.yml."""
    fontes = msgspec.yaml.decode((PASTA_DBT / "models" / "fontes.yml").read_bytes(), type=Fontes)
    colunas = {
        tabela.name: {coluna.name: coluna.data_type for coluna in tabela.columns if coluna.data_type}
        for fonte in fontes.sources
        for tabela in fonte.tables
    }
    return {tabela: tipos for tabela, tipos in colunas.items() if tipos}


class ModelosDuckDB:
    """A state of schema d5 and the views over it. Nothing is ever committed: `limpar` and `fechar` drop the state.

    Any number of engines can work on one file at a time; none sees another's rows.
    """

    def __init__(self, arquivo: Path) -> None:
        self._conexao = duckdb.connect(str(arquivo))
        self._colunas = {tabela: tuple(tipos) for tabela, tipos in tabelas_dos_modelos().items()}
        self._conexao.begin()

    @staticmethod
    def construir(pasta: Path) -> Path:
        """Create the tables and deploy the views into a new file in `pasta`; takes seconds, once per test session."""
        arquivo = pasta / "modelos.duckdb"
        with duckdb.connect(str(arquivo)) as conexao:
            conexao.execute("create schema d5")
            for tabela, tipos in tabelas_dos_modelos().items():
                colunas = ", ".join(f"{nome} {_no_duckdb(tipo)}" for nome, tipo in tipos.items())
                conexao.execute(f"create table d5.{tabela} ({colunas})")
        saida = executar_dbt(["run", "--warn-error", "--target", "duckdb"], {"D5_DBT_DUCKDB": str(arquivo)}, pasta)
        assert saida.returncode == 0, saida.stdout + saida.stderr
        return arquivo

    def carregar(self, tabela: str, linhas: list[Linha]) -> None:
        """Append rows to a table of schema d5; columns that a row leaves out are null, unknown ones an error."""
        colunas = self._colunas[tabela]
        for linha in linhas:
            assert linha.keys() <= set(colunas), (tabela, linha.keys() - set(colunas))
        if linhas:
            valores: list[Any] = [tuple(linha.get(coluna) for coluna in colunas) for linha in linhas]
            self._conexao.values(*valores).insert_into(f"d5.{tabela}")

    def limpar(self) -> None:
        """Empty every table."""
        self._conexao.rollback()
        self._conexao.begin()

    def fechar(self) -> None:
        """Drop the state and let go of the file."""
        self._conexao.rollback()
        self._conexao.close()

    def backlog_ordenado(self, ucs: list[str]) -> list[Linha]:
        """Rows of the view for these units, by unit and position; uuids as str, scores as Decimal."""
        return self._linhas(BACKLOG, ucs)

    def nivel_nao_vencido(self, ucs: list[str]) -> dict[str, int | None]:
        """Current level of those of these units that have an active score."""
        return {linha["unidade_civica_id"]: linha["nivel_nao_vencido"] for linha in self._linhas(NIVEIS, ucs)}

    def vagas_por_nivel(self, ucs: list[str]) -> dict[str, dict[int | None, int]]:
        """Slots by level (None: uniform) of those of these units that have an active score."""
        vagas: dict[str, dict[int | None, int]] = {}
        for linha in self._linhas(VAGAS, ucs):
            vagas.setdefault(linha["unidade_civica_id"], {})[linha["nivel"]] = linha["vagas"]
        return vagas

    def leitura(self, visao: str) -> list[Linha]:
        """Every row of a reading view, uuids as str, in no order."""
        cursor = self._conexao.execute(f"from d5_leitura.{visao}")
        nomes = [str(coluna[0]) for coluna in cursor.description or []]
        return [com_texto(dict(zip(nomes, linha, strict=True))) for linha in cursor.fetchall()]

    def _linhas(self, consulta: str, ucs: list[str]) -> list[Linha]:
        cursor = self._conexao.execute(consulta, [ucs])
        nomes = [str(coluna[0]) for coluna in cursor.description or []]
        linhas = [dict(zip(nomes, linha, strict=True)) for linha in cursor.fetchall()]
        for linha in linhas:
            linha.update({nome: str(valor) for nome, valor in linha.items() if nome.endswith("_id") and valor})
        return linhas


def _no_duckdb(tipo: str) -> str:
    """DuckDB's name of a type of PostgreSQL's."""
    return re.sub(r"timestamp\(\d\)", "timestamp", tipo).replace("jsonb", "json")

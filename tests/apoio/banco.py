"""A test's database: events in, tables and publications out, in the form of the conformance files."""

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any

import psycopg
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from d5_pipeline.conexao import Conexao, conectar
from d5_pipeline.parametros import validar_parametros
from d5_pipeline.preparacao import carregar_parametros
from d5_pipeline.processamento.dreno import Dreno
from d5_pipeline.processamento.resumo import Resumo
from d5_pipeline.processamento.semeadura import semear

INSERIR_COM_NUMERO = """
    insert into core.event_log
        (sequence_number, event_id, tipo, versao_schema, origem, correlacao_id, payload, criado_em)
    overriding system value
    values (%(sequence_number)s, %(event_id)s, %(tipo)s, %(versao_schema)s, %(origem)s, %(correlacao_id)s, %(payload)s,
            %(criado_em)s)
"""
TABELAS = {
    "backlog_scores": "select demanda_id, unidade_civica_id, categoria_id, nivel_precedencia, score_final, "
    "peso_nacional, peso_situacional, score_horizontal, posicao_ranking, versao_parametros, event_id, correlacao_id, "
    "sequence_number from d5.backlog_scores order by demanda_id",
    "backlog_items": "select demanda_id, unidade_civica_id, posicao, score, status, grupo_id, categoria_id, "
    "nivel_precedencia, event_id, entrou_em, data_conclusao, dias_ate_conclusao from d5.backlog_items "
    "order by unidade_civica_id, posicao, demanda_id",
    "demandas_agregadas": "select demanda_id, agregado_id, representante_demanda_id, evento_id "
    "from d5.demandas_agregadas order by demanda_id",
    "coordenadas_demanda": "select demanda_id, lat, lng from d5.coordenadas_demanda order by demanda_id",
}


_numeros = count(1)


def clonar(servidor: str, modelo: str) -> str:
    """Copies a database under a new name, which it returns: a fixture may be set up any number of times."""
    nome = f"d5_teste_{next(_numeros)}"
    with psycopg.connect(servidor.format("postgres"), autocommit=True) as conexao:
        conexao.execute(
            psycopg.sql.SQL("create database {} template {}").format(
                psycopg.sql.Identifier(nome), psycopg.sql.Identifier(modelo)
            )
        )
    return nome


class Banco:
    """A prepared database and what tests do with it."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.conexao = self.abrir()
        self._ultimo_alheio = 0

    def abrir(self) -> Conexao:
        """Another connection."""
        return conectar(self.url)

    def fechar(self) -> None:
        """Closes the test's connection."""
        self.conexao.close()

    def parametrizar(self, parametros: Mapping[str, Any]) -> None:
        """Makes them the current parameters."""
        carregar_parametros(self.conexao, validar_parametros(dict(parametros), "teste"))

    def acrescentar(self, eventos: Iterable[Mapping[str, Any]]) -> None:
        """Appends events in the form of the conformance files, under their own numbers."""
        linhas = [{**evento, "payload": Jsonb(evento["payload"], dumps=_dumps)} for evento in eventos]
        with self.conexao.cursor() as cursor:
            cursor.executemany(INSERIR_COM_NUMERO, linhas)
        self._ultimo_alheio = max((int(linha["sequence_number"]) for linha in linhas), default=self._ultimo_alheio)
        self.executar(
            "select setval(pg_get_serial_sequence('core.event_log', 'sequence_number'), %s)", self._ultimo_alheio
        )

    def semear(self, desde_inicio: bool = True) -> int | None:
        """Seeds the cursors."""
        return semear(self.conexao, desde_inicio)

    def processar(self, lote: int = 5_000) -> Resumo:
        """What `d5 processar` does."""
        return Dreno(self.abrir, lote).drenar()

    def executar(self, comando: str, *valores: object) -> None:
        """Runs a statement."""
        self.conexao.execute(psycopg.sql.SQL(comando), valores)

    def consultar(self, consulta: str, *valores: object) -> list[dict[str, Any]]:
        """Rows as dictionaries."""
        with self.conexao.cursor(row_factory=dict_row) as cursor:
            return cursor.execute(psycopg.sql.SQL(consulta), valores).fetchall()

    def valor(self, consulta: str, *valores: object) -> Any:
        """The only value of the only row."""
        (linha,) = self.consultar(consulta, *valores)
        (valor,) = linha.values()
        return valor

    def publicacoes(self) -> list[dict[str, Any]]:
        """What D-5 published after the neighbours' last event, in order."""
        return self.consultar(
            "select tipo, correlacao_id, payload from core.event_log "
            "where origem = 'D-5' and sequence_number > %s order by sequence_number",
            self._ultimo_alheio,
        )

    def resultado(self) -> dict[str, Any]:
        """Tables and publications in the form of a conformance file's `esperado`."""
        cursores = self.consultar("select tipo_evento, last_sequence from d5.consumer_offset")
        descartados = self.consultar("select sequence_number from d5.eventos_descartados order by 1")
        return {
            **{tabela: self.consultar(consulta) for tabela, consulta in TABELAS.items()},
            "consumer_offset": {linha["tipo_evento"]: linha["last_sequence"] for linha in cursores},
            "descartados": [linha["sequence_number"] for linha in descartados],
            "publicacoes": self.publicacoes(),
        }


def _dumps(payload: object) -> str:
    return json.dumps(payload, default=str)


def rodar(
    banco: Banco, parametros: Mapping[str, Any], eventos: Sequence[Mapping[str, Any]], lote: int
) -> dict[str, Any]:
    """A whole log from its first event through `d5 processar`'s own code path."""
    banco.parametrizar(parametros)
    banco.acrescentar(eventos)
    banco.semear()
    banco.processar(lote)
    return banco.resultado()

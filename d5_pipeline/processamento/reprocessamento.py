"""`d5 reprocessar`: the whole projection once more from the log, compared with the live tables (D32).

It starts at the seed point, repeats the interventions in their place, publishes nothing, and leaves the live tables
alone unless it is told to put its rows in their place.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from psycopg import sql

from d5_pipeline.barramento.leitor import ler_trecho, maior_sequencia
from d5_pipeline.conexao import Conexao
from d5_pipeline.consultas import consultas
from d5_pipeline.dominio.eventos import RECONSTRUCAO_MANUAL, Evento, ReconstrucaoManual
from d5_pipeline.erros import ErroDeConfiguracao
from d5_pipeline.parametros import Parametros
from d5_pipeline.processamento.entrada import lote_de_evento, validar_leitura
from d5_pipeline.processamento.lote import agora, aplicar_ondas, concluir
from d5_pipeline.processamento.reenvio import reaplicar
from d5_pipeline.processamento.sombra import ESQUEMA
from d5_pipeline.repositorio import cursores, intervencoes
from d5_pipeline.repositorio import parametros as repositorio_parametros
from d5_pipeline.repositorio.intervencoes import NINGUEM, Autoria, Intervencao

_sql = consultas("reprocessamento")

TABELAS = {
    "backlog_scores": [],
    "backlog_items": [],
    "coordenadas_demanda": [],
    "demandas_agregadas": [],
    "situacao_demandas": [],
    "anuncios_por_uc": [],
    "unidades_civicas": [],
    "transicoes_status": ["id"],
}
"""Tables of the projection → columns that a replay draws anew."""


@dataclass
class Relatorio:
    """What a replay did and found; differences by table, at most `AMOSTRA` rows of each."""

    eventos: int = 0
    intervencoes: int = 0
    ate: int = 0
    trocado: bool = False
    diferencas: dict[str, int] = field(default_factory=dict)
    amostra: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """Rows that only one side has."""
        return sum(self.diferencas.values())


AMOSTRA = 5


class Reprocessamento:
    """One replay over a live connection and its shadow."""

    def __init__(self, viva: Conexao, sombra: Conexao, lote: int, ao_avancar: Callable[[int], None]) -> None:
        self._viva = viva
        self._sombra = sombra
        self._lote = lote
        self._ao_avancar = ao_avancar
        self._mortas = {event_id for (event_id,) in _sql.mortas(viva)}
        self._vistas: set[str] = set()
        self._feitas = 0
        self.relatorio = Relatorio()

    def executar(self, trocar: bool, autoria: Autoria = NINGUEM) -> Relatorio:
        """Replays up to the present, then, with writers held back for a moment, the rest; compares, and exchanges."""
        self._refazer()
        with cursores.transacao_cercada(self._viva):
            self._refazer()
            self._comparar()
            if trocar and self.relatorio.total:
                self._trocar(autoria)
        return self.relatorio

    def _refazer(self) -> None:
        """Interventions not yet repeated, each after the stretch of the log before it; then the rest of the log."""
        todas = intervencoes.listar(self._viva)
        if not any(intervencao.tipo == "semeadura" for intervencao in todas):
            raise ErroDeConfiguracao(
                "não há ponto de partida registrado: os cursores não foram semeados por 'd5 iniciar'"
            )
        for intervencao in todas[self._feitas :]:
            self._percorrer(intervencao.aplicado_ate)
            self._repetir(intervencao)
            self._feitas += 1
            self.relatorio.intervencoes += 1
        self.relatorio.ate = cursores.posicoes(self._viva).alto
        self._percorrer(self.relatorio.ate)

    def _percorrer(self, ate: int) -> None:
        while cursores.semeados(self._sombra) and cursores.posicoes(self._sombra).desde < ate:
            with cursores.transacao_cercada(self._sombra):
                leitura = ler_trecho(self._sombra, cursores.posicoes(self._sombra), ate, self._lote)
                presentes = [e for e in leitura.envelopes if self._cabe(e.event_id)]
                lote = validar_leitura(self._sombra, leitura._replace(envelopes=presentes))
                aplicar_ondas(self._sombra, lote)
                concluir(self._sombra, lote, agora)
            self.relatorio.eventos += len(presentes)
            self._ao_avancar(leitura.ate)

    def _cabe(self, event_id: str) -> bool:
        """An event that failed when it was first read takes effect at its re-drive or redelivery, not here."""
        if event_id not in self._mortas or event_id in self._vistas:
            return True
        self._vistas.add(event_id)
        return False

    def _repetir(self, intervencao: Intervencao) -> None:
        argumentos = intervencao.argumentos
        with cursores.transacao_cercada(self._sombra):
            match intervencao.tipo:
                case "semeadura":
                    cursores.semear(self._sombra, argumentos["posicao"])
                case "parametros":
                    parametros = Parametros.model_validate(argumentos)
                    repositorio_parametros.carregar(self._sombra, parametros, intervencao.id)
                case "cursores":
                    fim = maior_sequencia(self._viva)
                    cursores.definir(self._sombra, argumentos["tipos"], argumentos["posicao"], fim)
                case "reconstrucao":
                    self._reconstruir(intervencao)
                case "reenvio":
                    reaplicar(self._sombra, argumentos["sequencias"], agora)
                case "encerramento" | "reprocessamento":
                    pass  # they change no row of the projection

    def _reconstruir(self, intervencao: Intervencao) -> None:
        unidades: Sequence[str] = intervencao.argumentos["unidades"]
        dados = ReconstrucaoManual(tuple(unidades))
        posicao, id_ = intervencao.aplicado_ate, intervencao.id
        evento = Evento(posicao, id_, RECONSTRUCAO_MANUAL, "", id_, intervencao.quando, dados)
        lote = lote_de_evento(self._sombra, evento)
        aplicar_ondas(self._sombra, lote)
        concluir(self._sombra, lote, agora)

    def _comparar(self) -> None:
        for tabela, ignoradas in TABELAS.items():
            consulta = _preencher(_sql.diferencas.sql, tabela)
            linhas = self._viva.execute(consulta, {"ignoradas": ignoradas}).fetchall()
            self._anotar(tabela, [{"onde": onde, "linha": linha} for onde, linha in linhas])
        semeadura = next(i for i in intervencoes.listar(self._viva) if i.tipo == "semeadura")
        vivas = list(_sql.publicadas(self._viva, desde=semeadura.argumentos["posicao"]))
        refeitas = list(_sql.refeitas(self._viva))
        self._anotar("publicacoes", _desencontros(vivas, refeitas))

    def _anotar(self, nome: str, achados: list[dict[str, Any]]) -> None:
        if achados:
            self.relatorio.diferencas[nome] = len(achados)
            self.relatorio.amostra[nome] = achados[:AMOSTRA]

    def _trocar(self, autoria: Autoria) -> None:
        """Rows for rows in one transaction; what was published stays published."""
        for tabela in TABELAS:
            self._viva.execute(_preencher(_sql.esvaziar.sql, tabela))
            self._viva.execute(_preencher(_sql.preencher.sql, tabela))
        _sql.numerar_adiante(self._viva)
        argumentos: dict[str, object] = {"diferencas": self.relatorio.diferencas}
        intervencoes.registrar(self._viva, "reprocessamento", agora(), argumentos, autoria)
        self.relatorio.trocado = True


def _preencher(consulta: str, tabela: str) -> sql.Composed:
    return sql.SQL(consulta).format(viva=sql.Identifier("d5", tabela), sombra=sql.Identifier(ESQUEMA, tabela))


def _desencontros(vivas: list[tuple[Any, ...]], refeitas: list[tuple[Any, ...]]) -> list[dict[str, Any]]:
    """Places, unit by unit, at which the two sequences of publications differ."""
    por_unidade: dict[str, tuple[list[Any], list[Any]]] = {}
    for lado, linhas in enumerate((vivas, refeitas)):
        for unidade, *resto in linhas:
            por_unidade.setdefault(unidade, ([], []))[lado].append(resto)
    achados = []
    for unidade, (viva, refeita) in sorted(por_unidade.items()):
        for indice in range(max(len(viva), len(refeita))):
            aqui, la = viva[indice : indice + 1], refeita[indice : indice + 1]
            if aqui != la:
                achados.append({"unidade_civica_id": unidade, "ordem": indice + 1, "viva": aqui, "refeita": la})
    return achados

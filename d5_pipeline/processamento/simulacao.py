"""Dry runs: the rebuild's own steps up to the writing, over one snapshot; what would change, unit by unit.

Everything here runs inside a `fotografia`: no lock on a row, nothing that stays.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from d5_pipeline.conexao import Conexao
from d5_pipeline.consultas import consultas
from d5_pipeline.dominio.agenda_builder import Agenda
from d5_pipeline.dominio.balanco import DiferencaDaUnidade, Distribuicao, contar, retratar
from d5_pipeline.dominio.diferencas import Lugar, comparar, lugares
from d5_pipeline.dominio.eventos import RECONSTRUCAO_MANUAL, Evento, ReconstrucaoManual
from d5_pipeline.dominio.tempo import centesimos
from d5_pipeline.parametros import Parametros
from d5_pipeline.processamento.entrada import Lote, lote_de_evento
from d5_pipeline.processamento.lote import agora, aplicar_onda, calcular
from d5_pipeline.repositorio import cursores, diagnostico
from d5_pipeline.repositorio.parametros import Provisorios

_sql = consultas("simulacao")

UNIDADES_POR_VEZ = 200
"""Units whose agendas are in memory at a time."""


class Alcance(Struct, frozen=True):
    """How far the log was applied when the snapshot was taken, and how many consumed events lie above."""

    aplicado_ate: int
    eventos_por_aplicar: int

    @property
    def ressalva(self) -> str | None:
        """What the dry run could not know, as a sentence; None where it knew everything."""
        if not self.eventos_por_aplicar:
            return None
        return (
            f"A comparação vale para o log aplicado até {self.aplicado_ate}; há {self.eventos_por_aplicar} evento(s) "
            "ainda não aplicado(s), que podem mudá-la (aplique-os antes com 'd5 processar')."
        )


def alcance(conexao: Conexao) -> Alcance:
    """What a dry run does not know yet; zeros before the first boot."""
    if not cursores.semeados(conexao):
        return Alcance(0, 0)
    return Alcance(cursores.posicoes(conexao).alto, diagnostico.eventos_por_aplicar(conexao))


def simular_pedido(conexao: Conexao, unidades: Sequence[str]) -> Lote:
    """A manual rebuild that is no intervention: it leaves no trace, so it needs no id of its own."""
    nulo = "00000000-0000-0000-0000-000000000000"
    dados = ReconstrucaoManual(tuple(unidades))
    evento = Evento(0, nulo, RECONSTRUCAO_MANUAL, "", nulo, centesimos(agora()), dados)
    return lote_de_evento(conexao, evento, simulado=True)


def simular_rebuild(conexao: Conexao, unidades: Sequence[str]) -> Iterator[DiferencaDaUnidade]:
    """Every unit in order, changed or not, against the rows of its backlog."""
    for pedaco in _pedacos(unidades):
        yield from comparar_com_as_linhas(conexao, _reconstruidas(conexao, pedaco))


def comparar_onda(conexao: Conexao, agendas: Sequence[Agenda]) -> tuple[Alcance, list[DiferencaDaUnidade]]:
    """The same for a wave that went through the stages one by one."""
    return alcance(conexao), comparar_com_as_linhas(conexao, agendas)


def comparar_com_as_linhas(conexao: Conexao, agendas: Sequence[Agenda]) -> list[DiferencaDaUnidade]:
    """What writing these agendas would change: rows outside them go, aggregated ones excepted (3.11 e, f)."""
    linhas = _linhas(conexao, agendas)
    distribuicoes = _distribuicoes(conexao, [agenda.unidade_civica_id for agenda in agendas])
    diferencas = []
    for agenda in agendas:
        unidade, depois = agenda.unidade_civica_id, lugares(agenda)
        proprias = {d: lugar for d, lugar in linhas[unidade].items() if lugar.unidade_alheia is None}
        mudancas = comparar(linhas[unidade], depois)
        retrato = retratar(depois, distribuicoes.get(unidade), agenda.anunciada)
        diferencas.append(DiferencaDaUnidade(unidade, contar(mudancas), retratar(proprias), retrato, mudancas))
    return diferencas


def simular_parametros(
    conexao: Conexao, parametros: Parametros, unidades: Sequence[str]
) -> Iterator[DiferencaDaUnidade]:
    """Every unit in order, changed or not: rebuilt with the present parameters and with these. Needs a snapshot that
    may be written to."""
    provisorios = Provisorios(conexao, parametros)
    for pedaco in _pedacos(unidades):
        atuais = _reconstruidas(conexao, pedaco)
        vigentes = comparar_com_as_linhas(conexao, atuais)
        with provisorios.valendo():
            novas = _reconstruidas(conexao, pedaco)
            distribuicoes = _distribuicoes(conexao, pedaco)
        for vigente, atual, nova in zip(vigentes, atuais, novas, strict=True):
            depois = lugares(nova)
            mudancas = comparar(lugares(atual), depois)
            retrato = retratar(depois, distribuicoes.get(nova.unidade_civica_id), nova.anunciada)
            yield DiferencaDaUnidade(
                nova.unidade_civica_id, contar(mudancas), vigente.depois, retrato, mudancas, vigente.contagem
            )


def _pedacos(unidades: Sequence[str]) -> Iterator[list[str]]:
    ordenadas = sorted(unidades)
    for inicio in range(0, len(ordenadas), UNIDADES_POR_VEZ):
        yield ordenadas[inicio : inicio + UNIDADES_POR_VEZ]


def _reconstruidas(conexao: Conexao, unidades: Sequence[str]) -> list[Agenda]:
    lote = simular_pedido(conexao, unidades)
    _, prontas = calcular(conexao, lote, aplicar_onda(conexao, lote, lote.eventos))
    return prontas


def _linhas(conexao: Conexao, agendas: Sequence[Agenda]) -> dict[str, dict[str, Lugar]]:
    """unit → its rows by demand, and the rows of other units that its agenda takes over."""
    linhas: dict[str, dict[str, Lugar]] = {agenda.unidade_civica_id: {} for agenda in agendas}
    de_quem = {item.demanda_id: item.unidade_civica_id for agenda in agendas for item in agenda.itens}
    for demanda, unidade in _sql.linhas_fora_do_backlog(conexao, demandas=list(de_quem)):
        linhas[de_quem[demanda]][demanda] = Lugar(0, None, unidade)
    for linha in diagnostico.agenda(conexao, list(linhas)):
        lugar = Lugar(linha["posicao"], linha["grupo_id"])
        linhas[linha["unidade_civica_id"]][linha["demanda_id"]] = lugar
    return linhas


def _distribuicoes(conexao: Conexao, unidades: Sequence[str]) -> dict[str, Distribuicao]:
    linhas = _sql.distribuicoes(conexao, unidades=list(unidades))
    return {unidade: Distribuicao(nivel, vagas) for unidade, nivel, vagas in linhas}

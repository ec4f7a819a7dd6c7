"""A random log, and what must be left of it however often its processing was disturbed."""

from dataclasses import dataclass
from typing import Any

from tests.apoio.banco import Banco
from tests.referencia.comparacao import comparar
from tests.referencia.logs import log_aleatorio
from tests.referencia.modelo import ModeloLiteral

TRANSICOES = """
    select demanda_id, de, para, tipo_evento, event_id, sequence_number, ocorreu_em
    from d5.transicoes_status order by sequence_number, demanda_id, para, de
"""
ANUNCIOS = "select unidade_civica_id, demanda_id, event_id from d5.anuncios_por_uc order by 1"
SITUACOES = "select * from d5.situacao_demandas order by demanda_id"
MORTAS = "select sequence_number, event_id, tipo, motivo, tentativas, situacao from d5.dlq order by sequence_number"
VENENO = """
    create function public.recusar() returns trigger language plpgsql as $$
    begin
        raise exception 'valor que não serve';
    end $$
"""


@dataclass(frozen=True)
class Corrida:
    """The log of a seed; with `veneno`, one of its scores cannot be written."""

    semente: int
    eventos: int = 240
    veneno: bool = False

    def log(self) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Parameters and events."""
        return log_aleatorio(self.semente, self.eventos)

    def carregar(self, banco: Banco) -> None:
        """Parameters, events and seeded cursors."""
        parametros, eventos = self.log()
        banco.parametrizar(parametros)
        banco.acrescentar(eventos)
        banco.semear()
        if self.veneno:
            banco.executar(VENENO)
            banco.executar(
                "create trigger veneno before insert or update on d5.backlog_scores for each row "
                f"when (new.event_id = '{self._envenenado()}') execute function public.recusar()"
            )

    def modelo(self) -> ModeloLiteral:
        """The literal model after the log; it never sees the poisonous event."""
        parametros, eventos = self.log()
        modelo = ModeloLiteral(parametros)
        for evento in eventos:
            if not self.veneno or evento["event_id"] != self._envenenado():
                modelo.aplicar(evento)
        return modelo

    def _envenenado(self) -> str:
        """A score in the middle of the log that an undisturbed log would store."""
        parametros, eventos = self.log()
        modelo = ModeloLiteral(parametros)
        aceitos: list[str] = []
        for evento in eventos[: len(eventos) // 2]:
            modelo.aplicar(evento)
            aceitos += [s["event_id"] for s in modelo.scores.values() if s["event_id"] == evento["event_id"]]
        return aceitos[-1]


def diferencas(disturbado: Banco, sereno: Banco, corrida: Corrida) -> list[str]:
    """How a disturbed run's database differs from the literal model's result and from an undisturbed database."""
    return divergencias(disturbado, sereno, corrida.modelo())


def divergencias(disturbado: Banco, sereno: Banco, modelo: ModeloLiteral) -> list[str]:
    """The same for a log of any origin."""
    obtido = disturbado.resultado()
    linhas = [f"modelo: {linha}" for linha in comparar(obtido, modelo.resultado())]
    linhas += [f"corrida serena: {linha}" for linha in comparar(obtido, sereno.resultado())]
    for consulta in (TRANSICOES, ANUNCIOS, SITUACOES, MORTAS):
        if disturbado.consultar(consulta) != sereno.consultar(consulta):
            linhas.append(f"difere: {consulta}")
    if disturbado.valor("select count(*) from d5.publicacoes_pendentes"):
        linhas.append("há publicações pendentes")
    return linhas

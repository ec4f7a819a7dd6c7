"""What waits in the database, read without changing anything: for whoever decides whether to process now."""

from dataclasses import dataclass

from d5_pipeline.barramento import dlq, leitor, publicador
from d5_pipeline.barramento.espera import lacuna_presa
from d5_pipeline.conexao import Conexao
from d5_pipeline.dominio.lacunas import Lacuna
from d5_pipeline.repositorio import cursores


@dataclass(frozen=True)
class Situacao:
    """Positions and what lies above them."""

    semeada: bool
    publicacoes: bool
    """Whether publications wait in the outbox."""
    eventos: bool
    """Whether consumed events lie above their positions."""
    aplicado_ate: int
    fim_do_log: int
    reenvios: bool = False
    """Whether a dead letter's next attempt is due."""
    lacuna: Lacuna | None = None
    """The hole right above the applied position, while one of the transactions that may fill it is alive."""


def observar(conexao: Conexao) -> Situacao:
    """Reads the situation. Raises ErroDeConfiguracao where a cursor is missing."""
    fim = leitor.maior_sequencia(conexao)
    if not cursores.semeados(conexao):
        return Situacao(semeada=False, publicacoes=False, eventos=False, aplicado_ate=0, fim_do_log=fim)
    posicoes = cursores.posicoes(conexao)
    return Situacao(
        semeada=True,
        publicacoes=publicador.ha_pendentes(conexao),
        eventos=leitor.ha_eventos(conexao, posicoes),
        reenvios=dlq.ha_vencidas(conexao),
        aplicado_ate=posicoes.desde,
        fim_do_log=fim,
        lacuna=lacuna_presa(conexao, posicoes.desde),
    )


def ha_trabalho(conexao: Conexao) -> bool:
    """Whether anything waits to be applied or published."""
    situacao = observar(conexao)
    return situacao.publicacoes or situacao.eventos or situacao.reenvios

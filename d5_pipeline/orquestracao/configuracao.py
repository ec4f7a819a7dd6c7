"""What the Launchpad asks an operator: typed, with defaults and an example ready to run.

Belongs here: fields, their descriptions, who is taken to have launched the run. Does not: what the ops do with them.
"""

from enum import Enum
from typing import Final

from dagster import Config, OpExecutionContext
from pydantic import Field

from d5_pipeline.repositorio.intervencoes import Autoria, autoria

ETIQUETA_DO_USUARIO: Final = "user"
"""Tag under which Dagster keeps who launched a run, where it knows."""

POR_QUE_RECONSTRUIR: Final = "rebuild pedido pela interface"
_QUEM: Final = "Quem intervém; vazio: quem lançou a execução, se o Dagster souber, senão 'Dagster'. Fica registrado."


class ConfiguracaoDaReconstrucao(Config):
    """What the Launchpad asks for a manual rebuild."""

    unidades: list[str] = Field(
        [],
        description='Unidades cívicas (UUID) a reconstruir, por exemplo ["f0000001-0000-4000-8000-000000000001"]; '
        "vazia quando `todas` é true.",
    )
    todas: bool = Field(False, description="Reconstruir todas as unidades conhecidas; exclui a lista.")
    simular: bool = Field(
        False, description="Só mostrar o que mudaria, nos metadados de `persistir`: nada é gravado nem publicado."
    )
    quem: str = Field("", description=_QUEM)
    por_que: str = Field(POR_QUE_RECONSTRUIR, description="Por que se reconstrói; fica registrado.")


EXEMPLO_DA_RECONSTRUCAO: Final = {
    "ops": {
        "pedir": {
            "config": {"unidades": [], "todas": True, "simular": True, "quem": "", "por_que": POR_QUE_RECONSTRUIR}
        }
    }
}
"""What the Launchpad starts with: a look at every unit that changes nothing."""


class OrigemDoReenvio(Enum):
    """Where the events wait."""

    dlq = "dlq"
    descartes = "descartes"


class ConfiguracaoDoReenvio(Config):
    """What the Launchpad asks for a re-drive."""

    origem: OrigemDoReenvio = Field(OrigemDoReenvio.dlq, description="De onde: DLQ ou eventos descartados.")
    eventos: list[str] = Field([], description="event_id ou número de sequência; vazio: tudo o que está à espera.")
    quem: str = Field("", description=_QUEM)
    por_que: str = Field("reenvio pedido pela interface", description="Por que se reenvia; fica registrado.")


class ConfiguracaoDoDreno(Config):
    """How long a run drains, in seconds."""

    prazo: float = Field(600, gt=0, description="Segundos até deixar o resto para a próxima execução.")
    permanencia: float = Field(1.5, ge=0, description="Segundos de espera pelo próximo evento de uma cascata.")


def assinar(context: OpExecutionContext, quem: str, por_que: str) -> Autoria:
    """Author and reason of what this run does. Raises ErroDeConfiguracao where they are too long or not printable."""
    assinada = autoria(quem or context.run_tags.get(ETIQUETA_DO_USUARIO), por_que)
    return assinada if assinada.quem else Autoria("Dagster", assinada.por_que)

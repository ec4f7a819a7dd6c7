"""Plain polling, for comparison: the project's job behind a sensor that looks once per tick, every five seconds."""

from dagster import DefaultSensorStatus, Definitions, RunRequest, SensorEvaluationContext, SkipReason, sensor

from d5_pipeline.orquestracao.recursos import BancoD5, em_memoria
from d5_pipeline.orquestracao.trabalhos import processar_eventos
from d5_pipeline.processamento.situacao import ha_trabalho


@sensor(job=processar_eventos, minimum_interval_seconds=5, default_status=DefaultSensorStatus.RUNNING)
def olhar_o_log(_: SensorEvaluationContext, banco: BancoD5) -> RunRequest | SkipReason:
    """One look."""
    with banco.abrir() as conexao:
        return RunRequest() if ha_trabalho(conexao) else SkipReason("nada pendente")


defs = Definitions(
    jobs=[processar_eventos], sensors=[olhar_o_log], resources={"banco": BancoD5(), "io_manager": em_memoria}
)

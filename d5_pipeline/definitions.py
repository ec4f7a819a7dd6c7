"""Composition root: everything Dagster shows, put together once."""

import gc

from dagster import Definitions

from d5_pipeline.orquestracao.ativos import ativos
from d5_pipeline.orquestracao.avisos import aviso_de_falha
from d5_pipeline.orquestracao.recursos import BancoD5, em_memoria
from d5_pipeline.orquestracao.retencao import retencao_diaria, reter_execucoes
from d5_pipeline.orquestracao.sensores import vigia_do_log
from d5_pipeline.orquestracao.trabalhos import processar_eventos, reconstruir_agenda, reenviar_dlq
from d5_pipeline.orquestracao.verificacoes import VERIFICACOES, verificacao_horaria, verificar


def build_defs(banco: BancoD5 | None = None) -> Definitions:
    """The definitions, on another database where one is given."""
    return Definitions(
        assets=ativos(),
        asset_checks=VERIFICACOES,
        jobs=[processar_eventos, reconstruir_agenda, reenviar_dlq, reter_execucoes, verificar],
        schedules=[retencao_diaria, verificacao_horaria],
        sensors=[vigia_do_log, aviso_de_falha],
        resources={"banco": banco or BancoD5(), "io_manager": em_memoria},
    )


defs = build_defs()
gc.freeze()  # all that was imported stays: see orquestracao/__init__.py

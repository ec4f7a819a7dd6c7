"""Applying one event: read, apply, publish, commit."""

import time
from contextlib import closing

from bench.carga import SO_INCREMENTAIS, Cidade, acrescentar, parametros
from bench.medida import Contexto, Cronometro, Medida, Meta, figura
from bench.preparo import com_log, drenar
from bench.referencia.processador import Referencia
from d5_pipeline.barramento import publicador
from d5_pipeline.conexao import Conexao, conectar
from d5_pipeline.processamento.dreno import LOTE_PADRAO
from d5_pipeline.processamento.lote import processar_lote

UNIDADES = 200


@figura("um_evento")
def aplicar_um_evento(ctx: Contexto) -> list[Medida]:
    """The same events one by one into two equal databases, each side in turn, over open connections."""
    antes, eventos = ctx.tamanho((20_000, 1_000), (500, 30))
    cidade = Cidade(UNIDADES)
    base = com_log(ctx.servidor, antes, UNIDADES, cidade)
    ctx.dizer(f"um evento: estado inicial de {antes} eventos")
    drenar(ctx.servidor.url(base))
    cidade.mistura = SO_INCREMENTAIS
    motor, referencia = Cronometro(), Cronometro()
    with (
        ctx.servidor.copia(base) as do_motor,
        ctx.servidor.copia(base) as da_referencia,
        closing(conectar(do_motor)) as um,
        closing(conectar(da_referencia)) as outro,
    ):
        ctx.dizer(f"um evento: {eventos} de cada lado")
        passo_a_passo = Referencia(outro, parametros(UNIDADES), desde=_fim_do_log(outro))
        for numero, evento in enumerate(cidade.eventos(eventos)):
            acrescentar(um, [evento])
            acrescentar(outro, [evento])
            lados = (lambda: _aplicar(um, motor), lambda: _aplicar_passo_a_passo(passo_a_passo, referencia))
            for lado in lados if numero % 2 else reversed(lados):
                lado()
    lado_do_motor, lado_da_referencia = motor.serie("motor", "ms"), referencia.serie("referência", "ms")
    trabalho = f"one event on a state of {antes:,}, no rebuild among them: read, apply, publish, commit; {eventos:,} events"
    contra = "one statement per step, prepared, one commit"
    return [
        Medida(
            "um_evento",
            "applying, one event: p50",
            trabalho,
            contra,
            (lado_do_motor, lado_da_referencia),
            lado_do_motor.mediana / lado_da_referencia.mediana,
            Meta("≤", 0.5),
        ),
        Medida(
            "um_evento",
            "applying, one event: p95 against the reference's p50",
            trabalho,
            contra,
            (lado_do_motor, lado_da_referencia),
            lado_do_motor.p95 / lado_da_referencia.mediana,
            Meta("≤", 1),
        ),
    ]


def _aplicar(conexao: Conexao, cronometro: Cronometro) -> None:
    with cronometro.medir():
        processar_lote(conexao, LOTE_PADRAO)
        publicador.publicar_pendentes(conexao, time.sleep)


def _aplicar_passo_a_passo(referencia: Referencia, cronometro: Cronometro) -> None:
    with cronometro.medir():
        referencia.aplicar_um()


def _fim_do_log(conexao: Conexao) -> int:
    from d5_pipeline.barramento.leitor import maior_sequencia

    return maior_sequencia(conexao)

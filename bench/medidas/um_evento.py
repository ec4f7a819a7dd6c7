"""Applying one event: read, apply, publish, commit."""

import time
from contextlib import closing

from bench.carga import SO_INCREMENTAIS, Cidade, parametros
from bench.gravacao import acrescentar
from bench.medida import Contexto, Cronometro, Medida, Meta, figura
from bench.preparo import com_log, drenar
from bench.referencia.processador import Referencia
from d5_pipeline.barramento import publicador
from d5_pipeline.barramento.leitor import maior_sequencia
from d5_pipeline.conexao import Conexao, conectar
from d5_pipeline.processamento.dreno import LOTE_PADRAO
from d5_pipeline.processamento.lote import processar_lote

UNIDADES = 200


@figura("um_evento")
def aplicar_um_evento(ctx: Contexto) -> list[Medida]:
    """Ranked, located and status events one by one, after a state that a drain left."""
    antes, eventos = ctx.tamanho((20_000, 1_000), (500, 30))
    cidade = Cidade(UNIDADES)
    base = com_log(ctx.servidor, antes, UNIDADES, cidade)
    ctx.dizer(f"um evento: estado inicial de {antes} eventos")
    drenar(ctx.servidor.url(base))
    ctx.dizer(f"um evento: {eventos} de cada lado")
    cidade.mistura = SO_INCREMENTAIS
    motor, referencia = _medir(ctx, base, cidade, eventos)
    nosso, deles = motor.serie("d5", "ms"), referencia.serie("reference", "ms")
    trabalho = f"read, apply, publish and commit one event on a state of {antes:,}; {eventos:,} events, no rebuild"
    contra = "one statement per step, prepared, one commit"
    return [
        Medida(
            "um_evento",
            "applying, one event: p50",
            trabalho,
            contra,
            (nosso, deles),
            nosso.mediana / deles.mediana,
            Meta("≤", 0.5),
        ),
        Medida(
            "um_evento",
            "applying, one event: p95 against the reference's p50",
            trabalho,
            contra,
            (nosso, deles),
            nosso.p95 / deles.mediana,
            Meta("≤", 1),
        ),
    ]


def _medir(ctx: Contexto, base: str, cidade: Cidade, eventos: int) -> tuple[Cronometro, Cronometro]:
    """The same events into two equal databases over open connections; which side goes first alternates."""
    motor, referencia = Cronometro(), Cronometro()
    with (
        ctx.servidor.copia(base) as do_motor,
        ctx.servidor.copia(base) as da_referencia,
        closing(conectar(do_motor)) as um,
        closing(conectar(da_referencia)) as outro,
    ):
        passo_a_passo = Referencia(outro, parametros(UNIDADES), desde=maior_sequencia(outro))
        ctx.servidor.assentar()
        for numero, evento in enumerate(cidade.eventos(eventos)):
            acrescentar(um, [evento])
            acrescentar(outro, [evento])
            if numero % 2:
                _aplicar(um, motor)
            with referencia.medir():
                passo_a_passo.aplicar_um()
            if not numero % 2:
                _aplicar(um, motor)
    return motor, referencia


def _aplicar(conexao: Conexao, cronometro: Cronometro) -> None:
    with cronometro.medir():
        if processar_lote(conexao, LOTE_PADRAO).publicacoes:
            list(publicador.publicar_pendentes(conexao, time.sleep))

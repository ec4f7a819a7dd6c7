"""Hours of trouble in two minutes (ten with D5_SOAK_SEGUNDOS=600): the tables equal a single-threaded replay."""

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.aceitacao.faltas.corrida import divergencias
from tests.apoio.banco import Banco
from tests.apoio.escritor import ESCRITORES, log_dos_escritores
from tests.apoio.parada import RAIZ
from tests.apoio.processador import Processador
from tests.apoio.servidor import ServidorProprio
from tests.referencia.modelo import ModeloLiteral

pytestmark = pytest.mark.faltas

SEGUNDOS = float(os.environ.get("D5_SOAK_SEGUNDOS", "120"))
SEMENTE = 7
INTERVALO = (2.0, 6.0)  # seconds between two faults
PARTE_DO_SERVIDOR = 0.25  # of the faults
SEM_BANCO = ("d5: sem conexão com o banco", "d5: o banco recusou a operação")  # a command that met a bounce says so


def iniciar_escritores(url: str) -> list[subprocess.Popen[str]]:
    """Four processes that append events for SEGUNDOS."""
    comando = [sys.executable, "-m", "tests.apoio.escritor", url, str(SEMENTE)]
    return [
        subprocess.Popen([*comando, str(indice), str(SEGUNDOS)], cwd=RAIZ, stdout=subprocess.PIPE, text=True)
        for indice in range(ESCRITORES)
    ]


def perturbar(servidor: ServidorProprio, processadores: list[Processador]) -> int:
    """Kills and bounces at random until the writers' time is over; returns the number of bounces."""
    sorte, fim, reinicios = random.Random(SEMENTE), time.monotonic() + SEGUNDOS, 0
    while time.monotonic() < fim:
        time.sleep(sorte.uniform(*INTERVALO))  # the time between two faults is the scenario's, not a wait for something
        if sorte.random() < PARTE_DO_SERVIDOR:
            servidor.parar_na_hora()
            servidor.voltar()
            reinicios += 1
        else:
            sorte.choice(processadores).matar()
    return reinicios


def contas(escritores: list[subprocess.Popen[str]]) -> dict[str, int]:
    """The writers' figures, added up."""
    somas: dict[str, int] = {}
    for escritor in escritores:
        saida, _ = escritor.communicate()
        assert escritor.returncode == 0
        for nome, valor in json.loads(saida).items():
            somas[nome] = somas.get(nome, 0) + valor
    return somas


def eventos_do_log(banco: Banco) -> list[dict[str, Any]]:
    """The writers' events in the order and under the numbers that the log gave them."""
    _, pensados = log_dos_escritores(SEMENTE)
    por_id = {evento["event_id"]: evento for evento in pensados}
    linhas = banco.consultar(
        "select event_id::text, sequence_number from core.event_log where origem <> 'D-5' order by sequence_number"
    )
    return [por_id[linha["event_id"]] | {"sequence_number": linha["sequence_number"]} for linha in linhas]


def test_tables_after_kills_bounces_and_rollbacks_equal_a_single_threaded_replay(
    servidor_fragil: ServidorProprio,
    novo_banco: Callable[[], Banco],
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    """Scenario 25: four writers, two processors, a kill or a bounce every few seconds."""
    parametros, _ = log_dos_escritores(SEMENTE)
    url = servidor_fragil.criar()
    banco = Banco(url)
    banco.parametrizar(parametros)
    banco.semear()
    banco.fechar()
    processadores = [Processador(url, f"processador_{n}", tmp_path) for n in (1, 2)]
    escritores = iniciar_escritores(url)
    reinicios = perturbar(servidor_fragil, processadores)
    somas = contas(escritores)
    for processador in processadores:
        processador.terminar()
    banco = Banco(url)
    banco.processar()
    eventos = eventos_do_log(banco)
    assert len(eventos) == somas["confirmados"]
    modelo = ModeloLiteral(parametros)
    for evento in eventos:
        modelo.aplicar(evento)
    sereno = novo_banco()
    sereno.parametrizar(parametros)
    sereno.acrescentar(eventos)
    sereno.semear()
    sereno.processar(5_000)
    diferencas = divergencias(banco, sereno, modelo)
    maior, linhas = banco.consultar("select max(sequence_number), count(*) from core.event_log")[0].values()
    figuras = somas | {
        "mortes": sum(processador.mortes() for processador in processadores),
        "reinícios": reinicios,
        "processos": sum(len(processador.saidas) for processador in processadores),
        "publicações": len(modelo.publicacoes),
        "lacunas": maior - linhas,
        "diferenças": len(diferencas),
    }
    record_property("figuras", json.dumps(figuras, ensure_ascii=False))
    queixas = [queixa for processador in processadores for queixa in processador.queixas()]
    banco.fechar()
    assert diferencas == []
    assert [queixa for queixa in queixas if not queixa.startswith(SEM_BANCO)] == []
    assert figuras["mortes"] > 0
    assert reinicios > 0

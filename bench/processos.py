"""Work that is measured in a process of its own, over D5_DATABASE_URL; one JSON value on stdout."""

import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path

from bench.banco import consultas
from bench.carga import Cidade
from bench.gravacao import acrescentar
from bench.preparo import drenar
from d5_pipeline.conexao import conectar
from d5_pipeline.registro import configurar

DIAS = 7


def medir_dreno(url: str) -> dict[str, float]:
    """Seconds and peak resident memory (MiB) of a whole drain; what its first group would import is there before."""
    for modulo in ("scipy.spatial", "sklearn.cluster"):
        import_module(modulo)
    inicio = time.perf_counter()
    drenar(url)
    return {"segundos": time.perf_counter() - inicio, "pico_mib": pico_mib()}


def pico_mib() -> float:
    """Peak resident memory of this process; ru_maxrss would count what its parent held before exec."""
    linhas = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(linha.split()[1]) for linha in linhas if linha.startswith("VmHWM")) / 1024


def historico(url: str, semanas: str, execucoes: str) -> list[int]:
    """Bytes of Dagster's history at the end of each week, before the retention of that day; vacuum follows it."""
    from dagster import DagsterInstance

    from d5_pipeline.definitions import defs
    from d5_pipeline.orquestracao.retencao import apagar

    sql, cidade, tamanhos = consultas("medicao"), Cidade(200), []
    trabalho = defs.resolve_job_def("processar_eventos")
    sem_permanencia = {"ops": {"drenar": {"config": {"permanencia": 0}}}}
    with DagsterInstance.get() as instancia, closing(conectar(url)) as conexao:
        for _ in range(int(semanas)):
            inicio = datetime.now(UTC)
            for evento in cidade.eventos(int(execucoes)):
                acrescentar(conexao, [evento])
                trabalho.execute_in_process(run_config=sem_permanencia, instance=instancia)
            tamanhos.append(int(sql.tamanho_do_historico(conexao)))
            apagar(instancia, inicio + timedelta(days=DIAS), DIAS, DIAS)
            sql.analisar(conexao)
    return tamanhos


PROCESSOS: dict[str, Callable[..., object]] = {"dreno": medir_dreno, "historico": historico}


if __name__ == "__main__":
    configurar("error", em_json=False)
    nome, *argumentos = sys.argv[1:]
    sys.stdout.write(json.dumps(PROCESSOS[nome](os.environ["D5_DATABASE_URL"], *argumentos)))

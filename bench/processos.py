"""Work that is measured in a process of its own: `python -m bench.processos drenar URL` and so on. JSON on stdout."""

import json
import sys
import time
from pathlib import Path

from bench.preparo import drenar


def medir_dreno(url: str) -> dict[str, float]:
    """Seconds and peak resident memory (MiB) of a whole drain."""
    inicio = time.perf_counter()
    drenar(url)
    return {"segundos": time.perf_counter() - inicio, "pico_mib": pico_mib()}


def pico_mib() -> float:
    """Peak resident memory of this process; ru_maxrss would count what its parent held before exec."""
    linhas = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(linha.split()[1]) for linha in linhas if linha.startswith("VmHWM")) / 1024


def main() -> None:
    """Runs the drain on the given database."""
    from d5_pipeline.registro import configurar

    configurar("error", em_json=False)
    sys.stdout.write(json.dumps(medir_dreno(sys.argv[1])))


if __name__ == "__main__":
    main()

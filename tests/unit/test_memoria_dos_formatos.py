"""What validation keeps of the numbers it has seen stays small, whatever payloads contain."""

import tracemalloc

from d5_pipeline.dominio.formatos import PESO_NACIONAL, inteiro, peso

MUITOS, ALGARISMOS = 200, 100_000


def test_long_valid_numbers_are_not_kept() -> None:
    """200 numbers of 100,000 characters would be 20 MB each way."""
    tracemalloc.start()
    for n in range(MUITOS):
        longo = b"1." + b"0" * (ALGARISMOS + n)
        assert inteiro(longo, 1, 5) == 1
        assert peso(longo, PESO_NACIONAL) == 1
    guardado, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert guardado < 10 * ALGARISMOS

"""Metrics as Prometheus reads them."""

from prometheus_client.parser import text_string_to_metric_families

Amostras = dict[tuple[str, ...], float]


def amostras(texto: str) -> Amostras:
    """(name, label values in order of the labels' names …) → value."""
    return {
        (amostra.name, *(amostra.labels[rotulo] for rotulo in sorted(amostra.labels))): amostra.value
        for familia in text_string_to_metric_families(texto)
        for amostra in familia.samples
    }


def tipos(texto: str) -> dict[str, str]:
    """Family → type."""
    return {familia.name: familia.type for familia in text_string_to_metric_families(texto)}

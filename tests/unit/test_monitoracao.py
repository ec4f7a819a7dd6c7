"""Alert rules, dashboard and documentation name metrics and labels that exist; the documentation names them all."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from dagster_shared.yaml_utils import load_yaml_from_path
from prometheus_client.parser import text_string_to_metric_families

from d5_pipeline.cli.exposicao import Exposicao
from d5_pipeline.dominio.eventos import TIPOS_COM_CURSOR
from d5_pipeline.dominio.saude import Atraso, Sinais
from d5_pipeline.repositorio.metricas import Histograma, Medidas

RAIZ = Path(__file__).resolve().parents[2]
PALAVRA = re.compile(r"[a-z_][a-z0-9_]*")
METRICA = re.compile(r"\bd5_[a-z0-9_]+")
ROTULOS = re.compile(r"(?:by|without) \(([^)]*)\)|\{([^}]*)\}|\$labels\.(\w+)")
DO_PROMETHEUS = {"le", "instance", "job"}

MEDIDAS = Medidas(
    sinais=Sinais(True, 1, 1, 1, 0, dict.fromkeys(TIPOS_COM_CURSOR, Atraso(0, 0)), [], 0, 0, {}),
    backlog={("f0000001-0000-4000-8000-000000000001", "disponivel"): 1},
    publicadas={},
    rebuilds=Histograma([(float("inf"), 0)], 0),
    anuncio_ha=0,
)


@pytest.fixture(scope="module")
def expostas() -> dict[str, set[str]]:
    """Sample → labels."""
    familias = text_string_to_metric_families(Exposicao(lambda: MEDIDAS).texto())
    return {amostra.name: set(amostra.labels) for familia in familias for amostra in familia.samples}


def alertas() -> list[dict[str, Any]]:
    """Every alert rule."""
    lido: Any = load_yaml_from_path(str(RAIZ / "implantacao" / "prometheus-alertas.yml"))
    return [regra for grupo in lido["groups"] for regra in grupo["rules"]]


def paineis() -> list[dict[str, Any]]:
    """Every panel of the dashboard."""
    lido: dict[str, Any] = json.loads((RAIZ / "implantacao" / "grafana-d5.json").read_text(encoding="utf-8"))
    lista: list[dict[str, Any]] = lido["panels"]
    return lista


def expressoes() -> Iterator[str]:
    """Every query, and every text that names a label."""
    for regra in alertas():
        yield regra["expr"]
        yield regra["annotations"]["summary"]
    for painel in paineis():
        for alvo in painel["targets"]:
            yield alvo["expr"]
            yield f"by ({', '.join(PALAVRA.findall(' '.join(re.findall(r'{{(.*?)}}', alvo['legendFormat']))))})"


def test_every_metric_that_is_queried_exists(expostas: dict[str, set[str]]) -> None:
    usadas = {metrica for expressao in expressoes() for metrica in METRICA.findall(expressao)}
    assert len(usadas) > 10
    assert usadas <= set(expostas)


def test_every_label_that_is_queried_exists(expostas: dict[str, set[str]]) -> None:
    conhecidos = DO_PROMETHEUS.union(*expostas.values())
    usados: set[str] = set()
    for expressao in expressoes():
        for agrupados, filtrados, citado in ROTULOS.findall(expressao):
            usados.update(PALAVRA.findall(agrupados), re.findall(r"(\w+)\s*[=!]", filtrados), filter(None, [citado]))
    assert {"unidade_civica_id", "status", "situacao"} <= usados <= conhecidos


def test_every_alert_says_in_words_what_is_wrong() -> None:
    assert len({regra["alert"] for regra in alertas()}) == len(alertas())
    for regra in alertas():
        assert regra["labels"]["severity"] in {"critical", "warning", "info"}
        assert regra["annotations"]["summary"].startswith("D-5")


def test_panels_are_distinct_and_lie_side_by_side() -> None:
    assert len({painel["id"] for painel in paineis()}) == len(paineis())
    ocupadas = [
        (x, y)
        for lugar in (painel["gridPos"] for painel in paineis())
        for x in range(lugar["x"], lugar["x"] + lugar["w"])
        for y in range(lugar["y"], lugar["y"] + lugar["h"])
    ]
    assert len(set(ocupadas)) == len(ocupadas)
    assert max(x for x, _ in ocupadas) < 24


def test_the_documentation_names_every_metric_with_its_labels(expostas: dict[str, set[str]]) -> None:
    texto = (RAIZ / "docs" / "observabilidade.md").read_text(encoding="utf-8")
    documentadas = {
        nome: set(PALAVRA.findall(rotulos))
        for nome, rotulos in re.findall(r"^\| `(d5_\w+)(?:\{(.*?)\})?`", texto, re.MULTILINE)
    }
    histograma = {f"d5_rebuild_duration_ms_{parte}" for parte in ("bucket", "count", "sum")}
    esperadas = {nome: rotulos for nome, rotulos in expostas.items() if nome not in histograma}
    assert documentadas == esperadas | {"d5_rebuild_duration_ms": set()}

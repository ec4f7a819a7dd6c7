"""States of schema d5 for the models: rows that both engines load, and random ones."""

from dataclasses import dataclass, field
from decimal import Decimal
from random import Random
from typing import Any, Protocol

Linha = dict[str, Any]

AGORA = "2026-03-01T12:00:00+00:00"
PESOS = (0.0, 0.05, 0.1, 0.10000000000000002, 0.2, 0.5, 0.5, 0.85)


class Motor(Protocol):
    """What a state is loaded into."""

    def carregar(self, tabela: str, linhas: list[Linha]) -> None:
        """Append rows to a table of schema d5."""


def uc(numero: int) -> str:
    """A civic unit."""
    return f"f0000000-0000-4000-8000-{numero:012x}"


def demanda(numero: int) -> str:
    """A demand; the order of numbers is the order of ids."""
    return f"d0000000-0000-4000-8000-{numero:012x}"


def score(demanda_id: str, unidade: str, nivel: int, valor: str | Decimal) -> Linha:
    """A row of backlog_scores; the demand's id serves for its other ids as well."""
    return {
        "id": demanda_id,
        "demanda_id": demanda_id,
        "unidade_civica_id": unidade,
        "categoria_id": f"{nivel}.1",
        "nivel_precedencia": nivel,
        "score_final": Decimal(valor),
        "peso_nacional": Decimal(100),
        "peso_situacional": Decimal(1),
        "score_horizontal": 50,
        "posicao_ranking": 1,
        "versao_parametros": "mvp-v1",
        "event_id": demanda_id,
        "correlacao_id": demanda_id,
        "criado_em": AGORA,
        "sequence_number": 1,
    }


def parametros(**mudancas: Any) -> Linha:
    """Parameters in the form of the conformance files; 4.3's values where nothing else is said."""
    return {
        "versao": "mvp-v1",
        "fator_decaimento": 0.4,
        "limiar_peso_nao_vencido": 0.1,
        "capacidade_padrao": 10,
        "concluidas_ocupam_vaga": True,
        "clustering": {"raio_metros": 500.0, "min_pontos": 2},
        "capacidade_por_uc": {},
        "pesos_situacionais": {},
    } | mudancas


@dataclass
class Estado:
    """What the models read, as plain values; `parametros` as in the conformance files."""

    parametros: Linha
    scores: list[Linha] = field(default_factory=list)
    agregadas: set[str] = field(default_factory=set)
    concluidas: set[str] = field(default_factory=set)
    coordenadas: dict[str, tuple[float, float]] = field(default_factory=dict)

    @property
    def unidades(self) -> list[str]:
        """Units that have a score."""
        return sorted({linha["unidade_civica_id"] for linha in self.scores})

    def carregar_em(self, motor: Motor, param_id: int = 1) -> None:
        """Load every table; the parameters as version `param_id`."""
        tabelas = linhas_de_parametros(self.parametros, param_id) | self._tabelas()
        for tabela, linhas in tabelas.items():
            motor.carregar(tabela, linhas)

    def _tabelas(self) -> dict[str, list[Linha]]:
        return {
            "unidades_civicas": [{"unidade_civica_id": unidade} for unidade in self.unidades],
            "backlog_scores": self.scores,
            "demandas_agregadas": [
                {
                    "demanda_id": membro,
                    "agregado_id": demanda(0),
                    "representante_demanda_id": demanda(0),
                    "evento_id": demanda(0),
                    "agregado_em": AGORA,
                }
                for membro in sorted(self.agregadas)
            ],
            "situacao_demandas": [
                {"demanda_id": linha["demanda_id"], "status": status, "sequence_number": 1}
                for linha in self.scores
                if (status := "concluido" if linha["demanda_id"] in self.concluidas else "em_progresso")
            ],
            "coordenadas_demanda": [
                {"demanda_id": onde, "lat": lat, "lng": lng, "criado_em": AGORA}
                for onde, (lat, lng) in self.coordenadas.items()
            ],
        }


def linhas_de_parametros(valores: Linha, param_id: int = 1) -> dict[str, list[Linha]]:
    """Rows of the three parameter tables for one version, from the form of the conformance files."""
    return {
        "param_versions": [
            {
                "id": param_id,
                "versao": valores["versao"],
                "fator_decaimento": valores["fator_decaimento"],
                "limiar_peso_nao_vencido": valores["limiar_peso_nao_vencido"],
                "capacidade_padrao": valores["capacidade_padrao"],
                "concluidas_ocupam_vaga": valores["concluidas_ocupam_vaga"],
                **valores["clustering"],
                "carregado_em": AGORA,
            }
        ],
        "param_capacidade_por_uc": [
            {"param_id": param_id, "unidade_civica_id": unidade, "capacidade": capacidade}
            for unidade, capacidade in valores["capacidade_por_uc"].items()
        ],
        "param_pesos_situacionais": [
            {"param_id": param_id, "unidade_civica_id": unidade, "nivel_precedencia": int(nivel), "peso": peso}
            for unidade, pesos in valores["pesos_situacionais"].items()
            for nivel, peso in pesos.items()
        ],
    }


def estado_aleatorio(semente: int, unidades: int) -> Estado:
    """A state with ties of scores and weights, weights at the limiar, empty levels, aggregated and concluded ones."""
    sorte = Random(semente)
    ucs = [uc(numero) for numero in range(1, unidades + 1)]
    estado = Estado(
        parametros(
            fator_decaimento=sorte.choice([0.4, 1.0, sorte.uniform(0.01, 1.0)]),
            capacidade_padrao=sorte.randint(0, 20),
            concluidas_ocupam_vaga=sorte.random() < 0.5,
            capacidade_por_uc={unidade: sorte.randint(0, 50) for unidade in ucs if sorte.random() < 0.6},
            pesos_situacionais={
                unidade: {nivel: sorte.choice(PESOS) for nivel in range(1, 6) if sorte.random() < 0.7}
                for unidade in ucs
                if sorte.random() < 0.8
            },
        )
    )
    ids = iter(sorte.sample(range(1, 16**12), 60 * unidades))
    for unidade in ucs:
        niveis = sorte.sample(range(1, 6), sorte.randint(1, 5))
        for _ in range(sorte.randint(1, 60)):
            linha = score(demanda(next(ids)), unidade, sorte.choice(niveis), Decimal(sorte.randint(0, 30)) / 4)
            estado.scores.append(linha)
            if sorte.random() < 0.15:
                estado.agregadas.add(linha["demanda_id"])
            if sorte.random() < 0.2:
                estado.concluidas.add(linha["demanda_id"])
            if sorte.random() < 0.5:
                estado.coordenadas[linha["demanda_id"]] = (sorte.uniform(-24, -23), sorte.uniform(-47, -46))
    return estado

"""Random logs in the format of the conformance files, from a seed or as a hypothesis strategy."""

import random
import unicodedata
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from tests.referencia.cidade import Cidade
from tests.referencia.defeitos import estragar

Dados = dict[str, Any]

PESOS = {
    "demanda.ranqueada": 38,
    "ranking.atualizado": 14,
    "conselheiro.sorteado": 14,
    "conselheiro.demanda_iniciada": 8,
    "demanda.concluída": 8,
    "demanda.conclusao_confirmada": 5,
    "duplicidade.agregada": 2,
    "demanda.georreferenciada": 14,
    "parâmetros.atualizados": 1,
    "demanda.removida_por_votação": 1,
    "agenda.gerada": 1,
    "demanda.recebida": 1,
}
TIPOS = [tipo for tipo, peso in PESOS.items() for _ in range(peso)]
_SCORES = (0, 1, 10, 10.0, 10.004, 10.005, 9.995, 50.5, 50.5, 99.99, 9999999999.99, 0.004999)
_INICIO = datetime(2026, 3, 1, tzinfo=UTC)


def log_aleatorio(
    semente: int, n: int, *, malformados: float = 0.08, lacunas: float = 0.1, nfd: float = 0.15, renovacao: float = 0.07
) -> tuple[Dados, list[Dados]]:
    """Parameters and n events; the same seed gives the same log.

    `malformados`, `lacunas` and `nfd` are the shares of payloads with a defect or an oddity, of holes before an event
    and of types in NFD form; `renovacao` is the chance that a new demand replaces an active one before an event.
    """
    sorte = random.Random(semente)
    cidade = Cidade.sortear(sorte)
    partes = (malformados, lacunas, nfd, renovacao)
    return cidade.parametros, _escrever(cidade, [sorte.choice(TIPOS) for _ in range(n)], partes)


@st.composite
def logs(draw: st.DrawFn, maximo: int = 40) -> tuple[Dados, list[Dados]]:
    """Parameters and up to `maximo` events; shrinks to few events with plain contents."""
    tipos = draw(st.lists(st.sampled_from(TIPOS), max_size=maximo))
    cidade = Cidade.sortear(draw(st.randoms(use_true_random=False)))
    return cidade.parametros, _escrever(cidade, tipos, (0.08, 0.1, 0.15, 0.07))


def _escrever(cidade: Cidade, tipos: list[str], partes: tuple[float, float, float, float]) -> list[Dados]:
    malformados, lacunas, nfd, renovacao = partes
    eventos: list[Dados] = []
    sequencia, agora = 0, _INICIO
    for tipo in tipos:
        if cidade.chance(renovacao):
            cidade.renovar()
        sequencia += cidade.sorte.randint(2, 5) if cidade.chance(lacunas) else 1
        agora += timedelta(milliseconds=cidade.sorte.choice([0, 4, 5, 995, 3_600_000, 40_000_000, -7_000]))
        payload = _PAYLOADS.get(tipo, _alheio)(cidade, agora)
        if cidade.chance(malformados):
            payload = estragar(cidade.sorte, tipo, payload)
        eventos.append(
            {
                "sequence_number": sequencia,
                "event_id": f"e0000000-0000-4000-8000-{sequencia:012d}",
                "tipo": unicodedata.normalize("NFD", tipo) if cidade.chance(nfd) else tipo,
                "versao_schema": cidade.sorte.choice(["1.0.0", "1.1.0"]),
                "origem": "D-5" if tipo.startswith("agenda.") else "teste",
                "correlacao_id": f"c0000000-0000-4000-8000-{sequencia:012d}",
                "criado_em": agora.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
                "payload": payload,
            }
        )
    return eventos


def _id(cidade: Cidade, valor: str) -> str:
    return valor.upper() if cidade.chance(0.05) else valor


def _ranqueada(cidade: Cidade, _agora: datetime) -> Dados:
    sorte = cidade.sorte
    score = sorte.choice(_SCORES) if cidade.chance(0.5) else sorte.randint(0, 100_000) / 1000
    return {
        "demanda_id": _id(cidade, cidade.demanda()),
        "unidade_civica_id": _id(cidade, cidade.uc()),
        "categoria_id": sorte.choice(cidade.categorias),
        "nivel_precedencia": sorte.choice([1, 1, 1, 2, 2, 3, 4, 5]),
        "score_final": score,
        "breakdown": {
            "peso_nacional": sorte.choice([100, 60, 0, 0.005, 999.99]),
            "peso_situacional": sorte.choice([0.85, 1, 0.00005, 9.9999]),
            "score_horizontal": sorte.choice([95, 0, 60]),
        },
        "posicao_no_ranking": sorte.randint(1, 200),
        "total_demandas_na_uc": 10,
        "versao_parametros": "mvp-v1",
        "timestamp_calculo": "2026-03-01T00:00:00.000Z",
    }


def _ranking(cidade: Cidade, _agora: datetime) -> Dados:
    return {"unidade_civica_id": _id(cidade, cidade.uc()), "motivo": "demanda_top10", "top_10": []}


def _status(cidade: Cidade, _agora: datetime) -> Dados:
    return {"demanda_id": _id(cidade, cidade.demanda()), "unidade_civica_id": cidade.uc(), "conselheiro_id": "x"}


def _sorteado(cidade: Cidade, agora: datetime) -> Dados:
    payload = _status(cidade, agora)
    if cidade.chance(0.2):
        payload["unidade_civica_id"] = None
    elif cidade.chance(0.15):
        del payload["unidade_civica_id"]
    return payload


def _conclusao(cidade: Cidade, agora: datetime) -> Dados:
    payload = _status(cidade, agora)
    if cidade.chance(0.85):
        fim = agora + timedelta(milliseconds=cidade.sorte.choice([0, -86_400_000, 86_399_994, 86_399_995, 400_000_000]))
        texto = fim.replace(tzinfo=None).isoformat(timespec="milliseconds")
        payload["data_conclusao"] = texto + cidade.sorte.choice(["Z", "+00:00", "-00:00", "-03:00", "4999Z", "+05:30"])
    return payload


def _concluida(cidade: Cidade, agora: datetime) -> Dados:
    payload = _conclusao(cidade, agora)
    if cidade.chance(0.4):
        payload["dias_ate_conclusao"] = cidade.sorte.choice([0, 2, 12, 3.0])
    return payload


def _confirmada(cidade: Cidade, agora: datetime) -> Dados:
    return _conclusao(cidade, agora) | {"ratificacao_necessaria": cidade.chance(0.25), "total_conclusoes": 3}


def _agregada(cidade: Cidade, _agora: datetime) -> Dados:
    representante = cidade.demanda()
    membros = [cidade.demanda() for _ in range(cidade.sorte.randint(1, 3))]
    if cidade.chance(0.5):
        membros.append(representante)
    if cidade.chance(0.2):
        membros.append(membros[0])
    return {
        "agregado_id": f"a000000{cidade.sorte.randrange(10)}-0000-4000-8000-000000000001",
        "representante_demanda_id": _id(cidade, representante),
        "membros": [{"demanda_id": _id(cidade, membro)} for membro in membros],
        "criterios": {},
    }


def _georreferenciada(cidade: Cidade, _agora: datetime) -> Dados:
    lat, lng = cidade.sorte.choice(cidade.pontos)
    return {"demanda_id": _id(cidade, cidade.situar()), "coordenadas_lat": lat, "coordenadas_lng": lng}


def _alheio(cidade: Cidade, _agora: datetime) -> Dados:
    return {"demanda_id": cidade.demanda(), "unidade_civica_id": cidade.uc()}


_PAYLOADS = {
    "demanda.ranqueada": _ranqueada,
    "ranking.atualizado": _ranking,
    "conselheiro.sorteado": _sorteado,
    "conselheiro.demanda_iniciada": _status,
    "demanda.concluída": _concluida,
    "demanda.conclusao_confirmada": _confirmada,
    "duplicidade.agregada": _agregada,
    "demanda.georreferenciada": _georreferenciada,
}

"""The fast form accepts exactly what the JSON Schemas accept, and rounds as the columns do (D13, D14)."""

import json
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from d5_pipeline.dominio import contratos
from d5_pipeline.dominio import eventos as ev
from d5_pipeline.dominio.validacao import sem_nulos, validar

ID = "d0000001-0000-4000-8000-000000000001"
BASES: dict[str, dict[str, Any]] = {
    ev.DEMANDA_RANQUEADA: {
        "demanda_id": ID,
        "unidade_civica_id": ID,
        "categoria_id": "1.1",
        "nivel_precedencia": 1,
        "score_final": 8075.0,
        "breakdown": {"peso_nacional": 100, "peso_situacional": 0.85, "score_horizontal": 95},
        "posicao_no_ranking": 1,
        "versao_parametros": "mvp-v1",
    },
    ev.RANKING_ATUALIZADO: {"unidade_civica_id": ID},
    ev.CONSELHEIRO_SORTEADO: {"demanda_id": ID, "unidade_civica_id": ID},
    ev.DEMANDA_INICIADA: {"demanda_id": ID},
    ev.DEMANDA_CONCLUIDA: {"demanda_id": ID, "data_conclusao": "2026-03-20T12:00:00Z", "dias_ate_conclusao": 3},
    ev.CONCLUSAO_CONFIRMADA: {
        "demanda_id": ID,
        "data_conclusao": "2026-03-20T12:00:00Z",
        "ratificacao_necessaria": False,
    },
    ev.DUPLICIDADE_AGREGADA: {"agregado_id": ID, "representante_demanda_id": ID, "membros": [{"demanda_id": ID}]},
    ev.DEMANDA_GEORREFERENCIADA: {"demanda_id": ID, "coordenadas_lat": -23.5, "coordenadas_lng": -46.6},
    ev.PARAMETROS_ATUALIZADOS: {},
    ev.REMOVIDA_POR_VOTACAO: {},
}
NUMEROS = [
    "-0", "-0.0", "-1", "-0.0000001", "0", "0.0", "1.0", "1e0", "1.5", "5", "5.0", "6", "1e400", "1e5000", "-1e400",
    "9.99994999", "9.99995", "999.994999", "999.995", "9999999999.99499999999", "9999999999.995", "10000000000",
    "2147483647", "2147483648", "2147483647.5", "-2147483648", "-2147483649", "90", "90.0000000000000000001", "-90",
    "180", "180.1", "-180.0000000000000000001", "0.1000000000000000055511151231257827",
]  # fmt: skip
TEXTOS = [
    "", "x", "1", "1.1", "1.1\n", "١.١", "12345.6789", "12345.67890", ID, ID.upper(), ID.replace("-", ""),
    "{" + ID + "}", "urn:uuid:" + ID, ID + " ", "v" * 20, "v" * 21, "\u00e1" * 20, "2026-03-20T12:00:00Z",
    "2026-03-20t12:00:00.123456789z", "2026-03-20T12:00:00", "2026-03-20", "2026-02-30T00:00:00Z",
    "2026-03-20T24:00:00Z", "2026-03-20T12:00:00+24:00", "2026-03-20T12:00:00+23:59", "2026-03-20T12:00:00+00:60",
    "1998-12-31T23:59:60Z", "1998-12-31T23:58:60Z", "0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z",
    "2026-03-20 12:00:00Z", "2026-03-20T12:00:00.Z",
]  # fmt: skip
ESTRANHOS = [
    "null",
    "true",
    "false",
    "[]",
    "{}",
    "[[[]]]",
    f'[{{"demanda_id":"{ID}"}}]',
    '[{"demanda_id":null}]',
    "[null]",
]
_DEMANDA = f'"demanda_id":"{ID}"'
_AGREGADO = f'"agregado_id":"{ID}","representante_demanda_id":"{ID}"'
VALORES = st.sampled_from([*NUMEROS, *(json.dumps(texto) for texto in TEXTOS), *ESTRANHOS])


def _envelope(tipo: str, payload: str, criado_em: datetime | None = None) -> ev.Envelope:
    quando = criado_em or datetime(2026, 3, 1, tzinfo=UTC)
    return ev.Envelope(1, ID, tipo, "1.0.0", ID, quando, payload)


def _aceita_rapido(tipo: str, payload: str) -> bool:
    return isinstance(validar(_envelope(tipo, payload)), ev.Evento)


def _aceita_esquema(tipo: str, payload: str) -> bool:
    valor = json.loads(payload, parse_float=Decimal, parse_int=Decimal)
    return contratos.valido(tipo, sem_nulos(valor))


@st.composite
def _payloads(draw: st.DrawFn) -> tuple[str, str]:
    """A valid payload in which up to three fields were replaced or removed."""
    tipo = draw(st.sampled_from(sorted(BASES)))
    campos = {campo: json.dumps(valor) for campo, valor in BASES[tipo].items()}
    for campo in draw(st.lists(st.sampled_from([*BASES[tipo], "outro"]), max_size=3, unique=True)):
        troca = draw(st.none() | VALORES)
        if troca is None:
            campos.pop(campo, None)
        else:
            campos[campo] = troca
    if "breakdown" in campos and draw(st.booleans()):
        pesos = {p: draw(VALORES) for p in draw(st.sets(st.sampled_from(sorted(BASES[tipo]["breakdown"]))))}
        todos = {p: json.dumps(v) for p, v in BASES[tipo]["breakdown"].items()} | pesos
        campos["breakdown"] = "{" + ",".join(f'"{p}":{v}' for p, v in todos.items()) + "}"
    return tipo, "{" + ",".join(f'"{campo}":{valor}' for campo, valor in campos.items()) + "}"


@settings(max_examples=2_000)
@given(_payloads())
def test_fast_form_and_schema_accept_the_same(caso: tuple[str, str]) -> None:
    tipo, payload = caso
    assert _aceita_rapido(tipo, payload) == _aceita_esquema(tipo, payload)


@given(st.sampled_from(sorted(BASES)), st.recursive(st.none() | st.booleans() | st.text(), st.lists, max_leaves=5))
def test_a_payload_of_any_shape_is_an_event_or_a_discard(tipo: str, valor: object) -> None:
    payload = json.dumps(valor)
    assert _aceita_rapido(tipo, payload) == _aceita_esquema(tipo, payload)


@pytest.mark.parametrize("tipo", sorted(contratos.ARQUIVOS))
def test_every_contract_is_a_draft_2020_12_schema(tipo: str) -> None:
    esquema = contratos.esquema(tipo)
    assert esquema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert jsonschema_rs.meta.is_valid(esquema)


@pytest.mark.parametrize(
    ("bruto", "arredondado"),
    [
        ("100.005", "100.01"),
        ("99.995", "100.00"),
        ("0.004999", "0.00"),
        ("-0", "0.00"),
        ("9999999999.9949", "9999999999.99"),
    ],
)
def test_scores_are_rounded_half_up_without_binary_floats(bruto: str, arredondado: str) -> None:
    campos = {**BASES[ev.DEMANDA_RANQUEADA], "score_final": 0}
    evento = validar(
        _envelope(ev.DEMANDA_RANQUEADA, json.dumps(campos).replace('"score_final": 0', f'"score_final": {bruto}'))
    )
    assert isinstance(evento, ev.Evento)
    assert isinstance(evento.dados, ev.Ranqueada)
    assert str(evento.dados.score_final) == arredondado


@pytest.mark.parametrize(
    ("bruto", "arredondado"), [("9.9999", "9.9999"), ("9.99994", "9.9999"), ("9.99995", None), ("10", None)]
)
def test_situational_weight_must_fit_its_column_once_it_is_rounded(bruto: str, arredondado: str | None) -> None:
    """2.2: NUMERIC(5,4)."""
    payload = json.dumps(BASES[ev.DEMANDA_RANQUEADA]).replace(
        '"peso_situacional": 0.85', f'"peso_situacional": {bruto}'
    )
    evento = validar(_envelope(ev.DEMANDA_RANQUEADA, payload))
    if arredondado is None:
        assert isinstance(evento, ev.Descarte)
        assert "peso_situacional" in evento.motivo
        return
    assert isinstance(evento, ev.Evento)
    assert isinstance(evento.dados, ev.Ranqueada)
    assert str(evento.dados.peso_situacional) == arredondado


@pytest.mark.parametrize(("categoria", "cabe"), [("12345.6789", True), ("12345.67890", False)])
def test_category_has_ten_characters_at_most(categoria: str, cabe: bool) -> None:
    """2.2: VARCHAR(10)."""
    payload = json.dumps({**BASES[ev.DEMANDA_RANQUEADA], "categoria_id": categoria})
    evento = validar(_envelope(ev.DEMANDA_RANQUEADA, payload))
    if not cabe:
        assert isinstance(evento, ev.Descarte)
        assert "categoria_id" in evento.motivo
        return
    assert isinstance(evento, ev.Evento)
    assert isinstance(evento.dados, ev.Ranqueada)
    assert evento.dados.categoria_id == categoria


@pytest.mark.parametrize(
    ("microssegundos", "esperado"),
    [(4_999, 0), (5_000, 10_000), (14_999, 10_000), (995_000, 1_000_000), (994_999, 990_000)],
)
def test_times_are_rounded_half_up_to_hundredths(microssegundos: int, esperado: int) -> None:
    evento = validar(
        _envelope(
            ev.DEMANDA_INICIADA, json.dumps({"demanda_id": ID}), datetime(2026, 3, 1, 1, 0, 0, microssegundos, UTC)
        )
    )
    assert isinstance(evento, ev.Evento)
    assert (evento.criado_em - datetime(2026, 3, 1, 1, tzinfo=UTC)).total_seconds() * 1e6 == pytest.approx(esperado)


@pytest.mark.parametrize(
    ("bruto", "dias"),
    [("3", 3), ("3.0", 3), ("-3", None), ("2.5", None), ('"3"', None), ("true", None), ("null", None), ("[]", None)],
)
def test_days_of_the_payload_count_only_where_they_are_a_non_negative_integer(bruto: str, dias: int | None) -> None:
    evento = validar(_envelope(ev.DEMANDA_CONCLUIDA, f'{{"demanda_id":"{ID}","dias_ate_conclusao":{bruto}}}'))
    assert isinstance(evento, ev.Evento)
    assert isinstance(evento.dados, ev.Concluida)
    assert evento.dados.dias_ate_conclusao == dias


@pytest.mark.parametrize(
    ("tipo", "payload", "motivo"),
    [
        (ev.DEMANDA_INICIADA, "{}", "demanda_id ausente"),
        (ev.DEMANDA_INICIADA, '{"demanda_id":null}', "demanda_id ausente"),
        (ev.DEMANDA_INICIADA, '{"demanda_id":5}', "demanda_id tem o tipo errado"),
        (ev.DUPLICIDADE_AGREGADA, f'{{{_AGREGADO},"membros":[]}}', "membros está vazio"),
        (ev.DEMANDA_GEORREFERENCIADA, f'{{{_DEMANDA},"coordenadas_lat":91,"coordenadas_lng":0}}', "acima do máximo 90"),
        (ev.DEMANDA_CONCLUIDA, f'{{{_DEMANDA},"data_conclusao":"9999-12-31T23:59:59.999Z"}}', "fora dos anos 1 a 9999"),
        (ev.DEMANDA_INICIADA, '{"demanda_id":' + "[" * 3000 + "]" * 3000 + "}", "aninhamento profundo demais"),
    ],
)  # fmt: skip
def test_a_discard_says_which_field_and_why(tipo: str, payload: str, motivo: str) -> None:
    descarte = validar(_envelope(tipo, payload))
    assert isinstance(descarte, ev.Descarte)
    assert motivo in descarte.motivo


@pytest.mark.parametrize("tipo", sorted(set(BASES) - {ev.PARAMETROS_ATUALIZADOS, ev.REMOVIDA_POR_VOTACAO}))
def test_fields_that_are_not_used_are_not_looked_at(tipo: str) -> None:
    campos = {**BASES[tipo], "extra": {"a": [None, "\ud83d\ude00", {"b": 1}]}, "timestamp": 7, "top_10": "x"}
    assert _aceita_rapido(tipo, json.dumps(campos))

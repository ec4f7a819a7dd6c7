"""What hostile events are made of: JSON values as text, keys that are not quite ours, valid payloads to spoil."""

from tests.apoio.eventos import demanda

RECUSAS_DO_LOG = [
    "", " ", "{", '{"a":1,}', "{a:1}", "{'a':1}", "[1,]", '{"a" 1}', "{}//x", "\ufeff{}", "\u00a0{}", "\f{}", "{}{}",
    "NaN", "Infinity", "-Infinity", "True", "nul", "01", "+1", ".5", "5.", "1e", "--1", "0x1", "1_000",
    '"\\u0000"', '{"\\u0000":1}', '"\\ud800"', '"\\udc00"', '"\\udc00\\ud800"', '"\\u00g0"', '"\\x41"', '"\x01"',
    '"\n"', '"', "1e131072", "-1e200000", "1e-16384", "1e99999999999", "9" * 131_073, "[" * 20_000 + "]" * 20_000,
]  # fmt: skip
"""JSON that PostgreSQL's jsonb does not take: such an event never gets into the log."""

NUMEROS = [
    "-0", "-0.0", "0", "0.0", "1", "1.0", "1e0", "10e-1", "1.5", "5", "5.0", "6", "-1", "-0.0000001", "1e-400",
    "1e-16383", "1e400", "1e5000", "-1e400", "1e131071", "9" * 1_000, "0." + "9" * 1_000, "4." + "9" * 60,
    "1." + "0" * 200 + "1",
    "9.99994999", "9.99995", "999.994999", "999.995", "9999999999.99499999999", "9999999999.995", "2147483647",
    "2147483648", "2147483647.5", "-2147483648", "-2147483649", "90", "90.0000000000000000001", "-180", "180.1",
    "0.1000000000000000055511151231257827", "1E+2", "100.005", "0.005", "0.00005",
]  # fmt: skip
TEXTOS = [
    "", " ", "1", "1.1", "1.1\n", "\u0661.\u0661", "12345.6789", "12345.67890", "0.0", "true", "null", "{}", "NaN",
    "1e400", "'; drop schema d5 cascade; --", "%s%(x)s{0}:a$1", "\\N", "\\.", "$$", "x" * 21, "v" * 20, "\u00e1" * 20,
    "a\u0301" * 10, "a\u0301" * 11, "\u202etxt", "\u200d", "\ufeff", "\uffff", "\U0001f600" * 20, "\x7f", "\\u0000",
    "2026-03-20T12:00:00Z", "2026-03-20t12:00:00.123456789z", "2026-03-20T12:00:00",
    "2026-03-20", "2026-02-30T00:00:00Z",
    "2026-03-20T24:00:00Z", "2026-03-20T12:00:00+24:00", "2026-03-20T12:00:00+00:60", "2026-03-20T12:00:00,5Z",
    "0000-01-01T00:00:00Z", "\u0662026-03-20T12:00:00Z", "2026-03-20 12:00:00Z", "-infinity", "1998-12-31T23:58:60Z",
]  # fmt: skip
ESTRANHOS = [
    "null", "true", "false", "[]", "{}", "[[[]]]", "[null]", '[{"demanda_id":null}]', '{"demanda_id":[]}', '[""]',
]  # fmt: skip
CHAVES = [
    "Demanda_id", "DEMANDA_ID", "demanda_id ", "demanda\u200d_id", "d\u0435manda_id", "demanda_\u0131d",
    "", "\u00e7\u0327",
]  # fmt: skip

_PESOS = '{"peso_nacional":100,"peso_situacional":0.85,"score_horizontal":95}'
BASES: dict[str, dict[str, str]] = {
    "demanda.ranqueada": {
        "demanda_id": "DEMANDA", "unidade_civica_id": "UC", "categoria_id": '"1.1"', "nivel_precedencia": "2",
        "score_final": "SCORE", "breakdown": _PESOS, "posicao_no_ranking": "1", "versao_parametros": '"mvp-v1"',
    },
    "ranking.atualizado": {"unidade_civica_id": "UC", "top_10": "[]"},
    "conselheiro.sorteado": {"demanda_id": "DEMANDA", "unidade_civica_id": "UC"},
    "conselheiro.demanda_iniciada": {"demanda_id": "DEMANDA"},
    "demanda.concluída": {
        "demanda_id": "DEMANDA", "data_conclusao": '"2026-03-20T12:00:00Z"', "dias_ate_conclusao": "3"
    },
    "demanda.conclusao_confirmada": {"demanda_id": "DEMANDA", "ratificacao_necessaria": "false"},
    "duplicidade.agregada": {
        "agregado_id": "DEMANDA", "representante_demanda_id": "DEMANDA",
        "membros": '[{"demanda_id":"' + demanda(61) + '"}]',
    },
    "demanda.georreferenciada": {"demanda_id": "DEMANDA", "coordenadas_lat": "GRAU", "coordenadas_lng": "GRAU"},
    "parâmetros.atualizados": {},
    "demanda.removida_por_votação": {"demanda_id": "DEMANDA"},
    "demanda.recebida": {"demanda_id": "DEMANDA"},
}  # fmt: skip
"""Type → fields of a valid payload; DEMANDA, UC, SCORE and GRAU stand for values that are drawn."""

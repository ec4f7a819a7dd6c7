"""A trace on the screen, and the same as JSON."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from d5_pipeline.cli.contexto import imprimir_json, tela
from d5_pipeline.cli.mostrar import tabela
from d5_pipeline.cli.mostrar_leitura import texto, titulo, topicos
from d5_pipeline.dominio.explicacao import nome_do_status
from d5_pipeline.dominio.portugues import momento, numero
from d5_pipeline.repositorio.rastros import Busca, Rastro


def rastro(achado: Rastro, em_json: bool) -> None:
    """Everything that carries a correlation, and what became of it."""
    if em_json:
        imprimir_json({**asdict(achado), "busca": {**asdict(achado.busca), "completa": achado.busca.completa}})
        return
    titulo(f"Correlação {achado.correlacao_id}")
    texto(_onde_se_procurou(achado.busca))
    if achado.intervencao:
        texto(_intervencao(achado.intervencao))
    if not achado.eventos and not achado.pendentes and not achado.fora_do_log:
        texto("Nada encontrado.")
        return
    _eventos(achado.eventos)
    topicos("Guardados pela D-5 e ausentes do log", achado.fora_do_log)
    topicos("Publicações à espera de entrar no log", [_pendente(p) for p in achado.pendentes])
    _demandas(achado)


def _onde_se_procurou(busca: Busca) -> str:
    if busca.completa:
        return f"Procurada em todo o log, até o nº {busca.ate}, e no que a D-5 guarda."
    lido = f"lido do nº {busca.desde + 1} ao nº {busca.ate}" if busca.ate > busca.desde else "não lido"
    motivo = "Procura interrompida" if busca.interrompida else "Procurada em parte"
    return (
        f"{motivo}: no que a D-5 guarda, e no log, {lido} (vai até o nº {busca.fim_do_log}). "
        "Do que não foi lido podem faltar eventos."
    )


def _intervencao(feita: dict[str, Any]) -> str:
    return (
        f"É a intervenção '{feita['tipo']}' de {feita['quem']}, em {momento(feita['quando'])}, "
        f"com o log aplicado até o nº {feita['aplicado_ate']} (D32)."
    )


def _eventos(eventos: Sequence[dict[str, Any]]) -> None:
    if not eventos:
        return
    tela.print()
    tabela(
        "Eventos",
        ("nº no log", "quando", "evento", "origem", "destino", "o que resultou"),
        (
            (e["sequence_number"], momento(e["criado_em"]), e["tipo"], e["origem"], e["destino"], _resultado(e))
            for e in eventos
        ),
    )


def _resultado(evento: dict[str, Any]) -> str:
    if evento["destino"] == "publicado":
        unidade = f"unidade {evento['unidade_civica_id']}"
        return f"anuncia {evento['demandas'][0]}, da {unidade}" if evento["demandas"] else f"agenda da {unidade}"
    return "; ".join(dict.fromkeys(efeito["efeito"] for efeito in evento["efeitos"])) or evento["motivo"]


def _pendente(publicacao: dict[str, Any]) -> str:
    alvo = publicacao["demanda_id"] or publicacao["unidade_civica_id"]
    gatilho = f"{publicacao['gatilho_tipo']} nº {publicacao['gatilho_sequence']}"
    return f"{publicacao['tipo']} de {alvo}, por {gatilho}; 'd5 processar' publica."


def _demandas(achado: Rastro) -> None:
    for demanda in achado.demandas:
        topicos(f"Demanda {demanda['demanda_id']}", [_score(demanda), _lugar(demanda)])
        if demanda["transicoes"]:
            tabela(
                "",
                ("nº no log", "quando", "de", "para", "evento", "correlação"),
                (_transicao(t, achado.correlacao_id) for t in demanda["transicoes"]),
            )


def _score(demanda: dict[str, Any]) -> str:
    if demanda["score_final"] is None:
        return "Sem score."
    return f"Score {numero(demanda['score_final'])}, do demanda.ranqueada nº {demanda['sequencia_do_score']}."


def _lugar(demanda: dict[str, Any]) -> str:
    if demanda["representante_demanda_id"]:
        return f"Agregada: quem conta é a representante {demanda['representante_demanda_id']}."
    if demanda["posicao"] is None:
        recordado = f"; {nome_do_status(demanda['status'])}" if demanda["status"] else ""
        return f"Fora da agenda{recordado}."
    return (
        f"Na agenda da unidade {demanda['unidade_civica_id']} desde {momento(demanda['entrou_em'])}, posição "
        f"{demanda['posicao']}: {nome_do_status(demanda['status'])}."
    )


def _transicao(transicao: dict[str, Any], correlacao_id: str) -> tuple[object, ...]:
    return (
        transicao["sequence_number"],
        momento(transicao["ocorreu_em"]),
        transicao["de"],
        transicao["para"],
        transicao["tipo_evento"],
        "esta" if transicao["correlacao_id"] == correlacao_id else transicao["correlacao_id"],
    )

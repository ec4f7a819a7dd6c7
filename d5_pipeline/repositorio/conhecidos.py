"""What became of an event: applied, discarded, dead or pending, and why."""

import unicodedata
from collections.abc import Sequence
from typing import Any

from d5_pipeline.conexao import Conexao
from d5_pipeline.consultas import consultas
from d5_pipeline.dominio import formatos
from d5_pipeline.dominio.eventos import GRAFIAS
from d5_pipeline.erros import ErroDeConfiguracao
from d5_pipeline.repositorio import cursores

_sql = consultas("eventos")


def sequencias_de(conexao: Conexao, pedidos: Sequence[str]) -> list[int]:
    """The number of each event given by event_id or number. Raises ErroDeConfiguracao for one not in the log."""
    chaves = [_chave(pedido) for pedido in pedidos]
    linhas = _sql.localizar(
        conexao,
        event_ids=[chave for chave in chaves if isinstance(chave, str)],
        sequencias=[chave for chave in chaves if isinstance(chave, int)],
    )
    encontrados: dict[str | int, int] = {}
    for event_id, sequencia in linhas:
        encontrados |= {event_id: sequencia, sequencia: sequencia}
    for pedido, chave in zip(pedidos, chaves, strict=True):
        if chave not in encontrados:
            raise ErroDeConfiguracao(f"não há evento '{pedido}' no log")
    return [encontrados[chave] for chave in chaves]


def _chave(pedido: str) -> str | int:
    if pedido.isascii() and pedido.isdigit() and int(pedido) < 2**63:
        return int(pedido)
    try:
        return formatos.uuid(pedido)
    except formatos.NaoCabe as erro:
        raise ErroDeConfiguracao(f"'{pedido}' não é um event_id nem um número de sequência") from erro


def destino(conexao: Conexao, pedido: str) -> dict[str, Any]:
    """The event with what became of it, as plain values for JSON. Raises ErroDeConfiguracao if it is not there."""
    (sequencia,) = sequencias_de(conexao, [pedido])
    nomes = ("sequence_number", "event_id", "tipo", "versao_schema", "origem", "correlacao_id", "criado_em", "payload")
    evento = dict(zip(nomes, _sql.registro(conexao, sequencia=sequencia), strict=True))
    descarte = _sql.descarte(conexao, sequencia=sequencia)
    mortas = [
        dict(zip(("motivo", "situacao", "tentativas", "proxima_em", "erro"), linha, strict=True))
        for linha in _sql.mortas(conexao, event_id=evento["event_id"])
    ]
    destino, motivo = _julgar(conexao, evento, descarte, mortas)
    return {
        **evento,
        "destino": destino,
        "motivo": motivo,
        "dlq": mortas,
        "efeitos": [
            {"efeito": efeito, "demanda_id": demanda}
            for efeito, demanda in _sql.efeitos(conexao, event_id=evento["event_id"])
        ],
        "publicacoes": [
            dict(zip(("sequence_number", "tipo", "criado_em"), linha, strict=True))
            for linha in _sql.publicacoes(conexao, correlacao_id=evento["correlacao_id"], sequencia=sequencia)
        ],
    }


def _julgar(
    conexao: Conexao, evento: dict[str, Any], descarte: tuple[Any, ...] | None, mortas: list[dict[str, Any]]
) -> tuple[str, str]:
    """Destination and reason, in Portuguese."""
    tipo = GRAFIAS.get(unicodedata.normalize("NFC", evento["tipo"]))
    if tipo is None:
        return "alheio", "a D-5 não consome este tipo de evento"
    falha = next((m for m in mortas if m["motivo"] == "aplicacao" and m["situacao"] != "resolvida"), None)
    if falha is not None:
        return "dlq", f"{falha['situacao']} depois de {falha['tentativas']} tentativa(s): {falha['erro']}"
    if descarte is not None and descarte[1] != "reenviado":
        return "descartado", descarte[0]
    posicoes = cursores.posicoes(conexao)
    if evento["sequence_number"] > posicoes.por_tipo.get(tipo, posicoes.julgado_ate):
        return "pendente", "está acima da posição aplicada do seu tipo"
    publicacao = next((m for m in mortas if m["motivo"] == "publicacao" and m["situacao"] == "aberta"), None)
    if publicacao is not None:
        return "aplicado", f"suas publicações seguem pendentes: {publicacao['erro']}"
    return "aplicado", "efeitos confirmados, ou nenhum pela regra do seu estado"

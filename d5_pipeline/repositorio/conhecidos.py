"""What became of an event: applied, discarded, dead or pending, and why."""

import unicodedata
from collections.abc import Sequence
from typing import Any, NamedTuple

from d5_pipeline.conexao import Conexao
from d5_pipeline.consultas import consultas
from d5_pipeline.dominio import formatos
from d5_pipeline.dominio.eventos import AGENDA_GERADA, GRAFIAS, ITEM_DISPONIVEL, TIPOS_LIDOS
from d5_pipeline.dominio.posicoes import Posicoes
from d5_pipeline.erros import ErroDeConfiguracao
from d5_pipeline.repositorio import cursores

_sql = consultas("eventos")


def sequencias_de(conexao: Conexao, pedidos: Sequence[str]) -> list[int]:
    """The number of each event given by event_id or number. Raises ErroDeConfiguracao for one not in the log."""
    chaves = [chave_de(pedido) for pedido in pedidos]
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


def identificador(texto: str, de_que: str) -> str:
    """A UUID in canonical form. Raises ErroDeConfiguracao that says of what it is none."""
    try:
        return formatos.uuid(texto)
    except formatos.NaoCabe as erro:
        raise ErroDeConfiguracao(f"'{texto}' não é um UUID de {de_que}") from erro


def chave_de(pedido: str) -> str | int:
    """A number of the log or an event_id as someone wrote it. Raises ErroDeConfiguracao for anything else."""
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
    (evento,) = julgar(conexao, [dict(zip(nomes, _sql.registro(conexao, sequencia=sequencia), strict=True))])
    publicacoes = _sql.publicacoes(conexao, correlacao_id=evento["correlacao_id"], sequencia=sequencia)
    return {
        **evento,
        "publicacoes": [
            dict(zip(("sequence_number", "tipo", "criado_em"), linha, strict=True)) for linha in publicacoes
        ],
    }


def julgar(conexao: Conexao, eventos: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The events (sequence_number, event_id, tipo, origem, …), each with destino, motivo, dlq and efeitos added."""
    event_ids = [evento["event_id"] for evento in eventos]
    descartes = {event_id: resto for event_id, *resto in _sql.descartes(conexao, event_ids=event_ids)}
    mortas: dict[str, list[dict[str, Any]]] = {}
    for event_id, *resto in _sql.mortas(conexao, event_ids=event_ids):
        morta = dict(zip(("motivo", "situacao", "tentativas", "proxima_em", "erro"), resto, strict=True))
        mortas.setdefault(event_id, []).append(morta)
    efeitos: dict[str, list[dict[str, Any]]] = {}
    for event_id, efeito, demanda in _sql.efeitos(conexao, event_ids=event_ids):
        efeitos.setdefault(event_id, []).append({"efeito": efeito, "demanda_id": demanda})
    leitura = _Leitura.atual(conexao)
    julgados = []
    for evento in eventos:
        das_mortas = mortas.get(evento["event_id"], [])
        destino, motivo = _julgar(leitura, evento, descartes.get(evento["event_id"]), das_mortas)
        julgados.append(
            {**evento, "destino": destino, "motivo": motivo, "dlq": das_mortas}
            | {"efeitos": efeitos.get(evento["event_id"], [])}
        )
    return julgados


class _Leitura(NamedTuple):
    """What was read of the log: from where, by type, and up to where; no positions before the cursors are seeded."""

    inicios: dict[str, int]
    posicoes: Posicoes | None

    @classmethod
    def atual(cls, conexao: Conexao) -> "_Leitura":
        inicios: dict[str, int] = {}
        for intervencao, posicao, tipos in _sql.inicios(conexao):
            for tipo in TIPOS_LIDOS if intervencao == "semeadura" else tipos:
                inicios[tipo] = min(posicao, inicios.get(tipo, posicao))
        return cls(inicios, cursores.posicoes(conexao) if cursores.semeados(conexao) else None)

    def nao_lido(self, tipo: str, sequencia: int) -> tuple[str, str] | None:
        """Destination and reason of an event of `tipo` that was not read, None for one that was."""
        if self.posicoes is None:
            return "pendente", "os cursores ainda não foram semeados"
        if sequencia > self.posicoes.por_tipo.get(tipo, self.posicoes.julgado_ate):
            return "pendente", "está acima da posição aplicada do seu tipo"
        if sequencia <= self.inicios.get(tipo, 0):
            return "nao_lido", f"a leitura do tipo começou depois do nº {self.inicios[tipo]} (D1)"
        return None


def _julgar(
    leitura: _Leitura, evento: dict[str, Any], descarte: Sequence[Any] | None, mortas: list[dict[str, Any]]
) -> tuple[str, str]:
    """Destination and reason, in Portuguese."""
    nome = unicodedata.normalize("NFC", evento["tipo"])
    tipo = GRAFIAS.get(nome)
    if tipo is None:
        if evento["origem"] == "D-5" and nome in (AGENDA_GERADA, ITEM_DISPONIVEL):
            return "publicado", "evento da própria D-5"
        return "alheio", "a D-5 não consome este tipo de evento"
    falha = next((m for m in mortas if m["motivo"] == "aplicacao" and m["situacao"] != "resolvida"), None)
    if falha is not None:
        return "dlq", f"{falha['situacao']} depois de {falha['tentativas']} tentativa(s): {falha['erro']}"
    if descarte is not None and descarte[1] != "reenviado":
        return "descartado", descarte[0]
    nao_lido = leitura.nao_lido(tipo, evento["sequence_number"])
    if nao_lido is not None:
        return nao_lido
    publicacao = next((m for m in mortas if m["motivo"] == "publicacao" and m["situacao"] == "aberta"), None)
    if publicacao is not None:
        return "aplicado", f"suas publicações seguem pendentes: {publicacao['erro']}"
    return "aplicado", "efeitos confirmados, ou nenhum pela regra do seu estado"

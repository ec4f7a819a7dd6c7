"""Reading, applying and publishing one event at a time, each in a transaction of its own."""

import json
import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import uuid4

import msgspec

from bench.banco import consultas
from bench.referencia import manipuladores
from bench.referencia.evento import TIPOS, Evento, centesimos
from d5_pipeline.conexao import Conexao

_sql = consultas("referencia/passos")
_json = msgspec.json.Encoder(decimal_format="number")


class Referencia:
    """A consumer over one connection; every statement is prepared the first time it is used."""

    def __init__(self, conexao: Conexao, parametros: Mapping[str, Any], desde: int = 0) -> None:
        conexao.prepare_threshold = 0
        self.conexao = conexao
        padrao = {"capacidade_por_uc": {}, "pesos_situacionais": {}, "concluidas_ocupam_vaga": True}
        self.parametros: dict[str, Any] = {**padrao, **parametros}
        self._desde = desde

    def drenar(self) -> int:
        """Until nothing is pending; returns how many events were applied."""
        aplicados = 0
        while self.aplicar_um():
            aplicados += 1
        return aplicados

    def aplicar_um(self) -> bool:
        """The next event: read, applied, published, committed; False where there is none."""
        with self.conexao.transaction():
            linha = _sql.ler_proximo(self.conexao, desde=self._desde, tipos=list(TIPOS))
            if linha is None:
                return False
            evento = _evento(*linha)
            manipuladores.aplicar(self, evento)
            _sql.avancar_cursor(self.conexao, tipo=evento.tipo, sequencia=evento.sequencia)
        self._desde = evento.sequencia
        return True

    def capacidade(self, unidade: str) -> int:
        """Capacity of a unit (4.3)."""
        return int(self.parametros["capacidade_por_uc"].get(unidade, self.parametros["capacidade_padrao"]))

    def publicar(self, evento: Evento, tipo: str, payload: dict[str, Any]) -> None:
        """Appends an event with the trigger's correlacao_id (5.3, 5.4)."""
        timestamp = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        _sql.publicar(
            self.conexao,
            event_id=str(uuid4()),
            tipo=tipo,
            correlacao_id=evento.correlacao_id,
            payload=_json.encode(payload | {"timestamp": timestamp}).decode(),
        )

    def anunciar(self, evento: Evento, unidade: str) -> None:
        """The first available demand of the unit, unless it is the one last announced (D9)."""
        topo = _sql.buscar_primeiro_disponivel(self.conexao, unidade_civica_id=unidade)
        if topo is None:
            return
        demanda_id, posicao, score, categoria_id, nivel_precedencia, grupo_id = topo
        if _sql.buscar_anuncio(self.conexao, unidade_civica_id=unidade) == demanda_id:
            return
        payload = {
            "demanda_id": demanda_id,
            "unidade_civica_id": unidade,
            "posicao_no_backlog": posicao,
            "score_final": score,
            "categoria_id": categoria_id,
            "nivel_precedencia": nivel_precedencia,
            "grupo_id": grupo_id,
        }
        self.publicar(evento, "agenda.item_disponível", payload)
        _sql.gravar_anuncio(
            self.conexao,
            unidade_civica_id=unidade,
            demanda_id=demanda_id,
            event_id=evento.event_id,
            anunciado_em=evento.quando,
        )


def _evento(sequencia: int, event_id: str, tipo: str, correlacao_id: str, criado_em: datetime, payload: str) -> Evento:
    dados = json.loads(payload, parse_float=Decimal)
    return Evento(sequencia, event_id, unicodedata.normalize("NFC", tipo), correlacao_id, centesimos(criado_em), dados)

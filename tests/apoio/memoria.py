"""The engine without a server: the pure fold over dictionaries, the dbt models on DuckDB for the rebuilds."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import polars as pl

from d5_pipeline.dominio import agenda_builder, geo_clustering, incremental
from d5_pipeline.dominio import eventos as ev
from d5_pipeline.dominio.estado import Estado, UnidadeCivica
from d5_pipeline.dominio.linhas import Item, Publicacao
from d5_pipeline.dominio.ondas import cortar
from d5_pipeline.dominio.validacao import validar
from tests.modelos.estados import linhas_de_parametros
from tests.modelos.motor import ModelosDuckDB


class ColoniaEmMemoria:
    """D-5 with dictionaries for tables. It shares the fold, the models, the groups and the agenda with the real one."""

    def __init__(self, parametros: Mapping[str, Any], modelos: ModelosDuckDB) -> None:
        self._parametros = parametros
        self._modelos = modelos
        self._estado = Estado(unidades=defaultdict(self._nova_unidade))
        self._scores: dict[str, ev.Evento] = {}
        self._agregadas: dict[str, tuple[ev.Evento, ev.Agregada]] = {}
        self._coordenadas: dict[str, tuple[float, float]] = {}
        self._publicacoes: list[Publicacao] = []
        self._descartados: list[int] = []
        self._cursores = dict.fromkeys(ev.TIPOS_COM_CURSOR, 0)

    def _nova_unidade(self) -> UnidadeCivica:
        return UnidadeCivica(0, 0, None, None)

    def processar(self, brutos: Sequence[Mapping[str, Any]]) -> None:
        """One batch: validate, cut into waves, fold, rebuild."""
        eventos = [evento for bruto in brutos if (evento := self._validar(bruto)) is not None]
        for onda in cortar(eventos, self._estado.vinculos(), []):
            self._aplicar(onda)

    def _validar(self, bruto: Mapping[str, Any]) -> ev.Evento | None:
        tipo = ev.GRAFIAS.get(bruto["tipo"])
        if tipo is None:
            return None
        if tipo in self._cursores:
            self._cursores[tipo] = bruto["sequence_number"]
        envelope = ev.Envelope(
            bruto["sequence_number"],
            bruto["event_id"],
            tipo,
            bruto["versao_schema"],
            bruto["correlacao_id"],
            datetime.fromisoformat(bruto["criado_em"]),
            json.dumps(bruto["payload"], default=str),
        )
        validado = validar(envelope)
        if isinstance(validado, ev.Evento):
            return validado
        self._descartados.append(validado.sequence_number)
        return None

    def _aplicar(self, onda: Iterable[ev.Evento]) -> None:
        estado = self._estado
        for evento in onda:
            for unidade in (*ev.unidades_citadas(evento.dados), *self._vinculos_de(evento)):
                estado.unidades[unidade].capacidade = self._capacidade(unidade)
            descarte = incremental.aplicar(estado, evento)
            if descarte is not None:
                self._descartados.append(descarte.sequence_number)
        mudancas = estado.mudancas
        self._scores |= {demanda: evento for demanda, (evento, _) in mudancas.scores.items()}
        self._agregadas |= mudancas.agregadas
        self._coordenadas |= {demanda: (lat, lng) for demanda, (lat, lng, _) in mudancas.coordenadas.items()}
        gatilhos = dict(mudancas.reconstrucoes)
        if gatilhos:
            self._reconstruir(gatilhos)
        self._publicacoes += mudancas.publicacoes
        estado.mudancas = type(mudancas)()

    def _vinculos_de(self, evento: ev.Evento) -> set[str]:
        conhecidos = self._estado.vinculos()
        return {u for demanda in ev.demandas_citadas(evento.dados) for u in conhecidos.get(demanda, ())}

    def _capacidade(self, unidade: str) -> int:
        padrao: int = self._parametros["capacidade_padrao"]
        return int(self._parametros["capacidade_por_uc"].get(unidade, padrao))

    def _reconstruir(self, gatilhos: dict[str, ev.Evento]) -> None:
        unidades = sorted(gatilhos)
        self._expor_aos_modelos()
        linhas = self._modelos.backlog_ordenado(unidades)
        niveis = self._modelos.nivel_nao_vencido(unidades)
        selecao = pl.DataFrame(
            [{**linha, "score": linha["score_final"]} for linha in linhas], schema=agenda_builder.ESQUEMA_SELECAO
        )
        clustering = self._parametros["clustering"]
        grupos = geo_clustering.agrupar(selecao, clustering["raio_metros"], clustering["min_pontos"])
        ordenadas = agenda_builder.ordenar(
            selecao, grupos, agenda_builder.memoria(self._estado, selecao["demanda_id"].to_list()), gatilhos
        )
        anunciadas = {u: d for u in unidades if (d := self._estado.unidades[u].anunciada) is not None}
        versao = self._parametros["versao"]
        agendas = agenda_builder.montar(ordenadas, gatilhos, niveis, anunciadas, versao)
        agenda_builder.incorporar(self._estado, ordenadas, agendas)

    def _expor_aos_modelos(self) -> None:
        self._modelos.limpar()
        for tabela, linhas in linhas_de_parametros(dict(self._parametros)).items():
            self._modelos.carregar(tabela, linhas)
        dados = [e.dados for e in self._scores.values() if isinstance(e.dados, ev.Ranqueada)]
        self._modelos.carregar(
            "unidades_civicas", [{"unidade_civica_id": u} for u in sorted({d.unidade_civica_id for d in dados})]
        )
        campos = ("demanda_id", "unidade_civica_id", "categoria_id", "nivel_precedencia", "score_final")
        self._modelos.carregar("backlog_scores", [{campo: getattr(d, campo) for campo in campos} for d in dados])
        self._modelos.carregar("demandas_agregadas", [{"demanda_id": d} for d in self._agregadas])
        self._modelos.carregar(
            "situacao_demandas", [{"demanda_id": d, "status": s.status} for d, s in self._estado.situacoes.items()]
        )
        self._modelos.carregar(
            "coordenadas_demanda",
            [{"demanda_id": d, "lat": lat, "lng": lng} for d, (lat, lng) in self._coordenadas.items()],
        )

    def resultado(self) -> dict[str, Any]:
        """Tables and publications in the form of a conformance file's `esperado`."""
        return {
            "backlog_scores": [_score(evento) for evento in self._scores.values()],
            "backlog_items": [_item(item) for item in self._estado.itens.values()],
            "demandas_agregadas": [
                {
                    "demanda_id": demanda,
                    "agregado_id": dados.agregado_id,
                    "representante_demanda_id": dados.representante_demanda_id,
                    "evento_id": evento.event_id,
                }
                for demanda, (evento, dados) in self._agregadas.items()
            ],
            "coordenadas_demanda": [
                {"demanda_id": d, "lat": lat, "lng": lng} for d, (lat, lng) in self._coordenadas.items()
            ],
            "consumer_offset": self._cursores,
            "descartados": sorted(self._descartados),
            "publicacoes": [
                {"tipo": p.tipo, "correlacao_id": p.gatilho.correlacao_id, "payload": p.payload}
                for p in sorted(self._publicacoes, key=lambda p: p.gatilho.sequence_number)
            ],
        }


def _score(evento: ev.Evento) -> dict[str, Any]:
    assert isinstance(evento.dados, ev.Ranqueada)
    campos = {campo: getattr(evento.dados, campo) for campo in ev.Ranqueada.__struct_fields__}
    return campos | {campo: getattr(evento, campo) for campo in ("event_id", "correlacao_id", "sequence_number")}


def _item(item: Item) -> dict[str, Any]:
    return {campo: getattr(item, campo) for campo in Item.__struct_fields__ if campo != "atualizado_em"}

"""Measurements as Prometheus metrics: names and labels (8.3), the text format, the HTTP endpoint."""

import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from math import inf

from prometheus_client import CollectorRegistry, generate_latest, start_http_server
from prometheus_client.metrics_core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from d5_pipeline.cli.contexto import interromper, nao_escuta
from d5_pipeline.dominio.eventos import AGENDA_GERADA, ITEM_DISPONIVEL
from d5_pipeline.erros import MedicaoImpossivel
from d5_pipeline.registro import log
from d5_pipeline.repositorio.metricas import Medidas
from d5_pipeline.repositorio.sinais import LINHAS_DO_LOG, PENDENTES

DLQ = (("aplicacao", "aberta"), ("aplicacao", "esgotada"), ("publicacao", "aberta"))
"""What an open dead letter may be."""


class Exposicao(Collector):
    """Reads at scrape time, one reading at a time: whoever waited takes the one that began after they asked."""

    def __init__(self, medir: Callable[[], Medidas], relogio: Callable[[], float] = time.monotonic) -> None:
        self._medir = medir
        self._relogio = relogio
        self._trava = threading.Lock()
        self._lida_em = float("-inf")
        self._familias: list[Metric] = []
        self._registro = CollectorRegistry()
        self._registro.register(self)

    def describe(self) -> Iterable[Metric]:
        """Nothing: registering must not read the database."""
        return ()

    def collect(self) -> Iterable[Metric]:
        """Everything, or d5_up 0 where the database cannot be measured."""
        pedida_em = self._relogio()
        with self._trava:
            if self._lida_em <= pedida_em:
                lida_em = self._relogio()
                self._familias = self._ler()
                self._lida_em = lida_em
            return self._familias

    def texto(self) -> str:
        """The exposition in the text format."""
        return generate_latest(self._registro).decode()

    def servir(self, porta: int, endereco: str, avisar: Callable[[str], None]) -> None:
        """Answers scrapes until interrupted or terminated. Raises ErroDeConfiguracao where it cannot listen."""
        signal.signal(signal.SIGTERM, interromper)
        try:
            servidor, fio = start_http_server(porta, endereco, self._registro)
        except OSError as erro:
            raise nao_escuta(endereco, porta, erro) from erro
        try:
            avisar(f"http://{endereco}:{servidor.server_port}/metrics")
            fio.join()
        except KeyboardInterrupt:
            return
        finally:
            servidor.shutdown()
            servidor.server_close()

    def _ler(self) -> list[Metric]:
        try:
            medidas = self._medir()
        except MedicaoImpossivel as erro:
            log.warning("métricas sem leitura do banco", erro=str(erro))
            return [_medida("d5_up", "1 se o banco pôde ser lido, senão 0", 0)]
        return [_medida("d5_up", "1 se o banco pôde ser lido, senão 0", 1), *familias(medidas)]


def familias(medidas: Medidas) -> Iterator[Metric]:
    """One family per metric."""
    yield _por_rotulos(
        "d5_backlog_size_by_uc",
        "Itens no backlog de cada unidade cívica, por status; membros agregados não contam",
        ("unidade_civica_id", "status"),
        medidas.backlog.items(),
    )
    publicadas = medidas.publicadas
    yield CounterMetricFamily(
        "d5_agenda_gerada", "Eventos agenda.gerada gravados no log", publicadas.get(AGENDA_GERADA, 0)
    )
    yield CounterMetricFamily(
        "d5_item_disponivel", "Eventos agenda.item_disponível gravados no log", publicadas.get(ITEM_DISPONIVEL, 0)
    )
    yield HistogramMetricFamily(
        "d5_rebuild_duration_ms",
        "Duração de cada rebuild de unidade cívica, em milissegundos",
        buckets=[
            ("+Inf" if limite == inf else str(float(limite)), total) for limite, total in medidas.rebuilds.acumulados
        ],
        sum_value=medidas.rebuilds.soma,
    )
    yield from _familias_dos_sinais(medidas)


def _familias_dos_sinais(medidas: Medidas) -> Iterator[Metric]:
    sinais = medidas.sinais
    atrasos = sinais.atrasos
    yield _por_rotulos(
        "d5_lag_events",
        f"Eventos do tipo à espera; contados em até {LINHAS_DO_LOG} linhas do log acima da posição aplicada",
        ("tipo_evento",),
        (((tipo,), atraso.eventos) for tipo, atraso in atrasos.items()),
    )
    yield _por_rotulos(
        "d5_lag_seconds",
        "Idade do evento mais antigo do tipo à espera; 0 sem nenhum",
        ("tipo_evento",),
        (((tipo,), atraso.segundos) for tipo, atraso in atrasos.items()),
    )
    yield _medida(
        "d5_lag_log_numbers",
        "Números do log, de qualquer tipo, acima da posição aplicada",
        max(sinais.fim_do_log - sinais.desde, 0) if sinais.semeada else 0,
    )
    yield _medida("d5_seconds_since_progress", "Segundos desde que um cursor avançou", sinais.sem_progresso)
    yield _medida("d5_open_holes", "Lacunas do log que uma transação viva ainda pode preencher", len(sinais.lacunas))
    yield _medida(
        "d5_oldest_hole_age_seconds",
        "Idade da mais antiga dessas lacunas; 0 sem nenhuma",
        max((presa.segundos for presa in sinais.lacunas), default=0),
    )
    yield _por_rotulos(
        "d5_dlq_size",
        "Eventos na DLQ sem solução, por motivo e situação",
        ("motivo", "situacao"),
        {**dict.fromkeys(DLQ, 0), **sinais.dlq}.items(),
    )
    yield _medida(
        "d5_pending_publications", f"Publicações à espera de entrar no log, contadas até {PENDENTES}", sinais.pendentes
    )
    yield _medida(
        "d5_oldest_pending_publication_age_seconds", "Idade da primeira delas; 0 sem nenhuma", sinais.pendentes_ha
    )
    yield _medida(
        "d5_oldest_open_announcement_age_seconds",
        "Idade do anúncio mais antigo cuja demanda segue disponível, sem sorteio; 0 sem nenhum",
        medidas.anuncio_ha,
    )


def _medida(nome: str, ajuda: str, valor: float) -> Metric:
    return GaugeMetricFamily(nome, ajuda, valor)


def _por_rotulos(
    nome: str, ajuda: str, rotulos: tuple[str, ...], valores: Iterable[tuple[tuple[str, ...], float]]
) -> Metric:
    familia = GaugeMetricFamily(nome, ajuda, labels=rotulos)
    for chave, valor in valores:
        familia.add_metric(chave, valor)
    return familia

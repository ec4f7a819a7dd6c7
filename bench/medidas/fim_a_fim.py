"""End to end: from an event in the log to the announcement that answers it; and what Dagster keeps of it."""

import random
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from statistics import median

from bench.banco import Servidor, consultas, parametrizar
from bench.carga import Cidade, Demanda, avulso, parametros, payload_ranqueada, unidade, uuid_sorteado
from bench.gravacao import acrescentar
from bench.medida import Contexto, Cronometro, Medida, Meta, Serie, figura
from bench.servico import Servico, d5_servir, daemon_comum
from d5_pipeline.barramento.leitor import maior_sequencia
from d5_pipeline.conexao import Conexao, conectar
from d5_pipeline.processamento.situacao import ha_trabalho

PAUSA = 6.0  # seconds at most before an event: it finds the sensor at any point of its turn
_sql = consultas("medicao")


@figura("fim_a_fim")
def medir_de_ponta_a_ponta(ctx: Contexto) -> list[Medida]:
    """Cold events one by one, cascades, then bursts; before that, the same cold events under plain polling."""
    frios, comuns, saltos, cascatas, rajadas = ctx.tamanho((20, 7, 10, 5, 5), (1, 1, 2, 1, 1))
    pausa, aquecer, rajada = ctx.tamanho((PAUSA, 1, 5_000), (0.0, 0, 200))
    ctx.dizer(f"fim a fim: {comuns} eventos com sensor e daemon comuns")
    with _Cidade(ctx.servidor, daemon_comum, pausa) as cidade:
        cidade.esfriar(aquecer)
        sondagem = cidade.esfriar(comuns)
    ctx.dizer(f"fim a fim: {frios} eventos a frio com d5 servir")
    with _Cidade(ctx.servidor, d5_servir, pausa) as cidade:
        cidade.esfriar(aquecer)
        antes = cidade.historico()
        frio = cidade.esfriar(frios)
        por_evento = (cidade.historico() - antes) / frios
        ctx.dizer(f"fim a fim: {cascatas} cascatas de {saltos} saltos")
        cascata = cidade.cascatas(cascatas, saltos)
        ctx.dizer(f"fim a fim: {rajadas} rajadas de {rajada} eventos")
        antes = cidade.historico()
        cidade.rajadas(rajadas, rajada)
        em_rajadas = (cidade.historico() - antes) / (rajadas * rajada)
    a_frio, comum = frio.serie("d5 servir, cold", "s"), sondagem.serie("plain polling", "s")
    return [
        Medida(
            "fim_a_fim",
            "end to end, cold",
            f"append one event → agenda.item_disponível in the log, daemon and web UI running; p50 of {frios}",
            "the same job behind a sensor that looks once every 5 s, Dagster's defaults",
            (a_frio, comum),
            a_frio.mediana,
            Meta("≤", 3),
            "s",
        ),
        Medida(
            "fim_a_fim",
            f"end to end, cascade of {saltos} hops",
            "announce → draw → announce …, a watcher appends conselheiro.sorteado at once; from the first event on",
            f"{saltos} × the cold p50",
            (cascata.serie("cascade", "s"), a_frio),
            median(cascata.segundos) / (saltos * a_frio.mediana),
            Meta("≤", 0.333),
        ),
        Medida(
            "historico",
            "storage: Dagster's history",
            f"bytes per applied event where each comes alone: a run of its own, sensor ticks included; mean of {frios}",
            f"bursts of {rajada:,} events",
            (Serie.de("one by one", "B", [por_evento]), Serie.de("in bursts", "B", [em_rajadas])),
            por_evento,
            None,
            "B",
        ),
    ]


class _Cidade:
    """A database under a running service, and what neighbours do to it."""

    def __init__(
        self, servidor: Servidor, servico: Callable[[str], AbstractContextManager[Servico]], pausa: float
    ) -> None:
        self._copia = servidor.copia()
        self._iniciar = servico
        self._pausa = pausa
        self._sorte = random.Random(17)
        self._unidades = 0

    def __enter__(self) -> "_Cidade":
        url = self._copia.__enter__()
        self._conexao: Conexao = conectar(url)
        parametrizar(self._conexao, parametros(200))
        self._contexto = self._iniciar(url)
        self._servico = self._contexto.__enter__()
        return self

    def __exit__(self, *erro: object) -> None:
        self._contexto.__exit__(None, None, None)
        self._conexao.close()
        self._copia.__exit__(None, None, None)

    def historico(self) -> int:
        """Bytes of Dagster's tables and indexes."""
        return int(_sql.tamanho_do_historico(self._conexao))

    def esfriar(self, vezes: int) -> Cronometro:
        """The first demand of a unit, when no run is going on: until it is announced."""
        cronometro = Cronometro()
        for _ in range(vezes):
            time.sleep(self._sorte.uniform(0, self._pausa))
            with cronometro.medir():
                self._esperar_anuncio(*self._ranquear(1))
            self._esperar_calma()
        return cronometro

    def cascatas(self, vezes: int, saltos: int) -> Cronometro:
        """Ten demands of a unit, each drawn as soon as it is announced: until the last is announced."""
        cronometro = Cronometro()
        for _ in range(vezes):
            with cronometro.medir():
                numero, desde = self._ranquear(saltos)
                for salto in range(saltos):
                    desde, demanda = self._esperar_anuncio(numero, desde)
                    if salto < saltos - 1:
                        dados = {"demanda_id": demanda, "unidade_civica_id": unidade(numero)}
                        acrescentar(self._conexao, [avulso(self._sorte, "conselheiro.sorteado", dados)])
            self._esperar_calma()
        return cronometro

    def rajadas(self, vezes: int, eventos: int) -> None:
        """Bursts of a living city's events, each when nothing is going on."""
        cidade = Cidade(200)
        for _ in range(vezes):
            acrescentar(self._conexao, cidade.eventos(eventos))
            self._esperar_calma()

    def _ranquear(self, quantas: int) -> tuple[int, int]:
        """Appends the first demands of a unit of their own; returns its number and the end of the log before."""
        self._unidades += 1
        numero, desde = 1_000 + self._unidades, maior_sequencia(self._conexao)
        demandas = [Demanda(uuid_sorteado(self._sorte), numero, 1, "1.1") for _ in range(quantas)]
        eventos = [
            avulso(self._sorte, "demanda.ranqueada", payload_ranqueada(demanda, 500_000), "1.1.0")
            for demanda in demandas
        ]
        with self._conexao.transaction():
            acrescentar(self._conexao, eventos)
        return numero, desde

    def _esperar_anuncio(self, numero: int, desde: int) -> tuple[int, str]:
        """Number and demand of the unit's next announcement."""
        achado: list[tuple[int, str]] = []

        def anunciada() -> bool:
            linha = _sql.anuncio_depois_de(self._conexao, sequencia=desde, unidade=unidade(numero))
            achado.extend([linha] if linha else [])
            return bool(achado)

        self._servico.esperar_ate(anunciada, f"anúncio da unidade {numero}")
        return achado[0]

    def _esperar_calma(self) -> None:
        """Nothing pending and no run in progress: the next event finds everything cold."""
        self._servico.esperar_ate(
            lambda: not ha_trabalho(self._conexao) and not _sql.execucoes_em_curso(self._conexao), "fim das execuções"
        )

"""Reading the log without holes, each type above its own position, in one order (D2, D3)."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from d5_pipeline.conexao import Conexao
from d5_pipeline.consultas import consultas
from d5_pipeline.dominio.eventos import GRAFIAS, TIPOS_COM_CURSOR, Envelope
from d5_pipeline.dominio.lacunas import Julgamento, Lacuna, Portador, julgar, suspeitas
from d5_pipeline.dominio.posicoes import Posicoes
from d5_pipeline.erros import ErroDeConfiguracao
from d5_pipeline.repositorio import cursores

_sql = consultas("leitura")
_barramento = consultas("barramento")
_lacunas = consultas("lacunas")
_log = consultas("log")


class Leitura(NamedTuple):
    """The next events in log order, and the end of the prefix that was looked at."""

    envelopes: list[Envelope]
    desde: int
    ate: int
    lacunas_passadas: int = 0
    lacuna_aberta: Lacuna | None = None
    ha_mortas: bool = True
    """Whether a dead letter may wait among them."""


class Trecho(NamedTuple):
    """The next stretch of the log: the end of the prefix that may be read."""

    posicoes: Posicoes
    ate: int
    linhas: int
    """Rows in the prefix that was looked at, as of the last look for holes: later ones may only lie in open holes."""
    lacunas_passadas: int
    lacuna_aberta: Lacuna | None
    ha_mortas: bool

    def com(self, envelopes: list[Envelope], ate: int) -> Leitura:
        """The stretch, or what comes of it up to `ate`, with its events."""
        desde = self.posicoes.desde
        return Leitura(envelopes, desde, ate, self.lacunas_passadas, self.lacuna_aberta, self.ha_mortas)


def ler(conexao: Conexao, lote: int) -> Leitura:
    """The consumed events among the next `lote` rows, each type above its position, only up to the first open hole.

    See `delimitar` for what it writes and raises.
    """
    trecho = delimitar(conexao, lote)
    return trecho.com(*ler_ate(conexao, trecho.posicoes, trecho.ate, lote))


def delimitar(conexao: Conexao, lote: int) -> Trecho:
    """Up to where the next `lote` rows of the log may be read.

    Writes what was learned about holes (d5.lacunas): call it inside the transaction that applies the events. Raises
    ErroDeConfiguracao where a cursor is missing, or the cursors lie above the log.
    """
    tipos, aplicados, julgado_ate, ultimo, linhas, ha_lacunas, ha_mortas = _sql.cabecalho(
        conexao, tipos=list(TIPOS_COM_CURSOR), limite=lote
    )
    posicoes = cursores.como_posicoes(dict(zip(tipos or (), aplicados or (), strict=True)), julgado_ate)
    desde = posicoes.desde
    if ultimo == desde:
        recusar_cursor_acima_do_log(conexao, posicoes)
    vistas = (
        [] if linhas == ultimo - desde else list(_sql.lacunas_entre(conexao, desde=desde, alto=julgado_ate, ate=ultimo))
    )
    presentes = ultimo - desde - sum(fim - inicio + 1 for inicio, fim in vistas)
    julgamento = julgar_lacunas(conexao, vistas) if vistas or ha_lacunas else Julgamento((), ())
    aberta = min(julgamento.abertas, default=None)
    ate = ultimo if aberta is None else max(desde, aberta.inicio - 1)
    return Trecho(posicoes, ate, presentes, len(julgamento.passadas), aberta, ha_mortas)


def ler_ate(conexao: Conexao, posicoes: Posicoes, ate: int, lote: int) -> tuple[list[Envelope], int]:
    """At most `lote` consumed events up to `ate`, each type above its position, and the number that they reach.

    They end below `ate` where a hole that was seen a moment ago is filled by now: `lote` rows end earlier then.
    """
    if ate <= posicoes.desde:
        return [], ate
    grafias, valores = posicoes.por_grafia()
    linhas = _sql.ler_eventos(
        conexao,
        desde=posicoes.desde,
        alto=posicoes.alto,
        ate=ate,
        grafias=grafias,
        posicoes=valores,
        limite=lote,
    )
    envelopes = _envelopes(linhas)
    return envelopes, envelopes[-1].sequence_number if len(envelopes) == lote else ate


def ler_trecho(conexao: Conexao, posicoes: Posicoes, ate: int, lote: int) -> Leitura:
    """The next events up to `ate`, a stretch whose holes were judged long ago: for a replay."""
    envelopes, ate_onde = ler_ate(conexao, posicoes, ate, lote)
    return Leitura(envelopes, posicoes.desde, ate_onde)


def ler_adiante(conexao: Conexao, desde: int, lote: int) -> tuple[int, int, list[Envelope]]:
    """Last number of the next `lote` rows above `desde`, how many these are, and the consumed events among them.

    Holes are not looked for: only a later look at the same rows tells whether they may be used.
    """
    ate, linhas = _sql.proximas(conexao, desde=desde, limite=lote)
    posicoes = Posicoes(dict.fromkeys(TIPOS_COM_CURSOR, desde), desde)
    envelopes, _ = ler_ate(conexao, posicoes, ate, lote)
    return ate, linhas, envelopes


def ler_por_numero(conexao: Conexao, sequencias: Sequence[int]) -> list[Envelope]:
    """Consumed events by their numbers, in log order, wherever the cursors stand: for a re-drive (D6)."""
    return _envelopes(_sql.ler_por_numero(conexao, sequencias=list(sequencias), grafias=list(GRAFIAS)))


def _envelopes(linhas: Iterable[tuple[Any, ...]]) -> list[Envelope]:
    return [
        Envelope(sequencia, event_id, GRAFIAS[tipo], versao, correlacao, criado_em, payload)
        for sequencia, event_id, tipo, versao, correlacao, criado_em, payload in linhas
    ]


def julgar_lacunas(conexao: Conexao, vistas: Sequence[tuple[int, int]]) -> Julgamento:
    """Sees holes, lists who may fill them, reads again: in this order (D3). Keeps the result in d5.lacunas."""
    anteriores = {
        (inicio, fim): (Lacuna(inicio, fim, tuple(portadores)), vista_em)
        for inicio, fim, portadores, vista_em in _lacunas.lacunas_abertas(conexao)
    }
    suspeitos = suspeitas(vistas, [lacuna for lacuna, _ in anteriores.values()], portadores(conexao))
    vazias = _sql.faixas_vazias(conexao, inicios=[s.inicio for s in suspeitos], fins=[s.fim for s in suspeitos])
    julgamento = julgar(suspeitos, list(vazias))
    julgadas = [("passada", x) for x in julgamento.passadas] + [("aberta", x) for x in julgamento.abertas]
    _lacunas.esquecer_lacunas_abertas(conexao)
    _lacunas.gravar_lacunas(
        conexao,
        inicios=[lacuna.inicio for _, lacuna in julgadas],
        fins=[lacuna.fim for _, lacuna in julgadas],
        situacoes=[situacao for situacao, _ in julgadas],
        portadores=[json.dumps(lacuna.portadores) for _, lacuna in julgadas],
        vistas=[
            min((v for a, v in anteriores.values() if a.inicio <= x.inicio and x.fim <= a.fim), default=None)
            for _, x in julgadas
        ],
    )
    return julgamento


def portadores(conexao: Conexao) -> list[Portador]:
    """Who may still insert into the log."""
    nomes = ("virtualtransaction", "pid", "aplicacao")
    return [dict(zip(nomes, linha, strict=True)) for linha in _log.portadores(conexao)]


def recusar_cursor_acima_do_log(conexao: Conexao, posicoes: Posicoes) -> None:
    """Raises ErroDeConfiguracao where a cursor lies above the log's end (restored backup, truncated log)."""
    maior = maior_sequencia(conexao)
    if posicoes.alto > maior:
        raise ErroDeConfiguracao(
            f"cursor em {posicoes.alto}, acima do fim do log ({maior}): o log foi restaurado ou truncado? "
            f"Confira e use 'd5 cursores definir --todos {maior}'"
        )


def maior_sequencia(conexao: Conexao) -> int:
    """obterMaiorSequence(): the log's last number, 0 for an empty log."""
    return int(_barramento.maior_sequencia(conexao))


def ponto_de_partida(conexao: Conexao) -> int:
    """The highest sequence below the first open hole, 0 for an empty log: where a first boot begins (D1)."""
    ultimo = maior_sequencia(conexao)
    vistas = list(_sql.lacunas_entre(conexao, desde=0, alto=0, ate=ultimo))
    aberta = min(julgar_lacunas(conexao, vistas).abertas, default=None)
    return ultimo if aberta is None else aberta.inicio - 1


def ha_eventos(conexao: Conexao, posicoes: Posicoes) -> bool:
    """Whether a consumed event lies above the position of its type, held back by a hole or not."""
    grafias, valores = posicoes.por_grafia()
    return bool(_barramento.ha_eventos(conexao, desde=posicoes.desde, grafias=grafias, posicoes=valores))

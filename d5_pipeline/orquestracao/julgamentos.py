"""What the checks think of what they see: from a query's result to a verdict, without a database or Dagster.

Belongs here: when something is wrong, how wrong, and the line that says what to do. Does not: what is read for it
(verificacoes.py).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import groupby
from typing import Final

from d5_pipeline.config import Alertas
from d5_pipeline.dominio.lacunas import quem
from d5_pipeline.dominio.saude import LacunaPresa

MAIS_EXEMPLOS: Final = 10
"""Units that a line names."""


@dataclass(frozen=True)
class Veredito:
    """`grave` tells an error from a warning; `dados` are numbers, plotted over time."""

    passou: bool
    linha: str
    grave: bool = False
    dados: Mapping[str, float] = field(default_factory=dict)


def atraso(eventos: int, segundos: float, alertas: Alertas) -> Veredito:
    """`eventos` wait above the cursors, the oldest one for `segundos`."""
    dados = {"eventos_a_espera": eventos, "atraso_s": round(segundos, 3)}
    if not eventos or segundos < alertas.atraso_s:
        return Veredito(True, f"{eventos} evento(s) à espera, o mais antigo há {duracao(segundos)}", dados=dados)
    return Veredito(
        False,
        f"{eventos} evento(s) à espera, o mais antigo há {duracao(segundos)}: veja se o sensor vigia_do_log está "
        "ligado e o que ele diz que espera; 'd5 status' mostra lacunas, 'd5 processar' aplica o que está pendente",
        segundos >= alertas.atraso_grave_s,
        dados,
    )


def lacuna(presas: Sequence[LacunaPresa], alertas: Alertas) -> Veredito:
    """The hole that was seen first, among those that hold the log up."""
    if not presas:
        return Veredito(True, "nenhuma lacuna segura o log", dados={"lacunas_abertas": 0, "lacuna_s": 0.0})
    lacuna, _, segundos = max(presas, key=lambda presa: presa.segundos)
    dados = {"lacunas_abertas": len(presas), "lacuna_s": round(segundos, 3)}
    linha = f"a lacuna de {lacuna.inicio} a {lacuna.fim} está aberta há {duracao(segundos)}"
    if segundos < alertas.lacuna_s:
        return Veredito(True, linha, dados=dados)
    return Veredito(
        False,
        f"{linha} e segura tudo o que vem depois: {quem(lacuna.portadores)} tem de terminar "
        "(pg_terminate_backend, ou commit/rollback prepared)",
        segundos >= alertas.lacuna_grave_s,
        dados,
    )


def dlq(abertas: int, esgotadas: int) -> Veredito:
    """Dead letters that are tried again by themselves, and those that wait for a person."""
    dados = {"dlq_abertas": abertas, "dlq_esgotadas": esgotadas}
    if not abertas + esgotadas:
        return Veredito(True, "DLQ vazia", dados=dados)
    return Veredito(
        False,
        f"{abertas} evento(s) na DLQ com nova tentativa marcada, {esgotadas} sem: 'd5 dlq listar' diz a causa; "
        "corrija-a e 'd5 dlq reenviar EVENTO', ou desista com 'd5 dlq descartar EVENTO --motivo …'",
        esgotadas > 0,
        dados,
    )


def publicacoes(pendentes: int, segundos: float | None, alertas: Alertas) -> Veredito:
    """`pendentes` publications wait, the oldest one for `segundos`."""
    dados = {"publicacoes_pendentes": pendentes, "publicacao_s": round(segundos or 0.0, 3)}
    if segundos is None or segundos < alertas.publicacao_s:
        return Veredito(True, f"{pendentes} publicação(ões) pendente(s)", dados=dados)
    return Veredito(
        False,
        f"{pendentes} publicação(ões) à espera, a mais antiga há {duracao(segundos)}: veja por que o log recusa INSERT "
        "(gatilho, direito, espaço); a próxima execução publica antes de tudo",
        True,
        dados,
    )


def silenciosas(unidades: Sequence[str]) -> Veredito:
    """Units with scores that wait and no available item (D31)."""
    dados = {"unidades_silenciosas": len(unidades)}
    if not unidades:
        return Veredito(True, "nenhuma unidade com demandas à espera e nada disponível", dados=dados)
    return Veredito(
        False,
        f"{len(unidades)} unidade(s) com demandas à espera e nada disponível (D31): {_exemplos(unidades)}. "
        "As vagas são de demandas concluídas ou já sorteadas: reconstrua a unidade, aumente a capacidade ou use "
        "concluidas_ocupam_vaga = false",
        dados=dados,
    )


def anuncios(abertos: Sequence[tuple[str, str, float]], alertas: Alertas) -> Veredito:
    """`abertos`: unit, demand, days since it was announced; beyond the threshold, the oldest one first."""
    dados = {"anuncios_abertos": len(abertos), "anuncio_dias": round(abertos[0][2], 1) if abertos else 0.0}
    if not abertos:
        return Veredito(True, f"nenhum anúncio aberto há mais de {alertas.anuncio_dias} dia(s)", dados=dados)
    exemplos = _exemplos([f"{unidade} (demanda {demanda}, {dias:.0f} dias)" for unidade, demanda, dias in abertos])
    return Veredito(
        False,
        f"{len(abertos)} anúncio(s) sem sorteio há mais de {alertas.anuncio_dias} dia(s): {exemplos}. "
        "Veja na D-6a se recebeu agenda.item_disponível e por que não sorteou",
        dados=dados,
    )


def pesos(linhas: Iterable[tuple[str, int, Decimal | None, Decimal | None]], limiar: float) -> Veredito:
    """`linhas`: unit, level, weight in the last event, weight in the parameters (None: unknown), by unit (8.4).

    A drift is an error where the two sets of weights lead to different current levels: then the backlog puts first what
    the ranking does not. A unit without parameters drifts where its events have weights that differ by level.
    """
    divergentes: list[str] = []
    trocados = 0
    for unidade, grupo in groupby(linhas, key=lambda linha: linha[0]):
        dos_eventos, dos_parametros = {}, {}
        for _, nivel, do_evento, do_parametro in grupo:
            if do_evento is not None:
                dos_eventos[nivel] = do_evento
            if do_parametro is not None:
                dos_parametros[nivel] = do_parametro
        if _divergem(dos_eventos, dos_parametros):
            divergentes.append(unidade)
            vistos = {**dos_parametros, **dos_eventos}
            trocados += nivel_nao_vencido(vistos, limiar) != nivel_nao_vencido(dos_parametros, limiar)
    dados = {"unidades_divergentes": len(divergentes), "niveis_trocados": trocados}
    if not divergentes:
        return Veredito(True, "os pesos situacionais são os que a D-4 usa", dados=dados)
    return Veredito(
        False,
        f"pesos diferentes dos da D-4 em {len(divergentes)} unidade(s), com outro nível não vencido em {trocados}: "
        f"{_exemplos(divergentes)}. Compare o arquivo de parâmetros com o da D-4 e 'd5 parametros carregar ARQUIVO'",
        trocados > 0,
        dados,
    )


def _divergem(dos_eventos: Mapping[int, Decimal], dos_parametros: Mapping[int, Decimal]) -> bool:
    if not dos_parametros:
        return len(set(dos_eventos.values())) > 1
    return any(dos_parametros.get(nivel) != peso for nivel, peso in dos_eventos.items())


def nivel_nao_vencido(pesos_da_unidade: Mapping[int, Decimal], limiar: float) -> int | None:
    """The level with the highest weight above the threshold, the most critical one among equals (4.2)."""
    acima = {nivel: peso for nivel, peso in pesos_da_unidade.items() if peso > limiar}
    return min(acima, key=lambda nivel: (-acima[nivel], nivel), default=None)


def duracao(segundos: float) -> str:
    """Seconds as people say them."""
    for unidade, tamanho in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if segundos >= 2 * tamanho:
            return f"{segundos / tamanho:.0f} {unidade}"
    return f"{segundos:.0f} s"


def _exemplos(nomes: Sequence[str]) -> str:
    restantes = len(nomes) - MAIS_EXEMPLOS
    return ", ".join(nomes[:MAIS_EXEMPLOS]) + (f" e mais {restantes}" if restantes > 0 else "")

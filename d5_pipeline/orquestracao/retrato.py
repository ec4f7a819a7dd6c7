"""The agenda of one unit as a run shows it: numbers, slots by level, and the agenda itself as tables.

Belongs here: reading it, and Markdown. Does not: the map (mapa.py), when it is shown (relatorio.py).
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Final, NamedTuple

from d5_pipeline.conexao import Conexao
from d5_pipeline.consultas import consultas

MAIS_LINHAS: Final = 200
"""Rows of an agenda that are shown."""

_sql = consultas("relatorio")


class Linha(NamedTuple):
    """An item of the agenda; lat and lng in degrees, None where unknown."""

    posicao: int
    demanda_id: str
    nivel_precedencia: int
    categoria_id: str
    score: Decimal
    status: str
    grupo_id: str | None
    entrou_em: datetime
    lat: float | None
    lng: float | None


class Nivel(NamedTuple):
    """Slots of a level: offered by the decay (4.2), taken by the agenda; None stands for the uniform distribution."""

    nivel: int | None
    oferecidas: int
    usadas: int

    @property
    def livres(self) -> int:
        """Offered and not taken; the incremental path, which knows no levels, may take more than the offer (3.10)."""
        return max(0, self.oferecidas - self.usadas)


class Retrato(NamedTuple):
    """The agenda of a unit; `niveis` is empty where it has no active score."""

    unidade_civica_id: str
    nivel_nao_vencido: int | None
    niveis: list[Nivel]
    linhas: list[Linha]

    @property
    def grupos(self) -> dict[str, str]:
        """grupo_id → G1, G2, … in order of first position."""
        nomes: dict[str, str] = {}
        for linha in self.linhas:
            if linha.grupo_id is not None:
                nomes.setdefault(linha.grupo_id, f"G{len(nomes) + 1}")
        return nomes


def ler(conexao: Conexao, unidade: str) -> Retrato:
    """The unit's agenda as it is now."""
    with conexao.transaction():
        _sql.planejar_sem_jit(conexao)
        vagas = list(_sql.vagas(conexao, unidade=unidade))
        linhas = [Linha(*linha) for linha in _sql.agenda(conexao, unidade=unidade)]
    return retratar(unidade, vagas, linhas)


def retratar(unidade: str, vagas: Sequence[tuple[int | None, int | None, int]], linhas: list[Linha]) -> Retrato:
    """`vagas`: (nivel_nao_vencido, nivel, vagas) rows of the model vagas_por_nivel."""
    ocupados = [linha.nivel_precedencia for linha in linhas]
    niveis = [
        Nivel(nivel, oferecidas, len(ocupados) if nivel is None else ocupados.count(nivel))
        for _, nivel, oferecidas in vagas
    ]
    fora = len(ocupados) - sum(nivel.usadas for nivel in niveis)
    if niveis and fora:
        niveis.append(Nivel(0, 0, fora))
    return Retrato(unidade, vagas[0][0] if vagas else None, niveis, linhas)


def tabela_dos_niveis(retrato: Retrato) -> str:
    """Markdown: what the decay offers to each level, and what became of it."""
    if not retrato.niveis:
        return "Nenhum score ativo: não há o que distribuir."
    linhas = [
        (_nome_do_nivel(nivel.nivel, retrato.nivel_nao_vencido), nivel.oferecidas, nivel.usadas, nivel.livres)
        for nivel in retrato.niveis
    ]
    total = ("**total**", *(sum(coluna) for coluna in list(zip(*linhas, strict=True))[1:]))
    return _tabela(("nível", "vagas oferecidas", "usadas", "livres"), [*linhas, total], "lrrr")


def _nome_do_nivel(nivel: int | None, nao_vencido: int | None) -> str:
    if nivel is None:
        return "todos (distribuição uniforme)"
    if nivel == 0:
        return "sem nível (sorteada fora do backlog)"
    return f"**{nivel}** (não vencido)" if nivel == nao_vencido else str(nivel)


def tabela_da_agenda(retrato: Retrato) -> str:
    """Markdown: the agenda in order."""
    if not retrato.linhas:
        return "A agenda está vazia."
    grupos = retrato.grupos
    linhas = [
        (
            linha.posicao,
            f"`{linha.demanda_id}`",
            linha.nivel_precedencia,
            linha.categoria_id,
            linha.score,
            linha.status,
            grupos[linha.grupo_id] if linha.grupo_id else "",
            f"{linha.entrou_em.astimezone(UTC):%d/%m/%Y %H:%M}",
        )
        for linha in retrato.linhas[:MAIS_LINHAS]
    ]
    colunas = ("posição", "demanda", "nível", "categoria", "score", "status", "grupo", "entrou em (UTC)")
    restantes = len(retrato.linhas) - len(linhas)
    return _tabela(colunas, linhas, "rlrlrlll") + (f"\n\n… e mais {restantes}." if restantes else "")


def _tabela(colunas: Sequence[str], linhas: Iterable[Sequence[object]], alinhamento: str) -> str:
    """`alinhamento`: l or r for each column."""
    regua = ("--:" if lado == "r" else ":--" for lado in alinhamento)
    return "\n".join(f"| {' | '.join(map(str, linha))} |" for linha in (colunas, regua, *linhas))

"""How a dry run is shown in the UI: figures and Markdown tables in an op's metadata, no materialisation.

Belongs here: rows, columns, how many of them. Does not: the comparison itself.
"""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

from dagster import MetadataValue, OpExecutionContext
from msgspec.structs import asdict

from d5_pipeline.dominio.balanco import DiferencaDaUnidade, Totais
from d5_pipeline.dominio.diferencas import EFEITOS
from d5_pipeline.processamento.simulacao import Alcance

ETIQUETA_DA_SIMULACAO: Final = "d5/simulacao"
"""Tag of a run that changed nothing on purpose."""

LINHAS: Final = 200
"""Rows of a table that a page still shows well."""

Simulada = tuple[Alcance, Sequence[DiferencaDaUnidade]]

NADA_GRAVADO: Final = "Simulação: nada foi gravado nem publicado."


def relatar_simulacao(context: OpExecutionContext, simulada: Simulada | None) -> None:
    """What the rebuild would have changed, as metadata and as a line; nothing where the run was undone."""
    if simulada is None:
        return
    alcance, diferencas = simulada
    totais = Totais()
    for diferenca in diferencas:
        totais.somar(diferenca)
    frases = " ".join(filter(None, (NADA_GRAVADO, totais.do_rebuild, alcance.ressalva)))
    mudadas = [diferenca for diferenca in diferencas if diferenca.difere]
    context.instance.add_run_tags(context.run_id, {ETIQUETA_DA_SIMULACAO: "true"})
    context.log.info(frases)
    context.add_output_metadata(
        {
            "simulacao": frases,
            "unidades": totais.unidades,
            "mudam": totais.mudam,
            **asdict(totais.contagem),
            **asdict(alcance),
            "por_unidade": MetadataValue.md(_por_unidade(mudadas)),
            "por_demanda": MetadataValue.md(_por_demanda(mudadas)),
        }
    )


def _por_unidade(diferencas: Sequence[DiferencaDaUnidade]) -> str:
    colunas = ("unidade cívica", "itens antes", "itens depois", "grupos antes", "grupos depois", *EFEITOS, "anuncia")
    linhas = (
        (
            d.unidade_civica_id,
            *(d.antes.itens, d.depois.itens, d.antes.grupos, d.depois.grupos),
            *asdict(d.contagem).values(),
            d.depois.anuncia,
        )
        for d in diferencas
    )
    return _tabela(colunas, linhas, len(diferencas))


def _por_demanda(diferencas: Sequence[DiferencaDaUnidade]) -> str:
    colunas = ("unidade cívica", "demanda", "efeito", "antes", "depois")
    linhas = ((d.unidade_civica_id, m.demanda_id, m.efeito, m.antes, m.depois) for d in diferencas for m in d.demandas)
    return _tabela(colunas, linhas, sum(len(d.demandas) for d in diferencas))


def _tabela(colunas: Sequence[str], linhas: Iterable[Sequence[object]], total: int) -> str:
    """A Markdown table of at most LINHAS rows, which says how many it leaves out."""
    if not total:
        return "Nada mudaria."
    cabeca = [colunas, ["---"] * len(colunas)]
    corpo = [["—" if celula is None else celula for celula in linha] for linha in islice(linhas, LINHAS)]
    texto = "\n".join(f"| {' | '.join(map(str, linha))} |" for linha in [*cabeca, *corpo])
    if total > LINHAS:
        texto += f"\n\nMais {total - LINHAS} linha(s); todas em `d5 reconstruir --simular`."
    return texto

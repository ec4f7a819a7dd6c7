"""`d5 explicar`: reading for operators, auditors and open data. Nothing here writes."""

from typing import Annotated

import typer

from d5_pipeline.cli import mostrar_leitura
from d5_pipeline.cli.contexto import banco
from d5_pipeline.erros import ErroDeConfiguracao

EmJson = Annotated[bool, typer.Option("--json", help="Um objeto JSON na saída padrão.")]
Unidade = Annotated[str | None, typer.Option("--uc", metavar="UNIDADE", help="Unidade cívica (UUID).")]


def explicar(
    demanda: Annotated[str | None, typer.Argument(metavar="DEMANDA", help="Demanda (UUID).")] = None,
    uc: Unidade = None,
    em_json: EmJson = False,
) -> None:
    """Diz por que a demanda está onde está e o que teria de mudar; com --uc, o mesmo de toda uma unidade."""
    from d5_pipeline.repositorio.explicacoes import explicar as explicar_demanda
    from d5_pipeline.repositorio.explicacoes import explicar_unidade, identificador

    if (demanda is None) == (uc is None):
        raise ErroDeConfiguracao("informe uma demanda ou --uc UNIDADE, uma coisa ou outra")
    if demanda is not None:
        demanda_id = identificador(demanda, "demanda")
        with banco().conectado() as conexao:
            mostrar_leitura.explicacao(explicar_demanda(conexao, demanda_id), em_json)
        return
    unidade = identificador(uc or "", "unidade cívica")
    with banco().conectado() as conexao:
        achado = explicar_unidade(conexao, unidade)
    mostrar_leitura.unidade(achado, em_json)

"""Which parameters an operator means: the current ones, an earlier version, a file."""

from dataclasses import dataclass
from pathlib import Path

from d5_pipeline.conexao import Conexao
from d5_pipeline.erros import ErroDeConfiguracao
from d5_pipeline.parametros import Parametros, comparar, ler_parametros
from d5_pipeline.repositorio import parametros as repositorio


@dataclass(frozen=True)
class Origem:
    """Parameters and where they are from; `id` is None for a file."""

    rotulo: str
    parametros: Parametros
    id: int | None = None


def vigente(conexao: Conexao) -> Origem:
    """The current version. Raises ErroDeConfiguracao in a fresh database."""
    id_ = repositorio.id_vigente(conexao)
    if id_ is None:
        raise ErroDeConfiguracao("nenhum parâmetro carregado; execute 'd5 preparar'")
    return por_id(conexao, id_)


def por_id(conexao: Conexao, id_: int) -> Origem:
    """A version by its id. Raises ErroDeConfiguracao where there is none."""
    parametros = repositorio.ler(conexao, id_) if 0 < id_ < 2**63 else None
    if parametros is None:
        raise ErroDeConfiguracao(f"não há versão de parâmetros com id {id_}; veja 'd5 parametros listar'")
    return Origem(f"versão {id_} ({parametros.versao})", parametros, id_)


def resolver(conexao: Conexao, referencia: str) -> Origem:
    """A version by id or by name, or a file. Raises ErroDeConfiguracao for a name that is none or not the only one."""
    if referencia.isascii() and referencia.isdigit():
        return por_id(conexao, int(referencia))
    homonimas = [id_ for id_, versao in repositorio.ids(conexao) if versao == referencia]
    if len(homonimas) == 1:
        return por_id(conexao, homonimas[0])
    if homonimas:
        ids = ", ".join(map(str, sorted(homonimas)))
        raise ErroDeConfiguracao(f"há {len(homonimas)} versões '{referencia}' (ids {ids}); diga qual pelo id")
    if not Path(referencia).exists():
        raise ErroDeConfiguracao(
            f"'{referencia}' não é um arquivo, nem nome ou id de uma versão; veja 'd5 parametros listar'"
        )
    return Origem(f"arquivo {referencia}", ler_parametros(Path(referencia)))


def anterior(conexao: Conexao, id_: int | None) -> Origem:
    """The version to return to: `id_`, or the last one before the current whose content differs from it.

    Raises ErroDeConfiguracao where there is none, or where its content is the current one.
    """
    atual = vigente(conexao)
    if id_ is not None:
        escolhida = por_id(conexao, id_)
        if not comparar(escolhida.parametros, atual.parametros):
            raise ErroDeConfiguracao(f"a {escolhida.rotulo} já tem o conteúdo da vigente; nada a fazer")
        return escolhida
    for candidata, _ in repositorio.ids(conexao):
        if candidata != atual.id:
            origem = por_id(conexao, candidata)
            if comparar(origem.parametros, atual.parametros):
                return origem
    raise ErroDeConfiguracao("não há versão anterior com outro conteúdo; veja 'd5 parametros listar'")

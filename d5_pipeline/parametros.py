"""The parameter file (4.3): what it may say, and messages that name the key that is wrong."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from d5_pipeline.dominio import formatos
from d5_pipeline.erros import ErroDeConfiguracao
from d5_pipeline.mensagens import explicar, motivo_do_sistema


def _uuid(texto: str) -> str:
    try:
        return formatos.uuid(texto)
    except formatos.NaoCabe as erro:
        raise ValueError("não é um UUID") from erro


def _sem_repetir(tabela: object) -> object:
    """Refuses two spellings of one unit: one of their values would be dropped."""
    vistas: set[str] = set()
    for chave in tabela if isinstance(tabela, dict) else ():
        if str(chave).lower() in vistas:
            raise ValueError(f"unidade cívica repetida: {str(chave).lower()}")
        vistas.add(str(chave).lower())
    return tabela


Unidade = Annotated[str, AfterValidator(_uuid)]
SemRepetir = BeforeValidator(_sem_repetir)
Nivel = Annotated[int, Field(ge=1, le=5)]
Peso = Annotated[float, Field(ge=0, allow_inf_nan=False, strict=True)]
Capacidade = Annotated[int, Field(ge=0, le=formatos.MAIOR_INTEGER, strict=True)]


class _Fechado(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Clustering(_Fechado):
    """DBSCAN: radius in metres, fewest points of a group."""

    raio_metros: float = Field(gt=0, allow_inf_nan=False, strict=True)
    min_pontos: int = Field(ge=1, le=formatos.MAIOR_INTEGER, strict=True)


class Parametros(_Fechado):
    """One version of the parameters."""

    versao: str = Field(min_length=1, max_length=formatos.TAMANHO_VERSAO)
    fator_decaimento: float = Field(gt=0, le=1, strict=True)
    limiar_peso_nao_vencido: Peso
    capacidade_padrao: Capacidade
    concluidas_ocupam_vaga: bool = Field(True, strict=True)
    clustering: Clustering
    capacidade_por_uc: Annotated[dict[Unidade, Capacidade], SemRepetir] = {}
    pesos_situacionais: Annotated[dict[Unidade, dict[Nivel, Peso]], SemRepetir] = {}


def ler_parametros(arquivo: Path) -> Parametros:
    """The file's parameters. Raises ErroDeConfiguracao that names the file and the key."""
    try:
        conteudo = tomllib.loads(arquivo.read_text(encoding="utf-8"))
    except OSError as erro:
        raise ErroDeConfiguracao(f"não foi possível ler {arquivo}: {motivo_do_sistema(erro)}") from erro
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as erro:
        raise ErroDeConfiguracao(f"{arquivo} não é um arquivo TOML: {erro}") from erro
    return validar_parametros(conteudo, str(arquivo))


def em_toml(parametros: Parametros) -> str:
    """The file that `ler_parametros` reads as these parameters again."""
    import tomlkit  # a hundredth of what a run has to import, and no run writes a file

    return tomlkit.dumps(_tabelas(parametros))


class Divergencia(NamedTuple):
    """A key with its values on both sides; None where a side does not have it."""

    chave: str
    antes: Any
    depois: Any


def comparar(antes: Parametros, depois: Parametros) -> list[Divergencia]:
    """The keys that differ, parts joined by dots as in messages, in the order of the file."""
    velhas, novas = dict(_chaves(_tabelas(antes))), dict(_chaves(_tabelas(depois)))
    divergencias = (Divergencia(c, velhas.get(c), novas.get(c)) for c in {**velhas, **novas})
    return sorted((d for d in divergencias if d.antes != d.depois), key=lambda d: _ordem(d.chave))


def _tabelas(parametros: Parametros) -> dict[str, Any]:
    return parametros.model_dump(mode="json")


def _chaves(tabela: dict[str, Any], prefixo: str = "") -> Iterator[tuple[str, Any]]:
    for chave, valor in tabela.items():
        if isinstance(valor, dict):
            yield from _chaves(valor, f"{prefixo}{chave}.")
        else:
            yield prefixo + chave, valor


def _ordem(chave: str) -> tuple[int, str]:
    return list(Parametros.model_fields).index(chave.split(".")[0]), chave


def validar_parametros(conteudo: dict[str, Any], origem: str) -> Parametros:
    """Parsed parameters, checked. Raises ErroDeConfiguracao that names `origem` and each wrong key."""
    try:
        return Parametros.model_validate(conteudo)
    except ValidationError as erro:
        raise ErroDeConfiguracao(f"{origem}: {explicar(erro)}") from erro

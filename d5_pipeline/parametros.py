"""The parameter file (4.3): what it may say, and messages that name the key that is wrong."""

import tomllib
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from d5_pipeline.dominio import formatos
from d5_pipeline.erros import ErroDeConfiguracao


def _uuid(texto: str) -> str:
    try:
        return formatos.uuid(texto)
    except formatos.NaoCabe as erro:
        raise ValueError("não é um UUID") from erro


Unidade = Annotated[str, AfterValidator(_uuid)]
Nivel = Annotated[int, Field(ge=1, le=5)]
Peso = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Capacidade = Annotated[int, Field(ge=0, le=formatos.MAIOR_INTEGER, strict=True)]


class _Fechado(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Clustering(_Fechado):
    """DBSCAN: radius in metres, fewest points of a group."""

    raio_metros: float = Field(gt=0, allow_inf_nan=False)
    min_pontos: int = Field(ge=1, le=formatos.MAIOR_INTEGER, strict=True)


class Parametros(_Fechado):
    """One version of the parameters."""

    versao: str = Field(min_length=1, max_length=formatos.TAMANHO_VERSAO)
    fator_decaimento: float = Field(gt=0, le=1)
    limiar_peso_nao_vencido: Peso
    capacidade_padrao: Capacidade
    concluidas_ocupam_vaga: bool = Field(True, strict=True)
    clustering: Clustering
    capacidade_por_uc: dict[Unidade, Capacidade] = {}
    pesos_situacionais: dict[Unidade, dict[Nivel, Peso]] = {}


_MENSAGENS = {
    "missing": "ausente",
    "extra_forbidden": "chave desconhecida",
    "greater_than": "deve ser maior que {gt}",
    "greater_than_equal": "deve ser no mínimo {ge}",
    "less_than_equal": "deve ser no máximo {le}",
    "finite_number": "deve ser um número finito",
    "int_type": "deve ser um número inteiro",
    "int_parsing": "deve ser um número inteiro",
    "int_from_float": "deve ser um número inteiro",
    "float_type": "deve ser um número",
    "float_parsing": "deve ser um número",
    "bool_type": "deve ser true ou false",
    "string_type": "deve ser um texto",
    "string_too_long": "deve ter no máximo {max_length} caracteres",
    "string_too_short": "não pode ser vazio",
    "dict_type": "deve ser uma tabela",
    "model_type": "deve ser uma tabela",
}


def ler_parametros(arquivo: Path) -> Parametros:
    """The file's parameters. Raises ErroDeConfiguracao that names the file and the key."""
    try:
        conteudo = tomllib.loads(arquivo.read_text(encoding="utf-8"))
    except OSError as erro:
        raise ErroDeConfiguracao(f"não foi possível ler {arquivo}: {erro.strerror}") from erro
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as erro:
        raise ErroDeConfiguracao(f"{arquivo} não é um arquivo TOML: {erro}") from erro
    return validar_parametros(conteudo, str(arquivo))


def validar_parametros(conteudo: dict[str, Any], origem: str) -> Parametros:
    """Parsed parameters, checked. Raises ErroDeConfiguracao that names `origem` and the first wrong key."""
    try:
        return Parametros.model_validate(conteudo)
    except ValidationError as erro:
        primeiro = erro.errors()[0]
        chave = ".".join(str(parte) for parte in primeiro["loc"] if parte != "[key]")
        modelo = _MENSAGENS.get(primeiro["type"])
        motivo = (
            modelo.format(**primeiro.get("ctx", {})) if modelo else str(primeiro["msg"]).removeprefix("Value error, ")
        )
        raise ErroDeConfiguracao(f"{origem}: {chave}: {motivo}") from erro

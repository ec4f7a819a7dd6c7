"""Settings from the environment (D5_…)."""

from pathlib import Path
from typing import Literal, TypeVar

from pydantic import AnyHttpUrl, Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from d5_pipeline.erros import ErroDeConfiguracao
from d5_pipeline.mensagens import explicar

PARAMETROS_PADRAO = Path(__file__).resolve().parent / "parametros_padrao.toml"


class Configuracao(BaseSettings):
    """The environment's variables; everything has a default."""

    model_config = SettingsConfigDict(env_prefix="D5_", env_ignore_empty=True, extra="ignore")

    database_url: str | None = Field(None, description="PostgreSQL com core e d5; sem ela, um banco embutido em .d5/")
    parametros: Path | None = Field(None, description="arquivo de parâmetros (4.3)")
    lote: int = Field(20_000, ge=1, le=100_000, description="máximo de eventos lidos de uma vez")
    comandos_preparados: bool = Field(True, description="false atrás de um pooler de transações")
    log: Literal["debug", "info", "warning", "error"] = Field("warning", description="nível do log")
    log_json: bool = Field(False, description="uma linha JSON por registro")
    pasta: Path = Field(Path(".d5"), description="pasta do banco embutido e do Dagster")
    atraso_maximo: float = Field(300, ge=0, description="segundos de atraso, ou de lacuna presa, que 'd5 saude' tolera")
    sem_progresso: float = Field(120, ge=0, description="segundos sem progresso que 'd5 saude' tolera")
    webhook_url: AnyHttpUrl | None = Field(None, description="endereço que recebe um JSON de cada execução com falha")


class Alertas(BaseSettings):
    """From where on the checks of the UI warn (D5_ALERTA_…); everything has a default."""

    model_config = SettingsConfigDict(env_prefix="D5_ALERTA_", env_ignore_empty=True, extra="ignore")

    atraso_s: float = Field(60, gt=0, description="idade do evento mais antigo à espera: aviso")
    atraso_grave_s: float = Field(900, gt=0, description="o mesmo: erro")
    lacuna_s: float = Field(300, gt=0, description="idade da lacuna aberta mais antiga: aviso")
    lacuna_grave_s: float = Field(3_600, gt=0, description="o mesmo: erro")
    publicacao_s: float = Field(300, gt=0, description="idade da publicação pendente mais antiga: erro")
    anuncio_dias: int = Field(7, ge=1, description="dias de um anúncio sem sorteio: aviso")


_Ambiente = TypeVar("_Ambiente", bound=BaseSettings)


def configuracao() -> Configuracao:
    """The settings. Raises ErroDeConfiguracao that names the variable that does not fit."""
    return _do_ambiente(Configuracao)


def alertas() -> Alertas:
    """The thresholds of the checks. Raises ErroDeConfiguracao that names the variable that does not fit."""
    return _do_ambiente(Alertas)


def _do_ambiente(classe: type[_Ambiente]) -> _Ambiente:
    try:
        return classe()
    except ValidationError as erro:
        achados = explicar(erro, lambda campo: f"{classe.model_config.get('env_prefix', '')}{campo.upper()}")
        raise ErroDeConfiguracao(f"variável de ambiente inválida: {achados}") from erro

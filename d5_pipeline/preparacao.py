"""Making a database ready, and refusing one that is not (contract: bad input)."""

from collections.abc import Callable
from pathlib import Path

import psycopg

from d5_pipeline.conexao import Conexao
from d5_pipeline.config import PARAMETROS_PADRAO
from d5_pipeline.consultas import consultas
from d5_pipeline.erros import ErroDeConfiguracao
from d5_pipeline.parametros import Parametros, ler_parametros
from d5_pipeline.processamento.lote import agora
from d5_pipeline.repositorio import cursores, intervencoes, migracoes, modelos
from d5_pipeline.repositorio import parametros as repositorio_parametros
from d5_pipeline.repositorio.intervencoes import NINGUEM, Autoria

_log = consultas("log")
_sql = consultas("migracoes")

VERSOES_POSTGRESQL = range(15, 19)


def preparar(conexao: Conexao, url: str, arquivo: Path | None, avisar: Callable[[str], None]) -> None:
    """The log where it is missing, migrations, parameters, models. Safe to repeat; `avisar` is told each step.

    `arquivo` is the parameter file the operator configured: it is loaded where its content is not the current version.
    Without one the shipped file serves a fresh database only. Raises ErroDeConfiguracao.
    """
    parametros = ler_parametros(arquivo or PARAMETROS_PADRAO)
    _exigir_versao(conexao)
    try:
        if not _log.existe_log(conexao):
            _log.criar_log(conexao)
            avisar("log core.event_log criado")
        verificar_log(conexao)
        for nome in migracoes.migrar(conexao):
            avisar(f"migração {nome} aplicada")
        _log.criar_visao_do_log(conexao)
        consultas("visao_dos_eventos").criar_visao_dos_eventos(conexao)
        vigentes = repositorio_parametros.vigentes(conexao)
        if vigentes is None or (arquivo is not None and vigentes != parametros):
            carregar_parametros(conexao, parametros, Autoria(por_que="carregados por 'd5 preparar'"))
            avisar(f"parâmetros {parametros.versao} carregados")
        _implantar_modelos(conexao, url, avisar)
    except psycopg.errors.UndefinedColumn as erro:
        raise ErroDeConfiguracao(
            f"core.event_log tem outra forma ({str(erro).splitlines()[0]}); ajuste sql/consultas/log.sql"
        ) from erro
    except psycopg.errors.InsufficientPrivilege as erro:
        raise ErroDeConfiguracao(
            f"o usuário do banco não tem direito suficiente ({str(erro).splitlines()[0]}); "
            "prepare com o dono dos esquemas core e d5"
        ) from erro


def _implantar_modelos(conexao: Conexao, url: str, avisar: Callable[[str], None]) -> None:
    impressao = modelos.impressao_digital()
    if _sql.modelos_implantados(conexao, impressao=impressao):
        return
    modelos.implantar_modelos(url)
    with conexao.transaction():
        _sql.esquecer_modelos(conexao)
        _sql.registrar_modelos(conexao, impressao=impressao)
    avisar("visões da agenda implantadas")


def carregar_parametros(conexao: Conexao, parametros: Parametros, autoria: Autoria = NINGUEM) -> int:
    """Makes them the current version, as a recorded intervention; returns how many units the next rebuilds concern."""
    with cursores.transacao_cercada(conexao):
        conteudo = parametros.model_dump(mode="json")
        intervencao = intervencoes.registrar(conexao, "parametros", agora(), conteudo, autoria)
        repositorio_parametros.carregar(conexao, parametros, intervencao)
        return repositorio_parametros.unidades_conhecidas(conexao)


def verificar_esquemas(conexao: Conexao) -> None:
    """Raises ErroDeConfiguracao where the server, the log or schema d5 are not what this program knows."""
    _exigir_versao(conexao)
    if not _log.existe_log(conexao):
        raise ErroDeConfiguracao(
            "não existe core.event_log neste banco; confira D5_DATABASE_URL ou execute 'd5 preparar'"
        )
    _exigir_direito(conexao, "SELECT")
    _exigir_ordem(conexao)
    migracoes.verificar(conexao)


def verificar_leitura(conexao: Conexao) -> None:
    """Raises ErroDeConfiguracao where log, schema or models are not what this program works with."""
    verificar_esquemas(conexao)
    _exigir_visoes(conexao)


def verificar(conexao: Conexao) -> None:
    """The same for whoever publishes. Raises ErroDeConfiguracao also where the log may not be appended to."""
    verificar_esquemas(conexao)
    _exigir_direito(conexao, "INSERT")
    _exigir_visoes(conexao)


def _exigir_visoes(conexao: Conexao) -> None:
    if not _log.existe_visao_do_log(conexao):
        raise ErroDeConfiguracao("a visão d5.event_log não existe; execute 'd5 preparar'")
    if repositorio_parametros.vigentes(conexao) is None:
        raise ErroDeConfiguracao("nenhum parâmetro carregado; execute 'd5 preparar'")
    if not _sql.modelos_implantados(conexao, impressao=modelos.impressao_digital()):
        raise ErroDeConfiguracao("as visões da agenda não são desta versão; execute 'd5 preparar'")


def verificar_log(conexao: Conexao) -> None:
    """Raises ErroDeConfiguracao where the log has no rights for us, or numbers that are no order (D3)."""
    _exigir_direito(conexao, "SELECT")
    _exigir_direito(conexao, "INSERT")
    _exigir_ordem(conexao)


def _exigir_direito(conexao: Conexao, direito: str) -> None:
    if not _log.tem_direito_no_log(conexao, direito=direito):
        raise ErroDeConfiguracao(f"o usuário do banco não tem {direito} em core.event_log; conceda esse direito")


def _exigir_ordem(conexao: Conexao) -> None:
    cache = _log.cache_da_sequencia(conexao)
    if cache is not None and cache > 1:
        raise ErroDeConfiguracao(
            f"a sequência de core.event_log tem CACHE {cache}: a ordem dos eventos se perderia; "
            "altere para CACHE 1 (ALTER SEQUENCE … CACHE 1)"
        )


def _exigir_versao(conexao: Conexao) -> None:
    versao = conexao.info.server_version // 10_000
    if versao not in VERSOES_POSTGRESQL:
        raise ErroDeConfiguracao(f"PostgreSQL {versao} não é suportado; use da versão 15 à 18")

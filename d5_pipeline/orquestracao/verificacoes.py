"""Checks of the running system, as asset checks: they block nothing and say what to do.

Belongs here: what each one reads, which asset it is about, when they run. Does not: what is right (julgamentos.py), and
the tables' invariants (dbt's tests, modelos_dbt.py).
"""

from datetime import UTC, datetime

from dagster import (
    AssetCheckResult,
    AssetCheckSeverity,
    AssetKey,
    AssetSelection,
    DefaultScheduleStatus,
    ScheduleDefinition,
    asset_check,
    define_asset_job,
    in_process_executor,
)

from d5_pipeline import preparacao
from d5_pipeline.conexao import Conexao
from d5_pipeline.config import alertas
from d5_pipeline.consultas import consultas
from d5_pipeline.orquestracao import julgamentos
from d5_pipeline.orquestracao.ativos import BACKLOG, LOG
from d5_pipeline.orquestracao.julgamentos import Veredito
from d5_pipeline.orquestracao.operacoes import erros_claros
from d5_pipeline.orquestracao.recursos import BancoD5
from d5_pipeline.repositorio import cursores
from d5_pipeline.repositorio import parametros as repositorio_parametros
from d5_pipeline.repositorio.sinais import lacunas_presas

_sql = consultas("relatorio")


@asset_check(asset=LOG, description="Há quanto tempo espera o evento mais antigo ainda não aplicado.")
def atraso_do_log(banco: BancoD5) -> AssetCheckResult:
    """Lag."""
    conexao = _aberta(banco)
    eventos, segundos = atraso(conexao, datetime.now(UTC)) if cursores.semeados(conexao) else (0, 0.0)
    return _resultado(julgamentos.atraso(eventos, segundos, alertas()))


@asset_check(asset=AssetKey(["d5", "lacunas"]), description="Há quanto tempo a lacuna mais antiga segura o log (D3).")
def lacuna_aberta(banco: BancoD5) -> AssetCheckResult:
    """Oldest hole."""
    return _resultado(julgamentos.lacuna(lacunas_presas(_aberta(banco)), alertas()))


@asset_check(asset=AssetKey(["d5", "dlq"]), description="Eventos que falharam e esperam nova tentativa ou uma pessoa.")
def dlq_vazia(banco: BancoD5) -> AssetCheckResult:
    """Dead letters."""
    return _resultado(julgamentos.dlq(*_sql.dlq_por_situacao(_aberta(banco))))


@asset_check(
    asset=AssetKey(["d5", "publicacoes_pendentes"]), description="Há quanto tempo espera a publicação mais antiga (D7)."
)
def publicacoes_em_dia(banco: BancoD5) -> AssetCheckResult:
    """The outbox."""
    pendentes, segundos = _sql.publicacoes_a_espera(_aberta(banco))
    return _resultado(julgamentos.publicacoes(pendentes, segundos, alertas()))


@asset_check(asset=BACKLOG, description="Unidades com demandas à espera e nenhuma disponível (D31).")
def unidades_com_voz(banco: BancoD5) -> AssetCheckResult:
    """Silent units."""
    linhas = consultas("diagnostico").unidades_silenciosas(_aberta(banco))
    return _resultado(julgamentos.silenciosas([unidade for (unidade,) in linhas]))


@asset_check(
    asset=AssetKey(["d5", "anuncios_por_uc"]),
    description="Demandas anunciadas e não sorteadas há dias, pelo relógio do log (o último evento dos vizinhos).",
)
def anuncios_atendidos(banco: BancoD5) -> AssetCheckResult:
    """Announcements that nobody answers."""
    limites = alertas()
    abertos = list(_sql.anuncios_abertos(_aberta(banco), dias=limites.anuncio_dias))
    return _resultado(julgamentos.anuncios(abertos, limites))


@asset_check(
    asset=AssetKey(["d5", "param_pesos_situacionais"]),
    description="Pesos situacionais dos parâmetros contra os dos últimos eventos da D-4 (8.4).",
)
def pesos_da_d4(banco: BancoD5) -> AssetCheckResult:
    """Drift of the weights."""
    conexao = _aberta(banco)
    vigentes = repositorio_parametros.vigentes(conexao)
    limiar = vigentes.limiar_peso_nao_vencido if vigentes else 0.0
    return _resultado(julgamentos.pesos(_sql.pesos(conexao), limiar))


VERIFICACOES = [
    atraso_do_log,
    lacuna_aberta,
    dlq_vazia,
    publicacoes_em_dia,
    unidades_com_voz,
    anuncios_atendidos,
    pesos_da_d4,
]

verificar = define_asset_job(
    "verificar",
    selection=AssetSelection.checks(*VERIFICACOES),
    description="Roda as verificações do sistema em uso: atraso, lacunas, DLQ, publicações, silêncio, anúncios, pesos.",
    executor_def=in_process_executor,
)

verificacao_horaria = ScheduleDefinition(
    name="verificacao_horaria",
    job=verificar,
    cron_schedule="7 * * * *",
    execution_timezone="America/Sao_Paulo",
    default_status=DefaultScheduleStatus.RUNNING,  # a check that somebody has to start finds nothing
    description="A cada hora, aos 7 minutos: roda as verificações.",
)


def atraso(conexao: Conexao, agora: datetime) -> tuple[int, float]:
    """How many consumed events wait above their cursors, and the age of the oldest one in seconds."""
    posicoes = cursores.posicoes(conexao)
    grafias, valores = posicoes.por_grafia()
    linhas = list(consultas("diagnostico").atraso(conexao, desde=posicoes.desde, grafias=grafias, posicoes=valores))
    if not linhas:
        return 0, 0.0
    return sum(linha[1] for linha in linhas), (agora - min(linha[2] for linha in linhas)).total_seconds()


def _aberta(banco: BancoD5) -> Conexao:
    with erros_claros():
        preparacao.verificar(banco.unidade.conexao)
    return banco.unidade.conexao


def _resultado(veredito: Veredito) -> AssetCheckResult:
    return AssetCheckResult(
        passed=veredito.passou,
        severity=AssetCheckSeverity.ERROR if veredito.grave else AssetCheckSeverity.WARN,
        description=veredito.linha,
        metadata=dict(veredito.dados),
    )

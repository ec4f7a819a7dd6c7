"""`d5 demo`: real requests become the neighbours' events, D-5 answers, the agendas end on the screen."""

import time
from collections import Counter
from typing import Any

from rich.progress import Progress

from d5_pipeline.cli import mostrar
from d5_pipeline.cli.contexto import Banco, avisos, banco, tela
from d5_pipeline.conexao import Conexao
from d5_pipeline.consultas import consultas
from d5_pipeline.demonstracao.log import LogPostgres
from d5_pipeline.demonstracao.mapeamento import nome_da_unidade
from d5_pipeline.demonstracao.parametros import PARAMETROS_DEMO
from d5_pipeline.demonstracao.simulacao import Simulacao
from d5_pipeline.demonstracao.solicitacoes import Solicitacao, ler_solicitacoes
from d5_pipeline.erros import ErroDeConfiguracao
from d5_pipeline.preparacao import preparar
from d5_pipeline.processamento.dreno import Dreno
from d5_pipeline.processamento.resumo import Resumo
from d5_pipeline.processamento.semeadura import semear
from d5_pipeline.registro import configurar
from d5_pipeline.repositorio import diagnostico

EXPLICACAO = (
    "A demonstração roda com concluidas_ocupam_vaga = false: pela letra da especificação (4.10), demandas concluídas "
    "guardam suas vagas e, com as vagas cheias delas, a unidade silencia (D31)."
)


def executar(porta: int | None, endereco: str) -> int:
    """Prepares, alternates the neighbours' rounds with D-5's processing, shows the agendas; exit status.

    With a `porta` the web UI stays up afterwards.

    Raises ErroDeConfiguracao where the log is somebody else's: nothing is written then.
    """
    inicio = time.monotonic()
    alvo = banco()
    configurar("error", alvo.configuracao.log_json)  # the neighbours' late draws would fill the screen with warnings
    solicitacoes = {solicitacao.demanda_id: solicitacao for solicitacao in ler_solicitacoes()}
    with alvo.conectado() as conexao:
        _recusar_log_alheio(conexao, list(solicitacoes))
        preparar(conexao, alvo.url, PARAMETROS_DEMO, lambda passo: tela.print(f"• {passo}"))
        semear(conexao, desde_inicio=True)
    tela.print(EXPLICACAO)
    if _ja_simulada(alvo, list(solicitacoes)[-1]):
        tela.print(
            f"A demonstração já rodou neste banco; para recomeçar, use outro ou apague {alvo.configuracao.pasta}/."
        )
        resumo, eventos = Dreno(alvo.abrir, alvo.configuracao.lote).drenar(), Counter[str]()
    else:
        resumo, eventos = _simular(alvo)
    _mostrar_agendas(alvo, solicitacoes)
    tela.print("Fonte das solicitações: Prefeitura de São Paulo – SP156, dados abertos.")
    tela.print(f"Eventos dos vizinhos: {', '.join(f'{n} {tipo}' for tipo, n in sorted(eventos.items())) or 'nenhum'}.")
    mostrar.resumo(resumo)
    tela.print(f"Tempo total: {time.monotonic() - inicio:.1f} s.")
    if porta is None:
        return 0
    from d5_pipeline.cli.servico import servir

    return servir(alvo, porta, endereco)


def _recusar_log_alheio(conexao: Conexao, demandas: list[str]) -> None:
    if consultas("log").existe_log(conexao) and LogPostgres(conexao).tem_eventos_alheios(demandas):
        raise ErroDeConfiguracao(
            "o log deste banco tem eventos que não são da demonstração; use um banco vazio em D5_DATABASE_URL, "
            "ou nenhum para o embutido"
        )


def _ja_simulada(alvo: Banco, ultima_demanda: str) -> bool:
    with alvo.conectado() as conexao:
        return LogPostgres(conexao).tem_demanda(ultima_demanda)


def _simular(alvo: Banco) -> tuple[Resumo, Counter[str]]:
    dreno = Dreno(alvo.abrir, alvo.configuracao.lote)
    eventos: Counter[str] = Counter()
    with alvo.conectado() as conexao, Progress(console=avisos, disable=not avisos.is_terminal) as progresso:
        simulacao = Simulacao(LogPostgres(conexao))
        tarefa = progresso.add_task("Rodadas", total=simulacao.total_de_rodadas)
        while not simulacao.terminou:
            eventos.update(simulacao.rodada().eventos_por_tipo)
            dreno.drenar()
            progresso.advance(tarefa)
    return dreno.resumo, eventos


def _mostrar_agendas(alvo: Banco, solicitacoes: dict[str, Solicitacao]) -> None:
    with alvo.conectado() as conexao:
        unidades = [u["unidade_civica_id"] for u in diagnostico.situacao(conexao)["backlog"]]
        linhas = diagnostico.agenda(conexao, unidades)
    grupos: dict[str, str] = {}
    for unidade in sorted(unidades, key=nome_da_unidade):
        mostrar.tabela(
            f"{nome_da_unidade(unidade)} ({unidade})",
            ("posição", "demanda", "serviço", "score", "nível", "categoria", "status", "grupo"),
            (
                _linha(linha, solicitacoes[linha["demanda_id"]].servico, grupos)
                for linha in linhas
                if linha["unidade_civica_id"] == unidade
            ),
        )


def _linha(linha: dict[str, Any], servico: str, grupos: dict[str, str]) -> tuple[object, ...]:
    grupo = linha["grupo_id"]
    rotulo = None if grupo is None else grupos.setdefault(grupo, f"G{len(grupos) + 1}")
    return (
        linha["posicao"],
        linha["demanda_id"][:8],
        servico if len(servico) <= 48 else f"{servico[:47]}…",
        linha["score"],
        linha["nivel_precedencia"],
        linha["categoria_id"],
        linha["status"],
        rotulo,
    )

"""`d5 demo`: real requests become the neighbours' events, D-5 answers, the agendas end on the screen."""

import time
from collections import Counter
from typing import Any

from rich.progress import Progress

from d5_pipeline.cli import mostrar
from d5_pipeline.cli.contexto import Banco, avisos, banco, tela
from d5_pipeline.demonstracao.log import LogPostgres
from d5_pipeline.demonstracao.mapeamento import nome_da_unidade
from d5_pipeline.demonstracao.parametros import PARAMETROS_DEMO
from d5_pipeline.demonstracao.simulacao import Simulacao
from d5_pipeline.preparacao import preparar
from d5_pipeline.processamento.dreno import Dreno, Resumo
from d5_pipeline.processamento.semeadura import semear
from d5_pipeline.registro import configurar
from d5_pipeline.repositorio import diagnostico

EXPLICACAO = (
    "A demonstração roda com concluidas_ocupam_vaga = false: pela letra da especificação (4.10), demandas concluídas "
    "guardam suas vagas e, com as vagas cheias delas, a unidade silencia (D31)."
)


def executar(ui: bool) -> int:
    """Prepares, alternates the neighbours' rounds with D-5's processing, shows the agendas; exit status."""
    inicio = time.monotonic()
    alvo = banco()
    configurar("error", alvo.configuracao.log_json)  # the neighbours' late draws would fill the screen with warnings
    with alvo.conectado() as conexao:
        preparar(conexao, alvo.url, PARAMETROS_DEMO, lambda passo: tela.print(f"• {passo}"))
        semear(conexao, desde_inicio=True)
    tela.print(EXPLICACAO)
    resumo, eventos = _simular(alvo)
    _mostrar_agendas(alvo)
    tela.print(f"Eventos dos vizinhos: {', '.join(f'{n} {tipo}' for tipo, n in sorted(eventos.items()))}.")
    mostrar.resumo(resumo)
    tela.print(f"Tempo total: {time.monotonic() - inicio:.1f} s.")
    if not ui:
        return 0
    from d5_pipeline.cli.servico import servir

    return servir(alvo, 3000)


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


def _mostrar_agendas(alvo: Banco) -> None:
    with alvo.conectado() as conexao:
        unidades = [u["unidade_civica_id"] for u in diagnostico.situacao(conexao)["backlog"]]
        linhas = diagnostico.agenda(conexao, unidades)
    rotulos: dict[str, str] = {}
    for unidade in sorted(unidades, key=nome_da_unidade):
        mostrar.tabela(
            f"{nome_da_unidade(unidade)} ({unidade})",
            ("posição", "demanda", "score", "nível", "categoria", "status", "grupo"),
            (_linha(linha, rotulos) for linha in linhas if linha["unidade_civica_id"] == unidade),
        )


def _linha(linha: dict[str, Any], rotulos: dict[str, str]) -> tuple[object, ...]:
    grupo = linha["grupo_id"]
    rotulo = None if grupo is None else rotulos.setdefault(grupo, f"G{len(rotulos) + 1}")
    return (
        linha["posicao"],
        linha["demanda_id"],
        linha["score"],
        linha["nivel_precedencia"],
        linha["categoria_id"],
        linha["status"],
        rotulo,
    )

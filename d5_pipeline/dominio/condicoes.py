"""What would have to change for a demand to be elsewhere, and what the next rebuild does to it: one sentence each."""

from collections.abc import Iterator

from d5_pipeline.dominio.explicacao import Contexto, EventoCitado, Fatos, do_nivel, nome_do_status
from d5_pipeline.dominio.portugues import momento, numero, quantas

_ENCERRADAS = ("concluido", "removido")


def no_rebuild(fatos: Fatos) -> str | None:
    """How the agenda differs from what a rebuild would make of it now; None for a demand it cannot concern."""
    antes, depois = fatos.posicao, fatos.posicao_no_rebuild
    if fatos.agregada or fatos.unidade_civica_id is None:
        return None
    match antes, depois:
        case None, None:
            return "Um rebuild agora não a incluiria."
        case None, _:
            return f"O próximo rebuild a inclui, na posição {depois}: a seleção de agora lhe dá lugar."
        case _, None:
            frase = "O próximo rebuild a retira da agenda."
        case _ if fatos.unidade_da_linha != fatos.unidade_civica_id:
            unidade = fatos.unidade_civica_id
            frase = f"O próximo rebuild de {unidade}, unidade do score, a leva para lá, na posição {depois}."
        case _ if antes == depois:
            return "Um rebuild agora a deixaria na mesma posição."
        case _:
            frase = f"O próximo rebuild a leva da posição {antes} à {depois}."
    if fatos.evento_da_linha == fatos.evento_do_score:
        frase += " Chegou, ou foi ranqueada de novo, depois do último: até lá fica onde chegou, ou onde já estava."
    return frase


def condicoes(fatos: Fatos | None, contexto: Contexto) -> list[str]:
    """What would have to change, most important first; never empty."""
    return [
        *_pela_espera(fatos, contexto),
        *(_desconhecida(contexto) if fatos is None else _conhecida(fatos, contexto)),
    ]


def _pela_espera(fatos: Fatos | None, contexto: Contexto) -> Iterator[str]:
    if contexto.pendentes:
        sujeito = "Está no log, ainda não aplicada" if fatos is None else "Tem eventos no log ainda não aplicados"
        yield f"{sujeito}: {_citados(contexto.pendentes)}; 'd5 status' diz o que espera e 'd5 processar' aplica."
    for recusado in contexto.recusados:
        yield (
            f"O evento {_citados([recusado])} não teve efeito ({recusado.motivo}); "
            f"veja 'd5 evento {recusado.sequence_number}'."
        )


def _citados(eventos: list[EventoCitado]) -> str:
    return ", ".join(f"{evento.tipo} nº {evento.sequence_number}" for evento in eventos)


def _desconhecida(contexto: Contexto) -> Iterator[str]:
    if contexto.pendentes is None:
        yield "Este usuário do banco não lê o log: não se sabe se há evento dela à espera."
    if contexto.pendentes or contexto.recusados:
        return
    yield "Precisaria de um demanda.ranqueada da D-4 com este demanda_id: nenhum foi aplicado."
    if contexto.semeado_em:
        yield f"A leitura começou depois do nº {contexto.semeado_em} do log: o que está até ali não foi lido (D1)."


def _conhecida(fatos: Fatos, contexto: Contexto) -> Iterator[str]:
    if fatos.agregada:
        yield from _agregada(fatos, contexto)
    elif fatos.status in _ENCERRADAS:
        yield from _encerrada(fatos)
    elif fatos.score_final is None:
        yield from _sem_score(fatos)
    elif fatos.posicao is None and fatos.posicao_no_rebuild is None:
        yield _sem_vaga(fatos, "Precisaria")
    elif fatos.posicao is None:
        yield (
            "Nada além de um rebuild da unidade: o próximo ranking.atualizado da D-4, ou "
            f"'d5 reconstruir {fatos.unidade_civica_id}'."
        )
    else:
        yield from _do_status(fatos, contexto)
        if fatos.posicao_no_rebuild is None:
            yield _sem_vaga(fatos, "Para seguir na agenda depois do próximo rebuild, precisaria")
        else:
            yield from _folga(fatos)


def _agregada(fatos: Fatos, contexto: Contexto) -> Iterator[str]:
    quando = f" em {momento(fatos.agregado_em)}" if fatos.agregado_em else ""
    yield f"Nada a traz de volta: agregado é estado final (4.5). Foi absorvida{quando} no agregado {fatos.agregado_id}."
    for anterior, representante in zip([fatos, *contexto.representantes], contexto.representantes, strict=False):
        de = "Quem conta" if anterior is fatos else "Também foi agregada: quem conta"
        yield f"{de} é a representante {representante.demanda_id}: {_onde(representante)}."


def _onde(fatos: Fatos) -> str:
    if fatos.agregada:
        return "ela mesma agregada"
    if fatos.posicao is not None:
        return f"na agenda, posição {fatos.posicao}, {nome_do_status(fatos.status)}"
    if fatos.status is not None:
        return f"fora da agenda, {nome_do_status(fatos.status)}"
    return "desconhecida da D-5" if fatos.score_final is None else "fora da agenda"


def _encerrada(fatos: Fatos) -> Iterator[str]:
    quando = f" em {momento(fatos.data_conclusao)}" if fatos.data_conclusao else ""
    dias = fatos.dias_ate_conclusao
    depois = "" if dias is None else f" ({quantas(dias, 'dia', 'dias')} da entrada à conclusão)"
    yield f"Nada a oferece de novo: encerrada{quando}{depois}, não volta a disponível (4.5)."
    if fatos.posicao_no_rebuild is not None:
        verbo = "Segue ocupando" if fatos.posicao is not None else "Volta, já concluída, a ocupar"
        yield f"{verbo} uma vaga enquanto estiver entre as selecionadas (4.10; concluidas_ocupam_vaga = true, D31)."


def _sem_score(fatos: Fatos) -> Iterator[str]:
    yield "Precisaria de um demanda.ranqueada da D-4 para concorrer a uma vaga."
    if fatos.posicao is not None:
        yield "Foi sorteada sem score: o próximo rebuild da unidade retira a linha; o status fica registrado (D16)."


def _sem_vaga(fatos: Fatos, inicio: str) -> str:
    """A candidate beyond its level's slots."""
    vagas, lugar, score = fatos.vagas or 0, fatos.lugar_no_nivel or 0, fatos.score_final or 0
    faltam = quantas(lugar - vagas, "vaga", "vagas")
    onde = do_nivel(fatos)
    if fatos.ultima_dentro is not None and fatos.score_da_ultima_dentro is not None:
        corte = numero(fatos.score_da_ultima_dentro)
        basta = f"de {corte} ou mais" if fatos.demanda_id < fatos.ultima_dentro else f"acima de {corte}"
        return f"{inicio} de score {basta} {onde} (hoje {numero(score)}), ou de mais {faltam} {onde}."
    if fatos.capacidade == 0:
        return f"{inicio} de mais {faltam}: a capacidade da unidade é 0 (parâmetros)."
    return (
        f"{inicio} de mais {faltam} {onde}, que não tem nenhuma seja qual for o score: outra capacidade, outro nível "
        f"corrente (hoje o {fatos.nivel_nao_vencido}), ou outra categoria para a demanda."
    )


def _do_status(fatos: Fatos, contexto: Contexto) -> Iterator[str]:
    match fatos.status:
        case "atribuido":
            yield "Já foi sorteada: espera que o conselheiro a inicie (conselheiro.demanda_iniciada)."
        case "em_progresso":
            yield "Já está em progresso: espera a conclusão (demanda.concluída)."
        case _ if contexto.a_frente == 0:
            yield "Para ser sorteada, nada: é a primeira disponível da unidade."
        case _ if contexto.a_frente is not None:
            outras = quantas(contexto.a_frente, "disponível", "disponíveis")
            yield f"Para ser a próxima sorteada: {outras} à frente sair da fila, ou um score que a adiante num rebuild."


def _folga(fatos: Fatos) -> Iterator[str]:
    """How far a selected demand is from the cut."""
    if fatos.vagas is None or fatos.lugar_no_nivel is None:
        return
    folga = fatos.vagas - fatos.lugar_no_nivel + 1
    candidatas, vagas = quantas(folga, "candidata", "candidatas"), quantas(folga, "vaga", "vagas")
    yield f"Perderia a vaga num rebuild com mais {candidatas} à sua frente {do_nivel(fatos)}, ou com {vagas} a menos."

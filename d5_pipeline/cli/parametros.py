"""`d5 parametros`: what the parameters are and were, what others would change, changing them (4.3)."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from d5_pipeline.cli import diferencas, mostrar
from d5_pipeline.cli.contexto import Banco, EmJson, banco, dizer, imprimir_json
from d5_pipeline.cli.idioma import Aplicativo
from d5_pipeline.cli.intervencoes import PorQue, Quem
from d5_pipeline.cli.rascunho import rascunho
from d5_pipeline.erros import ErroDeConfiguracao
from d5_pipeline.repositorio.intervencoes import Autoria, autoria

parametros = Aplicativo("Parâmetros: listar, mostrar, comparar, simular, carregar, voltar.")

Arquivo = Annotated[Path, typer.Argument(metavar="ARQUIVO", help="Arquivo TOML (4.3).")]
Id = Annotated[int | None, typer.Option("--id", help="Número da versão, como em 'd5 parametros listar'.")]
Referencia = Annotated[str, typer.Argument(metavar="A", help="Versão (nome ou id) ou arquivo.")]
OutraReferencia = Annotated[str | None, typer.Argument(metavar="B", help="A outra; sem ela, A é comparada à vigente.")]

MOSTRADAS = 5
QUANDO_VALEM = (
    "Os parâmetros valem a partir do próximo rebuild de cada unidade cívica; a capacidade, já na próxima inserção. "
    "Para aplicá-los já: d5 reconstruir --todas (antes, com --simular)."
)


@parametros.command()
def carregar(arquivo: Arquivo, quem: Quem = None, por_que: PorQue = None) -> None:
    """Torna um arquivo de parâmetros a versão vigente."""
    from d5_pipeline.parametros import ler_parametros
    from d5_pipeline.preparacao import carregar_parametros
    from d5_pipeline.repositorio import migracoes

    novos, assinada = ler_parametros(arquivo), autoria(quem, por_que)
    alvo = banco()
    with alvo.conectado() as conexao:
        migracoes.verificar(conexao)
        unidades = carregar_parametros(conexao, novos, assinada)
    dizer(f"Parâmetros {novos.versao} carregados ({unidades} unidades cívicas conhecidas). {QUANDO_VALEM}")
    _lembrar_do_configurado(alvo, arquivo)


@parametros.command()
def listar(em_json: EmJson = False) -> None:
    """Lista as versões carregadas: quando, por quem, por quê, e qual vale."""
    from d5_pipeline.repositorio import migracoes
    from d5_pipeline.repositorio.parametros import historico

    with banco().conectado() as conexao:
        migracoes.verificar(conexao)
        versoes = historico(conexao)
    if em_json:
        imprimir_json([versao._asdict() for versao in versoes])
        return
    colunas = ("id", "versão", "carregada em (UTC)", "quem", "por quê", "UCs com capacidade", "UCs com pesos", "vale")
    mostrar.tabela(
        "Versões dos parâmetros",
        colunas,
        ((*v[:2], f"{v.carregada_em:%Y-%m-%d %H:%M:%S}", *v[3:7], "sim" if v.vigente else None) for v in versoes),
    )


@parametros.command("mostrar")
def mostrar_versao(
    versao: Annotated[str | None, typer.Argument(metavar="VERSAO|ID", help="Nome ou id; sem ele, a vigente.")] = None,
    id_: Id = None,
) -> None:
    """Mostra uma versão como arquivo TOML, que 'carregar' aceita de volta."""
    from d5_pipeline.parametros import em_toml
    from d5_pipeline.processamento import versoes
    from d5_pipeline.repositorio import migracoes

    if versao is not None and id_ is not None:
        raise ErroDeConfiguracao("diga a versão pelo nome ou por --id, uma coisa ou outra")
    with banco().conectado() as conexao:
        migracoes.verificar(conexao)
        if id_ is not None:
            origem = versoes.por_id(conexao, id_)
        else:
            origem = versoes.vigente(conexao) if versao is None else versoes.resolver(conexao, versao)
    sys.stdout.write(em_toml(origem.parametros))


@parametros.command()
def comparar(a: Referencia, b: OutraReferencia = None, em_json: EmJson = False) -> None:
    """Mostra as chaves que diferem de A para B ou, com um só, da versão vigente para ele."""
    from d5_pipeline.parametros import comparar as comparar_parametros
    from d5_pipeline.processamento import versoes
    from d5_pipeline.repositorio import migracoes

    with banco().conectado() as conexao:
        migracoes.verificar(conexao)
        de = versoes.vigente(conexao) if b is None else versoes.resolver(conexao, a)
        para = versoes.resolver(conexao, a if b is None else b)
    divergencias = comparar_parametros(de.parametros, para.parametros)
    if em_json:
        chaves = [divergencia._asdict() for divergencia in divergencias]
        imprimir_json({"de": de.rotulo, "para": para.rotulo, "diferencas": chaves})
    elif divergencias:
        mostrar.tabela(f"De {de.rotulo} para {para.rotulo}", ("chave", "antes", "depois"), divergencias)
    else:
        dizer(f"{de.rotulo} e {para.rotulo} têm o mesmo conteúdo.")


@parametros.command()
def simular(arquivo: Arquivo, em_json: EmJson = False) -> None:
    """Mostra o que um arquivo mudaria, e em que unidades, se todas fossem reconstruídas com ele; não grava nada."""
    from d5_pipeline.parametros import ler_parametros
    from d5_pipeline.processamento import versoes
    from d5_pipeline.processamento.reconstrucao import unidades_pedidas
    from d5_pipeline.processamento.simulacao import alcance, simular_parametros
    from d5_pipeline.repositorio.fotografia import fotografia_gravavel

    novos = ler_parametros(arquivo)
    with banco().legivel() as conexao, rascunho() as achados:
        with fotografia_gravavel(conexao):
            quanto, vigente = alcance(conexao), versoes.vigente(conexao)
            unidades = unidades_pedidas(conexao, [], todas=True)
            achados.guardar(simular_parametros(conexao, novos, unidades))
        desconhecidas = sorted((novos.capacidade_por_uc.keys() | novos.pesos_situacionais.keys()) - set(unidades))
        if em_json:
            cabeca = {"versao": novos.versao, "vigente": vigente.id, "unidades_desconhecidas": desconhecidas}
            diferencas.em_json(cabeca | diferencas.resumo_dos_parametros(achados.totais, quanto), achados)
            return
        dizer(f"Simulação de {arquivo} ({novos.versao}) contra a {vigente.rotulo}: nada foi gravado.")
        diferencas.dizer_efeito_dos_parametros(achados.totais)
        if desconhecidas:
            demais = len(desconhecidas) - MOSTRADAS
            texto = ", ".join(desconhecidas[:MOSTRADAS]) + (f" e mais {demais}" if demais > 0 else "")
            dizer(f"Unidades do arquivo ainda sem demandas: {texto}.", "yellow")
        if quanto.ressalva:
            dizer(quanto.ressalva, "yellow")
        dizer(f"Para mudar: d5 parametros carregar {arquivo}. {QUANDO_VALEM}")
        diferencas.detalhar(iter(achados))


@parametros.command()
def voltar(id_: Id = None, quem: Quem = None, por_que: PorQue = None) -> None:
    """Torna vigente outra vez o conteúdo de uma versão anterior, como versão nova; sem --id, a última diferente."""
    from d5_pipeline.preparacao import carregar_parametros
    from d5_pipeline.processamento import versoes
    from d5_pipeline.repositorio import migracoes

    assinada = autoria(quem, por_que)
    alvo = banco()
    with alvo.conectado() as conexao:
        migracoes.verificar(conexao)
        origem = versoes.anterior(conexao, id_)
        motivo = f"volta à versão {origem.id}" + (f": {assinada.por_que}" if assinada.por_que else "")
        carregar_parametros(conexao, origem.parametros, Autoria(assinada.quem, motivo))
    dizer(f"O conteúdo da {origem.rotulo} vale outra vez, como versão nova. {QUANDO_VALEM}")
    _lembrar_do_configurado(alvo)


def _lembrar_do_configurado(alvo: Banco, carregado: Path | None = None) -> None:
    """`d5 preparar` loads the configured file again wherever its content is not the current one."""
    configurado = alvo.configuracao.parametros
    if configurado is not None and (carregado is None or configurado.resolve() != carregado.resolve()):
        dizer(f"Atenção: D5_PARAMETROS é {configurado}; 'd5 preparar' o carrega de novo se diferir.", "yellow")

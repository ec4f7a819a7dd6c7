"""The whole fold of D-5, one event at a time, one rule after the other."""

import unicodedata
from datetime import timedelta
from decimal import Decimal
from typing import Any

from tests.referencia.estado import CONSUMIDOS, ENCERRADOS, Estado
from tests.referencia.rebuild import agrupar, selecionar
from tests.referencia.validacao import VALIDAR, DescarteError, instante

Dados = dict[str, Any]


class ModeloLiteral(Estado):
    """What D-5 holds and has published after a prefix of the log; parameters as in the conformance files."""

    def aplicar(self, evento: Dados) -> None:
        """Applies one event of the log, consumed or not."""
        tipo = unicodedata.normalize("NFC", evento["tipo"])  # D5
        if tipo not in CONSUMIDOS:  # foreign types, and demanda.removida_por_votação, which has no cursor (D4)
            return
        gatilho = {
            "tipo": tipo,
            "sequencia": evento["sequence_number"],
            "event_id": evento["event_id"].lower(),
            "correlacao_id": evento["correlacao_id"].lower(),
            "quando": instante(evento["criado_em"]),  # D14
        }
        try:
            self._despachar(gatilho, evento["payload"])
        except DescarteError:
            self.descartados.append(gatilho["sequencia"])
        self.cursores[tipo] = max(self.cursores[tipo], gatilho["sequencia"])

    def _despachar(self, gatilho: Dados, payload: object) -> None:
        tipo = gatilho["tipo"]
        if tipo == "parâmetros.atualizados":  # 4.8
            return
        if tipo == "demanda.ranqueada" and self._ja_aplicada(
            gatilho["event_id"]
        ):  # the guard precedes validation (D13)
            return
        dados = VALIDAR[tipo](payload)
        if tipo == "demanda.ranqueada":
            self._ranqueada(gatilho, dados)
        elif tipo == "ranking.atualizado":
            self._reconstruir(gatilho, dados["unidade_civica_id"])
        elif tipo == "demanda.georreferenciada":
            if dados["ponto"] is not None:  # 4.6; the last applied wins (D6)
                self.coordenadas[dados["demanda_id"]] = dados["ponto"]
        elif tipo == "duplicidade.agregada":
            self._agregada(gatilho, dados)
        elif not self.atrasado(gatilho, dados["demanda_id"]):
            self._evento_de_status(gatilho, dados)

    def _ja_aplicada(self, event_id: str) -> bool:
        return any(score["event_id"] == event_id for score in self.scores.values())

    def _ranqueada(self, gatilho: Dados, dados: Dados) -> None:
        """3.10, steps 4 to 6."""
        demanda, uc = dados["demanda_id"], dados["unidade_civica_id"]
        if demanda in self.agregadas:
            return
        anterior = self.scores.get(demanda)
        if anterior is not None and gatilho["sequencia"] <= anterior["sequence_number"]:
            return
        origem = {nome: gatilho[nome] for nome in ("event_id", "correlacao_id")}
        self.scores[demanda] = dados | origem | {"sequence_number": gatilho["sequencia"]}
        colunas = self._colunas_do_score(demanda, gatilho)
        if demanda in self.itens:  # D20: posicao, status and grupo_id stay; nothing is announced
            self.itens[demanda].update(colunas)
        elif self.status(demanda) in ENCERRADOS:  # D10
            return
        elif self.ocupadas(uc) < self.capacidade(uc):  # D21
            self.criar_linha(demanda, gatilho["quando"], colunas | {"posicao": self.ocupadas(uc) + 1, "grupo_id": None})
            self.anunciar(gatilho, uc)

    def _colunas_do_score(self, demanda: str, gatilho: Dados) -> Dados:
        score = self.scores[demanda]
        nomes = ("unidade_civica_id", "categoria_id", "nivel_precedencia")
        return {nome: score[nome] for nome in nomes} | {"score": score["score_final"], "event_id": gatilho["event_id"]}

    def _evento_de_status(self, gatilho: Dados, dados: Dados) -> None:
        """3.12 and the transitions of D17; whatever is not listed is a no-op."""
        tipo, status = gatilho["tipo"], self.status(dados["demanda_id"])
        if tipo == "conselheiro.sorteado":
            if status not in ENCERRADOS:
                self._sortear(gatilho, dados)
        elif tipo == "conselheiro.demanda_iniciada":
            if status in {"disponivel", "atribuido"}:
                self.transitar(gatilho, dados["demanda_id"], "em_progresso")
        elif tipo == "demanda.concluída":
            if status in {"disponivel", "atribuido", "em_progresso"}:
                self._concluir(gatilho, dados)
        elif not dados["ratificacao_necessaria"] and status in {"disponivel", "atribuido"}:  # 3.6
            self._concluir(gatilho, dados)

    def _sortear(self, gatilho: Dados, dados: Dados) -> None:
        demanda = dados["demanda_id"]
        if demanda in self.itens:
            self.transitar(gatilho, demanda, "atribuido")
            self.anunciar(gatilho, self.itens[demanda]["unidade_civica_id"])
            return
        score = self.scores.get(demanda, {})  # drawn outside the backlog (D16)
        uc = dados["unidade_civica_id"] or score.get("unidade_civica_id")
        if uc is None:
            raise DescarteError("unidade_civica_id is known nowhere")
        self.transitar(gatilho, demanda, "atribuido")
        colunas = {
            "unidade_civica_id": uc,
            "posicao": 0,
            "score": Decimal(0),
            "grupo_id": None,
            "categoria_id": score.get("categoria_id", "0.0"),
            "nivel_precedencia": score.get("nivel_precedencia", 0),
            "event_id": gatilho["event_id"],
        }
        self.criar_linha(demanda, gatilho["quando"], colunas)

    def _concluir(self, gatilho: Dados, dados: Dados) -> None:
        demanda = dados["demanda_id"]
        entrou_em, fim = self.entrada(demanda), dados["data_conclusao"] or gatilho["quando"]  # D14
        dias = dados["dias"]
        if dias is None and entrou_em is not None:  # D15
            dias = max(0, (fim - entrou_em) // timedelta(days=1))
        self.transitar(gatilho, demanda, "concluido", {"data_conclusao": fim, "dias_ate_conclusao": dias})
        if demanda in self.itens:
            self.anunciar(gatilho, self.itens[demanda]["unidade_civica_id"])

    def _agregada(self, gatilho: Dados, dados: Dados) -> None:
        """3.7 and D19."""
        afetadas = set()
        for membro in dados["membros"]:
            if membro == dados["representante_demanda_id"]:
                continue
            origem = self.itens.get(membro) or self.scores.get(membro)
            if origem is not None:
                afetadas.add(origem["unidade_civica_id"])
            if self.status(membro) != "agregado":
                self.transitar(gatilho, membro, "agregado")
            if membro not in self.agregadas:
                registro = {nome: dados[nome] for nome in ("agregado_id", "representante_demanda_id")}
                self.agregadas[membro] = {"demanda_id": membro} | registro | {"evento_id": gatilho["event_id"]}
        for uc in sorted(afetadas):
            self._reconstruir(gatilho, uc)

    def _reconstruir(self, gatilho: Dados, uc: str) -> None:
        """3.11 and 4.1, then agenda.gerada, then the announcement."""
        ativos = [
            s for s in self.scores.values() if s["unidade_civica_id"] == uc and s["demanda_id"] not in self.agregadas
        ]
        candidatas = ativos
        if not self.parametros.get("concluidas_ocupam_vaga", True):  # D31
            concluidas = {demanda for demanda, t in self.transicoes.items() if t["status"] == "concluido"}
            candidatas = [s for s in ativos if s["demanda_id"] not in concluidas]
        nivel, prioritarias, outras = selecionar(candidatas, self.parametros, uc)
        if not ativos:  # D24
            nivel = None
        ordenadas = prioritarias + outras
        grupos = agrupar(ordenadas, self.coordenadas, self.parametros, uc)
        grupo_de = {membro: grupo for grupo, membros in grupos for membro in membros}
        for posicao, score in enumerate(ordenadas, start=1):
            demanda = score["demanda_id"]
            colunas = self._colunas_do_score(demanda, gatilho) | {"posicao": posicao, "grupo_id": grupo_de.get(demanda)}
            if demanda in self.itens:  # also a row that stood in another unit (D16); status and entrou_em stay (D27)
                self.itens[demanda].update(colunas)
            else:
                self.criar_linha(demanda, gatilho["quando"], colunas)
        ficam = {score["demanda_id"] for score in ordenadas}
        for demanda, item in list(self.itens.items()):
            if item["unidade_civica_id"] == uc and demanda not in ficam and item["status"] != "agregado":
                del self.itens[demanda]
        contagem = (len(prioritarias), len(outras))
        self._publicar_agenda(
            gatilho, uc, [self.itens[s["demanda_id"]] for s in ordenadas], nivel, contagem, len(grupos)
        )
        self.anunciar(gatilho, uc)

    def _publicar_agenda(
        self, gatilho: Dados, uc: str, itens: list[Dados], nivel: int | None, contagem: tuple[int, int], grupos: int
    ) -> None:
        nomes = ("posicao", "demanda_id", "categoria_id", "grupo_id")
        payload = {
            "unidade_civica_id": uc,
            "total_itens": len(itens),
            "distribuicao_decay": {
                "nivel_nao_vencido": nivel,
                "itens_nivel_prioritario": contagem[0],
                "itens_outros_niveis": contagem[1],
            },
            "top_10": [{nome: i[nome] for nome in nomes} | {"score_final": i["score"]} for i in itens[:10]],
            "grupos_territoriais": grupos,
            "versao_parametros": self.parametros["versao"],
        }
        self.publicar(gatilho, "agenda.gerada", payload)

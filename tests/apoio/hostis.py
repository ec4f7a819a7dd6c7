"""Malformed and hostile events from a seed: payloads as raw JSON text, valid neighbours between them."""

import json
import random
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from tests.apoio.eventos import demanda
from tests.apoio.valores_hostis import BASES, CHAVES, ESTRANHOS, NUMEROS, TEXTOS

FUNDO = 3_000
GIGANTE = 5_000_000
DOBRAS: list[Callable[[str], str]] = [
    str.upper,
    lambda texto: texto.replace("-", ""),
    lambda texto: "{" + texto + "}",
    lambda texto: texto + "\n",
    lambda texto: "\uff11" + texto[1:],
]

Campos = dict[str, str]


@dataclass(frozen=True)
class Hostil:
    """An event before the log gives it its number; `plano`: a payload that must be judged alike and is not deep."""

    event_id: str
    tipo: str
    versao_schema: str
    payload: str
    plano: str | None = None


class Gerador:
    """Draws events; the same seed gives the same events."""

    def __init__(self, semente: int) -> None:
        self.sorte = random.Random(semente)
        self._proxima = 1_000

    def eventos(self, quantos: int) -> list[Hostil]:
        """Every third one is a valid neighbour about a demand of its own; among the others a few deep and huge ones."""
        lista = [self._vizinho() if numero % 3 == 0 else self._hostil() for numero in range(quantos)]
        raros = [*self._profundos(), *self._gigantes()]
        for numero, raro in zip(self.sorte.sample(range(quantos), len(raros)), raros, strict=True):
            lista.insert(numero, raro)
        return lista

    def _id(self) -> str:
        return str(UUID(int=self.sorte.getrandbits(128), version=4))

    def _evento(self, tipo: str, payload: str, plano: str | None = None) -> Hostil:
        grafia = unicodedata.normalize("NFD", tipo) if self.sorte.random() < 0.2 else tipo
        return Hostil(self._id(), grafia, self.sorte.choice(["1.0.0", "1.1.0", "9.9.9"]), payload, plano)

    def _vizinho(self) -> Hostil:
        self._proxima += 1
        uc = f"f1{self._proxima % 25:06d}-0000-4000-8000-000000000001"
        tipo = self.sorte.choice(["demanda.ranqueada", "demanda.georreferenciada", "conselheiro.sorteado"])
        return self._evento(tipo, objeto(self._campos(tipo, demanda(self._proxima), uc)))

    def _hostil(self) -> Hostil:
        tipo = self.sorte.choice(sorted(BASES))
        campos = self._campos(
            tipo, demanda(self.sorte.randrange(60)), f"f2{self.sorte.randrange(3):06d}-0000-4000-8000-0{'0' * 11}"
        )
        for _ in range(self.sorte.randrange(4)):
            self.sorte.choice(DEFEITOS)(self.sorte, campos)
        sorteado = self.sorte.random()
        if sorteado < 0.03:
            return self._evento(tipo, self._valor())
        texto = objeto(campos, espaco=self.sorte.choice(["", " ", "\t\n"]))
        if sorteado < 0.08:  # jsonb keeps the last of two equal keys
            chave = self.sorte.choice(sorted(campos) or ["demanda_id"])
            texto = f"{texto[:-1]}{',' if campos else ''}{json.dumps(chave)}:{self._valor()}}}"
        return self._evento(tipo, texto)

    def _campos(self, tipo: str, demanda_id: str, uc: str) -> Campos:
        score = f"{self.sorte.randrange(10**8)}.{self.sorte.randrange(10**6):06d}"
        grau = f"{self.sorte.randrange(-89, 90)}.{self.sorte.randrange(10**15):015d}"
        trocas = {"DEMANDA": f'"{demanda_id}"', "UC": f'"{uc}"', "SCORE": score, "GRAU": grau}
        return {campo: trocas.get(valor, valor) for campo, valor in BASES[tipo].items()}

    def _valor(self) -> str:
        return valor_qualquer(self.sorte)

    def _profundos(self) -> list[Hostil]:
        """Used fields: dropped. Unused ones: not looked at."""
        feitos = []
        for tipo, base in BASES.items():
            if "demanda_id" in base:
                campos = self._campos(tipo, demanda(self._proxima + 1), f"f1{1:06d}-0000-4000-8000-000000000001")
                for nivel in (1_000, FUNDO):
                    lista, tabela = "[" * nivel + "]" * nivel, '{"a":' * nivel + "1" + "}" * nivel
                    feitos += [
                        self._evento(tipo, objeto(campos | {"extra": lista, "x": tabela}), objeto(campos)),
                        self._evento(tipo, objeto(campos | {"demanda_id": lista}), "{}"),
                        self._evento(tipo, objeto(campos | {"demanda_id": tabela}), "{}"),
                    ]
                feitos.append(self._evento(tipo, "[" * FUNDO + "]" * FUNDO, "[]"))
        return feitos

    def _gigantes(self) -> list[Hostil]:
        campos = self._campos("demanda.ranqueada", demanda(self._proxima + 2), f"f1{2:06d}-0000-4000-8000-000000000001")
        texto = json.dumps("\u00e9" * (GIGANTE // 2), ensure_ascii=False)
        grande = [campos | {"extra": texto}, campos | {"versao_parametros": texto}, campos | {"categoria_id": texto}]
        return [self._evento("demanda.ranqueada", objeto(outros)) for outros in grande] + [
            self._evento("conselheiro.demanda_iniciada", objeto({"demanda_id": texto})),
            self._evento("demanda.ranqueada", texto),
        ]


def objeto(campos: Campos, espaco: str = "") -> str:
    """A JSON object of fields whose values are JSON text already."""
    return "{" + f",{espaco}".join(f"{json.dumps(chave)}:{espaco}{valor}" for chave, valor in campos.items()) + "}"


def valor_qualquer(sorte: random.Random) -> str:
    """Any JSON value, as text; strings with or without escapes, numbers also as text."""
    texto = json.dumps(sorte.choice(TEXTOS), ensure_ascii=sorte.random() < 0.5)
    return sorte.choice([texto, sorte.choice(NUMEROS), f'"{sorte.choice(NUMEROS)}"', sorte.choice(ESTRANHOS)])


def _escolher(sorte: random.Random, campos: Campos) -> str:
    return sorte.choice(sorted(campos) or ["extra"])


def _trocar(sorte: random.Random, campos: Campos) -> None:
    campos[_escolher(sorte, campos)] = valor_qualquer(sorte)


def _tirar(sorte: random.Random, campos: Campos) -> None:
    campos.pop(_escolher(sorte, campos), None)


def _renomear(sorte: random.Random, campos: Campos) -> None:
    campos[sorte.choice(CHAVES)] = campos.pop(_escolher(sorte, campos), "1")


def _dobrar(sorte: random.Random, campos: Campos) -> None:
    """An id, a category or a version in another spelling."""
    campo = _escolher(sorte, campos)
    valor = json.loads(campos[campo]) if campos.get(campo, "").startswith('"') else "1.1"
    campos[campo] = json.dumps(sorte.choice(DOBRAS)(valor))


def _pesar(sorte: random.Random, campos: Campos) -> None:
    nomes = ["peso_nacional", "peso_situacional", "score_horizontal", "outro"]
    campos["breakdown"] = objeto({nome: valor_qualquer(sorte) for nome in nomes if sorte.random() < 0.8})


def _enfeitar(sorte: random.Random, campos: Campos) -> None:
    campos["extra"] = objeto({texto: valor_qualquer(sorte) for texto in sorte.sample(TEXTOS, 3)})


def _membros(sorte: random.Random, campos: Campos) -> None:
    membro = objeto({"demanda_id": sorte.choice([f'"{demanda(62)}"', valor_qualquer(sorte)])})
    campos["membros"] = f"[{','.join([membro] * sorte.randrange(3))}]"


def _numerar(sorte: random.Random, campos: Campos) -> None:
    campos[_escolher(sorte, campos)] = sorte.choice(NUMEROS)


DEFEITOS: list[Callable[[random.Random, Campos], None]] = [
    _trocar, _trocar, _tirar, _renomear, _dobrar, _pesar, _enfeitar, _membros, _numerar,
]  # fmt: skip

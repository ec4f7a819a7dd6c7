"""The demonstration's own reading of the 156 catalogue: levels, categories and scores are ours, not the city's."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from d5_pipeline.demonstracao.eventos import uuid_de

NOMES_DAS_SUBPREFEITURAS = {
    "BUTANTA": "Butantã",
    "CAPELA DO SOCORRO": "Capela do Socorro",
    "CIDADE TIRADENTES": "Cidade Tiradentes",
    "ITAQUERA": "Itaquera",
    "PARELHEIROS": "Parelheiros",
    "PERUS": "Perus",
    "PINHEIROS": "Pinheiros",
    "SE": "Sé",
}

NIVEL_DO_TEMA = {
    "Urgência": 1,
    "Animais": 2,
    "Rua e bairro": 3,
    "Meio Ambiente": 3,
    "Lixo e limpeza": 4,
    "Trânsito e Transporte": 5,
}

# Level 1 weighs 100 and level 3 weighs 60 in the specification's examples (7.3); the others are interpolated.
PESO_NACIONAL = {1: 100, 2: 80, 3: 60, 4: 40, 5: 20}


@dataclass(frozen=True, slots=True)
class Categoria:
    """`categoria_id` in the form level.number, and the score of the category (1 to 100)."""

    categoria_id: str
    score_horizontal: int


CATEGORIA_DO_ASSUNTO = {
    "Defesa Civil": Categoria("1.1", 95),
    "Animais que podem causar doenças e/ou agravos à saúde": Categoria("2.1", 90),
    "Animal agressor e/ou invasor": Categoria("2.2", 85),
    "Animal em via pública": Categoria("2.3", 70),
    "Registro de animais - RGA": Categoria("2.4", 30),
    "Drenagem de água de chuva": Categoria("3.1", 88),
    "Rios e Córregos": Categoria("3.2", 84),
    "Reparos em asfalto, pontes e viadutos": Categoria("3.3", 75),
    "Calçadas, guias e postes": Categoria("3.4", 65),
    "Capinação e roçada de áreas verdes": Categoria("3.5", 50),
    "Coleta de resíduos de serviços de saúde": Categoria("4.1", 92),
    "Coleta de lixo domiciliar": Categoria("4.2", 80),
    "Remoção de grandes objetos": Categoria("4.3", 62),
    "Varrição e limpeza urbana": Categoria("4.4", 55),
    "Coleta seletiva": Categoria("4.5", 50),
    "Lixeiras Públicas": Categoria("4.6", 35),
    "Conduta de funcionários": Categoria("4.7", 30),
    "Feira Livre": Categoria("4.8", 25),
    "ATENDE - Transporte Pessoas com Deficiência": Categoria("5.1", 90),
    "Sinalização e Circulação de Veículos e Pedestres": Categoria("5.2", 70),
    "Reclamação ônibus": Categoria("5.3", 60),
    "Ônibus": Categoria("5.4", 50),
    "Bicicleta": Categoria("5.5", 40),
}


def unidade_civica_id(subprefeitura: str) -> str:
    """Civic unit of a subprefeitura, spelt as in the data (`SE`, `BUTANTA`)."""
    return uuid_de("unidade_civica", subprefeitura)


def demanda_id(solicitacao_id: int) -> str:
    """Demand that stands for a request of the 156."""
    return uuid_de("demanda", str(solicitacao_id))


def nome_da_unidade(uc_id: str) -> str:
    """Name of a civic unit for people; an unknown unit is named by its identifier."""
    return _NOME_DA_UNIDADE.get(uc_id, uc_id)


def score_final(nivel: int, peso_situacional: Decimal, score_horizontal: int) -> Decimal:
    """peso_nacional × peso_situacional × score_horizontal, with two decimals, half up (2.2)."""
    produto = PESO_NACIONAL[nivel] * peso_situacional * score_horizontal
    return produto.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)


_NOME_DA_UNIDADE = {unidade_civica_id(sigla): nome for sigla, nome in NOMES_DAS_SUBPREFEITURAS.items()}

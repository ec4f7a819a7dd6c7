"""The judge of holes as a pure function, and against a simulated log with transactions of every kind (D3)."""

from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from d5_pipeline.dominio.lacunas import Julgamento, Lacuna, Portador, julgar, suspeitas


def portador(nome: str, pid: int | None = 1) -> Portador:
    return {"virtualtransaction": nome, "pid": pid, "aplicacao": "vizinho"}


P1, P2, P3 = portador("3/1", 11), portador("4/1", 12), portador("5/1", 13)


def test_new_hole_may_be_filled_by_everyone_who_inserts_now() -> None:
    assert suspeitas([(5, 7)], [], [P1, P2]) == [Lacuna(5, 7, (P1, P2))]


def test_known_hole_keeps_its_list_less_those_who_are_gone() -> None:
    assert suspeitas([(5, 7)], [Lacuna(5, 7, (P1, P2))], [P2, P3]) == [Lacuna(5, 7, (P2,))]


def test_parts_of_a_partly_filled_hole_inherit_its_list() -> None:
    vistas = suspeitas([(5, 5), (7, 7)], [Lacuna(5, 7, (P1, P2))], [P2, P3])
    assert vistas == [Lacuna(5, 5, (P2,)), Lacuna(7, 7, (P2,))]


def test_a_process_that_opened_its_next_transaction_no_longer_holds_the_hole() -> None:
    """The list names transactions, not processes."""
    assert suspeitas([(5, 5)], [Lacuna(5, 5, (P1,))], [portador("3/2", 11)]) == [Lacuna(5, 5, ())]


def test_prepared_transaction_holds_its_hole_over_a_restart_of_the_server() -> None:
    """Recovered by the server, it has a virtual transaction of another name and no process, and may still commit."""
    (lacuna,) = suspeitas([(5, 5)], [Lacuna(5, 5, (P1,))], [portador("-1/753", None)])
    assert julgar([lacuna], [(5, 5)]).passadas == ()


def test_hole_without_holders_that_is_still_empty_is_passed() -> None:
    lacuna = Lacuna(5, 7)
    assert julgar([lacuna], [(5, 7)]) == Julgamento((lacuna,), ())


def test_hole_with_a_holder_stays_open() -> None:
    lacuna = Lacuna(5, 7, (P1,))
    assert julgar([lacuna], [(5, 7)]) == Julgamento((), (lacuna,))


def test_hole_that_was_filled_meanwhile_is_looked_at_again() -> None:
    lacuna = Lacuna(5, 7)
    assert julgar([lacuna], []) == Julgamento((), (lacuna,))


nomes = st.sets(st.integers(1, 6), max_size=5).map(lambda ns: [portador(f"{n}/1", n) for n in sorted(ns)])


@given(anteriores=nomes, agora=nomes, corte=st.integers(5, 9))
def test_list_of_a_known_hole_only_shrinks(anteriores: list[Portador], agora: list[Portador], corte: int) -> None:
    antes = Lacuna(5, 9, tuple(anteriores))
    for lacuna in suspeitas([(5, corte), (corte, 9)], [antes], agora):
        assert list(lacuna.portadores) == [p for p in anteriores if p in agora]


@dataclass
class Log:
    """A log with open transactions: numbers are drawn in order, they become visible when their transaction commits."""

    proximo: int = 1
    visiveis: set[int] = field(default_factory=set)
    perdidos: set[int] = field(default_factory=set)
    abertas: dict[int, list[int]] = field(default_factory=dict)
    transacoes: int = 0

    def agir(self, acao: tuple[str, int]) -> None:
        """One step of another colony: begin and draw, draw again, commit or roll back."""
        verbo, indice = acao
        if verbo == "abrir" or not self.abertas:
            self.transacoes += 1
            self.abertas[self.transacoes] = [self._sortear()]
            return
        escolhida = sorted(self.abertas)[indice % len(self.abertas)]
        if verbo == "inserir":
            self.abertas[escolhida].append(self._sortear())
            return
        numeros = self.abertas.pop(escolhida)
        (self.visiveis if verbo == "confirmar" else self.perdidos).update(numeros)

    def _sortear(self) -> int:
        self.proximo += 1
        return self.proximo - 1

    def lacunas(self) -> list[tuple[int, int]]:
        """Runs of missing numbers below the highest visible one."""
        faltam = [n for n in range(1, max(self.visiveis, default=0)) if n not in self.visiveis]
        inicios = [n for n in faltam if n - 1 not in faltam]
        fins = [n for n in faltam if n + 1 not in faltam]
        return list(zip(inicios, fins, strict=True))

    def portadores(self) -> list[Portador]:
        """Every transaction that has drawn a number and has not ended."""
        return [portador(f"1/{nome}", nome) for nome in self.abertas]


acoes = st.lists(
    st.tuples(st.sampled_from(["abrir", "inserir", "confirmar", "desfazer"]), st.integers(0, 5)), max_size=4
)


@given(passos=st.lists(st.tuples(acoes, acoes, acoes), max_size=12))
def test_no_number_that_is_still_to_come_is_ever_passed(
    passos: list[tuple[list[tuple[str, int]], list[tuple[str, int]], list[tuple[str, int]]]],
) -> None:
    """Whatever happens before, between and after the steps of a look; the last look passes every dead hole."""
    log, abertas, passadas = Log(), list[Lacuna](), set[int]()

    def olhar(antes_da_lista: list[tuple[str, int]], antes_da_releitura: list[tuple[str, int]]) -> Julgamento:
        vistas = [faixa for faixa in log.lacunas() if faixa[0] not in passadas]
        for acao in antes_da_lista:
            log.agir(acao)
        suspeitos = suspeitas(vistas, abertas, log.portadores())
        for acao in antes_da_releitura:
            log.agir(acao)
        vazias = [(x.inicio, x.fim) for x in suspeitos if not log.visiveis & set(range(x.inicio, x.fim + 1))]
        return julgar(suspeitos, vazias)

    for antes, durante, depois in passos:
        for acao in antes:
            log.agir(acao)
        julgamento = olhar(durante, depois)
        abertas = list(julgamento.abertas)
        passadas |= {n for lacuna in julgamento.passadas for n in range(lacuna.inicio, lacuna.fim + 1)}
        assert passadas <= log.perdidos
    while log.abertas:
        log.agir(("desfazer", 0))
    abertas = list(olhar([], []).abertas)
    assert abertas == []

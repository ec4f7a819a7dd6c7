"""What a drain did, as people and programs read it."""

from dataclasses import asdict, dataclass

from d5_pipeline.dominio.lacunas import Lacuna
from d5_pipeline.processamento.entrada import Lote


@dataclass(slots=True)
class Resumo:
    """What a drain did; the field names are those of `d5 processar --json`."""

    lidos: int = 0
    aplicados: int = 0
    descartados: int = 0
    dlq: int = 0
    reconstrucoes: int = 0
    publicacoes: int = 0
    lacunas_passadas: int = 0
    ultima_sequencia: int = 0
    lacuna: Lacuna | None = None
    """The hole at which its last reading stopped."""

    def somar(self, lote: Lote) -> None:
        """Adds a batch that was committed."""
        lidos, descartados = len(lote.leitura.envelopes), len(lote.descartes)
        self.lidos += lidos
        self.descartados += descartados
        self.aplicados += lidos - descartados
        self.reconstrucoes += len(lote.unidades_reconstruidas)
        self.lacunas_passadas += lote.leitura.lacunas_passadas
        self.ultima_sequencia = max(self.ultima_sequencia, lote.leitura.ate)

    def como_dict(self) -> dict[str, int]:
        """The counts, for JSON and run metadata."""
        return {campo: quantos for campo, quantos in asdict(self).items() if campo != "lacuna"}

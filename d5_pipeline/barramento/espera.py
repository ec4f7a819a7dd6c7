"""What reading waits for, looked at without changing anything."""

from d5_pipeline.barramento.leitor import portadores
from d5_pipeline.conexao import Conexao
from d5_pipeline.consultas import consultas
from d5_pipeline.dominio.lacunas import Lacuna, suspeitas


def lacuna_presa(conexao: Conexao, desde: int) -> Lacuna | None:
    """The recorded hole right above `desde`, with those of its holders that are alive.

    None where there is none, or where it has to be judged again: it was filled, or all of them are gone.
    """
    abertas = [
        Lacuna(inicio, fim, tuple(portadores))
        for inicio, fim, portadores, _ in consultas("lacunas").lacunas_abertas(conexao)
        if fim > desde
    ]
    primeira = min(abertas, default=None, key=lambda lacuna: lacuna.inicio)
    if primeira is None or primeira.inicio > desde + 1:
        return None
    (suspeita,) = suspeitas([(primeira.inicio, primeira.fim)], abertas, portadores(conexao))
    vazia = list(consultas("leitura").faixas_vazias(conexao, inicios=[primeira.inicio], fins=[primeira.fim]))
    return suspeita if suspeita.portadores and vazia else None

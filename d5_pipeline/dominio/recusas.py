"""What can be told of an event that could not be used: for the structured log (8.1), never for a decision."""

from typing import Final

import msgspec

from d5_pipeline.dominio import formatos as fmt
from d5_pipeline.dominio.eventos import DEMANDA_RANQUEADA, Descarte

PAYLOAD_INVALIDO: Final = "payload inválido: "
_CAMPOS_1_1_0: Final = {"categoria_id ausente", "nivel_precedencia ausente"}


class _Identificada(msgspec.Struct, gc=False):
    demanda_id: msgspec.Raw = msgspec.Raw(b"null")
    unidade_civica_id: msgspec.Raw = msgspec.Raw(b"null")


_identificada: Final = msgspec.json.Decoder(_Identificada)
_texto: Final = msgspec.json.Decoder(str)


def identificadores(payload: str) -> tuple[str | None, str | None]:
    """demanda_id and unidade_civica_id of a payload; None for what is no UUID, whatever it is."""
    try:
        lida = _identificada.decode(payload)
    except (msgspec.MsgspecError, RecursionError):
        return None, None
    return _uuid(lida.demanda_id), _uuid(lida.unidade_civica_id)


def _uuid(bruto: msgspec.Raw) -> str | None:
    try:
        return fmt.uuid(_texto.decode(bruto))
    except (msgspec.MsgspecError, fmt.NaoCabe):
        return None


def so_faltam_campos_da_1_1_0(descarte: Descarte) -> bool:
    """Whether a demanda.ranqueada passed step 2 of 3.10 and was dropped by step 3: no category, or no level."""
    achados = descarte.motivo.removeprefix(PAYLOAD_INVALIDO).split("; ")
    return (
        descarte.tipo == DEMANDA_RANQUEADA
        and not _CAMPOS_1_1_0.isdisjoint(achados)
        and not any(achado.startswith(("demanda_id ", "unidade_civica_id ")) for achado in achados)
    )

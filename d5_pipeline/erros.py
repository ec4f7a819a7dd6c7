"""The errors this project raises on purpose. Each message is one line in Portuguese: what, where, what to do."""


class ErroD5(Exception):
    """Root of the project's own errors."""


class ErroDeConfiguracao(ErroD5):
    """Wrong usage, parameters, database or schema: nothing was changed (exit status 2)."""


class BancoInacessivel(ErroDeConfiguracao):
    """The server cannot be reached now; a running drain waits for it, a command gives up."""


class MedicaoImpossivel(ErroD5):
    """The database cannot be measured now: away, not prepared, of another version, or it refuses."""


class FalhaDePublicacao(ErroD5):
    """The log refused a publication in every attempt; it stays pending (T15, T16; exit status 1)."""


class CercaPerdida(ErroD5):
    """Another writer moved the epoch after the state was read: roll back and read again."""

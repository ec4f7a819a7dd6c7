"""A run launcher that cannot start the first runs, as where memory or a container platform is short."""

from itertools import count

from dagster import DefaultRunLauncher
from dagster._core.launcher import LaunchRunContext

RECUSAS = 3

CONFIGURACAO = """
run_launcher:
  module: tests.apoio.lancador
  class: LancadorQueFalha
"""


class LancadorQueFalha(DefaultRunLauncher):
    """Refuses RECUSAS runs, then does its work; one lives in each daemon."""

    _pedidos = count(1)

    def launch_run(self, context: LaunchRunContext) -> None:
        """Starts the run's process, or fails as the platform does."""
        if next(self._pedidos) <= RECUSAS:
            raise RuntimeError("sem recursos para iniciar o processo")
        super().launch_run(context)

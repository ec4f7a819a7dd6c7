"""Dagster's shell around the agenda.

By now a hundred thousand objects of Dagster's own modules are alive, and stay so. Set aside, they need not be looked at
by the garbage collector again and again, while the rest is imported, in the run and at its end.
"""

import gc

gc.freeze()

"""Assets: the log, the tables and the models, so that the lineage from the log to the agenda can be read."""

from dagster import AssetKey, AssetSpec

LOG = AssetKey(["core", "event_log"])
BACKLOG = AssetKey(["d5", "backlog_items"])


def ativos() -> list[AssetSpec]:
    return [AssetSpec(LOG), AssetSpec(BACKLOG, deps=[LOG])]

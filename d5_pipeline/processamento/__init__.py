"""The stages put together, without Dagster: one batch, its publications, the drain."""

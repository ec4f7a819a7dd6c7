"""The reference of the application figures: the specification, event by event.

One statement per step in the order of sections 3.7 and 3.10 to 3.12, prepared, and a commit per event. It shares no
rule with the engine; the same log must leave the same tables.
"""

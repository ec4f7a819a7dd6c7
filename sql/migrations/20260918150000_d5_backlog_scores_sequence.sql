-- Sequence of the last demanda.ranqueada applied to the row; older ones are discarded (section 2.2).
ALTER TABLE d5.backlog_scores
    ADD COLUMN sequence_number BIGINT NOT NULL DEFAULT 0;

-- When and after how many days an item was concluded (section 2.3).
ALTER TABLE d5.backlog_items
    ADD COLUMN data_conclusao TIMESTAMPTZ(2),
    ADD COLUMN dias_ate_conclusao INTEGER;

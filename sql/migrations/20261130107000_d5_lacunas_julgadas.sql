-- How far the log was searched for holes; cursors may be moved, this only follows what was really looked at (D3).
ALTER TABLE d5.controle ADD COLUMN julgado_ate BIGINT NOT NULL DEFAULT 0;
UPDATE d5.controle SET julgado_ate = coalesce((SELECT min(aplicado_ate) FROM d5.consumer_offset), 0);

-- Re-drive of dead letters, by itself with growing delays or by an operator, and of discards (D11, D12).
ALTER TABLE d5.dlq ADD COLUMN proxima_em TIMESTAMPTZ(2); -- next attempt; none once resolved, exhausted or dropped
CREATE INDEX dlq_vencidas_idx ON d5.dlq (proxima_em) WHERE situacao = 'aberta' AND motivo = 'aplicacao';
CREATE INDEX dlq_sem_solucao_idx ON d5.dlq (sequence_number) WHERE situacao IN ('aberta', 'esgotada');

ALTER TABLE d5.eventos_descartados
    ADD COLUMN situacao VARCHAR(20) NOT NULL DEFAULT 'descartado'; -- descartado | reenviado | encerrado

-- Interventions in the order in which they took effect: a replay repeats them in their place (D32).
ALTER TABLE d5.intervencoes ADD COLUMN ordem BIGINT GENERATED ALWAYS AS IDENTITY;

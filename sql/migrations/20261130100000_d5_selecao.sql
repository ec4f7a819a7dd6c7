-- One score per demand (D28), and the index from which a rebuild reads the best N of a level.
CREATE UNIQUE INDEX backlog_scores_demanda_id_key ON d5.backlog_scores (demanda_id);
CREATE INDEX backlog_scores_selecao_idx
    ON d5.backlog_scores (unidade_civica_id, nivel_precedencia, score_final DESC, demanda_id);
-- Drawn outside the backlog: the only rows whose unit may differ from that of their score (D16).
CREATE INDEX backlog_items_fora_do_backlog_idx ON d5.backlog_items (demanda_id) WHERE posicao = 0;

-- Every unit that has had a score or a row: from here the models reach each unit's scores through the index.
CREATE TABLE d5.unidades_civicas (
    unidade_civica_id UUID PRIMARY KEY
);

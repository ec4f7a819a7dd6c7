-- What became of each demand, whether it has a row in the backlog or not (D6, D10).
CREATE TABLE d5.transicoes_status (
    id                 BIGINT         GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    demanda_id         UUID           NOT NULL,
    unidade_civica_id  UUID,           -- unknown where the demand has neither row nor score
    de                 VARCHAR(20)    NOT NULL,
    para               VARCHAR(20)    NOT NULL,
    tipo_evento        VARCHAR(255)   NOT NULL,
    event_id           UUID           NOT NULL,
    correlacao_id      UUID           NOT NULL,
    sequence_number    BIGINT         NOT NULL,
    ocorreu_em         TIMESTAMPTZ(2) NOT NULL
);
CREATE INDEX transicoes_status_demanda_id_idx ON d5.transicoes_status (demanda_id, id);
CREATE INDEX transicoes_status_event_id_idx ON d5.transicoes_status (event_id);

-- The last transition of each demand, and the entry time its next row takes over.
CREATE TABLE d5.situacao_demandas (
    demanda_id         UUID           PRIMARY KEY,
    status             VARCHAR(20)    NOT NULL,
    sequence_number    BIGINT         NOT NULL,
    entrou_em          TIMESTAMPTZ(2), -- none until the demand has had a row
    data_conclusao     TIMESTAMPTZ(2),
    dias_ate_conclusao INTEGER
);

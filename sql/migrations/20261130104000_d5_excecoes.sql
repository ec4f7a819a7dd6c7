-- Events that were dropped by rule (D12), and events or publications that failed (D7, D11).
CREATE TABLE d5.eventos_descartados (
    sequence_number BIGINT         PRIMARY KEY,
    event_id        UUID           NOT NULL,
    tipo            VARCHAR(255)   NOT NULL,
    versao_schema   VARCHAR(20)    NOT NULL,
    motivo          TEXT           NOT NULL,
    descartado_em   TIMESTAMPTZ(2) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX eventos_descartados_event_id_idx ON d5.eventos_descartados (event_id);

CREATE TABLE d5.dlq (
    id              BIGINT         GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    sequence_number BIGINT         NOT NULL,
    event_id        UUID           NOT NULL,
    tipo            VARCHAR(255)   NOT NULL,
    motivo          VARCHAR(20)    NOT NULL, -- aplicacao | publicacao
    erro            TEXT           NOT NULL,
    tentativas      INTEGER        NOT NULL DEFAULT 1,
    situacao        VARCHAR(20)    NOT NULL DEFAULT 'aberta', -- aberta | resolvida
    criado_em       TIMESTAMPTZ(2) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    atualizado_em   TIMESTAMPTZ(2) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT dlq_event_id_motivo_key UNIQUE (event_id, motivo)
);

-- The platform's log (N-0a), created only where it is missing; an existing one is never altered.
CREATE SCHEMA IF NOT EXISTS core;

CREATE TABLE IF NOT EXISTS core.event_log (
    sequence_number BIGINT         GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    event_id        UUID           NOT NULL UNIQUE,
    tipo            VARCHAR(255)   NOT NULL,
    versao_schema   VARCHAR(20)    NOT NULL,
    origem          VARCHAR(20)    NOT NULL,
    correlacao_id   UUID           NOT NULL,
    payload         JSONB          NOT NULL,
    criado_em       TIMESTAMPTZ(3) NOT NULL DEFAULT now()
);

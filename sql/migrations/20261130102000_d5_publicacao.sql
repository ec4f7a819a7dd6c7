-- Events waiting to be published, in order, and the demand last announced by each unit (D7, D8).
CREATE TABLE d5.publicacoes_pendentes (
    id               BIGINT         GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    gatilho_sequence BIGINT         NOT NULL,
    ordinal          INTEGER        NOT NULL,
    gatilho_event_id UUID           NOT NULL,
    gatilho_tipo     VARCHAR(255)   NOT NULL,
    event_id         UUID           NOT NULL UNIQUE,
    tipo             VARCHAR(255)   NOT NULL,
    correlacao_id    UUID           NOT NULL,
    payload          JSONB          NOT NULL,
    criado_em        TIMESTAMPTZ(2) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE d5.anuncios_por_uc (
    unidade_civica_id UUID           PRIMARY KEY,
    demanda_id        UUID           NOT NULL,
    event_id          UUID           NOT NULL, -- the event that led to the announcement
    anunciado_em      TIMESTAMPTZ(2) NOT NULL
);

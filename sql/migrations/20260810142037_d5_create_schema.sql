-- The projection of the ranking, the backlog, the cursors and the coordinates (sections 2.2 to 2.5).
-- No range or status CHECKs: section 2 leaves those to the code and the Registry.
CREATE SCHEMA IF NOT EXISTS d5;

CREATE TABLE d5.backlog_scores (
    id                UUID           NOT NULL,
    demanda_id        UUID           NOT NULL,
    unidade_civica_id UUID           NOT NULL,
    categoria_id      VARCHAR(10)    NOT NULL,
    nivel_precedencia INTEGER        NOT NULL,
    score_final       NUMERIC(12,2)  NOT NULL,
    peso_nacional     NUMERIC(5,2)   NOT NULL,
    peso_situacional  NUMERIC(5,4)   NOT NULL,
    score_horizontal  INTEGER        NOT NULL,
    posicao_ranking   INTEGER        NOT NULL,
    versao_parametros VARCHAR(20)    NOT NULL,
    event_id          UUID           NOT NULL,
    correlacao_id     UUID           NOT NULL,
    criado_em         TIMESTAMPTZ(2) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT backlog_scores_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX backlog_scores_event_id_key ON d5.backlog_scores (event_id);
CREATE INDEX backlog_scores_demanda_id_idx ON d5.backlog_scores (demanda_id);
CREATE INDEX backlog_scores_unidade_civica_id_idx ON d5.backlog_scores (unidade_civica_id);
CREATE INDEX backlog_scores_unidade_civica_id_score_final_idx
    ON d5.backlog_scores (unidade_civica_id, score_final DESC);

CREATE TABLE d5.backlog_items (
    demanda_id        UUID           NOT NULL,
    unidade_civica_id UUID           NOT NULL,
    posicao           INTEGER        NOT NULL,
    score             NUMERIC(12,2)  NOT NULL,
    status            VARCHAR(20)    NOT NULL DEFAULT 'disponivel',
    grupo_id          UUID,
    categoria_id      VARCHAR(10)    NOT NULL,
    nivel_precedencia INTEGER        NOT NULL,
    event_id          UUID           NOT NULL,
    entrou_em         TIMESTAMPTZ(2) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    atualizado_em     TIMESTAMPTZ(2) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT backlog_items_pkey PRIMARY KEY (demanda_id)
);
CREATE INDEX backlog_items_unidade_civica_id_status_idx ON d5.backlog_items (unidade_civica_id, status);
CREATE INDEX backlog_items_unidade_civica_id_posicao_idx ON d5.backlog_items (unidade_civica_id, posicao);
CREATE INDEX backlog_items_grupo_id_idx ON d5.backlog_items (grupo_id);

CREATE TABLE d5.consumer_offset (
    tipo_evento   VARCHAR(255)   PRIMARY KEY,
    last_sequence BIGINT         NOT NULL DEFAULT 0,
    updated_at    TIMESTAMPTZ(2) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE d5.coordenadas_demanda (
    demanda_id UUID             NOT NULL,
    lat        DOUBLE PRECISION NOT NULL,
    lng        DOUBLE PRECISION NOT NULL,
    criado_em  TIMESTAMPTZ(2)   NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT coordenadas_demanda_pkey PRIMARY KEY (demanda_id)
);

-- Versioned parameters that the models read (4.3), and what operators did beside the log (D32).
CREATE TABLE d5.param_versions (
    id                    BIGINT           GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    versao                VARCHAR(20)      NOT NULL,
    fator_decaimento      DOUBLE PRECISION NOT NULL,
    limiar_peso_nao_vencido DOUBLE PRECISION NOT NULL,
    capacidade_padrao     INTEGER          NOT NULL,
    concluidas_ocupam_vaga BOOLEAN         NOT NULL,
    raio_metros           DOUBLE PRECISION NOT NULL,
    min_pontos            INTEGER          NOT NULL,
    carregado_em          TIMESTAMPTZ(2)   NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE d5.param_capacidade_por_uc (
    param_id          BIGINT  NOT NULL,
    unidade_civica_id UUID    NOT NULL,
    capacidade        INTEGER NOT NULL,
    PRIMARY KEY (param_id, unidade_civica_id)
);

CREATE TABLE d5.param_pesos_situacionais (
    param_id          BIGINT           NOT NULL,
    unidade_civica_id UUID             NOT NULL,
    nivel_precedencia INTEGER          NOT NULL,
    peso              DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (param_id, unidade_civica_id, nivel_precedencia)
);

CREATE TABLE d5.intervencoes (
    id           UUID           PRIMARY KEY,
    tipo         VARCHAR(20)    NOT NULL, -- semeadura | parametros | cursores | reconstrucao
    quem         VARCHAR(255)   NOT NULL,
    quando       TIMESTAMPTZ(2) NOT NULL,
    aplicado_ate BIGINT         NOT NULL,
    argumentos   JSONB          NOT NULL
);
CREATE INDEX intervencoes_aplicado_ate_idx ON d5.intervencoes (aplicado_ate);

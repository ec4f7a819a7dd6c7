-- What metrics count (8.3), in the transaction that does the thing. No part of the projection: a replay leaves it alone.
CREATE TABLE d5.contagem_publicacoes (
    tipo  VARCHAR(255) PRIMARY KEY,
    total BIGINT       NOT NULL -- events of this type that went into the log
);

CREATE TABLE d5.duracao_rebuilds (
    ate_ms  DOUBLE PRECISION PRIMARY KEY, -- upper bound of the bucket, Infinity for the last one
    total   BIGINT           NOT NULL,    -- rebuilds in this bucket alone
    soma_ms DOUBLE PRECISION NOT NULL     -- their durations added up: wall clock, a measurement
);

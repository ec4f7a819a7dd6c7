-- How far the log was read: applied and published positions, holes, and the fence between writers (D2 to D4).
ALTER TABLE d5.consumer_offset
    ADD COLUMN aplicado_ate  BIGINT NOT NULL DEFAULT 0, -- effects are durable up to here
    ADD COLUMN ultimo_evento BIGINT NOT NULL DEFAULT 0; -- last event of the type among them

CREATE TABLE d5.controle (
    unico BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (unico),
    epoca BIGINT  NOT NULL DEFAULT 0 -- every writing transaction moves it by one, or changes nothing
);
INSERT INTO d5.controle DEFAULT VALUES;

CREATE TABLE d5.lacunas (
    inicio     BIGINT         PRIMARY KEY,
    fim        BIGINT         NOT NULL,
    situacao   VARCHAR(10)    NOT NULL, -- aberta | passada
    portadores JSONB          NOT NULL, -- transactions that may still fill it; the list only shrinks
    vista_em   TIMESTAMPTZ(2) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    passada_em TIMESTAMPTZ(2)
);
CREATE INDEX lacunas_abertas_idx ON d5.lacunas (inicio) WHERE situacao = 'aberta';

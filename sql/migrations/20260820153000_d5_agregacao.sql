-- Members of the aggregates that D-12 publishes (section 2.6).
CREATE TABLE d5.demandas_agregadas (
    demanda_id               UUID           NOT NULL,
    agregado_id              UUID           NOT NULL,
    representante_demanda_id UUID           NOT NULL,
    evento_id                UUID           NOT NULL,
    agregado_em              TIMESTAMPTZ(2) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT demandas_agregadas_pkey PRIMARY KEY (demanda_id)
);
CREATE INDEX demandas_agregadas_evento_id_idx ON d5.demandas_agregadas (evento_id);
CREATE INDEX demandas_agregadas_representante_demanda_id_idx
    ON d5.demandas_agregadas (representante_demanda_id);

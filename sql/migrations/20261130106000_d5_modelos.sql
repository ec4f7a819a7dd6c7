-- Which version of the dbt models is deployed, so that preparing a database again costs nothing.
CREATE TABLE d5.modelos_implantados (
    impressao_digital CHAR(64)       PRIMARY KEY,
    implantado_em     TIMESTAMPTZ(2) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

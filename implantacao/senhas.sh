#!/bin/sh
# Senhas dos papéis, na primeira partida do banco do compose.yaml.
set -eu
psql --set ON_ERROR_STOP=1 --set dono="$D5_SENHA_DONO" --set servico="$D5_SENHA_SERVICO" \
    --username postgres --dbname "$POSTGRES_DB" <<'SQL'
alter role d5_dono password :'dono';
alter role d5_servico password :'servico';
SQL

-- Which migrations a database has seen, and which models are deployed.

-- name: criar_registro()#
-- The schema and the register come before the first migration.
create schema if not exists d5;
create table if not exists d5.migracoes (
    nome        text           primary key,
    aplicada_em timestamptz(2) not null default current_timestamp
);

-- name: existe_registro()$
-- Whether this database was ever prepared.
select to_regclass('d5.migracoes') is not null;

-- name: travar_migracoes()$
-- Two preparations at once: the second waits for the first.
select pg_advisory_xact_lock(hashtext('d5.migracoes'))::text;

-- name: aplicadas()
-- Migrations this database has seen.
select nome from d5.migracoes order by nome;

-- name: registrar(nome)!
-- One more.
insert into d5.migracoes (nome) values (:nome);

-- name: modelos_implantados(impressao)$
-- Whether these very models are deployed.
select exists (select from d5.modelos_implantados where impressao_digital = :impressao)
    and to_regclass('d5_modelos.backlog_ordenado') is not null
    and to_regclass('d5_leitura.agenda_publica') is not null;

-- name: esquecer_modelos()!
-- Only the models deployed last count.
delete from d5.modelos_implantados;

-- name: registrar_modelos(impressao)!
-- These models are deployed now.
insert into d5.modelos_implantados (impressao_digital) values (:impressao);

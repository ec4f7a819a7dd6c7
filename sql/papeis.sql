-- Three roles with no more rights than they need. Plain SQL, safe to repeat; run it as a superuser in the platform's database,
-- before the first `d5 preparar` and again after each one:
--     psql --set ON_ERROR_STOP=1 --dbname plataforma --file sql/papeis.sql
--   d5_dono     owns d5, d5_modelos and d5_leitura: runs `d5 preparar`, nothing else.
--   d5_servico  runs everything else: appends to the log, can never change it; owns Dagster's schema.
--   d5_leitura  operators and auditors: reads the views of d5_modelos and d5_leitura, and what `d5 metricas` and `d5 saude`
--               measure.
-- Passwords are not set here (\password d5_servico in psql, or peer, certificate, …).
do $$
declare
    papel text;
begin
    foreach papel in array array['d5_dono', 'd5_servico', 'd5_leitura'] loop
        if not exists (select from pg_roles where rolname = papel) then
            execute format('create role %I login', papel);
        end if;
        execute format('grant connect on database %I to %I', current_database(), papel);
    end loop;
    execute format('grant create, temporary on database %I to d5_dono', current_database());
    execute format('grant temporary on database %I to d5_servico', current_database()); -- dbt's unit tests
end
$$;

create schema if not exists d5 authorization d5_dono;
create schema if not exists d5_modelos authorization d5_dono;
create schema if not exists d5_leitura authorization d5_dono;
create schema if not exists dagster authorization d5_servico;

-- A database that another role prepared is taken over; identity sequences and indexes follow their tables.
alter schema d5 owner to d5_dono;
alter schema d5_modelos owner to d5_dono;
alter schema d5_leitura owner to d5_dono;
alter schema dagster owner to d5_servico;
do $$
declare
    comando text;
begin
    for comando in
        select format('alter table %s owner to %I', c.oid::regclass, d.dono)
        from pg_class as c
        join pg_namespace as n on n.oid = c.relnamespace
        join (
            values ('d5', 'd5_dono'), ('d5_modelos', 'd5_dono'), ('d5_leitura', 'd5_dono'), ('dagster', 'd5_servico')
        ) as d (esquema, dono)
            on d.esquema = n.nspname
        where c.relkind in ('r', 'p', 'v', 'm') and pg_get_userbyid(c.relowner) <> d.dono
    loop
        execute comando;
    end loop;
end
$$;

revoke all on schema d5, d5_modelos, d5_leitura, dagster from public;
grant usage on schema d5, d5_modelos, d5_leitura to d5_servico;
grant usage on schema d5_modelos, d5_leitura to d5_leitura;

-- What later migrations and models create is covered as well.
alter default privileges for role d5_dono in schema d5
    grant select, insert, update, delete on tables to d5_servico;
alter default privileges for role d5_dono in schema d5_modelos, d5_leitura
    grant select on tables to d5_servico, d5_leitura;
grant select, insert, update, delete on all tables in schema d5 to d5_servico;
grant select on all tables in schema d5_modelos, d5_leitura to d5_servico, d5_leitura;

-- Less than that where a table is a record of its own, and on the log.
do $$
declare
    visao regclass;
begin
    for visao in select c.oid from pg_class as c where c.relnamespace = 'd5'::regnamespace and c.relkind = 'v' loop
        execute format('revoke insert, update, delete on %s from d5_servico', visao);
    end loop;
    if to_regclass('d5.event_log') is not null then
        grant insert on d5.event_log to d5_servico;
        revoke insert, update, delete on d5.migracoes, d5.modelos_implantados from d5_servico;
        revoke update, delete on d5.intervencoes from d5_servico;
        revoke update, delete on d5.param_versions, d5.param_capacidade_por_uc, d5.param_pesos_situacionais from d5_servico;
    end if;
    if to_regclass('d5.andamento_do_log') is not null then
        grant usage on schema d5 to d5_leitura;
        grant select on d5.andamento_do_log, d5.migracoes, d5.controle, d5.consumer_offset, d5.lacunas,
            d5.unidades_civicas, d5.anuncios_por_uc, d5.contagem_publicacoes, d5.duracao_rebuilds to d5_leitura;
        grant select (motivo, situacao) on d5.dlq to d5_leitura;
        grant select (id, criado_em) on d5.publicacoes_pendentes to d5_leitura;
        grant select (demanda_id, unidade_civica_id, status) on d5.backlog_items to d5_leitura;
    end if;
    if to_regclass('core.event_log') is null then
        raise notice 'core.event_log não existe: execute de novo depois de "d5 preparar"';
    else
        grant usage on schema core to d5_dono, d5_servico;
        grant select, insert on core.event_log to d5_dono, d5_servico;
    end if;
end
$$;

-- What the orchestrator asks of the database beside the agenda's own state.

-- name: existe_esquema(esquema)$
-- Whether a schema is there.
select exists (select from pg_namespace where nspname = :esquema);

-- name: criar_esquema_dagster()#
-- Home of Dagster's own tables, apart from core and d5.
create schema if not exists dagster;

-- name: sessao(aplicacao)^
-- Whether a session with this application name is connected (a run names its sessions after itself), and when the server
-- started: no session survives that.
select
    exists (select from pg_stat_activity where application_name = :aplicacao and datname = current_database()),
    pg_postmaster_start_time();

-- The only statements that name the platform's log: where its table or columns are called otherwise, change this file
-- and run `d5 preparar`. Everything else reads and appends through the view d5.event_log.

-- name: criar_log()#
-- The platform's log (N-0a), only where it is missing; an existing one is never altered.
create schema if not exists core;
create table core.event_log (
    sequence_number bigint         generated always as identity primary key,
    event_id        uuid           not null unique,
    tipo            varchar(255)   not null,
    versao_schema   varchar(20)    not null,
    origem          varchar(20)    not null,
    correlacao_id   uuid           not null,
    payload         jsonb          not null,
    criado_em       timestamptz(3) not null default now()
);

-- name: criar_visao_do_log()#
-- The log under the names that every other statement uses, for reading and appending; and what measuring the lag needs
-- of it, for roles without a right on the log itself.
create or replace view d5.event_log with (security_invoker = true) as
select sequence_number, event_id, tipo, versao_schema, origem, correlacao_id, payload, criado_em
from core.event_log;
create or replace view d5.andamento_do_log as
select sequence_number, tipo, criado_em
from core.event_log;

-- name: existe_log()$
-- Whether the log is there at all.
select to_regclass('core.event_log') is not null;

-- name: existe_visao_do_log()$
-- Whether this database was prepared for this log.
select to_regclass('d5.event_log') is not null and to_regclass('d5.eventos_consumidos') is not null;

-- name: portadores()
-- Transactions that may still insert: each holds the lock that an INSERT takes before it draws its number.
select distinct l.virtualtransaction, l.pid, coalesce(a.application_name, '') as aplicacao
from pg_locks as l
left join pg_stat_activity as a on a.pid = l.pid
where l.locktype = 'relation'
    and l.database = (select d.oid from pg_database as d where d.datname = current_database())
    and l.relation = 'core.event_log'::regclass
    and l.mode = 'RowExclusiveLock'
    and l.granted
    and l.pid is distinct from pg_backend_pid()
order by l.virtualtransaction;

-- name: tem_direito_no_log(direito)$
-- Whether this role may read the log (SELECT) or append to it (INSERT).
select has_table_privilege('core.event_log', :direito);

-- name: cache_da_sequencia()$
-- CACHE of the sequence behind the log's numbers, owned or only used by the column: above 1, numbers are no order (D3).
select max(s.seqcache)
from pg_sequence as s
where s.seqrelid = pg_get_serial_sequence('core.event_log', 'sequence_number')::regclass
    or s.seqrelid in (
        select d.refobjid
        from pg_attrdef as a
        join pg_depend as d on d.classid = 'pg_attrdef'::regclass and d.objid = a.oid
        where a.adrelid = 'core.event_log'::regclass and d.refclassid = 'pg_class'::regclass
    );

-- More statements on the shape of core.event_log: its state, and publishing into it.

-- name: maior_sequencia()$
-- obterMaiorSequence(): 0 for an empty log.
select coalesce(max(sequence_number), 0) from core.event_log;

-- name: ha_eventos(grafias, posicoes, desde)$
-- Whether a consumed event lies above the position of its type.
select exists (
    select
    from core.event_log as l
    join unnest(:grafias::text[], :posicoes::bigint[]) as c (grafia, aplicado_ate) on c.grafia = l.tipo
    where l.sequence_number > :desde and l.sequence_number > c.aplicado_ate
);

-- name: ultimos_abaixo(desde, limite, grafias)
-- Last event of each spelling below :limite, among those above :desde.
select l.tipo, max(l.sequence_number) as ultimo
from core.event_log as l
where l.sequence_number > :desde and l.sequence_number < :limite and l.tipo = any(:grafias)
group by l.tipo;

-- name: publicar(ids)
-- Moves pending publications, in order, from the outbox into the log; returns the triggers whose rows went out.
with retiradas as (
    delete from d5.publicacoes_pendentes where id = any(:ids) returning *
),
publicadas as (
    insert into core.event_log (event_id, tipo, versao_schema, origem, correlacao_id, payload)
    select event_id, tipo, '1.0.0', 'D-5', correlacao_id, payload
    from retiradas
    order by id
    returning event_id
)
select p.event_id, r.gatilho_event_id
from publicadas as p
join retiradas as r on r.event_id = p.event_id;

-- name: existe_log()$
-- Whether the log is there at all.
select to_regclass('core.event_log') is not null;

-- name: colunas_do_log()
-- Columns of the log, to compare with those that the statements use.
select attname
from pg_attribute
where attrelid = 'core.event_log'::regclass and attnum > 0 and not attisdropped;

-- name: cache_da_sequencia()$
-- CACHE of the sequence behind the log's numbers: above 1, numbers are no order (D3).
select s.seqcache
from pg_sequence as s
where s.seqrelid = pg_get_serial_sequence('core.event_log', 'sequence_number')::regclass;

-- name: direitos_no_log()^
-- Whether this role may read the log and append to it.
select
    has_table_privilege('core.event_log', 'SELECT') as pode_ler,
    has_table_privilege('core.event_log', 'INSERT') as pode_acrescentar;

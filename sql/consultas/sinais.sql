-- How the service is doing, for `d5 saude` and `d5 metricas`, as any role down to d5_leitura: one short read-only
-- transaction, nothing that grows with scores or with the log. Ages are seconds on the database's clock.

-- name: limitar_tempo(prazo)$
-- No statement of this transaction takes longer, waiting for locks included.
select set_config('statement_timeout', :prazo, true);

-- name: progresso()^
-- The log's end, and how long ago a cursor last moved.
select
    (select coalesce(max(sequence_number), 0) from d5.andamento_do_log),
    (select coalesce(extract(epoch from now() - max(updated_at)), 0)::float8 from d5.consumer_offset);

-- name: atraso(desde, grafias, posicoes, limite)
-- Events of each spelling above their position among the next :limite rows of the log, and the age of the oldest.
select l.tipo, count(*), greatest(extract(epoch from now() - min(l.criado_em)), 0)::float8
from (
    select sequence_number, tipo, criado_em
    from d5.andamento_do_log
    where sequence_number > :desde
    order by sequence_number
    limit :limite
) as l
join unnest(:grafias::text[], :posicoes::bigint[]) as c (grafia, aplicado_ate) on c.grafia = l.tipo
where l.sequence_number > c.aplicado_ate
group by l.tipo;

-- name: lacunas()
-- Open holes that a living transaction may still fill: since when, their age, and who. A prepared one may be anybody.
with vivas as materialized (
    select distinct virtualtransaction, pid is null as preparada from pg_locks
)
select
    l.inicio, l.fim, l.vista_em, greatest(extract(epoch from now() - l.vista_em), 0)::float8, jsonb_agg(quem.portador)
from d5.lacunas as l
cross join lateral (
    select p as portador
    from jsonb_array_elements(l.portadores) as p
    where p ->> 'virtualtransaction' in (select v.virtualtransaction from vivas as v where not v.preparada)
    union all
    select '{"pid": null}'::jsonb where exists (select from vivas as v where v.preparada)
) as quem
where l.situacao = 'aberta'
group by l.inicio
order by l.inicio;

-- name: pendentes(limite)^
-- The first :limite publications that wait, and the age of the oldest of them.
select count(*), greatest(extract(epoch from now() - min(p.criado_em)), 0)::float8
from (
    select criado_em from d5.publicacoes_pendentes order by id limit :limite
) as p;

-- name: dlq()
-- Dead letters that somebody or something still has to settle.
select motivo, situacao, count(*) from d5.dlq where situacao in ('aberta', 'esgotada') group by motivo, situacao;

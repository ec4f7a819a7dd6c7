-- How far the log goes, and appending to it.

-- name: maior_sequencia()$
-- obterMaiorSequence(): 0 for an empty log.
select coalesce(max(sequence_number), 0) from d5.event_log;

-- name: ha_eventos(grafias, posicoes, desde)$
-- Whether a consumed event lies above the position of its type.
select exists (
    select
    from d5.event_log as l
    join unnest(:grafias::text[], :posicoes::bigint[]) as c (grafia, aplicado_ate) on c.grafia = l.tipo
    where l.sequence_number > :desde and l.sequence_number > c.aplicado_ate
);

-- name: ultimos_abaixo(desde, limite, grafias)
-- Last event of each spelling below :limite, among those above :desde.
select l.tipo, max(l.sequence_number) as ultimo
from d5.event_log as l
where l.sequence_number > :desde and l.sequence_number < :limite and l.tipo = any(:grafias)
group by l.tipo;

-- name: publicar(ids)
-- Moves pending publications, in order, from the outbox into the log, and counts them; returns the triggers whose rows
-- went out.
with retiradas as (
    delete from d5.publicacoes_pendentes where id = any(:ids) returning *
),
publicadas as (
    insert into d5.event_log (event_id, tipo, versao_schema, origem, correlacao_id, payload)
    select event_id, tipo, '1.0.0', 'D-5', correlacao_id, payload
    from retiradas
    order by id
    returning event_id, tipo
),
contadas as (
    insert into d5.contagem_publicacoes as c (tipo, total)
    select tipo, count(*) from publicadas group by tipo
    on conflict (tipo) do update set total = c.total + excluded.total
)
select p.event_id, r.gatilho_event_id
from publicadas as p
join retiradas as r on r.event_id = p.event_id;

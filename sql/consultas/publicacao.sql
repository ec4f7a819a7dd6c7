-- The outbox (D7).

-- name: pendentes(limite)
-- The first :limite pending publications, in order.
select id, gatilho_sequence, gatilho_event_id, gatilho_tipo
from d5.publicacoes_pendentes
order by id
limit :limite;

-- name: recusadas(gatilho)
-- Of a trigger's pending publications the first of each type, and how many of the type there are.
select distinct on (tipo)
    tipo, payload ->> 'demanda_id', payload ->> 'unidade_civica_id', event_id, correlacao_id, count(*) over (partition by tipo)
from d5.publicacoes_pendentes
where gatilho_event_id = :gatilho
order by tipo, id;

-- name: ha_pendentes()$
-- Whether anything waits to be published.
select exists (select from d5.publicacoes_pendentes);

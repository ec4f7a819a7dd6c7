-- The outbox (D7).

-- name: pendentes(limite)
-- The first :limite pending publications, in order.
select id, gatilho_sequence, gatilho_event_id, gatilho_tipo
from d5.publicacoes_pendentes
order by id
limit :limite;

-- name: ha_pendentes()$
-- Whether anything waits to be published.
select exists (select from d5.publicacoes_pendentes);

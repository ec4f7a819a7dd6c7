-- What operators did beside the log (D32): only ever added to.

-- name: registrar_intervencao(id, tipo, quem, por_que, quando, argumentos)!
-- Who did what and why, and how far the log was applied at that moment.
insert into d5.intervencoes (id, tipo, quem, por_que, quando, aplicado_ate, argumentos)
select
    :id::uuid, :tipo, :quem, :por_que, :quando::timestamptz, coalesce(max(aplicado_ate), 0), :argumentos::jsonb
from d5.consumer_offset;

-- name: intervencoes()
-- Every intervention, in the order in which they took effect.
select id, tipo, quando, aplicado_ate, argumentos, quem, por_que from d5.intervencoes order by ordem;

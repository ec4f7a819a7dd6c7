-- A cursor never passes what was applied, and nothing is applied that the log does not hold (D4).
select
    c.tipo_evento,
    c.last_sequence,
    c.aplicado_ate,
    fim.sequence_number as fim_do_log
from {{ source('d5', 'consumer_offset') }} as c
cross join (
    select coalesce(max(l.sequence_number), 0) as sequence_number
    from {{ source('core', 'event_log') }} as l
) as fim
where c.last_sequence < 0
    or c.last_sequence > c.aplicado_ate
    or c.aplicado_ate > fim.sequence_number

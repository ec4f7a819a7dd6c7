-- Events of the log that name a demand, as itself, as a representative or as a member, and where the log's reading began.

-- name: pendentes(demanda, grafias, posicoes, desde)
-- Consumed events above the applied position of their type that name the demand; bounded by the lag.
select l.sequence_number, l.tipo
from d5.event_log as l
join unnest(:grafias::text[], :posicoes::bigint[]) as c (grafia, aplicado_ate) on c.grafia = l.tipo
where l.sequence_number > :desde
    and l.sequence_number > c.aplicado_ate
    and (
        :demanda in (lower(l.payload ->> 'demanda_id'), lower(l.payload ->> 'representante_demanda_id'))
        or exists (
            select
            from jsonb_path_query(l.payload, '$.membros[*].demanda_id') as m
            where lower(m #>> '{}') = :demanda
        )
    )
order by l.sequence_number
limit 20;

-- name: recusados(demanda)
-- Unsettled discards and dead letters of events that name the demand.
select l.sequence_number, l.tipo, r.motivo
from (
    select event_id, 'descartado: ' || motivo as motivo from d5.eventos_descartados where situacao = 'descartado'
    union all
    select event_id, 'na DLQ, ' || situacao || ': ' || erro
    from d5.dlq
    where motivo = 'aplicacao' and situacao in ('aberta', 'esgotada')
) as r
join d5.event_log as l on l.event_id = r.event_id
where :demanda in (lower(l.payload ->> 'demanda_id'), lower(l.payload ->> 'representante_demanda_id'))
    or exists (
        select
        from jsonb_path_query(l.payload, '$.membros[*].demanda_id') as m
        where lower(m #>> '{}') = :demanda
    )
order by l.sequence_number
limit 20;

-- name: semeado_em()$
-- Where the reading of the log began.
select coalesce(min((argumentos ->> 'posicao')::bigint), 0) from d5.intervencoes where tipo = 'semeadura';

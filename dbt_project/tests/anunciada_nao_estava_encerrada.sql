-- A demand may end after it was announced, never before. Before means: at an earlier event of the log. Endings whose event was
-- re-driven (D11, D12), or that lie below a moved cursor (D32), may have been applied later than their place in the log says.
with encerramentos as (
    select
        t.demanda_id,
        t.event_id,
        t.sequence_number
    from {{ source('d5', 'transicoes_status') }} as t
    where t.para in ('concluido', 'agregado', 'removido')
    union all
    select
        a.demanda_id,
        a.evento_id as event_id,
        l.sequence_number
    from {{ source('d5', 'demandas_agregadas') }} as a
    inner join {{ source('core', 'event_log') }} as l
        on l.event_id = a.evento_id
)

select
    n.unidade_civica_id,
    n.demanda_id,
    gatilho.sequence_number as anunciada_por,
    e.sequence_number as encerrada_por
from {{ source('d5', 'anuncios_por_uc') }} as n
inner join {{ source('core', 'event_log') }} as gatilho
    on gatilho.event_id = n.event_id
inner join encerramentos as e
    on e.demanda_id = n.demanda_id
    and e.sequence_number < gatilho.sequence_number
where not exists (
    select 1
    from {{ source('d5', 'dlq') }} as q
    where q.event_id = e.event_id
)
    and not exists (
        select 1
        from {{ source('d5', 'eventos_descartados') }} as x
        where x.event_id = e.event_id
    )
    and not exists (
        select 1
        from {{ source('d5', 'intervencoes') }} as i
        where i.tipo = 'cursores' and i.aplicado_ate >= e.sequence_number
    )

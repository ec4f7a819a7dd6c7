-- A row is agregado exactly if its demand is registered as a member of an aggregate (3.7).
select
    i.demanda_id,
    i.status,
    a.agregado_id
from {{ source('d5', 'backlog_items') }} as i
left join {{ source('d5', 'demandas_agregadas') }} as a
    on a.demanda_id = i.demanda_id
where (i.status = 'agregado') <> (a.demanda_id is not null)

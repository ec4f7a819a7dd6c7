select
    a.representante_demanda_id,
    a.agregado_id,
    a.demanda_id,
    coalesce(s.unidade_civica_id, i.unidade_civica_id) as unidade_civica_id,
    coalesce(s.nivel_precedencia, i.nivel_precedencia) as nivel_precedencia,
    coalesce(s.categoria_id, i.categoria_id) as categoria_id,
    coalesce(s.score_final, i.score) as score,
    a.agregado_em,
    a.evento_id,
    c.lat,
    c.lng
from {{ source('d5', 'demandas_agregadas') }} as a
left join {{ source('d5', 'backlog_scores') }} as s
    on s.demanda_id = a.demanda_id
left join {{ source('d5', 'backlog_items') }} as i
    on i.demanda_id = a.demanda_id
left join {{ source('d5', 'coordenadas_demanda') }} as c
    on c.demanda_id = a.demanda_id

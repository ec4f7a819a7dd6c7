select
    d.unidade_civica_id,
    cast(
        row_number() over (
            partition by d.unidade_civica_id
            order by d.prioritaria desc, d.score_final desc, d.demanda_id
        ) as integer
    ) as posicao,
    d.demanda_id,
    d.categoria_id,
    d.nivel_precedencia,
    d.score_final,
    d.prioritaria,
    d.nivel_nao_vencido,
    c.lat,
    c.lng
from {{ ref('demandas_selecionadas') }} as d
-- LIMIT 1 changes no row (demanda_id is the key): it keeps PostgreSQL from reading all coordinates for a few demands.
left join lateral (
    select k.lat, k.lng
    from {{ source('d5', 'coordenadas_demanda') }} as k
    where k.demanda_id = d.demanda_id
    limit 1
) as c on true

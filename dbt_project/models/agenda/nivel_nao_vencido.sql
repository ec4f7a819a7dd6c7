-- OFFSET 0 stops PostgreSQL at the first active score of a unit instead of joining with all of them; LIMIT 1 (a unit has
-- one capacity) keeps it from reading every unit's.
select
    u.unidade_civica_id,
    coalesce(c.capacidade, p.capacidade_padrao) as capacidade,
    p.fator_decaimento,
    w.nivel_precedencia as nivel_nao_vencido
from {{ source('d5', 'unidades_civicas') }} as u
cross join {{ ref('parametros_vigentes') }} as p
left join lateral (
    select k.capacidade
    from {{ source('d5', 'param_capacidade_por_uc') }} as k
    where k.param_id = p.param_id
        and k.unidade_civica_id = u.unidade_civica_id
    limit 1
) as c on true
left join lateral (
    select s.nivel_precedencia
    from {{ source('d5', 'param_pesos_situacionais') }} as s
    where s.param_id = p.param_id
        and s.unidade_civica_id = u.unidade_civica_id
        and s.peso > p.limiar_peso_nao_vencido
    order by s.peso desc, s.nivel_precedencia
    limit 1
) as w on true
where exists (
    select 1
    from {{ ref('scores_ativos') }} as a
    where a.unidade_civica_id = u.unidade_civica_id
    offset 0
)

select
    u.unidade_civica_id,
    n.capacidade,
    n.nivel_nao_vencido,
    cast(
        (
            select count(*)
            from {{ source('d5', 'backlog_items') }} as i
            where i.unidade_civica_id = u.unidade_civica_id and i.status <> 'agregado'
        ) as integer
    ) as itens,
    cast(
        (
            select count(*)
            from {{ source('d5', 'backlog_items') }} as i
            where i.unidade_civica_id = u.unidade_civica_id and i.status = 'disponivel'
        ) as integer
    ) as disponiveis
from {{ source('d5', 'unidades_civicas') }} as u
left join {{ ref('nivel_nao_vencido') }} as n
    on n.unidade_civica_id = u.unidade_civica_id

-- Demands that a rebuild of the unit would place, then rows that it would take away; members of aggregates stay aside.
select
    b.unidade_civica_id,
    b.demanda_id,
    case when i.unidade_civica_id = b.unidade_civica_id then i.posicao end as posicao_atual,
    b.posicao as posicao_no_rebuild,
    b.nivel_precedencia,
    b.score_final,
    coalesce(i.status, q.status, 'disponivel') as status,
    case
        when i.unidade_civica_id is distinct from b.unidade_civica_id then 'entra'
        when b.posicao < i.posicao then 'sobe'
        when b.posicao > i.posicao then 'desce'
        else 'fica'
    end as efeito
from {{ ref('backlog_ordenado') }} as b
left join {{ source('d5', 'backlog_items') }} as i
    on i.demanda_id = b.demanda_id
left join {{ source('d5', 'situacao_demandas') }} as q
    on q.demanda_id = b.demanda_id
union all
select
    i.unidade_civica_id,
    i.demanda_id,
    i.posicao as posicao_atual,
    null as posicao_no_rebuild,
    i.nivel_precedencia,
    i.score as score_final,
    i.status,
    'sai' as efeito
from {{ source('d5', 'backlog_items') }} as i
where i.status <> 'agregado'
    and not exists (
        select 1
        from {{ ref('backlog_ordenado') }} as b
        where b.unidade_civica_id = i.unidade_civica_id
            and b.demanda_id = i.demanda_id
    )

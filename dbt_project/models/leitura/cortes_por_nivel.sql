-- One place more than there are slots: the last demand inside, and the first one outside.
with com_mais_uma as (
    select
        unidade_civica_id,
        nivel_nao_vencido,
        nivel,
        vagas + 1 as vagas
    from {{ ref('vagas_por_nivel') }}
),

melhores as (
    {{ melhores_do_nivel('com_mais_uma', ref('scores_ativos')) }}
),

numeradas as (
    select
        unidade_civica_id,
        case when nivel_nao_vencido is not null then nivel_precedencia end as nivel,
        demanda_id,
        score_final,
        row_number() over (
            partition by unidade_civica_id, case when nivel_nao_vencido is not null then nivel_precedencia end
            order by score_final desc, demanda_id
        ) as lugar
    from melhores
),

niveis as (
    select
        v.unidade_civica_id,
        v.nivel_nao_vencido,
        v.nivel,
        v.vagas,
        cast(
            (
                select count(*)
                from {{ ref('scores_ativos') }} as a
                where a.unidade_civica_id = v.unidade_civica_id
                    and (v.nivel is null or a.nivel_precedencia = v.nivel)
                    and a.selecionavel
            ) as integer
        ) as candidatas,
        cast(
            (
                select count(*)
                from {{ source('d5', 'backlog_items') }} as i
                where i.unidade_civica_id = v.unidade_civica_id
                    and (v.nivel is null or i.nivel_precedencia = v.nivel)
                    and i.status <> 'agregado'
            ) as integer
        ) as na_agenda
    from {{ ref('vagas_por_nivel') }} as v
)

select
    n.unidade_civica_id,
    n.nivel_nao_vencido,
    n.nivel,
    n.vagas,
    n.na_agenda,
    n.candidatas,
    least(n.vagas, n.candidatas) as usadas,
    u.demanda_id as ultima_dentro,
    u.score_final as score_da_ultima_dentro,
    f.demanda_id as primeira_fora,
    f.score_final as score_da_primeira_fora
from niveis as n
left join numeradas as u
    on u.unidade_civica_id = n.unidade_civica_id
    and u.nivel is not distinct from n.nivel
    and u.lugar = least(n.vagas, n.candidatas)
left join numeradas as f
    on f.unidade_civica_id = n.unidade_civica_id
    and f.nivel is not distinct from n.nivel
    and f.lugar = n.vagas + 1

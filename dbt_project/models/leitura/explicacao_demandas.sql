-- OFFSET 0 keeps each look at a model inside its demand's unit: without it PostgreSQL computes the selection of all units.
with conhecidas as (
    select demanda_id from {{ source('d5', 'backlog_scores') }}
    union
    select demanda_id from {{ source('d5', 'backlog_items') }}
    union
    select demanda_id from {{ source('d5', 'situacao_demandas') }}
    union
    select demanda_id from {{ source('d5', 'demandas_agregadas') }}
)

select
    k.demanda_id,
    coalesce(s.unidade_civica_id, i.unidade_civica_id) as unidade_civica_id,
    i.unidade_civica_id as unidade_da_linha,
    i.posicao,
    i.score as score_da_linha,
    i.status as status_da_linha,
    i.grupo_id,
    i.event_id as evento_da_linha,
    i.entrou_em,
    s.score_final,
    s.nivel_precedencia,
    s.categoria_id,
    s.posicao_ranking,
    s.event_id as evento_do_score,
    s.sequence_number as sequencia_do_score,
    q.status as status_recordado,
    coalesce(i.data_conclusao, q.data_conclusao) as data_conclusao,
    coalesce(i.dias_ate_conclusao, q.dias_ate_conclusao) as dias_ate_conclusao,
    a.agregado_id,
    a.representante_demanda_id,
    a.agregado_em,
    u.anunciado_em,
    t.selecionavel,
    n.capacidade,
    n.nivel_nao_vencido,
    v.vagas,
    v.na_agenda,
    v.candidatas,
    v.usadas,
    v.ultima_dentro,
    v.score_da_ultima_dentro,
    v.primeira_fora,
    v.score_da_primeira_fora,
    case
        when t.selecionavel then (
            select 1 + count(*)
            from {{ ref('scores_ativos') }} as m
            where m.unidade_civica_id = t.unidade_civica_id
                and (n.nivel_nao_vencido is null or m.nivel_precedencia = t.nivel_precedencia)
                and m.selecionavel
                and (
                    m.score_final > t.score_final
                    or (m.score_final = t.score_final and m.demanda_id < t.demanda_id)
                )
        )
    end as lugar_no_nivel,
    b.posicao as posicao_no_rebuild
from conhecidas as k
left join {{ source('d5', 'backlog_scores') }} as s
    on s.demanda_id = k.demanda_id
left join {{ source('d5', 'backlog_items') }} as i
    on i.demanda_id = k.demanda_id
left join {{ source('d5', 'situacao_demandas') }} as q
    on q.demanda_id = k.demanda_id
left join {{ source('d5', 'demandas_agregadas') }} as a
    on a.demanda_id = k.demanda_id
left join {{ source('d5', 'anuncios_por_uc') }} as u
    on u.unidade_civica_id = i.unidade_civica_id
    and u.demanda_id = k.demanda_id
left join {{ ref('scores_ativos') }} as t
    on t.demanda_id = k.demanda_id
left join lateral (
    select m.capacidade, m.nivel_nao_vencido
    from {{ ref('nivel_nao_vencido') }} as m
    where m.unidade_civica_id = s.unidade_civica_id
    offset 0
) as n on true
left join lateral (
    select m.*
    from {{ ref('cortes_por_nivel') }} as m
    where m.unidade_civica_id = s.unidade_civica_id
        and (m.nivel is null or m.nivel = s.nivel_precedencia)
    offset 0
) as v on true
left join lateral (
    select m.posicao
    from {{ ref('backlog_ordenado') }} as m
    where m.unidade_civica_id = s.unidade_civica_id
        and m.demanda_id = s.demanda_id
    offset 0
) as b on true

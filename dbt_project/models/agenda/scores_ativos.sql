-- OFFSET 0 keeps both tests one index probe per score: without it PostgreSQL may hash the whole table for a handful of scores.
select
    s.demanda_id,
    s.unidade_civica_id,
    s.categoria_id,
    s.nivel_precedencia,
    s.score_final,
    (
        (select p.concluidas_ocupam_vaga from {{ ref('parametros_vigentes') }} as p)
        or not exists (
            select 1
            from {{ source('d5', 'situacao_demandas') }} as d
            where d.demanda_id = s.demanda_id and d.status = 'concluido'
            offset 0
        )
    ) as selecionavel
from {{ source('d5', 'backlog_scores') }} as s
where not exists (
    select 1
    from {{ source('d5', 'demandas_agregadas') }} as a
    where a.demanda_id = s.demanda_id
    offset 0
)

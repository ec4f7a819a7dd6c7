-- A rebuild writes its trigger's event_id on every row of the unit (D27), and whatever changes a row afterwards, a re-ranking
-- or a status event, replaces it. Rows of a unit that still share one were placed together: no position twice, and within a
-- level the order of score desc, demanda_id. Positions need not be 1 to n any more: a row may have moved to another unit (D20).
with postas_juntas as (
    select
        unidade_civica_id,
        event_id,
        demanda_id,
        posicao,
        row_number() over (
            partition by unidade_civica_id, event_id, nivel_precedencia
            order by posicao
        ) as ordem_da_posicao,
        row_number() over (
            partition by unidade_civica_id, event_id, nivel_precedencia
            order by score desc, demanda_id
        ) as ordem_do_score,
        count(*) over (partition by unidade_civica_id, event_id, posicao) as na_mesma_posicao
    from {{ source('d5', 'backlog_items') }}
    where posicao > 0 and status <> 'agregado'
)

select *
from postas_juntas
where na_mesma_posicao > 1 or ordem_da_posicao <> ordem_do_score

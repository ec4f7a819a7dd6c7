-- Weights, their sum (level 1 to 5, never a sum over rows) and the quotient stay in double precision, as in 4.2 (D22).
with pesos as (
    select
        n.unidade_civica_id,
        n.capacidade,
        n.nivel_nao_vencido,
        niveis.nivel,
        {{ peso_do_nivel('niveis.nivel', 'n.nivel_nao_vencido', 'n.fator_decaimento') }} as peso,
        {% for nivel in range(1, 6) -%}
        {{ peso_do_nivel(nivel, 'n.nivel_nao_vencido', 'n.fator_decaimento') }}{{ ' + ' if not loop.last }}
        {%- endfor %} as soma
    from {{ ref('nivel_nao_vencido') }} as n
    -- A unit whose levels are all overcome keeps one row without level: the uniform distribution (D24).
    left join (values (1), (2), (3), (4), (5)) as niveis (nivel)
        on n.nivel_nao_vencido is not null
),

partes as (
    select
        unidade_civica_id,
        capacidade,
        nivel_nao_vencido,
        nivel,
        cast(floor(capacidade * peso / soma) as integer) as parte
    from pesos
),

restos as (
    select
        *,
        capacidade - sum(parte) over (partition by unidade_civica_id) as resto
    from partes
)

select
    unidade_civica_id,
    nivel_nao_vencido,
    nivel,
    cast(
        case
            when nivel is null then capacidade
            -- With capacity above 0 the rest also gives the current level its "at least 1" of 4.2.
            when nivel = nivel_nao_vencido then parte + greatest(resto, 0)
            else parte
        end as integer
    ) as vagas
from restos

-- The slots of a unit add up to its capacity, whatever the rounding (4.2); none is negative.
select
    n.unidade_civica_id,
    n.capacidade,
    sum(v.vagas) as vagas
from {{ ref('nivel_nao_vencido') }} as n
left join {{ ref('vagas_por_nivel') }} as v
    on v.unidade_civica_id = n.unidade_civica_id
group by n.unidade_civica_id, n.capacidade
having sum(v.vagas) is distinct from n.capacidade or min(v.vagas) < 0

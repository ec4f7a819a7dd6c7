-- The slots that d5_leitura calls used are those that the selection fills.
select
    c.unidade_civica_id,
    c.nivel,
    c.usadas,
    count(d.demanda_id) as selecionadas
from {{ ref('cortes_por_nivel') }} as c
left join {{ ref('demandas_selecionadas') }} as d
    on d.unidade_civica_id = c.unidade_civica_id
    and (c.nivel is null or d.nivel_precedencia = c.nivel)
group by c.unidade_civica_id, c.nivel, c.usadas
having count(d.demanda_id) <> c.usadas

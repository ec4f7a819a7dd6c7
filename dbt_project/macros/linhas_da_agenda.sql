{#
  The rows of the agenda as outsiders see them: a drawn demand counts as available until it is started (2.3, 3.14), also in
  the time of its last change. A join without LIMIT, so that a bounding box may start at the coordinates.
#}
{% macro linhas_da_agenda(itens, coordenadas, agregadas) -%}
select
    i.unidade_civica_id,
    i.posicao,
    i.demanda_id,
    i.score,
    i.nivel_precedencia,
    i.categoria_id,
    case when i.status = 'atribuido' then 'disponivel' else i.status end as status,
    i.grupo_id,
    i.entrou_em,
    case when i.status in ('disponivel', 'atribuido') then i.entrou_em else i.atualizado_em end as atualizado_em,
    i.data_conclusao,
    i.dias_ate_conclusao,
    c.lat,
    c.lng,
    cast(
        (
            select count(*)
            from {{ agregadas }} as a
            where a.representante_demanda_id = i.demanda_id
        ) as integer
    ) as membros_agregados
from {{ itens }} as i
left join {{ coordenadas }} as c
    on c.demanda_id = i.demanda_id
{%- endmacro %}

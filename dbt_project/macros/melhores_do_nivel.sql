{#
  The best `vagas` scores of each row of `vagas`: of its level, or of every level where nivel is null; score descending, then
  demanda_id (D23). The only place where the engines differ. PostgreSQL stops reading the index at the last slot, so that the
  cost of a unit does not grow with its scores; DuckDB refuses a LIMIT that depends on the outer row, and ranks them all.
#}
{% macro melhores_do_nivel(vagas, scores) -%}
    {{ return(adapter.dispatch('melhores_do_nivel')(vagas, scores)) }}
{%- endmacro %}

{% macro default__melhores_do_nivel(vagas, scores) -%}
select
    v.unidade_civica_id,
    v.nivel_nao_vencido,
    s.demanda_id,
    s.categoria_id,
    s.nivel_precedencia,
    s.score_final
from {{ vagas }} as v
cross join lateral (
    (
        select a.demanda_id, a.categoria_id, a.nivel_precedencia, a.score_final
        from {{ scores }} as a
        where a.unidade_civica_id = v.unidade_civica_id
            and a.nivel_precedencia = v.nivel
            and a.selecionavel
        order by a.score_final desc, a.demanda_id
        limit v.vagas
    )
    union all
    (
        select a.demanda_id, a.categoria_id, a.nivel_precedencia, a.score_final
        from {{ scores }} as a
        where v.nivel is null
            and a.unidade_civica_id = v.unidade_civica_id
            and a.selecionavel
        order by a.score_final desc, a.demanda_id
        limit v.vagas
    )
) as s
{%- endmacro %}

{% macro duckdb__melhores_do_nivel(vagas, scores) -%}
select
    v.unidade_civica_id,
    v.nivel_nao_vencido,
    a.demanda_id,
    a.categoria_id,
    a.nivel_precedencia,
    a.score_final
from {{ vagas }} as v
inner join {{ scores }} as a
    on a.unidade_civica_id = v.unidade_civica_id
    and (v.nivel is null or a.nivel_precedencia = v.nivel)
    and a.selecionavel
qualify
    row_number() over (
        partition by v.unidade_civica_id, v.nivel
        order by a.score_final desc, a.demanda_id
    ) <= v.vagas
{%- endmacro %}

{# Raw weight of a level in 4.2: fator_decaimento to the power of its distance from the current level, in double precision. #}
{% macro peso_do_nivel(nivel) -%}
    power(n.fator_decaimento, cast(abs({{ nivel }} - n.nivel_nao_vencido) as double precision))
{%- endmacro %}

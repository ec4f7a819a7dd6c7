{# Raw weight of a level in 4.2: the factor to the power of the distance from the current level, in double precision (D22). #}
{% macro peso_do_nivel(nivel, corrente, fator) -%}
    power({{ fator }}, cast(abs({{ nivel }} - {{ corrente }}) as double precision))
{%- endmacro %}

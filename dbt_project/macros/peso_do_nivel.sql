{# Raw weight of a level in 4.2: the factor to the power of the distance from the current level, in double precision (D22).
   The fourth power of less than 1e-75 is no double any more: PostgreSQL refuses it where others say 0. Nothing up to the
   largest capacity can tell either from the weight itself. #}
{% macro peso_do_nivel(nivel, corrente, fator) -%}
    case
        when {{ fator }} < 1e-75 and {{ nivel }} <> {{ corrente }} then cast(0 as double precision)
        else power({{ fator }}, cast(abs({{ nivel }} - {{ corrente }}) as double precision))
    end
{%- endmacro %}

{# A chance as a test reports it: no more than 1, which rounding may pass, and never 0, which no test says. #}
{% macro as_p_value(chance) -%}
case when {{ chance }} > 1 then 1 when {{ chance }} < 1e-300 then 1e-300 else {{ chance }} end
{%- endmacro %}

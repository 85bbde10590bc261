{#
  A probability as a test reports it: at most 1, which rounding may exceed, and above 0, because no test
  reports 0.
#}
{% macro as_p_value(chance) -%}
case when {{ chance }} > 1 then 1 when {{ chance }} < 1e-300 then 1e-300 else {{ chance }} end
{%- endmacro %}

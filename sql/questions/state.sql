{# Questions of sums that are kept: a state is made of rows, and read in their place. #}

{# The question of `state`, whose sums add up over periods. #}
{% macro question_of_state() -%}
    {%- do return(sqlmetrics.question(
        ends='sums', adds_up=true, keys=['sm_period'], select=sqlmetrics.rows_of_state, order=none, hints=false,
        call='state'
    )) -%}
{%- endmacro %}

{# A question over a state in place of rows: by default that of `finish`. #}
{% macro question_over_state(question=none) -%}
    {%- set question = question or sqlmetrics.question(call='finish') -%}
    {%- do return(dict(question, reads='state', adds_up=true, hints=false)) -%}
{%- endmacro %}

{# The question of measures of a state, for semantic layers. #}
{% macro question_of_measures() -%}
    {%- do return(sqlmetrics.question_over_state(sqlmetrics.question(value=sqlmetrics.add_measured))) -%}
{%- endmacro %}

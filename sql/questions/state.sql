{# Questions of sums that are kept: a state is made of rows, and read in their place. #}

{#
  The question of `state`, whose sums add up over periods.

  Args:
    pairs: the plan of the pairs of models that it keeps, none without them
#}
{% macro question_of_state(pairs=none) -%}
    {%- do return(sqlmetrics.question(
        ends='sums', adds_up=true, keys=['sm_period'], select=sqlmetrics.rows_of_state, order=none, hints=false,
        stages_before=none if pairs is none else sqlmetrics.stages_of_kept_pairs, own={'pairs': pairs}, call='state'
    )) -%}
{%- endmacro %}

{# The question of the pairs of models that a state keeps, by which `compare` reads it. #}
{% macro question_of_kept_pairs() -%}
    {%- do return(sqlmetrics.question(
        ends='sums', keeps='units', keys=['sm_period'], value=sqlmetrics.keep_pairs,
        stages=sqlmetrics.stages_to_kept_pairs, select=sqlmetrics.rows_of_kept_pairs, order=none, names_models=false,
        names_units=true, counts=false, checks=false, sums=false, hints=false, spreads=true, call='state',
        own={'test': 't', 'call': 'state', 'pairs': 'all', 'on_unpaired': 'intersection', 'paired': true}
    )) -%}
{%- endmacro %}

{# The question of `compare` over a state. #}
{% macro question_of_kept_comparison(options) -%}
    {%- do return(sqlmetrics.question_over_state(sqlmetrics.question(
        keeps='units', value=sqlmetrics.add_kept_comparison, stages=sqlmetrics.stages_of_kept_comparison,
        select=sqlmetrics.result_of_comparison, order=none, names_models=false, own=dict(options, paired=true),
        call=options['call']
    ))) -%}
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

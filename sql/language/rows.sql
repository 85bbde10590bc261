{#
  The words in which metrics are written: what a row is worth, and sums of it at the grain where they are taken.
#}

{# The weight of a row: 1, or the weight column. #}
{% macro row_weight(plan) -%}{{ 'sm_weight' if plan['weight'] is not none else '1' }}{%- endmacro %}

{# An expression times the row's weight. #}
{% macro weighted(plan, x) -%}{{ x if plan['weight'] is none else 'sm_weight * (' ~ x ~ ')' }}{%- endmacro %}

{# The label as a number, for the metrics that compare numbers. #}
{% macro label_of(plan) -%}
    {{- sqlmetrics.need_role(plan, 'label') -}}
    sm_label
{%- endmacro %}

{# The score. #}
{% macro score_of(plan) -%}
    {{- sqlmetrics.need_role(plan, 'score') -}}
    sm_score
{%- endmacro %}

{# The score as a probability; the metric is null, and the door refuses, where one lies outside [0, 1]. #}
{% macro probability_of(plan) -%}
    {{- sqlmetrics.require(
        plan, 'rows', 'rows_not_probability', 'sm_score < 0 or sm_score > 1',
        'rows have a score outside [0, 1], such as {value}, but ' ~ plan['metric'] ~ ' takes probabilities', 'sm_score'
    ) -}}
    {{- sqlmetrics.score_of(plan) -}}
{%- endmacro %}

{# The condition under which a row is positive; without `positive` labels are 0, 1 or booleans and nothing else. #}
{% macro is_positive(plan) -%}
    {{- sqlmetrics.need_role(plan, 'label') -}}
    {%- if plan['positive'] is none -%}
        {{- sqlmetrics.require(
            plan, 'rows', 'rows_not_binary', 'sm_label not in (0, 1)',
            'rows have a label that is neither 0 nor 1, such as {value}; pass positive= to say from which label on a row is positive',
            'sm_label'
        ) -}}
    {%- endif -%}
    {{- sqlmetrics.is_relevant(plan) -}}
{%- endmacro %}

{# The condition under which an item is relevant: label >= 1, or >= positive. #}
{% macro is_relevant(plan) -%}
sm_label >= {{ plan['positive'] if plan['positive'] is number else 1 }}
{%- endmacro %}

{# 1 for a positive row, else 0. #}
{% macro positive_of(plan) -%}case when {{ sqlmetrics.is_positive(plan) }} then 1 else 0 end{%- endmacro %}

{# A sum over rows, each times its weight. #}
{% macro row_sum(plan, name, x) -%}
    {{- sqlmetrics.need(plan, 'rows', name, sqlmetrics.weighted(plan, x)) -}}
{%- endmacro %}

{# The weight of all usable rows. #}
{% macro row_total(plan) -%}
    {{- sqlmetrics.row_sum(plan, 'weights', 'case when sm_problem = 0 then 1 else 0 end') -}}
{%- endmacro %}

{# The weighted mean over rows. #}
{% macro row_mean(plan, name, x) -%}
    {%- set mean = sqlmetrics.ratio(sqlmetrics.row_sum(plan, name, x), sqlmetrics.row_total(plan)) -%}
    {%- do sqlmetrics.note_ratio(plan, mean, 'rows', sqlmetrics.weighted(plan, x), sqlmetrics.usable_weight(plan)) -%}
    {{- mean -}}
{%- endmacro %}

{# What a row weighs, 0 for an unusable one. #}
{% macro usable_weight(plan) -%}{{ sqlmetrics.weighted(plan, 'case when sm_problem = 0 then 1 else 0 end') }}{%- endmacro %}

{#
  A ratio of sums over rows, and the value that the caller wants for 0/0.

  Args:
    numerator, denominator: expressions that are linear in sums over rows
    is_share: whether the numerator's rows are among those of the denominator
#}
{% macro row_ratio(plan, numerator, denominator, zero_division=none, is_share=false) -%}
    {%- set ratio = sqlmetrics.ratio(numerator, denominator) -%}
    {%- set value = sqlmetrics.otherwise(plan, ratio, zero_division) -%}
    {%- if plan['interval'] is not none -%}
        {%- do sqlmetrics.note_ratio(
            plan, value, 'rows', sqlmetrics.of_row(plan, numerator), sqlmetrics.of_row(plan, denominator), ratio, is_share
        ) -%}
    {%- endif -%}
    {{- value -}}
{%- endmacro %}

{# A share of rows: a ratio whose numerator's rows are among those of the denominator. #}
{% macro row_share(plan, numerator, denominator, zero_division=none) -%}
    {{- sqlmetrics.row_ratio(plan, numerator, denominator, zero_division, is_share=true) -}}
{%- endmacro %}

{# What a row adds to an expression that is linear in sums over rows. #}
{% macro of_row(plan, sums) -%}
    {%- set added = {} -%}
    {%- for grain in ('rows', 'second_pass') -%}{%- for column, need in plan[grain].items() -%}{%- do added.update({column: need['inner']}) -%}{%- endfor -%}{%- endfor -%}
    {{- sqlmetrics.in_words(sums, added) -}}
{%- endmacro %}

{# An expression with others in the place of some columns. #}
{% macro in_words(expression, columns) -%}
    {%- set words = [] -%}
    {%- for word in (expression | replace('(', '( ') | replace(')', ' )')).split(' ') -%}
        {%- do words.append('(' ~ columns[word] ~ ')' if word in columns else word) -%}
    {%- endfor -%}
    {{- '(' ~ words | join(' ') ~ ')' -}}
{%- endmacro %}

{# The root of a mean over rows. #}
{% macro root(plan, mean) -%}
    {%- set value = 'sqrt(' ~ mean ~ ')' -%}
    {%- do sqlmetrics.note_function(plan, value, mean, '1 / nullif(2 * ' ~ value ~ ', 0)') -%}
    {{- value -}}
{%- endmacro %}

{# The weight of the positive rows. #}
{% macro positives(plan) -%}
    {{- sqlmetrics.row_sum(plan, 'positives', sqlmetrics.positive_of(plan)) -}}
{%- endmacro %}

{# The weight of the negative rows. #}
{% macro negatives(plan) -%}
    {{- sqlmetrics.row_sum(
        plan, 'negatives', 'case when sm_problem = 0 and not (' ~ sqlmetrics.is_positive(plan) ~ ') then 1 else 0 end'
    ) -}}
{%- endmacro %}

{# An expression, null in a row of weight 0. #}
{% macro if_weighed(plan, x) -%}{{ x if plan['weight'] is none else 'case when sm_weight > 0 then ' ~ x ~ ' end' }}{%- endmacro %}

{# The least label (or score). #}
{% macro least(plan, role) -%}{{ sqlmetrics.need(plan, 'rows', 'least_' ~ role, sqlmetrics.if_weighed(plan, 'sm_' ~ role), 'min') }}{%- endmacro %}

{# The greatest label (or score). #}
{% macro greatest(plan, role) -%}{{ sqlmetrics.need(plan, 'rows', 'greatest_' ~ role, sqlmetrics.if_weighed(plan, 'sm_' ~ role), 'max') }}{%- endmacro %}

{# Whether a role has two values: by the values themselves, since a rounded mean of equal values need not be equal to them. #}
{% macro varies(plan, role) -%}{{ sqlmetrics.least(plan, role) }} < {{ sqlmetrics.greatest(plan, role) }}{%- endmacro %}

{# A row's label (or score) less the mean, for sums about the mean: the difference of two large sums would lose the digits. #}
{% macro centred(plan, role) -%}
    {{- sqlmetrics.need_role(plan, role) -}}
    (sm_{{ role }} - {{ sqlmetrics.row_mean(plan, role ~ 's', 'sm_' ~ role) }})
{%- endmacro %}

{# The sum over rows of the product of two roles, each less its mean. #}
{% macro centred_product(plan, one, other) -%}
    {{- sqlmetrics.need_deviation(
        plan, one ~ '_' ~ other ~ '_deviation', sqlmetrics.centred(plan, one) ~ ' * ' ~ sqlmetrics.centred(plan, other), [one ~ 's', other ~ 's']
    ) -}}
{%- endmacro %}

{# A sum over rows of a product x of two deviations from a mean; `sums` are the names of the sums over rows that the means are of. #}
{% macro need_deviation(plan, name, x, sums) -%}
    {%- set column = sqlmetrics.need(plan, 'second_pass', name, sqlmetrics.weighted(plan, x)) -%}
    {%- do plan['deviations'].update({column: sqlmetrics.prefixed(sums, 'sm_')}) -%}
    {%- do return(column) -%}
{%- endmacro %}

{#
  A quantile of the label or of the absolute error: a value with at least that share of the weight at or below it and at least
  the rest at or above it, the mean of the two where a gap between two rows divides the weight so.

  Args:
    grain: label_quantiles or error_quantiles, the order that is needed (see stages/orders.sql)
    quantile: in (0, 1)
#}
{% macro quantile(plan, grain, quantile) -%}
    {#- the share is a rounded one: within 1e-12 it is the quantile -#}
    {%- set name = (grain | replace('quantiles', '')) ~ sqlmetrics.column_name(quantile) -%}
    {%- set lower = sqlmetrics.need(plan, grain, 'lower_' ~ name, 'case when sm_share >= ' ~ quantile * (1 - 1e-12) ~ ' then sm_value end', 'min') -%}
    {%- set upper = sqlmetrics.need(plan, grain, 'upper_' ~ name, 'case when sm_share > ' ~ quantile * (1 + 1e-12) ~ ' then sm_value end', 'min') -%}
    (({{ lower }} + {{ upper }}) / 2)
{%- endmacro %}

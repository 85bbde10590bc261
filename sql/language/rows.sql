{#
  Rows: weights of rows, and sums, means and ratios over rows. Templates here read the columns of the grain `rows`
  (plan/columns.sql).
#}

{# The weight of a row: 1, or the weight column. #}
{% macro row_weight(plan) -%}{{ '{weight}' if plan['weight'] is not none else '1' }}{%- endmacro %}

{# A template times the row's weight. #}
{% macro weighted(plan, x) -%}{{ x if plan['weight'] is none else '{weight} * (' ~ x ~ ')' }}{%- endmacro %}

{# 1 for a usable row that meets a condition, else 0. A DuckDB aggregate macro gets usable rows only. #}
{% macro count_if(plan, condition=none) -%}
    {%- if plan['shell'] is none or not plan['shell']['steps'] -%}
        case when {problem} = 0{{ ' and ' ~ condition if condition is not none }} then 1 else 0 end
    {%- elif condition is none -%}
        1
    {%- else -%}
        case when {{ condition }} then 1 else 0 end
    {%- endif -%}
{%- endmacro %}

{# The score as a probability. If one lies outside [0, 1], the metric is NULL and Python raises an error. #}
{% macro probability_of(plan) -%}
    {{- sqlmetrics.require(
        plan, 'rows', 'rows_not_probability', '{score} < 0 or {score} > 1',
        'rows have a score outside [0, 1], such as {value}, but ' ~ plan['metric'] ~ ' takes probabilities', '{score}'
    ) -}}
    {score}
{%- endmacro %}

{# The condition under which a row is positive. Without `positive`, labels must be 0, 1 or booleans. #}
{% macro is_positive(plan) -%}
    {%- if plan['positive'] is none -%}
        {{- sqlmetrics.require(
            plan, 'rows', 'rows_not_binary', '{label} not in (0, 1)',
            'rows have a label that is neither 0 nor 1, such as {value};'
                ~ ' pass positive= to say from which label on a row is positive', '{label}'
        ) -}}
    {%- endif -%}
    {{- sqlmetrics.is_relevant(plan) -}}
{%- endmacro %}

{# The condition under which an item is relevant: label >= 1, or >= positive. #}
{% macro is_relevant(plan) -%}
{label} >= {{ plan['positive'] if plan['positive'] is number else 1 }}
{%- endmacro %}

{# 1 for a positive row, else 0. #}
{% macro positive_of(plan) -%}case when {{ sqlmetrics.is_positive(plan) }} then 1 else 0 end{%- endmacro %}

{# The weighted sum of a template over rows. #}
{% macro row_sum(plan, name, x) -%}
    {{- sqlmetrics.need(plan, 'rows', name, sqlmetrics.weighted(plan, x)) -}}
{%- endmacro %}

{# The weight of all usable rows. #}
{% macro row_total(plan) -%}{{ sqlmetrics.row_sum(plan, 'weights', sqlmetrics.count_if(plan)) }}{%- endmacro %}

{# The number of usable rows. #}
{% macro row_count(plan) -%}{{ sqlmetrics.need(plan, 'rows', 'count', sqlmetrics.count_if(plan)) }}{%- endmacro %}

{#
  The weighted mean of x over the usable rows in which x is not NULL, as SQL's avg. Returns a value.

  Args:
    name: the name of the sum
    x: a template over a row
    complete: true if x is never NULL in a usable row; such rows then need no count of their own
#}
{% macro row_mean(plan, name, x, complete=false) -%}
    {%- if not complete -%}
        {%- set defined = sqlmetrics.count_if(plan, '(' ~ x ~ ') is not null') -%}
        {%- do return(sqlmetrics.row_ratio(
            plan, sqlmetrics.row_sum(plan, name, x), sqlmetrics.row_sum(plan, name ~ '_defined', defined)
        )) -%}
    {%- endif -%}
    {%- set mean = sqlmetrics.ratio(sqlmetrics.row_sum(plan, name, x), sqlmetrics.row_total(plan)) -%}
    {%- do return(sqlmetrics.spreading_value(
        mean,
        sqlmetrics.spread_of_ratio(plan, 'rows', sqlmetrics.weighted(plan, x), sqlmetrics.usable_weight(plan), mean)
    )) -%}
{%- endmacro %}

{# The weight of a row, 0 for an unusable one. #}
{% macro usable_weight(plan) -%}{{ sqlmetrics.weighted(plan, sqlmetrics.count_if(plan)) }}{%- endmacro %}

{#
  A ratio of sums over rows, with zero_division in place of 0/0. Returns a value.

  Args:
    numerator, denominator: templates that are linear in sums over rows
    is_share: true if the numerator's rows are a subset of the denominator's
#}
{% macro row_ratio(plan, numerator, denominator, zero_division=none, is_share=false) -%}
    {%- set ratio = sqlmetrics.ratio(numerator, denominator) -%}
    {%- set sql = sqlmetrics.otherwise(plan, ratio, zero_division) -%}
    {%- if plan['interval'] is none -%}{%- do return(sqlmetrics.plain_value(sql)) -%}{%- endif -%}
    {%- do return(sqlmetrics.spreading_value(sql, sqlmetrics.spread_of_ratio(
        plan, 'rows', sqlmetrics.of_row(plan, numerator), sqlmetrics.of_row(plan, denominator), ratio, is_share
    ))) -%}
{%- endmacro %}

{# A share of rows: a ratio whose numerator's rows are a subset of the denominator's. Returns a value. #}
{% macro row_share(plan, numerator, denominator, zero_division=none) -%}
    {%- do return(sqlmetrics.row_ratio(plan, numerator, denominator, zero_division, is_share=true)) -%}
{%- endmacro %}

{# The contribution of one row to a template that is linear in sums over rows: each sum is replaced by its summand. #}
{% macro of_row(plan, template) -%}
    {%- set summands = {} -%}
    {%- for hole in sqlmetrics.holes(template) -%}
        {%- set need = plan['needs']['rows'].get('sm_' ~ hole) or plan['needs']['second_pass'].get('sm_' ~ hole) -%}
        {%- if need -%}{%- do summands.update({hole: '(' ~ need['inner'] ~ ')'}) -%}{%- endif -%}
    {%- endfor -%}
    {{- '(' ~ sqlmetrics.with_holes(template, summands) ~ ')' -}}
{%- endmacro %}

{# The weight of the positive rows. #}
{% macro positives(plan) -%}
    {{- sqlmetrics.row_sum(plan, 'positives', sqlmetrics.positive_of(plan)) -}}
{%- endmacro %}

{# The weight of the negative rows. #}
{% macro negatives(plan) -%}
    {{- sqlmetrics.row_sum(
        plan, 'negatives', sqlmetrics.count_if(plan, 'not (' ~ sqlmetrics.is_positive(plan) ~ ')')
    ) -}}
{%- endmacro %}

{# A template, NULL in a row of weight 0. #}
{% macro if_weighed(plan, x) -%}
    {{ x if plan['weight'] is none else 'case when {weight} > 0 then ' ~ x ~ ' end' }}
{%- endmacro %}

{# The least label (or score). #}
{% macro least(plan, role) -%}
    {{ sqlmetrics.need(plan, 'rows', 'least_' ~ role, sqlmetrics.if_weighed(plan, '{' ~ role ~ '}'), 'min') }}
{%- endmacro %}

{# The greatest label (or score). #}
{% macro greatest(plan, role) -%}
    {{ sqlmetrics.need(plan, 'rows', 'greatest_' ~ role, sqlmetrics.if_weighed(plan, '{' ~ role ~ '}'), 'max') }}
{%- endmacro %}

{#
  The condition that a role has two distinct values. It compares the values, since the rounded mean of equal values may
  differ from them.
#}
{% macro varies(plan, role) -%}{{ sqlmetrics.least(plan, role) }} < {{ sqlmetrics.greatest(plan, role) }}{%- endmacro %}

{# The mean of the label (or score), a template. #}
{% macro mean_of(plan, role) -%}
    {{- sqlmetrics.row_mean(plan, role ~ 's', '{' ~ role ~ '}', complete=true)['sql'] -}}
{%- endmacro %}

{#
  A row's label (or score) minus the mean, for sums about the mean. The difference of two large sums would lose digits.
#}
{% macro centred(plan, role) -%}({{ '{' ~ role ~ '}' }} - {{ sqlmetrics.mean_of(plan, role) }}){%- endmacro %}

{# The sum over rows of the product of two roles, each minus its mean. #}
{% macro centred_product(plan, one, other) -%}
    {{- sqlmetrics.sum_about_means(
        plan, one ~ '_' ~ other ~ '_deviation', sqlmetrics.centred(plan, one) ~ ' * ' ~ sqlmetrics.centred(plan, other),
        [one ~ 's', other ~ 's']
    ) -}}
{%- endmacro %}

{# A sum over rows of a product x of two deviations from a mean. `sums` names the sums over rows behind those means. #}
{% macro sum_about_means(plan, name, x, sums) -%}
    {{- sqlmetrics.need(
        plan, 'second_pass', name, sqlmetrics.weighted(plan, x), more={'means': sqlmetrics.prefixed(sums, 'sm_')}
    ) -}}
{%- endmacro %}

{#
  A quantile of the label or of the absolute error, a template: a value with at least the given share of the weight at
  or below it, and at least the rest at or above it. If a gap between two rows divides the weight exactly, it is the
  mean of the two values.

  Args:
    grain: label_quantiles or error_quantiles, the order that is needed (stages/rows/orders.sql)
    quantile: in (0, 1)
#}
{% macro quantile(plan, grain, quantile) -%}
    {#- the share is rounded; within 1e-12 it counts as equal to the quantile -#}
    {%- set name = (grain | replace('quantiles', '')) ~ sqlmetrics.column_name(quantile) -%}
    {%- set lower = sqlmetrics.need(
        plan, grain, 'lower_' ~ name, 'case when {share} >= ' ~ quantile * (1 - 1e-12) ~ ' then {value} end', 'min'
    ) -%}
    {%- set upper = sqlmetrics.need(
        plan, grain, 'upper_' ~ name, 'case when {share} > ' ~ quantile * (1 + 1e-12) ~ ' then {value} end', 'min'
    ) -%}
    (({{ lower }} + {{ upper }}) / 2)
{%- endmacro %}

{#
  Rows: weights of rows, and sums, means and ratios over rows. Templates here read the columns of the grain `rows`
  (plan/columns.sql).
#}

{# The weight of a row: 1, or the weight column. #}
{% macro row_weight(plan) -%}{{ '{weight}' if plan['facts']['weight'] is not none else '1' }}{%- endmacro %}

{#
  A template times the row's weight. `x` may be a list of factors, which are multiplied from the weight on: a row of
  weight 0 then adds 0, even if the product of the factors leaves the floats.
#}
{% macro row_weighted(plan, x) -%}
    {%- if x is string -%}
        {{ x if plan['facts']['weight'] is none else '{weight} * (' ~ x ~ ')' }}
    {%- else -%}
        {{ (([] if plan['facts']['weight'] is none else ['{weight}']) + x) | join(' * ') }}
    {%- endif -%}
{%- endmacro %}

{# The product of two templates in brackets, as a list of factors for `row_weighted`. #}
{% macro row_product(one, other) -%}
    {%- do return([sqlmetrics.sql_factor(one), sqlmetrics.sql_factor(other)]) -%}
{%- endmacro %}

{# The square of a template in brackets, as such a list. #}
{% macro square(x) -%}{%- do return(sqlmetrics.row_product(x, x)) -%}{%- endmacro %}

{# 1 for a usable row that meets a condition, else 0. A DuckDB aggregate macro gets usable rows only. #}
{% macro row_count_if(plan, condition=none) -%}
    {%- if not plan['question']['steps'] -%}
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
        'rows have a score outside [0, 1], such as {value}, but ' ~ plan['asked']['metric'] ~ ' takes probabilities',
        '{score}'
    ) -}}
    {score}
{%- endmacro %}

{# The condition under which a row is positive. Without `positive`, labels must be 0, 1 or booleans. #}
{% macro is_positive(plan) -%}
    {%- do sqlmetrics.hint_at_labels(plan) -%}
    {%- do sqlmetrics.hint_at_roles(plan) -%}
    {%- if plan['facts']['positive'] is none -%}
        {{- sqlmetrics.require(
            plan, 'rows', 'rows_not_binary', '{label} not in (0, 1)',
            'rows have a label outside [0, 1], such as {value}, which is no chance of a positive row; divide votes by'
                ~ ' the raters, or leave such rows out by where=' if plan['facts']['soft'] else
            'rows have a label that is neither 0 nor 1, such as {value};'
                ~ ' pass positive= to say from which label on a row is positive'
                ~ (', or soft=True if a label is the chance of a positive row'
                    if 'soft' in sqlmetrics.arguments_of_calls()[plan['question']['call']]
                        and plan['question']['ends'] != 'macro'),
            '{label}'
        ) -}}
    {%- endif -%}
    {{- sqlmetrics.reaches_positive(plan) -}}
{%- endmacro %}

{# Counts positive and other labels, with their extremes: one class, or a limit that no label reaches, is noted. #}
{% macro hint_at_labels(plan) -%}
    {%- set reached = sqlmetrics.reaches_positive(plan) -%}
    {%- set text = plan['facts']['positive'] is string and plan['facts']['truth'] is none -%}
    {%- set label = '{label_text}' if text else '{label}' -%}
    {#- an outcome of no chance does not occur -#}
    {%- set occurs = ' and {weight} > 0' if plan['facts']['soft'] else '' -%}
    {%- do sqlmetrics.hint(plan, 'rows_positive', reached ~ occurs, label, 'max', text) -%}
    {#- as `row_negatives` has it, so that both are one sum -#}
    {%- do sqlmetrics.hint(
        plan, 'rows_negative', '{problem} = 0 and not (' ~ reached ~ ')' ~ occurs, label, 'min', text
    ) -%}
{%- endmacro %}

{# Counts the listed items, and those of them that the truth has: if it has none, the two may be written otherwise. #}
{% macro hint_at_truth(plan) -%}
    {%- if plan['facts']['truth'] is not none -%}
        {%- do sqlmetrics.hint(plan, 'rows_listed', '{listed} = 1 and {problem} in (0, 7)') -%}
        {%- do sqlmetrics.hint(
            plan, 'rows_in_truth', '{listed} = 1 and {problem} in (0, 7) and {unjudged} = 0'
        ) -%}
    {%- endif -%}
{%- endmacro %}

{# Counts rows whose score looks like a grade and whose label does not: the two may be swapped. #}
{% macro hint_at_roles(plan) -%}
    {%- if plan['facts']['score'] is not none and not plan['scoreless'] and plan['facts']['positive'] is not string -%}
        {%- set grades = '(0, 1, 2, 3, 4)' -%}
        {%- do sqlmetrics.hint(
            plan, 'rows_swapped', '{score} in ' ~ grades ~ ' and {label} not in ' ~ grades
        ) -%}
    {%- endif -%}
{%- endmacro %}

{#
  The condition under which an item is relevant. If a metric asks for it without `positive`, labels such as 3 are
  counted: the limit of 1 may not be meant. `finish` does not read the count, since older states lack it.
#}
{% macro is_relevant(plan) -%}
    {%- if plan['asked']['metric'] is not none -%}{%- do sqlmetrics.hint_at_labels(plan) -%}{%- endif -%}
    {%- if plan['asked']['metric'] is not none and plan['facts']['positive'] is none
        and not plan['question']['steps'] and plan['question']['reads'] == 'rows' -%}
        {%- do sqlmetrics.audit(
            plan, 'rows', 'rows_graded', 'case when {label} > 0 and {label} <> 1 then 1 else 0 end'
        ) -%}
    {%- endif -%}
    {{- sqlmetrics.reaches_positive(plan) -}}
{%- endmacro %}

{# The condition that a label is at least 1, or at least `positive`. #}
{% macro reaches_positive(plan) -%}
    {{- sqlmetrics.row_at_least(
        '{label}', plan['facts']['positive'] if plan['facts']['positive'] is number else 1
    ) -}}
{%- endmacro %}

{#
  The condition that a value is at least a limit, or, with `below`, that it is not. A column of single precision holds
  0.7 as 0.699999988, which meets the limit 0.7: a value equal to the limit in single precision counts as the limit.
#}
{% macro row_at_least(value, limit, below=false) -%}
    {%- set single = sqlmetrics.single_precision(limit) -%}
    {%- if limit is number and single >= limit -%}
        {{ value }}{{ ' < ' if below else ' >= ' }}{{ limit }}
    {%- elif below -%}
        ({{ value }} < {{ limit }} and {{ value }} <> {{ single }})
    {%- else -%}
        ({{ value }} >= {{ limit }} or {{ value }} = {{ single }})
    {%- endif -%}
{%- endmacro %}

{#
  A number, or the argument of a shell macro, rounded to the 24 bits of single precision as Dekker splits a float
  (1971, doi:10.1007/BF01397083): x - (x - limit) for x = (2^29 + 1) * limit.
#}
{% macro single_precision(limit) -%}
    {%- if limit is not number -%}
        {%- set limit = sqlmetrics.sql_double(limit) -%}
        {%- set x = '536870913 * ' ~ limit -%}
        {%- do return('(' ~ x ~ ' - (' ~ x ~ ' - ' ~ limit ~ '))') -%}
    {%- endif -%}
    {%- set x = 536870913 * (limit | float) -%}
    {%- do return(limit if limit | abs > 1e38 else x - (x - limit)) -%}
{%- endmacro %}

{# 1 for a positive row, else 0. #}
{% macro positive_of(plan) -%}case when {{ sqlmetrics.is_positive(plan) }} then 1 else 0 end{%- endmacro %}

{# The weighted sum of a template over rows. #}
{% macro row_sum(plan, name, x) -%}
    {{- sqlmetrics.need(plan, 'rows', name, sqlmetrics.row_weighted(plan, x)) -}}
{%- endmacro %}

{# The weight of all usable rows. #}
{% macro row_total(plan) -%}{{ sqlmetrics.row_sum(plan, 'weights', sqlmetrics.row_count_if(plan)) }}{%- endmacro %}

{# The number of usable rows. #}
{% macro row_count(plan) -%}{{ sqlmetrics.need(plan, 'rows', 'count', sqlmetrics.row_count_if(plan)) }}{%- endmacro %}

{#
  The weighted mean of x over the usable rows in which x is not NULL, as SQL's avg. Returns a value.

  Args:
    name: the name of the sum
    x: a template over a row, or a list of factors (see weighted) with complete
    complete: true if x is never NULL in a usable row; such rows then need no count of their own
#}
{% macro row_mean(plan, name, x, complete=false) -%}
    {%- if not complete -%}
        {%- set defined = sqlmetrics.row_count_if(plan, '(' ~ x ~ ') is not null') -%}
        {%- do return(sqlmetrics.row_ratio(
            plan, sqlmetrics.row_sum(plan, name, x), sqlmetrics.row_sum(plan, name ~ '_defined', defined),
            equal=plan['facts']['weight'] is none
        )) -%}
    {%- endif -%}
    {%- set above, below = sqlmetrics.row_sum(plan, name, x), sqlmetrics.row_total(plan) -%}
    {%- do return(sqlmetrics.spreading_value(
        sqlmetrics.ratio(above, below), sqlmetrics.spread_of_ratio(
            plan, 'rows', sqlmetrics.row_weighted(plan, x), sqlmetrics.usable_weight(plan), above, below,
            equal=plan['facts']['weight'] is none
        )
    )) -%}
{%- endmacro %}

{# The weight of a row, 0 for an unusable one. #}
{% macro usable_weight(plan) -%}{{ sqlmetrics.row_weighted(plan, sqlmetrics.row_count_if(plan)) }}{%- endmacro %}

{#
  A ratio of sums over rows, with zero_division in place of 0/0. Returns a value.

  Args:
    numerator, denominator: templates that are linear in sums over rows
    is_share: true if the numerator's rows are a subset of the denominator's
    counts: the denominator of a row, if it can be written in another way
    equal: as for `spread_of_ratio`
#}
{% macro row_ratio(
    plan, numerator, denominator, zero_division=none, is_share=false, counts=none, equal=false
) -%}
    {%- set sql = sqlmetrics.value_otherwise(plan, sqlmetrics.ratio(numerator, denominator), zero_division) -%}
    {%- if plan['facts']['interval'] is none and not plan['question']['spreads'] -%}
        {%- do return(sqlmetrics.plain_value(sql)) -%}
    {%- endif -%}
    {%- do return(sqlmetrics.spreading_value(sql, sqlmetrics.spread_of_ratio(
        plan, 'rows', sqlmetrics.of_row(plan, numerator), counts or sqlmetrics.of_row(plan, denominator), numerator,
        denominator, is_share, equal
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
{% macro row_positives(plan) -%}
    {{- sqlmetrics.row_sum(plan, 'positives', sqlmetrics.positive_of(plan)) -}}
{%- endmacro %}

{# The weight of the negative rows. #}
{% macro row_negatives(plan) -%}
    {{- sqlmetrics.row_sum(
        plan, 'negatives', sqlmetrics.row_count_if(plan, 'not (' ~ sqlmetrics.is_positive(plan) ~ ')')
    ) -}}
{%- endmacro %}

{# A template, NULL in a row of weight 0. #}
{% macro row_if_weighed(plan, x) -%}
    {{ x if plan['facts']['weight'] is none else 'case when {weight} > 0 then ' ~ x ~ ' end' }}
{%- endmacro %}

{# The least label (or score). #}
{% macro row_least(plan, role) -%}
    {{ sqlmetrics.need(plan, 'rows', 'least_' ~ role, sqlmetrics.row_if_weighed(plan, '{' ~ role ~ '}'), 'min') }}
{%- endmacro %}

{# The greatest label (or score). #}
{% macro row_greatest(plan, role) -%}
    {{ sqlmetrics.need(plan, 'rows', 'greatest_' ~ role, sqlmetrics.row_if_weighed(plan, '{' ~ role ~ '}'), 'max') }}
{%- endmacro %}

{#
  The condition that a role has two distinct values. It compares the values, since the rounded mean of equal values may
  differ from them.
#}
{% macro row_varies(plan, role) -%}
    {{ sqlmetrics.row_least(plan, role) }} < {{ sqlmetrics.row_greatest(plan, role) }}
{%- endmacro %}

{# The mean of the label (or score), a template. #}
{% macro row_mean_of(plan, role) -%}
    {{- sqlmetrics.row_mean(plan, role ~ 's', '{' ~ role ~ '}', complete=true)['sql'] -}}
{%- endmacro %}

{#
  A row's label (or score) minus the mean, for sums about the mean. The difference of two large sums would lose digits.
#}
{% macro row_centred(plan, role) -%}({{ '{' ~ role ~ '}' }} - {{ sqlmetrics.row_mean_of(plan, role) }}){%- endmacro %}

{# The sum over rows of the product of two roles, each minus its mean. #}
{% macro centred_product(plan, one, other) -%}
    {%- set factors = sqlmetrics.row_product(sqlmetrics.row_centred(plan, one), sqlmetrics.row_centred(plan, other)) -%}
    {{- sqlmetrics.sum_about_means(plan, one ~ '_' ~ other ~ '_deviation', factors, [one ~ 's', other ~ 's']) -}}
{%- endmacro %}

{# A sum over rows of a product of two deviations from a mean. `sums` names the sums over rows behind those means. #}
{% macro sum_about_means(plan, name, factors, sums) -%}
    {{- sqlmetrics.need(
        plan, 'second_pass', name, sqlmetrics.row_weighted(plan, factors),
        more={'means': sqlmetrics.prefixed(sums, 'sm_')}
    ) -}}
{%- endmacro %}

{#
  A quantile of the label or of the absolute error, a template: a value with at least the given share of the weight at
  or below it, and at least the rest at or above it. If a gap between two rows divides the weight exactly, it is the
  mean of the two values.

  Args:
    grain: label_quantiles, error_quantiles or an `order_of_column`, the order that is needed (stages/rows/orders.sql)
    quantile: in (0, 1)
#}
{% macro row_quantile(plan, grain, quantile) -%}
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

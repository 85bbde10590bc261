{#
  Values: what a metric returns. A value is its template and how it spreads, so that an interval or a comparison of models follows from it.

  value: {
    sql: the template, over sums
    spread: none, or a mapping (below)
    resampled: whether a bootstrap may make its interval, which it does where there is no spread
    error_bound: of a metric over bins, the template of the most by which it may be off
  }

  spread: {
    kind: mean (Student's t), share (Wilson), correlation (Fisher's scale) or auc: which formula gives the ends of its interval
    unit: what is drawn independently: rows, lists, groups (the rows of a list, whose sums tell all) or clusters (the same, read again)
    deviation: a template over a unit, its influence: how far the unit moves the value, times the scale. It sums up to 0
    counts: a template over a unit, 0 in one that does not count
    scale: a template over sums, what deviations are divided by; none is the sum of counts
    numerator, denominator: of a ratio of sums over units, templates over a unit
  }
#}

{# A value without a formula for its interval: a bootstrap makes it. #}
{% macro plain_value(sql, error_bound=none) -%}
    {%- do return({'sql': sql | string | trim, 'spread': none, 'resampled': true, 'error_bound': error_bound}) -%}
{%- endmacro %}

{# A value that has no interval: it reads groups of a second table, which are not drawn, or is a count or a maximum, of which no draw of the rows tells. #}
{% macro value_without_interval(sql) -%}
    {%- do return(dict(sqlmetrics.plain_value(sql), resampled=false)) -%}
{%- endmacro %}

{# A value and its spread. #}
{% macro spreading_value(sql, spread) -%}
    {%- do return(dict(sqlmetrics.plain_value(sql), spread=spread)) -%}
{%- endmacro %}

{#
  The spread of a value of which the influence of each unit is known; none where no interval is asked for.

  Args:
    unit: lists or rows; where rows belong to lists, these are the units of rows, too
    deviation, counts, scale: as above
#}
{% macro spread_by_influence(plan, unit, deviation, counts, scale=none) -%}
    {%- if plan['interval'] is none -%}{%- do return(none) -%}{%- endif -%}
    {%- do return({
        'kind': 'mean', 'unit': 'clusters' if unit == 'rows' and plan['group'] is not none else unit,
        'deviation': deviation, 'counts': counts, 'scale': scale,
    }) -%}
{%- endmacro %}

{#
  The spread of a ratio of sums over units that are drawn independently; none where no interval is asked for.

  Args:
    unit: as for `spread_by_influence`
    numerator, denominator: templates over a unit, NULL in one that does not count
    ratio: the template of the ratio itself
    is_share: whether it is a share of units: each counts its weight in the denominator or 0, and as much or 0 in the numerator
#}
{% macro spread_of_ratio(plan, unit, numerator, denominator, ratio, is_share=false) -%}
    {%- set spread = sqlmetrics.spread_by_influence(
        plan, unit, '(' ~ numerator ~ ' - ' ~ ratio ~ ' * ' ~ denominator ~ ')', denominator
    ) -%}
    {%- if spread is none -%}{%- do return(none) -%}{%- endif -%}
    {%- do spread.update(dict(
        {'share': ratio, 'kind': 'share'} if is_share else {}, numerator=numerator, denominator=denominator
    )) -%}
    {#- of a ratio the sums over a list tell all -#}
    {%- if spread['unit'] == 'clusters' -%}
        {%- do spread.update({'unit': 'groups', 'of_group': {'n': numerator, 'd': denominator, 'ratio': ratio}}) -%}
    {%- endif -%}
    {%- do return(spread) -%}
{%- endmacro %}

{#
  The spread of a correlation of rows that are drawn independently; none for rows of lists, which are not.

  Args:
    square: its squared standard error on Fisher's scale, times n - 3
#}
{% macro spread_of_correlation(plan, square='1') -%}
    {%- if plan['interval'] is none or plan['group'] is not none -%}{%- do return(none) -%}{%- endif -%}
    {%- do return({
        'kind': 'correlation', 'unit': 'rows', 'counts': sqlmetrics.usable_weight(plan), 'scale': none,
        'square': square,
    }) -%}
{%- endmacro %}

{#
  A smooth function of another value, which spreads as that does (the delta method).

  Args:
    sql: the template of the function
    slope: a template, by how much it grows with the other value
#}
{% macro function_of(plan, value, sql, slope) -%}
    {%- set spread = value['spread'] -%}
    {%- if spread is none -%}{%- do return(sqlmetrics.plain_value(sql)) -%}{%- endif -%}
    {%- do return(sqlmetrics.spreading_value(
        sql, dict(spread, kind='mean', numerator=none, scale=sqlmetrics.ratio(sqlmetrics.scale_of(plan, spread), slope))
    )) -%}
{%- endmacro %}

{# The root of a value. #}
{% macro root(plan, value) -%}
    {%- set root = 'sqrt(' ~ value['sql'] ~ ')' -%}
    {%- do return(sqlmetrics.function_of(plan, value, root, '1 / nullif(2 * ' ~ root ~ ', 0)')) -%}
{%- endmacro %}

{# One less a value. #}
{% macro complement(plan, value) -%}
    {%- do return(sqlmetrics.function_of(plan, value, '(1 - ' ~ value['sql'] ~ ')', '-1')) -%}
{%- endmacro %}

{# The quotient of two templates as a float; null where the denominator is 0. #}
{% macro ratio(numerator, denominator) -%}
({{ sqlmetrics.sql_double(numerator) }} / nullif({{ sqlmetrics.sql_double(denominator) }}, 0))
{%- endmacro %}

{# The product of two templates; a factor of 1 is left out. #}
{% macro times(value, counts) -%}
    {{ value if counts == '1' else (counts if value == '1' else counts ~ ' * ' ~ value) }}
{%- endmacro %}

{# A template, and a number where it is 0/0 though there are rows. #}
{% macro otherwise(plan, sql, zero_division) -%}
    {%- if zero_division is none -%}
        {{- sql -}}
    {%- else -%}
        {{- sqlmetrics.number(plan, 'zero_division', zero_division, 0, 1) -}}
        case when {{ sqlmetrics.row_total(plan) }} > 0 then coalesce({{ sql }}, {{ zero_division }}) end
    {%- endif -%}
{%- endmacro %}

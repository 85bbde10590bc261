{#
  Values: the objects that metrics return. A value is a template and its spread, from which intervals and comparisons of
  models are computed.

  value: {
    sql: the template, over sums
    spread: none, or a mapping (below)
    resampled: true if a bootstrap may make its interval; it does if there is no spread
    error_bound: for a metric over bins, the template of its largest possible error
    folds: true for a value that bounces off a bound, such as a greatest difference, which is never below 0: near the
      bound its replicates all lie on one side
    quantile: of a quantile its share; few units say nothing of an end of its interval
    least, most: the limits of the value, at which an interval by the bootstrap is cut; not there if it has none
  }

  spread: {
    kind: the formula of the interval: mean (inference/ends.sql), share (Wilson), correlation (Fisher's scale) or auc
    unit: the units that are drawn independently: rows, lists, groups (the rows of a list, by their sums alone) or
      clusters (the rows of a list, read again)
    deviation: a template over a unit, its influence: how far the unit moves the value, times the scale. It sums to 0
    counts: a template over a unit, 0 in a unit that does not count
    leverage: a template over a unit, its share of the denominator, if units differ in it; a ratio of sums has it by
      itself
    scale: a template over sums, the divisor of deviations; none is the sum of counts
    numerator, denominator: for a ratio of sums over units, templates over a unit
    of_unit: for a ratio of sums, or a function of one: its n and d, those templates, and the ratio, a template over
      sums
    equal: for the same, true if every unit that counts adds 1 to the denominator
    above, below: the sums of numerator and denominator, templates over sums
    carried_by: a template over a unit, its weight among the units that carry the value, such as the positive rows of
      average precision, which are the units of its interval; not there if all that count do
    classes: the two classes of rows, for a value that is known as well as the rarer of them: templates over sums,
      right, wrong and rows
    root_of: for a root, the spread of the value under it
    grows: true for a total, which grows with the number of rows
    loss: what two models differ by, if they have the rest of the value in common: its sum, a template over sums, and
      of_row, a template over a row
  }
#}

{# A value without a formula for its interval; a bootstrap makes it. #}
{% macro plain_value(sql, error_bound=none) -%}
    {%- do return({'sql': sql | string | trim, 'spread': none, 'resampled': true, 'error_bound': error_bound}) -%}
{%- endmacro %}

{# The same for a value with limits; none is no limit. #}
{% macro bounded_value(sql, error_bound=none, least=0, most=1) -%}
    {%- do return(dict(sqlmetrics.plain_value(sql, error_bound), least=least, most=most)) -%}
{%- endmacro %}

{# A value that is at most 1 if a condition holds. #}
{% macro within_1_if(condition, value) -%}{%- do return(dict(value, most=1) if condition else value) -%}{%- endmacro %}

{# A value that the rounding of its sums may move beyond its range; the result has the limit in its place. #}
{% macro held_in_range(value) -%}{%- do return(dict(value, held=true)) -%}{%- endmacro %}

{# The same for a gap between subsets, which folds at its limit. #}
{% macro gap_value(sql) -%}{%- do return(dict(sqlmetrics.bounded_value(sql), folds=true)) -%}{%- endmacro %}

{#
  A value without an interval. It reads groups of a second table, which are not drawn, or is a count or a maximum, about
  which a draw of the rows says nothing.
#}
{% macro value_without_interval(sql) -%}
    {%- do return(dict(sqlmetrics.plain_value(sql), resampled=false)) -%}
{%- endmacro %}

{# A value and its spread. #}
{% macro spreading_value(sql, spread) -%}
    {%- do return(dict(sqlmetrics.plain_value(sql), spread=spread)) -%}
{%- endmacro %}

{#
  The spread of a value from the influence of each unit; none if neither an interval nor a change is asked for.

  Args:
    unit: lists or rows; if rows belong to lists, lists are the units of rows too
    deviation, counts, scale: as above
#}
{% macro spread_by_influence(plan, unit, deviation, counts, scale=none) -%}
    {%- if plan['facts']['interval'] is none and not plan['question']['spreads'] -%}
        {%- do return(none) -%}
    {%- endif -%}
    {%- do return({
        'kind': 'mean', 'unit': 'clusters' if unit == 'rows' and plan['facts']['group'] is not none else unit,
        'deviation': deviation, 'counts': counts, 'scale': scale,
    }) -%}
{%- endmacro %}

{#
  The spread of a ratio of sums over units that are drawn independently; none as above.

  Args:
    unit: as for `spread_by_influence`
    numerator, denominator: templates over a unit, NULL in a unit that does not count
    above, below: the templates of their sums
    is_share: true for a share of units: each adds its weight or 0 to the denominator, and the same weight or 0 to the
      numerator
    equal: true if each unit adds 1 to the denominator, or nothing to both
#}
{% macro spread_of_ratio(plan, unit, numerator, denominator, above, below, is_share=false, equal=false) -%}
    {%- set ratio = sqlmetrics.ratio(above, below) -%}
    {%- set spread = sqlmetrics.spread_by_influence(
        plan, unit, '(' ~ numerator ~ ' - ' ~ ratio ~ ' * ' ~ denominator ~ ')', denominator
    ) -%}
    {%- if spread is none -%}{%- do return(none) -%}{%- endif -%}
    {%- do spread.update(dict(
        {'share': ratio, 'kind': 'share'} if is_share else {}, numerator=numerator, denominator=denominator,
        above=above, below=below, of_unit={'n': numerator, 'd': denominator, 'ratio': ratio},
        equal=equal or (is_share and plan['facts']['weight'] is none)
    )) -%}
    {#- for a ratio, the sums over a list are enough -#}
    {%- if spread['unit'] == 'clusters' -%}{%- do spread.update({'unit': 'groups'}) -%}{%- endif -%}
    {%- do return(spread) -%}
{%- endmacro %}

{#
  A value (1 + c) p / (1 + c p) of a share p of rows, as F1 is of Jaccard with c = 1: its interval is that of p.

  Args:
    value: the value
    c: a number >= 0
    numerator, denominator, above, below: those of p, as for `spread_of_ratio`
#}
{% macro bent_share(plan, value, c, numerator, denominator, above, below) -%}
    {%- if value['spread'] -%}
        {%- do value['spread'].update({'bent': dict(sqlmetrics.spread_of_ratio(
            plan, 'rows', numerator, denominator, above, below, is_share=c == 1
        ), bend=c)}) -%}
    {%- endif -%}
    {%- do return(value) -%}
{%- endmacro %}

{#
  The spread of a correlation of rows that are drawn independently; none for rows of lists, which are not. One that is
  known by the influence of rows has that spread as its by_influence.

  Args:
    square: its squared standard error on Fisher's scale, times n - 3
#}
{% macro spread_of_correlation(plan, square=none) -%}
    {%- if plan['facts']['interval'] is none or plan['facts']['group'] is not none -%}
        {%- do return(none) -%}
    {%- endif -%}
    {%- do return({
        'kind': 'correlation', 'unit': 'rows', 'counts': sqlmetrics.usable_weight(plan), 'scale': none,
        'square': square,
    }) -%}
{%- endmacro %}

{#
  A smooth function of another value. Its spread follows by the delta method.

  Args:
    sql: the template of the function
    slope: a template, the derivative with respect to the other value
#}
{% macro function_of(plan, value, sql, slope) -%}
    {%- set spread = value['spread'] -%}
    {%- if spread is none -%}{%- do return(sqlmetrics.plain_value(sql)) -%}{%- endif -%}
    {#- a change is explained by the two sums of a ratio, and a state has no count for a scale -#}
    {%- set scale = none if plan['question']['spreads']
        else sqlmetrics.ratio(sqlmetrics.scale_of(plan, spread), slope) -%}
    {%- do return(sqlmetrics.spreading_value(sql, dict(spread, kind='mean', numerator=none, scale=scale))) -%}
{%- endmacro %}

{# A value times a constant. That of a ratio of sums over units is a ratio, too, so that each unit has a value. #}
{% macro multiple(plan, value, factor) -%}
    {%- set product = sqlmetrics.function_of(plan, value, '(' ~ value['sql'] ~ ' * ' ~ factor ~ ')', factor) -%}
    {%- set spread = value['spread'] or {} -%}
    {%- if spread.get('numerator') is not none -%}
        {%- do product['spread'].update({
            'numerator': '(' ~ spread['numerator'] ~ ' * ' ~ factor ~ ')',
            'above': '(' ~ spread['above'] ~ ' * ' ~ factor ~ ')',
        }) -%}
    {%- endif -%}
    {%- do return(product) -%}
{%- endmacro %}

{# The square root of a value. #}
{% macro root(plan, value) -%}
    {%- set root = 'sqrt(' ~ value['sql'] ~ ')' -%}
    {%- set rooted = sqlmetrics.function_of(plan, value, root, '1 / nullif(2 * ' ~ root ~ ', 0)') -%}
    {%- if rooted['spread'] is not none -%}{%- do rooted['spread'].update({'root_of': value['spread']}) -%}{%- endif -%}
    {%- do return(rooted) -%}
{%- endmacro %}

{# One minus a value. #}
{% macro complement(plan, value) -%}
    {%- do return(sqlmetrics.function_of(plan, value, '(1 - ' ~ value['sql'] ~ ')', '-1')) -%}
{%- endmacro %}

{# The quotient of two templates as a float; NULL if the denominator is 0. #}
{% macro ratio(numerator, denominator) -%}{{ sqlmetrics.sql_ratio(numerator, denominator) }}{%- endmacro %}

{#
  A product over the roots of two squares, such as a correlation. It is exactly 1 or -1 where both squares are the
  product; with sqrt(x) * sqrt(x), which need not be x, it may be 1.0000000000000002.
#}
{% macro product_by_roots(product, one, other) -%}
    ({{ sqlmetrics.ratio(product, one) }} * sqrt({{ sqlmetrics.ratio(one, other) }}))
{%- endmacro %}

{# A float, NULL if it is NaN or infinite. #}
{% macro value_finite(x) -%}case when abs({{ x }}) <= 1.7976931348623157e308 then {{ x }} end{%- endmacro %}

{# The product of two templates; a factor of 1 is left out. #}
{% macro value_times(value, counts) -%}
    {{ value if counts == '1' else (counts if value == '1' else counts ~ ' * ' ~ value) }}
{%- endmacro %}

{# A template, with zero_division in place of 0/0 if there are rows. #}
{% macro value_otherwise(plan, sql, zero_division) -%}
    {%- if zero_division is none -%}
        {{- sql -}}
    {%- else -%}
        {{- sqlmetrics.number(plan, 'zero_division', zero_division, 0, 1) -}}
        case when {{ sqlmetrics.row_total(plan) }} > 0 then coalesce({{ sql }}, {{ zero_division }}) end
    {%- endif -%}
{%- endmacro %}

{# A value whose better direction the caller says by `better=`: higher, lower, or none for neither. #}
{% macro value_with_direction(plan, value, better) -%}
    {{- sqlmetrics.one_of(plan, 'better', better, ['higher', 'lower', none]) -}}
    {%- do return(dict(value, better=better)) -%}
{%- endmacro %}

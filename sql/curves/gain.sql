{#
  Cumulative gain and lift: the share of all positive rows that lie in the top shares of rows by score. If a
  share cuts a score level, the positive rows inside the level are spread evenly.

  Args:
    quantiles: number of equal shares into which the rows are cut, an integer >= 1
  Returns: quantile (1 has the highest scores), share (of the rows, down to this quantile), threshold (the
    least score in the share), capture (the share of all positive rows in it), lift (capture / share);
    weighted by the row weight
  Undefined: capture and lift are null if no row is positive
  Traps: the greatest lift is 1 / the base rate, so curves of data with different base rates are not comparable;
    it adds up from the top, so a weak share is hidden behind the good ones above it
  Errors: a label other than 0 and 1, unless positive= is given; quantiles < 1
  Source: Ling and Li (1998), Data mining for direct marketing
  Example: gain(quantiles=20)
#}
{% macro curve_of_gain(plan, quantiles=10) -%}
    {{- sqlmetrics.number(plan, 'quantiles', quantiles, 1, 100000, true) -}}
    {%- do sqlmetrics.read_levels(plan, ['positives_through', 'above', 'through', 'score', 'level_positives']) -%}
    {%- set total = 'sm_row_sums.' ~ sqlmetrics.filled(plan, sqlmetrics.row_total(plan)) -%}
    {%- set keys = sqlmetrics.slice_keys(plan, 'sm_levels.') -%}
    {#- the quantiles that end inside a level; 1e-9 absorbs the rounding of summed weights -#}
    {%- set ends = [] -%}
    {%- for column in ('sm_above', 'sm_through') -%}
        {%- set passed = sqlmetrics.ratio(quantiles ~ ' * sm_levels.' ~ column, total) -%}
        {%- do ends.append(sqlmetrics.sql_integer('floor(' ~ passed ~ ' + 1e-9)')) -%}
    {%- endfor -%}
    {%- set columns = [
        'sm_levels.sm_score', 'sm_levels.sm_above', 'sm_levels.sm_through', 'sm_levels.sm_level_positives',
        'sm_levels.sm_positives_through', ends[0] ~ ' as sm_quantiles_above', ends[1] ~ ' as sm_quantiles_through',
    ] -%}
    {%- do plan.update({'point_order': ['sm_points.sm_position asc'], 'points': '-- the quantiles that end in each level
sm_cut_levels as (
    select' ~ sqlmetrics.lines(keys + columns, 8) ~ '
    from sm_levels
    inner join sm_row_sums on ' ~ sqlmetrics.same_slice(plan, 'sm_levels', 'sm_row_sums') ~ '
),

-- a row for each quantile
sm_points as (
    select sm_cut_levels.*, ' ~ sqlmetrics.sql_nullable('sm_quantiles.sm_position') ~ ' as sm_position
    from sm_cut_levels
    inner join ' ~ sqlmetrics.sql_positions(quantiles) ~ ' as sm_quantiles on '
        ~ 'sm_quantiles.sm_position > sm_quantiles_above and sm_quantiles.sm_position <= sm_quantiles_through
    where sm_quantiles_above < sm_quantiles_through
)'}) -%}
    {%- set limit = sqlmetrics.ratio('sm_position * ' ~ total, quantiles) -%}
    {%- set part = sqlmetrics.level_part_within(limit, 'sm_above', 'sm_through') -%}
    {%- set found = '(sm_positives_through - sm_level_positives) + sm_level_positives * ' ~ part -%}
    {%- set capture = sqlmetrics.ratio(found, sqlmetrics.row_positives(plan)) -%}
    {%- do return([
        {'name': 'quantile', 'value': 'sm_position', 'integer': true},
        {'name': 'share', 'value': sqlmetrics.ratio('sm_position', quantiles)},
        {'name': 'threshold', 'value': 'sm_score'},
        {'name': 'capture', 'value': capture},
        {'name': 'lift', 'value': sqlmetrics.ratio(quantiles ~ ' * ' ~ capture, 'sm_position')},
    ]) -%}
{%- endmacro %}

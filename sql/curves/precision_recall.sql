{#
  Precision-recall curve: precision and recall at every threshold, from the highest score down, used as `score
  >= threshold`. It begins at the highest score, because precision above it is 0/0.

  Args:
    points: all, or a number such as 200: at most so many, from which a picture looks the same. The first and
      the last point stay, and the least and the greatest precision. The line through those that are left has
      the heights of the curve, at most 4 / (points - 3) of recall beside it; where the curve is smooth it is
      far closer
  Returns: threshold, precision, recall; weighted by the row weight. curve(interval=) adds precision_low,
    precision_high, recall_low and recall_high, the bands of both at this threshold
  Undefined: recall and its band are null if no row is positive
  Traps: its height depends on the share of positive rows, so curves of data with different shares are not
    comparable; the first points rest on few rows; a straight line between two points is too optimistic
  Errors: a label other than 0 and 1, unless positive= is given
  Source: Davis and Goadrich (2006), doi:10.1145/1143844.1143874; bands: Wilson (1927),
    doi:10.1080/01621459.1927.10502953, and in bands.sql
  Example: precision_recall(points=200)
#}
{% macro curve_of_precision_recall(plan, points='all') -%}
    {{- sqlmetrics.check_points(plan, points, ['all']) -}}
    {%- set precision = sqlmetrics.ratio('sm_positives_through', 'sm_through') -%}
    {%- set recall = sqlmetrics.ratio('sm_positives_through', sqlmetrics.row_positives(plan)) -%}
    {%- set columns = ['sm_score', 'sm_through', 'sm_positives_through']
        + (sqlmetrics.squares_of_points(plan) if plan['band'] is not none else []) -%}
    {%- set found = sqlmetrics.points_of_levels(plan, columns) if points == 'all'
        else sqlmetrics.thinned(plan, columns, recall, points // 4, extremes=precision) -%}
    {%- do plan.update({'point_order': sqlmetrics.order_of_points(plan)}) -%}
    {%- if plan['band'] is not none -%}
        {%- do plan.update({
            'points': sqlmetrics.stages_of_precision_band(plan, {'precision': precision, 'recall': recall}, found),
        }) -%}
        {%- do return([
            {'name': 'threshold', 'value': 'sm_score'},
            {'name': 'precision', 'value': 'sm_precision'},
            {'name': 'recall', 'value': 'sm_recall'},
        ] + sqlmetrics.columns_of_band(['precision', 'recall'])) -%}
    {%- endif -%}
    {%- do plan.update({'points': '-- a row for each threshold
sm_points as (
    ' ~ found ~ '
)'}) -%}
    {%- do return([
        {'name': 'threshold', 'value': 'sm_score'},
        {'name': 'precision', 'value': precision},
        {'name': 'recall', 'value': recall},
    ]) -%}
{%- endmacro %}

{# The column of points that sums the squared weights of the rows down to a level. #}
{% macro squares_of_points(plan) -%}
    {%- if plan['facts']['weight'] is none -%}{%- do return([]) -%}{%- endif -%}
    {%- do sqlmetrics.read_levels(plan, ['through', 'level_squares']) -%}
    {%- do return([
        'sum(sm_level_squares) over (' ~ sqlmetrics.partition_by(sqlmetrics.slice_keys(plan, 'sm_levels.'))
            ~ 'order by sm_score desc rows unbounded preceding) as sm_squares_through',
    ]) -%}
{%- endmacro %}

{#
  The stages that end in sm_points, with precision and recall at each threshold and the ends of both.

  Pointwise, both have Wilson's ends: precision is a share of the rows down to the threshold, recall one of the positive
  rows. Simultaneously, each holds at all thresholds at once with the probability (1 + level) / 2, so that both do with
  the level. Recall is a distribution function. Precision has Wilson's ends with a correction for continuity, at the
  level that Bonferroni gives each of the thresholds.

  Args:
    shares: templates of precision and recall, of the columns of points
    points: a query of the points of the result
#}
{% macro stages_of_precision_band(plan, shares, points) -%}
{%- set keys, level = plan['facts']['keys'], plan['facts']['interval'] -%}
{%- set carried = ['sm_score'] + (['sm_through'] if plan['facts']['weight'] is none else []) -%}
{%- set rows = {
    'precision': 'sm_through' if plan['facts']['weight'] is none
        else sqlmetrics.ratio('sm_through * sm_through', 'sm_squares_through'),
    'recall': sqlmetrics.rows_of_class(
        plan, sqlmetrics.row_positives(plan), 'squares_of_positives', sqlmetrics.is_positive(plan)
    ),
} -%}
{%- set at_once = plan['band'] == 'simultaneous' -%}
{%- set rated, banded = [], [] -%}
{%- for name in ('precision', 'recall') -%}
    {%- set share, of = 'sm_' ~ name, 'sm_rows_of_' ~ name -%}
    {%- do rated.extend([
        sqlmetrics.filled(plan, shares[name]) ~ ' as ' ~ share, sqlmetrics.filled(plan, rows[name]) ~ ' as ' ~ of,
    ]) -%}
    {%- set ends = sqlmetrics.wilson_ends(share, of, sqlmetrics.normal_critical_value((1 + level) / 2)) if not at_once
        else sqlmetrics.corrected_ends(share, of, 'sm_critical') if name == 'precision'
        else sqlmetrics.ends_everywhere(share, of, (1 + level) / 2) -%}
    {%- do banded.extend([share, ends['low'] ~ ' as ' ~ share ~ '_low', ends['high'] ~ ' as ' ~ share ~ '_high']) -%}
{%- endfor -%}
{%- if at_once -%}
-- how many standard errors the ends of precision are away, so that they hold at all thresholds
sm_criticals as (
    select
        {{- sqlmetrics.lines(keys + ['-' ~ sqlmetrics.normal_quantile('sm_tail') ~ ' as sm_critical'], 8) }}
    from (
        select
            {{- sqlmetrics.lines(keys + [
                sqlmetrics.ratio((1 - level) / 4, 'count(*)') ~ ' as sm_tail',
            ], 12) }}
        from sm_levels
        {{- sqlmetrics.grouped_by(keys) | replace('\n', '\n    ') }}
    ) as sm_tails
),

{% endif -%}
-- a row for each threshold
sm_points as (
    select
        {{- sqlmetrics.lines(keys + carried + banded, 8) }}
    from (
        select
            {{- sqlmetrics.lines(sqlmetrics.slice_keys(plan, 'sm_kept.') + carried + rated
                + (['sm_critical'] if at_once else []), 12) }}
        from (
            {{ points | replace('\n', '\n        ') }}
        ) as sm_kept
        inner join sm_row_sums on {{ sqlmetrics.same_slice(plan, 'sm_kept', 'sm_row_sums') }}
        {%- if at_once %}
        inner join sm_criticals on {{ sqlmetrics.same_slice(plan, 'sm_kept', 'sm_criticals') }}
        {%- endif %}
    ) as sm_rated
)
{%- endmacro %}

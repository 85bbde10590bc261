{#
  Score levels grouped into bins: one grain for each number and kind of bins. It has the columns of levels.sql
  and, if they are read,

  sm_bin: the bin, from 0 at the lowest scores
  sm_level_scores: the sum of the scores, each times its weight
  sm_level_squares: the sum of the squared weights
  sm_least, sm_greatest: the least and the greatest score

  Bins of equal width divide [0, 1]; a score on an edge belongs to the bin above it, and 1 to the last bin.
  Bins of equal count divide the rows from the lowest score up; equal scores stay together, in the bin of the
  first of them. A position within a billionth of a bin of an edge is on the edge, because neither 0.29 * 100
  nor a sum of weights is exact.
#}

{#
  The grain of bins.

  Args:
    bins: how many, an integer >= 1
    equal: width or count
    reads: the columns that a curve reads besides level_rows and level_positives
#}
{% macro bins_grain(plan, bins, equal='width', reads=[]) -%}
    {{- sqlmetrics.number(plan, 'bins', bins, 1, 1000000, true) -}}
    {{- sqlmetrics.one_of(plan, 'equal', equal, ['width', 'count']) -}}
    {%- for role in ('label', 'score') -%}{{- sqlmetrics.need_role(plan, role) -}}{%- endfor -%}
    {%- set grain = 'bins_' ~ equal ~ '_' ~ bins -%}
    {%- if grain not in plan['bins'] -%}
        {%- do plan['needs'].update({grain: {}}) -%}
        {%- do plan['bins'].update({grain: {'count': bins, 'equal': equal}}) -%}
    {%- endif -%}
    {%- do plan['asked']['touched'].setdefault(grain, {}) -%}
    {%- do sqlmetrics.note_reads(plan, grain, reads) -%}
    {%- if equal == 'count' -%}{%- do sqlmetrics.row_total(plan) -%}{%- endif -%}
    {%- do return(grain) -%}
{%- endmacro %}

{# sm_<grain>: the bins of each slice and of the total, from the highest down. #}
{% macro stage_bins(plan, grain) -%}
{%- set bins = plan['bins'][grain] -%}
{%- set columns = sqlmetrics.weighed_columns_read(plan, grain) -%}
{%- for name in ('through', 'place', 'above', 'positives_through') -%}
    {%- do columns.update({name: sqlmetrics.reads(plan, grain, name)}) -%}
{%- endfor -%}
{#- a curve reads these three -#}
{%- for name, column in {
    'order': 'bin', 'level_rows': 'level_rows', 'level_positives': 'level_positives',
}.items() -%}
    {%- do columns.update({name: plan['points'] is not none or sqlmetrics.reads(plan, grain, column)}) -%}
{%- endfor -%}
{{ sqlmetrics.stage_bin_counts(plan, grain, columns) }},

-- the bins of each slice and of the total, from the highest scores down
sm_{{ grain }} as{{ sqlmetrics.sql_cte_inline() }} (
    {{ sqlmetrics.cumulated(
        plan,
        'sm_' ~ grain ~ '_counts',
        'sm_bin',
        sqlmetrics.further_of_bins(plan, grain),
        columns,
        plan['facts']['total'] and bins['equal'] == 'width',
    ) }}
)
{%- endmacro %}

{# sm_<grain>_counts: the rows of each bin, by slice. #}
{% macro stage_bin_counts(plan, grain, columns=none) -%}
{%- set bins = plan['bins'][grain] -%}
{%- set further = sqlmetrics.further_of_bins(plan, grain) -%}
-- rows of each bin of scores
sm_{{ grain }}_counts as{{ sqlmetrics.sql_cte_shared() }} (
    {{ sqlmetrics.bins_of_rows(plan, bins['count'], further, columns)
        if bins['equal'] == 'width' else sqlmetrics.bins_of_levels(plan, bins['count'], further) }}
)
{%- endmacro %}

{# The columns of bins that are read besides their rows. #}
{% macro further_of_bins(plan, grain) -%}
    {%- set further = [] -%}
    {%- for column in [
        {
            'name': 'sm_level_scores',
            'reads': ['level_scores'],
            'aggregate': 'sum',
            'of_rows': 'sum(' ~ sqlmetrics.filled(plan, sqlmetrics.row_weighted(plan, '{score}')) ~ ')',
            'of_levels': 'sum(sm_levels.sm_level_rows * sm_levels.sm_score)',
        },
        {
            'name': 'sm_level_squares',
            'reads': ['level_squares'],
            'aggregate': 'sum',
            'of_rows': 'sum(sm_weight * sm_weight)',
            'of_levels': 'sum(sm_levels.sm_level_squares)',
        },
        {
            'name': 'sm_least', 'reads': ['least', 'greatest'], 'aggregate': 'min', 'of_rows': 'min(sm_score)',
            'of_levels': 'min(sm_levels.sm_score)',
        },
        {
            'name': 'sm_greatest', 'reads': ['least', 'greatest'], 'aggregate': 'max', 'of_rows': 'max(sm_score)',
            'of_levels': 'max(sm_levels.sm_score)',
        },
    ]
        if sqlmetrics.reads(plan, grain, column['reads']) -%}
        {%- do further.append(column) -%}
    {%- endfor -%}
    {%- if sqlmetrics.reads(plan, grain, sqlmetrics.columns_of_negatives()) and plan['question']['ends'] != 'sums' -%}
        {%- do further.append(sqlmetrics.weight_of_negatives(plan)) -%}
    {%- endif -%}
    {%- do return(further) -%}
{%- endmacro %}

{#
  Bins of equal width: the rows counted by bin. A score outside [0, 1], which metrics of probabilities reject,
  goes into the nearest bin.
#}
{% macro bins_of_rows(plan, count, further, columns) -%}
{{- sqlmetrics.counted_rows(
    plan, 'bins_width_' ~ count, sqlmetrics.bin_number('(sm_score * ' ~ count ~ ' + 1e-9)', count), 'sm_bin', further,
    columns
) -}}
{%- endmacro %}

{# Bins of equal count: the levels by the share of rows below them. #}
{% macro bins_of_levels(plan, count, further) -%}
{%- set keys = sqlmetrics.slice_keys(plan, 'sm_levels.') -%}
{%- set total = 'sm_row_sums.' ~ sqlmetrics.sums_of_stage(plan, sqlmetrics.row_total(plan)) -%}
{%- set bin = sqlmetrics.bin_number(
    '(' ~ sqlmetrics.ratio(count ~ ' * (' ~ total ~ ' - sm_levels.sm_through)', total) ~ ' + 1e-9)', count
) -%}
{%- set columns = [
    bin ~ ' as sm_bin',
    'sum(sm_levels.sm_level_rows) as sm_level_rows',
    'sum(sm_levels.sm_level_positives) as sm_level_positives',
] -%}
{%- for column in further -%}{%- do columns.append(column['of_levels'] ~ ' as ' ~ column['name']) -%}{%- endfor -%}
select
        {{- sqlmetrics.lines(keys + columns, 8) }}
    from sm_levels
    inner join sm_row_sums on {{ sqlmetrics.same_slice(plan, 'sm_levels', 'sm_row_sums') }}
    group by {{ (keys + [bin]) | join(', ') }}
{%- endmacro %}

{# The bin at a position measured in bins, from 0 to count - 1. #}
{% macro bin_number(position, count) -%}
{%- set floor = sqlmetrics.sql_short_integer('floor(' ~ position ~ ')') -%}
case when {{ position }} >= {{ count - 1 }} then {{ count - 1 }} when {{ position }} < 0 then 0 else {{ floor }} end
{%- endmacro %}

{# Whether bins of equal count read the squares of weights, which then every level has. #}
{% macro bins_read_squares(plan) -%}
    {%- for grain, bins in plan['bins'].items()
        if bins['equal'] == 'count' and sqlmetrics.reads(plan, grain, 'level_squares') -%}
        {%- do return(true) -%}
    {%- endfor -%}
    {%- do return(false) -%}
{%- endmacro %}

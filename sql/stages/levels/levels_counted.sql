{# Score levels, and bins of scores, from the rows of each distinct score. levels.sql explains the columns. #}

{# The counted plan. Rows of weight 0 make no level. #}
{% macro levels_counted(plan, keep) -%}
{%- set discordant = sqlmetrics.reads_discordant(plan) -%}
{%- set columns = sqlmetrics.weighed_columns_read(plan) -%}
{%- set discordant_reads = ['level_positives', 'positives_through']
    + (['level_rows', 'above'] if plan['facts']['weight'] is none else []) -%}
{%- for name in ('level_rows', 'level_positives', 'through', 'place', 'above', 'positives_through') -%}
    {%- do columns.update({
        name: sqlmetrics.levels_or_bins_read(plan, name) or (discordant and name in discordant_reads),
    }) -%}
{%- endfor -%}
{#- units find the level of their rows by its score; without units, and in buckets, levels are the rows -#}
{%- set finds_level = discordant and (sqlmetrics.auc_by_units(plan) or not sqlmetrics.sql_distributed()) -%}
{%- do columns.update({'order': sqlmetrics.levels_or_bins_read(plan, 'score') or finds_level}) -%}
{%- set further = sqlmetrics.further_of_levels(plan) -%}
{{ sqlmetrics.stage_level_counts(plan, none if sqlmetrics.sql_distributed() else columns) }},

{% if sqlmetrics.sql_distributed() -%}
{{ sqlmetrics.levels_in_buckets(plan, keep, further, columns) }}
{%- else -%}
-- score levels: the rows strictly above each level, and those down to it
sm_levels as{{ sqlmetrics.sql_cte_materialized() if keep else sqlmetrics.sql_cte_inline() }} (
    {{ sqlmetrics.cumulated(plan, 'sm_level_counts', 'sm_score', further, columns, plan['facts']['total']) }}
)
{%- endif -%}
{%- endmacro %}

{#
  sm_levels for rows spread over machines, where a window over all levels would move them to one machine.
  Levels with similar scores share a bucket: a window over the buckets, which are few, counts the rows above
  each, and a window inside each counts the rest.
#}
{% macro levels_in_buckets(plan, keep, further, columns) -%}
{%- set keys = plan['facts']['keys'] -%}
{%- set down = sqlmetrics.partition_by(keys) ~ 'order by sm_bucket desc rows ' -%}
{%- set above = dict(
    {'rows': 'sm_rows_above_bucket + ', 'positives': 'sm_positives_above_bucket + '},
    **({'negatives': 'sm_negatives_above_bucket + '} if sqlmetrics.counts_negatives(columns) else {})
) -%}
-- levels of near scores in buckets
sm_leveled as (
    select
        sm_levels_of_all.*,
        {{ sqlmetrics.score_bucket('sm_score') }} as sm_bucket
    from {{ sqlmetrics.with_total(
        plan, 'sm_level_counts', 'sm_score', further, none, plan['facts']['total']
    ) }} as sm_levels_of_all
),

-- the rows above each bucket
sm_buckets as (
    select
        {%- set sums = [] -%}
        {%- for count in above -%}
            {%- do sums.append(
                sqlmetrics.sum_above(plan, 'sum(sm_level_' ~ count ~ ')', down) ~ ' as sm_' ~ count ~ '_above_bucket'
            ) -%}
        {%- endfor -%}
        {{- sqlmetrics.lines(keys + ['sm_bucket'] + sums, 8) }}
    from sm_leveled
    group by {{ (keys + ['sm_bucket']) | join(', ') }}
),

-- score levels: the rows strictly above each level, and those down to it
sm_levels as{{ sqlmetrics.sql_cte_materialized() if keep else sqlmetrics.sql_cte_inline() }} (
    select
        {{- sqlmetrics.lines(sqlmetrics.cumulated_columns(
            plan,
            'sm_score',
            further,
            columns,
            sqlmetrics.prefixed(keys + ['sm_bucket'], 'sm_leveled.'),
            sqlmetrics.slice_keys(plan, 'sm_leveled.'),
            above,
        ), 8) }}
    from sm_leveled
    inner join sm_buckets on {{ sqlmetrics.same_keys(keys + ['sm_bucket'], 'sm_leveled', 'sm_buckets') }}
)
{%- endmacro %}

{#
  A number that never decreases as the score rises: the 32nd root of the score, cut into buckets, about 350
  for each doubling. Every engine rounds square roots correctly, so that no two scores change their order.
#}
{% macro score_bucket(score) -%}
{%- set root = 'sqrt(sqrt(sqrt(sqrt(sqrt(abs(' ~ score ~ '))))))' -%}
floor(16384 * case
    when {{ score }} < 0 and not {{ sqlmetrics.sql_finite(score) }} then -5e9
    when {{ score }} < 0 then -{{ root }}
    else {{ root }}
end)
{%- endmacro %}

{# sm_level_counts: the rows of each distinct score, by slice. #}
{% macro stage_level_counts(plan, columns=none) -%}
-- rows of each distinct score
sm_level_counts as{{ sqlmetrics.sql_cte_shared() }} (
    {{ sqlmetrics.counted_rows(plan, 'levels', 'sm_score', 'sm_score', sqlmetrics.further_of_levels(plan), columns) }}
)
{%- endmacro %}

{#
  The counts of which the columns of levels or bins are made: of order, sm_level_rows and sm_level_positives those that
  are read, or all. `summed` is true if a total is made of them.
#}
{% macro counts_read(order, columns, summed=false) -%}
    {%- set found, read = [], [] -%}
    {%- for column, is_read in (columns or {}).items() if is_read -%}{%- do read.append(column) -%}{%- endfor -%}
    {%- for column, readers in {
        order: read | reject('in', ['level_rows', 'level_positives', 'level_negatives']) | list,
        'sm_level_rows': ['level_rows', 'through', 'place', 'above'],
        'sm_level_positives': ['level_positives', 'positives_through', 'positives_above'],
    }.items() -%}
        {%- if columns is none or readers | select('in', read) | list
            or (summed and column == order) -%}
            {%- do found.append(column) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(found) -%}
{%- endmacro %}

{#
  The further counts of a level of weighted rows: squares that bins or bands read, and the weight of negative rows.
#}
{% macro further_of_levels(plan) -%}
    {%- set further = [{'name': 'sm_level_squares', 'aggregate': 'sum', 'of_rows': 'sum(sm_weight * sm_weight)'}]
        if sqlmetrics.bins_read_squares(plan) or sqlmetrics.reads(plan, 'points', 'level_squares') else [] -%}
    {%- if sqlmetrics.counts_negatives(sqlmetrics.weighed_columns_read(plan)) and plan['question']['ends'] != 'sums' -%}
        {%- do further.append(sqlmetrics.weight_of_negatives(plan)) -%}
    {%- endif -%}
    {%- do return(further) -%}
{%- endmacro %}

{#
  The weight of the negative rows, as a further count of a level or bin. A state of weighted rows has a row for each
  class, so that its differences are exact.
#}
{% macro weight_of_negatives(plan) -%}
    {#- the table is named, since ClickHouse would read the sums beside this one, which bear the names of columns -#}
    {%- set of_state = sqlmetrics.sliced(plan) -%}
    {%- do return({
        'name': 'sm_level_negatives', 'aggregate': 'sum',
        'of_state': of_state ~ '.sm_level_rows - ' ~ of_state ~ '.sm_level_positives',
        'of_rows': 'sum(case when ' ~ sqlmetrics.filled(plan, sqlmetrics.is_relevant(plan))
            ~ ' then 0 else sm_weight end)',
    }) -%}
{%- endmacro %}

{# Whether some of the columns that are read, a mapping of names, sum the weight of negative rows. #}
{% macro counts_negatives(columns) -%}
    {%- for name in sqlmetrics.columns_of_negatives() if columns[name] -%}{%- do return(true) -%}{%- endfor -%}
    {%- do return(false) -%}
{%- endmacro %}

{#
  The sum of a count over the rows above, in an order. With weights it is a sum of its own: beside a heavy row the
  difference of two sums has no digits left.
#}
{% macro sum_above(plan, counted, down) -%}
    {{- 'sum(' ~ counted ~ ') over (' ~ down ~ 'unbounded preceding) - ' ~ counted if plan['facts']['weight'] is none
        else 'coalesce(sum(' ~ counted ~ ') over (' ~ down ~ 'between unbounded preceding and 1 preceding), 0)' -}}
{%- endmacro %}

{#
  The rows of each slice, counted by an expression of their score. A state already holds these counts, under
  the name of the grain. A state of weighted rows counts the classes apart: the difference of a level's weight and
  that of its positive rows has no digits left if these are much heavier.
#}
{% macro counted_rows(plan, grain, by, name, further=[], read=none) -%}
{%- if plan['question']['reads'] == 'state' -%}
    {%- do return(sqlmetrics.counted_in_state(plan, grain, name, further, read)) -%}
{%- endif -%}
{%- set weight = sqlmetrics.filled(plan, sqlmetrics.row_weight(plan)) -%}
{%- set counts, columns = {
    name: by ~ ('' if by == name else ' as ' ~ name),
    'sm_level_rows': 'sum(' ~ weight ~ ') as sm_level_rows',
    'sm_level_positives': 'sum(case when ' ~ sqlmetrics.filled(plan, sqlmetrics.is_relevant(plan)) ~ ' then ' ~ weight
        ~ ' else 0 end) as sm_level_positives',
}, [] -%}
{%- for column in sqlmetrics.counts_read(name, read, plan['facts']['total']) -%}
    {%- do columns.append(counts[column]) -%}
{%- endfor -%}
{%- for column in further -%}{%- do columns.append(column['of_rows'] ~ ' as ' ~ column['name']) -%}{%- endfor -%}
{%- set weighted = plan['facts']['weight'] is not none -%}
{%- set classes = ['case when ' ~ sqlmetrics.filled(plan, sqlmetrics.is_relevant(plan)) ~ ' then 1 else 0 end']
    if weighted and plan['question']['ends'] == 'sums' else [] -%}
select
        {{- sqlmetrics.lines(plan['facts']['keys'] + columns, 8) }}
    from {{ sqlmetrics.sliced(plan) }}
    where sm_problem = 0
    {{- ' and sm_weight > 0' if weighted }}
    group by {{ (plan['facts']['keys'] + [by] + classes) | join(', ') }}
{%- endmacro %}

{#
  Counts of each slice, and of the total, with the counts above and through each of them.

  Args:
    source: sm_level_rows and sm_level_positives by slice and `order`
    order: the column that orders them, in descending order
    further: other columns of the source, each a mapping of name and aggregate, which makes the total from the
      slices
    columns: a mapping that says which of order, level_rows, level_positives, through, place, above, positives_through
      and, with weights, of weighed_columns_read are needed
    total: true adds up the total
#}
{% macro cumulated(plan, source, order, further, columns, total) -%}
select
        {{- sqlmetrics.lines(sqlmetrics.cumulated_columns(
            plan, order, further, columns, plan['facts']['keys'], plan['facts']['keys']
        ), 8) }}
    from {{ sqlmetrics.with_total(plan, source, order, further, columns, total) ~ ' as sm_leveled'
        if total else source }}
{%- endmacro %}

{# The columns of levels: windows inside each value of `partition`; `above` is added to them. #}
{% macro cumulated_columns(plan, order, further, columns, partition, keys, above={'rows': '', 'positives': ''}) -%}
    {%- set down = sqlmetrics.partition_by(partition) ~ 'order by ' ~ order ~ ' desc rows ' -%}
    {%- set through = ' over (' ~ down ~ 'unbounded preceding)' -%}
    {%- set rows = above['rows'] ~ 'sum(sm_level_rows)' ~ through -%}
    {%- set left_out = [] if columns.get('level_negatives') else ['sm_level_negatives'] -%}
    {%- set negatives = above.get('negatives', '') ~ 'sum(sm_level_negatives)' ~ through -%}
    {%- do return(
        keys + ([order] if columns['order'] else []) + (['sm_level_rows'] if columns['level_rows'] else [])
        + (['sm_level_positives'] if columns['level_positives'] else [])
        + further | map(attribute='name') | reject('in', left_out) | list
        + ([rows ~ ' as sm_through'] if columns['through'] else [])
        + (
            [above['rows'] ~ sqlmetrics.sum_above(plan, 'sm_level_rows', down) ~ ' as sm_above']
            if columns['above'] else []
        )
        + (['2 * (' ~ rows ~ ') - sm_level_rows as sm_place'] if columns['place'] else [])
        + (
            [above['positives'] ~ 'sum(sm_level_positives)' ~ through ~ ' as sm_positives_through']
            if columns['positives_through'] else []
        ) + (
            [above['positives'] ~ sqlmetrics.sum_above(plan, 'sm_level_positives', down) ~ ' as sm_positives_above']
            if columns.get('positives_above') else []
        ) + (
            [above.get('negatives', '') ~ sqlmetrics.sum_above(plan, 'sm_level_negatives', down)
                ~ ' as sm_negatives_above']
            if columns.get('negatives_above') else []
        ) + ([negatives ~ ' as sm_negatives_through'] if columns.get('negatives_through') else [])
        + (
            ['2 * (' ~ negatives ~ ') - sm_level_negatives as sm_negatives_place']
            if columns.get('negatives_place') else []
        )
    ) -%}
{%- endmacro %}

{# The source of `cumulated`, in brackets if the total is added up. #}
{% macro with_total(plan, source, order, further, columns, total) -%}
{%- set counts = sqlmetrics.counts_read(order, columns) -%}
{%- set columns = counts + further | map(attribute='name') | list -%}
{%- set added_up = counts | select('equalto', order) | list -%}
{%- for count in counts if count != order -%}
    {%- do added_up.append('sum(' ~ count ~ ') as ' ~ count) -%}
{%- endfor -%}
{%- for column in further -%}
    {%- do added_up.append(column['aggregate'] ~ '(' ~ column['name'] ~ ') as ' ~ column['name']) -%}
{%- endfor -%}
{%- if not total -%}
{{ source }}
{%- elif sqlmetrics.sql_copies_stages() -%}
(
        select
            {{- sqlmetrics.lines(sqlmetrics.model_keys(plan) + ['sm_counted_in as sm_slice'] + added_up, 12) }}
        from {{ sqlmetrics.counted_twice(source, '        ') }} as sm_slices_and_total
        group by {{ (sqlmetrics.model_keys(plan) + ['sm_counted_in', order]) | join(', ') }}
    )
{%- else -%}
(
        select {{ (plan['facts']['keys'] + columns) | join(', ') }} from {{ source }}
        union all
        select {{ (sqlmetrics.total_keys(plan) + added_up) | join(', ') }}
        from {{ source }}
        group by {{ (sqlmetrics.model_keys(plan) + [order]) | join(', ') }}
    )
{%- endif -%}
{%- endmacro %}

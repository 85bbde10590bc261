{#
  The grain of discordant rows, from which AUC and its variance are computed.

  sm_discordant: the number of rows of the other class on the wrong side of a row: above a positive row or
    below a negative one. Each counts two and a tied one counts one, so that the sum is an integer. Summed
    over the P positive rows it is 2 P N (1 - AUC), and the same over the N negative rows. With weights these are
    sums of weights.

  sm_others: the number of rows of the other class above a row plus the number down to it, which is the
    difference between the row's rank among all rows and its rank within its class. For a positive row it is
    sm_discordant; for a negative row sm_discordant is 2 P less sm_others. sm_others_in_total: the same in the
    total, in a column of its own, so that no row occurs twice.
#}

{#
  The stages down to two with a row for each slice and the total: sm_discordant_sums, with sm_auc_discordant,
  the sum over the positive rows, and sm_auc_spreads, with sm_auc_variance, the variance of AUC of rows or,
  with `group`, of lists.
#}
{% macro stages_of_discordant(plan) -%}
    {%- set of_levels = sqlmetrics.levels_are_counted(plan) -%}
    {%- set stages = [sqlmetrics.stage_class_sizes(plan)] -%}
    {%- if of_levels and not sqlmetrics.auc_by_units(plan) -%}
        {%- do stages.append(sqlmetrics.stage_discordant_sums_of_levels(plan)) -%}
    {%- else -%}
        {%- do stages.append(
            sqlmetrics.discordant_by_level(plan) if of_levels else sqlmetrics.discordant_by_rank(plan)
        ) -%}
        {%- do stages.append(
            sqlmetrics.stages_of_discordant_units(plan)
            if sqlmetrics.auc_by_units(plan) else sqlmetrics.stages_of_discordant_sums(plan)
        ) -%}
    {%- endif -%}
    {%- do stages.append(
        sqlmetrics.stages_of_auc_deviations(plan)
        if sqlmetrics.auc_by_units(plan) else sqlmetrics.stage_auc_spreads_of_rows(plan)
    ) -%}
    {%- do return(stages) -%}
{%- endmacro %}

{# sm_class_sizes: the number of rows of each class, as integers; with weights their sum. #}
{% macro stage_class_sizes(plan) -%}
{%- set columns = [] -%}
{%- for name, count in {
    'positive': sqlmetrics.sums_of_stage(plan, sqlmetrics.row_positives(plan)),
    'negative': sqlmetrics.sums_of_stage(plan, sqlmetrics.row_negatives(plan)),
}.items() -%}
    {%- do columns.append(
        (sqlmetrics.sql_integer(count) if plan['facts']['weight'] is none else count) ~ ' as sm_all_' ~ name
    ) -%}
{%- endfor -%}
-- the rows of each class
sm_class_sizes as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(plan['facts']['keys'] + columns, 8) }}
    from sm_row_sums
)
{%- endmacro %}

{# The join of rows to the class sizes in their slice and in the total. #}
{% macro join_class_sizes(plan, rows) -%}
{{ sqlmetrics.inner_join(plan['facts']['keys'], rows, 'sm_class_sizes') }}
{%- if plan['facts']['total'] %}
    {{ sqlmetrics.join_total_sizes(plan, rows) }}
{%- endif %}
{%- endmacro %}

{# The join of rows to the class sizes in the total. #}
{% macro join_total_sizes(plan, rows) -%}
{{ sqlmetrics.inner_join(
    sqlmetrics.model_keys(plan), rows, '(select * from sm_class_sizes where sm_slice = 0)', 'sm_total_sizes'
) }}
{%- endmacro %}

{#
  The names used in the slice and in the total: the partition keys, the prefix of ranks, the suffix of
  columns, and the joined stages.
#}
{% macro scopes_of_discordant(plan) -%}
    {%- set of_slices = {
        'keys': plan['facts']['keys'], 'rank': 'sm_', 'column': '', 'sizes': 'sm_class_sizes', 'levels': 'sm_levels',
    } -%}
    {%- set of_total = {
        'keys': sqlmetrics.model_keys(plan), 'rank': 'sm_total_', 'column': '_in_total',
        'sizes': 'sm_total_sizes', 'levels': 'sm_total_levels',
    } -%}
    {%- do return([of_slices] + ([of_total] if plan['facts']['total'] else [])) -%}
{%- endmacro %}

{#
  sm_discordant_rows from the ranks of rows. Each sort carries as few columns as possible.

  sm_placed: the place of a row, twice the mean rank of the rows tied with it. The place within its class is
    subtracted afterwards.
#}
{% macro discordant_by_rank(plan) -%}
{%- set rows = sqlmetrics.ranked_rows(plan) -%}
{%- set kept = plan['facts']['keys'] + (['sm_group'] if plan['facts']['group'] is not none else [])
    + ['sm_level_positives'] -%}
{%- set columns = sqlmetrics.prefixed(kept, rows ~ '.') + [sqlmetrics.order_of_rows(plan) ~ ' as sm_order'] -%}
{%- set place_in_total = '(sm_order + 1)' if sqlmetrics.place_is_enough(plan) else 'sm_place_in_total' -%}
{%- for scope in sqlmetrics.scopes_of_discordant(plan) if not (scope['column'] and sqlmetrics.place_is_enough(plan)) -%}
    {%- set all = '(' ~ scope['sizes'] ~ '.sm_all_positive + ' ~ scope['sizes'] ~ '.sm_all_negative)' -%}
    {%- do columns.append(
        '(' ~ scope['rank'] ~ 'tie_first + ' ~ sqlmetrics.from_share(scope['rank'] ~ 'share', all) ~ ') as sm_place'
        ~ scope['column']
    ) -%}
{%- endfor -%}
-- the place of a row, twice the mean rank of those that tie with it
sm_placed as{{ sqlmetrics.sql_cte_inline() }} (
    select
        {{- sqlmetrics.lines(columns, 8) }}
    from {{ rows }}
    {{ sqlmetrics.join_class_sizes(plan, rows) }}
),
{%- if plan['facts']['total'] %}

-- how many rows of the other class stand above a row and down to it, in the total
sm_discordant_in_all as{{ sqlmetrics.sql_cte_inline() }} (
    {{ sqlmetrics.without_place_in_class(
        'sm_placed', sqlmetrics.model_keys(plan), kept + ['sm_order', 'sm_place'], place_in_total,
        'sm_total_sizes', '_in_total',
    ) }}
    {{ sqlmetrics.join_total_sizes(plan, 'sm_in_class') }}
),
{%- endif %}

-- how many rows of the other class stand above a row and down to it
sm_discordant_rows as{{ sqlmetrics.sql_cte_inline() }} (
    {{ sqlmetrics.without_place_in_class(
        'sm_discordant_in_all' if plan['facts']['total'] else 'sm_placed',
        plan['facts']['keys'],
        kept + (['sm_others_in_total'] if plan['facts']['total'] else []),
        'sm_place',
        'sm_class_sizes',
        '',
    ) }}
    {{ sqlmetrics.inner_join(plan['facts']['keys'], 'sm_in_class', 'sm_class_sizes') }}
)
{%- endmacro %}

{#
  A select without its joins: the rows of the other class, from a row's place among all rows and its place
  within its class.

  Args:
    partition: the keys inside which rows are placed
    kept: the columns that are kept
    place: the place among all rows
    sizes: the stage with the class sizes
    ending: the suffix of the column
#}
{% macro without_place_in_class(source, partition, kept, place, sizes, ending) -%}
{%- set positives, negatives = sizes ~ '.sm_all_positive', sizes ~ '.sm_all_negative' -%}
{%- set in_class = ' over (' ~ sqlmetrics.partition_by(partition + ['sm_level_positives'])
    ~ 'order by sm_order asc)' -%}
{%- set through = sqlmetrics.from_share(
    'sm_class_share', '(case when sm_level_positives = 1 then ' ~ positives ~ ' else ' ~ negatives ~ ' end)'
) -%}
select
        {{- sqlmetrics.lines(sqlmetrics.prefixed(kept, 'sm_in_class.')
            + [place ~ ' - sm_class_first - ' ~ through ~ ' as sm_others' ~ ending], 8) }}
    from (
        select
            {{ source }}.*,
            rank(){{ in_class }} as sm_class_first,
            cume_dist(){{ in_class }} as sm_class_share
        from {{ source }}
    ) as sm_in_class
{%- endmacro %}

{# sm_discordant_rows from the levels of the rows. #}
{% macro discordant_by_level(plan) -%}
{%- set rows = sqlmetrics.sliced(plan) -%}
{%- set positive = 'case when ' ~ sqlmetrics.filled(plan, sqlmetrics.is_relevant(plan)) ~ ' then 1 else 0 end' -%}
{%- set kept = plan['facts']['keys'] + (['sm_group'] if plan['facts']['group'] is not none else [])
    + (['sm_weight'] if plan['facts']['weight'] is not none else []) -%}
{%- set columns = sqlmetrics.prefixed(kept, rows ~ '.') + [positive ~ ' as sm_level_positives'] -%}
{%- for scope in sqlmetrics.scopes_of_discordant(plan) -%}
    {%- set others = sqlmetrics.others_at_level(plan, scope['levels'] ~ '.') -%}
    {%- do columns.append(
        'case when ' ~ sqlmetrics.filled(plan, sqlmetrics.is_relevant(plan)) ~ ' then ' ~ others[0] ~ ' else '
        ~ others[1] ~ ' end as sm_others' ~ scope['column']
    ) -%}
{%- endfor -%}
-- how many rows of the other class stand above a row and down to it
sm_discordant_rows as{{ sqlmetrics.sql_cte_inline() }} (
    select
        {{- sqlmetrics.lines(columns, 8) }}
    from {{ rows }}
    {{ sqlmetrics.inner_join(plan['facts']['keys'] + ['sm_score'], rows, 'sm_levels') }}
    {%- if plan['facts']['total'] %}
    {{ sqlmetrics.inner_join(
        sqlmetrics.model_keys(plan) + ['sm_score'],
        rows,
        '(select * from sm_levels where sm_slice = 0)',
        'sm_total_levels',
    ) }}
    {%- endif %}
    where sm_problem = 0{{ ' and sm_weight > 0' if plan['facts']['weight'] is not none }}
)
{%- endmacro %}

{# The rows of the other class for a positive and for a negative row of a whole level. #}
{% macro others_at_level(plan, level) -%}
    {%- set positives, rows = level ~ 'sm_level_positives', level ~ 'sm_level_rows' -%}
    {%- set through = level ~ 'sm_positives_through' -%}
    {#- with weights negative rows have sums of their own -#}
    {%- do return([
        '(2 * (' ~ level ~ 'sm_above - ' ~ through ~ ' + ' ~ positives ~ ') + ' ~ rows ~ ' - ' ~ positives ~ ')'
            if plan['facts']['weight'] is none else level ~ 'sm_negatives_place',
        '(2 * ' ~ through ~ ' - ' ~ positives ~ ')',
    ]) -%}
{%- endmacro %}

{# The discordant count of a negative row. #}
{% macro discordant_for_negative(others, sizes='sm_class_sizes') -%}
    (2 * {{ sizes }}.sm_all_positive - {{ others }})
{%- endmacro %}

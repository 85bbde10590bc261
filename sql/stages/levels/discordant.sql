{#
  The grain of discordant rows, from which AUC and its variance are computed.

  sm_discordant: the number of rows of the other class on the wrong side of a row: above a positive row or
    below a negative one. Each counts two and a tied one counts one, so that the sum is an integer. Summed
    over the P positive rows it is 2 P N (1 - AUC), and the same over the N negative rows.

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
    {%- if of_levels and plan['facts']['group'] is none -%}
        {%- do stages.append(sqlmetrics.stage_discordant_sums_of_levels(plan)) -%}
    {%- else -%}
        {%- do stages.append(
            sqlmetrics.discordant_by_level(plan) if of_levels else sqlmetrics.discordant_by_rank(plan)
        ) -%}
        {%- do stages.append(
            sqlmetrics.stages_of_discordant_sums(plan)
            if plan['facts']['group'] is none else sqlmetrics.stages_of_discordant_lists(plan)
        ) -%}
    {%- endif -%}
    {%- do stages.append(
        sqlmetrics.stage_auc_spreads_of_rows(plan)
        if plan['facts']['group'] is none else sqlmetrics.stages_of_auc_deviations(plan)
    ) -%}
    {%- do return(stages) -%}
{%- endmacro %}

{# sm_class_sizes: the number of rows of each class, as integers. #}
{% macro stage_class_sizes(plan) -%}
{%- set columns = [] -%}
{%- for name, count in {
    'positive': sqlmetrics.sums_of_stage(plan, sqlmetrics.positives(plan)),
    'negative': sqlmetrics.sums_of_stage(plan, sqlmetrics.negatives(plan)),
}.items() -%}
    {%- do columns.append(sqlmetrics.sql_integer(count) ~ ' as sm_all_' ~ name) -%}
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
        plan, 'sm_placed', sqlmetrics.model_keys(plan), kept + ['sm_order', 'sm_place'], place_in_total,
        'sm_total_sizes', '_in_total',
    ) }}
    {{ sqlmetrics.join_total_sizes(plan, 'sm_in_class') }}
),
{%- endif %}

-- how many rows of the other class stand above a row and down to it
sm_discordant_rows as{{ sqlmetrics.sql_cte_inline() }} (
    {{ sqlmetrics.without_place_in_class(
        plan,
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
{% macro without_place_in_class(plan, source, partition, kept, place, sizes, ending) -%}
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
{%- set columns = sqlmetrics.prefixed(plan['facts']['keys'] + ['sm_group'], rows ~ '.')
    + [positive ~ ' as sm_level_positives'] -%}
{%- for scope in sqlmetrics.scopes_of_discordant(plan) -%}
    {%- set others = sqlmetrics.others_at_level(scope['levels'] ~ '.') -%}
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
    where sm_problem = 0
)
{%- endmacro %}

{# The rows of the other class for a positive and for a negative row of a whole level. #}
{% macro others_at_level(level) -%}
    {%- set positives, rows = level ~ 'sm_level_positives', level ~ 'sm_level_rows' -%}
    {%- set through = level ~ 'sm_positives_through' -%}
    {%- do return([
        '(2 * (' ~ level ~ 'sm_above - ' ~ through ~ ' + ' ~ positives ~ ') + ' ~ rows ~ ' - ' ~ positives ~ ')',
        '(2 * ' ~ through ~ ' - ' ~ positives ~ ')',
    ]) -%}
{%- endmacro %}

{# The discordant count of a negative row. #}
{% macro discordant_for_negative(others, sizes='sm_class_sizes') -%}
    (2 * {{ sizes }}.sm_all_positive - {{ others }})
{%- endmacro %}

{#
  The sums over rows as columns, each a mapping of name and aggregate. They include the least and the greatest
  value, because rows that are all equal have no spread, whatever rounding leaves of the difference of two
  sums.

  Args:
    positives, negatives: the number of rows of each class in one row of the source
    of_positive, of_negative: the discordant count of each of them
#}
{% macro sums_of_discordant(positives, of_positive, negatives, of_negative) -%}
    {%- set columns = [{'name': 'sm_auc_discordant', 'aggregate': 'sum', 'inner': positives ~ ' * ' ~ of_positive}] -%}
    {%- for name, rows, of in (('positive', positives, of_positive), ('negative', negatives, of_negative)) -%}
        {%- set value = 'case when ' ~ rows ~ ' > 0 then ' ~ of ~ ' end' -%}
        {%- do columns.extend([
            {
                'name': 'sm_' ~ name ~ '_discordant_squares',
                'aggregate': 'sum',
                'inner': rows ~ ' * ' ~ sqlmetrics.sql_double(of) ~ ' * ' ~ of,
            },
            {'name': 'sm_' ~ name ~ '_discordant_least', 'aggregate': 'min', 'inner': value},
            {'name': 'sm_' ~ name ~ '_discordant_most', 'aggregate': 'max', 'inner': value},
        ]) -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{# Select-list entries of columns; `ending` is the suffix of their names. #}
{% macro aggregated(columns, ending='') -%}
    {%- set entries = [] -%}
    {%- for column in columns -%}
        {%- do entries.append(
            sqlmetrics.sql_aggregate(column['aggregate'], column['inner']) ~ ' as ' ~ column['name'] ~ ending
        ) -%}
    {%- endfor -%}
    {%- do return(entries) -%}
{%- endmacro %}

{# sm_discordant_sums from levels, which exist for slices and for the total. #}
{% macro stage_discordant_sums_of_levels(plan) -%}
{%- set others = sqlmetrics.others_at_level('') -%}
-- what is summed over discordant rows
sm_discordant_sums as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(sqlmetrics.slice_keys(plan, 'sm_levels.') + sqlmetrics.aggregated(
            sqlmetrics.sums_of_discordant(
                'sm_level_positives',
                others[0],
                sqlmetrics.filled(plan, sqlmetrics.level_negatives(plan)),
                sqlmetrics.discordant_for_negative(others[1]),
            )
        ), 8) }}
    from sm_levels
    {{ sqlmetrics.inner_join(plan['facts']['keys'], 'sm_levels', 'sm_class_sizes') }}
    {{- sqlmetrics.grouped_by(sqlmetrics.slice_keys(plan, 'sm_levels.')) }}
)
{%- endmacro %}

{# sm_discordant_sums from rows: the slices in one pass, and the total from the slices. #}
{% macro stages_of_discordant_sums(plan) -%}
{%- set source = 'sm_discordant_slices' if plan['facts']['total'] else 'sm_discordant_sums' -%}
{%- set columns, names, totals = [], [], [] -%}
{%- for scope in sqlmetrics.scopes_of_discordant(plan) -%}
    {%- set others = 'sm_others' ~ scope['column'] -%}
    {%- do columns.extend(sqlmetrics.aggregated(
        sqlmetrics.sums_of_discordant(
            'sm_level_positives',
            others,
            '(1 - sm_level_positives)',
            sqlmetrics.discordant_for_negative(others, scope['sizes']),
        ),
        scope['column'],
    )) -%}
{%- endfor -%}
{%- for column in sqlmetrics.sums_of_discordant('', '', '', '') -%}
    {%- do names.append(column['name']) -%}
    {%- do totals.append({
        'name': column['name'], 'aggregate': column['aggregate'], 'inner': source ~ '.' ~ column['name'] ~ '_in_total',
    }) -%}
{%- endfor -%}
-- what is summed over discordant rows
{{ source }} as{{ sqlmetrics.sql_cte_materialized() if plan['facts']['total'] else sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(sqlmetrics.slice_keys(plan, 'sm_discordant_rows.') + columns, 8) }}
    from sm_discordant_rows
    {{ sqlmetrics.join_class_sizes(plan, 'sm_discordant_rows') }}
    {{- sqlmetrics.grouped_by(sqlmetrics.slice_keys(plan, 'sm_discordant_rows.')) }}
)
{%- if plan['facts']['total'] -%}
,

-- the same with a row for all slices together
sm_discordant_sums as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(plan['facts']['keys'] + names, 8) }}
    from sm_discordant_slices
    union all
    select
        {{- sqlmetrics.lines(sqlmetrics.total_keys(plan) + sqlmetrics.aggregated(totals), 8) }}
    from sm_discordant_slices
    {{- sqlmetrics.grouped_by(sqlmetrics.model_keys(plan)) }}
)
{%- endif -%}
{%- endmacro %}

{#
  sm_discordant_lists: a row for each list of a slice and for each list of the total, where it counts as a
    whole, with its rows of each class and their discordant counts. sm_discordant_sums: the sum of the
    discordant counts.
#}
{% macro stages_of_discordant_lists(plan) -%}
{%- set named = sqlmetrics.name_of_unit(plan) -%}
{%- set source = 'sm_discordant_parts' if plan['facts']['total'] else 'sm_discordant_lists' -%}
{#- the negative rows are all rows less the positive ones -#}
{%- set columns = [
    'sum(sm_level_positives) as sm_positive_rows', 'count(*) - sum(sm_level_positives) as sm_negative_rows',
] -%}
{%- for scope in sqlmetrics.scopes_of_discordant(plan) -%}
    {%- set of_positives = 'sum(sm_level_positives * sm_others' ~ scope['column'] ~ ')' -%}
    {%- do columns.extend([
        of_positives ~ ' as sm_positive_others' ~ scope['column'],
        'sum(sm_others' ~ scope['column'] ~ ') - ' ~ of_positives ~ ' as sm_negative_others' ~ scope['column'],
    ]) -%}
{%- endfor -%}
{%- set names, totals = [], [] -%}
{%- for name in ('positive', 'negative') -%}
    {%- do names.extend(['sm_' ~ name ~ '_rows', 'sm_' ~ name ~ '_others']) -%}
    {%- do totals.extend([
        'sum(' ~ source ~ '.sm_' ~ name ~ '_rows) as sm_' ~ name ~ '_rows',
        'sum(' ~ source ~ '.sm_' ~ name ~ '_others_in_total) as sm_' ~ name ~ '_others',
    ]) -%}
{%- endfor -%}
-- the rows of the other class for the rows of a list
{{ source }} as{{ sqlmetrics.sql_cte_materialized() }} (
    select
        {%- set lists = ['sm_group'] if plan['facts']['total'] else named %}
        {{- sqlmetrics.lines(plan['facts']['keys'] + lists + columns, 8) }}
    from sm_discordant_rows
    group by {{ (plan['facts']['keys'] + ['sm_group']) | join(', ') }}
),
{%- if plan['facts']['total'] %}

-- the same for the lists of the total, each as a whole
sm_discordant_lists as{{ sqlmetrics.sql_cte_materialized() }} (
    select
        {{- sqlmetrics.lines(plan['facts']['keys'] + named + names, 8) }}
    from sm_discordant_parts
    union all
    select
        {{- sqlmetrics.lines(sqlmetrics.total_keys(plan) + named + totals, 8) }}
    from sm_discordant_parts
    group by {{ (sqlmetrics.model_keys(plan) + ['sm_group']) | join(', ') }}
),
{%- endif %}

-- what is summed over those lists
sm_discordant_sums as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(plan['facts']['keys'] + ['sum(sm_positive_others) as sm_auc_discordant'], 8) }}
    from sm_discordant_lists
    {{- sqlmetrics.grouped_by(plan['facts']['keys']) }}
)
{%- endmacro %}

{# sm_auc_spreads: the variance of AUC, a row for each slice. #}
{% macro stage_auc_spreads_of_rows(plan) -%}
-- the variance of AUC
sm_auc_spreads as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(sqlmetrics.slice_keys(plan, 'sm_discordant_sums.')
            + [sqlmetrics.variance_over_rows() ~ ' as sm_auc_variance'], 8) }}
    from sm_discordant_sums
    {{ sqlmetrics.inner_join(plan['facts']['keys'], 'sm_discordant_sums', 'sm_class_sizes') }}
)
{%- endmacro %}

{# The column that tells lists apart, where two models are compared over them. #}
{% macro name_of_unit(plan) -%}
    {%- set paired = plan['facts']['compared'] is not none or plan['facts']['searched'] is not none -%}
    {%- do return(['sm_group'] if paired else []) -%}
{%- endmacro %}

{#
  sm_auc_deviations: for each list of a slice, and of the total, the influence of its rows of each class on
    AUC: the sum over them of (their share of correctly ordered pairs less AUC), divided by the number of rows
    of that class.

  sm_auc_spreads: the variance of AUC, and sm_auc_lists, the number of lists with a row of the class that
    fewer lists have.
#}
{% macro stages_of_auc_deviations(plan) -%}
{%- set columns, has = [], [] -%}
{%- for name in ('positive', 'negative') -%}
    {%- set rows, all = 'sm_' ~ name ~ '_rows', sqlmetrics.sql_double('sm_all_' ~ name) -%}
    {%- set discordant = sqlmetrics.sql_double(
        'sm_positive_others' if name == 'positive' else '2 * sm_negative_rows * sm_all_positive - sm_negative_others'
    ) -%}
    {#- products of integers are exact, so a list without a deviation gets exactly 0 -#}
    {%- do columns.append(sqlmetrics.ratio(
        rows ~ ' * ' ~ sqlmetrics.sql_double('sm_auc_discordant') ~ ' - ' ~ all ~ ' * ' ~ discordant,
        '2 * ' ~ all ~ ' * ' ~ sqlmetrics.sql_double('sm_all_positive') ~ ' * sm_all_negative'
    ) ~ ' as sm_' ~ name ~ '_deviation') -%}
    {%- if plan['facts']['searched'] is none -%}
        {%- do has.append('case when ' ~ rows ~ ' > 0 then 1 else 0 end as sm_has_' ~ name) -%}
    {%- endif -%}
{%- endfor -%}
{%- set named = sqlmetrics.name_of_unit(plan) -%}
-- how far the rows of each class of a list pull AUC
sm_auc_deviations as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(sqlmetrics.slice_keys(plan, 'sm_discordant_lists.') + named + columns + has, 8) }}
    from sm_discordant_lists
    {{ sqlmetrics.inner_join(plan['facts']['keys'], 'sm_discordant_lists', 'sm_discordant_sums') }}
    {{ sqlmetrics.inner_join(plan['facts']['keys'], 'sm_discordant_lists', 'sm_class_sizes') }}
)
{%- if not (plan['facts']['searched'] or plan['facts']['compared'] and plan['facts']['compared']['paired']) -%}
,

-- the variance of AUC
sm_auc_spreads as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(plan['facts']['keys'] + [
            sqlmetrics.variance_over_lists() ~ ' as sm_auc_variance',
            sqlmetrics.fewer_of('sum(sm_has_positive)', 'sum(sm_has_negative)') ~ ' as sm_auc_lists',
        ], 8) }}
    from sm_auc_deviations
    {{- sqlmetrics.grouped_by(plan['facts']['keys']) }}
)
{%- endif -%}
{%- endmacro %}

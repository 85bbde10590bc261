{# Sums over discordant rows: the discordant count of AUC, and what its variance over rows needs. #}

{#
  The sums over rows as columns, each a mapping of name and aggregate. They include the least and the greatest
  value, because rows that are all equal have no spread, whatever rounding leaves of the difference of two
  sums.

  Args:
    positives, negatives: the number of rows of each class in one row of the source
    of_positive, of_negative: the discordant count of each of them
#}
{% macro sums_of_discordant(plan, positives, of_positive, negatives, of_negative) -%}
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
        ] + ([
            {
                'name': 'sm_' ~ name ~ '_discordant_cubes',
                'aggregate': 'sum',
                'inner': rows ~ ' * ' ~ sqlmetrics.sql_double(of) ~ ' * ' ~ of ~ ' * ' ~ of,
            },
        ] if plan['auc_skew'] else [])) -%}
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
{%- set others = sqlmetrics.others_at_level(plan, '') -%}
-- what is summed over discordant rows
sm_discordant_sums as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(sqlmetrics.slice_keys(plan, 'sm_levels.') + sqlmetrics.aggregated(
            sqlmetrics.sums_of_discordant(
                plan,
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
                plan,
            'sm_level_positives',
            others,
            '(1 - sm_level_positives)',
            sqlmetrics.discordant_for_negative(others, scope['sizes']),
        ),
        scope['column'],
    )) -%}
{%- endfor -%}
{%- for column in sqlmetrics.sums_of_discordant(plan, '', '', '', '') -%}
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

{# sm_auc_spreads: the variance of AUC and, if the ends read it, the skewness, a row for each slice. #}
{% macro stage_auc_spreads_of_rows(plan) -%}
-- the variance of AUC
sm_auc_spreads as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(sqlmetrics.slice_keys(plan, 'sm_discordant_sums.')
            + [sqlmetrics.variance_over_rows() ~ ' as sm_auc_variance']
            + (sqlmetrics.skews_over_rows() if plan['auc_skew'] else []), 8) }}
    from sm_discordant_sums
    {{ sqlmetrics.inner_join(plan['facts']['keys'], 'sm_discordant_sums', 'sm_class_sizes') }}
)
{%- endmacro %}

{# Sums over the discordant rows of each list, and the variance of AUC over lists. #}

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

{# The column that identifies lists, where two models are compared over them. #}
{% macro name_of_unit(plan) -%}
    {%- do return(['sm_group'] if plan['question']['names_units'] else []) -%}
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
    {%- if plan['question']['counts_classes'] -%}
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
{%- if plan['question']['keeps'] != 'units' -%}
,

-- the variance of AUC
sm_auc_spreads as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(plan['facts']['keys'] + [
            sqlmetrics.variance_over_lists() ~ ' as sm_auc_variance',
            sqlmetrics.fewer_of('sum(sm_has_positive)', 'sum(sm_has_negative)') ~ ' as sm_auc_lists',
        ] + sqlmetrics.skews_over_lists(), 8) }}
    from sm_auc_deviations
    {{- sqlmetrics.grouped_by(plan['facts']['keys']) }}
)
{%- endif -%}
{%- endmacro %}

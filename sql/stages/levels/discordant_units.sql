{# Sums over the discordant rows of each unit, a list or a weighted row, and the variance of AUC over units. #}

{#
  sm_discordant_units: a row for each list of a slice and for each list of the total, where it counts as a
    whole, with its rows of each class and their discordant counts. With weights the counts are sums of weights, and
    without lists each row is a unit. sm_discordant_sums: the sum of the discordant counts.
#}
{% macro stages_of_discordant_units(plan) -%}
{%- set named, lists = sqlmetrics.name_of_unit(plan), plan['facts']['group'] is not none -%}
{%- set source = 'sm_discordant_parts' if plan['facts']['total'] else 'sm_discordant_units' -%}
{%- set columns, names, totals, both = [], [], [], [] -%}
{%- for column, template in sqlmetrics.counts_of_unit(plan).items() -%}
    {%- do columns.append((template if lists else template | replace('sum(', '(')) ~ ' as ' ~ column) -%}
    {%- if not column.endswith('_in_total') -%}
        {%- set of_total = source ~ '.' ~ column ~ ('_in_total' if '_others' in column) -%}
        {%- do names.append(column) -%}
        {%- do totals.append(('sum(' ~ of_total ~ ')' if lists else of_total) ~ ' as ' ~ column) -%}
        {%- set counted = 'case when sm_in_total = 1 then ' ~ column ~ '_in_total else ' ~ column ~ ' end'
            if '_others' in column else column -%}
        {%- do both.append(('sum(' ~ counted ~ ')' if lists else counted) ~ ' as ' ~ column) -%}
    {%- endif -%}
{%- endfor -%}
-- the rows of the other class for the rows of a {{ 'list' if lists else 'class' }}
{{ source }} as{{ sqlmetrics.sql_cte_materialized() }} (
    select
        {%- set kept = ([] if not lists else ['sm_group'] if plan['facts']['total'] else named) %}
        {{- sqlmetrics.lines(plan['facts']['keys'] + kept + columns, 8) }}
    from sm_discordant_rows
    {%- if lists %}
    group by {{ (plan['facts']['keys'] + ['sm_group']) | join(', ') }}
    {%- endif %}
),
{%- if plan['facts']['total'] %}

-- the same for {{ 'the lists of the total, each as a whole' if lists else 'the rows of the total' }}
sm_discordant_units as{{ sqlmetrics.sql_cte_materialized() }} (
    {%- if sqlmetrics.sql_copies_stages() %}
    select
        {{- sqlmetrics.lines(sqlmetrics.model_keys(plan) + ['sm_counted_in as sm_slice'] + named + both, 8) }}
    from {{ sqlmetrics.counted_twice('sm_discordant_parts', marked=true) }} as sm_slices_and_total
    {%- if lists %}
    group by {{ (sqlmetrics.model_keys(plan) + ['sm_counted_in', 'sm_group']) | join(', ') }}
    {%- endif %}
    {%- else %}
    select
        {{- sqlmetrics.lines(plan['facts']['keys'] + named + names, 8) }}
    from sm_discordant_parts
    union all
    select
        {{- sqlmetrics.lines(sqlmetrics.total_keys(plan) + named + totals, 8) }}
    from sm_discordant_parts
    {%- if lists %}
    group by {{ (sqlmetrics.model_keys(plan) + ['sm_group']) | join(', ') }}
    {%- endif %}
    {%- endif %}
),
{%- endif %}

-- what is summed over those {{ 'lists' if lists else 'rows' }}
sm_discordant_sums as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(plan['facts']['keys'] + ['sum(sm_positive_others) as sm_auc_discordant'], 8) }}
    from sm_discordant_units
    {{- sqlmetrics.grouped_by(plan['facts']['keys']) }}
)
{%- endmacro %}

{#
  The counts of a unit by the names of their columns: its rows of each class and their discordant counts, in the slice
  and in the total; with weights of lists also its number of rows of each class, of which its mean weights are made.
#}
{% macro counts_of_unit(plan) -%}
    {%- set weighted, counts = plan['facts']['weight'] is not none, {} -%}
    {%- set weight = 'sm_weight * ' if weighted else '' -%}
    {#- without weights the negative rows are all rows less the positive ones -#}
    {%- set negative = weight ~ '(1 - sm_level_positives)' -%}
    {%- do counts.update({
        'sm_positive_rows': 'sum(' ~ weight ~ 'sm_level_positives)',
        'sm_negative_rows': 'sum(' ~ negative ~ ')' if weighted else 'count(*) - sum(sm_level_positives)',
    }) -%}
    {%- for scope in sqlmetrics.scopes_of_discordant(plan) -%}
        {%- set others, ending = 'sm_others' ~ scope['column'], '_others' ~ scope['column'] -%}
        {%- set of_positives = 'sum(' ~ weight ~ 'sm_level_positives * ' ~ others ~ ')' -%}
        {%- do counts.update({
            'sm_positive' ~ ending: of_positives,
            'sm_negative' ~ ending: 'sum(' ~ negative ~ ' * ' ~ others ~ ')' if weighted
                else 'sum(' ~ others ~ ') - ' ~ of_positives,
        }) -%}
    {%- endfor -%}
    {%- if weighted and plan['facts']['group'] is not none and plan['question']['counts_classes'] -%}
        {%- do counts.update({
            'sm_n_positive': 'sum(sm_level_positives)', 'sm_n_negative': 'sum(1 - sm_level_positives)',
        }) -%}
    {%- endif -%}
    {%- do return(counts) -%}
{%- endmacro %}

{# The column that identifies lists, where two models are compared over them. #}
{% macro name_of_unit(plan) -%}
    {%- do return(['sm_group'] if plan['question']['names_units'] and plan['facts']['group'] is not none else []) -%}
{%- endmacro %}

{#
  sm_auc_deviations: for each unit of a slice, and of the total, the influence of its rows of each class on
    AUC: the sum over them of (their share of correctly ordered pairs less AUC), divided by the number of rows
    of that class; with weights both are sums of weights. sm_has_positive and sm_has_negative: whether it has a row of
    the class, or the mean weight of those.

  sm_auc_spreads: the variance of AUC, and sm_units_of_auc, the number of units with a row of the class that fewer have.
    sm_groups_of_auc, the number of all groups, where the result has it.
#}
{% macro stages_of_auc_deviations(plan) -%}
{%- set columns, has, lists = [], [], plan['facts']['group'] is not none -%}
{%- set weighted = plan['facts']['weight'] is not none -%}
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
        {%- do has.append(
            ('case when ' ~ rows ~ ' > 0 then 1 else 0 end' if not weighted else rows if not lists
                else 'coalesce(' ~ sqlmetrics.ratio(rows, 'sm_n_' ~ name) ~ ', 0)') ~ ' as sm_has_' ~ name
        ) -%}
    {%- endif -%}
{%- endfor -%}
{%- set named = sqlmetrics.name_of_unit(plan) -%}
-- how far the rows of each class {{ 'of a list ' if lists }}pull AUC
sm_auc_deviations as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(sqlmetrics.slice_keys(plan, 'sm_discordant_units.') + named + columns + has, 8) }}
    from sm_discordant_units
    {{ sqlmetrics.inner_join(plan['facts']['keys'], 'sm_discordant_units', 'sm_discordant_sums') }}
    {{ sqlmetrics.inner_join(plan['facts']['keys'], 'sm_discordant_units', 'sm_class_sizes') }}
)
{%- if plan['question']['keeps'] != 'units' -%}
,

-- the variance of AUC
sm_auc_spreads as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(plan['facts']['keys'] + [
            sqlmetrics.variance_over_units(plan) ~ ' as sm_auc_variance',
            sqlmetrics.number_of_rarer_units(plan) ~ ' as sm_units_of_auc',
        ] + (['count(*) as sm_groups_of_auc'] if 'sm_groups_of_auc' in plan['result']['audit'].values() else [])
            + (sqlmetrics.skews_over_units() if plan['auc_skew'] else []), 8) }}
    from sm_auc_deviations
    {{- sqlmetrics.grouped_by(plan['facts']['keys']) }}
)
{%- endif -%}
{%- endmacro %}

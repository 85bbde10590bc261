{#
  The units of compared metrics: the contributions of a list, of the rows of a group or of a row to the metrics of each
  model.
#}

{# sm_values: the metrics of influences and areas of each model, and the divisors of their deviations. #}
{% macro stage_values(plan) -%}
{%- set columns = sqlmetrics.slice_keys(plan, 'sm_row_sums.') -%}
{%- for i in sqlmetrics.compared_by(plan, ['influences', 'areas']) -%}
    {%- set metric = plan['compared_metrics'][i - 1] -%}
    {%- do columns.append(metric['value'] ~ ' as sm_value_' ~ i) -%}
    {%- if metric['scale'] is not none -%}{%- do columns.append(metric['scale'] ~ ' as sm_scale_' ~ i) -%}{%- endif -%}
{%- endfor -%}
-- the values of metrics that no ratio of sums over groups is
sm_values as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(columns, 8) }}
    from sm_row_sums
    {%- for grain, stage in (
        ('second_pass', 'sm_second_pass'), ('label_quantiles', 'sm_label_quantiles'),
        ('precisions', 'sm_precision_sums'), ('recalibration', 'sm_recalibration_sums'),
    ) if plan['needs'][grain] %}
    {{ sqlmetrics.join_sums(plan, 'sm_row_sums', stage) }}
    {%- endfor %}
    {%- if sqlmetrics.reads_discordant(plan) %}
    {{ sqlmetrics.join_sums(plan, 'sm_row_sums', 'sm_discordant_sums') }}
    {%- endif %}
)
{%- endmacro %}

{#
  sm_compared_lists, sm_compared_groups, sm_compared_influences, sm_compared_areas: one row for each list or
    group of each slice, and of the total.

  For each metric i and model j they hold the sums sm_n_i_j and sm_d_i_j of the ratio that the metric is. For
  influences the ratio is the value itself, sm_influence_i_j is the influence of the unit on it, and sm_carried_i_1 its
  weight among the units that carry the value, if not all do. Influences that read the sums of both models
  (inference/pooled.sql) are in rows of their pair, sm_candidate. Where pairs are matched, since they are too many for
  columns, each unit (sm_unit) has a row for each model, and j is 1. For areas sm_influence_i_j is the influence of the
  unit's positive rows, and sm_negative_i_j that of its negative rows.
#}
{% macro stage_units(plan, units) -%}
{%- set columns, by_value, matched = [], units in ('influences', 'areas'), sqlmetrics.matches_pairs(plan) -%}
{%- for metric in plan['compared_metrics'] if metric['units'] == units -%}
    {%- set i = plan['compared_metrics'].index(metric) + 1 -%}
    {%- for model in ([none] if matched else plan['facts']['models']) -%}
        {%- set j = loop.index -%}
        {#- the labels decide which units carry a value, so that all models have the same -#}
        {%- for part in ['n', 'd', 'influence', 'negative'] + (['carried'] if j == 1 else [])
            if metric.get(part) is not none -%}
            {%- set added = sqlmetrics.sql_double(metric[part]) if matched
                else 'case when ' ~ ('sm_values.' if by_value) ~ 'sm_model = ' ~ j ~ ' then '
                    ~ sqlmetrics.sql_double(metric[part]) ~ ' end' -%}
            {%- do columns.append(sqlmetrics.sql_aggregate('sum', added) ~ ' as sm_' ~ part ~ '_' ~ i ~ '_' ~ j) -%}
        {%- endfor -%}
    {%- endfor -%}
{%- endfor -%}
{%- if units == 'areas' and plan['question']['counts_classes'] -%}{%- do columns.extend([
    'max(sm_auc_deviations.sm_has_positive) as sm_has_positive',
    'max(sm_auc_deviations.sm_has_negative) as sm_has_negative',
]) -%}{%- endif -%}
{%- set keys = plan['facts']['keys'] if matched else sqlmetrics.keys_beside_models(plan) -%}
{%- set models = keys | reject('equalto', 'sm_slice') | list -%}
{%- set keys_of_unit = (sqlmetrics.prefixed(keys, 'sm_values.') if by_value else keys)
    + (['sm_candidate'] if units == 'influences' and plan['pooled_sums'] else []) -%}
{%- set usable = '\n    where sm_problem = 0' -%}
{%- set deviations = 'sm_auc_deviations' if units == 'areas' else 'sm_cluster_deviations' -%}
{%- set unit = 'list' if units == 'lists' else 'row' if sqlmetrics.numbers_rows(plan) else 'group' -%}
{#- a search looks units up by their names -#}
{%- set named = ['sm_group as sm_unit'] if plan['question']['finds_units'] or matched else [] -%}
-- what each {{ unit }} adds to the metrics of each model
sm_compared_{{ units }} as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(keys_of_unit + named + columns, 8) }}
    from {{ 'sm_lists' ~ sqlmetrics.lists_of_slices(plan) if units == 'lists'
        else deviations ~ '\n    ' ~ sqlmetrics.inner_join(plan['facts']['keys'], deviations, 'sm_values') if by_value
        else sqlmetrics.sliced(plan) ~ usable }}
    {{- sqlmetrics.grouped_by(keys_of_unit + ['sm_group']) }}
    {%- if plan['facts']['total'] and not by_value %}
    union all
    select
        {{- sqlmetrics.lines(models + ['0 as sm_slice'] + named + columns, 8) }}
    from {{ 'sm_lists' ~ sqlmetrics.lists_of_total(plan) if units == 'lists' else 'sm_rows' ~ usable }}
    group by {{ (models + ['sm_group']) | join(', ') }}
    {%- endif %}
)
{%- endmacro %}

{#
  The rows that a comparison must return: one for each slice, metric and pair of models, with or without a result,
  and with the counts of the slice; and the columns that say what a row is of.
#}

{#
  sm_counts: the audit counts and the guards, one row for each slice, each from the model for which it is
    largest. A bootstrap has them in sm_measured.
#}
{% macro stage_counts_of_slices(plan) -%}
{%- set source = 'sm_measured' if plan['resampled'] else 'sm_row_sums' -%}
{%- set keys = sqlmetrics.prefixed(sqlmetrics.keys_beside_models(plan), source ~ '.') -%}
{%- set columns, columns_of_all = keys | list, [] -%}
{%- for name, column in plan['result']['counts'].items() -%}
    {%- do columns_of_all.append('sum(sm_all_' ~ name ~ ') as sm_all_' ~ name) -%}
    {%- do columns.append(
        'max(' ~ (name if plan['resampled'] else 'coalesce(' ~ column ~ ', 0)') ~ ') as sm_all_' ~ name
    ) -%}
{%- endfor -%}
{%- for check in plan['result']['checks'].values() if check['value'] is not none -%}
    {%- do columns.append('max(' ~ check['value'] ~ ') as ' ~ check['value'] ~ '_of_all') -%}
    {%- do columns_of_all.append('max(' ~ check['value'] ~ '_of_all) as ' ~ check['value'] ~ '_of_all') -%}
{%- endfor -%}
{%- for guard in plan['held'] -%}
    {%- set counted = sqlmetrics.counted_for_all(plan, guard) -%}
    {%- do columns_of_all.append('sum(' ~ counted ~ ') as ' ~ counted) -%}
    {%- do columns.append(
        'max(coalesce(' ~ sqlmetrics.filled(plan, guard) ~ ', 0)) as ' ~ sqlmetrics.counted_for_all(plan, guard)
    ) -%}
{%- endfor -%}
{%- set means = sqlmetrics.means_slices(plan) -%}
-- the counts of each slice, of the model for which each is largest
{{ 'sm_counts_of_slices' if means else 'sm_counts' }} as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(columns, 8) }}
    from {{ source }}
    {%- for stage in sqlmetrics.stages_of_counts(plan) if not plan['resampled'] %}
    {{ sqlmetrics.join_sums(plan, 'sm_row_sums', stage) }}
    {%- endfor %}
    {%- if 'sm_groups_divided' in plan['result']['checks'] %}
    cross join sm_divided
    {%- endif %}
    {%- if 'sm_groups_unpaired' in plan['result']['checks'] %}
    cross join sm_unpaired
    {%- endif %}
    {{- sqlmetrics.grouped_by(keys) }}
)
{%- if means %}
,

-- the same beside the mean of the slices: the sums of all
sm_counts as{{ sqlmetrics.sql_cte_shared() }} (
    select sm_counts_of_slices.*
    from sm_counts_of_slices
    union all
    select
        {{- sqlmetrics.lines(['0 as sm_slice'] + columns_of_all, 8) }}
    from sm_counts_of_slices
)
{%- endif -%}
{%- endmacro %}

{# The counts of `stage_counts_of_slices`, and the values of checks, as columns of the result. #}
{% macro counts_of_slices(plan, prefix='') -%}
    {%- set columns = [] -%}
    {%- for name in plan['result']['counts'] -%}
        {%- do columns.append(sqlmetrics.sql_integer(prefix ~ 'sm_all_' ~ name) ~ ' as ' ~ name) -%}
    {%- endfor -%}
    {%- for check in plan['result']['checks'].values() if check['value'] is not none -%}
        {%- do columns.append(check['value'] ~ '_of_all as ' ~ check['value']) -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{# The stages beside sm_row_sums that hold a count of the result, of lists or of examples. #}
{% macro stages_of_counts(plan) -%}
    {%- set stages = {} -%}
    {%- for grain, rule in plan['grains'].items() if rule.get('sums') -%}
        {%- for column in plan['needs'][grain] if column in plan['result']['counts'].values() -%}
            {%- do stages.update({rule['sums']: true}) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do return(stages | list) -%}
{%- endmacro %}

{# The column of sm_counts with the count of a guard. Those of rows that a state lacks are no counts of the result. #}
{% macro counted_for_all(plan, guard) -%}
    {%- set column, checks = sqlmetrics.filled(plan, guard), plan['result']['checks'] -%}
    {{- 'sm_all_' ~ (checks[column]['name'] if column in checks else column[3:]) -}}
{%- endmacro %}

{#
  sm_asked: the rows of the result. sm_found_metric is the metric again, or 0 if the data violate its
    assumptions, so that nothing is found.
#}
{% macro stage_asked(plan) -%}
{%- set found = {} -%}
{%- for metric in plan['compared_metrics'] -%}
    {%- set number, broken = loop.index, [] -%}
    {%- for guard in metric['guards'] -%}
        {%- do broken.append(sqlmetrics.counted_for_all(plan, guard) ~ ' = 0') -%}
    {%- endfor -%}
    {%- do found.update({
        (number, none): 'case when ' ~ broken | join(' and ') ~ ' then ' ~ number ~ ' else 0 end' if broken else number,
    }) -%}
{%- endfor -%}
-- a row for each slice, metric and candidate
sm_asked as (
    select
        {{- sqlmetrics.lines([
            'sm_counts.*', 'sm_metric', 'sm_candidate', sqlmetrics.by_alternative(found) ~ ' as sm_found_metric',
        ], 8) }}
    from sm_counts
    cross join {{ sqlmetrics.alternatives(plan) }}
)
{%- endmacro %}

{# The names of the models: of the candidate, and of the baseline if it is not always the same. #}
{% macro columns_of_models(plan) -%}
    {%- set columns, models = [], sqlmetrics.models_of_user(plan) -%}
    {%- if plan['question']['own']['pairs'] != 'all' -%}
        {%- set name = sqlmetrics.model_name(plan, 'sm_asked', 'sm_candidate') -%}
        {%- do return([{'name': 'candidate', 'value': name, 'any_type': true}]) -%}
    {%- endif -%}
    {%- for side in ('baseline', 'candidate') -%}
        {%- set names = [] -%}
        {%- for pair in sqlmetrics.compared_pairs(plan) -%}
            {%- set name = sqlmetrics.sql_text(models[pair[side] - 1]['name']) -%}
            {%- do names.append('when ' ~ pair['number'] ~ ' then ' ~ name) -%}
        {%- endfor -%}
        {%- do columns.append({
            'name': side, 'value': 'case sm_asked.sm_candidate ' ~ names | join(' ') ~ ' end', 'any_type': true,
        }) -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{#
  The columns of pairs; replicates of the data have no pairs to report. A win is the better value: a lower one of a
  loss, and none of a metric without a better direction. A metric that the package lacks is better if higher.
#}
{% macro columns_of_pairs(plan, resampled) -%}
    {%- set directions, of_better = sqlmetrics.compared_directions(plan), [] -%}
    {%- for if_higher, if_lower in (('sm_above', 'sm_below'), ('sm_below', 'sm_above')) -%}
        {%- set better = sqlmetrics.by_metric(directions['lower'], if_lower, if_higher, 'sm_asked.sm_metric') -%}
        {%- do of_better.append(sqlmetrics.by_metric(directions['neither'], 'null', better, 'sm_asked.sm_metric')) -%}
    {%- endfor -%}
    {%- do return([
        {'name': 'wins', 'value': 'null' if resampled else of_better[0], 'integer': true},
        {'name': 'ties', 'value': 'null' if resampled else 'sm_ties', 'integer': true},
        {'name': 'losses', 'value': 'null' if resampled else of_better[1], 'integer': true},
        {'name': 'n_pairs', 'value': 'case when sm_found_metric > 0 then coalesce(sm_n_pairs, 0) end', 'integer': true},
        {
            'name': 'n_unpaired', 'value': 'case when sm_found_metric > 0 then coalesce(sm_n_unpaired, 0) end',
            'integer': true,
        },
    ]) -%}
{%- endmacro %}

{# The name of the test of a row. That of Wilcoxon's says which distribution its p-value has. #}
{% macro name_of_test(plan) -%}
    {%- set compared, tested = plan['question']['own'], sqlmetrics.last_stage_of_test(plan) -%}
    {%- set test = sqlmetrics.sql_text(compared['test'] if compared['paired'] else 'welch') -%}
    {%- if sqlmetrics.is_anytime(plan) -%}{%- do return(test) -%}{%- endif -%}
    {%- if compared['test'] == 'wilcoxon' -%}
        {%- do return(
            'case when ' ~ tested ~ '.sm_p_value is null then ' ~ test ~ ' when ' ~ tested ~ '.sm_exact = 1 then '
                ~ sqlmetrics.sql_text('wilcoxon_exact') ~ ' else ' ~ sqlmetrics.sql_text('wilcoxon_normal') ~ ' end'
        ) -%}
    {%- endif -%}
    {%- set named = sqlmetrics.by_metric(
        sqlmetrics.compared_by(plan, ['areas']), sqlmetrics.sql_text('delong'), test, 'sm_asked.sm_metric'
    ) -%}
    {%- set named = sqlmetrics.by_metric(
        sqlmetrics.compared_shares(plan) if compared['test'] == 't' else none, sqlmetrics.sql_text('mcnemar'), named,
        'sm_asked.sm_metric'
    ) -%}
    {{- 'case when sm_asked.sm_slice = 0 then ' ~ test ~ ' else ' ~ named ~ ' end'
        if sqlmetrics.means_slices(plan) and named != test else named -}}
{%- endmacro %}

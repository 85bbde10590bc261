{#
  The grain of samples: models compared on different data, each metric with a variance of its own.

  The statistic is the difference of two values over its standard error, the root of the sum of both
  variances. It follows Student's t with the degrees of freedom of Welch and Satterthwaite: exactly Welch's
  test for means, by linearisation for ratios and functions of sums, and for AUC with DeLong's variances. Each
  sample counts as its units less 1; those of AUC are all rows, or over lists the lists with a row of the rarer
  class.

  Source: Welch (1947), doi:10.1093/biomet/34.1-2.28; AUC of rows: pROC's roc.test(paired = FALSE), Robin and
    others (2011), doi:10.1186/1471-2105-12-77
#}

{#
  Records a metric that is compared over samples: its variance, the effective number of units behind the
  variance, and the number of units.
#}
{% macro add_sample(plan, result, value) -%}
    {%- set spread = value['spread'] or {} -%}
    {%- if spread.get('kind') == 'auc' -%}
        {%- set of = {
            'unit': 'rows' if plan['facts']['group'] is none else 'clusters', 'counts': sqlmetrics.usable_weight(plan),
        } -%}
        {%- set units = sqlmetrics.units_of(plan, of) -%}
        {%- set sample = {
            'units': 'areas', 'variance': spread['variance'] ~ ' * ' ~ spread['factor'] ~ ' * ' ~ spread['factor'],
            'effective_n': units if plan['facts']['group'] is none else 'sm_auc_lists', 'n': units,
        } -%}
    {%- elif 'deviation' in spread -%}
        {%- set units = sqlmetrics.units_of(plan, spread) -%}
        {%- set counted = 'case when ' ~ spread['counts'] ~ ' <> 0 then 1 else 0 end' -%}
        {%- set sample = {
            'units': 'samples',
            'variance': sqlmetrics.variance_of(plan, spread),
            'effective_n': units,
            'n': sqlmetrics.need(plan, 'list_sums', plan['asked']['prefix'] ~ '_units', counted)
                if spread['unit'] == 'lists' else sqlmetrics.units_of(plan, dict(spread, carried_by=none)),
        } -%}
    {%- else -%}
        {{- sqlmetrics.refuse(
            "sqlmetrics." ~ plan['question']['own']['call'] ~ ": '" ~ result['notation']
            ~ "' cannot be compared over different data: it has no formula for its standard error. Allowed are metrics"
            ~ " of lists, such as ndcg@10, map and gauc, those of"
            ~ " sums over rows, such as brier, log_loss, rmse and precision, and auc and gini without weight="
        ) -}}
    {%- endif -%}
    {%- set filled = {'value': sqlmetrics.filled(plan, value['sql'])} -%}
    {%- for part, template in sample.items() -%}
        {%- do filled.update({part: sqlmetrics.filled(plan, template)}) -%}
    {%- endfor -%}
    {%- do plan['compared_metrics'].append(dict(result, guards=plan['asked']['guards'] | list, **filled)) -%}
{%- endmacro %}

{# The columns of samples. #}
{% macro columns_of_samples() -%}
    {%- set columns = [] -%}
    {%- for side in ('baseline', 'candidate') -%}
        {%- do columns.append({
            'name': 'n_' ~ side,
            'value': 'case when sm_found_metric > 0 then coalesce(sm_n_' ~ side ~ ', 0) end',
            'integer': true,
        }) -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{# The stages from sums to a test of the two samples. #}
{% macro stages_of_samples(plan) -%}
    {%- do return([
        sqlmetrics.stage_measured(plan), sqlmetrics.stage_both(plan), sqlmetrics.stage_estimates_of_samples(plan),
    ] + ([sqlmetrics.stages_of_t(plan)] if sqlmetrics.is_tested(plan) else [])) -%}
{%- endmacro %}

{#
  sm_measured: one row for each model and slice. For each metric i it holds the value, its variance, the
    effective number of units behind the variance (told_by), and the number of units (n).
#}
{% macro stage_measured(plan) -%}
{%- set columns = sqlmetrics.slice_keys(plan, 'sm_row_sums.') -%}
{%- for metric in plan['compared_metrics'] -%}
    {%- set i = loop.index -%}
    {%- for name in ('value', 'variance', 'effective_n', 'n') -%}
        {%- do columns.append(sqlmetrics.sql_double(metric[name]) ~ ' as sm_' ~ name ~ '_' ~ i) -%}
    {%- endfor -%}
{%- endfor -%}
-- what the metrics are of each model, and how much that varies
sm_measured as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(columns, 8) }}
    from sm_row_sums
    {{- sqlmetrics.joined_sums(plan) | replace('\n', '\n    ') }}
)
{%- endmacro %}

{# sm_both: one row for each slice, metric and candidate, with the columns of both models. #}
{% macro stage_both(plan) -%}
{%- set keys = sqlmetrics.pair_keys(plan) -%}
{%- set columns = keys | list -%}
{%- for side, model in {'baseline': '1', 'candidate': 'sm_candidate'}.items() -%}
    {%- for name, column in {
        'value': side ~ '_value', 'variance': side ~ '_variance', 'effective_n': side ~ '_effective_n',
        'n': 'n_' ~ side,
    }.items() if column != 'n_candidate' or sqlmetrics.is_tested(plan) -%}
        {%- set found = {} -%}
        {%- for metric in plan['compared_metrics'] -%}
            {%- do found.update({(loop.index, none): 'sm_' ~ name ~ '_' ~ loop.index}) -%}
        {%- endfor -%}
        {%- set of_model = 'case when sm_model = ' ~ model ~ ' then ' ~ sqlmetrics.by_alternative(found) ~ ' end' -%}
        {%- do columns.append(sqlmetrics.sql_aggregate('max', of_model) ~ ' as sm_' ~ column) -%}
    {%- endfor -%}
{%- endfor -%}
-- the two models side by side
sm_both as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(columns, 8) }}
    from sm_measured
    cross join {{ sqlmetrics.alternatives(plan) }}
    {{- sqlmetrics.grouped_by(keys) }}
)
{%- endmacro %}

{#
  sm_estimates, as for pairs: the difference; its standard error, NULL if it is missing or only rounding; and
  the numbers of standard errors of an interval and of a detectable difference.
#}
{% macro stage_estimates_of_samples(plan) -%}
{%- set keys = sqlmetrics.pair_keys(plan) -%}
{%- set tested = sqlmetrics.is_tested(plan) -%}
{%- set values = ['sm_baseline_value', 'sm_candidate_value'] -%}
{%- set columns = keys + values + ['sm_n_baseline'] + (['sm_n_candidate'] if tested else []) -%}
{%- set df = sqlmetrics.welch_df(
    'sm_baseline_variance * sm_baseline_effective_n',
    'sm_baseline_effective_n',
    'sm_candidate_variance * sm_candidate_effective_n',
    'sm_candidate_effective_n',
) -%}
{%- set size = '(abs(sm_candidate_value) + abs(sm_baseline_value))' -%}
-- the difference, its standard error, and how many of these an interval and a find take
sm_estimates as{{ sqlmetrics.sql_cte_materialized() }} (
    select
        {{- sqlmetrics.lines((columns if tested else columns | reject('equalto', values[1]) | list) + ['sm_df'] + (
            [sqlmetrics.difference_of_values(size) ~ ' as sm_estimate'] if tested else []
        ) + [
            'case when sm_error > 1e-12 * ' ~ size ~ ' then sm_error end as sm_standard_error',
        ] + sqlmetrics.quantiles_of_difference(plan), 8) }}
    from (
        select
            {{- sqlmetrics.lines(columns + [
                sqlmetrics.sql_double(df) ~ ' as sm_df',
                'sqrt(sm_baseline_variance + sm_candidate_variance) as sm_error',
            ], 12) }}
        from sm_both
    ) as sm_spread_of_both
)
{%- endmacro %}

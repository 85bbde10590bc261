{#
  The grain of samples: models compared on different data, each metric with a variance of its own.

  The statistic is the difference of two values over its standard error. It follows Student's t with the degrees of
  freedom of Welch and Satterthwaite. Each sample counts as its units less 1; those of AUC are the rows of the rarer
  class, or the lists with such a row.

  Of values with an open range the squared standard error is the sum of both variances: exactly Welch's test for means,
  by linearisation for ratios and functions of sums; or the pooled one where it is larger. A value in a closed range
  varies as the share of m units that are right or wrong (ends.sql). If both models are alike, they have one share, and
  the squared standard error is that of two samples of it, with one unit more right and one more wrong in each; it is
  this, or the sum of both variances where
  that is larger. So a sample in which no unit differs is no certain one. The interval ends within the range of a
  difference.

  Source: Welch (1947), doi:10.1093/biomet/34.1-2.28; variances of AUC: DeLong, DeLong, Clarke-Pearson (1988),
    doi:10.2307/2531595, van Dantzig (1951); one share of two samples: Pearson (1900); a unit more: Agresti and Caffo
    (2000), doi:10.1080/00031305.2000.10474560; measured in docs/coverage.md
#}

{#
  Records a metric that is compared over samples: the sums of its variance, which for a closed range are those of ends
  (ends.sql), the effective number of units behind the variance, and the number of units.
#}
{% macro add_sample(plan, result, value) -%}
    {%- set spread = value['spread'] or {} -%}
    {#- the pilot of a study is not tested: its variance is what more units are taken by -#}
    {%- set closed = value['least'] is not none and value['most'] is not none and sqlmetrics.is_tested(plan) -%}
    {%- if spread.get('kind') == 'auc' -%}
        {%- set of = {
            'unit': 'rows' if plan['facts']['group'] is none else 'clusters', 'counts': sqlmetrics.usable_weight(plan),
        } -%}
        {%- set units = sqlmetrics.units_of(plan, of) -%}
        {%- set factor = spread['factor'] -%}
        {%- set sample = dict(
            sqlmetrics.sums_of_auc(plan, spread) if closed else {
                'variance': spread['variance'] ~ ' * ' ~ factor ~ ' * ' ~ factor,
                'units': units if plan['facts']['group'] is none else sqlmetrics.auc_units(plan),
            }, n=units
        ) -%}
    {%- elif 'deviation' in spread -%}
        {%- set units = sqlmetrics.units_of(plan, spread) -%}
        {%- set counted = 'case when ' ~ spread['counts'] ~ ' <> 0 then 1 else 0 end' -%}
        {%- set sample = dict(
            sqlmetrics.sums_of_mean(plan, spread)
                if closed else {'variance': sqlmetrics.variance_of(plan, spread), 'units': units},
            n=sqlmetrics.need(plan, 'list_sums', plan['asked']['prefix'] ~ '_units', counted)
                if spread['unit'] == 'lists' else sqlmetrics.units_of(plan, dict(spread, carried_by=none))
        ) -%}
    {%- else -%}
        {{- sqlmetrics.refuse(
            "sqlmetrics." ~ plan['question']['own']['call'] ~ ": '" ~ result['notation']
            ~ "' cannot be compared over different data: it has no formula for its standard error. Allowed are metrics"
            ~ " of lists, such as ndcg@10, map and gauc, those of"
            ~ " sums over rows, such as brier, log_loss, rmse and precision, and auc and gini"
        ) -}}
    {%- endif -%}
    {%- set filled = {} -%}
    {%- for part, template in dict(sample, value=value['sql']).items() -%}
        {%- do filled.update({part: sqlmetrics.filled(plan, template)}) -%}
    {%- endfor -%}
    {%- do plan['compared_metrics'].append(dict(
        result, guards=plan['asked']['guards'] | list, units='areas' if spread['kind'] == 'auc' else 'samples',
        i=plan['compared_metrics'] | length + 1, by_units=sqlmetrics.is_mean_of_units(spread), sums=filled,
        closed=closed, least=value['least'], most=value['most']
    )) -%}
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
  sm_measured: one row for each model and slice. For each metric i it holds the value, the number of units behind its
    variance (units), and the number of units (n). Of an open range it holds the variance; of a closed one the value as
    a share of the range, and the number of units that are right or wrong.
#}
{% macro stage_measured(plan) -%}
{%- set sums, columns = sqlmetrics.slice_keys(plan, 'sm_row_sums.'), ['sm_summed.*'] -%}
{%- for metric in plan['compared_metrics'] -%}
    {%- set i = metric['i'] -%}
    {%- for name, template in metric['sums'].items() -%}
        {%- do sums.append(sqlmetrics.sql_double(template) ~ ' as sm_' ~ name ~ '_' ~ i) -%}
    {%- endfor -%}
    {%- if metric['closed'] -%}
        {%- set value = 'sm_value_' ~ i -%}
        {%- do columns.extend([
            sqlmetrics.share_of_range(metric, value) ~ ' as sm_share_' ~ i,
            sqlmetrics.right_or_wrong(metric, value) ~ ' as sm_right_or_wrong_' ~ i,
        ]) -%}
    {%- endif -%}
{%- endfor -%}
-- what the metrics are of each model, and how much that varies
sm_measured as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(columns, 8) }}
    from (
        select
            {{- sqlmetrics.lines(sums, 12) }}
        from sm_row_sums
        {{- sqlmetrics.joined_sums(plan) | replace('\n', '\n        ') }}
    ) as sm_summed
)
{%- endmacro %}

{# The columns of sm_measured that some metrics have. #}
{% macro parts_of_samples(plan) -%}
    {%- set closed = plan['compared_metrics'] | map(attribute='closed') | list -%}
    {%- do return(
        ['value', 'units', 'n'] + (['variance'] if false in closed else [])
            + (['share', 'right_or_wrong'] if true in closed else [])
    ) -%}
{%- endmacro %}

{# sm_both: one row for each slice, metric and candidate, with the columns of both models. #}
{% macro stage_both(plan) -%}
{%- set keys = sqlmetrics.pair_keys(plan) -%}
{%- set columns = keys | list -%}
{%- for side, model in {'baseline': '1', 'candidate': 'sm_candidate'}.items() -%}
    {%- for name in sqlmetrics.parts_of_samples(plan)
        if not (name == 'n' and side == 'candidate') or sqlmetrics.is_tested(plan) -%}
        {%- set found = {} -%}
        {%- for metric in plan['compared_metrics'] -%}
            {%- set there = name in ('value', 'units', 'n') or metric['closed'] == (name != 'variance') -%}
            {%- do found.update({
                (loop.index, none): 'sm_' ~ name ~ '_' ~ loop.index if there else sqlmetrics.sql_double('null'),
            }) -%}
        {%- endfor -%}
        {%- set of_model = 'case when sm_model = ' ~ model ~ ' then ' ~ sqlmetrics.by_alternative(found) ~ ' end' -%}
        {%- do columns.append(
            sqlmetrics.sql_aggregate('max', of_model) ~ ' as sm_'
                ~ (side ~ '_value' if name == 'value' else name ~ '_' ~ side)
        ) -%}
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
{%- set keys, parts = sqlmetrics.pair_keys(plan), sqlmetrics.parts_of_samples(plan) -%}
{%- set tested = sqlmetrics.is_tested(plan) -%}
{%- set values = ['sm_baseline_value', 'sm_candidate_value'] -%}
{%- set columns = keys + values + ['sm_n_baseline'] + (['sm_n_candidate'] if tested else []) -%}
{%- set spreads = ['sm_variance_baseline', 'sm_variance_candidate'] -%}
{%- set apart = spreads | join(' + ') -%}
{#- the smaller sample may lack rare large units, so its units alone do not tell how much they vary -#}
{%- set pooled = sqlmetrics.pooled_square_of_error(
    '(' ~ spreads[0] ~ ') * sm_units_baseline', 'sm_units_baseline',
    '(' ~ spreads[1] ~ ') * sm_units_candidate', 'sm_units_candidate',
) -%}
{%- set square = 'case when ' ~ pooled ~ ' > ' ~ apart ~ ' then ' ~ pooled ~ ' else ' ~ apart ~ ' end' -%}
{%- if 'share' in parts -%}
    {%- set of_shares = sqlmetrics.variances_of_shares(plan) -%}
    {%- set square = of_shares if 'variance' not in parts else 'coalesce(' ~ of_shares ~ ', ' ~ square ~ ')' -%}
    {%- for side in ('baseline', 'candidate') -%}
        {%- set of_share = '1 / nullif(sm_right_or_wrong_' ~ side ~ ', 0)' -%}
        {%- do spreads.append(
            of_share if 'variance' not in parts else 'coalesce(' ~ of_share ~ ', ' ~ spreads[loop.index0] ~ ')'
        ) -%}
    {%- endfor -%}
{%- endif -%}
{%- set df = sqlmetrics.welch_df(
    '(' ~ spreads[-2] ~ ') * sm_units_baseline', 'sm_units_baseline',
    '(' ~ spreads[-1] ~ ') * sm_units_candidate', 'sm_units_candidate',
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
                sqlmetrics.sql_double(df) ~ ' as sm_df', 'sqrt(' ~ square ~ ') as sm_error',
            ], 12) }}
        from sm_both
    ) as sm_spread_of_both
)
{%- endmacro %}

{#
  The squared standard error of a difference of values in closed ranges: that of two samples of one share, or that of
  each with its own where it is larger. NULL for values in open ranges.
#}
{% macro variances_of_shares(plan) -%}
    {%- set widths, own = {}, [] -%}
    {%- for metric in plan['compared_metrics'] -%}
        {%- set width = metric['most'] - metric['least'] if metric['closed'] else 1 -%}
        {%- do widths.update({(loop.index, none): sqlmetrics.sql_double(width * width)}) -%}
    {%- endfor -%}
    {%- for side in ('baseline', 'candidate') -%}
        {%- set share = 'sm_share_' ~ side -%}
        {%- do own.append(share ~ ' * (1 - ' ~ share ~ ') / nullif(sm_right_or_wrong_' ~ side ~ ', 0)') -%}
    {%- endfor -%}
    {%- set units = '(sm_right_or_wrong_baseline + sm_right_or_wrong_candidate + 4)' -%}
    {%- set right = 'sm_right_or_wrong_baseline * sm_share_baseline'
        ~ ' + sm_right_or_wrong_candidate * sm_share_candidate' -%}
    {%- set pooled = '((' ~ right ~ ' + 2) / ' ~ units ~ ')' -%}
    {%- set of_one = pooled ~ ' * (1 - ' ~ pooled ~ ') * (1 / nullif(sm_right_or_wrong_baseline, 0)'
        ~ ' + 1 / nullif(sm_right_or_wrong_candidate, 0))' -%}
    {%- set of_each = own | join(' + ') -%}
    {{- sqlmetrics.by_alternative(widths) }} * (case when {{ of_one }} > {{ of_each }} then {{ of_one }}
        else {{ of_each }} end)
{%- endmacro %}

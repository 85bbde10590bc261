{#
  The grain of pairs: what a unit (inference/units.sql) adds to a metric of two models.
#}

{# The keys of a pair's slice, metric and candidate. #}
{% macro pair_keys(plan, prefix='') -%}
    {%- do return(sqlmetrics.prefixed(sqlmetrics.keys_beside_models(plan) + ['sm_metric', 'sm_candidate'], prefix)) -%}
{%- endmacro %}

{# The numbers of the metrics that are compared by certain units, and have a certain property. #}
{% macro compared_by(plan, units, having='units') -%}
    {%- set numbers = [] -%}
    {%- for metric in plan['compared_metrics'] if metric['units'] in units and metric[having] -%}
        {%- do numbers.append(plan['compared_metrics'].index(metric) + 1) -%}
    {%- endfor -%}
    {%- do return(numbers) -%}
{%- endmacro %}

{# The numbers of the metrics that are shares of rows, each of which is right or wrong. #}
{% macro compared_shares(plan) -%}
    {%- do return(sqlmetrics.compared_by(plan, ['groups'], 'right_or_wrong')) -%}
{%- endmacro %}

{#
  The pairs of models that are compared, by the numbers of the models: each candidate with the baseline, or each model
  with those before it. A model alone is compared with itself on other data (api/sample_size.sql).

  Returns: a list of mappings: baseline, candidate; number, which sm_candidate has, of a candidate its own
#}
{% macro compared_pairs(plan) -%}
    {%- set pairs, models = [], sqlmetrics.models_of_user(plan) | length -%}
    {%- if models == 1 -%}{%- do return([{'baseline': 1, 'candidate': 1, 'number': 1}]) -%}{%- endif -%}
    {%- set of_all = plan['question']['own']['pairs'] == 'all' -%}
    {%- for baseline in range(1, models if of_all else 2) -%}
        {%- for candidate in range(baseline + 1, models + 1) -%}
            {%- do pairs.append({
                'baseline': baseline, 'candidate': candidate,
                'number': pairs | length + 1 if of_all else candidate,
            }) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do return(pairs) -%}
{%- endmacro %}

{#
  The comparisons as a relation: sm_metric beside sm_candidate, the number of a pair of models, for the metrics of
  certain units or for all; without the pairs sm_metric alone, beside units that are of a pair.
#}
{% macro alternatives(plan, units=none, with_pairs=true) -%}
    {%- set rows = [] -%}
    {%- for metric in plan['compared_metrics'] if units is none or metric['units'] in units -%}
        {%- set i = plan['compared_metrics'].index(metric) + 1 -%}
        {%- if not with_pairs -%}{%- do rows.append('select ' ~ i ~ ' as sm_metric') -%}{%- endif -%}
        {%- for pair in sqlmetrics.compared_pairs(plan) if with_pairs -%}
            {%- do rows.append('select ' ~ i ~ ' as sm_metric, ' ~ pair['number'] ~ ' as sm_candidate') -%}
        {%- endfor -%}
    {%- endfor -%}
    ({{ rows | join(' union all ') }}) as sm_alternatives
{%- endmacro %}

{# Whether pairs are made by a join of units, not named one by one: those of a leaderboard are thousands. #}
{% macro matches_pairs(plan) -%}{%- do return(plan['question']['own'].get('pairs') == 'matched') -%}{%- endmacro %}

{# Whether the pairs are counted in which each model is better: for the result, or for McNemar's test. #}
{% macro counts_wins(plan) -%}
    {%- set read = sqlmetrics.compared_shares(plan) or not sqlmetrics.matches_pairs(plan) -%}
    {%- do return(sqlmetrics.is_tested(plan) and read) -%}
{%- endmacro %}

{# All pairs of models as a relation: the number of each, sm_candidate, and of its models, the first the baseline. #}
{% macro matched_models(plan) -%}
    {%- set models = [] -%}
    {%- for model in plan['facts']['models'] -%}
        {%- do models.append('select ' ~ loop.index ~ ' as sm_one') -%}
    {%- endfor -%}
    {%- set models = '(' ~ models | join(' union all ') ~ ')' -%}
    {%- set first, second = 'sm_first_models.sm_one', 'sm_second_models.sm_one' -%}
    (select {{ first }} as sm_of_baseline, {{ second }} as sm_of_candidate, {{ first }} * {{
        plan['facts']['models'] | length + 1 }} + {{ second }} as sm_candidate from {{ models }} as sm_first_models
    inner join {{ models }} as sm_second_models on {{ first }} < {{ second }}) as sm_matched_models
{%- endmacro %}

{# The units of all pairs of models, as `stages_of_pairs` reads them: a row for each metric, pair and unit. #}
{% macro matched_units(plan, units, columns) -%}
{%- set keys = sqlmetrics.keys_beside_models(plan) + ['sm_metric'] -%}
{%- set pairs, candidate = 'sm_matched_models', 'sm_matched_models.sm_candidate' -%}
{%- set source = 'sm_compared_' ~ units -%}
{%- set pooled = units == 'influences' and plan['pooled_sums'] -%}
select
            {{- sqlmetrics.lines(keys + [candidate] + sqlmetrics.names_of_pairs(plan) + columns, 12) }}
        from {{ source }}
        inner join {{ sqlmetrics.matched_models(plan) }} on {{ source }}.sm_model in (sm_of_baseline, sm_of_candidate)
            {{- ' and ' ~ source ~ '.sm_candidate = ' ~ candidate if pooled }}
        cross join {{ sqlmetrics.alternatives(plan, [units], with_pairs=false) }}
        group by {{ (keys + [candidate, 'sm_unit']) | join(', ') }}
{%- endmacro %}

{#
  A `case` over metric and candidate. An expression with candidate=none serves every candidate.
#}
{% macro by_alternative(expressions, of='sm_metric') -%}
    {%- set branches, several = [], expressions | map('first') | unique | list | length > 1 -%}
    {%- for (metric, candidate), expression in expressions.items() -%}
        {%- set conditions = ([of ~ ' = ' ~ metric] if several or candidate is none else [])
            + (['sm_candidate = ' ~ candidate] if candidate is not none else []) -%}
        {%- do branches.append('when ' ~ conditions | join(' and ') ~ ' then ' ~ expression) -%}
    {%- endfor -%}
    {%- if expressions.values() | unique | list | length == 1 -%}
        {%- do return(expressions.values() | first) -%}
    {%- endif -%}
    {%- do return('case ' ~ branches | join(' ') ~ ' end') -%}
{%- endmacro %}

{# One expression for the shares of rows, another for the rest, as which the mean of slices is tested. #}
{% macro by_share(plan, of_shares, of_rest, table='') -%}
    {%- set of_slice = ' and ' ~ table ~ 'sm_slice <> 0' if sqlmetrics.means_slices(plan) else '' -%}
    {{- sqlmetrics.by_metric(
        sqlmetrics.compared_shares(plan), of_shares, of_rest, table ~ 'sm_metric', of_slice
    ) -}}
{%- endmacro %}

{# One expression for the metrics with certain numbers, another for the rest. #}
{% macro by_metric(numbers, of_those, of_rest, metric='sm_metric', further='') -%}
{{ 'case when ' ~ metric ~ ' in (' ~ numbers | join(', ') ~ ')' ~ further ~ ' then ' ~ of_those ~ ' else ' ~ of_rest
    ~ ' end' if numbers else of_rest }}
{%- endmacro %}

{#
  The number of standard errors of an interval and of a detectable difference: quantiles of Student's t, of shares of
  rows those of the normal distribution. Of a sequence also sm_widths, how many of them Student's t takes for one.
#}
{% macro quantiles_of_difference(plan) -%}
    {%- set columns = [] -%}
    {%- for name, p in (
        ('critical', (1 + plan['facts']['interval']) / 2), ('power', plan['question']['own']['power'])
    ) -%}
        {%- set of_t = sqlmetrics.student_t_quantile(p, 'sm_df') -%}
        {%- set quantile = sqlmetrics.by_share(plan, sqlmetrics.normal_critical_value(p), of_t) -%}
        {%- if name == 'critical' and sqlmetrics.is_anytime(plan) -%}
            {%- do columns.append(
                '(' ~ quantile ~ ') / ' ~ sqlmetrics.sql_double(sqlmetrics.normal_critical_value(p)) ~ ' as sm_widths'
            ) -%}
            {%- set quantile = sqlmetrics.widened(plan, '(' ~ quantile ~ ')', 'sm_df + 1') -%}
        {%- endif -%}
        {%- do columns.append(quantile ~ ' as sm_' ~ name ~ '_value') -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{#
  sm_sides: one row for each metric, candidate and unit that adds to the ratio of at least one of the two models,
    with its own values, NULL if the metric has none.

  sm_pair_sums: both models' sums over the units that count for both.

  sm_pairs: these units again. sm_difference is the difference of the unit's own values, as a multiple of
    1e-12 of the largest of them, so that values that differ only by rounding are tied. sm_influence is the
    unit's influence on the difference of the models: its n - R d over the sum of d, candidate less
    baseline. Where the models have denominators of their own, such as the rows that precision decides for, R is the
    ratio of both together, which it is if they are alike (inference/pooled.sql): with few such rows a model's own ratio
    is 0 or 1, and says that nothing varies. For areas it is the influence of the positive rows;
    sm_negative_influence has the influence of the negative rows. A state has the parts of these influences in their
    place (inference/kept_pairs.sql).
#}
{% macro stages_of_pairs(plan) -%}
{%- set keys = sqlmetrics.pair_keys(plan) -%}
{%- set sides, areas = [], sqlmetrics.compared_by(plan, ['areas']) -%}
{%- set kept = plan['question']['ends'] == 'sums' -%}
{%- set matched = sqlmetrics.matches_pairs(plan) -%}
{%- set carried = sqlmetrics.compared_by(plan, ['influences'], 'carried') -%}
{%- set decided = sqlmetrics.compared_by(plan, ['groups'], 'adds_zero') -%}
{%- for units in ('lists', 'groups', 'influences', 'areas') if sqlmetrics.compared_by(plan, [units]) -%}
    {%- set columns = [] if matched else keys + sqlmetrics.names_of_pairs(plan) -%}
    {%- for side in ('baseline', 'candidate') -%}
        {%- for part in ['n', 'd'] + ([] if kept else ['influence']) + (['negative'] if areas else []) -%}
            {%- do columns.append(sqlmetrics.part_of_side(plan, units, side, part) ~ ' as sm_' ~ part ~ '_' ~ side) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- for has in ('sm_has_positive', 'sm_has_negative') if areas -%}
        {%- do columns.append(
            ('max(' ~ has ~ ') as ' ~ has if matched else has) if units == 'areas' else '0 as ' ~ has
        ) -%}
    {%- endfor -%}
    {%- if decided -%}
        {%- set found = sqlmetrics.by_metric(decided, '1', '0') if units == 'groups' else '0' -%}
        {%- do columns.append(found ~ ' as sm_decided') -%}
    {%- endif -%}
    {%- if carried -%}
        {%- do columns.append(sqlmetrics.part_of_side(plan, units, 'baseline', 'carried') ~ ' as sm_carried') -%}
    {%- endif -%}
    {%- do sides.append('select' ~ sqlmetrics.lines(columns, 12) ~ '
        from sm_compared_' ~ units ~ '
        cross join ' ~ sqlmetrics.alternatives(
            plan, [units], with_pairs=units != 'influences' or not plan['pooled_sums']
        ) if not matched else sqlmetrics.matched_units(plan, units, columns)) -%}
{%- endfor -%}
{%- set sums = [] -%}
{%- for column in ('n_baseline', 'd_baseline', 'n_candidate', 'd_candidate') -%}
    {%- do sums.append('sum(case when sm_paired = 1 then sm_' ~ column ~ ' end) as sm_sum_' ~ column) -%}
{%- endfor -%}
{%- for side in ('baseline', 'candidate') if sqlmetrics.compared_by(plan, ['influences', 'areas']) -%}
    {%- do sums.append(sqlmetrics.sql_aggregate('max', 'sm_n_' ~ side) ~ ' as sm_whole_' ~ side) -%}
{%- endfor -%}
{%- if sqlmetrics.counts_wins(plan) -%}
    {%- do sums.append(
        sqlmetrics.sql_aggregate('max', 'case when sm_paired = 1 then abs(sm_own_candidate) + abs(sm_own_baseline) end')
        ~ ' as sm_size'
    ) -%}
{%- endif -%}
{%- if sqlmetrics.compared_by(plan, ['lists']) and not kept -%}
    {%- do sums.append('sum(case when sm_paired = 1 then sm_d_baseline * sm_d_candidate end) as sm_products') -%}
{%- endif -%}
{%- if carried -%}
    {%- set carried_by = 'case when sm_paired = 1 then sm_carried end' -%}
    {%- do sums.append(
        (sqlmetrics.ratio('sum(' ~ carried_by ~ ') * sum(' ~ carried_by ~ ')', 'sum(' ~ carried_by ~ ' * sm_carried)')
            if sqlmetrics.numbers_rows(plan) else 'sum(case when sm_paired = 1 and sm_carried > 0 then 1 else 0 end)')
        ~ ' as sm_n_carrying'
    ) -%}
{%- endif -%}
{#- a unit without a value of its own still counts if it adds to the numerator: in wape a row with label 0 -#}
{%- set counts = {} -%}
{%- for side in ('baseline', 'candidate') -%}
    {%- do counts.update({side: '(sm_d_' ~ side ~ ' <> 0 or sm_n_' ~ side ~ ' <> 0)'}) -%}
{%- endfor -%}
{%- set paired = counts['baseline'] ~ ' and ' ~ counts['candidate'] ~ ' or sm_d_baseline = 0 and sm_d_candidate = 0' -%}
{%- set paired = 'case when ' ~ paired ~ ' then 1 else 0 end' -%}
{%- if decided -%}
    {%- set paired = 'case when sm_decided = 0 then ' ~ paired
        ~ ' when sm_d_baseline is not null and sm_d_candidate is not null then 1 else 0 end' -%}
{%- endif -%}
{%- set pooled = sqlmetrics.ratio(
    'sm_sum_n_baseline + sm_sum_n_candidate', 'sm_sum_d_baseline + sm_sum_d_candidate'
) -%}
{%- set influences, sizes, deviations = {}, [], {} -%}
{%- for side in ('candidate', 'baseline') -%}
    {%- set n, d, total = 'sm_n_' ~ side, 'sm_d_' ~ side, 'sm_sum_d_' ~ side -%}
    {%- set explained = sqlmetrics.by_metric(
        decided, pooled, sqlmetrics.ratio('sm_sum_n_' ~ side, total), 'sm_sides.sm_metric'
    ) -%}
    {%- set explained = ('coalesce(' ~ explained ~ ', 0)' if kept else '(' ~ explained ~ ')' if decided else explained)
        ~ ' * ' ~ d -%}
    {%- do deviations.update({side: {
        'sql': '(' ~ n ~ ' - ' ~ explained ~ ')', 'size': 'abs(' ~ n ~ ') + abs(' ~ explained ~ ')',
    }}) -%}
    {%- do influences.update({side: sqlmetrics.ratio(n ~ ' - ' ~ explained, total) ~ ' + sm_influence_' ~ side}) -%}
    {%- do sizes.append(sqlmetrics.ratio('abs(' ~ n ~ ') + abs(' ~ explained ~ ')', 'abs(' ~ total ~ ')')) -%}
{%- endfor -%}
{%- set difference = '(sm_own_candidate - sm_own_baseline)' -%}
{%- set roots = sqlmetrics.compared_by(plan, ['influences'], 'root') -%}
{%- set pulled = sqlmetrics.less_rounding(
    influences['candidate'] ~ ' - (' ~ influences['baseline'] ~ ')', sizes | join(' + ')
) -%}
{#- counts of rows are exact, sums of weights are not -#}
{%- set negative = 'sm_negative_candidate - sm_negative_baseline' -%}
{%- if plan['facts']['weight'] is not none -%}
    {%- set negative = sqlmetrics.less_rounding(negative, sizes | join(' + ')) -%}
{%- endif -%}
{#- of precision all rows are pairs, those that no model decides for too, and a single row has no value -#}
{%- set decided_rows = decided if sqlmetrics.numbers_rows(plan) else [] -%}
{%- set without_own = sqlmetrics.compared_by(plan, ['influences', 'areas']) + decided_rows -%}
{%- set own = ['sm_both_sides.*'] -%}
{%- for side in ('baseline', 'candidate') if not matched or sqlmetrics.counts_wins(plan) -%}
    {%- do own.append(
        sqlmetrics.by_metric(
            without_own, sqlmetrics.sql_double('null'), sqlmetrics.ratio('sm_n_' ~ side, 'sm_d_' ~ side)
        ) ~ ' as sm_own_' ~ side
    ) -%}
{%- endfor -%}
-- the two models side by side, by metric and candidate
sm_sides as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(own
            + [paired ~ ' as sm_paired'], 8) }}
    from (
        {{ sides | join('\n        union all\n        ') }}
    ) as sm_both_sides
    where {{ counts['baseline'] }} or {{ counts['candidate'] }}{{ ' or sm_decided = 1' if decided_rows }}
),

-- the sums of both over what counts for both
sm_pair_sums as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(keys + sums
            + ['sum(sm_paired) as sm_n_pairs', 'sum(1 - sm_paired) as sm_n_unpaired'], 8) }}
    from sm_sides
    group by {{ keys | join(', ') }}
),

-- how far each pair pulls the difference of the models
sm_pairs as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {%- set named = ['sm_unit', '(' ~ sqlmetrics.units_of_pairs(plan) ~ ') as sm_units']
            if sqlmetrics.means_slices(plan) else [] -%}
        {%- set of_areas = [
            'sm_has_positive',
            'sm_has_negative',
            negative ~ ' as sm_negative_influence',
        ] -%}
        {{- sqlmetrics.lines(sqlmetrics.prefixed(keys, 'sm_sides.') + named + ([
            'case when 1e-12 * sm_size > 0 then floor(' ~ difference
                ~ ' / (1e-12 * sm_size) + 0.5) * (1e-12 * sm_size) else ' ~ difference ~ ' end as sm_difference',
        ] if sqlmetrics.counts_wins(plan) else []) + (sqlmetrics.parts_of_influences(deviations) if kept else [
            sqlmetrics.by_metric(roots, sqlmetrics.ratio(pulled, 'sm_whole_baseline + sm_whole_candidate'), pulled,
                'sm_sides.sm_metric') ~ ' as sm_influence',
        ]) + (of_areas if areas else []), 8) }}
    from sm_sides
    inner join sm_pair_sums on {{ sqlmetrics.same_keys(keys, 'sm_sides', 'sm_pair_sums') }}
    where sm_paired = 1 and {{ sqlmetrics.can_be_compared(plan) }}
)
{%- endmacro %}

{# The name of the unit of a pair, where a mean of slices adds what a unit moves in each. #}
{% macro names_of_pairs(plan) -%}{%- do return(['sm_unit'] if sqlmetrics.means_slices(plan) else []) -%}{%- endmacro %}

{# The number of pairs that a variance is of, from sm_pair_sums: of lists the effective one. #}
{% macro units_of_pairs(plan) -%}
    {%- do return(sqlmetrics.by_metric(
        sqlmetrics.compared_by(plan, ['lists']),
        sqlmetrics.ratio('sm_sum_d_baseline * sm_sum_d_candidate', 'sm_products'),
        sqlmetrics.by_metric(
            sqlmetrics.compared_by(plan, ['influences'], 'carried'), sqlmetrics.sql_double('sm_n_carrying'),
            sqlmetrics.sql_double('sm_n_pairs'), 'sm_pair_sums.sm_metric'
        ),
        'sm_pair_sums.sm_metric',
    )) -%}
{%- endmacro %}

{# The contribution of a unit to one of two models: the column of its metric and model. #}
{% macro part_of_side(plan, units, side, part) -%}
    {%- set found = {} -%}
    {%- set one_baseline = side == 'baseline' and plan['question']['own']['pairs'] != 'all' -%}
    {%- set matched = sqlmetrics.matches_pairs(plan) -%}
    {%- set pairs = [{'baseline': 1, 'candidate': 1, 'number': none}] if matched
        else sqlmetrics.compared_pairs(plan) -%}
    {%- for metric in plan['compared_metrics'] if metric['units'] == units -%}
        {%- set i = plan['compared_metrics'].index(metric) + 1 -%}
        {%- for pair in pairs -%}
            {%- set column = 'sm_' ~ part ~ '_' ~ i ~ '_' ~ (1 if part == 'carried' else pair[side]) -%}
            {%- set without = sqlmetrics.sql_double('0' if part == 'influence' else 'null') -%}
            {%- do found.update({
                (i, none if one_baseline else pair['number']): column if metric.get(part) is not none else without,
            }) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- if not matched -%}{%- do return(sqlmetrics.by_alternative(found)) -%}{%- endif -%}
    {{- 'max(case when sm_model = sm_of_' ~ side ~ ' then ' ~ sqlmetrics.by_alternative(found) ~ ' end)' -}}
{%- endmacro %}

{# The condition under which both models can be computed over the pairs: by default all units are pairs. #}
{% macro can_be_compared(plan) -%}
    {%- set whole = sqlmetrics.compared_by(plan, ['influences', 'areas']) -%}
    {%- if plan['question']['own']['on_unpaired'] == 'error' -%}
        sm_n_unpaired = 0
    {%- elif whole -%}
        (sm_n_unpaired = 0 or sm_pair_sums.sm_metric not in ({{ whole | join(', ') }}))
    {%- else -%}
        1 = 1
    {%- endif -%}
{%- endmacro %}

{#
  A difference, or 0 if it is within the rounding of numbers of that size: sums in another order are not
  another value.
#}
{% macro less_rounding(difference, size) -%}
case when abs({{ difference }}) <= 1e-12 * ({{ size }}) then 0 else {{ difference }} end
{%- endmacro %}

{# The difference of the values of two models, NULL if one of them is too large for a float. #}
{% macro difference_of_values(size) -%}
    {{- sqlmetrics.less_rounding(sqlmetrics.value_finite('sm_candidate_value - sm_baseline_value'), size) -}}
{%- endmacro %}

{# The smaller of two numbers. #}
{% macro fewer_of(one, other) -%}case when {{ one }} < {{ other }} then {{ one }} else {{ other }} end{%- endmacro %}

{#
  sm_estimates: the models' values, their difference and its standard error, NULL if the pairs do not vary;
    sm_df, its degrees of freedom; and `quantiles_of_difference`.

  The degrees of freedom are those of intervals (inference/intervals.sql and auc.sql): one less than the
  number of pairs, than the effective number of equally weighted lists, or, for areas, than the number of
  rows of the rarer class, or of groups with such a row: with few of them DeLong's normal distribution finds differences
  of models alike.

  The standard error of a difference of two shares of the same rows is that of a difference of 0: with b and c rows
  that only one model has right, and one more of each, it is sqrt(b + c + 2) / n, so that the test is McNemar's. It is
  there even if no row differs; the differences of other metrics then say nothing of their spread.

  Source: one row more of each: Bonett and Price (2012), doi:10.3102/1076998611411915
#}
{% macro stage_estimates(plan) -%}
{%- set keys, areas = sqlmetrics.pair_keys(plan), sqlmetrics.compared_by(plan, ['areas']) -%}
{%- set tested, wins = sqlmetrics.is_tested(plan), sqlmetrics.counts_wins(plan) -%}
{%- set with_values = not sqlmetrics.matches_pairs(plan) -%}
{%- set by_errors = plan['question']['own']['test'] in ('t', 'anytime') -%}
{%- set of_state = plan['question']['reads'] == 'state' -%}
{%- set counts = (['sm_above', 'sm_ties', 'sm_below'] if tested and with_values else [])
    + ['sm_n_pairs', 'sm_n_unpaired'] -%}
{%- set sums = ['sum(sm_influence * sm_influence) as sm_squares'] -%}
{%- for name, condition in {
    'above': 'sm_difference > 0', 'ties': 'sm_difference = 0', 'below': 'sm_difference < 0',
}.items() if wins and (with_values or name != 'ties') -%}
    {%- do sums.append(
        sqlmetrics.sql_aggregate('sum', 'case when ' ~ condition ~ ' then 1 when sm_difference is not null then 0 end')
        ~ ' as sm_' ~ name
    ) -%}
{%- endfor -%}
{%- set values = ['sm_baseline_value', 'sm_candidate_value'] -%}
{%- set sound = [] -%}
{%- for side in ('baseline', 'candidate') -%}
    {%- set value = sqlmetrics.by_metric(
        sqlmetrics.compared_by(plan, ['influences', 'areas']),
        'sm_whole_' ~ side,
        sqlmetrics.ratio('sm_sum_n_' ~ side, 'sm_sum_d_' ~ side),
        'sm_pair_sums.sm_metric',
    ) -%}
    {%- do sound.append(
        'case when ' ~ sqlmetrics.can_be_compared(plan) ~ ' then ' ~ value ~ ' end as sm_' ~ side ~ '_value'
    ) -%}
{%- endfor -%}
{%- set units = sqlmetrics.units_of_pairs(plan) -%}
{%- set variance = sqlmetrics.by_metric(
    areas,
    'sm_variance_of_areas',
    sqlmetrics.ratio('(' ~ units ~ ') * sm_squares', '(' ~ units ~ ') - 1'),
    'sm_pair_sums.sm_metric',
) -%}
{%- set differ, n = 'sm_above + sm_below', sqlmetrics.sql_double('sm_n_pairs') -%}
{%- set variance = sqlmetrics.by_metric(
    sqlmetrics.compared_shares(plan),
    'case when sm_n_pairs > 1 then (' ~ differ ~ ' + 2) / (' ~ n ~ ' * ' ~ n ~ ') end',
    variance,
    'sm_pair_sums.sm_metric',
) -%}
{%- if areas -%}
    {%- set squares = 'sum(sm_influence * sm_influence) + sum(sm_negative_influence * sm_negative_influence)' -%}
    {%- do sums.append(
        sqlmetrics.less_rounding(sqlmetrics.variance_over_units(plan, 'sm_influence', 'sm_negative_influence'), squares)
        ~ ' as sm_variance_of_areas'
    ) -%}
    {%- do sums.append(sqlmetrics.number_of_rarer_units(plan) ~ ' as sm_n_of_class') -%}
{%- endif -%}
{%- set compared -%}
select
            {{- sqlmetrics.lines(sqlmetrics.prefixed(keys, 'sm_pair_sums.') + counts + sound
                + [
                    sqlmetrics.sql_double(
                        sqlmetrics.by_metric(
                            areas, sqlmetrics.sql_double('sm_n_of_class'), units, 'sm_pair_sums.sm_metric'
                        ) ~ ' - 1'
                    ) ~ ' as sm_df',
                    'nullif(sqrt(' ~ variance ~ '), 0) as sm_standard_error',
                ], 12) }}
        from sm_pair_sums
        left join (
            select
                {%- if of_state %}
                {{- sqlmetrics.spreads_of_kept_pairs(plan, keys) }}
                {%- else %}
                {{- sqlmetrics.lines(keys + sums, 16) }}
            from sm_pairs
            group by {{ keys | join(', ') }}
                {%- endif %}
        ) as sm_spread_of_pairs on {{ sqlmetrics.same_keys(keys, 'sm_pair_sums', 'sm_spread_of_pairs') }}
{%- endset -%}
{%- if sqlmetrics.means_slices(plan) -%}
{{ sqlmetrics.stages_of_mean_of_differences(plan, compared, counts) }},

{% set compared = 'select *
        from sm_compared_slices
        union all
        select *
        from sm_mean_of_differences' -%}
{%- endif -%}
{%- set estimates -%}
select
        {{- sqlmetrics.lines(keys + counts + (values if with_values else []) + ([
            sqlmetrics.difference_of_values('abs(sm_candidate_value) + abs(sm_baseline_value)') ~ ' as sm_estimate',
        ] if tested else []) + [
            'sm_standard_error',
        ] + (['sm_df'] if by_errors or plan['question']['own']['margins'] else [])
            + (sqlmetrics.quantiles_of_difference(plan) if with_values else []), 8) }}
    from (
        {{ compared }}
    ) as sm_compared_sums
{%- endset -%}
-- the difference, its standard error, and how many of these an interval and a find take
sm_estimates as{{ sqlmetrics.sql_cte_materialized() }} (
    {{ sqlmetrics.with_ends_of_shares(plan, estimates) if with_values and sqlmetrics.compared_shares(plan)
        else estimates }}
)
{%- endmacro %}

{#
  A metric by the labels of a machine, corrected by those of people: prediction-powered inference with a tuned power.

  Of n units people have labels, of N others only the machine. The value is p + c (o - j), where p is by people, j by
  the machine on the same units, and o by the machine on the others. With the influence of each unit on p, j and
  o, c is the number in [0, 1] for which the variance is least: c = cov(p, j) / ((1 + n / N) var(j)). A judge who says
  nothing has c = 0, which leaves people alone. The variance is the sum of the squared influences of all units.

  Rows and lists are units of one arm, so var(j) is over the machine's labels of all units. A group may have rows
  of both arms; of groups c is -cov(p, o - j) / var(o - j), from the influences of groups.

  Where people and the judge rarely disagree, a few units tell how much the judge errs, or none. So the variance
  counts two units more on which they disagree, by as much as two units of people differ on average; it is at most the
  variance of people alone.

  Source: Angelopoulos, Bates, Fannjiang, Jordan, Zrnic (2023), doi:10.1126/science.adi6000; the power: Angelopoulos,
    Duchi, Zrnic (2023), arXiv:2311.01453; measured in docs/coverage.md
#}

{# Takes the value of a metric: its units, and what its interval reads. #}
{% macro add_corrected(plan, result, value) -%}
    {%- set spread = value['spread'] or {} -%}
    {%- if spread.get('kind') != 'auc' and 'deviation' not in spread -%}
        {{- sqlmetrics.refuse(
            "'" ~ result['notation'] ~ "' cannot be corrected by gold=: it has no formula for its standard error."
                ~ " Allowed are sums over rows, such as accuracy, log_loss and f1, those of lists, such as ndcg@10,"
                ~ " and auc"
        ) -}}
    {%- endif -%}
    {{- sqlmetrics.add_comparison(plan, result, value) -}}
    {%- do plan['compared_metrics'][-1].update({
        'root': 'root_of' in spread, 'range': {'least': value['least'], 'most': value['most']},
        'by_units': sqlmetrics.is_mean_of_units(spread),
    }) -%}
{%- endmacro %}

{# The columns of the result. #}
{% macro columns_of_corrected(plan) -%}
    {%- set columns = [] -%}
    {%- for result in plan['result']['columns'] -%}
        {%- set name, metric = result['name'], plan['compared_metrics'][loop.index0] -%}
        {%- set range = metric['range'] -%}
        {%- set of = {'notation': result['notation']} -%}
        {%- do columns.append(dict(result, value='sm_value_' ~ loop.index)) -%}
        {%- set closed = range['least'] is not none and range['most'] is not none -%}
        {%- set skew = none if not closed and range['most'] is not none else '' -%}
        {%- do sqlmetrics.ask_ends(
            plan, name, range, {'variance': '', 'units': '', 'critical': '', 'skew': skew}, closed,
            by_units=metric['by_units'], root=metric['root']
        ) -%}
        {%- for end in ('low', 'high') -%}
            {%- do columns.append(dict(
                of, name=name ~ '_' ~ end, end_of=name, kind='mean', value='sm_' ~ end ~ '_' ~ metric['i'],
            )) -%}
        {%- endfor -%}
        {%- for part, value in {
            'judge': 'sm_judge_', 'gold': 'sm_gold_', 'n_effective': 'sm_all_n_gold * sm_worth_',
        }.items() -%}
            {%- do columns.append(dict(of, name=name ~ '_' ~ part, value=value ~ metric['i'])) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{# The stages from units of each arm to the corrected values. #}
{% macro stages_of_corrected(plan) -%}
    {%- set stages = [] -%}
    {%- if sqlmetrics.compared_by(plan, ['influences', 'areas']) -%}
        {%- do stages.append(sqlmetrics.stage_values(plan)) -%}
    {%- endif -%}
    {%- for units in ('lists', 'groups', 'influences', 'areas') if sqlmetrics.compared_by(plan, [units]) -%}
        {%- do stages.append(sqlmetrics.stage_units(plan, units)) -%}
    {%- endfor -%}
    {%- do return(stages + [
        sqlmetrics.stages_of_pulls(plan), sqlmetrics.stage_corrected(plan), sqlmetrics.stage_corrected_values(plan),
        sqlmetrics.stage_counts_of_slices(plan),
    ]) -%}
{%- endmacro %}

{# The keys of a metric of a model. #}
{% macro keys_of_corrected(plan) -%}
    {%- do return(sqlmetrics.keys_beside_models(plan) + ['sm_metric', 'sm_of_model']) -%}
{%- endmacro %}

{#
  sm_judged: numerator, denominator and influence of a unit in each arm; sm_judged_sums: their sums; sm_pulls: the
    influence of the unit on the value by people, and on the value of the others less the value by the judge.
#}
{% macro stages_of_pulls(plan) -%}
{%- set keys, arms, units, sums, values = sqlmetrics.keys_of_corrected(plan), sqlmetrics.arms_of_gold(), [], [], [] -%}
{%- set n_models = plan['facts']['models'] | length // arms | length -%}
{%- for metric in plan['compared_metrics'] -%}
    {%- for model in range(1, n_models + 1) -%}
        {%- set columns = sqlmetrics.keys_beside_models(plan)
            + [metric['i'] ~ ' as sm_metric', model ~ ' as sm_of_model'] -%}
        {%- for arm in arms -%}
            {%- set of_arm, pulls = '_' ~ metric['i'] ~ '_' ~ sqlmetrics.number_of_arm(model, arm), [] -%}
            {%- for part in ('influence', 'negative') if metric.get(part) is not none -%}
                {%- do pulls.append('coalesce(sm_' ~ part ~ of_arm ~ ', 0)') -%}
            {%- endfor -%}
            {%- do columns.extend([
                'sm_n' ~ of_arm ~ ' as sm_n_' ~ arm, 'sm_d' ~ of_arm ~ ' as sm_d_' ~ arm,
                sqlmetrics.sql_double(pulls | join(' + ') or '0') ~ ' as sm_influence_' ~ arm,
            ]) -%}
        {%- endfor -%}
        {%- do units.append('select' ~ sqlmetrics.lines(columns, 8) ~ '\n    from sm_compared_' ~ metric['units']) -%}
    {%- endfor -%}
{%- endfor -%}
{%- for arm in arms -%}
    {%- do sums.extend([
        'sum(sm_n_' ~ arm ~ ') as sm_sum_n_' ~ arm, 'sum(sm_d_' ~ arm ~ ') as sm_sum_d_' ~ arm,
        sqlmetrics.ratio(
            'sum(sm_d_' ~ arm ~ ') * sum(sm_d_' ~ arm ~ ')', 'sum(sm_d_' ~ arm ~ ' * sm_d_' ~ arm ~ ')'
        ) ~ ' as sm_units_' ~ arm,
    ]) -%}
{%- endfor -%}
{%- set pulls = {} -%}
{%- for arm in arms -%}
    {%- set total = 'sm_sum_d_' ~ arm -%}
    {%- set own = sqlmetrics.ratio(
        'sm_n_' ~ arm ~ ' - ' ~ sqlmetrics.ratio('sm_sum_n_' ~ arm, total) ~ ' * sm_d_' ~ arm, total
    ) -%}
    {%- do pulls.update({arm: '(coalesce(' ~ own ~ ', 0) + sm_influence_' ~ arm ~ ')'}) -%}
{%- endfor -%}
-- what each unit adds to a metric by the labels of each arm
sm_judged as{{ sqlmetrics.sql_cte_shared() }} (
    {{ units | join('\n    union all\n    ') }}
),

-- the sums of that, and the number of units behind them
sm_judged_sums as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(keys + sums, 8) }}
    from sm_judged
    group by {{ keys | join(', ') }}
),

-- how far each unit pulls the value by people, and the value of the others less the value by the judge
sm_pulls as{{ sqlmetrics.sql_cte_inline() }} (
    select
        {{- sqlmetrics.lines(sqlmetrics.prefixed(keys, 'sm_judged.') + [
            pulls['people'] ~ ' as sm_of_people', pulls['judge'] ~ ' as sm_of_judge',
            pulls['others'] ~ ' as sm_of_others', pulls['others'] ~ ' - ' ~ pulls['judge'] ~ ' as sm_of_rest',
        ], 8) }}
    from sm_judged
    inner join sm_judged_sums on {{ sqlmetrics.same_keys(keys, 'sm_judged', 'sm_judged_sums') }}
)
{%- endmacro %}

{#
  sm_corrected: a row for each slice, metric and model, with the values of the arms and the corrected one; and what its
    interval is made of (ends.sql). A root is corrected as the value under it.
#}
{% macro stage_corrected(plan) -%}
{%- set keys, sums, roots, values = sqlmetrics.keys_of_corrected(plan), [], [], [] -%}
{%- for name, factors in {
    'pp': ['people', 'people'], 'pr': ['people', 'rest'], 'rr': ['rest', 'rest'], 'jj': ['judge', 'judge'],
    'oo': ['others', 'others'], 'ppp': ['people', 'people', 'people'], 'ppr': ['people', 'people', 'rest'],
    'prr': ['people', 'rest', 'rest'], 'rrr': ['rest', 'rest', 'rest'],
}.items() -%}
    {%- do sums.append('sum(sm_of_' ~ factors | join(' * sm_of_') ~ ') as sm_' ~ name) -%}
{%- endfor -%}
{%- for metric in plan['compared_metrics'] if metric['root'] -%}{%- do roots.append(metric['i']) -%}{%- endfor -%}
{%- for arm in sqlmetrics.arms_of_gold() -%}
    {%- set value = sqlmetrics.ratio('sm_sum_n_' ~ arm, 'sm_sum_d_' ~ arm) -%}
    {%- do values.append(sqlmetrics.by_metric(
        roots, value ~ ' * ' ~ value, value, 'sm_judged_sums.sm_metric'
    ) ~ ' as sm_' ~ arm) -%}
{%- endfor -%}
{%- set n, others = 'sm_units_people', 'sm_units_others' -%}
{%- set may_mix = plan['facts']['group'] is not none and not sqlmetrics.numbers_rows(plan)
    and not sqlmetrics.compared_by(plan, ['lists']) -%}
{#- of units of one arm: the variance of all labels of the judge, about their mean, for n units and for the others -#}
{%- set rest = 'sm_rr' if may_mix else sqlmetrics.ratio(
    '(' ~ n ~ ' + ' ~ others ~ ') * (sm_jj * ' ~ n ~ ' / ' ~ others ~ ' + sm_oo * ' ~ others ~ ' / ' ~ n
        ~ ') + (sm_judge - sm_others) * (sm_judge - sm_others)',
    n ~ ' + ' ~ others ~ ' - 1',
) -%}
{%- set power = sqlmetrics.ratio('-sm_pr', 'case when sm_rest > 1e-26 * sm_judge * sm_judge then sm_rest end') -%}
{%- set squares = '(sm_pp + 2 * sm_power * sm_pr + sm_power * sm_power * sm_rr)' -%}
{%- set unseen = '(' ~ squares ~ ' + 4 * sm_power * sm_power * ' ~ sqlmetrics.ratio('sm_pp', n) ~ ')' -%}
{#- people alone are no worse -#}
{%- set variance = 'case when ' ~ unseen ~ ' <= sm_pp then ' ~ unseen ~ ' when ' ~ squares
    ~ ' <= sm_pp then sm_pp else ' ~ squares ~ ' end' -%}
{%- set cubes = '(sm_ppp + 3 * sm_power * sm_ppr + 3 * sm_power * sm_power * sm_prr'
    ~ ' + sm_power * sm_power * sm_power * sm_rrr)' -%}
-- what people and the judge say together: the power of the judge makes the variance least
sm_corrected as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines([
            'sm_powers.*', 'sm_people + coalesce(sm_power * (sm_others - sm_judge), 0) as sm_value',
            variance ~ ' as sm_variance',
            sqlmetrics.ratio(cubes, squares ~ ' * sqrt(' ~ squares ~ ')') ~ ' as sm_skew',
            sqlmetrics.ratio('sm_pp', variance) ~ ' as sm_worth',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines([
                'sm_rests.*', 'case when ' ~ power ~ ' > 1 then 1 when ' ~ power ~ ' > 0 then ' ~ power
                    ~ ' else 0 end as sm_power',
            ], 12) }}
        from (
            select
                {{- sqlmetrics.lines(['sm_arms.*', rest ~ ' as sm_rest'], 16) }}
            from (
                select
                    {{- sqlmetrics.lines(
                        sqlmetrics.prefixed(keys, 'sm_judged_sums.') + values + [n, others]
                            + ['sm_pp', 'sm_pr', 'sm_rr', 'sm_jj', 'sm_oo', 'sm_ppp', 'sm_ppr', 'sm_prr', 'sm_rrr'], 20
                    ) }}
                from sm_judged_sums
                inner join (
                    select
                        {{- sqlmetrics.lines(keys + sums, 24) }}
                    from sm_pulls
                    group by {{ keys | join(', ') }}
                ) as sm_moments on {{ sqlmetrics.same_keys(keys, 'sm_judged_sums', 'sm_moments') }}
            ) as sm_arms
        ) as sm_rests
    ) as sm_powers
)
{%- endmacro %}

{#
  What sm_corrected_values has of a metric, as expressions over sm_corrected: the corrected value, the values by the
  judge alone and by people alone, how many times the labels by people the interval is worth, and what ends are made of.
#}
{% macro parts_of_corrected(metric) -%}
    {%- set parts = {} -%}
    {%- for part, column in {'value': 'sm_value', 'judge': 'sm_all', 'gold': 'sm_people'}.items() -%}
        {%- do parts.update({part: sqlmetrics.value_in_range(metric, column)}) -%}
    {%- endfor -%}
    {#- the value of what has a least alone is skewed upwards (ends.sql) -#}
    {%- set upwards = metric['range']['least'] is not none and metric['range']['most'] is none -%}
    {%- do parts.update({
        'worth': 'sm_worth', 'variance': 'sm_variance', 'units': 'sm_units_people', 'critical': 'sm_critical',
        'skew': 'case when sm_skew > 0 then sm_skew else 0 end' if upwards else 'sm_skew',
    }) -%}
    {%- do return(parts) -%}
{%- endmacro %}

{# sm_corrected_values: a row for each slice and model, with what belongs to metric i as sm_<part>_<i>. #}
{% macro stage_corrected_values(plan) -%}
{%- set keys, columns = sqlmetrics.keys_beside_models(plan) + ['sm_of_model'], [] -%}
{%- set level = plan['facts']['interval'] -%}
{%- for metric in plan['compared_metrics'] -%}
    {%- for part, sql in sqlmetrics.parts_of_corrected(metric).items() -%}
        {%- do columns.append('max(case when sm_metric = ' ~ metric['i'] ~ ' then ' ~ sql ~ ' end) as sm_' ~ part
            ~ '_' ~ metric['i']) -%}
    {%- endfor -%}
{%- endfor -%}
-- the corrected metrics of each slice and model, and how many standard errors an interval takes
sm_corrected_values as{{ sqlmetrics.sql_cte_materialized() }} (
    select
        {{- sqlmetrics.lines(keys + columns, 8) }}
    from (
        select
            {{- sqlmetrics.lines([
                'sm_freedoms.*', sqlmetrics.student_t_quantile((1 + level) / 2, 'sm_df') ~ ' as sm_critical',
            ], 12) }}
        from (
            select sm_corrected.*, {{ sqlmetrics.sql_double('sm_units_people - 1') }} as sm_df
            from sm_corrected
        ) as sm_freedoms
    ) as sm_by_metric
    group by {{ keys | join(', ') }}
)
{%- endmacro %}

{# A value as the result has it: within the range of the metric, and of a root the root. #}
{% macro value_in_range(metric, value) -%}
    {%- set least, most = 0 if metric['root'] else metric['range']['least'], metric['range']['most'] -%}
    {%- set cases = [] -%}
    {%- for limit, over in ((least, ' < '), (most, ' > ')) if limit is not none -%}
        {%- do cases.append('when ' ~ value ~ over ~ limit ~ ' then ' ~ sqlmetrics.sql_double(limit)) -%}
    {%- endfor -%}
    {%- if cases -%}{%- set value = '(case ' ~ cases | join(' ') ~ ' else ' ~ value ~ ' end)' -%}{%- endif -%}
    {{- 'sqrt(' ~ value ~ ')' if metric['root'] else value -}}
{%- endmacro %}

{# The last select. #}
{% macro result_of_corrected(plan) -%}
{%- set columns, given, outer, values, models, names = sqlmetrics.given_of_corrected(plan), [], [], {}, [], [] -%}
{%- for model in plan['facts']['models'][::sqlmetrics.arms_of_gold() | length] -%}
    {%- do models.append('select ' ~ loop.index ~ ' as sm_number') -%}
    {%- do names.append('when ' ~ loop.index ~ ' then ' ~ sqlmetrics.sql_text(model['name'])) -%}
{%- endfor -%}
{%- if plan['question']['names_models'] -%}
    {%- do columns.append({'sql': 'case sm_number ' ~ names | join(' ') ~ ' end', 'name': 'model'}) -%}
{%- endif -%}
{%- for name in plan['result']['counts'] -%}
    {%- do columns.append({'sql': sqlmetrics.sql_integer('sm_all_' ~ name), 'name': name}) -%}
{%- endfor -%}
{%- for column in columns -%}
    {%- do given.append(column['sql'] ~ ' as sm_given_' ~ loop.index) -%}
    {%- do outer.append('sm_given_' ~ loop.index ~ ' as ' ~ column['name']) -%}
{%- endfor -%}
{%- for metric in plan['compared_metrics'] -%}
    {%- set broken = [] -%}
    {%- for guard in metric['guards'] -%}
        {%- do broken.append('sm_all_' ~ plan['result']['checks'][sqlmetrics.filled(plan, guard)]['name'] ~ ' = 0') -%}
    {%- endfor -%}
    {%- do values.update({metric['name']: 'sm_value_' ~ metric['i']}) -%}
    {%- for part in sqlmetrics.parts_of_corrected(metric) -%}
        {%- set column = 'sm_' ~ part ~ '_' ~ metric['i'] -%}
        {%- do given.append(
            'case when ' ~ broken | join(' and ') ~ ' then ' ~ column ~ ' end as ' ~ column if broken else column
        ) -%}
    {%- endfor -%}
{%- endfor -%}
{%- for result in plan['result']['columns'] -%}
    {%- do outer.append(
        sqlmetrics.value_finite(result['value']) ~ ' as ' ~ sqlmetrics.sql_result(result['name'])
    ) -%}
{%- endfor -%}
{%- for check in plan['result']['checks'].values() if check['value'] is not none -%}
    {%- do given.append(check['value'] ~ '_of_all') -%}
    {%- do outer.append(check['value'] ~ '_of_all as ' ~ check['value']) -%}
{%- endfor -%}
{%- set keys = sqlmetrics.keys_beside_models(plan) -%}
{%- set joined = sqlmetrics.same_keys(keys, 'sm_corrected_values', 'sm_counts') ~ ' and ' if keys -%}
select
    {{- sqlmetrics.lines(outer, 4) }}
from (
    select
        {{- sqlmetrics.lines(['sm_units.*'] + sqlmetrics.columns_of_ends(plan, values), 8) }}
    from (
        select
            {{- sqlmetrics.lines(['sm_parts.*'] + sqlmetrics.units_of_ends(plan, values), 12) }}
        from (
            select
                {{- sqlmetrics.lines(
                    sqlmetrics.prefixed(keys, 'sm_counts.') + ['sm_number', 'sm_all_n_gold'] + given, 16
                ) }}
            from sm_counts
            cross join ({{ models | join(' union all ') }}) as sm_numbers
            left join sm_corrected_values on {{ joined }}sm_corrected_values.sm_of_model = sm_numbers.sm_number
            {%- if plan['facts']['by'] %}
            left join sm_slices on sm_counts.sm_slice = sm_slices.sm_slice
            {%- endif %}
        ) as sm_parts
    ) as sm_units
) as sm_measures
order by {{ 'case when sm_slice = 0 then 1 else 0 end asc, sm_slice asc, ' if keys }}sm_number asc
{%- endmacro %}

{# The columns of the slice. #}
{% macro given_of_corrected(plan) -%}
    {%- set columns = [] -%}
    {%- for column in plan['facts']['by'] -%}
        {%- do columns.append({
            'sql': sqlmetrics.value_of_slice(plan, column, 'sm_counts.sm_slice = 0'), 'name': column['alias'],
        }) -%}
    {%- endfor -%}
    {%- if plan['facts']['total'] -%}
        {%- do columns.append({'sql': 'case when sm_counts.sm_slice = 0 then 1 else 0 end', 'name': 'is_total'}) -%}
    {%- endif -%}
    {%- do return(columns) -%}
{%- endmacro %}

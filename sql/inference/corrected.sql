{#
  A metric by the labels of a machine, corrected by those of people: prediction-powered inference with a tuned power.

  Of n units people have labels, of N others only the machine. The value is p + c (o - j), where p is by people, j by
  the machine on the same units, and o by the machine on the others. With the influence of each unit on p, j and
  o, c is the number in [0, 1] for which the variance is least: c = cov(p, j) / ((1 + n / N) var(j)). A judge who says
  nothing has c = 0, which leaves people alone. The variance is the sum of the squared influences of all units.

  Rows and lists are units of one arm, so var(j) is over the machine's labels of all units. A group may have rows
  of both arms; of groups c is -cov(p, o - j) / var(o - j), from the influences of groups. So it is where people
  labelled rows with unequal chances (gold_weight=): p and j are then weighted, and o is over all rows.

  Where people and the judge rarely disagree, a few units tell how much the judge errs, or none. So the variance
  counts more units on which they disagree, by as much as two units of people differ on average: one for a value in a
  closed range, whose interval allows for few such units as it is (ends.sql), else two. It is at most the variance of
  people alone.

  Units of a large weight or loss decide both values and c, which then fits these units too well. So with unequal
  chances, and in open ranges, the variance takes the residual of a unit as if c came from the others, to first order:
  its square times 1 + 2 h, with the share h of the unit in var(o - j). And Student's t has the degrees of freedom of a
  variance of units with heavy tails, as that of any open range. A difference takes both with unequal chances alone.

  A difference of two models is corrected as a value of its own: p, j and o are differences, which have one c.

  Source: Angelopoulos, Bates, Fannjiang, Jordan, Zrnic (2023), doi:10.1126/science.adi6000; the power: Angelopoulos,
    Duchi, Zrnic (2023), arXiv:2311.01453; residuals of a fit: MacKinnon and White (1985),
    doi:10.1016/0304-4076(85)90158-7; degrees of freedom: Satterthwaite (1946), doi:10.2307/3002019; measured in
    docs/coverage.md
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
    {%- if spread.get('grows') -%}
        {{- sqlmetrics.refuse(
            "'" ~ result['notation'] ~ "' cannot be corrected by gold=: people labelled some rows, and a total is of"
                ~ " all rows. Take mean(column=...) of the column of label=, which can"
        ) -}}
    {%- endif -%}
    {%- if not sqlmetrics.reads_label(plan) -%}
        {{- sqlmetrics.refuse(
            "'" ~ result['notation'] ~ "' cannot be corrected by gold=: it reads no label. base_rate is the share of"
                ~ " positive labels, and mean(column=...) of the column of label= their mean"
        ) -}}
    {%- endif -%}
    {{- sqlmetrics.add_comparison(plan, result, value) -}}
    {#- a corrected share of rows is one of no whole number of rows, as McNemar's test has -#}
    {%- do plan['compared_metrics'][-1].update({
        'right_or_wrong': false, 'root': 'root_of' in spread, 'range': {'least': value['least'], 'most': value['most']},
        'by_units': sqlmetrics.is_mean_of_units(spread),
        'is_share': spread.get('kind') == 'share' and sqlmetrics.numbers_rows(plan) and plan['facts']['weight'] is none,
    }) -%}
{%- endmacro %}

{# Whether a metric reads the label of a row: a sum of its names it. #}
{% macro reads_label(plan) -%}
    {%- for grain, touched in plan['asked']['touched'].items() -%}
        {%- for name in touched -%}
            {%- for hole in plan['needs'][grain][name]['holes']
                if hole in ('label', 'label_text', 'outcome', 'class', 'class_number', 'true_score') -%}
                {%- do return(true) -%}
            {%- endfor -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do return(false) -%}
{%- endmacro %}

{# The stages from units of each arm to what people and the judge say together. #}
{% macro stages_of_people_and_judge(plan) -%}
    {%- do return(sqlmetrics.stages_of_pulled_units(plan) + [sqlmetrics.stage_corrected(plan)]) -%}
{%- endmacro %}

{# The stages from units of each arm to how far each unit pulls a value. #}
{% macro stages_of_pulled_units(plan) -%}
    {%- set stages = [] -%}
    {%- if sqlmetrics.compared_by(plan, ['influences', 'areas']) -%}
        {%- do stages.append(sqlmetrics.stage_values(plan)) -%}
    {%- endif -%}
    {%- for units in ('lists', 'groups', 'influences', 'areas') if sqlmetrics.compared_by(plan, [units]) -%}
        {%- do stages.append(sqlmetrics.stage_units(plan, units)) -%}
    {%- endfor -%}
    {%- do return(stages + [sqlmetrics.stages_of_pulls(plan)]) -%}
{%- endmacro %}

{#
  What is corrected of each metric: the value of each model, or the difference of each pair.

  Returns: a list of mappings of a number, and of models: their numbers by the suffix that their columns have
#}
{% macro corrected_targets(plan) -%}
    {%- set targets = [] -%}
    {%- if plan['question']['own']['of_pairs'] -%}
        {%- for pair in sqlmetrics.compared_pairs(plan) -%}
            {%- do targets.append({
                'number': pair['number'],
                'models': {'_candidate': pair['candidate'], '_baseline': pair['baseline']},
            }) -%}
        {%- endfor -%}
    {%- else -%}
        {%- for model in sqlmetrics.models_of_user(plan) -%}
            {%- do targets.append({'number': loop.index, 'models': {'': loop.index}}) -%}
        {%- endfor -%}
    {%- endif -%}
    {%- do return(targets) -%}
{%- endmacro %}

{# The suffixes of the columns of a model, or of candidate and baseline. #}
{% macro sides_of_corrected(plan) -%}
    {%- do return(['_candidate', '_baseline'] if plan['question']['own']['of_pairs'] else ['']) -%}
{%- endmacro %}

{# The expressions of candidate and baseline as their difference; that of a model alone as it is. #}
{% macro difference_of_sides(of_sides) -%}
    {{- of_sides[0] if of_sides | length == 1 else '(' ~ of_sides | join(' - ') ~ ')' -}}
{%- endmacro %}

{# Whether units are groups, so that their number with labels by people is not that of rows. #}
{% macro groups_are_labelled(plan) -%}{%- do return(not sqlmetrics.numbers_rows(plan)) -%}{%- endmacro %}

{# The keys of a metric of a model, or of a pair. #}
{% macro keys_of_corrected(plan) -%}
    {%- do return(sqlmetrics.keys_beside_models(plan)
        + ['sm_metric', 'sm_candidate' if plan['question']['own']['of_pairs'] else 'sm_of_model']) -%}
{%- endmacro %}

{#
  sm_judged: numerator, denominator and influence of a unit in each arm; sm_judged_sums: their sums; sm_pulls: the
    influence of the unit on the value by people, and on the value of the others less the value by the judge. Where
    units are looked up, they have their name (sm_unit), whether they have a value by the machine, and by people, and
    the value by people (sm_value); their sums are there windows, since an engine that copies stages would make the
    units for each reader of the sums.
#}
{% macro stages_of_pulls(plan) -%}
{%- set named = ['sm_unit'] if plan['question']['finds_units'] else [] -%}
{%- set keys, units, sums, pulls = sqlmetrics.keys_of_corrected(plan), [], [], {} -%}
{%- set arms = plan['question']['arms'] -%}
{%- for metric in plan['compared_metrics'] -%}
    {%- for target in sqlmetrics.corrected_targets(plan) -%}
        {%- set columns = sqlmetrics.keys_beside_models(plan) + named
            + [metric['i'] ~ ' as ' ~ keys[-2], target['number'] ~ ' as ' ~ keys[-1]] -%}
        {%- for side, model in target['models'].items() -%}
            {%- for arm in arms -%}
                {%- set of_arm, moves = '_' ~ metric['i'] ~ '_' ~ sqlmetrics.number_of_arm(plan, model, arm), [] -%}
                {%- for part in ('influence', 'negative') if metric.get(part) is not none -%}
                    {%- do moves.append('coalesce(sm_' ~ part ~ of_arm ~ ', 0)') -%}
                {%- endfor -%}
                {%- do columns.extend([
                    'sm_n' ~ of_arm ~ ' as sm_n_' ~ arm ~ side, 'sm_d' ~ of_arm ~ ' as sm_d_' ~ arm ~ side,
                    sqlmetrics.sql_double(moves | join(' + ') or '0') ~ ' as sm_influence_' ~ arm ~ side,
                ]) -%}
            {%- endfor -%}
        {%- endfor -%}
        {%- do units.append('select' ~ sqlmetrics.lines(columns, 8) ~ '\n    from sm_compared_' ~ metric['units']) -%}
    {%- endfor -%}
{%- endfor -%}
{%- for arm in arms -%}
    {%- set of_sides = [] -%}
    {%- for side in sqlmetrics.sides_of_corrected(plan) -%}
        {%- set of, total = arm ~ side, 'sm_sum_d_' ~ arm ~ side -%}
        {%- do sums.extend([
            'sum(sm_n_' ~ of ~ ') as sm_sum_n_' ~ of, 'sum(sm_d_' ~ of ~ ') as ' ~ total,
            sqlmetrics.ratio('sum(sm_d_' ~ of ~ ') * sum(sm_d_' ~ of ~ ')', 'sum(sm_d_' ~ of ~ ' * sm_d_' ~ of ~ ')')
                ~ ' as sm_units_' ~ of,
        ]) -%}
        {%- set own = sqlmetrics.ratio(
            'sm_n_' ~ of ~ ' - ' ~ sqlmetrics.ratio('sm_sum_n_' ~ of, total) ~ ' * sm_d_' ~ of, total
        ) -%}
        {%- do of_sides.append('(coalesce(' ~ own ~ ', 0) + sm_influence_' ~ of ~ ')') -%}
    {%- endfor -%}
    {%- do pulls.update({arm: sqlmetrics.difference_of_sides(of_sides)}) -%}
{%- endfor -%}
{%- if plan['question']['own']['of_pairs'] -%}
    {%- do sums.extend(sqlmetrics.numbers_of_pairs(plan)) -%}
{%- endif -%}
{%- if sqlmetrics.groups_are_labelled(plan) -%}
    {%- do sums.append('count(case when sm_d_people' ~ sqlmetrics.sides_of_corrected(plan)[0]
        ~ ' <> 0 then 1 end) as sm_groups_of_people') -%}
{%- endif -%}
{%- set found, windows = named + [
    'case when sm_d_all is null then 0 else 1 end as sm_is_unit',
    'case when sm_d_people is null then 0 else 1 end as sm_is_labelled',
    sqlmetrics.ratio('sm_sum_n_people', 'sm_sum_d_people') ~ ' as sm_value',
] if named else [], [] -%}
{%- for arm in ('people', 'judge') if named -%}
    {%- for part in ('n', 'd') -%}
        {%- set of = part ~ '_' ~ arm -%}
        {%- do windows.append(
            'sum(sm_' ~ of ~ ') over (partition by ' ~ keys | join(', ') ~ ') as sm_sum_' ~ of
        ) -%}
    {%- endfor -%}
{%- endfor -%}
-- what each unit adds to a metric by the labels of each arm
sm_judged as{{ sqlmetrics.sql_cte_shared() }} (
    {{ units | join('\n    union all\n    ') }}
),

{% if not named -%}
-- the sums of that, and the number of units behind them
sm_judged_sums as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(keys + sums, 8) }}
    from sm_judged
    group by {{ keys | join(', ') }}
),

{% endif -%}
-- how far each unit pulls the value by people, and the value of the others less the value by the judge
sm_pulls as{{ sqlmetrics.sql_cte_inline() }} (
    select
        {{- sqlmetrics.lines((keys if named else sqlmetrics.prefixed(keys, 'sm_judged.')) + found + [
            pulls['people'] ~ ' as sm_of_people', pulls['judge'] ~ ' as sm_of_judge',
        ] + ([
            pulls['others'] ~ ' as sm_of_others', pulls['others'] ~ ' - ' ~ pulls['judge'] ~ ' as sm_of_rest',
        ] if not named else []), 8) }}
    {%- if named %}
    from (
        select
            {{- sqlmetrics.lines(['sm_judged.*'] + windows, 12) }}
        from sm_judged
    ) as sm_summed
    {%- else %}
    from sm_judged
    inner join sm_judged_sums on {{ sqlmetrics.same_keys(keys, 'sm_judged', 'sm_judged_sums') }}
    {%- endif %}
)
{%- endmacro %}

{#
  sm_corrected: a row for each slice, metric and model, or pair, with the values of the arms and the corrected one; and
    what its interval is made of (ends.sql). A root is corrected as the value under it.
#}
{% macro stage_corrected(plan) -%}
{%- set keys, sums, roots, values = sqlmetrics.keys_of_corrected(plan), [], [], [] -%}
{%- set of_pairs, moments, closed, tailed = plan['question']['own']['of_pairs'], [], [], [] -%}
{%- for metric in plan['compared_metrics'] -%}
    {%- set is_closed = metric['range']['least'] is not none and metric['range']['most'] is not none -%}
    {%- if is_closed -%}{%- do closed.append(metric['i']) -%}{%- endif -%}
    {%- if plan['question']['own']['unequal'] or not (is_closed or of_pairs) -%}
        {%- do tailed.append(metric['i']) -%}
    {%- endif -%}
{%- endfor -%}
{#- cubes for the skewness of a value, fourth powers for degrees of freedom -#}
{%- set powers = [2] + ([] if of_pairs else [3]) + ([4] if tailed else []) -%}
{%- for name, factors in {
    'pp': ['people', 'people'], 'pr': ['people', 'rest'], 'rr': ['rest', 'rest'], 'jj': ['judge', 'judge'],
    'oo': ['others', 'others'], 'ppp': ['people', 'people', 'people'], 'ppr': ['people', 'people', 'rest'],
    'prr': ['people', 'rest', 'rest'], 'rrr': ['rest', 'rest', 'rest'],
    'pppp': ['people'] * 4, 'pppr': ['people'] * 3 + ['rest'], 'pprr': ['people', 'people', 'rest', 'rest'],
    'prrr': ['people'] + ['rest'] * 3, 'rrrr': ['rest'] * 4,
}.items() if name | length in powers -%}
    {%- do moments.append('sm_' ~ name) -%}
    {%- do sums.append('sum(sm_of_' ~ factors | join(' * sm_of_') ~ ') as sm_' ~ name) -%}
{%- endfor -%}
{%- for metric in plan['compared_metrics'] if metric['root'] -%}{%- do roots.append(metric['i']) -%}{%- endfor -%}
{%- set sides, of_values, units = sqlmetrics.sides_of_corrected(plan), [], {} -%}
{%- for arm in plan['question']['arms'] -%}
    {%- set of_sides, of_units = [], [] -%}
    {%- for side in sides -%}
        {%- set value = sqlmetrics.ratio('sm_sum_n_' ~ arm ~ side, 'sm_sum_d_' ~ arm ~ side) -%}
        {%- do of_sides.append(sqlmetrics.by_metric(
            roots, value ~ ' * ' ~ value, value, 'sm_judged_sums.sm_metric'
        )) -%}
        {%- do of_units.append('sm_units_' ~ arm ~ side) -%}
        {%- if side -%}{%- do values.append(of_sides[-1] ~ ' as sm_' ~ arm ~ side) -%}{%- endif -%}
    {%- endfor -%}
    {%- do values.append(sqlmetrics.difference_of_sides(of_sides) ~ ' as sm_' ~ arm) -%}
    {%- if arm in ('people', 'others') -%}
        {%- do values.append(
            of_units[0] if sides | length == 1
                else sqlmetrics.fewer_of(of_units[0], of_units[1]) ~ ' as sm_units_' ~ arm
        ) -%}
    {%- endif -%}
{%- endfor -%}
{%- for side in sides -%}
    {%- do of_values.append(
        'sm_people' ~ side ~ ' + coalesce(sm_power * (sm_others' ~ side ~ ' - sm_judge' ~ side ~ '), 0) as sm_value'
            ~ side
    ) -%}
{%- endfor -%}
{%- set n, others = 'sm_units_people', 'sm_units_others' -%}
{%- set counts = (['sm_n_pairs', 'sm_n_unpaired'] if of_pairs else [])
    + (['sm_groups_of_people'] if sqlmetrics.groups_are_labelled(plan) else []) -%}
{#- of units of one arm: the variance of all labels of the judge, about their mean, for n units and for the others -#}
{%- set rest = 'sm_rr' if plan['question']['own']['mixed'] else sqlmetrics.ratio(
    '(' ~ n ~ ' + ' ~ others ~ ') * (sm_jj * ' ~ n ~ ' / ' ~ others ~ ' + sm_oo * ' ~ others ~ ' / ' ~ n
        ~ ') + (sm_judge - sm_others) * (sm_judge - sm_others)',
    n ~ ' + ' ~ others ~ ' - 1',
) -%}
{%- set size = 'sm_judge * sm_judge' if sides | length == 1
    else '(sm_judge_baseline * sm_judge_baseline + sm_judge_candidate * sm_judge_candidate)' -%}
{%- set power = sqlmetrics.ratio('-sm_pr', 'case when sm_rest > 1e-26 * ' ~ size ~ ' then sm_rest end') -%}
{%- set squares = '(sm_pp + 2 * sm_power * sm_pr + sm_power * sm_power * sm_rr)' -%}
{%- set fitted = 'case when sm_power > 0 then 2 * ' ~ sqlmetrics.ratio(
    '(sm_pprr + 2 * sm_power * sm_prrr + sm_power * sm_power * sm_rrrr)', 'sm_rr'
) ~ ' else 0 end' -%}
{%- set unseen = '(' ~ squares ~ ' + ' ~ sqlmetrics.by_metric(closed, '2', '4') ~ ' * sm_power * sm_power * '
    ~ sqlmetrics.ratio('sm_pp', n) ~ ' + ' ~ sqlmetrics.by_metric(tailed, fitted, '0') ~ ')' -%}
{#- people alone are no worse -#}
{%- set variance = 'case when ' ~ unseen ~ ' <= sm_pp then ' ~ unseen ~ ' when ' ~ squares
    ~ ' <= sm_pp then sm_pp else ' ~ squares ~ ' end' -%}
{%- set cubes = '(sm_ppp + 3 * sm_power * sm_ppr + 3 * sm_power * sm_power * sm_prr'
    ~ ' + sm_power * sm_power * sm_power * sm_rrr)' -%}
{%- set skewness = sqlmetrics.ratio(cubes, squares ~ ' * sqrt(' ~ squares ~ ')') ~ ' as sm_skew' -%}
{%- set df = sqlmetrics.by_metric(tailed, sqlmetrics.freedom_of_corrected(squares), n ~ ' - 1') -%}
{%- set of_shape = ([] if of_pairs else [skewness]) + [df ~ ' as sm_df'] -%}
-- what people and the judge say together: the power of the judge makes the variance least
sm_corrected as{{ sqlmetrics.sql_cte_materialized() }} (
    select
        {{- sqlmetrics.lines([
            'sm_powers.*', variance ~ ' as sm_variance',
            sqlmetrics.ratio('sm_pp', variance) ~ ' as sm_worth',
        ] + of_shape + of_values, 8) }}
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
                        sqlmetrics.prefixed(keys, 'sm_judged_sums.') + values + counts + moments, 20
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

{# The degrees of freedom of a sum of squares of units with heavy tails, as in critical_values.sql. #}
{% macro freedom_of_corrected(squares) -%}
    {%- set power, n = 'sm_power * sm_power', 'sm_units_people' -%}
    {%- set fourths = '(sm_pppp + 4 * sm_power * sm_pppr + 6 * ' ~ power ~ ' * sm_pprr + 4 * ' ~ power
        ~ ' * sm_power * sm_prrr + ' ~ power ~ ' * ' ~ power ~ ' * sm_rrrr)' -%}
    {%- set excess = '(' ~ sqlmetrics.ratio(fourths, squares ~ ' * ' ~ squares) ~ ' - ' ~ sqlmetrics.ratio('1', n)
        ~ ')' -%}
    case when {{ excess }} * ({{ n }} - 1) > 2 then 2 / {{ excess }} else {{ n }} - 1 end
{%- endmacro %}

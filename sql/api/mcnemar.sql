{#
  McNemar's test: compares how often two classifiers are right on the same rows.

  Args:
    relation: a table or CTE name, a dbt relation, or a query; raw rows, or counted rows with `weight`
    label: a column or expression with the class of a row
    baseline, candidate: columns or expressions of the type of the label: the class that each classifier
      predicts
    interval: the confidence level of the interval of the difference
    weight: the column of counts, if a row stands for several
    by, total, total_name, read_once, where: as for `evaluate`
  Returns: a query. For each slice it has the by columns, is_total, the audit counts and one row:
    n_both_right, n_only_baseline, n_only_candidate, n_both_wrong, the rows on which both, only one or neither
    is right; accuracy_baseline and accuracy_candidate; difference, the second less the first; low and high,
    its interval; statistic, chi-square with one degree of freedom and without continuity correction; p_value,
    the probability of a statistic at least as large if both are right equally often; p_exact, the same by the
    binomial distribution of n_only_baseline, preferable if they disagree on few rows
  Undefined: statistic, p_value and p_exact are null if on no row only one of the two is right; p_exact also
    if counts are not integers; all are null if a prediction has a fraction, as rows_baseline_fraction and
    rows_candidate_fraction count
  Errors: no label, baseline or candidate; an interval outside (0, 1)
  Source: McNemar (1947), doi:10.1007/BF02295996; interval: Newcombe (1998), Improved confidence intervals for
    the difference between binomial proportions based on paired data, method 10,
    doi:10.1002/(SICI)1097-0258(19981130)17:22<2635::AID-SIM954>3.0.CO;2-C
  Example: {{ sqlmetrics.mcnemar(ref('predictions'), 'species', baseline='predicted_a',
    candidate='predicted_b') }}
#}
{% macro mcnemar(relation, label, baseline, candidate, interval=0.95) -%}
    {%- set given = sqlmetrics.options_taken('mcnemar', kwargs) -%}
    {%- for role, text in {'label': label, 'baseline': baseline, 'candidate': candidate}.items()
        if text is not string -%}
        {{- sqlmetrics.refuse("sqlmetrics.mcnemar: " ~ role ~ "= takes a column or an SQL expression, got " ~ text) -}}
    {%- endfor -%}
    {{- sqlmetrics.statement_of(sqlmetrics.mcnemar_plan(
        sqlmetrics.expression('baseline', baseline), relation=relation, label=label, prediction=candidate,
        interval=interval, **given
    )) -}}
{%- endmacro %}

{#
  The plan of `mcnemar`. The label is 1 if the baseline is right and the prediction is 1 if the candidate is
  right, so that the cells are the four counts.
#}
{% macro mcnemar_plan(baseline, interval=0.95) -%}
    {%- set plan = sqlmetrics.empty_plan(sqlmetrics.question_of_points('mcnemar'), **kwargs) -%}
    {%- set class = plan['facts']['label'] -%}
    {%- do sqlmetrics.ask(plan, 'mcnemar') -%}
    {%- do sqlmetrics.with_facts(
        plan, label=sqlmetrics.is_right(class, baseline),
        prediction=sqlmetrics.is_right(class, plan['facts']['prediction']),
    ) -%}
    {%- for column in ('class', 'predicted') -%}
        {%- set name, right = {'class': 'baseline', 'predicted': 'candidate'}[column], '{' ~ column ~ '}' -%}
        {{- sqlmetrics.require(
            plan, 'rows', 'rows_' ~ name ~ '_fraction', '{problem} = 0 and ' ~ right ~ ' not in (0, 1)',
            'rows have a prediction of the ' ~ name ~ ' with a fraction, such as {value}, '
                ~ sqlmetrics.no_class() | replace('prediction=', name ~ '='), right
        ) -}}
    {%- endfor -%}
    {{- sqlmetrics.check_level(interval, 'sqlmetrics.mcnemar: ') -}}
    {%- do plan.update({'points': sqlmetrics.stage_cells(plan) ~ ',\n\n' ~ sqlmetrics.stages_of_mcnemar(plan)}) -%}
    {#- phi, shrunk towards 0 if it is positive -#}
    {%- set ends = sqlmetrics.newcombe_ends(
        {'share': 'sm_rate_baseline', 'rows': 'sm_n'}, {'share': 'sm_rate_candidate', 'rows': 'sm_n'},
        'sm_rate_difference',
        sqlmetrics.normal_critical_value((1 + interval) / 2), 'sm_phi',
    ) -%}
    {%- for name, value in {
        'n_both_right': 'sm_n_both_right', 'n_only_baseline': 'sm_n_only_baseline',
        'n_only_candidate': 'sm_n_only_candidate', 'n_both_wrong': 'sm_n_both_wrong',
        'accuracy_baseline': 'sm_rate_baseline', 'accuracy_candidate': 'sm_rate_candidate',
        'difference': 'sm_rate_difference', 'low': ends['low'], 'high': ends['high'], 'statistic': 'sm_z * sm_z',
        'p_value': 'sm_p_value', 'p_exact': 'sm_p_exact',
    }.items() -%}
        {%- do plan['result']['columns'].append({
            'name': name, 'value': sqlmetrics.guarded(plan, value),
            'integer': name.startswith('n_') and plan['facts']['weight'] is none,
            'counts': name.startswith('n_'),
        }) -%}
    {%- endfor -%}
    {%- do return(plan) -%}
{%- endmacro %}

{#
  1 if the class equals the predicted one, otherwise 0; NULL if one of them is missing; the prediction itself if it has
  a fraction, which is no class.
#}
{% macro is_right(class, predicted) -%}
(case
    when {{ sqlmetrics.sql_no_value(class) }} or {{ sqlmetrics.sql_no_value(predicted) }} then null
    when {{ sqlmetrics.class_has_fraction(predicted) }} then {{ sqlmetrics.sql_float_of(predicted) }}
    when {{ predicted }} = {{ class }} then 1
    else 0
end)
{%- endmacro %}

{# sm_points: the four counts side by side, the accuracies, and both tests. #}
{% macro stages_of_mcnemar(plan) -%}
{%- set keys = plan['facts']['keys'] -%}
{%- set counts = keys | list -%}
{%- set rates = keys + ['sm_n', 'sm_n_both_right', 'sm_n_only_baseline', 'sm_n_only_candidate', 'sm_n_both_wrong'] -%}
{%- for name, baseline, candidate in (
    ('both_right', 1, 1), ('only_baseline', 1, 0), ('only_candidate', 0, 1), ('both_wrong', 0, 0)
) -%}
    {%- set rows = 'sum(case when sm_class = ' ~ baseline ~ ' and sm_predicted = ' ~ candidate
        ~ ' then sm_weight else 0 end)' -%}
    {%- do counts.append(sqlmetrics.sql_double(rows) ~ ' as sm_n_' ~ name) -%}
{%- endfor -%}
{%- set tested = rates + ['sm_rate_baseline', 'sm_rate_candidate', 'sm_rate_difference', 'sm_phi', 'sm_z'] -%}
{%- set margins = 'sm_rate_baseline * (1 - sm_rate_baseline) * sm_rate_candidate * (1 - sm_rate_candidate)' -%}
{%- set agreeing = 'sm_n_both_right / sm_n * sm_n_both_wrong' -%}
{%- set disagreeing = 'sm_n_only_baseline / sm_n * sm_n_only_candidate' -%}
{%- set fewer = 'case when sm_n_only_baseline < sm_n_only_candidate'
    ~ ' then sm_n_only_baseline else sm_n_only_candidate end' -%}
{%- set corrected = 'case when sm_agreement > 0.5 then sm_agreement - 0.5'
    ~ ' when sm_agreement < 0 then sm_agreement else 0 end' -%}
{%- set exact = sqlmetrics.sign_chance('sm_fewer', 'sm_discordant') -%}
{%- if plan['facts']['weight'] is not none -%}
    {%- set whole = 'floor(sm_fewer) = sm_fewer and floor(sm_discordant) = sm_discordant' -%}
    {%- set exact = 'case when ' ~ whole ~ ' then ' ~ exact ~ ' end' -%}
{%- endif -%}
-- on how many rows both, one alone or neither is right
sm_right_and_wrong as (
    select
        {{- sqlmetrics.lines(counts + [sqlmetrics.sql_double('sum(sm_weight)') ~ ' as sm_n'], 8) }}
    from sm_cells
    {{- sqlmetrics.grouped_by(keys) }}
),

-- the accuracies, and how far those rows on which both are right go together (sm_agreement)
sm_accuracies as (
    select
        {{- sqlmetrics.lines(rates + [
            '(sm_n_both_right + sm_n_only_baseline) / sm_n as sm_rate_baseline',
            '(sm_n_both_right + sm_n_only_candidate) / sm_n as sm_rate_candidate',
            '(sm_n_only_candidate - sm_n_only_baseline) / sm_n as sm_rate_difference',
            '(' ~ agreeing ~ ' - ' ~ disagreeing ~ ') as sm_agreement',
            'sm_n_only_baseline + sm_n_only_candidate as sm_discordant',
            fewer ~ ' as sm_fewer',
        ], 8) }}
    from sm_right_and_wrong
),

-- both tests
sm_points as (
    select
        {{- sqlmetrics.lines(tested + [
            sqlmetrics.as_p_value('sm_chance') ~ ' as sm_p_value',
            sqlmetrics.as_p_value('sm_exact_chance') ~ ' as sm_p_exact',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines(tested + [
                '2 * ' ~ sqlmetrics.normal_sf('abs(sm_z)') ~ ' as sm_chance',
                exact ~ ' as sm_exact_chance',
            ], 12) }}
        from (
            select
                {{- sqlmetrics.lines(tested[:-2] + [
                    'sm_discordant', 'sm_fewer',
                    '(sm_n_only_candidate - sm_n_only_baseline) / nullif(sqrt(sm_discordant), 0) as sm_z',
                    'coalesce(' ~ corrected ~ ' / nullif(sm_n * sqrt(' ~ margins ~ '), 0), 0) as sm_phi',
                ], 16) }}
            from sm_accuracies
        ) as sm_standardised
    ) as sm_chances
)
{%- endmacro %}

{#
  How many rows, lists or groups a comparison needs to detect a difference, or the smallest difference that so many
  detect, from a pilot: data of the same kind, of any size.

  With a candidate, both models score the same units, whose differences vary as in the pilot. Without one, the units
  are those of each of two independent arms, such as those of an experiment, in which the metric varies as in the pilot.
  A group's rows count together, so that the correlation within groups is in the number.

  Args:
    relation, metrics: as for `compare`; any metric with a formula for its spread
    baseline: the column of a score, or the name of a model in `score`
    candidate: the column of another score, a list of columns, or a mapping of names to columns; with `score` names
    score: as for `compare`
    difference: the difference to detect, a number above 0 in the unit of the metric, or a mapping of metrics to such
      numbers
    n: instead of it, a number of units, at least 2: the smallest difference that they detect
    power: the probability of detecting the difference, from 0.5 to 0.999999
    interval: 1 - interval is the level of the two-sided test
  Further arguments are those of `compare` that plan/options.sql has for it
  Returns: a query with one row for each slice, metric and candidate:
    the by columns, is_total, metric, candidate (its name, if there is one)
    baseline_value, candidate_value: of the pilot
    n_pilot: the units of the pilot that count; n_unpaired: groups with a value for only one of the two models
    minimum_detectable: the smallest difference that the pilot itself detects, as in `compare`
    difference, n: the difference, and the units that detect it: lists; groups, or rows without group=; without a
      candidate those of each arm
    rows: n times the rows of the pilot for each of its units
    the audit counts of `evaluate`, each from the model for which it is largest
  Undefined: n, rows and minimum_detectable are null if the pilot has no standard error: fewer than two units, or none
    that varies; a difference also for fewer than about 2 units. A difference that the range of the metric does not hold
    is null
  Errors: neither difference nor n, or both; a difference that is wider than the range of its metric; a metric
    without a known spread; as for `compare`
  Source: Guenther (1981), Sample size formulas for normal theory t tests, doi:10.2307/2683297: n = (z_a + z_b)^2 s^2 /
    d^2 + z_a^2 / 2, for each of two arms 2 (z_a + z_b)^2 s^2 / d^2 + z_a^2 / 4, here with the standard error of the
    pilot; design effect: Kish (1965), Survey Sampling, 5.4
  Example: {{ sqlmetrics.sample_size(ref('predictions'), 'ndcg@10', 'score_a', 'score_b', difference=0.01,
    label='clicked', group='user_id') }}
#}
{% macro sample_size(relation, metrics, baseline, candidate=none, score=none) -%}
    {%- set given = sqlmetrics.options_taken('sample_size', kwargs) -%}
    {%- set score = sqlmetrics.named_scores(score, given.get('models'), relation) -%}
    {%- set models = sqlmetrics.sized_models(baseline, candidate, score) -%}
    {{- sqlmetrics.statement_of(sqlmetrics.sample_size_plan(metrics, score=models, relation=relation, **given)) -}}
{%- endmacro %}

{# The models in the form of `score`: the baseline alone, of two independent arms, or first. #}
{% macro sized_models(baseline, candidate, score) -%}
    {%- if candidate is not none -%}
        {%- do return(sqlmetrics.compared_models(baseline, candidate, score=score)) -%}
    {%- elif score is not none -%}
        {%- do return({baseline: sqlmetrics.compared_models(baseline, none, score=score)[baseline]}) -%}
    {%- elif baseline is not string -%}
        {{- sqlmetrics.refuse("baseline= takes a column or an SQL expression, got " ~ baseline) -}}
    {%- endif -%}
    {%- do return({baseline: baseline}) -%}
{%- endmacro %}

{# The plan of `sample_size`: that of `compare`, without its test. One model is compared with itself on other data. #}
{% macro sample_size_plan(
    metrics, score, relation=none, models=none, group=none, difference=none, n=none, power=0.8, interval=0.95
) -%}
    {%- if (difference is none) == (n is none) -%}
        {{- sqlmetrics.refuse(
            "sample_size takes a difference to detect, such as difference=0.01, or the number of units, such as n=500"
                ~ ("" if n is none else ", and not both")
        ) -}}
    {%- elif n is not none and (n is not integer or n is boolean or not 2 <= n <= 1e15) -%}
        {{- sqlmetrics.refuse("n must be an integer from 2 to 1e15, got " ~ sqlmetrics.shown(n)) -}}
    {%- endif -%}
    {{- sqlmetrics.check_level(interval) -}}
    {{- sqlmetrics.check_power(power) -}}
    {%- set paired = score | length > 1 -%}
    {%- if paired -%}
        {{- sqlmetrics.check_key_of_pairs(sqlmetrics.has_own_rows(score, relation, models), group) -}}
    {%- endif -%}
    {%- set by_rows = group is none and paired -%}
    {%- set question = sqlmetrics.question_of_comparison(paired, {
        'test': 't', 'correction': none, 'power': power, 'on_unpaired': 'error', 'by_rows': by_rows, 'margins': {},
        'pairs': 'baseline', 'call': 'sample_size',
    }) -%}
    {%- set plan = sqlmetrics.plan(
        metrics, question, relation=relation, score=score, models=models,
        group='sm_row_number' if by_rows else group, interval=interval, **kwargs
    ) -%}
    {%- if by_rows -%}
        {%- do sqlmetrics.with_facts(plan, read_once=true) -%}
    {%- endif -%}
    {%- set differences = {} if difference is none else sqlmetrics.margins_of(plan, difference, 'difference') -%}
    {%- for metric in plan['compared_metrics'] if metric['least'] is not none and metric['most'] is not none -%}
        {%- if differences.get(loop.index, 0) > metric['most'] - metric['least'] -%}
            {{- sqlmetrics.refuse(
                "difference=" ~ differences[loop.index] ~ " is more than '" ~ metric['name']
                    ~ "' can differ, whose range is from " ~ metric['least'] ~ " to " ~ metric['most']
                    ~ "; 1 % is written 0.01"
            ) -}}
        {%- endif -%}
    {%- endfor -%}
    {%- do plan['result'].update({'columns': sqlmetrics.columns_of_sizes(plan, differences, n)}) -%}
    {%- do return(plan) -%}
{%- endmacro %}

{#
  The columns of the result, over sm_asked and sm_estimates.

  The pilot of N units has the standard error e of the difference, and its variance as much information as m units of
  the same weight. Units of which n are taken detect d if n / N = ((z_a + z_b) e / d)^2 + c / m, where c is what
  Student's t needs more than the normal distribution.
#}
{% macro columns_of_sizes(plan, differences, n) -%}
    {%- set paired, by_number, metrics = plan['question']['own']['paired'], {}, [] -%}
    {%- for metric in plan['compared_metrics'] -%}
        {%- do metrics.append('when ' ~ loop.index ~ ' then ' ~ sqlmetrics.sql_text(metric['name'])) -%}
        {%- do by_number.update({(loop.index, none): sqlmetrics.sql_double(differences.get(loop.index, 'null'))}) -%}
    {%- endfor -%}
    {%- set z = sqlmetrics.normal_critical_value((1 + plan['facts']['interval']) / 2) | float -%}
    {%- set reach = z + sqlmetrics.normal_critical_value(plan['question']['own']['power']) | float -%}
    {%- set pilot = 'sm_n_pairs' if paired else 'sm_n_baseline' -%}
    {%- set more = z * z / 2 ~ ' / (sm_df + 1)' if paired else z * z / 2 ~ ' / (sm_df + 2)' -%}
    {%- if n is none -%}
        {%- set difference = sqlmetrics.by_alternative(by_number, of='sm_asked.sm_metric') -%}
        {%- set ratio = '(' ~ sqlmetrics.ratio(reach ~ ' * sm_standard_error', difference) ~ ')' -%}
        {%- set units = pilot ~ ' * (' ~ ratio ~ ' * ' ~ ratio ~ ' + ' ~ more ~ ')' -%}
        {%- set units = 'case when ' ~ units ~ ' <= 2 then 2 when ' ~ units ~ ' <= 1e15 then -floor(-(' ~ units
            ~ ')) end' -%}
    {%- else -%}
        {%- set units = 'case when sm_standard_error > 0 then ' ~ n ~ ' end' -%}
        {%- set share = '(' ~ sqlmetrics.sql_double(n) ~ ' / ' ~ pilot ~ ' - ' ~ more ~ ')' -%}
        {%- set difference = 'case when ' ~ share ~ ' > 0 then '
            ~ sqlmetrics.ratio(reach ~ ' * sm_standard_error', 'sqrt(' ~ share ~ ')') ~ ' end' -%}
        {%- set difference = sqlmetrics.detectable_difference(plan, '(' ~ difference ~ ')') -%}
    {%- endif -%}
    {%- set left_out = 'coalesce(sm_asked.sm_all_rows_dropped, 0)' -%}
    {%- set rows = '-floor(-(' ~ sqlmetrics.ratio(
        '(' ~ units ~ ') * (sm_asked.sm_all_' ~ plan['question']['n_rows'] ~ ' - ' ~ left_out ~ ')', pilot
    ) ~ '))' -%}
    {%- set of_pairs = [
        {'name': 'candidate', 'value': sqlmetrics.model_name(plan, 'sm_asked', 'sm_candidate'), 'any_type': true},
        {'name': 'baseline_value', 'value': 'sm_baseline_value'},
        {'name': 'candidate_value', 'value': 'sm_candidate_value'},
        {
            'name': 'n_pilot', 'value': 'case when sm_found_metric > 0 then coalesce(' ~ pilot ~ ', 0) end',
            'integer': true,
        },
        {
            'name': 'n_unpaired', 'value': 'case when sm_found_metric > 0 then coalesce(sm_n_unpaired, 0) end',
            'integer': true,
        },
    ] -%}
    {%- do return([
        {'name': 'metric', 'value': 'case sm_asked.sm_metric ' ~ metrics | join(' ') ~ ' end', 'any_type': true},
    ] + (of_pairs if paired else [of_pairs[1], of_pairs[3]]) + [
        {'name': 'minimum_detectable', 'value': sqlmetrics.minimum_detectable(plan)},
        {'name': 'difference', 'value': difference},
        {'name': 'n', 'value': units, 'integer': true},
        {'name': 'rows', 'value': rows, 'integer': true},
    ]) -%}
{%- endmacro %}

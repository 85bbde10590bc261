{#
  dbt tests of the value of a metric. Each row returned is a failure: the slice and model, the metric, its
  value, the limits, and the counts of `evaluate`, which explain missing values.

  dbt treats `test_x` as the generic test `x`. While it looks for references it sees only part of the
  package's macros, so a test is empty until it executes.

  Without `interval` the value itself keeps the limits, so a value near a limit fails some day by chance. With it a
  slice fails only if its whole interval is outside, or if it has none. A test that runs every day takes
  interval_method=anytime (inference/anytime.sql), if each run reads all rows since the first.

  With of_state=true the model is one of states, which is finished: nothing but its sums is read.
#}

{#
  The metric of each slice is at least a value.

  Args:
    model: the model, seed, snapshot or source under test; passed by dbt
    metric: one notation, such as `auc` or `ndcg(gain=linear)@10`
    value: the least value that passes
    by: the columns whose values are the slices; without it there is one value
    total: true tests the value of all slices together as well
    interval: a confidence level such as 0.95: a slice fails if its whole interval is below the value
    whole_interval: true lets a slice pass only if its whole interval is at least the value, so if its low end is
    interval_method, tightest_at, n_resamples: as for `evaluate`
    of_state: true if the model is one of states (`state`), with interval of those made with intervals=true; further
      arguments are then those of `finish`
    made_period, made_where: of a state, its column of periods, and the where= with which it was made
  Further arguments are those of `evaluate`: label, score, group, truth ... With gold the corrected value is tested
  Returns: a query with a row for each slice and model that fails. A missing value fails, and so does a model
    without rows
  Errors: a value that is not a number; everything that `evaluate` rejects
  Example: data_tests: [{sqlmetrics.metric_at_least: {arguments: {metric: auc, value: 0.7, by: country, label:
    clicked, score: score}}}]
#}
{% macro test_metric_at_least(model, metric, value) -%}
    {%- if execute -%}
    {%- set given = sqlmetrics.options_taken('metric_at_least', kwargs) -%}
    {%- do sqlmetrics.number(sqlmetrics.plan_of_test('metric_at_least'), 'value', value) -%}
    {{- sqlmetrics.outside_limits(
        'metric_at_least', model, metric, sqlmetrics.sql_double(value), none, none, **given
    ) -}}
    {%- endif -%}
{%- endmacro %}

{#
  The metric of each slice is at most a value.

  Args:
    model, metric, by, total, of_state, made_period, made_where: as for `test_metric_at_least`
    value: the greatest value that passes
    interval: a confidence level such as 0.95: a slice fails if its whole interval is above the value
    whole_interval: true lets a slice pass only if its whole interval is at most the value, so if its high end is
    interval_method, tightest_at, n_resamples: as for `evaluate`
  Further arguments are those of `evaluate`: label, score, group, truth ...
  Returns: a query with a row for each slice and model that fails. A missing value fails, and so does a model
    without rows
  Errors: a value that is not a number; everything that `evaluate` rejects
  Example: data_tests: [{sqlmetrics.metric_at_most: {arguments: {metric: log_loss, value: 0.5, label: clicked,
    score: score}}}]
#}
{% macro test_metric_at_most(model, metric, value) -%}
    {%- if execute -%}
    {%- set given = sqlmetrics.options_taken('metric_at_most', kwargs) -%}
    {%- do sqlmetrics.number(sqlmetrics.plan_of_test('metric_at_most'), 'value', value) -%}
    {{- sqlmetrics.outside_limits(
        'metric_at_most', model, metric, none, sqlmetrics.sql_double(value), none, **given
    ) -}}
    {%- endif -%}
{%- endmacro %}

{#
  The metric of each slice is near a reference value, or near its own value in the period before.

  Args:
    model, metric, by, total, of_state, made_period, made_where: as for `test_metric_at_least`
    tolerance: the largest distance that passes, in units of the metric
    reference: the reference value; without it, `period` is required
    period: a column such as a day or a week; each slice is compared with itself one period before, in the
      order of this column. The first period of a slice, and one after a period without a value, only need a
      value; a row without a period fails
    interval: a confidence level such as 0.95, with `reference`: a slice fails if its whole interval is farther away
    whole_interval: true lets a slice pass only if no end of its interval is farther away
    interval_method, tightest_at, n_resamples: as for `evaluate`
  Further arguments are those of `evaluate`: label, score, group, truth ...
  Returns: a query with a row for each slice, model and period that fails. A missing value fails, and so does
    a model without rows
  Errors: a tolerance below 0; reference and period together, or neither; everything that `evaluate` rejects
  Example: data_tests: [{sqlmetrics.metric_within: {arguments: {metric: auc, tolerance: 0.02, period: day,
    label: clicked, score: score}}}]
#}
{% macro test_metric_within(model, metric, tolerance, reference=none, period=none) -%}
    {%- if execute -%}
    {%- set given = sqlmetrics.options_taken('metric_within', kwargs) -%}
    {%- set this = sqlmetrics.plan_of_test('metric_within') -%}
    {%- do sqlmetrics.number(this, 'tolerance', tolerance, least=0) -%}
    {%- if (reference is none) == (period is none) -%}
        {{- sqlmetrics.refuse("sqlmetrics.metric_within: pass either reference=, a value, or period=, a column") -}}
    {%- elif period is none -%}
        {%- do sqlmetrics.number(this, 'reference', reference) -%}
    {%- elif given.get('total') -%}
        {{- sqlmetrics.refuse(
            "sqlmetrics.metric_within: total= is the value of all periods together, which has none before;"
            ~ " leave it out with period="
        ) -}}
    {%- elif given.get('interval') -%}
        {{- sqlmetrics.refuse(
            "sqlmetrics.metric_within: interval= goes with reference=; the value of the period before is uncertain,"
            ~ " too, so leave interval= out with period="
        ) -}}
    {%- endif -%}
    {%- set reference = 'sm_before' if period is not none else sqlmetrics.sql_double(reference) -%}
    {%- set tolerance = sqlmetrics.sql_double(tolerance) -%}
    {{- sqlmetrics.outside_limits(
        'metric_within', model, metric, reference ~ ' - ' ~ tolerance, reference ~ ' + ' ~ tolerance, period, **given
    ) -}}
    {%- endif -%}
{%- endmacro %}

{# Rejects what is of a state where there is none, and a state without its periods. #}
{% macro check_state_of_test(test, of_state, made_period, made_where) -%}
    {%- if of_state is not boolean -%}
        {{- sqlmetrics.refuse("of_state must be true or false, got " ~ sqlmetrics.shown(of_state)) -}}
    {%- elif not of_state and (made_period is not none or made_where is not none) -%}
        {{- sqlmetrics.refuse("made_period= and made_where= are of a state; leave them out, or pass of_state=true") -}}
    {%- elif of_state and made_period is none -%}
        {{- sqlmetrics.refuse("sqlmetrics." ~ test ~ ": of_state=true needs made_period=, the periods of the state") -}}
    {%- endif -%}
{%- endmacro %}

{# A plan that knows the name of a test alone, for the checks of its arguments. #}
{% macro plan_of_test(name) -%}
    {%- do return({'question': sqlmetrics.question(), 'asked': {'metric': name}}) -%}
{%- endmacro %}

{#
  The slices whose value is outside the limits, as SQL. The total is always computed, because a model without
  rows has a total and no slices. sm_before: the value of the period before.
#}
{% macro outside_limits(
    test, model, metric, least, most, period, by=[], total=false, interval=none, whole_interval=false, of_state=false,
    made_period=none, made_where=none
) -%}
    {%- if metric is not string -%}
        {{- sqlmetrics.refuse("sqlmetrics." ~ test ~ ": metric= takes one notation such as 'auc', got " ~ metric) -}}
    {%- endif -%}
    {{- sqlmetrics.check_state_of_test(test, of_state, made_period, made_where) -}}
    {%- if whole_interval is not boolean or whole_interval and interval is none -%}
        {{- sqlmetrics.refuse(
            "sqlmetrics." ~ test
                ~ ": whole_interval= is true or false, and of an interval; pass its level, interval=0.95"
        ) -}}
    {%- endif -%}
    {%- set slices = sqlmetrics.columns_of(by) + sqlmetrics.columns_of(period, 'period') -%}
    {%- set given = dict(kwargs, by=slices, interval=interval) -%}
    {%- if of_state -%}
        {%- set given = dict(
            sqlmetrics.options_taken('finish', given), period=made_period, made_where=made_where
        ) -%}
        {%- set plan = sqlmetrics.finish_plan({'value': metric}, relation=model, **given) -%}
        {{- sqlmetrics.check_columns_of_state(plan, given) -}}
    {%- else -%}
        {%- set plan = sqlmetrics.plan_of_evaluate({'value': metric}, relation=model, **given) -%}
    {%- endif -%}
    {%- set value = sqlmetrics.sql_result('value') -%}
    {%- do plan['result']['names'].extend(['metric', 'lower_limit', 'upper_limit']) -%}
    {%- set statement = sqlmetrics.bare_statement(plan) -%}
    {%- set keys = plan['facts']['by'] | map(attribute='alias') | list
        + (['is_total'] if plan['facts']['total'] else [])
        + (['model'] if sqlmetrics.has_model_column(plan) else []) -%}
    {%- set columns = ['sm_result.*'] -%}
    {%- if period is not none -%}
        {%- set last = (plan['facts']['by'] | last)['alias'] -%}
        {%- do columns.append(
            'lag(' ~ value ~ ') over (partition by ' ~ keys | reject('equalto', last) | join(', ') ~ ' order by ' ~ last
                ~ ' asc) as sm_before'
        ) -%}
    {%- endif -%}
    {#- the end of an interval that is farther within a limit: beyond it the whole interval is outside; for a whole
        interval within it is the other one -#}
    {%- set ends = [] -%}
    {%- for end in ('value_low', 'value_high') if interval is not none -%}
        {%- do ends.append(sqlmetrics.sql_result(end)) -%}
    {%- endfor -%}
    {%- set kept = [] -%}
    {%- for given in [value] + ends -%}{%- do kept.append(sqlmetrics.sql_finite(given)) -%}{%- endfor -%}
    {%- for name, sign, limit, end in (
        ('lower_limit', '>=', least, (ends | first if whole_interval else ends | last) if ends else value),
        ('upper_limit', '<=', most, (ends | last if whole_interval else ends | first) if ends else value),
    ) if limit is not none -%}
        {%- do kept.append('(' ~ name ~ ' is null or ' ~ end ~ ' ' ~ sign ~ ' ' ~ name ~ ')') -%}
    {%- endfor -%}
    {%- if period is not none -%}
        {%- do kept.append((plan['facts']['by'] | last)['alias'] ~ ' is not null') -%}
    {%- endif -%}
    {%- set slices_alone = 'is_total = 0 and ' if plan['facts']['total'] and not total else '' -%}
    {%- set limits = [] -%}
    {%- for name, limit in (('lower_limit', least), ('upper_limit', most)) -%}
        {%- do limits.append((sqlmetrics.sql_double('null') if limit is none else limit) ~ ' as ' ~ name) -%}
    {%- endfor -%}
select
    {%- set answers = [sqlmetrics.sql_text(metric) ~ ' as metric', value] + ends + ['lower_limit', 'upper_limit'] %}
    {{- sqlmetrics.lines(keys + answers + plan['result']['counts'] | list, 4) }}
from (
    select
        {{- sqlmetrics.lines(['sm_compared.*'] + limits, 8) }}
    from (
        select
            {{- sqlmetrics.lines(columns, 12) }}
        from (
{{ statement }}
        ) as sm_result
    ) as sm_compared
) as sm_limited
where n_rows = 0 or ({{ slices_alone }}not ({{ kept | join(' and ') }}))
{%- endmacro %}

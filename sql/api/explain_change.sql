{#
  Why a metric moved from one period to another: what the changed shares of slices add to the change (mix), and what
  their changed values add (rate).

  A metric is a sum over units (rows; lists, for metrics of lists) divided by another one. The share of a slice is its
  share of the divisor, its value is the metric in the slice. The metric is the sum of share times value over slices,
  so the change is exactly the sum of their effects:

  mix: (share_after - share_before) * (the slice's value - the metric of all slices)
  rate: the slice's share * (value_after - value_before)

  The value in mix, the metric of all and the share in rate are the means of both periods (base=midpoint), or those of
  the first period (base=before). Then there is a third part, interaction: change of the share * change of the value. A
  slice whose value is that of all slices adds nothing by its share alone. A slice without units in one of the periods
  counts there with the value of the other one: its whole effect is mix. The whole effect of a slice whose divisor is
  0 is mix, too, such as wape where all labels are 0; it has no value.

  Args:
    relation: as for `evaluate`; a state with of_state=true
    metric: the notation of one metric, a ratio of sums over rows or lists (`log_loss`, `precision`, `ndcg@10`,
      `gauc`). Of a root take what is under it: `mse` instead of `rmse`
    by: the columns whose values are the slices, one or a list as for `evaluate`. Several columns are crossed
    period: the column of the period, or an expression
    before, after: the two values of period to compare, as the texts that a cast of period gives, or booleans. A date
      stands for the beginning of its day, too
    reference: instead of period, before and after: a second relation with the same columns, which is the period
      before
    models: {'run': ['new']}, the column that names the model of a row and the one model whose rows are read
    base: midpoint or before
    interval: the confidence level of intervals
    of_state: true if relation is a state (`state`). The other arguments are then those of `finish`, and no data are
      read again. A state has no sums of squares, so there are no intervals
    made_period: of a state, its column of periods, if period is an expression of it such as its month
    made_where: of a state, the where= of `state`, if it was made of a part of the data
  Further arguments are those of `evaluate` that plan/options.sql has for it
  Returns: a query with one row for each slice, the largest effect first, and one for all (is_total):
    the by columns, is_total
    n_rows_before, n_rows_after: the rows of each period
    n_units_before, n_units_after: the units that count for the metric; not of a state
    share_before, share_after, value_before, value_after
    mix, rate and, with base=before, interaction; effect, their sum. In the last row these are the sums over all
      slices, and effect is the change of the metric
    low, high: the interval of effect; mix_low, mix_high, rate_low ...: those of its parts; not of a state
    the audit counts of `evaluate`, of both periods together
  Undefined: null where a period has no unit; no interval where fewer than two units of a slice count in a period, or
    where nothing varies
  Errors: a metric that is no such ratio; with group=, lists whose rows differ in a column of by, which are counted in
    groups_divided; as for `evaluate`, broken data give nulls and a count
  Source: Kitagawa (1955), Components of a difference between two rates, doi:10.1080/01621459.1955.10501299;
    intervals by linearisation, with the degrees of freedom of Satterthwaite (1946), doi:10.2307/3002019
  Example: {{ sqlmetrics.explain_change(ref('predictions'), 'log_loss', ['country', 'device'], period='day',
    before='2026-06-01', after='2026-06-02', label='clicked', score='p') }}
#}
{% macro explain_change(
    relation, metric, by, period=none, before=none, after=none, reference=none, score=none
) -%}
    {%- set given = sqlmetrics.options_taken('explain_change', kwargs) -%}
    {%- if given.get('models') is not none or sqlmetrics.is_tables(relation) -%}
        {%- set score = sqlmetrics.explained_model(
            sqlmetrics.named_scores(score, given.get('models'), relation)
        ).values() | first -%}
    {%- endif -%}
    {%- if reference is not none -%}
        {%- set score = {'before': {'sql': score, 'relation': reference}, 'after': score} -%}
    {%- endif -%}
    {{- sqlmetrics.statement_of(sqlmetrics.explain_change_plan(
        metric, by, period=period, before=before, after=after, two_tables=reference is not none, score=score,
        relation=relation, **given
    )) -}}
{%- endmacro %}

{# The score of the one model of rows of their own. #}
{% macro explained_model(score) -%}
    {%- if score | length > 1 -%}
        {{- sqlmetrics.refuse(
            "explain_change explains one model at a time: pass one, by its name in models= or its table alone; the"
                ~ " table of the period before is reference=. Models: " ~ score | join(', ')
        ) -}}
    {%- endif -%}
    {%- do return(score) -%}
{%- endmacro %}

{#
  The plan of `explain_change`. The two periods are rows of two models, by sm_model: 1 is before, 2 after.

  Args:
    two_tables: true if score is a mapping, whose first table is the period before
#}
{% macro explain_change_plan(
    metric, by, relation=none, models=none, period=none, before=none, after=none, two_tables=false, base='midpoint',
    interval=0.95, of_state=false, made_period=none
) -%}
    {{- sqlmetrics.check_explained(metric, by, base, of_state, interval) -}}
    {{- sqlmetrics.check_level(interval) -}}
    {%- set one = sqlmetrics.rows_of_one_model(relation, models, kwargs.get('columns')) -%}
    {%- set facts = dict(kwargs, total=false, relation=one['relation']) -%}
    {%- if of_state and models is not none -%}
        {{- sqlmetrics.refuse("models= names the model of a row, and a state is of one model; leave it out") -}}
    {%- endif -%}
    {%- if two_tables -%}
        {{- sqlmetrics.check_two_tables(period, before, after, of_state) -}}
        {%- set explained = {} -%}
    {%- else -%}
        {%- set explained = sqlmetrics.compared_periods(period, before, after, kwargs.get('columns')) -%}
        {%- if of_state -%}
            {%- do facts.update({'period': period if made_period is none else made_period}) -%}
        {%- endif -%}
    {%- endif -%}
    {%- if not of_state and (made_period is not none or kwargs.get('made_where') is not none) -%}
        {{- sqlmetrics.refuse("made_period= and made_where= are of a state; leave them out, or pass of_state=true") -}}
    {%- endif -%}
    {%- set where = [explained.get('where'), one['where']] | select | join(' and ') -%}
    {%- set question = sqlmetrics.question_of_change(base, **dict(explained, where=where or none)) -%}
    {%- set plan = sqlmetrics.plan(
        metric, sqlmetrics.question_over_state(question) if of_state else question, by=by,
        interval=none if of_state else interval, **facts
    ) -%}
    {%- set unit = plan['compared_metrics'][0]['unit'] -%}
    {%- if unit in ('lists', 'groups') and not of_state -%}
        {%- do plan['result']['checks'].update({'sm_groups_divided': {
            'name': 'groups_divided', 'grain': 'rows', 'value': none, 'value_hole': none,
            'message': 'groups have several values of a column of by=; a list lies in one slice, so take columns that'
                ~ ' are the same in all rows of a group',
        }}) -%}
    {%- endif -%}
    {%- do plan['result'].update({'columns': sqlmetrics.columns_of_change(plan)}) -%}
    {%- do return(plan) -%}
{%- endmacro %}

{# Rejects a call without one metric or slices. #}
{% macro check_explained(metric, by, base, of_state, interval) -%}
    {%- if metric is not string -%}
        {{- sqlmetrics.refuse("explain_change takes one metric, such as 'log_loss', got " ~ metric) -}}
    {%- elif not by -%}
        {{- sqlmetrics.refuse("explain_change needs by=, the columns whose values make the slices") -}}
    {%- elif base not in ('midpoint', 'before') -%}
        {{- sqlmetrics.refuse("base: '" ~ base ~ "' is not known. Allowed: midpoint, before") -}}
    {%- elif of_state is not boolean -%}
        {{- sqlmetrics.refuse("of_state must be true or false, got " ~ of_state) -}}
    {%- elif of_state and interval != 0.95 -%}
        {{- sqlmetrics.refuse("A state has no sums of squares, and so no intervals; leave interval= out") -}}
    {%- endif -%}
{%- endmacro %}

{# Rejects periods beside a second table. #}
{% macro check_two_tables(period, before, after, of_state) -%}
    {%- if of_state -%}
        {{- sqlmetrics.refuse(
            "A state has its periods in one table: leave out reference=, and pass before= and after="
        ) -}}
    {%- elif period is not none or before is not none or after is not none -%}
        {{- sqlmetrics.refuse(
            "explain_change takes reference=, the table of the period before, or period=, before= and after=, not both"
        ) -}}
    {%- endif -%}
{%- endmacro %}

{#
  The two periods of one table: side, 1 in a row of the period before and 2 in one of the period after; where, the
  condition on the rows of either.
#}
{% macro compared_periods(period, before, after, columns) -%}
    {%- for name, value in {'before': before, 'after': after}.items() -%}
        {%- if period is none -%}
            {{- sqlmetrics.refuse(
                "explain_change needs period=, before= and after=: a column and two of its values; or reference=, a"
                    ~ " table of the period before"
            ) -}}
        {%- elif value is none -%}
            {{- sqlmetrics.refuse("explain_change needs before= and after=, two values of the period") -}}
        {%- elif value is not string and value is not number and value is not boolean -%}
            {{- sqlmetrics.refuse(
                name ~ "= takes a value of period= as a text, a number or a boolean, got " ~ sqlmetrics.shown(value)
            ) -}}
        {%- endif -%}
    {%- endfor -%}
    {%- if before | string == after | string -%}
        {{- sqlmetrics.refuse("before= and after= are both '" ~ before ~ "'; a period is compared with another one") -}}
    {%- endif -%}
    {%- set text = sqlmetrics.sql_string(
        period if columns is not none else sqlmetrics.expression('period', period)
    ) -%}
    {%- set first, second = sqlmetrics.texts_of_period(before), sqlmetrics.texts_of_period(after) -%}
    {%- do return({
        'side': 'case when ' ~ text ~ ' in (' ~ first | join(', ') ~ ') then 1 else 2 end',
        'where': text ~ ' in (' ~ (first + second) | join(', ') ~ ')',
    }) -%}
{%- endmacro %}

{# The texts of a period: a date may be that of a timestamp; some engines write a boolean as a number. #}
{% macro texts_of_period(value) -%}
    {%- if value is boolean -%}{%- do return(["'true'", "'1'"] if value else ["'false'", "'0'"]) -%}{%- endif -%}
    {%- set text = value | string -%}
    {%- set is_date = text | length == 10 and text[4] == '-' and text[7] == '-' -%}
    {%- do return([sqlmetrics.sql_text(text)] + ([sqlmetrics.sql_text(text ~ ' 00:00:00')] if is_date else [])) -%}
{%- endmacro %}

{# For the Python API: a query of the periods of a relation as texts. #}
{% macro periods_in(relation, period) -%}
select distinct {{ sqlmetrics.sql_string(period) }} as sm_period from {{ sqlmetrics.from_item(relation) }}
{%- endmacro %}

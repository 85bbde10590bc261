{#
  Metrics over many periods (days) without reading them again. A state holds additive sums for each period and
  slice, and `finish` computes the metrics of any range of periods and any roll-up of slices from them.

  A state is one table. Each row has a grain (sm_grain):

  rows: one row for each period, model and slice: sums over rows, and sums about their means; with intervals=true also
    the moments of rows about the ratios of this row, from which `finish` makes intervals (inference/moments.sql)
  levels: one row for each distinct score: how many rows, and how many positive rows, have it; with weights, one for
    each class
  bins_width_<n>: one row for each bin of scores, if metrics ask for bins
  lists: one row for each period, model and slice: sums over lists, and their moments in the same way
  whole lists: one row for each period and model: the same with every list whole, whatever slices it lies in
  pairs, whole pairs: with intervals=true and several models, one row for each period, slice, metric and pair of
    models, by which `compare` compares them (inference/kept_pairs.sql); of lists also with every list whole
  periods: one row for each period and model, without sums: two of them tell that a period was made twice

  A list belongs to one period: the same group in two periods is two lists, as if group= were an expression of
  both. A row without a period is a bad row. A period (of a model) is made by one call of `state`; made again, it
  takes the place of the old one, or its rows would count twice. Each row of the grain rows records how the state
  was made: sm_facts, the columns and options that decide its numbers; sm_by, its slices; sm_holds, its grains and
  sums; sm_made_by, the version of the package and the hash of the statement, which `finish` does not read.

  A sum over nothing is 0. So a NULL in the column of a sum says that the row lacks this sum: it was made for other
  metrics, or kept in a table that lacked the column. `finish` counts such rows, and makes NULL the metrics that
  read the sum, and no others. In dbt, give a model of states on_schema_change='append_new_columns'; once it asks
  for another metric, make its old periods again.
#}

{#
  The state of a relation: a table to keep, with one row for each period, slice and grain of sums.

  Args:
    relation, metrics: as for `evaluate`
    period: the column or expression, such as a day, whose values can be finished together or apart; with a name it
      is a mapping, {'week': "date_trunc('week', day)"}
    where: a condition on the rows of the data, which the state records
    intervals: true keeps moments beside the sums, from which `finish` makes intervals, and of several models the sums
      by which `compare` compares them
  Further arguments are those of `evaluate` that plan/options.sql has for it; with soft=true there are no intervals
  Returns: a query of the columns period, by, model (if score is a mapping) and those of the state, which
    begin with sm_
  Errors: a metric that cannot be computed from sums, such as a median, or one of classes or items; truth=; with
    intervals a metric whose interval is not one of sums (inference/moments.sql)
  Example: {{ sqlmetrics.state(ref('predictions'), ['auc', 'ndcg@10'], label='clicked', score='score',
    group='user_id', period='day', by=['country']) }}
#}
{% macro state(relation, metrics) -%}
    {%- set given = sqlmetrics.options_taken('state', kwargs) -%}
    {{- sqlmetrics.statement_of(sqlmetrics.state_plan(metrics, relation=relation, **given)) -}}
{%- endmacro %}

{#
  Any number of metrics from a state, by slice and in total, with the values of `evaluate`.

  Args:
    relation: the state, or a query that selects from it and may leave out whole periods
    metrics: metrics of the state, or others that read the same sums
    period: the column of the state that holds the period
    by: columns of the state, or expressions of them: some of its slices, the period, {'week':
      "date_trunc('week', day)"}
    where: a condition on the columns of the state that selects periods and slices
    made_where: the where= of `state`, if the state was made of a part of the data
    interval: the level of intervals, such as 0.95, of a state that was made with intervals=true
    interval_method: as for `evaluate`: exact, or anytime for a state that is looked at as often as periods come
    tightest_at: as for `evaluate`
  Further arguments are those of `state`, the facts with which the state was made, and total and total_name. Name
    columns as `state` did: they are not read, but compared with those that the state records
  Returns: the query of `evaluate` without rows_graded, which older states lack, and with counts of what the
    state is not fit for. states_of_other_facts: rows of the
    state made with other facts, and periods_repeated: periods made more than once; both make all metrics (of the
    model) null. states_incomplete: rows without a sum that a metric needs, which make this metric null.
    periods_divided: periods of which where= leaves out slices, which make metrics of lists null, unless by= has
    all slices of the state and total is false. States of version 1 say only which roles were given
    (stages/state/facts.sql), and no repeated period is found among them
  Errors: as for `state`; a metric of which the state lacks a sum. If relation is a query, dbt does not see its columns,
    and the engine misses one
  Example: {{ sqlmetrics.finish(ref('daily_state'), ['auc', 'ndcg@10'], label='clicked', score='score',
    group='user_id', period='day', by=['country']) }}
#}
{% macro finish(relation, metrics) -%}
    {%- set given = sqlmetrics.options_taken('finish', kwargs) -%}
    {%- set plan = sqlmetrics.finish_plan(metrics, relation=relation, **given) -%}
    {{- sqlmetrics.check_columns_of_state(plan, given) -}}
    {{- sqlmetrics.statement_of(plan) -}}
{%- endmacro %}

{# The plan of `state`. #}
{% macro state_plan(metrics, period=none, intervals=false) -%}
    {{- sqlmetrics.check_state('state', period) -}}
    {%- if intervals is not boolean -%}
        {{- sqlmetrics.refuse(
            "intervals must be true or false, got " ~ sqlmetrics.shown(intervals) ~ "; finish takes the level"
        ) -}}
    {%- endif -%}
    {%- set pairs = sqlmetrics.plan_of_kept_pairs(metrics, period=period, **kwargs) if intervals else none -%}
    {#- any level has the same moments -#}
    {%- set plan = sqlmetrics.plan(
        metrics, sqlmetrics.question_of_state(pairs), period=period,
        **dict(kwargs, total=true, interval=0.95 if intervals else none)
    ) -%}
    {%- if pairs is not none -%}{%- do plan.update({'compared_metrics': pairs['compared_metrics']}) -%}{%- endif -%}
    {%- do return(plan) -%}
{%- endmacro %}

{# The plan of `finish`: the plan of `evaluate` over the sums of a state. #}
{% macro finish_plan(metrics, period=none, question=none) -%}
    {{- sqlmetrics.check_state('finish', period) -}}
    {%- if kwargs.get('interval_method') == 'bootstrap' -%}
        {{- sqlmetrics.refuse(
            "interval_method=bootstrap draws rows, and a state keeps their sums; leave it out, or let evaluate compute"
                ~ " the interval from the rows"
        ) -}}
    {%- endif -%}
    {%- do return(sqlmetrics.plan(metrics, question or sqlmetrics.question_over_state(), period=period, **kwargs)) -%}
{%- endmacro %}

{# Rejects a call without a period. #}
{% macro check_state(macro, period) -%}
    {%- if period is none -%}
        {{- sqlmetrics.refuse(macro ~ ": needs period=, the column of the day or another period") -}}
    {%- endif -%}
{%- endmacro %}

{# For the Python API: a query of the facts or the models recorded in a state. #}
{% macro distinct_in_state(relation, column) -%}
select distinct {{ column }} from {{ sqlmetrics.from_item(relation) }} where sm_grain = 'rows'
{%- endmacro %}

{# For the Python API: the columns of a state that a statement reads, those of its counts included. #}
{% macro columns_read_of_state(plan) -%}
    {{- sqlmetrics.audit_units(plan) -}}
    {%- do return(sqlmetrics.columns_of_state(plan)) -%}
{%- endmacro %}

{#
  The columns of the table of a state that dbt knows, none of another relation; rejects several models of a state of
  one.
#}
{% macro known_columns_of_state(plan) -%}
    {%- set state, known = plan['facts']['relation'], [] -%}
    {%- if state is not string and execute and flags.INTROSPECT and not state.is_cte -%}
        {%- for column in adapter.get_columns_in_relation(state) -%}
            {%- do known.append(column.name | lower) -%}
        {%- endfor -%}
    {%- endif -%}
    {%- if known and 'sm_model' in plan['facts']['keys'] and 'model' not in known -%}
        {{- sqlmetrics.refuse(
            state ~ " is a state of one model, and score= names " ~ plan['facts']['models'] | map(attribute='name')
                | join(', ') ~ "; write score= here as its model has it, or name them in score= of the state, too, and"
                ~ " make it again with a full refresh"
        ) -}}
    {%- endif -%}
    {%- do return(known) -%}
{%- endmacro %}

{# Rejects a comparison by a state that lacks the pairs of its models, as far as dbt knows its columns. #}
{% macro check_pairs_of_state(plan) -%}
    {%- set known = sqlmetrics.known_columns_of_state(plan) -%}
    {%- if known and sqlmetrics.columns_read_of_state(plan) | reject('in', known) | list -%}
        {{- sqlmetrics.refuse(
            plan['facts']['relation'] ~ " does not hold what comparisons of "
                ~ plan['compared_metrics'] | map(attribute='name') | join(', ')
                ~ " are made of; make it again for these metrics, with intervals=true and a full refresh"
        ) -}}
    {%- endif -%}
{%- endmacro %}

{#
  Rejects metrics whose sums a state lacks, before the engine does in words of its own. dbt knows the columns of a model
  that exists; of a CTE, a query and an ephemeral model it does not. Python asks the data itself.

  Args:
    given: of metrics, the further arguments of `finish`, which tell those that lack a sum from the others
#}
{% macro check_columns_of_state(plan, given=none) -%}
    {%- set state, lacking = plan['facts']['relation'], [] -%}
    {%- set known = sqlmetrics.known_columns_of_state(plan) -%}
    {%- if not known or not sqlmetrics.columns_read_of_state(plan) | reject('in', known) | list -%}
        {%- do return('') -%}
    {%- endif -%}
    {%- if given is none -%}
        {{- sqlmetrics.refuse(sqlmetrics.lacks_for_curve(plan, state, plan['result']['columns'][0]['notation'])) -}}
    {%- elif given.get('interval') is not none -%}
        {#- if it lacks more than the moments, this refuses -#}
        {%- set without = dict(given, interval=none, interval_method=none, tightest_at=none) -%}
        {{- sqlmetrics.check_columns_of_state(
            sqlmetrics.finish_plan(plan['result']['columns'] | map(attribute='notation') | unique | list,
                relation=state, **without), without
        ) -}}
        {{- sqlmetrics.refuse(
            state ~ " does not hold what intervals are made of; make it again with intervals=true and a full refresh,"
                ~ " or leave out interval="
        ) -}}
    {%- endif -%}
    {%- for notation in plan['result']['columns'] | map(attribute='notation') | unique -%}
        {%- set one = sqlmetrics.finish_plan(notation, relation=state, **given) -%}
        {%- if sqlmetrics.columns_read_of_state(one) | reject('in', known) | list -%}
            {%- do lacking.append(notation) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- sqlmetrics.refuse(
        state ~ " does not hold what is needed for " ~ lacking | join(', ') ~ "; make the state for it, too, with"
            ~ " on_schema_change='append_new_columns' or a full refresh"
    ) -}}
{%- endmacro %}

{# For the Python API: a query of how many rows of the grain rows satisfy a condition. #}
{% macro left_of_state(relation, where) -%}
select count(*) from {{ sqlmetrics.from_item(relation) }} where sm_grain = 'rows' and ({{ where }}
)
{%- endmacro %}

{#
  For the Python API: a query of how many slices of periods have rows of some models, and not of all.

  Args: models: their names
#}
{% macro parts_without_a_model(relation, where, period, others, models) -%}
{%- set texts = [] -%}
{%- for model in models -%}{%- do texts.append(sqlmetrics.sql_text(model)) -%}{%- endfor -%}
select count(*)
from (
    select {{ period }}
    from {{ sqlmetrics.from_item(relation) }}
    where sm_grain = 'rows' and {{ period }} is not null and model in ({{ texts | join(', ') }})
    {%- if where is not none %} and ({{ where }}
    )
    {%- endif %}
    group by {{ ([period] + others) | join(', ') }}
    having count(distinct model) < {{ models | length }}
) as sm_lacking
{%- endmacro %}

{#
  For the Python API: a query of how many slices of periods are there more than once. States of version 1 have no
  rows of the grain periods, by which a statement would find them.
#}
{% macro repeated_in_state(relation, where, period, others) -%}
select count(*)
from (
    select {{ period }}
    from {{ sqlmetrics.from_item(relation) }}
    where sm_grain = 'rows' and {{ period }} is not null
    {%- if where is not none %} and ({{ where }}
    )
    {%- endif %}
    group by {{ ([period] + others) | join(', ') }}
    having count(*) > 1
) as sm_repeated
{%- endmacro %}

{# Rejects a metric that cannot be computed from sums over periods. #}
{% macro check_mergeable(plan) -%}
    {%- for grain, rule in plan['grains'].items() if plan['needs'][grain] -%}
        {%- set reason = rule.get('state') -%}
        {%- set of_no_means = plan['needs']['second_pass'].values() | rejectattr('means', 'defined') | list -%}
        {%- if not reason and grain == 'second_pass' and of_no_means -%}
            {%- set reason = 'it measures rows by a mean of all periods' -%}
        {%- endif -%}
        {%- if reason -%}
            {{- sqlmetrics.refuse_metric(
                plan,
                "no state of periods makes it, since " ~ reason
                    ~ "; evaluate computes it from the rows"
            ) -}}
        {%- endif -%}
    {%- endfor -%}
{%- endmacro %}

{# The grains whose sums a state keeps under their names. #}
{% macro grains_kept() -%}
    {%- do return(['rows', 'second_pass', 'list_sums', 'row_moments', 'list_moments']) -%}
{%- endmacro %}

{#
  A sum of a state has a name of its own, whatever else is asked for, so that other states and `finish` use
  the same name.
#}
{% macro need_in_state(plan, grain, name, inner, aggregate, more) -%}
    {%- set known = plan['needs'][grain].get('sm_' ~ name) -%}
    {%- if known and known['inner'] == inner and known['aggregate'] == aggregate -%}
        {%- do sqlmetrics.ask_more(known, more) -%}
        {%- do return(known['hole']) -%}
    {%- elif plan['sums'].get(name) in sqlmetrics.grains_kept() -%}
        {{- sqlmetrics.refuse_metric(
            plan,
            "another metric has a sum of the same name, sm_" ~ name
                ~ ", in the state; make a state for each of them"
        ) -}}
    {%- endif -%}
    {%- do return(sqlmetrics.add_need(plan, grain, name, inner, aggregate, more)) -%}
{%- endmacro %}

{#
  Records how many lists lie in several slices of a state. The state holds their parts, which do not add up to
  lists again, so list metrics are null if slices are rolled up.
#}
{% macro require_whole_lists(plan) -%}
    {%- set split = 'case when {lists.sm_slice} < {lists.sm_last_slice} then 1 else 0 end' if plan['facts']['by']
        else '0' -%}
    {%- set guard = sqlmetrics.need(plan, 'list_sums', 'groups_split', split) -%}
    {%- if plan['question']['reads'] == 'state' -%}
        {%- do plan['result']['checks'].update({sqlmetrics.filled(plan, guard): {
            'name': 'groups_split', 'grain': 'list_sums', 'value': none,
            'message': 'groups lie in several slices of the state, whose parts do not add up to lists;'
                ~ ' make a state with just these by=',
        }}) -%}
        {%- if guard not in plan['asked']['guards'] -%}{%- do plan['asked']['guards'].append(guard) -%}{%- endif -%}
        {%- if plan['facts']['where'] is not none -%}
            {{- sqlmetrics.check_periods(
                plan, 'periods_divided',
                'periods are divided: where= leaves out slices, and metrics of lists are made of whole periods; write a'
                    ~ " condition on '" ~ plan['facts']['period']['name']
                    ~ "' alone, or all slices of the state as by= with total=False"
            ) -}}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}

{#
  A curve from a state, by slice and in total, with the points of `curve`. A state that was made for auc holds roc and
  precision_recall; for auc and base_rate gain; for auc and brier net_benefit; for ece with the same bins, of rows
  without weights, calibration.

  Args:
    relation: as for `finish`
    kind: the notation of a curve: `roc`, `calibration(bins=20)`
  Further arguments are those of `finish`
  Returns: the query of `curve`
  Errors: as for `finish`
  Example: {{ sqlmetrics.finish_curve(ref('daily_state'), 'roc', label='clicked', score='score', period='day',
    by=['country']) }}
#}
{% macro finish_curve(relation, kind) -%}
    {%- set given = sqlmetrics.options_taken('finish_curve', kwargs) -%}
    {%- set plan = sqlmetrics.finish_curve_plan(kind, relation=relation, **given) -%}
    {{- sqlmetrics.check_columns_of_state(plan) -}}
    {{- sqlmetrics.statement_of(plan) -}}
{%- endmacro %}

{# That a state does not hold a curve, and the metrics for which it has to be made to hold it. #}
{% macro lacks_for_curve(plan, state, kind) -%}
    {%- set curve = sqlmetrics.parse_notation(kind) -%}
    {%- set bins = 'bins=' ~ curve['params'].get('bins', 10)
        ~ (', equal=count' if curve['params'].get('equal') == 'count' else '') -%}
    {%- set made_for = {
        'calibration': 'ece(' ~ bins ~ ')', 'gain': 'auc and base_rate', 'net_benefit': 'auc and brier',
    }.get(curve['name'], 'auc') -%}
    {{- state ~ ' does not hold ' ~ kind }}; {{ 'no state of weighted rows does, and curve computes it from the rows'
        if curve['name'] == 'calibration' and plan['facts']['weight'] is not none
        else 'make the state for ' ~ made_for ~ ', too' }}
{%- endmacro %}

{# The plan of `finish_curve`. #}
{% macro finish_curve_plan(kind, period=none) -%}
    {{- sqlmetrics.check_state('finish_curve', period) -}}
    {%- do return(sqlmetrics.curve_plan(
        kind, sqlmetrics.question_over_state(sqlmetrics.question_of_points('finish_curve')), period=period, **kwargs
    )) -%}
{%- endmacro %}

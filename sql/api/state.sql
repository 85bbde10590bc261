{#
  Metrics over many periods (days) without reading them again: a state holds, for each period and slice, what adds up, and
  `finish` makes the metrics of any range of periods and any roll-up of slices of it.

  A state is one table. Its rows are of a grain (sm_grain):

  rows: one a period, model and slice: sums over rows, and sums about their means
  levels: one a distinct score: how many rows, and how many positive ones, have it
  bins_width_<n>: one a bin of scores, where metrics ask for bins
  lists: one a period, model and slice: sums over lists
  whole lists: one a period and model: the same with every list whole, whatever slices it lies in

  A list is one of its period: the same group in two periods is two lists, as with group= an expression of both. A row without a
  period is a bad row. Each row of the grain rows says what the state was made of: sm_facts, the facts that decide its
  numbers; sm_by, its slices; sm_holds, the grains and sums that it has.
#}

{#
  The state of a relation: a table to keep, of one row for each period, slice and whatever adds up there.

  Args:
    relation, metrics: as for `evaluate`
    period: the column or expression, such as a day, whose values are finished together or apart; or a mapping of sql, alias and name
  Further arguments are those of `evaluate`, but for total and truth
  Returns: a query of the columns period, by, model (where score is a mapping) and those of the state, which begin with sm_
  Errors: a metric that no sums make, such as a median, or one of classes or items; truth=
  Example: {{ sqlmetrics.state(ref('predictions'), ['auc', 'ndcg@10'], label='clicked', score='score', group='user_id', period='day', by=['country']) }}
#}
{% macro state(relation, metrics) -%}
    {{- sqlmetrics.statement_of(sqlmetrics.state_plan(metrics, relation=relation, **kwargs)) -}}
{%- endmacro %}

{#
  Any number of metrics from a state, by slice and in total, as `evaluate` gives them.

  Args:
    relation: the state, or a query that selects from it; whole periods of it may be left out
    metrics: those of the state or some of them, or others that read the same sums
    period: the column of the state that holds the period
    by: columns of the state, or expressions of them: some of its slices, the period, {'sql': "date_trunc('week', day)", 'alias': 'week'}
    where: a condition on the columns of the state: which periods and slices are read
  Further arguments are those of `evaluate`, but for truth: the facts that the state was made with; columns of the data are not read
  Returns: the query of `evaluate`; states_of_other_facts and states_incomplete count rows of the state (slices of periods) that were
    made with other facts, or without what the metrics need, and null them
  Errors: as `state`; a sum that the state lacks is a missing column
  Example: {{ sqlmetrics.finish(ref('daily_state'), ['auc', 'ndcg@10'], label='clicked', score='score', group='user_id', period='day', by=['country']) }}
#}
{% macro finish(relation, metrics) -%}
    {{- sqlmetrics.statement_of(sqlmetrics.finish_plan(metrics, relation=relation, **kwargs)) -}}
{%- endmacro %}

{# The plan of `state`. #}
{% macro state_plan(metrics, period=none, truth=none, total=true) -%}
    {{- sqlmetrics.check_state('state', period, truth) -}}
    {%- do return(sqlmetrics.plan(metrics, period=period, state='made', **kwargs)) -%}
{%- endmacro %}

{# The plan of `finish`: that of `evaluate` over the sums of a state. #}
{% macro finish_plan(metrics, relation, period=none, truth=none, where=none) -%}
    {{- sqlmetrics.check_state('finish', period, truth) -}}
    {%- do return(sqlmetrics.plan(metrics, relation=sqlmetrics.part_of_state(relation, where), period=period, state='read', **kwargs)) -%}
{%- endmacro %}

{# Refuses what no state is made of. #}
{% macro check_state(macro, period, truth) -%}
    {%- if period is none -%}
        {{- sqlmetrics.refuse(macro ~ ": needs period=, the column of the day or another period") -}}
    {%- elif truth is not none -%}
        {{- sqlmetrics.refuse(macro ~ ": takes no truth=; join the label to the predictions, or use evaluate") -}}
    {%- endif -%}
{%- endmacro %}

{# For the door: a query of what a column says of a state, its facts or its models. #}
{% macro distinct_in_state(relation, column) -%}
select distinct {{ column }} from {{ sqlmetrics.from_item(relation) }} where sm_grain = 'rows'
{%- endmacro %}

{#
  For the door: a query of how many rows a condition leaves of the grain rows, and how many periods it divides, of which it leaves some slices
  and not all. Whole lists lie in no slice, so that a condition on slices does not tell which of them are meant.
#}
{% macro left_of_state(relation, where, period, models) -%}
select
    sum(sm_left) as sm_left_of_all,
    sum(case when sm_left > 0 and sm_left < sm_all then 1 else 0 end) as sm_divided
from (
    select
        count(*) as sm_all,
        sum(case when ({{ where }}
        ) then 1 else 0 end) as sm_left
    from {{ sqlmetrics.from_item(relation) }}
    where sm_grain = 'rows'
    group by {{ period }}{{ ', model' if models }}
) as sm_periods
{%- endmacro %}

{# Refuses a metric that no sums over periods make. #}
{% macro check_mergeable(plan) -%}
    {%- for grain, rule in plan['grains'].items() if plan['needs'][grain] -%}
        {%- set about_means = plan['needs']['second_pass'].values() | rejectattr('means', 'defined') | list | length == 0 -%}
        {%- set reason = rule.get('state') or (none if grain != 'second_pass' or about_means else 'it measures rows by a mean of all periods') -%}
        {%- if reason -%}
            {{- sqlmetrics.refuse(
                "sqlmetrics." ~ plan['metric'] ~ ": no state of periods makes it, since " ~ reason ~ "; evaluate computes it from the rows"
            ) -}}
        {%- endif -%}
    {%- endfor -%}
{%- endmacro %}

{# A sum that a state holds has a name of its own, whatever else is asked for: in any other state and in `finish` it is called the same. #}
{% macro need_in_state(plan, grain, name, inner, aggregate, more) -%}
    {%- set known = plan['needs'][grain].get('sm_' ~ name) -%}
    {%- if known and known['inner'] == inner and known['aggregate'] == aggregate -%}
        {%- do sqlmetrics.ask_more(known, more) -%}
        {%- do return(known['hole']) -%}
    {%- elif plan['sums'].get(name) in ('rows', 'second_pass', 'list_sums') -%}
        {{- sqlmetrics.refuse(
            "sqlmetrics." ~ plan['metric'] ~ ": another metric has a sum of the same name, sm_" ~ name ~ ", in the state; make a state for each of them"
        ) -}}
    {%- endif -%}
    {%- do return(sqlmetrics.add_need(plan, grain, name, inner, aggregate, more)) -%}
{%- endmacro %}

{#
  Notes how many lists lie in several slices of a state. They are parts there, which do not add up to lists again: where slices are
  rolled up, list metrics are null.
#}
{% macro require_whole_lists(plan) -%}
    {%- set split = 'case when {lists.sm_slice} < {lists.sm_last_slice} then 1 else 0 end' if plan['by'] else '0' -%}
    {%- set guard = sqlmetrics.need(plan, 'list_sums', 'groups_split', split) -%}
    {%- if plan['state'] == 'read' -%}
        {%- do plan['checks'].update({sqlmetrics.filled(plan, guard): {
            'name': 'groups_split', 'grain': 'list_sums', 'value': none,
            'message': 'groups lie in several slices of the state, whose parts do not add up to lists; make a state with just these by=',
        }}) -%}
        {%- if guard not in plan['guards'] -%}{%- do plan['guards'].append(guard) -%}{%- endif -%}
    {%- endif -%}
{%- endmacro %}

{#
  A curve from a state, by slice and in total, as `curve` gives it. roc, precision_recall, gain and bins of equal count read the levels of
  a state (which auc has it hold), calibration bins of its own number (which ece has it hold).

  Args:
    relation, period, by, where, label, score, weight, total, positive: as for `finish`
    kind: the notation of a curve: `roc`, `calibration(bins=20)`
  Returns: the query of `curve`
  Errors: as `finish`
  Example: {{ sqlmetrics.finish_curve(ref('daily_state'), 'roc', label='clicked', score='score', period='day', by=['country']) }}
#}
{% macro finish_curve(relation, kind) -%}
    {{- sqlmetrics.statement_of(sqlmetrics.finish_curve_plan(kind, relation=relation, **kwargs)) -}}
{%- endmacro %}

{# The plan of it. #}
{% macro finish_curve_plan(kind, relation, period=none, truth=none, where=none) -%}
    {{- sqlmetrics.check_state('finish_curve', period, truth) -}}
    {%- do return(sqlmetrics.curve_plan(kind, relation=sqlmetrics.part_of_state(relation, where), period=period, state='read', **kwargs)) -%}
{%- endmacro %}

{# A state, or the part of it for which a condition holds. #}
{% macro part_of_state(relation, where) -%}
    {%- do return(relation if where is none else 'select * from ' ~ sqlmetrics.from_item(relation) ~ ' where ' ~ where) -%}
{%- endmacro %}

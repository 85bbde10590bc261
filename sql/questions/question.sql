{#
  What a call asks of a plan. Each question is one macro of this folder, `question_of_<name>`, that says where it
  differs from `evaluate`. Stages and metrics ask the question what it reads, keeps and counts; none asks which question
  it is.
#}

{#
  The question of `evaluate`: one value of each metric for each slice and model.

  Four axes:
    reads: rows; state, if sums of a state stand in their place
    ends: result; sums, which a later call adds up; macro, an expression or a query of a shell
    keeps: slices; lists, if each list has a value of its own; units, if values are sums over units that are compared;
      points, if a slice has several rows
    draws: the number of replicates of the data, none for the data themselves
  What it does:
    value: takes the value of each metric; called with the plan, the column of the result and the value
    stages: the stages after those of the metrics, called with the plan; none if there are none
    stages_before: the same of stages before all others: a statement inside, whose names no earlier stage may have
    select: the last select, called with the plan
    query: all stages and the last select, called with the plan
    resampled: the same where metrics are resampled
    order: the stage whose keys order the rows, none if the last select orders them or nothing does
    guard: takes the value of a metric that has checks, called with the plan and the value; none for NULL if one fails
    scores: further scores of a row, called with the plan and the model; none if there are none
  What stages ask besides:
    adds_up: sums have to add up over periods, and have the same name in each call
    keys: keys besides those of the facts (plan/keys.sql)
    has_total: there is a row for all slices together, whatever total= says
    model_is_period: sm_model is 1 in the period before and 2 in that after
    names_models: the result has a column model
    arms: the names of the models of the plan that stand for each of the user's
    judged: the column of the label, where a model of the plan may have another in its place (gold=), as SQL
    model: sm_model of a row of one table, as SQL
    where: a condition on the rows besides that of where=, as SQL
    counts: counts and checks stand beside the metrics
    checks: the rows that a metric cannot take are counted; false where another plan of the statement counts them
    sums: the last select reads the sums of slices over rows and lists
    hints: counts are made for notes of Python
    n_rows: the name of the number of rows in the result
    redraws: of how many replicates are replicates drawn, for a comparison that resamples
    spreads: it reads how a metric spreads although there is no interval
    steps: rows come as the arguments of an aggregate, which are usable
    names_units: units keep their names where they are compared
    finds_units: units are looked up by their names
    counts_classes: lists with a row of each class are counted
    carries: the columns that rows carry as texts and numbers to the stages of the question
    numbered_by: columns by which rows are numbered besides those of the roles
    comes_numbered: rows have their numbers where they are read
    common_units: rows count only where every model has rows of their unit
    needs_all_scores: a row without the score of one model counts for none
    own: what its own macros read
    call: the name of the call, for the head of the statement (plan/head.sql)
    over: for the head the relation of the call, where the plan reads one that is made of it
    said: for the head further columns and options of the call, each a text such as `raters "a", "b"`
  Errors: an entry of no such name
#}
{% macro question() -%}
    {%- set question = {
        'reads': 'rows', 'ends': 'result', 'keeps': 'slices', 'draws': none,
        'value': sqlmetrics.take_interval, 'stages': none, 'stages_before': none,
        'select': sqlmetrics.result, 'query': sqlmetrics.query,
        'resampled': sqlmetrics.resampled_query, 'order': 'sm_measures', 'guard': none, 'scores': none,
        'adds_up': false, 'keys': [], 'has_total': false, 'model_is_period': false, 'names_models': true, 'arms': [''],
        'judged': none, 'model': none, 'where': none, 'counts': true, 'checks': true, 'sums': true, 'hints': true,
        'n_rows': 'n_rows', 'redraws': 0,
        'spreads': false, 'steps': false, 'names_units': false, 'finds_units': false, 'counts_classes': true,
        'carries': [], 'numbered_by': [], 'comes_numbered': false, 'common_units': false,
        'needs_all_scores': false, 'own': none,
        'call': 'evaluate', 'over': none, 'said': [],
    } -%}
    {%- for name in kwargs if name not in question -%}
        {{- sqlmetrics.refuse("A question has no " ~ name ~ ". It has: " ~ question | join(', ')) -}}
    {%- endfor -%}
    {%- do return(dict(question, **kwargs)) -%}
{%- endmacro %}

{# Adds the interval of a value, if one is asked for. #}
{% macro take_interval(plan, result, value) -%}
    {%- if plan['facts']['interval'] is not none -%}
        {{- sqlmetrics.add_interval(plan, result['name'], result['notation'], value) -}}
        {#- it has asked that a state holds what its interval reads -#}
        {%- if plan['question']['reads'] == 'state' -%}
            {%- do result.update({'value': sqlmetrics.guarded(plan, value['sql'])}) -%}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}

{# The question of curves and tables: several rows for each slice, from sm_points (plan['points']). #}
{% macro question_of_points(call='curve', over=none, said=[]) -%}
    {%- do return(sqlmetrics.question(
        keeps='points', select=sqlmetrics.result_of_points, order='sm_row_sums', call=call, over=over,
        said=said
    )) -%}
{%- endmacro %}

{#
  Did the data move? Compares each column of a table with the same column of a reference, or of two periods of one
  table, and the slices of states: distances of the distributions, tests, and values that are new or gone.

  Args:
    relation: the current rows: a table or CTE name, a dbt relation, or a query; a state with of_state=true
    columns: the columns to compare, one or a list; of a state some of its slices
    reference: a second relation: the rows to compare with; a second state with of_state=true
    period: instead of reference, a column of the relation, or an expression, that has the period of a row
    before, after: the values of period whose rows are the reference and the current ones: a text, a number or a boolean
    numeric: the columns of columns= that are numbers; others are categories, whose values are compared as text
    bins: the number of bins of a number, with equally many rows of the whole reference, from 2 to 100. Equal numbers
      stay together, and a value that has more rows than a bin is a bin by itself. A number with at most this many
      values, or 20, in both sides and all slices together has each of them as a bin
    by, total, total_name, read_once, where: as for `evaluate`; where= holds for the rows of both tables
    of_state: true if relation, and reference if there is one, are states (`state`), whose numbers of rows by slice and
      period are compared. No data are read again. Slices are categories, so there is no numeric=
    made_period: of states, their column of periods, if period is an expression of it such as its month, or missing
    made_where: of states, the where= of `state`, if they were made of a part of the data
  Returns: a query with one row for each column of each slice, and of all slices together:
    the by columns, is_total
    column_name, kind: the column; number or category
    n_current, n_reference: rows
    n_null_current, n_null_reference: rows with NULL, of a number also with NaN or infinity. NULL is a bin, or a
      category, of its own
    psi: the population stability index, sum of (p - q) ln(p / q) over bins with the shares p and q. A bin that one
      side lacks counts half a row of that side, since its logarithm has no end
    jensen_shannon: the distance, that is the square root of the divergence, with natural logarithms; at most 0.833
    hellinger: the distance, from 0 to 1
    total_variation: half the sum of |p - q|, from 0 to 1: the share of rows that would have to change
    wasserstein: of a number: the distance that a row moves on average, in units of the number
    ks, ks_p_value: of a number: the greatest distance of the distribution functions, and the probability of one at
      least as large if nothing moved. Like wasserstein they take each value, and leave out NULL, NaN and infinity
    chi_square, chi_square_p_value: Pearson's statistic of the counts of bins, and its p-value: that of a gamma variable
      with the mean and variance that the statistic has over all ways to deal the rows to both sides
    q_value: Benjamini and Hochberg's, over all rows of the result: of chi_square_p_value for a category and, for a
      number, of twice the smaller of both p-values
    n_new_values, n_vanished_values: of a category: how many values the reference, or the current rows, lack
    new_values, vanished_values: the five most frequent of these, as text with their rows
    states_of_other_facts, states_incomplete, periods_repeated: of states only: rows made with another period, where=
      or several models, rows without a number of rows, and periods made more than once
  Undefined: distances and tests are null where one side has no row; p-values of chi-square where there is one bin; KS
    and Wasserstein where a side has no number; everything but numbers of rows where a count of a state is not 0
  Errors: neither reference nor period, or both; a column twice; bins out of its limits; numeric= of a state; a slice
    that the state lacks is a missing column
  Source: PSI: Siddiqi, Credit Risk Scorecards (2006); Lin (1991), doi:10.1109/18.61115; Hellinger: Le Cam and Yang,
    Asymptotics in Statistics (2000); Wasserstein: Vallender (1974), doi:10.1137/1118101; KS: Smirnov (1948), with
    p-values by Pelz and Good (1976); Pearson (1900), with moments by Haldane (1940) and a gamma variable by Lewis,
    Saunders and Westcott (1984), doi:10.1093/biomet/71.3.515; Benjamini and Hochberg (1995)
  Example: {{ sqlmetrics.drift(ref('predictions'), ['country', 'score'], reference=ref('trained_on'),
    numeric='score') }}
#}
{% macro drift(relation, columns) -%}
    {%- set given = sqlmetrics.options_taken('drift', kwargs) -%}
    {{- sqlmetrics.statement_of(sqlmetrics.drift_plan(columns, relation=relation, **given)) -}}
{%- endmacro %}

{#
  The plan of `drift`.

  Args: those of `drift`, and these, which the Python API passes:
    reference_once: true if the reference is expensive to read, or may not read the same a second time
    reference_made: the period and the where of a reference that is a state, where they are its own
    known_columns: the columns of the data, which makes names of columns quoted SQL
#}
{% macro drift_plan(
    columns, relation=none, reference=none, period=none, before=none, after=none, numeric=[], bins=10, by=[],
    total=true, total_name=none, read_once=none, where=none, of_state=false, made_period=none, made_where=none,
    reference_once=none, reference_made=none, known_columns=none
) -%}
    {{- sqlmetrics.check_sides(reference, period, before, after, of_state) -}}
    {{- sqlmetrics.check_state_of_drift(of_state, made_period, made_where, reference, numeric) -}}
    {%- if bins is not integer or bins is boolean or not 2 <= bins <= 100 -%}
        {{- sqlmetrics.refuse("bins must be an integer from 2 to 100, got " ~ sqlmetrics.shown(bins)) -}}
    {%- endif -%}
    {%- set of_reference = {'sql': none, 'relation': reference} -%}
    {%- if reference_once is not none -%}{%- do of_reference.update({'read_once': reference_once}) -%}{%- endif -%}
    {%- set made_period = period if made_period is none else made_period -%}
    {#- no role of a state is read, so none has to be said -#}
    {%- set facts = {'period': made_period, 'made_where': made_where, 'said': {}} if of_state else {} -%}
    {%- set drift = {
        'columns': sqlmetrics.drift_columns(columns, numeric), 'bins': bins, 'side': none, 'made': none,
    } -%}
    {%- set question = sqlmetrics.question_of_drift(drift) -%}
    {%- set plan = sqlmetrics.empty_plan(
        sqlmetrics.question_over_state(question) if of_state else question, relation=relation, by=by, total=total,
        total_name=total_name, read_once=read_once, where=where,
        columns=known_columns,
        score={'reference': of_reference, 'current': none} if reference is not none else none, **facts
    ) -%}
    {%- if period is not none -%}
        {%- set of = period['sql'] if period is mapping else sqlmetrics.expression('period', period) -%}
        {%- do drift.update({'side': 'case when ' ~ of ~ ' = ' ~ sqlmetrics.literal_of_period(before) ~ ' then 1 when '
            ~ of ~ ' = ' ~ sqlmetrics.literal_of_period(after) ~ ' then 2 end'}) -%}
    {%- endif -%}
    {%- do plan['result'].update({'columns': sqlmetrics.result_of_drift()}) -%}
    {%- if of_state -%}{{- sqlmetrics.note_states_of_drift(plan, reference_made) -}}{%- endif -%}
    {%- do plan['result']['names'].extend(
        plan['facts']['by'] | map(attribute='name') | list + (['is_total'] if plan['facts']['total'] else [])
            + plan['result']['columns'] | map(attribute='name') | list + plan['result']['counts'] | list
    ) -%}
    {{- sqlmetrics.check_names(plan, plan['result']['names']) -}}
    {%- do return(plan) -%}
{%- endmacro %}

{# Rejects a call that does not say which rows are compared with which. #}
{% macro check_sides(reference, period, before, after, of_state=false) -%}
    {%- set given = [period, before, after] | reject('none') | list -%}
    {%- if of_state and reference is not none and given -%}
        {{- sqlmetrics.refuse(
            "drift of a state takes reference=, another state, or before= and after=, two of its periods, not both"
        ) -}}
    {%- elif of_state and reference is none and (before is none or after is none) -%}
        {{- sqlmetrics.refuse(
            "drift of a state needs before= and after=, two of its periods, such as before='2026-05', after='2026-06';"
                ~ " or reference=, another state"
        ) -}}
    {%- elif of_state and reference is none and period is none -%}
        {{- sqlmetrics.refuse("drift of a state needs period=, its column of periods, or reference=, another state") -}}
    {%- elif (reference is none) == (period is none) -%}
        {{- sqlmetrics.refuse(
            "drift takes reference=, a second table, or period= with before= and after=, two periods of one table"
        ) -}}
    {%- elif period is none and (before is not none or after is not none) -%}
        {{- sqlmetrics.refuse("before= and after= are values of period=, which is missing") -}}
    {%- elif period is not none and (before is none or after is none) -%}
        {{- sqlmetrics.refuse(
            "period= needs before= and after=, the values whose rows are compared, such as before='2026-05',"
                ~ " after='2026-06'"
        ) -}}
    {%- elif period is not none and before == after -%}
        {{- sqlmetrics.refuse("before= and after= are both " ~ before ~ "; a period is compared with another one") -}}
    {%- endif -%}
    {%- for name, value in {'before': before, 'after': after}.items()
        if not (value is none or value is string or value is number or value is boolean) -%}
        {{- sqlmetrics.refuse(name ~ "= takes one value of period=: a text, a number or a boolean, got " ~ value) -}}
    {%- endfor -%}
{%- endmacro %}

{# Rejects arguments that do not fit to a state, or to a table. #}
{% macro check_state_of_drift(of_state, made_period, made_where, reference, numeric) -%}
    {%- if of_state is not boolean -%}
        {{- sqlmetrics.refuse("of_state must be true or false, got " ~ sqlmetrics.shown(of_state)) -}}
    {%- elif not of_state and (made_period is not none or made_where is not none) -%}
        {{- sqlmetrics.refuse(
            "made_period= and made_where= are of a state; leave them out, or pass of_state=true"
        ) -}}
    {%- elif of_state and reference is not none and made_period is none -%}
        {{- sqlmetrics.refuse("reference= of a state needs made_period=, the column of periods of both states") -}}
    {%- elif of_state and numeric -%}
        {{- sqlmetrics.refuse(
            "numeric= is not of a state, whose slices are compared as categories; leave it out, or compare the data"
        ) -}}
    {%- endif -%}
{%- endmacro %}

{# A value of the period as SQL. #}
{% macro literal_of_period(value) -%}
    {{- sqlmetrics.sql_text(value) if value is string else value | string | lower -}}
{%- endmacro %}

{# The columns to compare: sql, name and kind. #}
{% macro drift_columns(columns, numeric) -%}
    {%- set numeric, found = [numeric] if numeric is string else numeric or [], [] -%}
    {%- for column in sqlmetrics.columns_of(columns, 'columns') -%}
        {%- set name = column.get('name', column['alias']) -%}
        {%- set given = column.get('given', name) -%}
        {%- if name in found | map(attribute='name') -%}
            {{- sqlmetrics.refuse("columns= names the column '" ~ name ~ "' twice") -}}
        {%- endif -%}
        {%- do found.append({
            'sql': column['sql'], 'name': name, 'given': given, 'alias': column['alias'], 'number': loop.index,
            'kind': 'number' if given in numeric or column['alias'] in numeric else 'category',
            'value': 'sm_value_' ~ loop.index,
        }) -%}
    {%- endfor -%}
    {%- if not found -%}
        {{- sqlmetrics.refuse("drift needs columns=, the columns to compare") -}}
    {%- endif -%}
    {%- for name in numeric
        if name not in found | map(attribute='given') and name not in found | map(attribute='alias') -%}
        {{- sqlmetrics.refuse(
            "numeric= names columns of columns=, got '" ~ name ~ "'. Columns: "
                ~ found | map(attribute='name') | join(', ')
        ) -}}
    {%- endfor -%}
    {%- do return(found) -%}
{%- endmacro %}

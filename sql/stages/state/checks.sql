{# What a state that is read has to hold, for all metrics and for each. #}

{#
  Records the columns that are read of a state, and the checks that it has the same facts and all sums that
  the metrics need; runs before any metric.
#}
{% macro note_state(plan) -%}
    {%- for name, message in (
        (
            'states_of_other_facts',
            'rows of the state were made with other facts (label=, score=, positive= ...) than finish was given',
        ),
        (
            'states_incomplete',
            'rows of the state were made for other metrics and lack sums that these need, or hold sums that are NaN'
                ~ ' or infinite; make those periods again',
        ),
    ) -%}
        {%- set guard = sqlmetrics.need(plan, 'rows', name, '') -%}
        {%- set column = sqlmetrics.filled(plan, guard) -%}
        {%- do plan['of_state'].update({column: ''}) -%}
        {%- do plan['result']['checks'].update({
            column: {'name': name, 'message': message, 'value': none, 'grain': 'rows'},
        }) -%}
        {#- a row that lacks the sums of one metric does not spoil another: see require_held -#}
        {%- if name != 'states_incomplete' -%}{%- do plan['guards_of_all'].append(guard) -%}{%- endif -%}
    {%- endfor -%}
    {{- sqlmetrics.check_periods(
        plan, 'periods_repeated', 'periods are in the state more than once, and would count as often; keep one'
    ) -}}
    {%- do plan['guards_of_all'].append('{periods_repeated}') -%}
{%- endmacro %}

{# A check that counts periods in sm_periods. The count is the same in every row of the state. #}
{% macro check_periods(plan, name, message) -%}
    {%- set guard = sqlmetrics.need(plan, 'rows', name, '', 'max') -%}
    {%- set column = sqlmetrics.filled(plan, guard) -%}
    {%- do plan['of_state'].update({column: ''}) -%}
    {%- do plan['result']['checks'].update({
        column: {'name': name, 'message': message, 'value': none, 'grain': 'rows'},
    }) -%}
    {%- if guard not in plan['asked']['guards'] -%}{%- do plan['asked']['guards'].append(guard) -%}{%- endif -%}
{%- endmacro %}

{#
  Makes a metric NULL where a row of the state lacks a sum of this metric. A row lacks a sum if its column is
  NULL, NaN or infinite, whatever the row claims: a table that was not altered drops new columns, and `state` stores
  0 for a sum over nothing. A row of the grain rows also lacks grains that its sm_holds does not name.
#}
{% macro require_held(plan) -%}
    {%- set held = sqlmetrics.held_for_metric(plan) -%}
    {%- set known = plan['held'].values() | list -%}
    {%- if held not in known -%}
        {%- set guard = sqlmetrics.need(plan, 'rows', 'incomplete_' ~ (known | length + 1), '') -%}
        {%- do plan['of_state'].update({sqlmetrics.filled(plan, guard): sqlmetrics.lacks([held])}) -%}
        {%- do plan['held'].update({guard: held}) -%}
    {%- endif -%}
    {%- for guard, known in plan['held'].items() if known == held and guard not in plan['asked']['guards'] -%}
        {%- do plan['asked']['guards'].append(guard) -%}
    {%- endfor -%}
{%- endmacro %}

{#
  What the metric that is asked, or the curve, reads of a state: conditions that hold in a complete row, by grain.
#}
{% macro held_for_metric(plan) -%}
    {%- set touched, points = plan['asked']['touched'], plan['reads'].get('points') -%}
    {%- set held = {'rows': sqlmetrics.numbers_of_state(['sm_n_rows'])} -%}
    {%- for grain in ('rows', 'second_pass', 'row_moments') -%}
        {%- for column in touched.get(grain, {}) if column not in plan['of_state'] -%}
            {%- do held['rows'].append(sqlmetrics.is_held(plan, column, plan['needs'][grain][column]['aggregate'])) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- if 'list_sums' in touched -%}
        {#- every state of lists has this sum; no row of the grain lists is there without it -#}
        {%- do held['rows'].append(sqlmetrics.names_in_state('sm_groups_split')) -%}
        {%- set columns = touched['list_sums'] | list + touched.get('list_moments', {}) | list -%}
        {%- do held.update({'lists': sqlmetrics.numbers_of_state(columns)}) -%}
    {%- endif -%}
    {%- if plan['asked']['pairs'] is not none -%}
        {%- set name = plan['asked']['pairs'] -%}
        {%- do held['rows'].append(sqlmetrics.names_in_state(sqlmetrics.held_pairs(name))) -%}
        {%- set other, found = 'sm_pair_metric <> ' ~ sqlmetrics.sql_text(name), [] -%}
        {%- for column in sqlmetrics.columns_of_kept_pairs()[2:]
            if column not in ('sm_pair_above', 'sm_pair_ties', 'sm_pair_below') -%}
            {%- do found.append(sqlmetrics.is_number_of_state(column)) -%}
        {%- endfor -%}
        {%- set found = ['(' ~ other ~ ' or ' ~ found | join(' and ') ~ ')'] -%}
        {%- do held.update({'pairs': found}) -%}
        {%- if plan['facts']['group'] is not none -%}{%- do held.update({'whole pairs': found}) -%}{%- endif -%}
    {%- endif -%}
    {%- set of_levels = ['sm_score', 'sm_level_rows', 'sm_level_positives'] -%}
    {%- set reads_levels = ['levels'] if 'levels' in touched or 'peaks' in touched or points else [] -%}
    {%- for grain, bins in plan['bins'].items() if grain in touched -%}
        {%- set further = sqlmetrics.further_for_metric(plan, grain) -%}
        {%- if bins['equal'] == 'width' -%}
            {%- do held['rows'].append(sqlmetrics.names_in_state(grain)) -%}
            {%- do held.update({
                grain: sqlmetrics.numbers_of_state(['sm_bin', 'sm_level_rows', 'sm_level_positives'] + further),
            }) -%}
        {%- else -%}
            {%- do reads_levels.append(grain) -%}
            {%- if 'sm_level_squares' in further -%}{%- do of_levels.append('sm_level_squares') -%}{%- endif -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if reads_levels -%}
        {%- do held['rows'].append(sqlmetrics.names_in_state('levels')) -%}
        {%- do held.update({'levels': sqlmetrics.numbers_of_state(of_levels)}) -%}
    {%- endif -%}
    {%- do return(held) -%}
{%- endmacro %}

{# The further columns of bins that the metric or the curve reads. #}
{% macro further_for_metric(plan, grain) -%}
    {%- set read, further = dict(plan['reads'].get(grain, {}) if plan['points'] else {}), [] -%}
    {%- for column in plan['asked']['touched'][grain] -%}
        {%- for hole in plan['needs'][grain][column]['holes'] -%}{%- do read.update({hole: true}) -%}{%- endfor -%}
    {%- endfor -%}
    {%- for column in sqlmetrics.counted_besides(plan, grain) if column['reads'] | select('in', read) | list -%}
        {%- do further.append(column['name']) -%}
    {%- endfor -%}
    {%- do return(further) -%}
{%- endmacro %}

{#
  The condition that a row of the grain rows has a sum. A least or greatest value is NULL over no row that counts,
  too: over no usable row, or over a weight of 0.
#}
{% macro is_held(plan, column, aggregate) -%}
    {%- set of_none = 'sm_weights = 0' if 'sm_weights' in plan['asked']['touched']['rows']
        else 'sm_n_rows = ' ~ sqlmetrics.problem_columns(plan) | join(' + ') if plan['facts']['weight'] is none
        else sqlmetrics.names_in_state(column) -%}
    {{- '(' if aggregate in ('min', 'max') }}{{ sqlmetrics.is_number_of_state(column) }}
    {{- ' or ' ~ of_none ~ ')' if aggregate in ('min', 'max') -}}
{%- endmacro %}

{# The conditions that columns of a state hold a number. #}
{% macro numbers_of_state(columns) -%}
    {%- set conditions = [] -%}
    {%- for column in columns -%}{%- do conditions.append(sqlmetrics.is_number_of_state(column)) -%}{%- endfor -%}
    {%- do return(conditions) -%}
{%- endmacro %}

{#
  The condition that a column of a state holds a finite number. A sum beyond the floats is infinite: divided by an
  infinite sum, a metric would be 0.
#}
{% macro is_number_of_state(column) -%}{{ sqlmetrics.sql_finite(sqlmetrics.sql_double(column)) }}{%- endmacro %}

{# The condition that sm_holds names a grain or a sum. A percent sign would be a mark of parameters to some drivers. #}
{% macro names_in_state(name) -%}replace(sm_holds, ' {{ name }} ', '') <> sm_holds{%- endmacro %}

{# 1 for a row of the state that lacks something of what metrics read, else 0. #}
{% macro lacks(held) -%}
    {%- set all, cases = {}, [] -%}
    {%- for metric in held -%}
        {%- for grain, conditions in metric.items() -%}
            {%- for condition in conditions -%}
                {%- do all.setdefault(grain, {}).update({condition: true}) -%}
            {%- endfor -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- for grain, conditions in all.items() -%}
        {%- do cases.append("when sm_grain = '" ~ grain ~ "' and " ~ conditions | join(' and ') ~ ' then 0') -%}
    {%- endfor -%}
    {%- do cases.extend(["when sm_grain in ('" ~ all | join("', '") ~ "') then 1", 'else 0']) -%}
    case{{ '\n            ' ~ cases | join('\n            ') }}
        end
{%- endmacro %}

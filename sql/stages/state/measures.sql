{#
  The measures of a state: aggregates over its rows that stay right whichever periods and slices a tool selects. And the
  metrics that the tool makes of them (api/semantic.sql).

  A measure is an aggregate (sum, min, max or count_distinct) and the SQL of a row of the state. A metric is a template
  whose holes are measures.
#}

{#
  Records the metric that is asked: its template, NULL where the rows that a tool selects are not fit for it, and the
  measures that it reads.
#}
{% macro add_measured(plan, result, value) -%}
    {{- sqlmetrics.check_additive(plan) -}}
    {%- for hole in sqlmetrics.holes(value['sql']) -%}
        {%- set grain, column = plan['sums'][hole], 'sm_' ~ hole -%}
        {%- do plan['measures'].update({column: {
            'aggregate': plan['needs'][grain][column]['aggregate'], 'sql': sqlmetrics.sum_of_row(grain, column),
        }}) -%}
    {%- endfor -%}
    {%- set conditions = ['{' ~ sqlmetrics.measure_of_unfit(plan) ~ '} = 0'] + sqlmetrics.conditions_of_state(plan) -%}
    {%- set texts = {} -%}
    {%- for hole in sqlmetrics.holes(value['sql']) -%}{%- do texts.update({hole: '{sm_' ~ hole ~ '}'}) -%}{%- endfor -%}
    {%- do result.update({
        'measured': 'case when ' ~ conditions | join(' and ') ~ ' then '
            ~ sqlmetrics.with_holes(value['sql'], texts) ~ ' end',
    }) -%}
{%- endmacro %}

{# Rejects a metric that reads more than sums that add up. #}
{% macro check_additive(plan) -%}
    {%- for grain in plan['asked']['touched'] -%}
        {%- set reason = plan['grains'][sqlmetrics.kind_of_grain(plan, grain)].get('measures') -%}
        {%- if reason -%}
            {{- sqlmetrics.refuse_metric(
                plan, "no semantic layer makes it from a state, since " ~ reason ~ "; finish does"
            ) -}}
        {%- endif -%}
    {%- endfor -%}
{%- endmacro %}

{#
  A sum in a row of a state, NULL in a row of another grain. Sums over lists are those of the parts of lists in a slice,
  and not of whole lists, which have no slice. They add up if each list lies in one slice (divided_in_state).
#}
{% macro sum_of_row(grain, column) -%}
case when sm_grain = '{{ 'lists' if grain == 'list_sums' else 'rows' }}' then {{ column }} end
{%- endmacro %}

{#
  The measure of what keeps rows of the state from serving the metric: 1 for a row that lacks a sum of it, and the
  counts of its checks. Metrics with the same checks and sums share it. Returns its name.
#}
{% macro measure_of_unfit(plan) -%}
    {%- set terms = [sqlmetrics.lacks([sqlmetrics.held_for_metric(plan)])] -%}
    {%- for guard in plan['asked']['guards'] -%}
        {%- set column = sqlmetrics.filled(plan, guard) -%}
        {#- the rows of slices do not tell which lists they share: sm_groups_split is a count of whole lists -#}
        {%- if column not in plan['of_state'] and column != 'sm_groups_split' -%}
            {%- set grain = plan['sums'][sqlmetrics.holes(guard)[0]] -%}
            {%- do terms.append('coalesce(' ~ sqlmetrics.sum_of_row(grain, column) ~ ', 0)') -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set sql = terms | join('\n        + ') -%}
    {%- set known = [] -%}
    {%- for name, measure in plan['measures'].items() if name.startswith('sm_unfit_') -%}
        {%- do known.append(name) -%}
        {%- if measure['sql'] == sql -%}{%- do return(name) -%}{%- endif -%}
    {%- endfor -%}
    {%- set name = 'sm_unfit_' ~ (known | length + 1) -%}
    {%- do plan['measures'].update({name: {'aggregate': 'sum', 'sql': sql}}) -%}
    {%- do return(name) -%}
{%- endmacro %}

{#
  The conditions that rows of a state can be added up: they were made in one way, of one model, and no slice of a period
  is there twice. Counts of distinct values tell it of any rows that are selected, without a join.
#}
{% macro conditions_of_state(plan) -%}
    {%- set period, slices = plan['facts']['period']['sql'], plan['facts']['by'] | map(attribute='sql') | list -%}
    {%- set made, kept = ['sm_facts'], [period] + slices -%}
    {%- if sqlmetrics.has_models(plan) -%}
        {%- do made.insert(0, 'model') -%}
        {%- do kept.append('model') -%}
    {%- endif -%}
    {%- set of_period = "sm_grain = 'rows' and " ~ period ~ ' is not null' -%}
    {%- do plan['measures'].update({
        'sm_ways_made': {
            'aggregate': 'count_distinct',
            'sql': "case when sm_grain = 'rows' then " ~ sqlmetrics.key_of_texts(made) ~ ' end',
        },
        'sm_slices_kept': {'aggregate': 'sum', 'sql': 'case when ' ~ of_period ~ ' then 1 else 0 end'},
        'sm_slices_told_apart': {
            'aggregate': 'count_distinct',
            'sql': 'case when ' ~ of_period ~ ' then ' ~ sqlmetrics.key_of_texts(kept) ~ ' end',
        },
    }) -%}
    {%- do return(['{sm_ways_made} = 1', '{sm_slices_kept} = {sm_slices_told_apart}']) -%}
{%- endmacro %}

{# Columns as one text, which differs wherever one of them does. `/` is doubled inside a value, and '/-' is NULL. #}
{% macro key_of_texts(columns) -%}
    {%- set texts = [] -%}
    {%- for column in columns -%}
        {%- do texts.extend(([] if loop.first else ["'/,'"]) + [
            "coalesce(replace(" ~ sqlmetrics.sql_string(column) ~ ", '/', '//'), '/-')",
        ]) -%}
    {%- endfor -%}
    {{ texts[0] if texts | length == 1 else sqlmetrics.sql_joined(texts) }}
{%- endmacro %}

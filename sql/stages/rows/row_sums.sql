{#
  The grain of rows: every sum over rows that metrics need, one row for each slice and one for the total
  (sm_slice 0).
#}

{#
  sm_slice_sums: one scan, of rows or of a state of them. sm_row_sums: the slices, and the total added up from
    them.
#}
{% macro stage_row_sums(plan) -%}
{%- set keys = plan['facts']['keys'] -%}
{%- set add_up = plan['facts']['total'] and not plan['facts']['runs'] -%}
{%- set sums, totals, counts = [], [], sqlmetrics.counts_of_rows(plan) -%}
{%- for column, count in counts.items() -%}
    {%- do sums.append(count ~ ' as ' ~ column) -%}
    {%- do totals.append('sum(' ~ column ~ ') as ' ~ column) -%}
{%- endfor -%}
{%- set needs = sqlmetrics.sums_read(plan, 'rows') -%}
{%- for column, need in needs.items() -%}
    {%- do totals.append(need['aggregate'] ~ '(' ~ column ~ ') as ' ~ column) -%}
{%- endfor -%}
-- what is summed over rows, a row for each slice
{{ 'sm_slice_sums' if add_up else 'sm_row_sums' }} as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(keys
            + (totals if plan['question']['reads'] == 'state'
                else sums + sqlmetrics.aggregates(plan, 'rows', needs)), 8) }}
    from {{ sqlmetrics.sliced(plan) }}
    {%- if plan['question']['reads'] == 'state' %}
    where sm_grain = 'rows' or {{ sqlmetrics.sliced(plan) }}.sm_states_incomplete > 0
    {%- endif %}
    {{- sqlmetrics.grouped_by(keys) }}
    {{- sqlmetrics.sql_once('sm_slice_sums' if add_up else 'sm_row_sums') }}
)
{%- if add_up -%}
,

-- the same with a row for all slices together
sm_row_sums as{{ sqlmetrics.sql_cte_shared() }} (
    {%- if sqlmetrics.sql_distributed() or (sqlmetrics.sql_copies_stages() and sqlmetrics.model_keys(plan)) %}
    select
        {{- sqlmetrics.lines(sqlmetrics.model_keys(plan) + ['sm_counted_in as sm_slice'] + totals, 8) }}
    from {{ sqlmetrics.counted_twice('sm_slice_sums', always=not sqlmetrics.model_keys(plan)) }} as sm_slices_and_total
    {{- sqlmetrics.grouped_by(sqlmetrics.model_keys(plan) + ['sm_counted_in']) }}
    {%- else %}
    select
        {{- sqlmetrics.lines(keys + counts | list + needs | list, 8) }}
    from sm_slice_sums
    union all
    select
        {{- sqlmetrics.lines(sqlmetrics.total_keys(plan) + totals, 8) }}
    from sm_slice_sums
    {{- sqlmetrics.grouped_by(sqlmetrics.model_keys(plan)) }}
    {%- endif %}
)
{%- endif -%}
{%- endmacro %}

{# How many rows there are, and how many are unusable: column -> expression. A bootstrap counts its rows once. #}
{% macro counts_of_rows(plan) -%}
    {%- set counts = {} -%}
    {%- if plan['question']['counts'] -%}
        {%- do counts.update({'sm_n_predicted': 'sum(sm_listed)'} if plan['facts']['truth'] is not none
            else {'sm_n_rows': 'sum(sm_outcome)' if plan['facts']['soft'] else 'count(*)'}) -%}
        {%- for name, code in sqlmetrics.problems(plan).items() -%}
            {%- set unusable = sqlmetrics.counted_once(plan, '{problem} = ' ~ code) -%}
            {%- do counts.update({
                'sm_' ~ name: 'sum(case when ' ~ sqlmetrics.filled(plan, unusable) ~ ' then 1 else 0 end)',
            }) -%}
        {%- endfor -%}
    {%- endif -%}
    {%- do return(counts) -%}
{%- endmacro %}

{# The columns with the counts of unusable rows. #}
{% macro problem_columns(plan) -%}
    {%- set columns = [] -%}
    {%- for name in sqlmetrics.problems(plan) -%}{%- do columns.append('sm_' ~ name) -%}{%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{# sm_second_pass: a second scan, for sums about a mean or a quantile that the first scan found. #}
{% macro stage_second_pass(plan) -%}
{%- set keys = sqlmetrics.slice_keys(plan, 'sm_row_sums.') -%}
{%- set of_state = plan['question']['reads'] == 'state' -%}
-- what is summed about a mean or a quantile
sm_second_pass as{{ sqlmetrics.sql_cte_shared() if plan['facts']['interval'] is not none }} (
    select
        {{- sqlmetrics.lines(keys
            + (sqlmetrics.merged_deviations(plan) if of_state else sqlmetrics.aggregates(plan, 'second_pass')), 8) }}
    from {{ sqlmetrics.sliced(plan) }}
    inner join sm_row_sums on {{ sqlmetrics.same_or_total(plan, sqlmetrics.sliced(plan), 'sm_row_sums') }}
    {{- " and sm_grain = 'rows'" if of_state }}
    {%- if plan['needs']['label_quantiles'] %}
    inner join sm_label_quantiles on {{ sqlmetrics.same_slice(plan, 'sm_row_sums', 'sm_label_quantiles') }}
    {%- endif %}
    {{- sqlmetrics.grouped_by(keys) }}
)
{%- endmacro %}

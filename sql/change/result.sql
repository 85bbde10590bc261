{# The statement of an explained change: its stages after those of the metric, and the result. #}

{# The stages from sums to the effects of slices. #}
{% macro stages_of_change(plan) -%}
    {%- set stages = [sqlmetrics.stage_divided()] if 'sm_groups_divided' in plan['result']['checks'] else [] -%}
    {%- do stages.extend([
        sqlmetrics.stage_change_sums(plan), sqlmetrics.stage_change_shares(plan), sqlmetrics.stage_change_parts(plan),
        sqlmetrics.stage_change_effects(plan),
    ]) -%}
    {%- if plan['question']['reads'] == 'rows' -%}
        {%- do stages.append(sqlmetrics.stage_change_ends(plan)) -%}
    {%- endif -%}
    {%- do return(stages) -%}
{%- endmacro %}

{# The columns of the result, over sm_explained. #}
{% macro columns_of_change(plan) -%}
    {%- set of_data = plan['question']['reads'] == 'rows' -%}
    {%- set columns = [] -%}
    {%- for name in ['rows'] + (['units'] if of_data else []) -%}
        {%- for side, period in {1: 'before', 2: 'after'}.items() -%}
            {%- do columns.append(
                {'name': 'n_' ~ name ~ '_' ~ period, 'value': 'sm_' ~ name ~ '_' ~ side, 'integer': true}
            ) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- for name in ('share', 'value') -%}
        {%- for side, period in {1: 'before', 2: 'after'}.items() -%}
            {%- do columns.append({'name': name ~ '_' ~ period, 'value': 'sm_' ~ name ~ '_' ~ side}) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set parts = sqlmetrics.parts_of_effect(plan) | list -%}
    {%- for part in parts -%}{%- do columns.append({'name': part, 'value': 'sm_' ~ part}) -%}{%- endfor -%}
    {%- for part in (['effect'] + parts[:-1] if of_data else []) -%}
        {%- for end, sign in {'low': '-', 'high': '+'}.items() -%}
            {%- do columns.append({
                'name': end if part == 'effect' else part ~ '_' ~ end,
                'value': 'sm_' ~ part ~ ' ' ~ sign ~ ' sm_reach_of_' ~ part,
            }) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{# The last select: the parts of an effect side by side. #}
{% macro result_of_change(plan) -%}
{%- set of_data, columns, inner = plan['question']['reads'] == 'rows', [], ['sm_counted_in'] -%}
{%- for side in (1, 2) -%}
    {%- for name in ['rows', 'share', 'value'] + (['units'] if of_data else []) -%}
        {%- do inner.append('max(sm_' ~ name ~ '_' ~ side ~ ') as sm_' ~ name ~ '_' ~ side) -%}
    {%- endfor -%}
{%- endfor -%}
{%- for part in sqlmetrics.parts_of_effect(plan) -%}
    {%- set of_part = 'max(case when sm_part = ' ~ loop.index ~ ' then ' -%}
    {%- do inner.append(of_part ~ 'sm_estimate end) as sm_' ~ part) -%}
    {%- if of_data -%}{%- do inner.append(of_part ~ 'sm_reach end) as sm_reach_of_' ~ part) -%}{%- endif -%}
{%- endfor -%}
{%- for column in plan['facts']['by'] -%}
    {%- do columns.append(sqlmetrics.value_of_slice(plan, column, 'sm_counted_in = 0') ~ ' as ' ~ column['alias']) -%}
{%- endfor -%}
{%- do columns.append('case when sm_counted_in = 0 then 1 else 0 end as is_total') -%}
{%- for result in plan['result']['columns'] -%}
    {%- do columns.append(sqlmetrics.result_column(plan, result)) -%}
{%- endfor -%}
{%- for name in plan['result']['counts'] -%}
    {%- do inner.append('max(sm_count_' ~ loop.index ~ ') as sm_count_' ~ loop.index) -%}
    {%- do columns.append(sqlmetrics.sql_integer('sm_count_' ~ loop.index) ~ ' as ' ~ name) -%}
{%- endfor -%}
{%- for column in sqlmetrics.examples_of_change(plan) -%}
    {%- do inner.append('max(' ~ column ~ ') as ' ~ column) -%}
    {%- do columns.append(column) -%}
{%- endfor -%}
select
    {{- sqlmetrics.lines(columns, 4) }}
from (
    select
        {{- sqlmetrics.lines(inner, 8) }}
    from {{ 'sm_change_ends' if of_data else 'sm_change_effects' }}
    group by sm_counted_in
) as sm_explained
left join sm_slices on sm_explained.sm_counted_in = sm_slices.sm_slice
order by
    case when sm_counted_in = 0 then 1 else 0 end asc,
    case when sm_effect is null then 1 else 0 end asc,
    abs(sm_effect) desc,
    sm_counted_in asc
{%- endmacro %}

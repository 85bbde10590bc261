{#
  The keys that tell slices, models and periods apart:
    sm_model: if there are several models; of a change that is explained, 1 is the period before and 2 that after
    sm_period: in a state, where each period has its own rows (api/state.sql)
    sm_replicate: if rows are drawn repeatedly (inference/replicates.sql)
    sm_slice: if there are slices
#}

{# The keys. The prefix, a stage and a dot, is needed where two stages have the keys. #}
{% macro slice_keys(plan, prefix='') -%}
    {%- do return(sqlmetrics.prefixed(plan['facts']['keys'], prefix)) -%}
{%- endmacro %}

{# True if sm_model is a model, and not a period of a change. #}
{% macro has_models(plan) -%}
    {%- do return('sm_model' in plan['facts']['keys'] and not plan['question']['model_is_period']) -%}
{%- endmacro %}

{# The keys of the total: all but the slice. #}
{% macro model_keys(plan) -%}
    {%- do return(plan['facts']['keys'] | reject('equalto', 'sm_slice') | list) -%}
{%- endmacro %}

{# The same keys as columns of the total, which is slice 0. #}
{% macro total_keys(plan) -%}{%- do return(sqlmetrics.model_keys(plan) + ['0 as sm_slice']) -%}{%- endmacro %}

{# The keys without the model. #}
{% macro keys_beside_models(plan) -%}
    {%- do return(plan['facts']['keys'] | reject('equalto', 'sm_model') | list) -%}
{%- endmacro %}

{# The condition that joins two stages by slice. #}
{% macro same_slice(plan, left, right) -%}{{ sqlmetrics.same_keys(plan['facts']['keys'], left, right) }}{%- endmacro %}

{#
  Left join of sums that may lack a slice. Without keys it is a cross join with their one row: in some engines an outer
  join needs an equality of columns.
#}
{% macro join_sums(plan, left, sums) -%}
{{ 'left join ' ~ sums ~ ' on ' ~ sqlmetrics.same_slice(plan, left, sums) if plan['facts']['keys']
    else 'cross join ' ~ sums }}
{%- endmacro %}

{# Joins a stage that has one row for each value of the keys; without keys, its one row. #}
{% macro inner_join(keys, left, right, alias=none) -%}
{%- set named = right ~ (' as ' ~ alias if alias is not none else '') -%}
{{ 'inner join ' ~ named ~ ' on ' ~ sqlmetrics.same_keys(keys, left, alias or right) if keys
    else 'cross join ' ~ named }}
{%- endmacro %}

{# The condition that joins rows to their slice and to the total. #}
{% macro same_or_total(plan, rows, slices) -%}
    {%- if not plan['facts']['total'] -%}
        {{- sqlmetrics.same_slice(plan, rows, slices) -}}
    {%- else -%}
        {{- sqlmetrics.same_keys(sqlmetrics.model_keys(plan), rows, slices) ~ ' and ' if sqlmetrics.model_keys(plan) -}}
        {{ slices }}.sm_slice in ({{ rows }}.sm_slice, 0)
    {%- endif -%}
{%- endmacro %}

{#
  A table of two rows: sm_in_total is 0 where a row counts in its slice, and 1 where it counts in the total. It ends its
  line, with a comment.
#}
{% macro slice_or_total() -%}
(select 0 as sm_in_total union all select 1 as sm_in_total) as sm_twice -- a row for the slice, one for the total
{%- endmacro %}

{#
  A sub-query: the rows of a stage, each once for its slice and once for the total. sm_counted_in is the slice, or 0.
  One reading of the stage serves both. A stage without rows has no total, or one of nulls with `always`. With `marked`
  sm_in_total says which of both a row is.
#}
{% macro counted_twice(stage, indent='    ', always=false, marked=false) -%}
(
    {%- set counted_in = 'case when sm_in_total = 1 then 0 else sm_slice end as sm_counted_in' %}
    {{ indent }}select {{ stage }}.*, {{ 'sm_in_total, ' if marked }}{{ counted_in }}
    {%- if always %}
    {{ indent }}from {{ sqlmetrics.slice_or_total() }}
    {{ indent }}left join {{ stage }} on 1 = 1
    {{ indent }}where sm_in_total = 1 or sm_slice is not null
    {%- else %}
    {{ indent }}from {{ stage }}
    {{ indent }}cross join {{ sqlmetrics.slice_or_total() }}
    {%- endif %}
{{ indent }})
{%- endmacro %}

{# Columns with a prefix. #}
{% macro prefixed(columns, prefix) -%}
    {%- set found = [] -%}
    {%- for column in columns -%}{%- do found.append(prefix ~ column) -%}{%- endfor -%}
    {%- do return(found) -%}
{%- endmacro %}

{# The condition that two stages have equal columns. #}
{% macro same_keys(columns, left, right) -%}
    {%- set equal = [] -%}
    {%- for column in columns -%}
        {%- do equal.append(left ~ '.' ~ column ~ ' = ' ~ right ~ '.' ~ column) -%}
    {%- endfor -%}
    {{- equal | join(' and ') or '1 = 1' -}}
{%- endmacro %}

{# partition by ..., or nothing #}
{% macro partition_by(keys) -%}{{ 'partition by ' ~ keys | join(', ') ~ ' ' if keys }}{%- endmacro %}

{# group by ... on a line of its own, or nothing #}
{% macro grouped_by(keys) -%}{{ '\n    group by ' ~ keys | join(', ') if keys }}{%- endmacro %}

{#
  The key of a list, whose columns may be several: one text, whose `/` are doubled in each, so that keys differ wherever
  one of the columns does. NULL if one of them is.
#}
{% macro key_of_group(group, columns) -%}
    {%- if group is none or group is string or group is mapping or group is not sequence -%}
        {%- do return(group) -%}
    {%- elif group | length == 1 -%}
        {%- do return(group[0]) -%}
    {%- elif not group -%}
        {{- sqlmetrics.refuse("group=[] names no column; leave group= out, or write the columns of its key") -}}
    {%- endif -%}
    {%- set texts = [] -%}
    {%- for column in group -%}
        {%- set column = column if columns is not none else sqlmetrics.expression('group', column) -%}
        {%- do texts.extend(([] if loop.first else ["' / '"]) + [
            'replace(' ~ sqlmetrics.sql_string(column) ~ ", '/', '//')",
        ]) -%}
    {%- endfor -%}
    {%- do return(sqlmetrics.sql_joined(texts)) -%}
{%- endmacro %}

{# Rejects a slice named as a column of the statement, where one query reads the result of another. #}
{% macro refuse_own_names(plan, what) -%}
    {%- for column in plan['facts']['by'] if column['name'][:3] | lower == 'sm_' -%}
        {{- sqlmetrics.refuse(
            "by='" ~ column['name'] ~ "': with " ~ what ~ " the statement's own columns alone begin with sm_; give the"
                ~ " column another name in the result, by={'slice': '" ~ column['name'] ~ "'}"
        ) -}}
    {%- endfor -%}
{%- endmacro %}

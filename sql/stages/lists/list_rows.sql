{#
  The rows of lists and of their parts from one reading, where lists are ranked first and the engine puts a copy of a
  stage into each of its readers (sql_copies_stages).
#}

{#
  sm_list_rows: the usable rows of each list (sm_part 0), with the first and the last slice of the list. The rows of a
    list of several slices come again, as rows of the part that lies in their slice.
#}
{% macro stage_list_rows(plan) -%}
{%- set of_list = 'over (partition by ' ~ (['sm_group'] + sqlmetrics.model_keys(plan)) | join(', ') ~ ')' -%}
{%- set kept = sqlmetrics.kept_columns(plan) -%}
{%- set columns = kept['facts'] | reject('in', plan['facts']['by'] | map(attribute='column') | list) | list
    + kept['numbers'] -%}
-- the rows of each list as a whole, and of its parts if it lies in several slices
sm_list_rows as (
    select
        {{- sqlmetrics.lines([
            'case when sm_in_part = 1 then sm_slice_of_row else 0 end as sm_part',
            'case when sm_in_part = 1 then sm_slice_of_row else sm_first_of_list end as sm_slice',
            'case when sm_in_part = 1 then sm_slice_of_row else sm_last_of_list end as sm_last_slice',
        ] + columns, 8) }}
    from (
        select
            {{- sqlmetrics.lines([
                'sm_slice as sm_slice_of_row',
                'min(sm_slice) ' ~ of_list ~ ' as sm_first_of_list',
                'max(sm_slice) ' ~ of_list ~ ' as sm_last_of_list',
            ] + columns, 12) }}
        from sm_sliced
        where sm_problem = 0
    ) as sm_spanned
    cross join (select 0 as sm_in_part union all select 1 as sm_in_part) as sm_twice -- a list as a whole, and its parts
    where sm_in_part = 0 or sm_first_of_list < sm_last_of_list
)
{%- endmacro %}

{# The condition on rows of lists: most stages hold unusable rows, too. #}
{% macro where_usable(source, more=[], indent='    ') -%}
    {%- set only_usable = ['sm_list_rows', 'sm_part_rows', 'sm_spanning_rows'] -%}
    {%- set conditions = ([] if source in only_usable else ['sm_problem = 0']) + more -%}
    {{- '\n' ~ indent ~ 'where ' ~ conditions | join(' and ') if conditions }}
{%- endmacro %}

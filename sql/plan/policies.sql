{#
  Policies for rows that a list cannot take as they are. Each is a fact about the data, an argument of `evaluate`.

  on_extra: a predicted list that the truth lacks
    drop: it is left out and counted in rows_without_truth
    error: it is an error
  on_duplicate: an item that occurs twice in a list
    error: it is an error
    first: the best-ranked row is kept, by highest score and then highest label; the others are left out and counted in
      rows_duplicate. The truth keeps the highest label. Metrics over rows and score levels use every row
  unjudged: an item without a judgement. With truth= it is a listed item that the truth lacks or gives a label below 0.
    Without truth= it is a row without a label, a bad row unless this policy is given
    not_relevant: its label is 0; the default with truth=
    drop: it is left out of its list and counted in rows_unjudged; the items below move up (a condensed list). A list
      with no item left is missing
#}

{# Rejects an unknown policy. #}
{% macro check_policies(on_extra, on_duplicate, unjudged) -%}
    {%- for name, value, allowed in (
        ('on_extra', on_extra, ['drop', 'error']), ('on_duplicate', on_duplicate, ['error', 'first']),
        ('unjudged', unjudged, ['not_relevant', 'drop', none]),
    ) if value not in allowed -%}
        {{- sqlmetrics.refuse(
            name ~ ": '" ~ value ~ "' is not known. Allowed: " ~ allowed | reject('none') | join(', ')
        ) -}}
    {%- endfor -%}
{%- endmacro %}

{# Adds the checks of the policies to a plan, before any metric is asked. #}
{% macro note_policies(plan) -%}
    {%- if plan['facts']['on_extra'] == 'error' -%}
        {%- do plan['result']['checks'].update({'sm_rows_without_truth': {
            'name': 'rows_without_truth', 'message': "rows are of groups that the truth lacks (on_extra='error')",
            'value': none, 'grain': 'rows',
        }}) -%}
        {%- do plan['sums'].update({'rows_without_truth': 'rows'}) -%}
        {%- do plan['guards_of_all'].append('{rows_without_truth}') -%}
    {%- endif -%}
{%- endmacro %}

{# The rows of whole lists: `rows`, or the best-ranked row of each item if duplicates are left out. #}
{% macro rows_of_lists(plan, rows) -%}
{{ 'sm_unique' if plan['facts']['on_duplicate'] == 'first' else rows }}
{%- endmacro %}

{# The rows of parts of lists. Each part may have an item once. #}
{% macro rows_of_parts(plan) -%}
    {{ 'sm_unique_parts' if plan['facts']['on_duplicate'] == 'first' else 'sm_part_rows' }}
{%- endmacro %}

{#
  sm_unique: the rows of whole lists, each item once. sm_first_slice and sm_last_slice are the first and last slice of
  all its rows, including those left out.
#}
{% macro stage_unique(plan) -%}
{%- set keys = sqlmetrics.list_keys(plan) | reject('equalto', 'sm_part') | list -%}
{%- set items = 'partition by ' ~ keys | join(', ') ~ ', sm_item' -%}
sm_unique as{{ sqlmetrics.sql_cte_shared() }} (
    {{ sqlmetrics.unique_rows(plan, sqlmetrics.sliced(plan), keys, [
        'min(sm_slice) over (' ~ items ~ ') as sm_first_slice', 'max(sm_slice) over (' ~ items ~ ') as sm_last_slice',
    ] if sqlmetrics.has_parts(plan) else []) }}
)
{%- endmacro %}

{# The first and the last slice of rows that are aggregated. #}
{% macro slices_of_rows(plan, rows) -%}
    {%- set first = plan['facts']['on_duplicate'] == 'first' -%}
    {%- do return([
        'min(' ~ rows ~ ('.sm_first_slice' if first else '.sm_slice') ~ ') as sm_slice',
        'max(' ~ rows ~ ('.sm_last_slice' if first else '.sm_slice') ~ ') as sm_last_slice',
    ]) -%}
{%- endmacro %}

{#
  The best-ranked row of each item of the lists that `keys` identify. Rows that are equal in every column read are
  interchangeable.
#}
{% macro unique_rows(plan, source, keys, more=[]) -%}
{%- set best = ['sm_score desc', 'sm_label desc'] -%}
{%- for column in sqlmetrics.list_weight_columns(plan) + sqlmetrics.item_weight_columns(plan)
    + sqlmetrics.list_subset_columns(plan) -%}
    {%- do best.append(column ~ ' desc') -%}
{%- endfor -%}
{%- set copies = 'partition by ' ~ keys | join(', ') ~ ', sm_item order by ' ~ best | join(', ') -%}
select *
    from (
        select
            {{- sqlmetrics.lines([
                source ~ '.*',
                'row_number() over (' ~ copies ~ ') as sm_copy',
            ] + more, 12) }}
        from {{ source }}
        where sm_problem = 0
    ) as sm_numbered
    where sm_copy = 1
{%- endmacro %}

{# True if rows have a column that marks unjudged items: the policy leaves them out, or a metric reads it. #}
{% macro marks_unjudged(plan) -%}
    {%- set left_out = plan['facts']['unjudged'] == 'drop' and plan['facts']['truth'] is not none -%}
    {%- do return(
        left_out or sqlmetrics.reads(plan, 'rows', 'unjudged')
            or (sqlmetrics.ranks_unjudged(plan) and sqlmetrics.has_unjudged(plan))
    ) -%}
{%- endmacro %}

{# True if a metric reads which items of a list are unjudged. #}
{% macro ranks_unjudged(plan) -%}
    {%- do return(
        sqlmetrics.reads(plan, 'item_sums', ['unjudged', 'unjudged_through', 'unjudged_tied', 'pooled_through'])
        or sqlmetrics.reads(plan, 'grade_sums', 'n_unjudged')
    ) -%}
{%- endmacro %}

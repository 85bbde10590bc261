{#
  What becomes of rows that a list cannot take as they are. Each is a fact about the data, an argument of `evaluate`.

  on_extra: a list of the predictions that the truth lacks: drop (left out, counted in rows_without_truth) or error
  on_duplicate: an item that a list has twice: error, or first: its best-ranked row is kept, the highest score and then the
    highest label, and the others are left out and counted in rows_duplicate; the truth keeps its highest label. Metrics over
    rows and score levels take every row
  unjudged: an item that nobody judged. With truth=, a listed item that the truth lacks, or has with a label below 0; without,
    a row without a label, which is a bad row unless this is given. not_relevant (with truth= the default): its label is 0;
    drop: left out of its list, which closes up (a condensed list; missing where nothing is left), and counted in rows_unjudged
#}

{# Refuses a policy that is not known, or for which there is nothing to decide. #}
{% macro check_policies(on_extra, on_duplicate, unjudged, item, truth) -%}
    {%- for name, value, allowed in (
        ('on_extra', on_extra, ['drop', 'error']), ('on_duplicate', on_duplicate, ['error', 'first']),
        ('unjudged', unjudged, ['not_relevant', 'drop', none]),
    ) if value not in allowed -%}
        {{- sqlmetrics.refuse(
            name ~ ": '" ~ value ~ "' is not known. Allowed: " ~ allowed | reject('none') | join(', ')
        ) -}}
    {%- endfor -%}
    {%- if on_extra == 'error' and truth is none -%}
        {{- sqlmetrics.refuse(
            "on_extra='error' needs truth=, a second table; in one table no list is without truth"
        ) -}}
    {%- elif on_duplicate == 'first' and item is none -%}
        {{- sqlmetrics.refuse("on_duplicate='first' needs item=, the column that tells items apart") -}}
    {%- endif -%}
{%- endmacro %}

{# What the policies ask of the plan before any metric does. #}
{% macro note_policies(plan) -%}
    {%- if plan['on_extra'] == 'error' -%}
        {%- do plan['checks'].update({'sm_rows_without_truth': {
            'name': 'rows_without_truth', 'message': "rows are of groups that the truth lacks (on_extra='error')",
            'value': none, 'grain': 'rows',
        }}) -%}
        {%- do plan['sums'].update({'rows_without_truth': 'rows'}) -%}
        {%- do plan['guards_of_all'].append('{rows_without_truth}') -%}
    {%- endif -%}
{%- endmacro %}

{# The rows that whole lists are made of: `rows`, or where duplicates are left out the best-ranked row of each item. #}
{% macro rows_of_lists(plan, rows) -%}{{ 'sm_unique' if plan['on_duplicate'] == 'first' else rows }}{%- endmacro %}

{# The same of parts of lists: an item may stand once in each part. #}
{% macro rows_of_parts(plan) -%}
    {{ 'sm_unique_parts' if plan['on_duplicate'] == 'first' else 'sm_part_rows' }}
{%- endmacro %}

{# sm_unique: the rows of whole lists, each item once. sm_first_slice, sm_last_slice: where its rows lie, those left out included. #}
{% macro stage_unique(plan) -%}
{%- set keys = sqlmetrics.list_keys(plan) | reject('equalto', 'sm_part') | list -%}
{%- set items = 'partition by ' ~ keys | join(', ') ~ ', sm_item' -%}
sm_unique as{{ sqlmetrics.sql_cte_shared() }} (
    {{ sqlmetrics.unique_rows(plan, sqlmetrics.sliced(plan), keys, [
        'min(sm_slice) over (' ~ items ~ ') as sm_first_slice', 'max(sm_slice) over (' ~ items ~ ') as sm_last_slice',
    ] if sqlmetrics.has_parts(plan) else []) }}
)
{%- endmacro %}

{# The first and the last slice of rows that are taken together. #}
{% macro slices_of_rows(plan, rows) -%}
    {%- set first = plan['on_duplicate'] == 'first' -%}
    {%- do return([
        'min(' ~ rows ~ ('.sm_first_slice' if first else '.sm_slice') ~ ') as sm_slice',
        'max(' ~ rows ~ ('.sm_last_slice' if first else '.sm_slice') ~ ') as sm_last_slice',
    ]) -%}
{%- endmacro %}

{# The best-ranked row of each item of the lists that `keys` tell apart; rows alike in all that is read leave no choice. #}
{% macro unique_rows(plan, source, keys, more=[]) -%}
{%- set best = ['sm_score desc', 'sm_label desc'] -%}
{%- for column in sqlmetrics.list_weight_columns(plan) + sqlmetrics.item_weight_columns(plan) -%}
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

{# Whether rows carry a mark of items that nobody judged: where they are left out, or a metric reads it. #}
{% macro marks_unjudged(plan) -%}
    {%- set left_out = plan['unjudged'] == 'drop' and plan['truth'] is not none -%}
    {%- do return(left_out or (sqlmetrics.ranks_unjudged(plan) and sqlmetrics.has_unjudged(plan))) -%}
{%- endmacro %}

{# Whether a metric reads which items of a list nobody judged. #}
{% macro ranks_unjudged(plan) -%}
    {%- do return(
        sqlmetrics.reads(plan, 'item_sums', ['unjudged', 'unjudged_through', 'unjudged_tied', 'pooled_through'])
        or sqlmetrics.reads(plan, 'grade_sums', 'n_unjudged')
    ) -%}
{%- endmacro %}

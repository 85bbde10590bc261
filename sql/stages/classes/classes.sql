{#
  The grain of predicted classes: the confusion matrix, which has few cells, and from it one row for each
  class.

  sm_cells: the weight of the rows with a label and a prediction (sm_weight), by slice and in total
  sm_classes: a class that occurs as either. sm_support: the weight with this label; sm_predicted_as: with
    this prediction; sm_right: both
  sm_all: the weight of all rows
  sm_place: the position of the class in the order of classes; sm_support_through, sm_predicted_as_through:
    sums through that position
#}

{# All stages that read the confusion matrix; sm_class_sums and sm_cell_sums have one row for each slice. #}
{% macro stage_classes(plan) -%}
{{ sqlmetrics.stage_cells(plan) }},

{{ sqlmetrics.stage_class_rows(plan) }},

-- what is summed over classes, a row for each slice
sm_class_sums as (
    select
        {{- sqlmetrics.lines(plan['facts']['keys'] + sqlmetrics.aggregates(plan, 'classes'), 8) }}
    from sm_classes
    {{- sqlmetrics.grouped_by(plan['facts']['keys']) }}
)
{%- if plan['needs']['cells'] -%}
,

{{ sqlmetrics.stage_cell_sums(plan) }}
{%- endif -%}
{%- endmacro %}

{# sm_cells: a row without weight makes no class. #}
{% macro stage_cells(plan) -%}
{%- set keys = plan['facts']['keys'] -%}
{%- set cells = 'sm_slice_cells' if plan['facts']['total'] else 'sm_cells' -%}
-- rows of each label and prediction
{{ cells }} as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(keys + [
            'sm_class',
            'sm_predicted',
            'sum(' ~ sqlmetrics.filled(plan, sqlmetrics.row_weight(plan)) ~ ') as sm_weight',
        ], 8) }}
    from {{ sqlmetrics.sliced(plan) }}
    where sm_problem = 0{{ ' and ' ~ sqlmetrics.sliced(plan) ~ '.sm_weight > 0'
        if plan['facts']['weight'] is not none }}
    group by {{ (keys + ['sm_class', 'sm_predicted']) | join(', ') }}
)
{%- if plan['facts']['total'] -%}
,

-- rows of each label and prediction, in the slices and in total
sm_cells as{{ sqlmetrics.sql_cte_shared() }} (
    select {{ (keys + ['sm_class', 'sm_predicted', 'sm_weight']) | join(', ') }}
    from sm_slice_cells
    union all
    {%- set added_up = ['sm_class', 'sm_predicted', 'sum(sm_weight) as sm_weight'] %}
    select {{ (sqlmetrics.total_keys(plan) + added_up) | join(', ') }}
    from sm_slice_cells
    group by {{ (sqlmetrics.model_keys(plan) + ['sm_class', 'sm_predicted']) | join(', ') }}
)
{%- endif -%}
{%- endmacro %}

{# sm_classes, or under another name, with the columns that are read. #}
{% macro stage_class_rows(plan, name='sm_classes') -%}
{%- set keys = plan['facts']['keys'] -%}
{%- set slices = sqlmetrics.partition_by(keys) -%}
{%- set sums = [] -%}
{%- for column in ('support', 'predicted_as', 'right') -%}
    {%- do sums.append('sum(sm_sides.sm_' ~ column ~ ') as sm_' ~ column) -%}
{%- endfor -%}
{%- set more = ['sum(sum(sm_sides.sm_support)) over (' ~ slices | trim ~ ') as sm_all']
    if sqlmetrics.reads(plan, 'classes', 'all') else [] -%}
{%- if sqlmetrics.reads_class_places(plan) -%}
    {%- set ordered = '(' ~ slices ~ 'order by sm_class asc)' -%}
    {#- places are subtracted, so they must be signed; the integers of row_number() are unsigned on some engines -#}
    {%- set more = more + [sqlmetrics.sql_integer('row_number() over ' ~ ordered) ~ ' as sm_place'] -%}
    {%- for column in ('support', 'predicted_as') -%}
        {%- do more.append(
            'sum(sum(sm_sides.sm_' ~ column ~ ')) over ' ~ ordered[:-1] ~ ' rows unbounded preceding) as sm_' ~ column
            ~ '_through'
        ) -%}
    {%- endfor -%}
{%- endif -%}
-- classes: how many rows have each as label, as prediction, as both
{{ name }} as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(keys + ['sm_class'] + sums + more, 8) }}
    from (
        {%- set right = 'case when sm_class = sm_predicted then sm_weight else 0 end as sm_right' %}
        select {{ (keys + ['sm_class', 'sm_weight as sm_support', '0 as sm_predicted_as', right]) | join(', ') }}
        from sm_cells
        union all
        select {{ (keys + ['sm_predicted', '0', 'sm_weight', '0']) | join(', ') }}
        from sm_cells
    ) as sm_sides
    group by {{ (keys + ['sm_class']) | join(', ') }}
)
{%- endmacro %}

{# sm_cell_sums: sums over cells, with the positions of both classes. #}
{% macro stage_cell_sums(plan) -%}
{%- set keys = sqlmetrics.slice_keys(plan, 'sm_cells.') -%}
-- what is summed over pairs of classes, a row for each slice
sm_cell_sums as (
    select
        {{- sqlmetrics.lines(plan['facts']['keys'] + sqlmetrics.aggregates(plan, 'cells'), 8) }}
    from (
        select
            {{- sqlmetrics.lines(keys + [
                'sm_cells.sm_weight',
                'sm_labels.sm_place as sm_class_place',
                'sm_predictions.sm_place as sm_predicted_place',
            ], 12) }}
        from sm_cells
        {%- for column, side in (('sm_class', 'sm_labels'), ('sm_predicted', 'sm_predictions')) %}
        {%- set same_slice = sqlmetrics.same_slice(plan, 'sm_cells', side) %}
        inner join sm_classes as {{ side }} on sm_cells.{{ column }} = {{ side }}.sm_class and {{ same_slice }}
        {%- endfor %}
    ) as sm_placed_cells
    {{- sqlmetrics.grouped_by(plan['facts']['keys']) }}
)
{%- endmacro %}

{# Whether the places of classes in their order are read. #}
{% macro reads_class_places(plan) -%}
    {%- do return(
        plan['needs']['cells'] | length > 0
        or sqlmetrics.reads(plan, 'classes', ['place', 'support_through', 'predicted_as_through'])
    ) -%}
{%- endmacro %}

{# The classes, where they are needed. #}
{% macro stages_of_classes(plan) -%}
    {%- do return([sqlmetrics.stage_classes(plan)] if plan['needs']['classes'] else []) -%}
{%- endmacro %}

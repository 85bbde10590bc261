{#
  The grain of predicted classes: the confusion matrix, which has few cells, and from it one row for each
  class.

  sm_cells: the weight of the rows with a label and a prediction (sm_weight), by slice and in total
  sm_classes: a class that occurs as either. sm_support: the weight with this label; sm_predicted_as: with
    this prediction; sm_right: both; sm_missed: with this label and another prediction; sm_mistaken: with this
    prediction and another label
  sm_all_missed: the weight of all rows whose prediction is not their label
  sm_place: the position of the class in the order of classes; sm_support_through, sm_predicted_as_through:
    sums through that position; sm_support_after, sm_predicted_as_after, sm_right_after: sums over the classes
    after it. They are summed and not subtracted from all: a class of little weight would lose its digits
  sm_support_steps, sm_predicted_as_steps: sums through that position, each class times 2 d + 1, where d is the
    distance to it. That is twice the sum of the sums through each position, less the last of them
#}

{# All stages that read the confusion matrix; sm_class_sums and sm_cell_sums have one row for each slice. #}
{% macro stage_classes(plan) -%}
{{ sqlmetrics.stage_cells(plan) }},

{{ sqlmetrics.stage_class_rows(plan) }},

-- what is summed over classes, a row for each slice
sm_class_sums as (
    select
        {{- sqlmetrics.lines(plan['facts']['keys'] + sqlmetrics.aggregates(plan, 'classes'), 8) }}
    from {{ sqlmetrics.classes_with_steps(plan) }}
    {{- sqlmetrics.grouped_by(plan['facts']['keys']) }}
)
{%- if plan['needs']['cells'] -%}
,

{{ sqlmetrics.stage_cell_sums(plan) }}
{%- endif -%}
{%- endmacro %}

{# sm_classes, with its steps if they are read. #}
{% macro classes_with_steps(plan) -%}
{%- set steps = [] -%}
{%- set through = sqlmetrics.partition_by(plan['facts']['keys']) ~ 'order by sm_class asc rows unbounded preceding' -%}
{%- for column in ('support', 'predicted_as') if sqlmetrics.reads(plan, 'classes', column ~ '_steps') -%}
    {%- set sum = 'sm_' ~ column ~ '_through' -%}
    {%- do steps.append('2 * sum(' ~ sum ~ ') over (' ~ through ~ ') - ' ~ sum ~ ' as sm_' ~ column ~ '_steps') -%}
{%- endfor -%}
{%- if not steps -%}{%- do return('sm_classes') -%}{%- endif -%}
(
        select
            {{- sqlmetrics.lines(['sm_classes.*'] + steps, 12) }}
        from sm_classes
    ) as sm_stepped_classes
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
{%- set of_label = {
    'support': 'sm_weight', 'predicted_as': '0', 'right': 'case when sm_class = sm_predicted then sm_weight else 0 end',
} -%}
{%- set of_prediction = {'support': '0', 'predicted_as': 'sm_weight', 'right': '0'} -%}
{%- if sqlmetrics.reads(plan, 'classes', ['missed', 'mistaken', 'all_missed']) -%}
    {%- set wrong = 'case when sm_class = sm_predicted then 0 else sm_weight end' -%}
    {%- do of_label.update({'missed': wrong, 'mistaken': '0'}) -%}
    {%- do of_prediction.update({'missed': '0', 'mistaken': wrong}) -%}
{%- endif -%}
{%- set sums = [] -%}
{%- for column in of_label -%}
    {%- do sums.append('sum(sm_sides.sm_' ~ column ~ ') as sm_' ~ column) -%}
{%- endfor -%}
{%- set more = [] -%}
{%- if sqlmetrics.reads(plan, 'classes', 'all_missed') -%}
    {%- do more.append('sum(sum(sm_sides.sm_missed)) over (' ~ slices | trim ~ ') as sm_all_missed') -%}
{%- endif -%}
{%- if sqlmetrics.reads_class_places(plan) -%}
    {#- places are subtracted, so they must be signed; the integers of row_number() are unsigned on some engines -#}
    {%- set place = 'row_number() over (' ~ slices ~ 'order by sm_class asc)' -%}
    {%- do more.append(sqlmetrics.sql_integer(place) ~ ' as sm_place') -%}
{%- endif -%}
{#-
  Sums after a class go from the end up, since some engines subtract the rows that a frame leaves, and a light class
  loses its digits. A second key, of classes that are unique, keeps an engine from reading the other order backwards.
-#}
{%- for name, columns, frame in (
    ('through', {
        'support': ['support_through', 'support_steps'],
        'predicted_as': ['predicted_as_through', 'predicted_as_steps'],
    }, 'order by sm_class asc, sum(sm_sides.sm_support) asc rows unbounded preceding'),
    ('after', {
        'support': ['support_after'], 'predicted_as': ['predicted_as_after'], 'right': ['right_after'],
    }, 'order by sm_class desc rows between unbounded preceding and 1 preceding'),
) -%}
    {%- for column, readers in columns.items() if sqlmetrics.reads(plan, 'classes', readers) -%}
        {%- set sum = 'sum(sum(sm_sides.sm_' ~ column ~ ')) over (' ~ slices ~ frame ~ ')' -%}
        {%- do more.append(sum ~ ' as sm_' ~ column ~ '_' ~ name) -%}
    {%- endfor -%}
{%- endfor -%}
-- classes: how many rows have each as label, as prediction, as both
{{ name }} as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(keys + ['sm_class'] + sums + more, 8) }}
    from (
        select
            {{- sqlmetrics.lines(keys + ['sm_class'] + sqlmetrics.named_columns(of_label, 'sm_'), 12) }}
        from sm_cells
        union all
        select
            {{- sqlmetrics.lines(keys + ['sm_predicted'] + of_prediction.values() | list, 12) }}
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

{# The rows as they are given: the columns of the call with their types, from a table, a file or a query. #}

{# sm_given: the user's columns, cast, one row for each row and model. #}
{% macro stage_given(plan) -%}
-- the columns that are asked for, with their types, a row for each row and model
sm_given as{{ sqlmetrics.sql_cte_inline() }} (
    {%- for part in sqlmetrics.parts_of_models(plan) %}
    {{ 'union all\n    ' if not loop.first }}select
        {%- set columns, model = [], part['of'] -%}
        {%- if 'sm_model' in plan['facts']['keys'] -%}
            {%- do columns.append(part['model'] ~ ' as sm_model') -%}
        {%- endif -%}
        {%- if plan['facts']['soft'] -%}{%- do columns.append('sm_outcome') -%}{%- endif -%}
        {%- if 'sm_period' in plan['facts']['keys'] -%}
            {%- do columns.append(plan['facts']['period']['sql'] ~ ' as sm_period') -%}
        {%- endif -%}
        {%- for column in plan['facts']['by'] -%}
            {%- do columns.append(sqlmetrics.sql_nullable(column['sql']) ~ ' as ' ~ column['column']) -%}
        {%- endfor -%}
        {%- for role in ('group', 'item') if plan['facts'][role] is not none -%}
            {%- do columns.append(plan['facts'][role] ~ ' as sm_' ~ role) -%}
        {%- endfor -%}
        {%- if sqlmetrics.has_numeric_label(plan) -%}
            {%- do columns.append(sqlmetrics.typed_label(plan) ~ ' as sm_label') -%}
        {%- endif -%}
        {%- if sqlmetrics.rows_read(plan, 'label_text') -%}
            {%- do columns.append(sqlmetrics.sql_string(plan['facts']['label']) ~ ' as sm_label_text') -%}
        {%- endif -%}
        {%- if sqlmetrics.marks_unjudged(plan) -%}
            {%- do columns.append('case when ' ~ plan['facts']['label']
                ~ ' is null then 1 else 0 end as sm_unjudged') -%}
        {%- endif -%}
        {%- if plan['facts']['prediction'] is not none -%}
            {%- do columns.extend(sqlmetrics.class_columns(plan)) -%}
        {%- endif -%}
        {%- for column, value in sqlmetrics.class_score_columns(plan).items() -%}
            {%- do columns.append(value ~ ' as ' ~ column) -%}
        {%- endfor -%}
        {%- if model['score'] is not none -%}
            {%- do columns.append(sqlmetrics.sql_score(model['score']) ~ ' as sm_score') -%}
        {%- endif -%}
        {%- for column in plan['row_columns'].values() -%}
            {%- do columns.append(column['number'] ~ ' as sm_' ~ column['hole']) -%}
        {%- endfor -%}
        {%- for subset in plan['subsets'].values() | list + plan['list_subsets'].values() | list
            if subset['sql'] is not none -%}
            {%- do columns.append(sqlmetrics.sql_nullable(subset['sql']) ~ ' as ' ~ subset['column']) -%}
        {%- endfor -%}
        {%- if plan['question']['carries'] -%}
            {%- do columns.extend(sqlmetrics.values_of_search(plan)) -%}
        {%- endif -%}
        {%- for column, score in sqlmetrics.scores_of_unit(plan, model).items() -%}
            {%- do columns.append(sqlmetrics.sql_score(score) ~ ' as ' ~ column) -%}
        {%- endfor -%}
        {{- sqlmetrics.lines((columns + sqlmetrics.weight_columns(plan)) or ['1 as sm_row'], 8) }}
    from {{ part['rows'] }}
    {%- endfor %}
    {{- sqlmetrics.sql_fence('columns') }}
)
{%- endmacro %}

{# The weight columns, cast. #}
{% macro weight_columns(plan) -%}
    {%- set columns = [] -%}
    {%- if plan['facts']['weight'] is not none -%}
        {%- set weight = sqlmetrics.sql_double(plan['facts']['weight']) -%}
        {%- do columns.append(
            (sqlmetrics.weight_of_outcome(weight, sqlmetrics.sql_label(plan['facts']['label'])) if plan['facts']['soft']
                else weight) ~ ' as sm_weight'
        ) -%}
    {%- endif -%}
    {%- for source, name in plan['list_weights'].items() | list + plan['item_weights'].items() | list -%}
        {#- a value that is not a weight becomes -1, which a check then rejects -#}
        {%- set weight = sqlmetrics.sql_double(source) -%}
        {%- do columns.append(
            'case when ' ~ sqlmetrics.sql_finite(weight) ~ ' then ' ~ weight ~ ' else -1 end as sm_' ~ name
        ) -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{# The label, or a predicted one, as a float; if `positive` is a text, 1 for that text and 0 for others. #}
{% macro typed_label(plan, role='label') -%}
    {%- if plan['facts']['positive'] is string -%}
        {%- set label = 'case when ' ~ plan['facts'][role] ~ ' = ' ~ sqlmetrics.sql_text(plan['facts']['positive'])
            ~ ' then 1 when '
            ~ plan['facts'][role] ~ ' is not null then 0 end' -%}
    {%- else -%}
        {%- set label = sqlmetrics.sql_label(plan['facts'][role]) -%}
        {%- if plan['facts']['soft'] and role == 'label' -%}
            {%- set label = sqlmetrics.label_of_outcome(label) -%}
        {%- endif -%}
    {%- endif -%}
    {{- 'coalesce(' ~ label ~ ', 0)' if plan['facts']['unjudged'] == 'not_relevant' and plan['facts']['truth'] is none
        else label -}}
{%- endmacro %}

{# True if the label is carried as a float: not if metrics only compare it with the predicted class. #}
{% macro has_numeric_label(plan) -%}
    {%- do return(
        plan['facts']['label'] is not none
            and (not sqlmetrics.label_is_class(plan) or sqlmetrics.reads(plan, 'roles', 'label'))
    ) -%}
{%- endmacro %}

{# The label and the prediction as classes, and the prediction as a float if it is a decision. #}
{% macro class_columns(plan) -%}
    {%- set columns = [plan['facts']['prediction'] ~ ' as sm_predicted'] -%}
    {%- if plan['facts']['label'] is not none -%}
        {%- do columns.append(plan['facts']['label'] ~ ' as sm_class') -%}
    {%- endif -%}
    {%- if sqlmetrics.rows_read(plan, 'decision') -%}
        {%- do columns.append(sqlmetrics.typed_label(plan, 'prediction') ~ ' as sm_decision') -%}
    {%- endif -%}
    {%- do return(columns) -%}
{%- endmacro %}

{#
  The further scores of a row of a model. A bootstrap numbers rows by the scores of all models, if there are several: a
  row has one number for all of them. A search of slices reads the other model's score beside it: both models count the
  same rows.
#}
{% macro scores_of_unit(plan, model) -%}
    {%- do return(plan['question']['scores'](plan, model) if plan['question']['scores'] else {}) -%}
{%- endmacro %}

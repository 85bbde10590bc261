{#
  The rows as the metrics see them: typed, sliced, and with unusable rows marked.

  sm_problem: 0 for a usable row, otherwise the reason: 1 label, 2 score, 3 weight, 4 group, 5 item (each
    NULL, NaN or infinite), 6 a group without truth, 7 an unjudged item, 8 prediction, 9 subtopic, 10 period, 11 a
    column that a metric names.
    The numbers of an unusable row are NULL, so that no sum counts them.
#}

{# sm_given: the user's columns, cast, one row for each row and model. #}
{% macro stage_given(plan) -%}
-- the columns that are asked for, with their types, a row for each row and model
sm_given as{{ sqlmetrics.sql_cte_inline() }} (
    {%- for model in plan['facts']['models'] %}
    {{ 'union all\n    ' if not loop.first }}select
        {%- set columns = [] -%}
        {%- if 'sm_model' in plan['facts']['keys'] -%}
            {%- do columns.append((sqlmetrics.side_of_change(plan) or loop.index) ~ ' as sm_model') -%}
        {%- endif -%}
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
        {%- for subset in plan['subsets'].values() if subset['sql'] is not none -%}
            {%- do columns.append(sqlmetrics.sql_nullable(subset['sql']) ~ ' as ' ~ subset['column']) -%}
        {%- endfor -%}
        {%- if sqlmetrics.searches_rows(plan) -%}
            {%- do columns.extend(sqlmetrics.values_of_search(plan)) -%}
        {%- endif -%}
        {%- for column, score in sqlmetrics.scores_of_unit(plan).items() -%}
            {%- do columns.append(sqlmetrics.sql_score(score) ~ ' as ' ~ column) -%}
        {%- endfor -%}
        {{- sqlmetrics.lines((columns + sqlmetrics.weight_columns(plan)) or ['1 as sm_row'], 8) }}
    from {{ sqlmetrics.rows_of_model(plan, model) }}
    {%- endfor %}
    {{- sqlmetrics.sql_fence('columns') }}
)
{%- endmacro %}

{# The weight columns, cast. #}
{% macro weight_columns(plan) -%}
    {%- set columns = [] -%}
    {%- if plan['facts']['weight'] is not none -%}
        {%- do columns.append(sqlmetrics.sql_double(plan['facts']['weight']) ~ ' as sm_weight') -%}
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
  A relation in the form of a from item: a table, a CTE or a dbt relation unchanged; a query in brackets, with
  a name. A query that continues after its brackets already has its name, as in a dbt test with `where`.
#}
{% macro from_item(relation) -%}
    {%- set text = relation | string | trim -%}
    {%- if relation is none or not text -%}
        {{- sqlmetrics.refuse(
            "What is read must be a relation, the name of a table or CTE, or a query; got " ~ relation
        ) -}}
    {%- endif -%}
    {%- if not sqlmetrics.is_query(relation) -%}
        {{ relation }}
    {%- elif not text.startswith('(') -%}
        ({{ text }}
    ) as sm_relation
    {%- else -%}
        {{ text }}{{ ' as sm_relation' if text.endswith(')') }}
    {%- endif -%}
{%- endmacro %}

{#
  True if a relation is a query, in brackets or not. A dbt relation is not a string, so it is never treated as
  a query. If dbt reads no rows (--empty), its relation brings its own name.
#}
{% macro is_query(relation) -%}
    {%- if relation is not string -%}{%- do return(false) -%}{%- endif -%}
    {%- set code = [] -%}
    {%- for line in relation.split('\n') if not (line | trim).startswith('--') -%}
        {%- do code.append(line) -%}
    {%- endfor -%}
    {%- set text = code | join('\n') | trim -%}
    {%- do return(text.startswith('(') or (text | lower).split()[:1] in (['select'], ['with'])) -%}
{%- endmacro %}

{#
  sm_source, and sm_source_<number> for a model with rows of its own: relations that are expensive to read, or
  that may not read the same a second time, are read once.
#}
{% macro stages_of_source(plan) -%}
    {%- set stages = [sqlmetrics.stage_source(plan, 'sm_source', plan['facts']['relation'])]
        if plan['facts']['read_once'] else [] -%}
    {%- for model in plan['facts']['models'] if model['relation'] is not none and model['read_once'] -%}
        {%- do stages.append(sqlmetrics.stage_source(plan, model['source'], model['relation'])) -%}
    {%- endfor -%}
    {%- do return(stages) -%}
{%- endmacro %}

{# A relation that is stored, without the rows that where= leaves out. #}
{% macro stage_source(plan, name, relation) -%}
-- the data, read once
{{ name }} as{{ sqlmetrics.sql_cte_materialized() }} (
    select * from {{ sqlmetrics.from_item(relation) }}
    {{- sqlmetrics.rows_where(plan) }}
)
{%- endmacro %}

{# The condition on the rows of a relation. A state has its own place for it, and so have rows with numbers. #}
{% macro rows_where(plan) -%}
    {{- sqlmetrics.condition(plan) if plan['facts']['state'] != 'read' and not sqlmetrics.numbers_rows(plan) -}}
{%- endmacro %}

{# The source of the rows of a model. #}
{% macro rows_of_model(plan, model) -%}
    {%- set own = model['relation'] is not none -%}
    {%- if (model['read_once'] if own else plan['facts']['read_once']) -%}
        {{ model['source'] if own else 'sm_source' }}
    {%- else -%}
        {{ sqlmetrics.from_item(model['relation'] if own else plan['facts']['relation']) }}
        {{- sqlmetrics.rows_where(plan) -}}
    {%- endif -%}
{%- endmacro %}

{#
  sm_slices: a number for each slice, because numbers sort and join faster than names; 0 is all slices
    together.
#}
{% macro stage_slices(plan, source) -%}
{%- set columns = plan['facts']['by'] | map(attribute='column') | join(', ') -%}
{%- set number = 'row_number() over (order by ' ~ columns | replace(',', ' asc,') ~ ' asc)' -%}
-- a number for each slice, with 0 for all slices together
sm_slices as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{ columns | replace(', ', ',\n        ') }},
        {{ sqlmetrics.sql_short_integer(number) }} as sm_slice
    from {{ sqlmetrics.sql_distinct(columns, source) }} as sm_distinct
)
{%- endmacro %}

{# The join of sm_slices to rows that carry the by columns. Rows of run 0, the total, belong to no slice. #}
{% macro join_slices(plan, source) -%}
    {%- set equal = [source ~ '.sm_run = sm_slices.sm_run'] if plan['facts']['runs'] else [] -%}
    {%- for column in plan['facts']['by'] if column not in plan['facts']['runs'] -%}
        {%- do equal.append(sqlmetrics.sql_same(source ~ '.' ~ column['column'], 'sm_slices.' ~ column['column'])) -%}
    {%- endfor -%}
    left join sm_slices on {{ equal | join(' and ') }}
{%- endmacro %}

{#
  sm_rows: the rows of sm_given with sm_problem, and with NULL numbers if they are unusable; or the usable rows as a
    bootstrap draws them, from sm_marked.
#}
{% macro stage_rows(plan) -%}
{%- set kept = sqlmetrics.kept_columns(plan) -%}
{%- if plan['facts']['replicates'] is not none -%}
{%- set given = kept['facts'] | reject('in', ['sm_replicate', 'sm_unit']) | list + kept['numbers'] -%}
-- the rows; {{ sqlmetrics.named_problems(plan) }}
sm_marked as{{ sqlmetrics.sql_cte_inline() }} (
    {{ sqlmetrics.marked_rows(plan, given + [sqlmetrics.unit_of_row(plan, given) ~ ' as sm_unit'], 8) }}
),

{{ sqlmetrics.stages_of_replicates(plan, kept) }}
{%- else -%}
-- the rows, an unusable one without its numbers; {{ sqlmetrics.named_problems(plan) }}
sm_rows as{{ sqlmetrics.sql_cte_inline() }} (
    select
        {{- sqlmetrics.lines(kept['facts'] + sqlmetrics.usable_numbers(kept) + ['sm_problem'], 8) }}
    from (
        {{ sqlmetrics.marked_rows(plan, ['sm_given.*'], 12) }}
    ) as sm_marked
)
{%- endif -%}
{%- endmacro %}

{# The rows of sm_given with sm_problem: a select. #}
{% macro marked_rows(plan, columns, indent) -%}
{%- set margin = '\n' ~ ' ' * (indent - 4) -%}
select
        {{- sqlmetrics.lines(columns + [sqlmetrics.problem(plan) ~ ' as sm_problem'], indent) ~ margin }}from sm_given
    {{- sqlmetrics.sql_fence('checks').replace('\n    ', margin) }}
{%- endmacro %}

{# What sm_problem says, for a comment: its numbers by the counts of the result. #}
{% macro named_problems(plan) -%}
    {%- set named = [] -%}
    {%- for name, number in sqlmetrics.problems(plan).items() -%}
        {%- do named.append(number ~ ' ' ~ name) -%}
    {%- endfor -%}
    sm_problem is 0, or why a row is unusable: {{ named | join(', ') or 'none' }}
{%- endmacro %}

{# sm_sliced: sm_rows with their slice, for the stages that read it. #}
{% macro stage_sliced(plan) -%}
{%- set kept = sqlmetrics.kept_columns(plan) -%}
{%- set columns = sqlmetrics.sql_all_columns('sm_rows', kept['facts'] + kept['numbers'] + ['sm_problem']) -%}
-- the rows with the number of their slice
sm_sliced as{{ sqlmetrics.sql_cte_inline() }} (
    select
        {{- sqlmetrics.lines(['coalesce(sm_slices.sm_slice, 0) as sm_slice'] + columns, 8) }}
    from sm_rows
    {{ sqlmetrics.join_slices(plan, 'sm_rows') }}
)
{%- endmacro %}

{# The rows with their slices. Rows of a state have no sm_problem. #}
{% macro sliced(plan) -%}
    {{ 'sm_sliced' if plan['facts']['by'] else 'sm_given' if plan['facts']['state'] == 'read' else 'sm_rows' }}
{%- endmacro %}

{# Columns of the usable rows, by slice and also for the total, unless run 0 is the total. #}
{% macro by_slice_and_total(plan, columns, condition='', distinct=false) -%}
    {%- set select = 'select distinct' if distinct else 'select' -%}
    {{ select }}
        {{- sqlmetrics.lines(plan['facts']['keys'] + columns, 8) }}
    from {{ sqlmetrics.sliced(plan) }}
    where sm_problem = 0{{ condition }}
    {%- if plan['facts']['total'] and not plan['facts']['runs'] %}
    union all
    {{ select }}
        {{- sqlmetrics.lines(sqlmetrics.total_keys(plan) + columns, 8) }}
    from sm_rows
    where sm_problem = 0{{ condition }}
    {%- endif %}
{%- endmacro %}

{#
  The columns that are carried with a row: facts (keys of slices, lists and items, their weights) and the
  numbers of metrics.
#}
{% macro kept_columns(plan) -%}
    {%- set facts = sqlmetrics.model_keys(plan) + (['sm_unit'] if plan['facts']['replicates'] is not none else [])
        + (['sm_run'] if plan['facts']['runs'] else []) -%}
    {%- for column in plan['facts']['by'] if column not in plan['facts']['runs'] -%}
        {%- do facts.append(column['column']) -%}
    {%- endfor -%}
    {%- set numbers = [] -%}
    {%- if sqlmetrics.searches_rows(plan) -%}
        {%- do facts.extend(plan['facts']['searched']['columns'] | map(attribute='value') | list) -%}
        {%- do numbers.extend(sqlmetrics.scores_of_unit(plan) | list) -%}
    {%- endif -%}
    {%- for role in ('group', 'item') if plan['facts'][role] is not none -%}
        {%- do facts.append('sm_' ~ role) -%}
    {%- endfor -%}
    {%- for subset in plan['subsets'].values() if subset['sql'] is not none -%}
        {%- do facts.append(subset['column']) -%}
    {%- endfor -%}
    {%- if sqlmetrics.has_numeric_label(plan) -%}{%- do numbers.append('sm_label') -%}{%- endif -%}
    {%- if sqlmetrics.rows_read(plan, 'label_text') -%}{%- do numbers.append('sm_label_text') -%}{%- endif -%}
    {%- for role in ('score', 'weight') if plan['facts'][role] is not none -%}
        {%- do numbers.append('sm_' ~ role) -%}
    {%- endfor -%}
    {%- if plan['facts']['prediction'] is not none -%}
        {%- do facts.extend(['sm_predicted'] + (['sm_class'] if plan['facts']['label'] is not none else [])) -%}
        {%- if sqlmetrics.rows_read(plan, 'decision') -%}{%- do numbers.append('sm_decision') -%}{%- endif -%}
    {%- endif -%}
    {%- do numbers.extend(sqlmetrics.names_of_row_columns(plan)) -%}
    {%- do numbers.extend(sqlmetrics.class_score_columns(plan) | list) -%}
    {%- set of_truth = (['sm_copies', 'sm_listed', 'sm_no_truth', 'sm_split'] if plan['facts']['truth'] is not none
        else [])
        + (['sm_bad_subtopic'] if plan['facts']['subtopic'] is not none else [])
        + (['sm_unjudged'] if sqlmetrics.marks_unjudged(plan) else []) -%}
    {%- do return({
        'facts': facts + of_truth + sqlmetrics.prefixed(plan['list_weights'].values(), 'sm_')
            + sqlmetrics.item_weight_columns(plan),
        'numbers': numbers,
    }) -%}
{%- endmacro %}

{# The numbers, NULL in an unusable row. #}
{% macro usable_numbers(kept) -%}
    {%- set columns = [] -%}
    {%- for column in kept['numbers'] -%}
        {%- do columns.append('case when sm_problem = 0 then ' ~ column ~ ' end as ' ~ column) -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{# The reason why a row is unusable, or 0. An item of the truth that was not listed has no score. #}
{% macro problem(plan) -%}
    {%- set two = plan['facts']['truth'] is not none -%}
    {%- set drop = plan['facts']['unjudged'] == 'drop' -%}
    {%- set cases = [] -%}
    {%- if plan['facts']['period'] is not none -%}{%- do cases.append('sm_period is null then 10') -%}{%- endif -%}
    {%- if plan['facts']['group'] is not none -%}{%- do cases.append('sm_group is null then 4') -%}{%- endif -%}
    {%- if plan['facts']['item'] is not none -%}{%- do cases.append('sm_item is null then 5') -%}{%- endif -%}
    {%- if two -%}{%- do cases.append('sm_no_truth = 1 then 6') -%}{%- endif -%}
    {%- if plan['facts']['subtopic'] is not none -%}{%- do cases.append('sm_bad_subtopic = 1 then 9') -%}{%- endif -%}
    {%- if sqlmetrics.has_numeric_label(plan) -%}
        {%- do cases.append(
            ('sm_label is not null and ' if drop and not two else '') ~ 'not ' ~ sqlmetrics.sql_finite('sm_label')
            ~ ' then 1'
        ) -%}
    {%- endif -%}
    {%- if plan['facts']['prediction'] is not none -%}
        {%- if plan['facts']['label'] is not none -%}
            {%- do cases.append(sqlmetrics.sql_no_value('sm_class') ~ ' then 1') -%}
        {%- endif -%}
        {%- do cases.append(sqlmetrics.sql_no_value('sm_predicted') ~ ' then 8') -%}
    {%- endif -%}
    {%- for column in sqlmetrics.class_score_columns(plan) if column != 'sm_true_score' -%}
        {%- do cases.append(
            'sm_class_number is null then 1' if column == 'sm_class_number'
                else 'not ' ~ sqlmetrics.sql_finite(column) ~ ' then 2'
        ) -%}
    {%- endfor -%}
    {%- if plan['facts']['score'] is not none -%}
        {%- do cases.append(
            ('sm_listed = 1 and ' if two else '') ~ 'not ' ~ sqlmetrics.sql_finite('sm_score') ~ ' then 2'
        ) -%}
        {%- if sqlmetrics.searches_rows(plan) and plan['facts']['searched']['candidate'] is not none -%}
            {%- do cases.append('not ' ~ sqlmetrics.sql_finite('sm_score_2') ~ ' then 2') -%}
        {%- endif -%}
    {%- endif -%}
    {%- if plan['facts']['weight'] is not none and not two -%}
        {%- do cases.append('not ' ~ sqlmetrics.sql_finite('sm_weight') ~ ' or sm_weight < 0 then 3') -%}
    {%- endif -%}
    {%- for column in sqlmetrics.names_of_row_columns(plan) -%}
        {%- do cases.append('not ' ~ sqlmetrics.sql_finite(column) ~ ' then 11') -%}
    {%- endfor -%}
    {%- if drop -%}
        {%- do cases.append(
            ('sm_unjudged = 1 or (sm_listed = 0 and sm_label < 0)' if two else 'sm_label is null') ~ ' then 7'
        ) -%}
    {%- endif -%}
    {{- 'case when ' ~ cases | join(' when ') ~ ' else 0 end' if cases else '0' -}}
{%- endmacro %}

{# The names of the problems in the result, by number. #}
{% macro problems(plan) -%}
    {%- set named = {} -%}
    {%- for role in ('label', 'score', 'weight', 'group', 'item', 'period')
        if (plan['facts'][role] is not none or (role == 'score' and plan['facts']['class_scores']))
            and not (role == 'group' and sqlmetrics.numbers_rows(plan)) -%}
        {%- do named.update({
            'rows_bad_' ~ role: {'label': 1, 'score': 2, 'weight': 3, 'group': 4, 'item': 5, 'period': 10}[role],
        }) -%}
    {%- endfor -%}
    {%- if plan['facts']['truth'] is not none -%}{%- do named.update({'rows_without_truth': 6}) -%}{%- endif -%}
    {%- if plan['facts']['unjudged'] == 'drop' -%}{%- do named.update({'rows_unjudged': 7}) -%}{%- endif -%}
    {%- if plan['facts']['prediction'] is not none -%}{%- do named.update({'rows_bad_prediction': 8}) -%}{%- endif -%}
    {%- if plan['facts']['subtopic'] is not none -%}{%- do named.update({'rows_bad_subtopic': 9}) -%}{%- endif -%}
    {%- if plan['row_columns'] -%}{%- do named.update({'rows_bad_column': 11}) -%}{%- endif -%}
    {%- do return(named) -%}
{%- endmacro %}

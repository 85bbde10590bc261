{#
  The models of a call, in one of three shapes: a column of scores for each model; long form, where a column says whose
  row it is (models=); or a table for each model (the relation is a mapping). In each of them score= becomes a mapping
  of names to columns, in the order of the result.
#}

{# True for a mapping of names to tables. A relation of dbt is a mapping to Jinja, too, and renders itself. #}
{% macro is_tables(relation) -%}
    {%- if relation is not mapping -%}{%- do return(false) -%}{%- endif -%}
    {%- do return(not (relation.render is defined and relation.render is callable)) -%}
{%- endmacro %}

{# Rejects rows of models that have none in common where a question reads the rows of all models side by side. #}
{% macro check_models(question, relation, models) -%}
    {%- if not sqlmetrics.is_tables(relation) and models is none -%}{%- do return('') -%}{%- endif -%}
    {%- if sqlmetrics.is_tables(relation) and models is not none -%}
        {{- sqlmetrics.refuse(
            "models= says whose row it is in one table; leave it out where each model has a table of its own"
        ) -}}
    {%- elif sqlmetrics.is_tables(relation) and (not relation or relation.values() | select('none') | list) -%}
        {{- sqlmetrics.refuse(
            "A mapping as data names a table for each model, such as {'a': 'run_a', 'b': 'run_b'}"
        ) -}}
    {%- elif question['adds_up'] and sqlmetrics.is_tables(relation) or question['model_is_period']
        or question['carries'] -%}
        {{- sqlmetrics.refuse(
            "Models in rows or tables of their own are for metrics, lists, curves and comparisons; here, pass one table"
                ~ " of one model, or a column of scores for each model"
        ) -}}
    {%- endif -%}
{%- endmacro %}

{#
  The rows of the one model of a question that reads no more: its relation, and in long form the condition on rows.

  Returns: a mapping of relation, models (none) and where
#}
{% macro rows_of_one_model(relation, models, columns=none) -%}
    {%- set where = none if models is none else sqlmetrics.model_of_row(models, columns) ~ ' = '
        ~ sqlmetrics.sql_text(sqlmetrics.names_of_models(models) | first) -%}
    {%- set relation = relation.values() | first if sqlmetrics.is_tables(relation) else relation -%}
    {%- do return({'relation': relation, 'models': none, 'where': where}) -%}
{%- endmacro %}

{#
  The scores of models by their names; the score of one model without a name as it is. A list of columns names each
  model by its column.

  Args:
    score: a column, a list of columns or a mapping of names to columns
    models: a mapping of the column that says whose row it is to the names of models; or none
    relation: a mapping of names to tables, where each model has its own
  Errors: a list that is not of columns, or has one twice; names that are not those of models= or of tables
#}
{% macro named_scores(score, models=none, relation=none) -%}
    {%- if models is not none -%}
        {%- do return(sqlmetrics.scores_by_name(score, sqlmetrics.names_of_models(models), 'models=')) -%}
    {%- elif sqlmetrics.is_tables(relation) -%}
        {%- do return(sqlmetrics.scores_by_name(score, relation | list, 'the tables')) -%}
    {%- elif score is string or score is mapping or score is not sequence -%}
        {%- do return(score) -%}
    {%- endif -%}
    {%- set named = {} -%}
    {%- for column in score -%}
        {%- if column is not string -%}
            {{- sqlmetrics.refuse("score= lists columns, such as ['score_a', 'score_b'], got " ~ score) -}}
        {%- elif column in named -%}
            {{- sqlmetrics.refuse(
                "score= lists '" ~ column ~ "' twice; models with names of their own are written"
                    ~ ' score={"a": "score_a", "b": "score_b"}'
            ) -}}
        {%- endif -%}
        {%- do named.update({column: column}) -%}
    {%- endfor -%}
    {%- do return(named) -%}
{%- endmacro %}

{# The score of each model whose name is given elsewhere: one column for all, or a mapping of some of these names. #}
{% macro scores_by_name(score, names, where) -%}
    {%- set named = {} -%}
    {%- if score is mapping -%}
        {%- for name in score if name not in names -%}
            {{- sqlmetrics.refuse(
                "score= is one column where " ~ where ~ (" names" if where == 'models=' else " name")
                    ~ " the models, " ~ names | join(', ') ~ "; it names '" ~ name ~ "', which is no model"
            ) -}}
        {%- endfor -%}
        {%- do return(score) -%}
    {%- elif score is not none and score is not string -%}
        {{- sqlmetrics.refuse("score= is one column where " ~ where ~ " say the models, got " ~ score) -}}
    {%- endif -%}
    {%- for name in names -%}{%- do named.update({name: score}) -%}{%- endfor -%}
    {%- do return(named) -%}
{%- endmacro %}

{# The names of models in long form, {'run': ['a', 'b']}. #}
{% macro names_of_models(models) -%}
    {%- set form = "models= takes the column that says whose row it is, with the names of models there, such as"
        ~ " {'run': ['a', 'b']}" -%}
    {%- if models is not mapping or models | length != 1 -%}
        {{- sqlmetrics.refuse(form ~ ", got " ~ sqlmetrics.shown(models)) -}}
    {%- endif -%}
    {%- set names = models.values() | first -%}
    {%- if names is string or names is mapping or names is not sequence or not names -%}
        {{- sqlmetrics.refuse(form ~ ", got " ~ sqlmetrics.shown(models)) -}}
    {%- endif -%}
    {%- set found = [] -%}
    {%- for name in names -%}
        {%- if name is none or name is boolean or name is mapping or name | string in found -%}
            {{- sqlmetrics.refuse(
                "models= names each model once, by its text in the column, got " ~ sqlmetrics.shown(models)
            ) -}}
        {%- endif -%}
        {%- do found.append(name | string) -%}
    {%- endfor -%}
    {%- do return(found) -%}
{%- endmacro %}

{# The name of the model of a row as a text, in SQL; none unless the data are in long form. #}
{% macro model_of_row(models, columns) -%}
    {%- if models is none -%}{%- do return(none) -%}{%- endif -%}
    {%- set column = models | first -%}
    {%- do return(
        column if columns is not none else sqlmetrics.sql_bytes(sqlmetrics.expression('models', column))
    ) -%}
{%- endmacro %}

{#
  The models of a plan: their names, scores, and the relation of a model that has one of its own.

  Args: score as `named_scores` returns it; relation and columns as for `facts`
#}
{% macro models_of(score, relation, columns) -%}
    {%- if score is mapping and not score -%}
        {{- sqlmetrics.refuse('score={} names no model; write score={"model a": "score_a"}') -}}
    {%- elif score is mapping and 'sql' in score and score | reject('in', ['sql', 'alias', 'name']) | list == [] -%}
        {{- sqlmetrics.refuse(
            'score={"sql": ...} would name a model sql; an expression is no mapping but SQL, in Python'
                ~ ' score=sm.sql("1 - p")'
        ) -}}
    {%- endif -%}
    {%- set models = [] -%}
    {%- for name, column in (score if score is mapping else {none: score}).items() -%}
        {%- set table = relation[name] if sqlmetrics.is_tables(relation) else none -%}
        {%- set own = column if column is mapping else {'sql': column, 'relation': table} -%}
        {%- do models.append({
            'name': name, 'score': own['sql'] if columns is not none else sqlmetrics.expression('score', own['sql']),
            'relation': own['relation'], 'read_once': own.get('read_once', sqlmetrics.is_query(own['relation'])),
            'source': 'sm_source_' ~ loop.index,
        }) -%}
    {%- endfor -%}
    {%- do return(models) -%}
{%- endmacro %}

{# The models that the user named: the plan of a question may have several of its own for each. #}
{% macro models_of_user(plan) -%}
    {%- do return(plan['facts']['models'][::plan['question']['arms'] | length]) -%}
{%- endmacro %}

{# Whether the result has a column model: where the user named the models. #}
{% macro has_model_column(plan) -%}
    {%- do return('sm_model' in plan['facts']['keys'] and plan['question']['names_models']) -%}
{%- endmacro %}

{# The condition on rows in long form, as a list of one or none: that the row is of a model that is asked. #}
{% macro condition_of_models(plan) -%}
    {%- if plan['facts']['model_of_row'] is none -%}{%- do return([]) -%}{%- endif -%}
    {%- set names = [] -%}
    {%- for model in plan['facts']['models'] -%}
        {%- do names.append(sqlmetrics.sql_text(model['name'])) -%}
    {%- endfor -%}
    {%- do return([plan['facts']['model_of_row'] ~ ' in (' ~ names | join(', ') ~ ')']) -%}
{%- endmacro %}

{#
  The parts of which the rows of all models are put together: one for each model, or in long form a single one.

  Returns: a list of model (its number as SQL), score and rows (what the part reads)
#}
{% macro parts_of_models(plan) -%}
    {%- set models, parts, numbers = plan['facts']['models'], [], [] -%}
    {%- if plan['facts']['model_of_row'] is not none -%}
        {%- for model in models -%}
            {%- do numbers.append('when ' ~ sqlmetrics.sql_text(model['name']) ~ ' then ' ~ loop.index) -%}
        {%- endfor -%}
        {%- do return([{
            'model': 'case ' ~ plan['facts']['model_of_row'] ~ ' ' ~ numbers | join(' ') ~ ' end',
            'of': models[0], 'rows': sqlmetrics.rows_of_model(plan, models[0]),
        }]) -%}
    {%- endif -%}
    {%- for model in models -%}
        {%- do parts.append({
            'model': plan['question']['model'] or loop.index, 'of': model,
            'rows': sqlmetrics.rows_of_model(plan, model),
        }) -%}
    {%- endfor -%}
    {%- do return(parts) -%}
{%- endmacro %}

{# For the Python API: the names of models in long form, and how many rows each has. #}
{% macro models_of_rows(relation, column, where=none) -%}
select sm_name, count(*) as sm_rows
from (
    select {{ column }} as sm_name
    from {{ sqlmetrics.from_item(relation) }}
    {%- if where is not none %}
    where (
        {{ where | trim }}
    )
    {%- endif %}
) as sm_named
group by sm_name
limit 1002
{%- endmacro %}

{# For the Python API: how many rows a relation has. #}
{% macro number_of_rows(relation, where=none) -%}
select count(*) as sm_rows
from {{ sqlmetrics.from_item(relation) }}
{%- if where is not none %}
where (
    {{ where | trim }}
)
{%- endif %}
{%- endmacro %}

{#
  Wide scores of classes: class_scores= names a column for each class. The label is then a class, and rows carry its
  number among them.
#}

{#
  The classes and their scores.

  Args:
    class_scores: a mapping of classes to columns, or none
    score, truth, state, columns: those of `facts`
    ties: where it is an order of items, the classes are in this order: each is above its ties with later ones
  Returns: a list of kind (text, a number or a boolean), literal (the class as SQL) and sql (its score)
  Errors: fewer than two classes; a class that is no text, number or boolean; with score=, truth= or in a state
#}
{% macro class_scores_of(class_scores, score, truth, state, columns, ties) -%}
    {%- set found = [] -%}
    {%- if class_scores is none -%}{%- do return(found) -%}{%- endif -%}
    {%- set form = 'class_scores= takes a mapping of two or more classes to columns, '
        ~ '{"cat": "p_cat", "dog": "p_dog"}' -%}
    {%- if class_scores is not mapping or class_scores | length < 2 -%}
        {{- sqlmetrics.refuse(form ~ ", got " ~ sqlmetrics.shown(class_scores)) -}}
    {%- endif -%}
    {%- for role, given in (('score', score), ('truth', truth), ('state', state)) if given is not none -%}
        {{- sqlmetrics.refuse({
            'score': "class_scores= has the scores of one model, a column for each class; leave score= out",
            'truth': "class_scores= needs the label beside the scores, so it does not go with truth=",
            'state': "A state does not take class_scores=; evaluate does",
        }[role]) -}}
    {%- endfor -%}
    {%- for class, column in class_scores.items() -%}
        {%- set kind = 'text' if class is string else 'a boolean' if class is boolean else 'a number' -%}
        {%- if class is not string and class is not number -%}
            {{- sqlmetrics.refuse(form ~ "; a class is a text, a number or a boolean, got " ~ class) -}}
        {%- endif -%}
        {%- if kind == 'a number' and not class | abs <= 1.7976931348623157e308 -%}
            {{- sqlmetrics.refuse(form ~ "; a class that is a number is finite, got " ~ class) -}}
        {%- endif -%}
        {%- do found.append({
            'class': class | string if ties == 'text desc' else class,
            'kind': kind, 'literal': sqlmetrics.sql_text(class) if kind == 'text' else class | string,
            'sql': column if columns is not none else sqlmetrics.expression('class_scores', column),
        }) -%}
    {%- endfor -%}
    {%- if ties in sqlmetrics.orders_of_items() and found | map(attribute='kind') | unique | list | length == 1 -%}
        {%- do return(found | sort(attribute='class', reverse=ties.endswith('desc'), case_sensitive=true)) -%}
    {%- endif -%}
    {%- do return(found) -%}
{%- endmacro %}

{# The holes of the scores of all classes. #}
{% macro scores_of_classes(plan) -%}
    {%- set holes = [] -%}
    {%- for _ in plan['facts']['class_scores'] -%}
        {%- set name = 'class_score_' ~ loop.index -%}
        {%- for grain, rule in plan['grains'].items() if rule.get('of_data') -%}
            {%- do sqlmetrics.declare(plan, grain, name) -%}
        {%- endfor -%}
        {%- do holes.append('{' ~ name ~ '}') -%}
    {%- endfor -%}
    {%- do return(holes) -%}
{%- endmacro %}

{# The columns of a row: the number of the class that the label is, the score of each class, that of the label. #}
{% macro class_score_columns(plan) -%}
    {%- set label, scores, numbers, true_scores = plan['facts']['label'], {}, [], [] -%}
    {%- for class in plan['facts']['class_scores'] -%}
        {%- set score, condition = sqlmetrics.sql_double(class['sql']), label ~ ' = ' ~ class['literal'] -%}
        {%- do scores.update({'sm_class_score_' ~ loop.index: score}) -%}
        {%- do numbers.append('when ' ~ condition ~ ' then ' ~ loop.index) -%}
        {%- do true_scores.append('when ' ~ condition ~ ' then ' ~ score) -%}
    {%- endfor -%}
    {%- set columns = {} -%}
    {%- if scores and label is not none -%}
        {%- do columns.update({
            'sm_class_number': 'case when ' ~ sqlmetrics.sql_no_value(label) ~ ' then null ' ~ numbers | join(' ')
                ~ ' else 0 end',
        }) -%}
    {%- endif -%}
    {%- do columns.update(scores) -%}
    {%- if sqlmetrics.reads(plan, 'rows', 'true_score') -%}
        {%- do columns.update({'sm_true_score': 'case ' ~ true_scores | join(' ') ~ ' end'}) -%}
    {%- endif -%}
    {%- do return(columns) -%}
{%- endmacro %}

{# True if the label is a class, and not a number. #}
{% macro label_is_class(plan) -%}
    {%- do return(plan['facts']['prediction'] is not none or plan['facts']['class_scores'] | length > 0) -%}
{%- endmacro %}

{#
  The words in which metrics of predicted classes are written. A class has three sums (see stages/classes.sql): sm_support, what is
  labelled so; sm_decided, what is predicted so; sm_right, what is both.
#}

{#
  Whether a metric that also exists at a threshold is asked for by class.

  Args:
    average: binary (the positive class alone), macro (the mean over classes), micro (sums over classes) or weighted (the mean
      over classes, each counting its rows)
    class: one class, whose value alone is asked for
#}
{% macro by_class(plan, average='binary', class=none) -%}
    {{- sqlmetrics.one_of(plan, 'average', average, ['binary', 'macro', 'micro', 'weighted']) -}}
    {%- if average == 'binary' and class is none -%}
        {%- do return(false) -%}
    {%- elif average != 'binary' and class is not none -%}
        {{- sqlmetrics.refuse("sqlmetrics." ~ plan['metric'] ~ ": class= asks for the value of one class and average= for that of all; write one of them") -}}
    {%- endif -%}
    {{- sqlmetrics.need_classes(plan) -}}
    {%- do return(true) -%}
{%- endmacro %}

{# Whether a metric without an average is one of the predicted class: it is, unless a score decides. #}
{% macro by_prediction(plan) -%}
    {%- if plan['decides'] == 'prediction' -%}{{- sqlmetrics.need_classes(plan) -}}{%- endif -%}
    {%- do return(plan['decides'] == 'prediction') -%}
{%- endmacro %}

{# Refuses a metric of classes without a label and a prediction, or with a threshold. #}
{% macro need_classes(plan) -%}
    {%- for role in ('prediction', 'label') -%}{{- sqlmetrics.role_given(plan, role) -}}{%- endfor -%}
    {%- if plan['decides'] != 'prediction' -%}
        {{- sqlmetrics.refuse("sqlmetrics." ~ plan['metric'] ~ ": threshold= decides by the score, where this asks for the predicted class; leave it out") -}}
    {%- endif -%}
{%- endmacro %}

{# The condition under which a row is predicted positive. #}
{% macro predicted_positive(plan) -%}
    {{- sqlmetrics.need_classes(plan) -}}
    {%- do plan['flags'].update({'decision': true}) -%}
    {%- if plan['positive'] is none -%}
        {{- sqlmetrics.require(
            plan, 'rows', 'rows_prediction_not_binary', 'sm_decision not in (0, 1)',
            'rows have a prediction that is neither 0 nor 1, such as {value}; pass positive= to say from which class on a row is positive,'
            ~ ' or average= for more than two classes', 'sm_decision'
        ) -}}
    {%- endif -%}
    sm_decision >= {{ plan['positive'] if plan['positive'] is number else 1 }}
{%- endmacro %}

{#
  An average over classes of numerator / denominator, or its value for one class.

  Args:
    numerator, denominator: expressions over the sums of a class
    zero_division: the value of 0/0; none gives 0 within a mean, null for one class or for the sums over classes
#}
{% macro class_average(plan, numerator, denominator, average, class, zero_division) -%}
    {%- if zero_division is not none -%}{{- sqlmetrics.number(plan, 'zero_division', zero_division, 0, 1) -}}{%- endif -%}
    {%- if average in ('macro', 'weighted') -%}
        {%- set value = 'coalesce(' ~ sqlmetrics.ratio(numerator, denominator) ~ ', ' ~ (zero_division or 0) ~ ')' -%}
        {%- set counts = '1' if average == 'macro' else 'sm_support' -%}
        {%- set above = sqlmetrics.need(plan, 'classes', plan['result'] ~ '_total', sqlmetrics.times(value, counts)) -%}
        {{- sqlmetrics.ratio(above, sqlmetrics.need(plan, 'classes', 'n_classes' if counts == '1' else 'supported', counts)) -}}
    {%- else -%}
        {%- set of_class = ['', ''] if class is none else ['case when sm_class = ' ~ sqlmetrics.class_literal(plan, class) ~ ' then ', ' else 0 end'] -%}
        {%- set above = sqlmetrics.need(plan, 'classes', plan['result'] ~ '_above', numerator | join(of_class)) -%}
        {%- set below = sqlmetrics.need(plan, 'classes', plan['result'] ~ '_below', denominator | join(of_class)) -%}
        {{- sqlmetrics.share(plan, above, below, zero_division) -}}
    {%- endif -%}
{%- endmacro %}

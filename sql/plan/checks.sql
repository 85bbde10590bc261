{# Checks of a metric's inputs: columns of the data, and parameters. #}

{#
  Notes that a metric reads a column of the data (label, score, group ...); the label is read as a number.

  Errors: the role was not given
#}
{% macro need_role(plan, role) -%}
    {{- sqlmetrics.role_given(plan, role) -}}
    {%- do plan['reads'].setdefault('roles', {}).update({role: true}) -%}
{%- endmacro %}

{# Rejects a metric whose role was not given. #}
{% macro role_given(plan, role) -%}
    {%- if role == 'score' and plan['facts']['class_scores'] -%}
        {{- sqlmetrics.refuse_metric(
            plan,
            "needs score=, one score for each row; the scores of class_scores= serve multiclass_log_loss,"
                ~ " multiclass_brier, multiclass_auc and top_k_accuracy"
                ~ ('; of two classes pass one column, such as array[:, 1]'
                    if plan['facts']['class_scores'] | length == 2)
        ) -}}
    {%- endif -%}
    {%- if plan['facts'][role] is none or (role == 'group' and sqlmetrics.numbers_rows(plan))
        or (role == 'score' and plan['scoreless'] and plan['asked']['reads_score']) -%}
        {{- sqlmetrics.refuse_metric(
            plan,
            "needs " ~ role ~ "=, the column of the "
                ~ ('predicted class' if role == 'prediction' else role)
        ) -}}
    {%- endif -%}
{%- endmacro %}

{# Gives all rows one score where the call names none, for a metric of lists that reads no score. #}
{% macro without_scores(plan) -%}
    {%- do plan['asked'].update({'reads_score': false}) -%}
    {%- if plan['facts']['score'] is none -%}
        {%- do plan.update({'scoreless': true}) -%}
        {%- set models = [] -%}
        {%- for model in plan['facts']['models'] -%}{%- do models.append(dict(model, score='0')) -%}{%- endfor -%}
        {%- do sqlmetrics.with_facts(plan, score='0', models=models) -%}
    {%- endif -%}
{%- endmacro %}

{# Rejects a parameter that is not one of the allowed words. #}
{% macro one_of(plan, parameter, value, allowed) -%}
    {%- if value not in allowed -%}
        {{- sqlmetrics.refuse_metric(
            plan,
            parameter ~ " must be one of "
                ~ allowed | join(', ') | replace('None', 'none') ~ ", got " ~ value
        ) -}}
    {%- endif -%}
{%- endmacro %}

{# Rejects a parameter that is no finite number, or lies outside [least, most]. least=1e-300 means: above 0. #}
{% macro number(plan, parameter, value, least=none, most=none, whole=false) -%}
    {%- if value is string and sqlmetrics.is_argument(plan['question'], value) -%}
        {{- sqlmetrics.check_argument(plan, value, least, most, whole) -}}
    {%- elif value is not number or value is boolean or value - value != 0 or (whole and value is not integer)
        or (least is not none and value < least) or (most is not none and value > most) -%}
        {{- sqlmetrics.refuse_metric(
            plan,
            parameter ~ " must be " ~ ('an integer' if whole else 'a number')
            ~ (' > 0' if least == 1e-300 else ' >= ' ~ least if least is not none else '')
            ~ (' and <= ' ~ most if most is not none and (not whole or value is number and value > most) else '')
            ~ ", got " ~ value
        ) -}}
    {%- endif -%}
{%- endmacro %}

{# Rejects a level, a method, a number of draws and one of units that are none. #}
{% macro check_interval(interval, method, n_resamples, tightest_at=none) -%}
    {%- if interval is not none -%}{{- sqlmetrics.check_level(interval) -}}{%- endif -%}
    {%- if method not in (none, 'exact', 'logit', 'bootstrap', 'anytime') -%}
        {{- sqlmetrics.refuse(
            "interval_method must be one of none, exact, logit, bootstrap, anytime, got " ~ method
        ) -}}
    {%- elif n_resamples is not integer or n_resamples is boolean or not 20 <= n_resamples <= 100000 -%}
        {{- sqlmetrics.refuse(
            "n_resamples must be an integer from 20 to 100000, got " ~ sqlmetrics.shown(n_resamples)
        ) -}}
    {%- endif -%}
    {%- if tightest_at is not none -%}{{- sqlmetrics.check_tightest_at(tightest_at) -}}{%- endif -%}
{%- endmacro %}

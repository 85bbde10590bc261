{#
  Soft labels (soft=true): the label of a row is the chance p that it is positive, from votes, from a censored outcome,
  or a calibrated score. Each row of weight w becomes its two outcomes: label 1 of weight w p, and label 0 of weight
  w (1 - p). A metric of weighted rows is then the one expected of the labels. The unit of an interval is still the
  row, whose outcomes are a group of two.
#}

{# Rows with sm_outcome, 1 and 0, and without weight= with sm_whole, which is the weight of every row. #}
{% macro with_outcomes(plan, rows) -%}
{%- set whole = plan['facts']['weight'] == 'sm_whole' -%}
(select * from {{ rows }}
    ) as sm_relation
    cross join (
        select 1 as sm_outcome{{ ', 1 as sm_whole' if whole }} union all select 0{{ ', 1' if whole }}
    ) as sm_outcomes
{%- endmacro %}

{# The label of an outcome. One that is no chance stays as it is, so that it is found. #}
{% macro label_of_outcome(p) -%}
case when {{ p }} between 0 and 1 then {{ sqlmetrics.sql_double('sm_outcome') }} else {{ p }} end
{%- endmacro %}

{# The weight of an outcome. A weight below 0 stays as it is, so that it is found. #}
{% macro weight_of_outcome(weight, p) -%}
case when {{ weight }} >= 0 and {{ p }} between 0 and 1
            then {{ weight }} * case when sm_outcome = 1 then {{ p }} else 1 - {{ p }} end else {{ weight }} end
{%- endmacro %}

{# A condition on rows that are counted, true for one outcome of a row; none counts all. #}
{% macro counted_once(plan, condition=none) -%}
    {%- if not plan['facts']['soft'] -%}{%- do return(condition) -%}{%- endif -%}
    {%- do return('{outcome} = 1' if condition is none else '(' ~ condition ~ ') and {outcome} = 1') -%}
{%- endmacro %}

{# True if the rows have to be numbered, so that both outcomes of a row are of one unit. #}
{% macro numbers_outcomes(question, group, interval) -%}
    {%- do return(
        group is none and question['reads'] == 'rows'
            and (interval is not none or question['draws'] is not none)
    ) -%}
{%- endmacro %}

{# Rejects options that soft=true does not go with. #}
{% macro check_options_of_soft(question, soft, label, given) -%}
    {%- if soft is not boolean -%}
        {{- sqlmetrics.refuse("soft must be true or false, got " ~ sqlmetrics.shown(soft)) -}}
    {%- elif not soft -%}
        {%- do return('') -%}
    {%- elif label is none and question['reads'] == 'rows' -%}
        {{- sqlmetrics.refuse("soft=True needs label=, the column of the chance of a positive row") -}}
    {%- endif -%}
    {%- for name, reason in {
        'positive': 'where a label is the chance of a positive row and has no limit',
        'truth': 'which serves metrics of lists',
        'class_scores': 'whose labels are classes',
        'gold': 'whose labels are those of people',
        'unjudged': 'which serves metrics of lists',
    }.items() if given[name] is not none -%}
        {{- sqlmetrics.refuse(name ~ "= does not go with soft=True, " ~ reason ~ "; leave one of them out") -}}
    {%- endfor -%}
    {%- if given['interval'] is not none and question['adds_up'] -%}
        {{- sqlmetrics.refuse(
            "A state of soft labels has no intervals, since it does not keep what belongs to a row; leave them out, or"
                ~ " take them from sm.evaluate(..., soft=True, interval=0.95)"
        ) -}}
    {%- elif given['interval'] is not none and question['keeps'] == 'points' -%}
        {{- sqlmetrics.refuse("A curve of soft labels has no band; leave out interval= or soft=") -}}
    {%- endif -%}
{%- endmacro %}

{# Rejects soft labels: the metric takes off, or compares with, what the chance of drawn labels adds. #}
{% macro needs_drawn_labels(plan) -%}
    {%- if plan['facts']['soft'] -%}
        {{- sqlmetrics.refuse_soft(plan, "it reckons with the chance by which labels of 0 and 1 are drawn") -}}
    {%- endif -%}
{%- endmacro %}

{# Rejects a metric with soft labels. #}
{% macro refuse_soft(plan, reason) -%}
    {{- sqlmetrics.refuse_metric(
        plan, 'takes no soft labels, since ' ~ reason
            ~ '; leave out soft=, or ask for metrics such as auc, log_loss or f1'
    ) -}}
{%- endmacro %}

{#
  Rejects a metric of which the two outcomes of a row do not add up to the row: its sums are not over weighted rows or
  the levels of their scores, or it reads the label otherwise than as positive or not.
#}
{% macro check_soft(plan) -%}
    {#- another plan of the statement has asked where this one makes no checks -#}
    {%- if not plan['facts']['soft'] or not plan['question']['checks'] -%}{%- do return('') -%}{%- endif -%}
    {%- set touched = plan['asked']['touched'] -%}
    {%- for grain in touched if not plan['grains'][sqlmetrics.kind_of_grain(plan, grain)].get('weighs') -%}
        {{- sqlmetrics.refuse_soft(plan, 'it is no sum over weighted rows or the levels of their scores') -}}
    {%- endfor -%}
    {%- for reads in plan['reads'].values() if 'level_squares' in reads -%}
        {{- sqlmetrics.refuse_soft(plan, 'its band counts the outcomes of a row as two rows') -}}
    {%- endfor -%}
    {%- set binary = 'sm_rows_not_binary' in touched.get('rows', {}) -%}
    {%- for grain, sums in touched.items() -%}
        {%- for column in sums if column in plan['needs'][grain] and column not in plan['result']['checks'] -%}
            {%- set need = plan['needs'][grain][column] -%}
            {%- if 'class' in need['holes'] -%}
                {{- sqlmetrics.refuse_soft(plan, 'it compares classes; name a threshold to read the score') -}}
            {%- elif 'label' in need['holes'] and not binary -%}
                {{- sqlmetrics.refuse_soft(plan, 'it reads the label as a number') -}}
            {%- elif plan['grains'][sqlmetrics.kind_of_grain(plan, grain)].get('of_data')
                and need['aggregate'] == 'sum' and 'weight' not in need['holes'] -%}
                {{- sqlmetrics.refuse_soft(plan, 'it counts rows, and not their weight') -}}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
{%- endmacro %}

{#
  The words in which metrics of predicted classes are written. A class has three sums (see stages/classes.sql): sm_support, what is
  labelled so; sm_predicted_as, what is predicted so; sm_right, what is both.
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
    {%- if plan['predicted_by'] == 'prediction' -%}{{- sqlmetrics.need_classes(plan) -}}{%- endif -%}
    {%- do return(plan['predicted_by'] == 'prediction') -%}
{%- endmacro %}

{# Refuses a metric of classes without a label and a prediction, or with a threshold. #}
{% macro need_classes(plan) -%}
    {%- for role in ('prediction', 'label') -%}{{- sqlmetrics.role_given(plan, role) -}}{%- endfor -%}
    {%- if plan['predicted_by'] != 'prediction' -%}
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
        {%- do plan['flags'].update({'class_mean': true}) -%}
        {%- set value = 'coalesce(' ~ sqlmetrics.ratio(numerator, denominator) ~ ', ' ~ (zero_division or 0) ~ ')' -%}
        {%- set counts = '1' if average == 'macro' else 'sm_support' -%}
        {%- set above = sqlmetrics.need(plan, 'classes', plan['result'] ~ '_total', sqlmetrics.times(value, counts)) -%}
        {{- sqlmetrics.ratio(above, sqlmetrics.need(plan, 'classes', 'n_classes' if counts == '1' else 'supported', counts)) -}}
    {%- else -%}
        {%- set of_class = ['', ''] if class is none else ['case when sm_class = ' ~ sqlmetrics.class_literal(plan, class) ~ ' then ', ' else 0 end'] -%}
        {%- set above = sqlmetrics.need(plan, 'classes', plan['result'] ~ '_above', of_class[0] ~ numerator ~ of_class[1]) -%}
        {%- set below = sqlmetrics.need(plan, 'classes', plan['result'] ~ '_below', of_class[0] ~ denominator ~ of_class[1]) -%}
        {%- set ratio = sqlmetrics.ratio(above, below) -%}
        {%- set value = sqlmetrics.otherwise(plan, ratio, zero_division) -%}
        {%- if plan['interval'] is not none -%}
            {%- set of_row = sqlmetrics.sums_of_row(plan, class) -%}
            {%- set right, counted = sqlmetrics.in_words(numerator, of_row), sqlmetrics.in_words(denominator, of_row) -%}
            {%- set of_rows = sqlmetrics.ratio(
                sqlmetrics.need(plan, 'rows', plan['result'] ~ '_right', right), sqlmetrics.need(plan, 'rows', plan['result'] ~ '_counted', counted)
            ) -%}
            {#- right rows are among those of one class; over all classes a wrong row may count twice -#}
            {%- set is_share = numerator == 'sm_right' and (class is not none or denominator in ('sm_predicted_as', 'sm_support')) -%}
            {%- do sqlmetrics.note_ratio(plan, value, 'rows', right, counted, of_rows, is_share) -%}
        {%- endif -%}
        {{- value -}}
    {%- endif -%}
{%- endmacro %}

{# What a row adds to the sums of one class, or to those over all classes. #}
{% macro sums_of_row(plan, class) -%}
    {%- if class is none -%}
        {%- set labelled, decided, right = '1 = 1', '1 = 1', 'sm_class = sm_predicted' -%}
    {%- else -%}
        {%- set literal = sqlmetrics.class_literal(plan, class) -%}
        {%- set labelled, decided = 'sm_class = ' ~ literal, 'sm_predicted = ' ~ literal -%}
        {%- set right = labelled ~ ' and ' ~ decided -%}
    {%- endif -%}
    {%- set sums = {} -%}
    {%- for sum, condition in {'sm_support': labelled, 'sm_predicted_as': decided, 'sm_right': right}.items() -%}
        {%- do sums.update({sum: sqlmetrics.weighted(plan, 'case when sm_problem = 0 and ' ~ condition ~ ' then 1 else 0 end')}) -%}
    {%- endfor -%}
    {%- do return(sums) -%}
{%- endmacro %}

{#
  A class as an SQL literal: a number or a boolean as it is written, anything else as text; quotes make a number a text.
#}
{% macro class_literal(plan, class) -%}
    {%- set quoted = class is string and class | length > 1 and class[0] == class[-1] and class[0] in ("'", '"') -%}
    {%- set plain = class is string and not quoted and class | lower not in ('true', 'false') -%}
    {%- do plan['named_classes'].append('text' if quoted or plain else 'a number' if class is number and class is not boolean else 'a boolean') -%}
    {{- sqlmetrics.sql_text(class[1:-1] if quoted else class) if quoted or plain else class -}}
{%- endmacro %}

{#
  Multiclass MCC, R_K: the covariance of label and prediction, as indicators of classes, over the geometric mean of their variances.
  The sums over classes k are of right_k s - p_k t_k, of p_k (s - p_k) and of t_k (s - t_k), where s is the weight of all rows.
#}
{% macro classes_mcc(plan, zero_division=none) -%}
    {%- do plan['flags'].update({'class_total': true}) -%}
    {%- set decided = sqlmetrics.sql_double('sm_predicted_as') -%}
    {%- set support = sqlmetrics.sql_double('sm_support') -%}
    {%- set covariance = sqlmetrics.need(
        plan, 'classes', 'covariance', sqlmetrics.sql_double('sm_right') ~ ' * sm_all - ' ~ decided ~ ' * sm_support'
    ) -%}
    {%- set of_prediction = sqlmetrics.need(plan, 'classes', 'prediction_variance', decided ~ ' * (sm_all - sm_predicted_as)') -%}
    {%- set of_label = sqlmetrics.need(plan, 'classes', 'label_variance', support ~ ' * (sm_all - sm_support)') -%}
    {#- by the number of classes: the sums of a constant need not be 0 to the last digit -#}
    {%- set predicted = sqlmetrics.need(plan, 'classes', 'classes_predicted', 'case when sm_predicted_as > 0 then 1 else 0 end') -%}
    {{- sqlmetrics.otherwise(
        plan, 'case when ' ~ predicted ~ ' > 1 and ' ~ sqlmetrics.classes_labelled(plan) ~ ' > 1 then '
            ~ covariance ~ ' / (sqrt(' ~ of_prediction ~ ') * sqrt(' ~ of_label ~ ')) end', zero_division
    ) -}}
{%- endmacro %}

{#
  Cohen's kappa: 1 - observed / expected disagreement, where a disagreement counts 1, or the distance of the two classes or its square.
  Expected are the margins' products: over classes k t_k (s - p_k) / s; over places m, (T_m (s - P_m) + P_m (s - T_m)) / s with sums
  through the place; over places, sum i^2 (t_i + p_i) - 2 (sum i t_i) (sum i p_i) / s.
#}
{% macro classes_kappa(plan, weights=none, zero_division=none) -%}
    {{- sqlmetrics.one_of(plan, 'weights', weights, [none, 'linear', 'quadratic']) -}}
    {%- if weights is none -%}
        {%- do plan['flags'].update({'class_total': true}) -%}
        {%- set observed = sqlmetrics.need(plan, 'classes', 'wrong', 'sm_support - sm_right') -%}
        {%- set expected = sqlmetrics.ratio(
            sqlmetrics.need(plan, 'classes', 'wrong_by_chance', sqlmetrics.sql_double('sm_support') ~ ' * (sm_all - sm_predicted_as)'), sqlmetrics.classes_supported(plan)
        ) -%}
    {%- else -%}
        {%- do plan['flags'].update({'class_places': true}) -%}
        {%- set distance = sqlmetrics.sql_double('abs(sm_class_place - sm_predicted_place)') -%}
        {%- set observed = sqlmetrics.need(
            plan, 'cells', weights ~ '_disagreement', 'sm_weight * ' ~ (distance if weights == 'linear' else distance ~ ' * ' ~ distance)
        ) -%}
    {%- endif -%}
    {%- if weights == 'linear' -%}
        {%- do plan['flags'].update({'class_total': true}) -%}
        {%- set expected = sqlmetrics.ratio(
            sqlmetrics.need(plan, 'classes', 'steps_by_chance', sqlmetrics.sql_double('sm_support_through') ~ ' * (sm_all - sm_predicted_as_through) + '
                ~ sqlmetrics.sql_double('sm_predicted_as_through') ~ ' * (sm_all - sm_support_through)'),
            sqlmetrics.classes_supported(plan)
        ) -%}
    {%- elif weights == 'quadratic' -%}
        {%- set place = sqlmetrics.sql_double('sm_place') -%}
        {%- set expected = '(' ~ sqlmetrics.need(plan, 'classes', 'squared_places', place ~ ' * sm_place * (sm_support + sm_predicted_as)') ~ ' - 2 * '
            ~ sqlmetrics.need(plan, 'classes', 'label_places', place ~ ' * sm_support') ~ ' * '
            ~ sqlmetrics.ratio(sqlmetrics.need(plan, 'classes', 'predicted_places', place ~ ' * sm_predicted_as'), sqlmetrics.classes_supported(plan)) ~ ')' -%}
    {%- endif -%}
    {{- sqlmetrics.otherwise(
        plan, 'case when ' ~ sqlmetrics.need(plan, 'classes', 'n_classes', '1') ~ ' > 1 then 1 - ' ~ sqlmetrics.ratio(observed, expected) ~ ' end', zero_division
    ) -}}
{%- endmacro %}

{# The mean of recall over the classes that occur in the labels. #}
{% macro classes_balanced_accuracy(plan) -%}
    {{- sqlmetrics.ratio(
        sqlmetrics.need(plan, 'classes', 'recalls', 'coalesce(' ~ sqlmetrics.ratio('sm_right', 'sm_support') ~ ', 0)'), sqlmetrics.classes_labelled(plan)
    ) -}}
{%- endmacro %}

{# The number of classes that occur in the labels. #}
{% macro classes_labelled(plan) -%}
    {{- sqlmetrics.need(plan, 'classes', 'classes_labelled', 'case when sm_support > 0 then 1 else 0 end') -}}
{%- endmacro %}

{# The weight of all rows. #}
{% macro classes_supported(plan) -%}
    {{- sqlmetrics.need(plan, 'classes', 'supported', 'sm_support') -}}
{%- endmacro %}

{# What is told of the classes beside the metrics: their number, and those that count 0 in a mean over classes. #}
{% macro audit_classes(plan) -%}
    {%- do plan['audit'].update({'n_classes': sqlmetrics.need(plan, 'classes', 'n_classes', '1')}) -%}
    {%- if plan['flags'].get('class_mean') -%}{%- do plan['audit'].update({
        'classes_never_predicted': sqlmetrics.need(plan, 'classes', 'classes_never_predicted', 'case when sm_predicted_as = 0 then 1 else 0 end'),
        'classes_without_label': sqlmetrics.need(plan, 'classes', 'classes_without_label', 'case when sm_support = 0 then 1 else 0 end'),
    }) -%}{%- endif -%}
{%- endmacro %}

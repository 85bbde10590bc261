{#
  Helper macros for metrics of predicted classes. A class has three sums (stages/classes/classes.sql):
    sm_support: the weight of the rows with this label
    sm_predicted_as: the weight of the rows with this prediction
    sm_right: the weight of the rows with both
#}

{#
  True if a metric that also exists at a threshold is computed by class.

  Args:
    average: binary (the positive class alone), macro (the mean over classes), micro (sums over classes) or weighted
      (the mean over classes, weighted by support)
    class: a single class, whose value is returned
    labels: the classes of the average, separated by colons
    classes: all, the classes of a mean that occur, or label, those that occur as label
#}
{% macro by_class(plan, average='binary', class=none, labels=none, classes='all') -%}
    {{- sqlmetrics.one_of(plan, 'classes', classes, ['all', 'label']) -}}
    {{- sqlmetrics.one_of(plan, 'average', average, ['binary', 'macro', 'micro', 'weighted']) -}}
    {%- if classes != 'all' and (average not in ('macro', 'weighted') or labels is not none) -%}
        {{- sqlmetrics.refuse_metric(
            plan,
            "classes=label takes the classes that occur as label into a mean;"
            ~ " write average=macro or weighted beside it, and no labels="
        ) -}}
    {%- endif -%}
    {%- if labels is not none and (average == 'binary' or class is not none) -%}
        {{- sqlmetrics.refuse_metric(
            plan,
            "labels= names the classes of an average;"
            ~ " write average=macro, micro or weighted beside it, and no class="
        ) -}}
    {%- elif average == 'binary' and class is none -%}
        {%- do return(false) -%}
    {%- elif average != 'binary' and class is not none -%}
        {{- sqlmetrics.refuse_metric(
            plan,
            "class= asks for the value of one class and average= for that of all;"
            ~ " write one of them"
        ) -}}
    {%- endif -%}
    {{- sqlmetrics.need_classes(plan) -}}
    {{- sqlmetrics.are_classes(plan, scored=false) -}}
    {%- do return(true) -%}
{%- endmacro %}

{# True if a metric without an average reads the predicted class, and not a score at a threshold. #}
{% macro by_prediction(plan) -%}
    {%- if plan['asked']['predicted_by'] != 'prediction' -%}{%- do return(false) -%}{%- endif -%}
    {{- sqlmetrics.need_classes(plan) -}}
    {{- sqlmetrics.are_classes(plan) -}}
    {%- do return(true) -%}
{%- endmacro %}

{# Rejects a metric of classes without a label and a prediction, or with a threshold. #}
{% macro need_classes(plan) -%}
    {%- for role in ('prediction', 'label') -%}{{- sqlmetrics.role_given(plan, role) -}}{%- endfor -%}
    {%- if plan['asked']['predicted_by'] != 'prediction' -%}
        {{- sqlmetrics.refuse_metric(
            plan,
            "threshold= decides by the score,"
            ~ " where this asks for the predicted class; leave it out"
        ) -}}
    {%- endif -%}
{%- endmacro %}

{#
  Rejects predictions that are no classes: numbers with a fraction, which are scores, or numbers to predict.

  Args:
    scored: true if the metric could read a score instead
#}
{% macro predicts_classes(plan, scored=true) -%}
    {{- sqlmetrics.require(
        plan, 'rows', 'rows_prediction_fraction', '{problem} = 0 and ' ~ sqlmetrics.class_has_fraction('{predicted}'),
        'rows have a prediction with a fraction, such as {value}, ' ~ sqlmetrics.no_class(scored),
        sqlmetrics.sql_float_of('{predicted}')
    ) -}}
{%- endmacro %}

{# The message about a prediction with a fraction. #}
{% macro no_class(scored=false) -%}
which is no class; pass {{ 'a score as score=, or ' if scored -}}
the class that it decides, such as prediction=sm.sql('p >= 0.5')
{%- endmacro %}

{# The same for metrics that compare classes. Hints at predictions of which none is the label of its row. #}
{% macro are_classes(plan, scored=true) -%}
    {{- sqlmetrics.predicts_classes(plan, scored) -}}
    {%- set numbers = plan['facts']['beside_booleans'] -%}
    {%- if numbers is not none -%}
        {%- set number = '{class}' if numbers == 'label' else '{predicted}' -%}
        {{- sqlmetrics.require(
            plan, 'rows', 'rows_not_boolean', '{problem} = 0 and ' ~ number ~ ' not in (0, 1)',
            'rows have a ' ~ numbers ~ ' that is neither 0 nor 1, such as {value}, beside booleans;'
                ~ ' booleans and numbers are compared as 0 and 1', number
        ) -}}
    {%- endif -%}
    {%- do sqlmetrics.hint(plan, 'rows_right', '{problem} = 0 and {class} = {predicted}') -%}
{%- endmacro %}

{# True if a value of any type is a number with a fraction. An infinite one has none. #}
{% macro class_has_fraction(x) -%}
{{ sqlmetrics.sql_float_of(x) }} <> round({{ sqlmetrics.sql_float_of(x) }})
{%- endmacro %}

{# The condition under which a row is predicted positive. #}
{% macro predicted_positive(plan) -%}
    {{- sqlmetrics.need_classes(plan) -}}
    {%- if plan['facts']['positive'] is none -%}
        {{- sqlmetrics.predicts_classes(plan) -}}
        {{- sqlmetrics.require(
            plan, 'rows', 'rows_prediction_not_binary', '{decision} not in (0, 1)',
            'rows have a prediction that is neither 0 nor 1, such as {value};'
                ~ ' pass positive= to say from which class on a row is positive, or average= for more than two classes',
            '{decision}'
        ) -}}
    {%- endif -%}
    {{- sqlmetrics.row_at_least(
        '{decision}', plan['facts']['positive'] if plan['facts']['positive'] is number else 1
    ) -}}
{%- endmacro %}

{#
  An average over classes of numerator / denominator, or its value for one class.

  Args:
    numerator, denominator: expressions over the sums of a class
    zero_division: the value of 0/0; with none it is 0 within a mean, and NULL for one class or for sums over classes;
      with nan the class is left out of a mean
    labels: the classes of the average; none for all that occur
    classes: label for a mean over the classes that occur as label
    bend: c of a class whose value is (1 + c) p / (1 + c p) of a share p of rows
#}
{% macro class_average(
    plan, numerator, denominator, average, class, labels, zero_division, bend=none, classes='all'
) -%}
    {%- set is_mean = average in ('macro', 'weighted') -%}
    {%- set leaves_out = zero_division | string | lower == 'nan' -%}
    {%- if leaves_out and not is_mean -%}
        {{- sqlmetrics.refuse_metric(
            plan, "zero_division=nan leaves a class out of a mean; write it beside average=macro or weighted"
        ) -}}
    {%- elif zero_division is not none and not leaves_out -%}
        {{- sqlmetrics.number(plan, 'zero_division', zero_division, 0, 1) -}}
    {%- endif -%}
    {%- set named = sqlmetrics.named_classes(plan, class, labels) -%}
    {%- set prefix = plan['asked']['prefix'] -%}
    {%- set part = sqlmetrics.is_named('{class}', named) if named else '{support} > 0' if classes == 'label' else '' -%}
    {%- set if_class, end_if = 'case when ' ~ part ~ ' then ' if part else '', ' else 0 end' if part else '' -%}
    {%- if is_mean -%}
        {%- set value, otherwise = sqlmetrics.ratio(numerator, denominator), zero_division or 0 -%}
        {%- set counts = '1' if average == 'macro' else '{support}' -%}
        {%- set counted, name = counts, 'n_classes' if counts == '1' else 'supported' -%}
        {%- if leaves_out -%}
            {%- set counted, name = 'case when ' ~ denominator ~ ' > 0 then ' ~ counts ~ ' else 0 end', 'defined' -%}
        {%- else -%}
            {%- set value = 'coalesce(' ~ value ~ ', ' ~ otherwise ~ ')' -%}
        {%- endif -%}
        {%- set above = sqlmetrics.need(
            plan, 'classes', prefix ~ '_total', if_class ~ sqlmetrics.value_times(value, counts) ~ end_if
        ) -%}
        {%- set below = sqlmetrics.need(
            plan, 'classes', name if name != 'defined' and not part else prefix ~ '_counted',
            if_class ~ counted ~ end_if
        ) -%}
        {{- sqlmetrics.audit_classes_left_out(plan, classes) -}}
        {#- a named class that does not occur is 0/0 -#}
        {%- if named and average == 'macro' and not leaves_out -%}
            {%- set above = '(' ~ above ~ ' + ' ~ otherwise ~ ' * (' ~ named | length ~ ' - ' ~ below ~ '))' -%}
            {%- set below = named | length -%}
        {%- endif -%}
        {%- do return(sqlmetrics.bounded_value(sqlmetrics.ratio(above, below))) -%}
    {%- endif -%}
    {%- set above = sqlmetrics.need(plan, 'classes', prefix ~ '_above', if_class ~ numerator ~ end_if) -%}
    {%- set below = sqlmetrics.need(plan, 'classes', prefix ~ '_below', if_class ~ denominator ~ end_if) -%}
    {%- set sql = sqlmetrics.value_otherwise(plan, sqlmetrics.ratio(above, below), zero_division) -%}
    {%- if plan['facts']['interval'] is none -%}{%- do return(sqlmetrics.plain_value(sql)) -%}{%- endif -%}
    {%- set of_row = sqlmetrics.class_sums_of_row(plan, named) -%}
    {%- set right = '(' ~ sqlmetrics.with_holes(numerator, of_row) ~ ')' -%}
    {%- set counted = '(' ~ sqlmetrics.with_holes(denominator, of_row) ~ ')' -%}
    {%- set bent = bend is not none and named | length == 1 -%}
    {%- set hits = sqlmetrics.need(plan, 'rows', prefix ~ '_right', of_row['right'] if bent else right) -%}
    {%- set all_right = (1 + bend) ~ ' * ' ~ hits if bent else hits -%}
    {%- set all_counted = sqlmetrics.need(plan, 'rows', plan['asked']['prefix'] ~ '_counted', counted) -%}
    {#- rows that are right are a subset of the rows of one class; over all classes a wrong row may count twice -#}
    {%- set is_share = numerator == '{right}'
        and (named | length == 1 or denominator in ('{predicted_as}', '{support}')) -%}
    {%- set value = sqlmetrics.spreading_value(
        sql, sqlmetrics.spread_of_ratio(plan, 'rows', right, counted, all_right, all_counted, is_share)
    ) -%}
    {%- if not bent -%}{%- do return(value) -%}{%- endif -%}
    {%- do return(sqlmetrics.bent_share(
        plan, value, bend, of_row['right'], '(' ~ counted ~ ' - ' ~ bend ~ ' * ' ~ of_row['right'] ~ ')', hits,
        '(' ~ all_counted ~ ' - ' ~ bend ~ ' * ' ~ hits ~ ')'
    )) -%}
{%- endmacro %}

{# The classes that are asked for by class= or labels=, as SQL literals; no class for all of them. #}
{% macro named_classes(plan, class, labels) -%}
    {%- if labels is none -%}
        {%- do return([] if class is none else [sqlmetrics.class_literal(plan, class)]) -%}
    {%- endif -%}
    {%- set named = [] -%}
    {%- for text in (labels | string).split(':') | map('trim') -%}
        {%- set value = sqlmetrics.parse_value(text) -%}
        {%- set literal = sqlmetrics.class_literal(plan, text if value is none else value) -%}
        {%- set half_quoted = text[:1] in ("'", '"') and (text | length == 1 or text[0] != text[-1]) -%}
        {%- if text == '' or half_quoted or literal in named -%}
            {{- sqlmetrics.refuse_metric(
                plan,
                "labels= takes each class once, with a colon between two and none within,"
                ~ " such as labels=PER:ORG:LOC, got " ~ labels
            ) -}}
        {%- endif -%}
        {%- do named.append(literal) -%}
    {%- endfor -%}
    {%- do return(named) -%}
{%- endmacro %}

{# The condition that a column is one of some classes. #}
{% macro is_named(column, named) -%}
    {{ column }} {{ '= ' ~ named[0] if named | length == 1 else 'in (' ~ named | join(', ') ~ ')' }}
{%- endmacro %}

{#
  A class as an SQL literal. A number or a boolean is written as it is, anything else as a string. A quoted number is a
  string.
#}
{% macro class_literal(plan, class) -%}
    {%- set quoted = class is string and class | length > 1 and class[0] == class[-1] and class[0] in ("'", '"') -%}
    {%- set plain = class is string and not quoted and class | lower not in ('true', 'false') -%}
    {%- set is_number = class is number and class is not boolean -%}
    {%- set kind = 'text' if quoted or plain else 'a number' if is_number else 'a boolean' -%}
    {%- if kind not in plan['named_classes'] -%}{%- do plan['named_classes'].append(kind) -%}{%- endif -%}
    {%- if kind == 'a boolean' and plan['facts']['beside_booleans'] is not none -%}
        {%- do return('1' if class | string | lower == 'true' else '0') -%}
    {%- elif not (quoted or plain) -%}
        {%- do return(class | string) -%}
    {%- endif -%}
    {%- set literal = sqlmetrics.sql_text(class[1:-1] if quoted else class) -%}
    {%- for hole, known in plan['literals'].items() if known == literal -%}
        {%- do return('{' ~ hole ~ '}') -%}
    {%- endfor -%}
    {%- set hole = 'class_' ~ (plan['literals'] | length + 1) -%}
    {%- do plan['literals'].update({hole: literal}) -%}
    {%- for grain in ('rows', 'classes', 'row_deviations', 'group_sums', 'cluster_deviations') -%}
        {%- do sqlmetrics.declare(plan, grain, hole) -%}
    {%- endfor -%}
    {%- do return('{' ~ hole ~ '}') -%}
{%- endmacro %}

{#
  Multiclass MCC, R_K: the covariance of label and prediction, as indicators of classes, over the geometric mean of
  their variances. The sum over classes k of right_k s - p_k t_k, where s is the weight of all rows, and those of
  p_k (s - p_k) and t_k (s - t_k) are written without differences of large sums, in pairs of classes k < l:
    variances: 2 p_k p_l and 2 t_k t_l
    covariance: 2 right_k right_l, and for each class right_k (wrong rows of other classes) - missed_k mistaken_k
#}
{% macro classes_mcc(plan, zero_division=none) -%}
    {%- set right = '2 * ' ~ sqlmetrics.sql_double('{right}') ~ ' * ' ~ sqlmetrics.class_after('right') -%}
    {%- set wrong = sqlmetrics.sql_double('{right}') ~ ' * ({all_missed} - {missed} - {mistaken}) - '
        ~ sqlmetrics.sql_double('{missed}') ~ ' * {mistaken}' -%}
    {%- set covariance = sqlmetrics.need(plan, 'classes', 'covariance', right ~ ' + ' ~ wrong) -%}
    {%- set of_prediction = sqlmetrics.need(
        plan, 'classes', 'prediction_variance',
        '2 * ' ~ sqlmetrics.sql_double('{predicted_as}') ~ ' * ' ~ sqlmetrics.class_after('predicted_as')
    ) -%}
    {%- set of_label = sqlmetrics.need(
        plan, 'classes', 'label_variance',
        '2 * ' ~ sqlmetrics.sql_double('{support}') ~ ' * ' ~ sqlmetrics.class_after('support')
    ) -%}
    {#- decided by the number of classes, since the sums of a constant need not be exactly 0 -#}
    {%- set classes_predicted = sqlmetrics.need(
        plan, 'classes', 'classes_predicted', 'case when {predicted_as} > 0 then 1 else 0 end'
    ) -%}
    {%- set several = classes_predicted ~ ' > 1 and ' ~ sqlmetrics.classes_labelled(plan) ~ ' > 1' -%}
    {%- set mcc = sqlmetrics.product_by_roots(covariance, of_label, of_prediction) -%}
    {%- do return(sqlmetrics.bounded_value(sqlmetrics.value_otherwise(
        plan, 'case when ' ~ several ~ ' then ' ~ mcc ~ ' end', zero_division
    ), least=-1)) -%}
{%- endmacro %}

{#
  Cohen's kappa: 1 - observed / expected disagreement. A disagreement counts 1, or the distance of the two classes, or
  the square of that distance. The expected disagreement comes from the products of the margins:
    unweighted: the sum over pairs of classes k < l of (t_k p_l + p_k t_l) / s
    linear: the sum over places m of (T_m (s - P_m) + P_m (s - T_m)) / s, where T and P are sums through the place
    quadratic: the same, where T_m and P_m in front are sums of t_i and p_i times 2 (m - i) + 1, since these odd
      numbers add up to the square of a distance
  Each is a sum of products that are at least 0, so light classes keep their digits beside heavy ones.
#}
{% macro classes_kappa(plan, weights=none, zero_division=none) -%}
    {{- sqlmetrics.one_of(plan, 'weights', weights, [none, 'linear', 'quadratic']) -}}
    {%- if weights is none -%}
        {%- set observed = sqlmetrics.need(plan, 'classes', 'wrong', '{missed}') -%}
        {%- set by_chance = sqlmetrics.sql_double('{support}') ~ ' * ' ~ sqlmetrics.class_after('predicted_as') ~ ' + '
            ~ sqlmetrics.sql_double('{predicted_as}') ~ ' * ' ~ sqlmetrics.class_after('support') -%}
        {%- set expected = sqlmetrics.ratio(
            sqlmetrics.need(plan, 'classes', 'wrong_by_chance', by_chance), sqlmetrics.classes_supported(plan)
        ) -%}
    {%- else -%}
        {%- set distance = sqlmetrics.sql_double('abs({class_place} - {predicted_place})') -%}
        {%- set observed = sqlmetrics.need(
            plan, 'cells', weights ~ '_disagreement',
            '{weight} * ' ~ (distance if weights == 'linear' else distance ~ ' * ' ~ distance)
        ) -%}
    {%- endif -%}
    {%- if weights is not none -%}
        {%- set before = {'linear': '_through', 'quadratic': '_steps'}[weights] -%}
        {%- set of_label = sqlmetrics.sql_double('{support' ~ before ~ '}') ~ ' * '
            ~ sqlmetrics.class_after('predicted_as') -%}
        {%- set of_prediction = sqlmetrics.sql_double('{predicted_as' ~ before ~ '}') ~ ' * '
            ~ sqlmetrics.class_after('support') -%}
        {%- set expected = sqlmetrics.ratio(
            sqlmetrics.need(plan, 'classes', weights ~ '_by_chance', of_label ~ ' + ' ~ of_prediction),
            sqlmetrics.classes_supported(plan)
        ) -%}
    {%- endif -%}
    {%- set kappa = '1 - ' ~ sqlmetrics.ratio(observed, expected) -%}
    {%- set several = sqlmetrics.need(plan, 'classes', 'n_classes', '1') ~ ' > 1' -%}
    {%- do return(sqlmetrics.bounded_value(sqlmetrics.value_otherwise(
        plan, 'case when ' ~ several ~ ' then ' ~ kappa ~ ' end', zero_division
    ), least=-1)) -%}
{%- endmacro %}

{# The mean of recall over the classes that occur in the labels; adjusted, 0 is the mean of one class for all rows. #}
{% macro classes_balanced_accuracy(plan, adjusted=false) -%}
    {%- set recalls = sqlmetrics.need(
        plan, 'classes', 'recalls', 'coalesce(' ~ sqlmetrics.ratio('{right}', '{support}') ~ ', 0)'
    ) -%}
    {%- set labelled = sqlmetrics.classes_labelled(plan) -%}
    {%- if adjusted -%}
        {%- do return(sqlmetrics.bounded_value(sqlmetrics.ratio(recalls ~ ' - 1', labelled ~ ' - 1'), least=-1)) -%}
    {%- endif -%}
    {%- do return(sqlmetrics.bounded_value(sqlmetrics.ratio(recalls, labelled))) -%}
{%- endmacro %}

{# A sum over the classes after a class; the last has none. #}
{% macro class_after(column) -%}coalesce({{ '{' ~ column ~ '_after}' }}, 0){%- endmacro %}

{# The number of classes that occur in the labels. #}
{% macro classes_labelled(plan) -%}
    {{- sqlmetrics.need(plan, 'classes', 'classes_labelled', 'case when {support} > 0 then 1 else 0 end') -}}
{%- endmacro %}

{# The weight of all rows. #}
{% macro classes_supported(plan) -%}
    {{- sqlmetrics.need(plan, 'classes', 'supported', '{support}') -}}
{%- endmacro %}

{# Adds the number of classes to the counts beside the metrics. #}
{% macro audit_classes(plan) -%}{{ sqlmetrics.audit(plan, 'classes', 'n_classes', '1') }}{%- endmacro %}

{# The contribution of one row to the sums over the named classes, or over all: column -> template. #}
{% macro class_sums_of_row(plan, named) -%}
    {%- set labelled, predicted, right = '1 = 1', '1 = 1', '{class} = {predicted}' -%}
    {%- if named -%}
        {%- set labelled = sqlmetrics.is_named('{class}', named) -%}
        {%- set predicted = sqlmetrics.is_named('{predicted}', named) -%}
        {%- set right = labelled ~ ' and ' ~ (predicted if named | length == 1 else right) -%}
    {%- endif -%}
    {%- set sums = {} -%}
    {%- for sum, condition in {'support': labelled, 'predicted_as': predicted, 'right': right}.items() -%}
        {%- set weight = sqlmetrics.row_weighted(plan, sqlmetrics.row_count_if(plan, condition)) -%}
        {%- do sums.update({sum: '(' ~ weight ~ ')'}) -%}
    {%- endfor -%}
    {%- do return(sums) -%}
{%- endmacro %}

{#
  Adds counts of the classes that may be 0/0 in a mean over classes: those never predicted and, unless classes=label
  leaves them out, those without a label.
#}
{% macro audit_classes_left_out(plan, classes) -%}
    {{- sqlmetrics.audit_classes(plan) -}}
    {{- sqlmetrics.audit(
        plan, 'classes', 'classes_never_predicted', 'case when {predicted_as} = 0 then 1 else 0 end'
    ) -}}
    {%- if classes != 'label' -%}
        {{- sqlmetrics.audit(plan, 'classes', 'classes_without_label', 'case when {support} = 0 then 1 else 0 end') -}}
    {%- endif -%}
{%- endmacro %}

{# Agreement of decisions at a threshold with a binary label, in one number. Grain: rows. #}

{#
  Balanced accuracy: the mean of recall and specificity; with the predicted class, the mean of recall over the classes that occur
  in the labels.

  Args:
    threshold: the least score that counts as a positive decision
    zero_division: the value where a class is absent; none gives null
  Returns: float in [0, 1]; weighted by the row weight
  Undefined: null where a class is absent (scikit-learn then takes the class that is there alone, as is done with the
    predicted class)
  Errors: a label that is neither 0 nor 1, unless positive= is given
  Source: scikit-learn, balanced_accuracy_score
  Example: balanced_accuracy
#}
{% macro metric_balanced_accuracy(plan, threshold=0.5, zero_division=none) -%}
    {%- if sqlmetrics.by_prediction(plan) -%}{%- do return(sqlmetrics.classes_balanced_accuracy(plan)) -%}{%- endif -%}
    {%- set c = sqlmetrics.cells(plan, threshold) -%}
    {%- set above = c['tp'] ~ ' * ' ~ c['negatives'] ~ ' + ' ~ c['tn'] ~ ' * ' ~ c['positives'] -%}
    {%- set sql = sqlmetrics.otherwise(plan, sqlmetrics.ratio(above, '2 * ' ~ c['positives'] ~ ' * ' ~ c['negatives']), zero_division) -%}
    {%- do return(sqlmetrics.function_of_cells(plan, sql, c, sqlmetrics.slopes_of_shares(c, 'fn', 'fp'), '2')) -%}
{%- endmacro %}

{#
  Geometric mean of recall and specificity.

  Args:
    threshold: the least score that counts as a positive decision
    zero_division: the value where a class is absent; none gives null
  Returns: float in [0, 1]; weighted by the row weight
  Undefined: null where a class is absent
  Errors: a label that is neither 0 nor 1, unless positive= is given
  Source: Kubat and Matwin (1997), Addressing the curse of imbalanced training sets
  Example: g_mean
#}
{% macro metric_g_mean(plan, threshold=0.5, zero_division=none) -%}
    {%- set c = sqlmetrics.cells(plan, threshold) -%}
    {%- set above, below = 'sqrt(' ~ c['tp'] ~ ' * ' ~ c['tn'] ~ ')', 'sqrt(' ~ c['positives'] ~ ' * ' ~ c['negatives'] ~ ')' -%}
    {#- the slope of its logarithm, times two and itself -#}
    {%- do return(sqlmetrics.function_of_cells(
        plan, sqlmetrics.otherwise(plan, sqlmetrics.ratio(above, below), zero_division), c, {
            'tp': sqlmetrics.ratio(c['fn'], c['tp'] ~ ' * ' ~ c['positives']), 'fn': sqlmetrics.ratio('-1', c['positives']),
            'tn': sqlmetrics.ratio(c['fp'], c['tn'] ~ ' * ' ~ c['negatives']), 'fp': sqlmetrics.ratio('-1', c['negatives']),
        }, sqlmetrics.ratio('2 * ' ~ below, above)
    )) -%}
{%- endmacro %}

{#
  Informedness, Youden's J: recall + specificity - 1, 0 for decisions that ignore the label.

  Args:
    threshold: the least score that counts as a positive decision
    zero_division: the value where a class is absent; none gives null
  Returns: float in [-1, 1]; weighted by the row weight
  Undefined: null where a class is absent
  Errors: a label that is neither 0 nor 1, unless positive= is given
  Source: Youden (1950), Index for rating diagnostic tests
  Example: informedness
#}
{% macro metric_informedness(plan, threshold=0.5, zero_division=none) -%}
    {%- set c = sqlmetrics.cells(plan, threshold) -%}
    {%- set ratio = sqlmetrics.ratio(c['determinant'], c['positives'] ~ ' * ' ~ c['negatives']) -%}
    {%- do return(sqlmetrics.function_of_cells(
        plan, sqlmetrics.otherwise(plan, ratio, zero_division), c, sqlmetrics.slopes_of_shares(c, 'fn', 'fp')
    )) -%}
{%- endmacro %}

{#
  Markedness: precision + npv - 1, informedness with label and decision in each other's place.

  Args:
    threshold: the least score that counts as a positive decision
    zero_division: the value where all rows are predicted alike; none gives null
  Returns: float in [-1, 1]; weighted by the row weight
  Undefined: null where all rows are predicted alike
  Errors: a label that is neither 0 nor 1, unless positive= is given
  Source: Powers (2011), Evaluation: from precision, recall and F-measure to ROC, informedness, markedness and correlation
  Example: markedness
#}
{% macro metric_markedness(plan, threshold=0.5, zero_division=none) -%}
    {%- set c = sqlmetrics.cells(plan, threshold) -%}
    {%- set ratio = sqlmetrics.ratio(c['determinant'], c['predicted_positives'] ~ ' * ' ~ c['predicted_negatives']) -%}
    {%- do return(sqlmetrics.function_of_cells(
        plan, sqlmetrics.otherwise(plan, ratio, zero_division), c, sqlmetrics.slopes_of_shares(c, 'fp', 'fn')
    )) -%}
{%- endmacro %}

{#
  Matthews correlation coefficient: the correlation of label and decision; with the predicted class, of any number of classes (R_K).

  Args:
    threshold: the least score that counts as a positive decision
    zero_division: the value where a class is absent or all rows are predicted alike; none gives null
  Returns: float in [-1, 1]; weighted by the row weight
  Undefined: null where a class is absent or all rows are predicted alike (scikit-learn says 0)
  Errors: a label that is neither 0 nor 1, unless positive= is given
  Source: Matthews (1975), doi:10.1016/0005-2795(75)90109-9; Gorodkin (2004),
    doi:10.1016/j.compbiolchem.2004.09.006; scikit-learn, matthews_corrcoef
  Example: mcc
#}
{% macro metric_mcc(plan, threshold=0.5, zero_division=none) -%}
    {%- if sqlmetrics.by_prediction(plan) -%}{%- do return(sqlmetrics.classes_mcc(plan, zero_division)) -%}{%- endif -%}
    {%- set c = sqlmetrics.cells(plan, threshold) -%}
    {%- set size = 'sqrt(' ~ c['positives'] ~ ' * ' ~ c['negatives'] ~ ') * sqrt('
        ~ c['predicted_positives'] ~ ' * ' ~ c['predicted_negatives'] ~ ')' -%}
    {%- set sql = sqlmetrics.otherwise(plan, sqlmetrics.ratio(c['determinant'], size), zero_division) -%}
    {%- set slopes = {} -%}
    {%- for cell, across, labelled, predicted in (
        ('tp', c['tn'], 'positives', 'predicted_positives'), ('tn', c['tp'], 'negatives', 'predicted_negatives'),
        ('fp', '-' ~ c['fn'], 'negatives', 'predicted_positives'), ('fn', '-' ~ c['fp'], 'positives', 'predicted_negatives'),
    ) -%}
        {%- set of_size = sqlmetrics.ratio(c['determinant'], '2 * ' ~ c[labelled]) ~ ' + '
            ~ sqlmetrics.ratio(c['determinant'], '2 * ' ~ c[predicted]) -%}
        {%- do slopes.update({cell: '(' ~ across ~ ' - (' ~ of_size ~ '))'}) -%}
    {%- endfor -%}
    {%- do return(sqlmetrics.function_of_cells(plan, sql, c, slopes, '(' ~ size ~ ')')) -%}
{%- endmacro %}

{#
  Cohen's kappa: the agreement of label and decision beyond chance, (observed - expected) / (1 - expected).

  Args:
    threshold: the least score that counts as a positive decision
    weights: with the predicted class, what a disagreement counts: none (1), linear (how far apart the two classes are among those
      that occur, in their order) or quadratic (its square)
    zero_division: the value where all rows are of one class and predicted as that class; none gives null
  Returns: float in [-1, 1]; weighted by the row weight
  Undefined: null where all rows are of one class and predicted as that class
  Errors: a label that is neither 0 nor 1, unless positive= is given
  Source: Cohen (1960), doi:10.1177/001316446002000104; weighted: Cohen (1968), doi:10.1037/h0026256; scikit-learn, cohen_kappa_score
  Example: kappa
#}
{% macro metric_kappa(plan, threshold=0.5, zero_division=none, weights=none) -%}
    {%- if sqlmetrics.by_prediction(plan) -%}{%- do return(sqlmetrics.classes_kappa(plan, weights, zero_division)) -%}{%- endif -%}
    {%- if weights is not none -%}{{- sqlmetrics.need_classes(plan) -}}{%- endif -%}
    {%- set c = sqlmetrics.cells(plan, threshold) -%}
    {%- set size = c['predicted_positives'] ~ ' * ' ~ c['negatives'] ~ ' + ' ~ c['predicted_negatives'] ~ ' * ' ~ c['positives'] -%}
    {%- set ratio, slopes = sqlmetrics.ratio('2 * ' ~ c['determinant'], size), {} -%}
    {%- set sql = sqlmetrics.otherwise(plan, ratio, zero_division) -%}
    {%- for cell, across, of_size in (
        ('tp', '2 * ' ~ c['tn'], c['negatives'] ~ ' + ' ~ c['predicted_negatives']),
        ('tn', '2 * ' ~ c['tp'], c['positives'] ~ ' + ' ~ c['predicted_positives']),
        ('fp', '-2 * ' ~ c['fn'], c['negatives'] ~ ' + ' ~ c['predicted_positives']),
        ('fn', '-2 * ' ~ c['fp'], c['positives'] ~ ' + ' ~ c['predicted_negatives']),
    ) -%}
        {%- do slopes.update({cell: '(' ~ across ~ ' - ' ~ ratio ~ ' * (' ~ of_size ~ '))'}) -%}
    {%- endfor -%}
    {%- do return(sqlmetrics.function_of_cells(plan, sql, c, slopes, '(' ~ size ~ ')')) -%}
{%- endmacro %}

{#
  Jaccard index, also called the critical success index: tp / (tp + fp + fn).

  Args:
    threshold: the least score that counts as a positive decision
    zero_division: the value without a positive row or decision; none gives null
    average: with the predicted class: binary (of the positive class), macro (the mean over the classes that occur in label or
      prediction), weighted (that mean, each class counting its rows) or micro (from sums over classes)
    class: with the predicted class: one class, whose value is given
  Returns: float in [0, 1]; weighted by the row weight
  Undefined: null without a positive row or decision
  Errors: a label that is neither 0 nor 1, unless positive= or average= is given
  Source: scikit-learn, jaccard_score
  Example: jaccard
#}
{% macro metric_jaccard(plan, threshold=0.5, zero_division=none, average='binary', class=none) -%}
    {%- if sqlmetrics.by_class(plan, average, class) -%}
        {%- do return(sqlmetrics.class_average(plan, '{right}', '{support} + {predicted_as} - {right}', average, class, zero_division)) -%}
    {%- endif -%}
    {%- set hits = sqlmetrics.cell(plan, threshold, true, true) -%}
    {%- set wrong = sqlmetrics.cell(plan, threshold, true, false) ~ ' + ' ~ sqlmetrics.cell(plan, threshold, false, true) -%}
    {%- do return(sqlmetrics.row_share(plan, hits, hits ~ ' + ' ~ wrong, zero_division)) -%}
{%- endmacro %}

{# The slopes of the sum of two shares: tp / (tp + beside_tp), and tn / (tn + beside_tn). #}
{% macro slopes_of_shares(c, beside_tp, beside_tn) -%}
    {%- set slopes = {} -%}
    {%- for right, beside in (('tp', beside_tp), ('tn', beside_tn)) -%}
        {%- set square = '(' ~ c[right] ~ ' + ' ~ c[beside] ~ ') * (' ~ c[right] ~ ' + ' ~ c[beside] ~ ')' -%}
        {%- do slopes.update({right: sqlmetrics.ratio(c[beside], square), beside: sqlmetrics.ratio('-' ~ c[right], square)}) -%}
    {%- endfor -%}
    {%- do return(slopes) -%}
{%- endmacro %}

{# The confusion matrix as floats, since products of counts leave the integers: cells, margins, and tp tn - fp fn. #}
{% macro cells(plan, threshold) -%}
    {%- set tp = sqlmetrics.sql_double(sqlmetrics.cell(plan, threshold, true, true)) -%}
    {%- set fp = sqlmetrics.sql_double(sqlmetrics.cell(plan, threshold, true, false)) -%}
    {%- set fn = sqlmetrics.sql_double(sqlmetrics.cell(plan, threshold, false, true)) -%}
    {%- set tn = sqlmetrics.sql_double(sqlmetrics.cell(plan, threshold, false, false)) -%}
    {%- do return({
        'tp': tp, 'fp': fp, 'fn': fn, 'tn': tn,
        'positives': '(' ~ tp ~ ' + ' ~ fn ~ ')', 'negatives': '(' ~ tn ~ ' + ' ~ fp ~ ')',
        'predicted_positives': '(' ~ tp ~ ' + ' ~ fp ~ ')', 'predicted_negatives': '(' ~ tn ~ ' + ' ~ fn ~ ')',
        'determinant': '(' ~ tp ~ ' * ' ~ tn ~ ' - ' ~ fp ~ ' * ' ~ fn ~ ')',
    }) -%}
{%- endmacro %}

{#
  A value: a smooth function of the four cells.

  Args:
    slopes: templates, by how much it grows with each cell, times the scale
#}
{% macro function_of_cells(plan, sql, c, slopes, scale='1') -%}
    {%- if plan['interval'] is none -%}{%- do return(sqlmetrics.plain_value(sql)) -%}{%- endif -%}
    {%- set terms = [] -%}
    {%- for cell, slope in slopes.items() -%}{%- do terms.append(sqlmetrics.of_row(plan, c[cell]) ~ ' * ' ~ slope) -%}{%- endfor -%}
    {%- do return(sqlmetrics.spreading_value(
        sql, sqlmetrics.spread_by_influence(plan, 'rows', '(' ~ terms | join(' + ') ~ ')', sqlmetrics.usable_weight(plan), scale)
    )) -%}
{%- endmacro %}

{#
  Single-number agreement of thresholded decisions with a binary label. Grain: rows.

  Task: Binary classification
  Returns: float; weighted by the row weight
  Errors: a prediction with a fraction; a label other than 0 and 1, unless positive= is given
#}

{#
  Balanced accuracy: the mean of recall and specificity; with prediction=, the mean recall over the classes
  that occur as labels.

  Formula: \text{BA} = \frac{\text{TPR} + \text{TNR}}{2}
    \text{BA} = \frac{1}{\left|\mathcal{Y}\right|} \sum_{c \in \mathcal{Y}} \text{TPR}_c \quad \text{with prediction=}
  Args:
    zero_division: value if one of the classes is absent; none gives null
    adjusted: true gives (BA - 1/C) / (1 - 1/C) for C classes, which is 0 for a decision that ignores the label; that
      of two classes at a threshold is informedness
  Better: higher
  Range: [-1, 1]
  Unit: share
  Aliases: balanced_accuracy_score (scikit-learn)
  Undefined: null if one of the classes is absent (scikit-learn then averages over the classes present, as
    does the form with prediction=)
  Traps: a random score has 0.5, a constant one too; it weighs a rare class as much as a frequent one, whatever
    an error costs
  Source: scikit-learn, balanced_accuracy_score
  Example: balanced_accuracy
#}
{% macro metric_balanced_accuracy(plan, threshold=0.5, zero_division=none, adjusted='false') -%}
    {{- sqlmetrics.one_of(plan, 'adjusted', adjusted, ['false', 'true']) -}}
    {%- if sqlmetrics.by_prediction(plan) -%}
        {%- do return(sqlmetrics.classes_balanced_accuracy(plan, adjusted == 'true')) -%}
    {%- elif adjusted == 'true' -%}
        {%- do return(sqlmetrics.metric_informedness(plan, threshold, zero_division)) -%}
    {%- endif -%}
    {%- set c = sqlmetrics.cells(plan, threshold) -%}
    {%- set above = c['tp'] ~ ' * ' ~ c['negatives'] ~ ' + ' ~ c['tn'] ~ ' * ' ~ c['positives'] -%}
    {%- set sql = sqlmetrics.value_otherwise(
        plan, sqlmetrics.ratio(above, '2 * ' ~ c['positives'] ~ ' * ' ~ c['negatives']), zero_division
    ) -%}
    {%- set value = sqlmetrics.function_of_cells(plan, sql, c, sqlmetrics.slopes_of_shares(c, 'fn', 'fp'), '2') -%}
    {%- do return(dict(value, least=0)) -%}
{%- endmacro %}

{#
  Geometric mean of recall and specificity.

  Formula: G = \sqrt{\text{TPR} \cdot \text{TNR}}
  Args:
    zero_division: value if one of the classes is absent; none gives null
  Better: higher
  Range: [0, 1]
  Unit: share
  Undefined: null if one of the classes is absent
  Traps: it sees neither the base rate nor precision, so with rare positives it may be high where most alarms are
    false; it is 0 if one class is never right, however good the other
  Errors: a label other than 0 and 1, unless positive= is given
  Source: Kubat and Matwin (1997), Addressing the curse of imbalanced training sets
  Example: g_mean
#}
{% macro metric_g_mean(plan, threshold=0.5, zero_division=none) -%}
    {%- set c = sqlmetrics.cells(plan, threshold) -%}
    {%- set above = 'sqrt(' ~ c['tp'] ~ ' * ' ~ c['tn'] ~ ')' -%}
    {%- set below = 'sqrt(' ~ c['positives'] ~ ' * ' ~ c['negatives'] ~ ')' -%}
    {#- twice the derivative of its logarithm; the scale is 2 divided by the metric -#}
    {%- do return(sqlmetrics.function_of_cells(
        plan, sqlmetrics.value_otherwise(plan, sqlmetrics.ratio(above, below), zero_division), c, {
            'tp': sqlmetrics.ratio(c['fn'], c['tp'] ~ ' * ' ~ c['positives']),
            'fn': sqlmetrics.ratio('-1', c['positives']),
            'tn': sqlmetrics.ratio(c['fp'], c['tn'] ~ ' * ' ~ c['negatives']),
            'fp': sqlmetrics.ratio('-1', c['negatives']),
        }, sqlmetrics.ratio('2 * ' ~ below, above)
    )) -%}
{%- endmacro %}

{#
  Informedness, Youden's J: recall + specificity - 1; 0 for decisions that ignore the label.

  Formula: J = \text{TPR} + \text{TNR} - 1
  Args:
    zero_division: value if one of the classes is absent; none gives null
  Better: higher
  Range: [-1, 1]
  Unit: share
  Undefined: null if one of the classes is absent
  Traps: it weighs both classes alike, so with rare positives it may be high where most alarms are false; at the
    threshold that is best on the same data it is ks, which is too optimistic
  Errors: a label other than 0 and 1, unless positive= is given
  Source: Youden (1950), Index for rating diagnostic tests
  Example: informedness
#}
{% macro metric_informedness(plan, threshold=0.5, zero_division=none) -%}
    {%- set c = sqlmetrics.cells(plan, threshold) -%}
    {%- set ratio = sqlmetrics.ratio(c['determinant'], c['positives'] ~ ' * ' ~ c['negatives']) -%}
    {%- do return(sqlmetrics.function_of_cells(
        plan, sqlmetrics.value_otherwise(plan, ratio, zero_division), c, sqlmetrics.slopes_of_shares(c, 'fn', 'fp')
    )) -%}
{%- endmacro %}

{#
  Markedness: precision + npv - 1, which is informedness with label and decision swapped.

  Formula: \text{markedness} = \text{PPV} + \text{NPV} - 1
  Args:
    zero_division: value if all rows are predicted alike; none gives null
  Better: higher
  Range: [-1, 1]
  Unit: share
  Undefined: null if all rows are predicted alike
  Traps: it changes with the share of positive rows, so values of sampled data do not carry over; a few sure
    predictions of one class decide half of it
  Errors: a label other than 0 and 1, unless positive= is given
  Source: Powers (2011), Evaluation: from precision, recall and F-measure to ROC, informedness, markedness and
    correlation
  Example: markedness
#}
{% macro metric_markedness(plan, threshold=0.5, zero_division=none) -%}
    {%- set c = sqlmetrics.cells(plan, threshold) -%}
    {%- set ratio = sqlmetrics.ratio(c['determinant'], c['predicted_positives'] ~ ' * ' ~ c['predicted_negatives']) -%}
    {%- do return(sqlmetrics.function_of_cells(
        plan, sqlmetrics.value_otherwise(plan, ratio, zero_division), c, sqlmetrics.slopes_of_shares(c, 'fp', 'fn')
    )) -%}
{%- endmacro %}

{#
  Matthews correlation coefficient: the correlation of label and decision; with prediction=, its form for any
  number of classes (R_K).

  Formula: \text{MCC} = \frac{\text{TP} \cdot \text{TN} - \text{FP} \cdot \text{FN}} {\sqrt{(\text{TP} + \text{FP})
      (\text{TP} + \text{FN}) (\text{TN} + \text{FP}) (\text{TN} + \text{FN})}}
    \text{MCC} = \frac{W \sum_c \text{TP}_c - \sum_c Y_c \hat{Y}_c} {\sqrt{(W^2 - \sum_c Y_c^2) (W^2 - \sum_c
      \hat{Y}_c^2)}} \quad \text{with prediction=}
  Args:
    zero_division: value if one of the classes is absent or all rows are predicted alike; none gives null
  Better: higher
  Range: [-1, 1]
  Unit: none
  Aliases: matthews_corrcoef (scikit-learn) is mcc(zero_division=0)
  Undefined: null if one of the classes is absent or all rows are predicted alike (scikit-learn gives 0)
  Interval: where few rows are predicted positive it is too wide, and holds the value in more than 98 % of data
    (docs/coverage.md)
  Traps: it is null if one class is never predicted, where other libraries return 0
  Source: Matthews (1975), doi:10.1016/0005-2795(75)90109-9; Gorodkin (2004),
    doi:10.1016/j.compbiolchem.2004.09.006; scikit-learn, matthews_corrcoef
  Example: mcc
#}
{% macro metric_mcc(plan, threshold=0.5, zero_division=none) -%}
    {%- if sqlmetrics.by_prediction(plan) -%}{%- do return(sqlmetrics.classes_mcc(plan, zero_division)) -%}{%- endif -%}
    {%- set c = sqlmetrics.cells(plan, threshold) -%}
    {%- set labelled = '(' ~ c['positives'] ~ ' * ' ~ c['negatives'] ~ ')' -%}
    {%- set predicted = '(' ~ c['predicted_positives'] ~ ' * ' ~ c['predicted_negatives'] ~ ')' -%}
    {%- set size = 'sqrt' ~ labelled ~ ' * sqrt' ~ predicted -%}
    {%- set sql = sqlmetrics.value_otherwise(
        plan, sqlmetrics.product_by_roots(c['determinant'], labelled, predicted), zero_division
    ) -%}
    {%- set slopes = {} -%}
    {%- for cell, across, labelled, predicted in (
        ('tp', c['tn'], 'positives', 'predicted_positives'), ('tn', c['tp'], 'negatives', 'predicted_negatives'),
        ('fp', '-' ~ c['fn'], 'negatives', 'predicted_positives'),
        ('fn', '-' ~ c['fp'], 'positives', 'predicted_negatives'),
    ) -%}
        {%- set of_size = sqlmetrics.ratio(c['determinant'], '2 * ' ~ c[labelled]) ~ ' + '
            ~ sqlmetrics.ratio(c['determinant'], '2 * ' ~ c[predicted]) -%}
        {%- do slopes.update({cell: '(' ~ across ~ ' - (' ~ of_size ~ '))'}) -%}
    {%- endfor -%}
    {%- do return(sqlmetrics.function_of_cells(plan, sql, c, slopes, '(' ~ size ~ ')')) -%}
{%- endmacro %}

{#
  Cohen's kappa: the agreement of label and decision beyond chance, (observed - expected) / (1 - expected).

  Formula: \kappa = 1 - \frac{W \sum_i w_i d(y_i, \hat{y}_i)}{\sum_i \sum_j w_i w_j d(y_i, \hat{y}_j)}
    d(c, c') = \begin{cases} \left|c - c'\right| & \text{weights=linear} \\ (c - c')^2 & \text{weights=quadratic} \\ [c
      \ne c'] & \text{otherwise} \end{cases}
  Args:
    weights: with prediction=, the cost of a disagreement: none (1), linear (the distance of the two classes
      in the order of the classes that occur) or quadratic (the square of that distance)
    zero_division: value if all rows belong to one class and are predicted as it; none gives null
  Better: higher
  Range: [-1, 1]
  Unit: none
  Aliases: cohen_kappa_score (scikit-learn), cohen_kappa (torchmetrics)
  Undefined: null if all rows belong to one class and are predicted as it
  Traps: it depends on how often each class occurs, so that two pairs of raters with the same agreement may
    differ
  Source: Cohen (1960), doi:10.1177/001316446002000104; weighted: Cohen (1968), doi:10.1037/h0026256;
    scikit-learn, cohen_kappa_score
  Example: kappa
#}
{% macro metric_kappa(plan, threshold=0.5, zero_division=none, weights=none) -%}
    {%- if sqlmetrics.by_prediction(plan) -%}
        {%- do return(sqlmetrics.classes_kappa(plan, weights, zero_division)) -%}
    {%- endif -%}
    {%- if weights is not none -%}{{- sqlmetrics.need_classes(plan) -}}{%- endif -%}
    {%- set c = sqlmetrics.cells(plan, threshold) -%}
    {%- set size = c['predicted_positives'] ~ ' * ' ~ c['negatives'] ~ ' + ' ~ c['predicted_negatives'] ~ ' * '
        ~ c['positives'] -%}
    {%- set ratio, slopes = sqlmetrics.ratio('2 * ' ~ c['determinant'], size), {} -%}
    {%- set sql = sqlmetrics.value_otherwise(plan, ratio, zero_division) -%}
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

  Formula: J = \frac{\text{TP}}{\text{TP} + \text{FP} + \text{FN}}
  Args:
    zero_division: value if no row is positive or predicted positive; none gives null, or 0 for a class within a mean;
      nan leaves such a class out of the mean
    average: with prediction=: binary (the positive class), macro (mean over the classes that occur as label
      or prediction), weighted (the same mean, weighted by the rows of each class) or micro (from sums over
      classes)
    class: with prediction=: the one class to report
    labels: with prediction=: the classes of an average, as class= has them, with colons: PER:ORG:LOC; one that does
      not occur is 0/0. None takes all that occur
    classes: with average=macro or weighted: all, the classes that occur as label or prediction, or label, those that
      occur as label: a class that is only predicted then has no part in the mean
  Better: higher
  Range: [0, 1]
  Unit: share
  Aliases: jaccard_score (scikit-learn) is jaccard(zero_division=0)
  Undefined: null if no row is positive or predicted positive
  Traps: it ignores true negatives, as f1 does, and orders models as f1 does
  Errors: a prediction with a fraction; a label other than 0 and 1, unless positive= or average= is given
  Source: scikit-learn, jaccard_score
  Example: jaccard
#}
{% macro metric_jaccard(
    plan, threshold=0.5, zero_division=none, average='binary', class=none, labels=none, classes='all'
) -%}
    {%- if sqlmetrics.by_class(plan, average, class, labels, classes) -%}
        {%- do return(sqlmetrics.class_average(
            plan, '{right}', '{support} + {predicted_as} - {right}', average, class, labels, zero_division,
            classes=classes
        )) -%}
    {%- endif -%}
    {%- set hits = sqlmetrics.cell(plan, threshold, true, true) -%}
    {%- set wrong = sqlmetrics.cell(plan, threshold, true, false) ~ ' + '
        ~ sqlmetrics.cell(plan, threshold, false, true) -%}
    {%- do return(sqlmetrics.row_share(plan, hits, hits ~ ' + ' ~ wrong, zero_division)) -%}
{%- endmacro %}

{# The derivatives of a sum of two shares, tp / (tp + beside_tp) + tn / (tn + beside_tn), by each cell. #}
{% macro slopes_of_shares(c, beside_tp, beside_tn) -%}
    {%- set slopes = {} -%}
    {%- for right, beside in (('tp', beside_tp), ('tn', beside_tn)) -%}
        {%- set square = '(' ~ c[right] ~ ' + ' ~ c[beside] ~ ') * (' ~ c[right] ~ ' + ' ~ c[beside] ~ ')' -%}
        {%- do slopes.update(
            {right: sqlmetrics.ratio(c[beside], square), beside: sqlmetrics.ratio('-' ~ c[right], square)}
        ) -%}
    {%- endfor -%}
    {%- do return(slopes) -%}
{%- endmacro %}

{#
  The confusion matrix as floats, because products of counts overflow integers: cells, margins, tp tn - fp fn.
#}
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
    {%- if plan['facts']['interval'] is none -%}{%- do return(sqlmetrics.plain_value(sql)) -%}{%- endif -%}
    {%- set terms = [] -%}
    {%- for cell, slope in slopes.items() -%}
        {%- do terms.append(sqlmetrics.of_row(plan, c[cell]) ~ ' * ' ~ slope) -%}
    {%- endfor -%}
    {%- set spread = sqlmetrics.spread_by_influence(
        plan, 'rows', '(' ~ terms | join(' + ') ~ ')', sqlmetrics.usable_weight(plan), scale
    ) -%}
    {#- a row of the rarer class moves such a value most: it is known as well as of so many rows -#}
    {%- do spread.update({'classes': [
        {'right': c['tp'], 'wrong': c['fn'], 'rows': '(' ~ c['tp'] ~ ' + ' ~ c['fn'] ~ ')'},
        {'right': c['tn'], 'wrong': c['fp'], 'rows': '(' ~ c['tn'] ~ ' + ' ~ c['fp'] ~ ')'},
    ]}) -%}
    {%- do return(sqlmetrics.spreading_value(sql, spread)) -%}
{%- endmacro %}

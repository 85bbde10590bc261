{#
  Metrics of a binary label and a score that is a probability, or, for hinge, a margin. Grain: rows.

  Args:
    eps: as for log_loss
  Task: Probabilities and calibration
  Returns: float; weighted by the row weight
  Undefined: null if there are no rows
  Errors: a label other than 0 and 1, unless positive= is given; a score outside [0, 1]
#}

{#
  Log loss (cross-entropy): the mean of -ln p for positive rows and -ln(1 - p) for negative rows.

  Formula: \text{LL} = -\frac{\sum_i w_i (y_i \ln \text{clip}(s_i) + (1 - y_i) \ln \text{clip}(1 - s_i))}{\sum_i w_i}
    \text{clip}(s) = \min(\max(s, \varepsilon), 1 - \varepsilon)
  Args:
    eps: scores are clipped to [eps, 1 - eps], so that a score that is certain and wrong costs -ln(eps)
  Better: lower
  Range: [0, inf)
  Unit: nats
  Aliases: logloss (XGBoost) is log_loss(eps=1e-16), binary_logloss (LightGBM), cross_entropy (LightGBM) is
    log_loss(eps=1e-12), binary_crossentropy (Keras) is log_loss(eps=1e-7)
  Traps: one confident error decides it, and the clip eps bounds how much; its scale depends on the share of
    positive rows, which normalized_entropy takes out; scores have to be probabilities
  Errors: a label other than 0 and 1, unless positive= is given; a score outside [0, 1]; eps outside (0, 0.5]
  Source: scikit-learn, log_loss
  Example: log_loss
#}
{% macro metric_log_loss(plan, eps=1e-15) -%}
    {{- sqlmetrics.number(plan, 'eps', eps, 1e-300, 0.5) -}}
    {%- set p = 'case when ' ~ sqlmetrics.is_positive(plan) ~ ' then ' ~ sqlmetrics.probability_of(plan)
        ~ ' else 1 - {score} end' -%}
    {%- set name = 'log_loss' ~ ('' if eps == 1e-15 else '_' ~ sqlmetrics.column_name(eps)) -%}
    {%- do return(sqlmetrics.row_mean(
        plan, name, '-' ~ sqlmetrics.sql_ln(sqlmetrics.sql_double(sqlmetrics.clipped(p, eps))), complete=true
    )) -%}
{%- endmacro %}

{# A probability, moved into [eps, 1 - eps]. #}
{% macro clipped(p, eps) -%}
    case when {{ p }} < {{ eps }} then {{ eps }} when {{ p }} > 1 - {{ eps }} then 1 - {{ eps }} else {{ p }} end
{%- endmacro %}

{#
  Brier score: the mean squared difference of probability and label.

  Formula: \text{Brier} = \frac{\sum_i w_i (s_i - y_i)^2}{\sum_i w_i}
  Better: lower
  Range: [0, 1]
  Unit: none
  Aliases: brier_score_loss (scikit-learn), brier_score (scoringrules)
  Traps: with rare positives it is small for every model; brier_skill compares with the base rate
  Source: Brier (1950), Verification of forecasts expressed in terms of probability
  Example: brier
#}
{% macro metric_brier(plan) -%}
    {%- set difference = '(' ~ sqlmetrics.probability_of(plan) ~ ' - ' ~ sqlmetrics.positive_of(plan) ~ ')' -%}
    {%- do return(sqlmetrics.row_mean(plan, 'brier', sqlmetrics.square(difference), complete=true)) -%}
{%- endmacro %}

{#
  Calibration ratio, COPC (clicks over predicted clicks): the number of positive rows / the sum of the scores;
  above 1 if scores are too low.

  Formula: \text{COPC} = \frac{\sum_i w_i y_i}{\sum_i w_i s_i}
  Better: nearer 1
  Range: [0, inf)
  Unit: none
  Undefined: null if there are no rows, or if every score is 0
  Traps: a value of 1 is a statement on the mean alone; errors of opposite sign in two slices cancel out
  Example: copc
#}
{% macro metric_copc(plan) -%}
    {%- do return(sqlmetrics.row_ratio(
        plan, sqlmetrics.row_positives(plan), sqlmetrics.row_sum(plan, 'scores', sqlmetrics.probability_of(plan))
    )) -%}
{%- endmacro %}

{#
  Log loss of the base rate, the entropy of the label: the log loss of a constant score, the share of positive
  rows (of the slice).

  Formula: \text{LL} = -\bar{y} \ln \bar{y} - (1 - \bar{y}) \ln(1 - \bar{y}), \quad 0 \ln 0 = 0
  Returns: float, at most ln 2; 0 where only one class is present; weighted by the row weight
  Better: none
  Range: [0, 0.6931471805599453]
  Unit: nats
  Traps: it describes the data and not the model; it is the base rate of the data that are scored, so slices
    have yardsticks of their own
  Errors: a label other than 0 and 1, unless positive= is given
  Source: He et al. (2014), doi:10.1145/2648584.2648589, equation 1
  Example: base_log_loss
#}
{% macro metric_base_log_loss(plan) -%}
    {%- set terms = [] -%}
    {%- set positives, negatives = sqlmetrics.row_positives(plan), sqlmetrics.row_negatives(plan) -%}
    {%- for part, rest in ((positives, negatives), (negatives, positives)) -%}
        {%- set share = sqlmetrics.ratio(part, sqlmetrics.row_total(plan)) -%}
        {%- do terms.append('coalesce(' ~ share ~ ' * ' ~ sqlmetrics.log_of_share(plan, part, rest) ~ ', 0)') -%}
    {%- endfor -%}
    {%- do return(sqlmetrics.plain_value(
        'case when ' ~ sqlmetrics.row_total(plan) ~ ' > 0 then 0 - ' ~ terms | join(' - ') ~ ' end'
    )) -%}
{%- endmacro %}

{#
  Normalised entropy: log loss / log loss of the base rate; 1 for a score that only knows the base rate.

  Formula: \text{NE} = \frac{\text{LL}}{-\bar{y} \ln \bar{y} - (1 - \bar{y}) \ln(1 - \bar{y})}
    \text{LL} = -\frac{\sum_i w_i (y_i \ln \text{clip}(s_i) + (1 - y_i) \ln \text{clip}(1 - s_i))}{\sum_i w_i}
    \text{clip}(s) = \min(\max(s, \varepsilon), 1 - \varepsilon)
  Better: lower
  Range: [0, inf)
  Unit: none
  Undefined: null if there are no rows, or if only one class is present
  Traps: it is compared with the base rate of the data that are scored, so slices have different yardsticks
  Errors: as for log_loss
  Source: He et al. (2014), doi:10.1145/2648584.2648589, equation 1
  Example: normalized_entropy
#}
{% macro metric_normalized_entropy(plan, eps=1e-15) -%}
    {%- set loss = sqlmetrics.metric_log_loss(plan, eps=eps) -%}
    {%- set of_constant = sqlmetrics.metric_base_log_loss(plan)['sql'] -%}
    {#- the loss of the base rate on a row -#}
    {%- set positives, negatives = sqlmetrics.row_positives(plan), sqlmetrics.row_negatives(plan) -%}
    {%- set cost = '-(case when ' ~ sqlmetrics.is_positive(plan)
        ~ ' then ' ~ sqlmetrics.log_of_share(plan, positives, negatives)
        ~ ' else ' ~ sqlmetrics.log_of_share(plan, negatives, positives) ~ ' end)' -%}
    {%- do return(sqlmetrics.ratio_to_constant(plan, loss, cost, of_constant)) -%}
{%- endmacro %}

{#
  ln of the share of a part in the weight of all rows; NULL if the share is 0. Near 1 it is ln(1 - d), where d is the
  share of the rest; the factor d / (1 - (1 - d)) corrects the rounding of 1 - d.
#}
{% macro log_of_share(plan, part, rest) -%}
    {%- set share = sqlmetrics.ratio(part, sqlmetrics.row_total(plan)) -%}
    {%- set d = sqlmetrics.ratio(rest, sqlmetrics.row_total(plan)) -%}
    (case when {{ d }} > 0.1 then {{ sqlmetrics.sql_ln('nullif(' ~ share ~ ', 0)') }}
        when 1 - {{ d }} = 1 then -{{ d }}
        else {{ sqlmetrics.sql_ln('1 - ' ~ d) }} * ({{ d }} / (1 - (1 - {{ d }}))) end)
{%- endmacro %}

{#
  Relative information gain: 1 - normalised entropy; scikit-learn calls it D2 of the log loss.

  Formula: \text{RIG} = 1 - \frac{\text{LL}}{-\bar{y} \ln \bar{y} - (1 - \bar{y}) \ln(1 - \bar{y})}
    \text{LL} = -\frac{\sum_i w_i (y_i \ln \text{clip}(s_i) + (1 - y_i) \ln \text{clip}(1 - s_i))}{\sum_i w_i}
    \text{clip}(s) = \min(\max(s, \varepsilon), 1 - \varepsilon)
  Better: higher
  Range: (-inf, 1]
  Unit: none
  Undefined: null if there are no rows, or if only one class is present
  Traps: it is compared with the base rate of the data that are scored
  Errors: as for log_loss
  Source: He et al. (2014), doi:10.1145/2648584.2648589, section 3; scikit-learn, d2_log_loss_score
  Example: rig
#}
{% macro metric_rig(plan, eps=1e-15) -%}
    {%- do return(sqlmetrics.complement(plan, sqlmetrics.metric_normalized_entropy(plan, eps=eps))) -%}
{%- endmacro %}

{#
  Brier skill score: 1 - Brier score / the Brier score of a constant score, the base rate (of the slice).

  Formula: \text{BSS} = 1 - \frac{\sum_i w_i (s_i - y_i)^2}{\sum_i w_i (\bar{y} - y_i)^2}
  Better: higher
  Range: (-inf, 1]
  Unit: none
  Undefined: null if there are no rows, or if only one class is present
  Traps: it is compared with the base rate of the data that are scored
  Source: Murphy (1973), doi:10.1175/1520-0450(1973)012<0595:ANVPOT>2.0.CO;2; scikit-learn, d2_brier_score
  Example: brier_skill
#}
{% macro metric_brier_skill(plan) -%}
    {%- set brier, total = sqlmetrics.metric_brier(plan), sqlmetrics.row_total(plan) -%}
    {%- set share = sqlmetrics.ratio(sqlmetrics.row_positives(plan), total) -%}
    {%- set of_constant = share ~ ' * ' ~ sqlmetrics.ratio(sqlmetrics.row_negatives(plan), total) -%}
    {%- set error = '(' ~ sqlmetrics.positive_of(plan) ~ ' - ' ~ share ~ ')' -%}
    {%- do return(sqlmetrics.complement(
        plan, sqlmetrics.ratio_to_constant(plan, brier, error ~ ' * ' ~ error, of_constant)
    )) -%}
{%- endmacro %}

{#
  A value: a mean loss over that of a constant score, which is made of the same rows and two models have in common.

  Args:
    loss: the value of the loss
    cost: a template, the loss of the constant on a row
    of_constant: a template, the mean of that
#}
{% macro ratio_to_constant(plan, loss, cost, of_constant) -%}
    {%- set ratio = sqlmetrics.ratio(loss['sql'], of_constant) -%}
    {%- if plan['facts']['interval'] is none -%}{%- do return(sqlmetrics.plain_value(ratio)) -%}{%- endif -%}
    {%- set of_cost = sqlmetrics.row_weighted(plan, '(' ~ cost ~ ') - ' ~ of_constant) -%}
    {%- set influence = '(' ~ loss['spread']['deviation'] ~ ' - ' ~ ratio ~ ' * (' ~ of_cost ~ '))' -%}
    {%- set scale = '(' ~ of_constant ~ ' * ' ~ sqlmetrics.row_total(plan) ~ ')' -%}
    {%- set spread = sqlmetrics.spread_by_influence(plan, 'rows', influence, sqlmetrics.usable_weight(plan), scale) -%}
    {%- do spread.update({
        'leverage': sqlmetrics.ratio(sqlmetrics.row_weighted(plan, '(' ~ cost ~ ')'), scale),
        'loss': {'sum': loss['spread']['above'], 'of_row': loss['spread']['numerator']},
    }) -%}
    {%- do return(sqlmetrics.spreading_value(ratio, spread)) -%}
{%- endmacro %}

{#
  Uncertainty of the Brier score, the variance of the label: the Brier score of a constant score, the share of positive
  rows (of the slice). Beside it are brier_reliability and brier_resolution.

  Formula: \text{UNC} = \bar{y} (1 - \bar{y})
  Better: none
  Range: [0, 0.25]
  Unit: none
  Traps: it describes the data and not the model
  Errors: a label other than 0 and 1, unless positive= is given
  Source: Murphy (1973), doi:10.1175/1520-0450(1973)012<0595:ANVPOT>2.0.CO;2
  Example: brier_uncertainty
#}
{% macro metric_brier_uncertainty(plan) -%}
    {%- set total = sqlmetrics.row_total(plan) -%}
    {%- do return(sqlmetrics.bounded_value(
        sqlmetrics.ratio(sqlmetrics.row_positives(plan), total) ~ ' * '
            ~ sqlmetrics.ratio(sqlmetrics.row_negatives(plan), total),
        most=0.25
    )) -%}
{%- endmacro %}

{#
  Spiegelhalter's z: the Brier score less the one expected of calibrated scores, in standard errors. If scores are
  calibrated, it is about normal with mean 0 and variance 1 in many rows: beyond -1.96 and 1.96 calibration is
  rejected at 5 %.

  Formula: z = \frac{\sum_i w_i (y_i - s_i) (1 - 2 s_i)}{\sqrt{\sum_i w_i (1 - 2 s_i)^2 s_i (1 - s_i)}}
  Returns: float; a row of weight 2 counts as two rows
  Better: nearer 0
  Range: (-inf, inf)
  Unit: none
  Undefined: null if there are no rows, or if every score is 0, 0.5 or 1
  Interval: none, since it is a statistic of a test
  Traps: above 0 scores are too extreme, below 0 too near 0.5, and errors of both kinds cancel out; it grows with the
    rows, so it is no size of an error; weights have to be numbers of rows; rows of one list are not independent; of 30
    to 80 near-perfect scores beyond 2.58 are 2.5 %, and not 1 % (docs/coverage.md)
  Source: Spiegelhalter (1986), Probabilistic prediction in patient management and clinical trials,
    doi:10.1002/sim.4780050506
  Example: spiegelhalter_z
#}
{% macro metric_spiegelhalter_z(plan) -%}
    {{- sqlmetrics.needs_drawn_labels(plan) -}}
    {%- set p, slope = sqlmetrics.probability_of(plan), '(1 - 2 * {score})' -%}
    {%- set above = sqlmetrics.row_sum(
        plan, 'spiegelhalter', ['(' ~ sqlmetrics.positive_of(plan) ~ ' - ' ~ p ~ ')', slope]
    ) -%}
    {%- set below = sqlmetrics.row_sum(plan, 'spiegelhalter_variance', [slope, slope, p, '(1 - ' ~ p ~ ')']) -%}
    {%- do return(sqlmetrics.value_without_interval(sqlmetrics.ratio(above, 'sqrt(' ~ below ~ ')'))) -%}
{%- endmacro %}

{#
  Hinge loss, of a support vector machine: the mean of max(0, 1 - score) over positive rows and of max(0, 1 + score)
  over negative ones.

  Formula: \text{loss} = \frac{\sum_i w_i \max(1 - (2 y_i - 1) s_i, 0)}{\sum_i w_i}
  Better: lower
  Range: [0, inf)
  Unit: none
  Traps: a score is a margin, positive for a positive row, so that a probability, which is never negative, costs at
    least 1 in each negative row; a row that is right costs something up to a margin of 1; of rows that are all
    positive scikit-learn takes all for negative
  Errors: a label other than 0 and 1, unless positive= is given
  Source: Cortes and Vapnik (1995), Support-vector networks, doi:10.1007/BF00994018
  Example: hinge
#}
{% macro metric_hinge(plan) -%}
    {%- set short = '(case when ' ~ sqlmetrics.is_positive(plan) ~ ' then 1 - {score} else 1 + {score} end)' -%}
    {%- do return(sqlmetrics.row_mean(
        plan, 'hinge', sqlmetrics.sql_double('case when ' ~ short ~ ' > 0 then ' ~ short ~ ' else 0 end'),
        complete=true
    )) -%}
{%- endmacro %}

{#
  Logistic recalibration: the labels as a logistic function of the logits of the scores. Its coefficients are fitted by
  Newton's method (stages/rows/recalibration.sql). Grain: recalibration.

  Task: Probabilities and calibration
  Returns: float; weighted by the row weight
  Range: (-inf, inf)
  Unit: none
  Errors: a label other than 0 and 1, unless positive= is given; a score outside [0, 1]
#}

{#
  Calibration slope: the slope of the logistic regression of the labels on the logits of the scores. Below 1 scores are
  too extreme, above 1 too near the base rate.

  Formula: \text{slope} = \gamma_1
    \sum_i w_i (y_i - \pi_i) = 0, \quad \sum_i w_i x_i (y_i - \pi_i) = 0
    \pi_i = \frac{1}{1 + \exp(-\gamma_0 - \gamma_1 x_i)}
    x_i = \ln \frac{\text{clip}(s_i)}{\text{clip}(1 - s_i)}
    \text{clip}(s) = \min(\max(s, 10^{-15}), 1 - 10^{-15})
  Better: nearer 1
  Undefined: null if one class has no rows, if no score of a positive row is below one of a negative row or none above,
    or if Newton's method needs more than 12 steps; separated classes have no finite slope that fits best, which
    slices_separated counts; slopes_unfitted counts where the steps did not suffice
  Traps: a slope of 1 says nothing of the mean, which calibration_intercept reads; scores of 0 and 1 have logits of
    -34.5 and 34.5 and may decide the slope; it is a line, so errors in the middle and at the ends may cancel out
  Source: Cox (1958), Two further applications of a model for binary regression, doi:10.1093/biomet/45.3-4.562; Van
    Calster et al. (2019), Calibration: the Achilles heel of predictive analytics, doi:10.1186/s12916-019-1466-7
  Example: calibration_slope
#}
{% macro metric_calibration_slope(plan) -%}
    {%- do sqlmetrics.need_fit(plan, 'line') -%}
    {%- set x, r = sqlmetrics.centred_logit(plan), sqlmetrics.residual_of_fit(plan, 'line') -%}
    {%- do return(sqlmetrics.spreading_value('{fit_slope}', sqlmetrics.spread_of_line(
        plan, r ~ ' * (' ~ x ~ ' * {fit_q} - {fit_qx})'
    ))) -%}
{%- endmacro %}

{#
  Calibration intercept, also called calibration in the large: the intercept of the logistic regression of the labels
  on the logits of the scores with a slope of 1. Above 0 scores are too low on the whole, below 0 too high.

  Formula: \text{intercept} = \gamma_0
    \sum_i w_i (y_i - \pi_i) = 0
    \pi_i = \frac{1}{1 + \exp(-\gamma_0 - x_i)}
    x_i = \ln \frac{\text{clip}(s_i)}{\text{clip}(1 - s_i)}
    \text{clip}(s) = \min(\max(s, 10^{-15}), 1 - 10^{-15})
  Better: nearer 0
  Undefined: null if one class has no rows, or if Newton's method needs more than 12 steps, which intercepts_unfitted
    counts; it does if more scores of 0 or 1 are wrong than the other rows can make up for, since the intercept then
    follows from the clip alone: 1e-15 gives -31 where 0.001 gives -3.5
  Traps: an intercept of 0 says nothing of the spread of the scores, which calibration_slope reads; some libraries
    give the intercept of the regression whose slope is fitted, too, which is another number; of scores of 0 and 1 some
    are clipped elsewhere (modEvA at 2e-16) or dropped (val.prob of rms), and a regression by hand, as in statsmodels,
    has infinite logits until you clip
  Source: Cox (1958), Two further applications of a model for binary regression, doi:10.1093/biomet/45.3-4.562; Van
    Calster et al. (2019), Calibration: the Achilles heel of predictive analytics, doi:10.1186/s12916-019-1466-7
  Example: calibration_intercept
#}
{% macro metric_calibration_intercept(plan) -%}
    {%- do sqlmetrics.need_fit(plan, 'offset') -%}
    {%- set spread = sqlmetrics.spread_by_influence(
        plan, 'rows', sqlmetrics.residual_of_fit(plan, 'offset'), sqlmetrics.usable_weight(plan), '{fit_offset_q}'
    ) -%}
    {%- do return(sqlmetrics.spreading_value(
        '({fit_offset} - ' ~ sqlmetrics.mean_logit(plan) ~ ')', spread
    )) -%}
{%- endmacro %}

{#
  The spread of a coefficient of the fitted line, by the sandwich: the score of a row times the inverse of the
  information.

  Args:
    deviation: a template over a row, its influence times the determinant of the information
#}
{% macro spread_of_line(plan, deviation) -%}
    {%- do return(sqlmetrics.spread_by_influence(
        plan, 'rows', deviation, sqlmetrics.usable_weight(plan), '({fit_q} * {fit_qxx} - {fit_qx} * {fit_qx})'
    )) -%}
{%- endmacro %}

{# The logit of a row's score. #}
{% macro logit_of_row() -%}
    {%- set p = sqlmetrics.sql_double(sqlmetrics.clipped('{score}', 1e-15)) -%}
    {%- set rest = sqlmetrics.sql_double(sqlmetrics.clipped('1 - {score}', 1e-15)) -%}
    ({{ sqlmetrics.sql_ln(p) }} - {{ sqlmetrics.sql_ln(rest) }})
{%- endmacro %}

{# The mean of the logits, a template over sums. #}
{% macro mean_logit(plan) -%}
    {{- sqlmetrics.ratio(
        sqlmetrics.row_sum(plan, 'logits', sqlmetrics.logit_of_row()), sqlmetrics.row_total(plan)
    ) -}}
{%- endmacro %}

{# The logit of a row less the mean. #}
{% macro centred_logit(plan) -%}({{ sqlmetrics.logit_of_row() }} - {{ sqlmetrics.mean_logit(plan) }}){%- endmacro %}

{# The label of a row less its fitted probability, times its weight. #}
{% macro residual_of_fit(plan, fit) -%}
    {%- set x = sqlmetrics.centred_logit(plan) -%}
    {%- set z = '({fit_at_mean} + {fit_slope} * ' ~ x ~ ')' if fit == 'line' else '({fit_offset} + ' ~ x ~ ')' -%}
    {{- sqlmetrics.row_weighted(plan, [
        '(' ~ sqlmetrics.positive_of(plan) ~ ' - ' ~ sqlmetrics.logistic(z) ~ ')'
    ]) -}}
{%- endmacro %}

{# 1 / (1 + exp(-z)); beyond 300 it is that of 300, since powers that leave the floats are errors on some engines. #}
{% macro logistic(z) -%}
    {%- set held = 'case when ' ~ z ~ ' > 300 then 300 when ' ~ z ~ ' < -300 then -300 else ' ~ z ~ ' end' -%}
    (1 / (1 + {{ sqlmetrics.sql_exp('-' ~ sqlmetrics.sql_double(held)) }}))
{%- endmacro %}

{#
  Asks for the coefficients of a fit.

  Args:
    fit: line (intercept and slope) or offset (an intercept beside a slope of 1)
#}
{% macro need_fit(plan, fit) -%}
    {%- do sqlmetrics.probability_of(plan) -%}
    {%- do sqlmetrics.mean_logit(plan) -%}
    {%- do sqlmetrics.row_positives(plan) -%}
    {%- do sqlmetrics.row_negatives(plan) -%}
    {%- set columns = ['slope'] if fit == 'line' else ['offset'] -%}
    {%- set spread = plan['facts']['interval'] is not none or plan['question']['spreads'] -%}
    {%- set of_spread = ['at_mean', 'q', 'qx', 'qxx'] if fit == 'line' else ['offset_q'] -%}
    {%- for column in columns + (of_spread if spread else []) -%}
        {%- do sqlmetrics.need(plan, 'recalibration', 'fit_' ~ column, '{' ~ column ~ '}', 'max') -%}
    {%- endfor -%}
    {%- set fits = sqlmetrics.classes_overlap(plan) if fit == 'line'
        else sqlmetrics.row_positives(plan) ~ ' > 0 and ' ~ sqlmetrics.row_negatives(plan) ~ ' > 0' -%}
    {%- if fit == 'line' -%}
        {%- do sqlmetrics.audit(
            plan, 'recalibration', 'slices_separated',
            'case when ' ~ fits ~ ' then 0 when ' ~ sqlmetrics.row_total(plan) ~ ' > 0 then 1 else 0 end'
        ) -%}
    {%- else -%}
        {%- do sqlmetrics.row_sum(plan, 'scores', '{score}') -%}
    {%- endif -%}
    {%- do sqlmetrics.audit(
        plan, 'recalibration', 'slopes_unfitted' if fit == 'line' else 'intercepts_unfitted',
        'case when ' ~ fits ~ ' and {' ~ columns[-1] ~ '} is null then 1 else 0 end'
    ) -%}
{%- endmacro %}

{#
  The condition that a line has a finite slope: some score of a positive row lies below one of a negative row, and some
  above.

  Source: Albert and Anderson (1984), On the existence of maximum likelihood estimates in logistic regression models,
    doi:10.1093/biomet/71.1.1
#}
{% macro classes_overlap(plan) -%}
    {%- set ends = {} -%}
    {%- for class, positive in (('positive', sqlmetrics.is_positive(plan)), ('negative', none)) -%}
        {%- set of_class = positive or '{problem} = 0 and not (' ~ sqlmetrics.is_positive(plan) ~ ')' -%}
        {%- for end, aggregate in (('least', 'min'), ('greatest', 'max')) -%}
            {%- set score = 'case when ' ~ of_class ~ ' then ' ~ sqlmetrics.clipped('{score}', 1e-15) ~ ' end' -%}
            {%- do ends.update({end ~ '_' ~ class: sqlmetrics.need(
                plan, 'rows', end ~ '_' ~ class ~ '_probability', sqlmetrics.row_if_weighed(plan, score), aggregate
            )}) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ ends['least_positive'] }} < {{ ends['greatest_negative'] }} and {{ ends['least_negative'] }} < {{
        ends['greatest_positive'] }}
{%- endmacro %}

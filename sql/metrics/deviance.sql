{#
  Deviances of distributions whose variance is a power of their mean. A deviance is twice the log-likelihood
  lost by predicting the score instead of the label itself. Grain: rows.

  Task: Regression
  Returns: float; weighted by the row weight
  Undefined: null if there are no rows
#}

{#
  Mean Poisson deviance, for counts: the mean of 2 (label ln(label / score) - label + score).

  Formula: D = \frac{\sum_i w_i d_1(y_i, s_i)}{\sum_i w_i}
    d_1(y, s) = 2 \left( y \ln \frac{y}{s} - y + s \right)
  Same as: tweedie_deviance(power=1)
  Unit: label
  Aliases: mean_poisson_deviance (scikit-learn)
  Traps: predictions have to be above 0, and the value has the scale of the labels
  Errors: a label below 0; a score that is not above 0
  Source: scikit-learn, mean_poisson_deviance
  Example: poisson_deviance
#}
{% macro metric_poisson_deviance(plan) -%}
    {%- do return(sqlmetrics.metric_tweedie_deviance(plan, power=1)) -%}
{%- endmacro %}

{#
  Mean gamma deviance, for amounts whose error grows with their size: the mean of 2 (ln(score / label) + label
  / score - 1).

  Formula: D = \frac{\sum_i w_i d_2(y_i, s_i)}{\sum_i w_i}
    d_2(y, s) = 2 \left( \ln \frac{s}{y} + \frac{y}{s} - 1 \right)
  Same as: tweedie_deviance(power=2)
  Unit: none
  Aliases: mean_gamma_deviance (scikit-learn)
  Traps: labels and predictions have to be above 0
  Errors: a label or score that is not above 0
  Source: scikit-learn, mean_gamma_deviance
  Example: gamma_deviance
#}
{% macro metric_gamma_deviance(plan) -%}
    {%- do return(sqlmetrics.metric_tweedie_deviance(plan, power=2)) -%}
{%- endmacro %}

{#
  Mean Tweedie deviance, for a distribution whose variance is a power of its mean: 0 is normal (squared
  error), 1 is Poisson, between 1 and 2 are amounts with zeros, 2 is gamma, 3 is inverse Gaussian.

  Formula: D = \frac{\sum_i w_i d_\xi(y_i, s_i)}{\sum_i w_i}
    d_\xi(y, s) = 2 \left( \frac{y^{2 - \xi}}{(1 - \xi) (2 - \xi)} - \frac{y s^{1 - \xi}}{1 - \xi} + \frac{s^{2 -
      \xi}}{2 - \xi} \right) \quad \text{if } \xi \ne 1, 2
    d_1(y, s) = 2 \left( y \ln \frac{y}{s} - y + s \right)
    d_2(y, s) = 2 \left( \ln \frac{s}{y} + \frac{y}{s} - 1 \right)
  Args:
    power: 0, or >= 1; the higher it is, the less the error of a large label counts
  Better: lower
  Range: [0, inf)
  Unit: label^(2-power)
  Aliases: mean_tweedie_deviance (scikit-learn)
  Traps: values of different power are not comparable
  Errors: power below 0, or between 0 and 1; with power >= 1 a score that is not above 0 or a label below 0;
    with power >= 2 also a label of 0
  Source: Jorgensen, The theory of dispersion models (1997); scikit-learn, mean_tweedie_deviance
  Example: tweedie_deviance(power=1.5)
#}
{% macro metric_tweedie_deviance(plan, power=0) -%}
    {{- sqlmetrics.check_tweedie_range(plan, power) -}}
    {%- do return(sqlmetrics.row_mean(
        plan, 'deviance_' ~ sqlmetrics.column_name(power), sqlmetrics.deviance('{label}', '{score}', power),
        complete=true
    )) -%}
{%- endmacro %}

{#
  D2 of the Tweedie deviance: 1 - deviance / the deviance of a constant score, the mean of the label. With
  power 0 it is r2.

  Formula: D^2 = 1 - \frac{\sum_i w_i d_\xi(y_i, s_i)}{\sum_i w_i d_\xi(y_i, \bar{y})}
    d_\xi(y, s) = 2 \left( \frac{y^{2 - \xi}}{(1 - \xi) (2 - \xi)} - \frac{y s^{1 - \xi}}{1 - \xi} + \frac{s^{2 -
      \xi}}{2 - \xi} \right) \quad \text{if } \xi \ne 1, 2
    d_1(y, s) = 2 \left( y \ln \frac{y}{s} - y + s \right)
    d_2(y, s) = 2 \left( \ln \frac{s}{y} + \frac{y}{s} - 1 \right)
  Args:
    power: as for tweedie_deviance: 0, or >= 1
  Better: higher
  Range: (-inf, 1]
  Unit: none
  Aliases: d2_tweedie_score (scikit-learn)
  Undefined: null if there are no rows, or if the label is constant
  Traps: values of different power are not comparable; it is compared with the mean of the labels that are scored,
    so slices have different yardsticks
  Errors: as for tweedie_deviance
  Source: Hastie, Tibshirani and Wainwright, Statistical learning with sparsity (2015), equation 3.11;
    scikit-learn, d2_tweedie_score
  Example: d2_tweedie(power=1)
#}
{% macro metric_d2_tweedie(plan, power=0) -%}
    {{- sqlmetrics.check_tweedie_range(plan, power) -}}
    {%- set mean, suffix = sqlmetrics.row_mean_of(plan, 'label'), sqlmetrics.column_name(power) -%}
    {%- do return(sqlmetrics.explained(
        plan, sqlmetrics.row_sum(plan, 'deviance_' ~ suffix, sqlmetrics.deviance('{label}', '{score}', power)),
        sqlmetrics.need(
            plan, 'second_pass', 'deviance_of_constant_' ~ suffix,
            sqlmetrics.row_weighted(plan, sqlmetrics.deviance('{label}', mean, power))
        )
    )) -%}
{%- endmacro %}

{# Refuses a power for which there is no distribution, or labels and scores that it cannot have. #}
{% macro check_tweedie_range(plan, power) -%}
    {{- sqlmetrics.number(plan, 'power', power) -}}
    {%- if power != 0 and power < 1 -%}
        {{- sqlmetrics.refuse_metric(plan, "power must be 0 or >= 1, got " ~ power) -}}
    {%- elif power != 0 -%}
        {{- sqlmetrics.require(
            plan, 'rows', 'rows_score_not_positive', '{score} <= 0',
            'rows have a score such as {value}, but ' ~ plan['asked']['metric'] ~ ' takes scores > 0', '{score}'
        ) -}}
        {{- sqlmetrics.require(
            plan, 'rows', 'rows_negative_label' if power < 2 else 'rows_label_not_positive',
            '{label} < 0' if power < 2 else '{label} <= 0',
            'rows have a label such as {value}, but ' ~ plan['asked']['metric'] ~ ' takes labels '
                ~ ('>= 0' if power < 2 else '> 0'), '{label}'
        ) -}}
    {%- endif -%}
{%- endmacro %}

{#
  The deviance of a row, for `row_weighted`; null if label or score are out of range.

  The Poisson and gamma deviances are written in terms of x - 1 - ln x, where x is score / label or label /
  score, and are computed from x - 1: a score that is almost right would otherwise lose its digits. The other
  powers would too, and are computed as a series in d = (score - label) / label: the integral of u (1 +
  u)^-power from 0 to d.
#}
{% macro deviance(label, score, power) -%}
    {%- set error = '(' ~ score ~ ' - ' ~ label ~ ')' -%}
    {%- if power == 0 -%}
        {%- do return(sqlmetrics.square(error)) -%}
    {%- elif power == 1 -%}
        {%- set half = error ~ ' - ' ~ label ~ ' * ' ~ sqlmetrics.log_ratio(score, label, error) -%}
        {%- set at_0 = 'when ' ~ label ~ ' = 0 then 2 * ' ~ score -%}
        case when {{ label }} > 0 and {{ score }} > 0 then 2 * ({{ half }}) {{ at_0 }} end
    {%- elif power == 2 -%}
        {%- set back = '(' ~ label ~ ' - ' ~ score ~ ')' -%}
        {%- set half = back ~ ' / ' ~ score ~ ' - ' ~ sqlmetrics.log_ratio(label, score, back) -%}
        case when {{ label }} > 0 and {{ score }} > 0 then 2 * ({{ half }}) end
    {%- else -%}
        {%- set own = 'power(' ~ label ~ ', ' ~ (2 - power) ~ ') / ' ~ ((1 - power) * (2 - power)) -%}
        {%- set linear = label ~ ' * power(' ~ score ~ ', ' ~ (1 - power) ~ ') / ' ~ (1 - power) -%}
        {%- set rest = 'power(' ~ score ~ ', ' ~ (2 - power) ~ ') / ' ~ (2 - power) -%}
        {%- set d = '(' ~ error ~ ' / ' ~ label ~ ')' -%}
        {%- set series = ['1'] -%}
        {%- for k in range(7, 0, -1) -%}
            {#- the ratio of the k-th term to the one before -#}
            {%- do series.append(
                '(1 - ' ~ (power + k - 1) * (k + 1) / (k * (k + 2)) ~ ' * ' ~ d ~ ' * ' ~ series.pop() ~ ')'
            ) -%}
        {%- endfor -%}
        {%- set close = label ~ ' > 0 and abs(' ~ error ~ ') < ' ~ [0.02, 0.1 / power] | min ~ ' * ' ~ label -%}
        {%- set by_series = 'power(' ~ label ~ ', ' ~ (2 - power) ~ ') * ' ~ d ~ ' * ' ~ d ~ ' * ' ~ series[0] -%}
        {%- set in_range = label ~ (' >= 0' if power < 2 else ' > 0') ~ ' and ' ~ score ~ ' > 0' -%}
        {%- set by_powers = '2 * (' ~ own ~ ' - ' ~ linear ~ ' + ' ~ rest ~ ')' -%}
        case when {{ close }} then {{ by_series }} when {{ in_range }} then {{ by_powers }} end
    {%- endif -%}
{%- endmacro %}

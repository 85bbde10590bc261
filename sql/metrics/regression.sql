{#
  Metrics of a numeric label (the target) and a score (the prediction). Grain: rows.

  Task: Regression
  Returns: float; weighted by the row weight
  Undefined: null if there are no rows
#}

{#
  Mean squared error.

  Formula: \text{MSE} = \frac{\sum_i w_i (s_i - y_i)^2}{\sum_i w_i}
  Better: lower
  Range: [0, inf)
  Unit: label^2
  Aliases: mean_squared_error (scikit-learn), l2 (LightGBM)
  Traps: a few large errors decide it; its unit is the squared unit of the label
  Example: mse
#}
{% macro metric_mse(plan) -%}
    {%- set squared = sqlmetrics.square(sqlmetrics.residual()) -%}
    {%- do return(sqlmetrics.row_mean(plan, 'squared_error', squared, complete=true)) -%}
{%- endmacro %}

{#
  Root mean squared error.

  Formula: \text{RMSE} = \sqrt{\frac{\sum_i w_i (s_i - y_i)^2}{\sum_i w_i}}
  Better: lower
  Range: [0, inf)
  Unit: label
  Aliases: root_mean_squared_error (scikit-learn)
  Traps: a few large errors decide it; the mean of the rmse of slices is not that of all rows
  Example: rmse
#}
{% macro metric_rmse(plan) -%}{%- do return(sqlmetrics.root(plan, sqlmetrics.metric_mse(plan))) -%}{%- endmacro %}

{#
  Mean absolute error.

  Formula: \text{MAE} = \frac{\sum_i w_i \left|s_i - y_i\right|}{\sum_i w_i}
  Better: lower
  Range: [0, inf)
  Unit: label
  Aliases: mean_absolute_error (scikit-learn), l1 (LightGBM)
  Traps: the best constant prediction is the median, not the mean, so it favours low predictions where a few
    labels are very large
  Example: mae
#}
{% macro metric_mae(plan) -%}
    {%- do return(sqlmetrics.row_mean(plan, 'absolute_error', 'abs(' ~ sqlmetrics.residual() ~ ')', complete=true)) -%}
{%- endmacro %}

{#
  Bias: the mean of score - label; positive if scores are too high.

  Formula: \text{bias} = \frac{\sum_i w_i (s_i - y_i)}{\sum_i w_i}
  Better: nearer 0
  Range: (-inf, inf)
  Unit: label
  Traps: errors of opposite sign cancel out
  Example: bias
#}
{% macro metric_bias(plan) -%}
    {%- do return(sqlmetrics.row_mean(plan, 'error', sqlmetrics.residual(), complete=true)) -%}
{%- endmacro %}

{#
  Median absolute error: half of the weight has an error at least as large, and half an error at most as
  large.

  Formula: \text{MedAE} = \text{median}_i \left|s_i - y_i\right|
  Returns: float; weighted by the row weight; the mean of the two middle errors if there are two
  Better: lower
  Range: [0, inf)
  Unit: label
  Traps: half of the errors may be of any size without a trace
  Source: scikit-learn, median_absolute_error
  Example: median_absolute_error
#}
{% macro metric_median_absolute_error(plan) -%}
    {%- do return(sqlmetrics.bounded_value(
        sqlmetrics.row_quantile(plan, 'error_quantiles', 0.5), most=none
    )) -%}
{%- endmacro %}

{#
  Max error: the largest absolute error of any row with a weight above 0.

  Formula: \text{max error} = \max_{i:\, w_i > 0} \left|s_i - y_i\right|
  Returns: float
  Better: lower
  Range: [0, inf)
  Unit: label
  Traps: it grows with the number of rows
  Source: scikit-learn, max_error
  Example: max_error
#}
{% macro metric_max_error(plan) -%}
    {%- set error = sqlmetrics.row_if_weighed(plan, 'abs(' ~ sqlmetrics.residual() ~ ')') -%}
    {%- do return(sqlmetrics.value_without_interval(sqlmetrics.need(plan, 'rows', 'greatest_error', error, 'max'))) -%}
{%- endmacro %}

{#
  Coefficient of determination: 1 - squared error / squared deviation of the label from its mean.

  Formula: R^2 = 1 - \frac{\sum_i w_i (y_i - s_i)^2}{\sum_i w_i (y_i - \bar{y})^2}
  Better: higher
  Range: (-inf, 1]
  Unit: none
  Aliases: r2_score (scikit-learn), R2Score (evidently)
  Undefined: null if there are no rows, or if the label is constant
  Interval: by leaving out each row in turn. Of lognormal labels one of 95 % holds the value in 91.5 to 93 %, however
    many rows (docs/coverage.md)
  Traps: it is negative for a model worse than the mean; it depends on how far the labels spread, so values of
    slices are not comparable with that of all rows
  Source: scikit-learn, r2_score
  Example: r2
#}
{% macro metric_r2(plan) -%}
    {%- do return(sqlmetrics.explained(
        plan, sqlmetrics.row_sum(plan, 'squared_error', sqlmetrics.square(sqlmetrics.residual())),
        sqlmetrics.centred_product(plan, 'label', 'label')
    )) -%}
{%- endmacro %}

{#
  Adjusted coefficient of determination: 1 - (1 - r2) (n - 1) / (n - features - 1) for n rows. A feature that
  explains nothing does not raise it.

  Formula: \bar{R}^2 = 1 - (1 - R^2) \frac{n - 1}{n - \text{features} - 1}, \quad n = \left|\left\{ i :\; w_i > 0
      \right\}\right|
    R^2 = 1 - \frac{\sum_i w_i (y_i - s_i)^2}{\sum_i w_i (y_i - \bar{y})^2}
  Args:
    features: the number of features of the model that made the score, integer >= 0
  Returns: float; r2 is weighted by the row weight, n is the number of rows with a weight above 0
  Better: higher
  Range: (-inf, 1]
  Unit: none
  Undefined: null if r2 is null, or if there are at most features + 1 rows
  Traps: the number of features is what the caller says it is
  Errors: features missing, or not an integer >= 0
  Source: Theil, Economic Forecasts and Policy (1961)
  Example: adjusted_r2(features=3)
#}
{% macro metric_adjusted_r2(plan, features=none) -%}
    {{- sqlmetrics.number(plan, 'features', features, 0, none, true) -}}
    {%- set n = sqlmetrics.need(
        plan, 'rows', 'count_weighed',
        sqlmetrics.row_count_if(plan, '{weight} > 0' if plan['facts']['weight'] is not none else none)
    ) -%}
    {%- set r2, stretch = sqlmetrics.metric_r2(plan), sqlmetrics.ratio(n ~ ' - 1', n ~ ' - ' ~ (features + 1)) -%}
    {%- set adjusted = 'case when ' ~ n ~ ' > ' ~ features ~ ' + 1 then 1 - (1 - ' ~ r2['sql'] ~ ') * ' ~ stretch
        ~ ' end' -%}
    {%- do return(sqlmetrics.function_of(plan, r2, adjusted, stretch)) -%}
{%- endmacro %}

{#
  Explained variance: 1 - variance of the error / variance of the label, which is r2 of the score without its
  bias.

  Formula: \text{EV} = 1 - \frac{\sum_i w_i (e_i - \bar{e})^2}{\sum_i w_i (y_i - \bar{y})^2}
    e_i = y_i - s_i, \quad \bar{e} = \frac{\sum_i w_i e_i}{\sum_i w_i}
  Better: higher
  Range: (-inf, 1]
  Unit: none
  Aliases: explained_variance_score (scikit-learn)
  Undefined: null if there are no rows, or if the label is constant
  Interval: as that of r2: of lognormal labels one of 95 % holds the value in 91.5 to 93 %, however many rows
    (docs/coverage.md)
  Traps: it does not see a constant error, which r2 does
  Source: scikit-learn, explained_variance_score
  Example: explained_variance
#}
{% macro metric_explained_variance(plan) -%}
    {%- set error = '(' ~ sqlmetrics.residual() ~ ' - ' ~ sqlmetrics.metric_bias(plan)['sql'] ~ ')' -%}
    {%- set unexplained = sqlmetrics.sum_about_means(
        plan, 'error_deviation', sqlmetrics.square(error), ['error', 'error']
    ) -%}
    {%- do return(sqlmetrics.explained(plan, unexplained, sqlmetrics.centred_product(plan, 'label', 'label'))) -%}
{%- endmacro %}

{# score - label #}
{% macro residual() -%}({score} - {label}){%- endmacro %}

{#
  1 - the loss of the score / the loss of a constant, which two models have in common; null if the label is constant.
  The constant is the best one, so that its own error has no effect to first order.
#}
{% macro explained(plan, unexplained, of_constant) -%}
    {%- set rest = sqlmetrics.ratio(unexplained, of_constant) -%}
    {#- divided by an infinite loss, any other would give 0 -#}
    {%- set sql = 'case when ' ~ sqlmetrics.row_varies(plan, 'label') ~ ' and ' ~ of_constant
        ~ ' <= 1.7976931348623157e308 then 1 - ' ~ rest ~ ' end' -%}
    {%- if plan['facts']['interval'] is none -%}{%- do return(sqlmetrics.plain_value(sql)) -%}{%- endif -%}
    {%- set influence = '(' ~ rest ~ ' * ' ~ sqlmetrics.of_row(plan, of_constant) ~ ' - '
        ~ sqlmetrics.of_row(plan, unexplained) ~ ')' -%}
    {%- set weight = sqlmetrics.usable_weight(plan) -%}
    {%- set spread = sqlmetrics.spread_by_influence(plan, 'rows', influence, weight, of_constant) -%}
    {%- do spread.update({
        'leverage': sqlmetrics.ratio(sqlmetrics.of_row(plan, of_constant), of_constant),
        'loss': {'sum': unexplained, 'of_row': sqlmetrics.of_row(plan, unexplained)},
    }) -%}
    {%- do return(sqlmetrics.spreading_value(sql, spread)) -%}
{%- endmacro %}

{#
  Losses of a numeric label and a score other than squared and absolute error. Grain: rows.

  Task: Regression
  Returns: float; weighted by the row weight
  Undefined: null if there are no rows
#}

{#
  Pinball loss, the loss of a predicted quantile: the mean of quantile * (label - score) for scores that are
  too low and of (1 - quantile) * (score - label) for scores that are too high.

  Formula: \text{loss} = \frac{\sum_i w_i \rho_\tau(y_i - s_i)}{\sum_i w_i}
  Args:
    quantile: the quantile that the score predicts, in [0, 1]; 0.5 gives half of mae
  Better: lower
  Range: [0, inf)
  Unit: label
  Aliases: mean_pinball_loss (scikit-learn)
  Traps: values of different quantiles are not comparable
  Errors: quantile outside [0, 1]
  Source: Koenker and Bassett (1978), doi:10.2307/1913643; scikit-learn, mean_pinball_loss
  Example: pinball(quantile=0.9)
#}
{% macro metric_pinball(plan, quantile=0.5) -%}
    {{- sqlmetrics.number(plan, 'quantile', quantile, 0, 1) -}}
    {%- set loss = sqlmetrics.pinball_loss(sqlmetrics.residual(), quantile) -%}
    {%- do return(sqlmetrics.row_mean(plan, 'pinball_' ~ sqlmetrics.column_name(quantile), loss, complete=true)) -%}
{%- endmacro %}

{#
  Huber loss: half the squared error up to delta, and delta * (|error| - delta / 2) beyond.

  Formula: \text{loss} = \frac{\sum_i w_i \ell(\left|s_i - y_i\right|)}{\sum_i w_i}
    \ell(e) = \begin{cases} \frac{1}{2} e^2 & \text{if } e \le \delta \\ \delta (e - \frac{1}{2} \delta) &
      \text{otherwise} \end{cases}
  Args:
    delta: the largest error with a squared loss, > 0
  Better: lower
  Range: [0, inf)
  Unit: label^2
  Traps: values of different delta are not comparable
  Errors: delta that is not above 0
  Source: Huber (1964), doi:10.1214/aoms/1177703732
  Example: huber(delta=2)
#}
{% macro metric_huber(plan, delta=1) -%}
    {{- sqlmetrics.number(plan, 'delta', delta, 1e-300) -}}
    {%- set error = 'abs(' ~ sqlmetrics.residual() ~ ')' -%}
    {%- set factor = sqlmetrics.sql_factor(sqlmetrics.residual()) -%}
    {%- set squared = factor ~ ' * ' ~ factor ~ ' / 2' -%}
    {%- do return(sqlmetrics.row_mean(
        plan, 'huber_' ~ sqlmetrics.column_name(delta),
        'case when ' ~ error ~ ' <= ' ~ delta ~ ' then ' ~ squared ~ ' else ' ~ delta ~ ' * (' ~ error ~ ' - '
            ~ delta / 2 ~ ') end',
        complete=true
    )) -%}
{%- endmacro %}

{#
  Log-cosh loss: the mean of ln(cosh(score - label)), which is about half the squared error for small errors
  and |error| - ln 2 for large ones.

  Formula: \text{loss} = \frac{\sum_i w_i \ln \cosh(s_i - y_i)}{\sum_i w_i}
  Better: lower
  Range: [0, inf)
  Unit: none
  Traps: it depends on the unit of the label: the same errors are almost squared in large units and almost
    absolute in small ones
  Source: Keras, losses.LogCosh
  Example: log_cosh
#}
{% macro metric_log_cosh(plan) -%}
    {%- set x = 'abs(' ~ sqlmetrics.residual() ~ ')' -%}
    {%- set ln2 = sqlmetrics.sql_ln(sqlmetrics.sql_double('2')) -%}
    {#- near 0 its series is used: the difference of two large logarithms would lose digits -#}
    {%- set square = sqlmetrics.sql_factor(x) ~ ' * ' ~ sqlmetrics.sql_factor(x) -%}
    {%- set series = square ~ ' * (0.5 - ' ~ square ~ ' / 12 * (1 - ' ~ square ~ ' * 4 / 15))' -%}
    {%- do return(sqlmetrics.row_mean(
        plan, 'log_cosh',
        'case when ' ~ x ~ ' < 0.01 then ' ~ series ~ ' when ' ~ x ~ ' > 20 then ' ~ x ~ ' - ' ~ ln2
        ~ ' else ' ~ x ~ ' + ' ~ sqlmetrics.sql_ln('1 + exp(-2 * ' ~ x ~ ')') ~ ' - ' ~ ln2 ~ ' end', complete=true
    )) -%}
{%- endmacro %}

{#
  D2 of the pinball loss: 1 - pinball loss / the pinball loss of a constant score, the quantile of the label.

  Formula: D^2 = 1 - \frac{\sum_i w_i \rho_\tau(y_i - s_i)}{\min_x \sum_i w_i \rho_\tau(y_i - x)}
  Args:
    quantile: the quantile that the score predicts, in (0, 1)
  Better: higher
  Range: (-inf, 1]
  Unit: none
  Aliases: d2_pinball_score (scikit-learn)
  Undefined: null if there are no rows, or if the label is constant
  Traps: it is compared with the quantile of the labels that are scored, so slices have different yardsticks;
    values of different quantiles are not comparable; it is negative for a model worse than the constant
  Errors: quantile outside (0, 1)
  Source: Koenker and Machado (1999), doi:10.1080/01621459.1999.10473882; scikit-learn, d2_pinball_score
  Example: d2_pinball(quantile=0.9)
#}
{% macro metric_d2_pinball(plan, quantile=0.5) -%}
    {{- sqlmetrics.number(plan, 'quantile', quantile, 1e-9, 1 - 1e-9) -}}
    {%- set constant = '(' ~ sqlmetrics.row_quantile(plan, 'label_quantiles', quantile) ~ ' - {label})' -%}
    {%- set suffix = sqlmetrics.column_name(quantile) -%}
    {%- do return(sqlmetrics.explained(
        plan, sqlmetrics.row_sum(plan, 'pinball_' ~ suffix, sqlmetrics.pinball_loss(sqlmetrics.residual(), quantile)),
        sqlmetrics.need(
            plan, 'second_pass', 'pinball_of_constant_' ~ suffix,
            sqlmetrics.row_weighted(plan, sqlmetrics.pinball_loss(constant, quantile))
        )
    )) -%}
{%- endmacro %}

{#
  D2 of the absolute error: 1 - mae / the mae of a constant score, the median of the label.

  Formula: D^2 = 1 - \frac{\sum_i w_i \left|y_i - s_i\right|}{\min_x \sum_i w_i \left|y_i - x\right|}
  Same as: d2_pinball(quantile=0.5)
  Aliases: d2_absolute_error_score (scikit-learn)
  Traps: it is compared with the median of the labels that are scored, so slices have different yardsticks; if
    most labels are 0 the constant 0 is hard to beat, and a model of the mean may be negative; it is not
    comparable with r2
  Errors: none of its own
  Source: scikit-learn, d2_absolute_error_score
  Example: d2_absolute_error
#}
{% macro metric_d2_absolute_error(plan) -%}
    {%- do return(sqlmetrics.metric_d2_pinball(plan, quantile=0.5)) -%}
{%- endmacro %}

{# The pinball loss of an error score - label. #}
{% macro pinball_loss(error, quantile) -%}
{%- set factor = sqlmetrics.sql_factor(error) -%}
case when {{ error }} > 0 then {{ 1 - quantile }} * {{ factor }} else -{{ quantile }} * {{ factor }} end
{%- endmacro %}

{#
  Metrics of a numeric label and a score whose errors are relative to their size. Grain: rows.

  Task: Regression
  Returns: float; weighted by the row weight
  Undefined: null if there are no rows
#}

{#
  Mean absolute percentage error: the mean of |score - label| / |label|, as a fraction: 0.1 is 10 %.

  Formula: \text{MAPE} = \frac{\sum_{i:\, D_i > 0} w_i \left|s_i - y_i\right| / D_i}{\sum_{i:\, D_i > 0} w_i}
    D_i = \begin{cases} \left|y_i\right| & \text{zero_target=skip} \\ \max(\left|y_i\right|, \text{zero_target}) &
      \text{otherwise} \end{cases}
  Args:
    zero_target: treatment of rows with label 0: skip (left out and counted in rows_zero_target), error, or a
      number > 0 that is the least divisor |label| (scikit-learn: 2.220446049250313e-16)
  Better: lower
  Range: [0, inf)
  Unit: share
  Aliases: mean_absolute_percentage_error (scikit-learn) is mape(zero_target=2.220446049250313e-16)
  Undefined: null if there are no rows, or if all of them are left out
  Traps: small labels decide it, and labels of 0 have no value; it favours predictions that are too low
  Errors: a zero_target other than these; with zero_target=error, a label of 0
  Source: scikit-learn, mean_absolute_percentage_error
  Example: mape(zero_target=error)
#}
{% macro metric_mape(plan, zero_target='skip') -%}
    {%- set error = 'abs(' ~ sqlmetrics.residual() ~ ')' -%}
    {%- if zero_target is number -%}
        {{- sqlmetrics.number(plan, 'zero_target', zero_target, 1e-300) -}}
        {%- set size = 'case when abs({label}) < ' ~ zero_target ~ ' then ' ~ zero_target ~ ' else abs({label}) end' -%}
        {%- do return(sqlmetrics.row_mean(
            plan, 'percentage_error_' ~ sqlmetrics.column_name(zero_target), error ~ ' / (' ~ size ~ ')', complete=true
        )) -%}
    {%- elif zero_target == 'error' -%}
        {{- sqlmetrics.require(
            plan, 'rows', 'rows_zero_target', '{label} = 0',
            'rows have label 0, by which ' ~ plan['asked']['metric'] ~ ' would divide'
        ) -}}
        {%- do return(sqlmetrics.row_mean(
            plan, 'percentage_error', error ~ ' / nullif(abs({label}), 0)', complete=true
        )) -%}
    {%- elif zero_target == 'skip' -%}
        {{- sqlmetrics.audit(plan, 'rows', 'rows_zero_target', 'case when {label} = 0 then 1 else 0 end') -}}
        {%- do return(sqlmetrics.row_ratio(
            plan, sqlmetrics.row_sum(plan, 'percentage_error', error ~ ' / nullif(abs({label}), 0)'),
            sqlmetrics.row_sum(plan, 'weights_of_targets', 'case when {label} <> 0 then 1 else 0 end'),
            equal=plan['facts']['weight'] is none
        )) -%}
    {%- else -%}
        {{- sqlmetrics.refuse_metric(plan, "zero_target must be skip, error or a number > 0, got " ~ zero_target) -}}
    {%- endif -%}
{%- endmacro %}

{#
  Root mean squared percentage error: the root of the mean of ((label - score) / label)^2, as a fraction: 0.1
  is 10 %.

  Formula: \text{RMSPE} = \sqrt{\frac{\sum_{i:\, y_i \ne 0} w_i ((y_i - s_i) / y_i)^2}{\sum_{i:\, y_i \ne 0} w_i}}
  Returns: float; weighted by the row weight; rows with label 0 are left out, and counted in rows_zero_target
  Better: lower
  Range: [0, inf)
  Unit: share
  Undefined: null without a row whose label is not 0
  Traps: a few small labels decide it, by the square, and labels of 0 have no value; it favours predictions that
    are too low
  Source: Hyndman and Koehler (2006), doi:10.1016/j.ijforecast.2006.03.001, section 2.2
  Example: rmspe
#}
{% macro metric_rmspe(plan) -%}
    {%- set error = sqlmetrics.ratio('{label} - {score}', '{label}') -%}
    {%- do sqlmetrics.audit(plan, 'rows', 'rows_zero_target', 'case when {label} = 0 then 1 else 0 end') -%}
    {%- set mean = sqlmetrics.row_ratio(
        plan, sqlmetrics.row_sum(plan, 'squared_percentage_error', sqlmetrics.square(error)),
        sqlmetrics.row_sum(plan, 'weights_of_targets', 'case when {label} <> 0 then 1 else 0 end'),
        equal=plan['facts']['weight'] is none
    ) -%}
    {%- do return(sqlmetrics.root(plan, mean)) -%}
{%- endmacro %}

{#
  Symmetric mean absolute percentage error: the mean of 2 |score - label| / (|score| + |label|), as a
  fraction.

  Formula: \text{sMAPE} = \frac{1}{W} \sum_i w_i \frac{2 \left|s_i - y_i\right|}{\left|s_i\right| + \left|y_i\right|},
      \quad \frac{0}{0} = 0
  Returns: float; weighted by the row weight; a row whose label and score are both 0 counts as 0
  Better: lower
  Range: [0, 2]
  Unit: share
  Traps: definitions differ by a factor of 2 between libraries; it favours predictions that are too high
  Source: Makridakis (1993), doi:10.1016/0169-2070(93)90079-3
  Example: smape
#}
{% macro metric_smape(plan) -%}
    {%- set relative = '2 * abs(' ~ sqlmetrics.residual() ~ ') / nullif(abs({score}) + abs({label}), 0)' -%}
    {%- do return(sqlmetrics.row_mean(
        plan, 'symmetric_error', 'case when {label} = 0 and {score} = 0 then 0 else ' ~ relative ~ ' end', complete=true
    )) -%}
{%- endmacro %}

{#
  Weighted absolute percentage error: the sum of |score - label| / the sum of |label|, as a fraction.

  Formula: \text{WAPE} = \frac{\sum_i w_i \left|s_i - y_i\right|}{\sum_i w_i \left|y_i\right|}
  Better: lower
  Range: [0, inf)
  Unit: share
  Undefined: null if there are no rows, or if every label is 0
  Traps: it is a ratio of sums, so large labels decide it
  Source: Hyndman and Koehler (2006), doi:10.1016/j.ijforecast.2006.03.001, section 2.5
  Example: wape
#}
{% macro metric_wape(plan) -%}
    {%- do return(sqlmetrics.row_ratio(
        plan, sqlmetrics.row_sum(plan, 'absolute_error', 'abs(' ~ sqlmetrics.residual() ~ ')'),
        sqlmetrics.row_sum(plan, 'absolute_label', 'abs({label})')
    )) -%}
{%- endmacro %}

{#
  Mean squared logarithmic error: the mean of (ln(1 + score) - ln(1 + label))^2.

  Formula: \text{MSLE} = \frac{\sum_i w_i (\ln(1 + s_i) - \ln(1 + y_i))^2}{\sum_i w_i}
  Better: lower
  Range: [0, inf)
  Unit: none
  Aliases: mean_squared_log_error (scikit-learn)
  Traps: an error below the label costs more than the same error above it
  Errors: a label or score <= -1
  Source: scikit-learn, mean_squared_log_error
  Example: msle
#}
{% macro metric_msle(plan) -%}
    {{- sqlmetrics.require(
        plan, 'rows', 'rows_below_log', '{label} <= -1 or {score} <= -1',
        'rows have a label or score <= -1, such as {value}, but ' ~ plan['asked']['metric'] ~ ' takes ln(1 + x)',
        'case when {label} <= -1 then {label} else {score} end'
    ) -}}
    {%- set residual = sqlmetrics.sql_factor(sqlmetrics.residual()) -%}
    {%- set error = sqlmetrics.log_ratio('(1 + {score})', '(1 + {label})', residual) -%}
    {%- do return(sqlmetrics.row_mean(
        plan, 'squared_log_error', 'case when {label} > -1 and {score} > -1 then ' ~ error ~ ' * ' ~ error ~ ' end',
        complete=true
    )) -%}
{%- endmacro %}

{#
  Root mean squared logarithmic error.

  Formula: \text{RMSLE} = \sqrt{\frac{\sum_i w_i (\ln(1 + s_i) - \ln(1 + y_i))^2}{\sum_i w_i}}
  Better: lower
  Range: [0, inf)
  Unit: none
  Aliases: root_mean_squared_log_error (scikit-learn)
  Traps: an error below the label costs more than the same error above it
  Errors: a label or score <= -1
  Source: scikit-learn, root_mean_squared_log_error
  Example: rmsle
#}
{% macro metric_rmsle(plan) -%}{%- do return(sqlmetrics.root(plan, sqlmetrics.metric_msle(plan))) -%}{%- endmacro %}

{#
  ln(a / b) of floats > 0, to full precision even if they are close, from their difference a - b. With d = (a
  - b) / b it is ln(1 + d); the factor d / ((1 + d) - 1) corrects the rounding of 1 + d.
#}
{% macro log_ratio(a, b, difference) -%}
    {%- set d = '(' ~ difference ~ ' / ' ~ b ~ ')' -%}
    (case when abs({{ difference }}) >= 0.1 * {{ b }} then {{ sqlmetrics.sql_ln(a) }} - {{ sqlmetrics.sql_ln(b) }}
        when 1 + {{ d }} = 1 then {{ d }}
        else {{ sqlmetrics.sql_ln('1 + ' ~ d) }} * ({{ d }} / ((1 + {{ d }}) - 1)) end)
{%- endmacro %}

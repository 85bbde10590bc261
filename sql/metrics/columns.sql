{#
  Summaries of one column, such as a latency, a cost or a refusal, beside metrics of quality: with the same slices,
  models, weights, intervals and comparisons. They need neither label nor score. Grain: rows.

  Args:
    column: the column, of numbers; a row that lacks its number is unusable
    better: higher or lower, whichever values are better: leaderboards, verdicts and gates read it. None: neither
  Task: Summaries of a column
  Returns: float; weighted by the row weight
  Unit: none
#}

{#
  Mean of a column.

  Formula: \text{mean} = \frac{\sum_i w_i \text{column}_i}{\sum_i w_i}
  Better: none
  Range: (-inf, inf)
  Undefined: null if there are no rows
  Traps: a few large values decide it, as of latencies or costs; quantile(column=..., q=0.95) says how large they are
  Errors: another better; no column; a column that is not of numbers or booleans
  Source: its definition
  Example: mean(column=latency)
#}
{% macro metric_mean(plan, column=none, better=none) -%}
    {%- set value = sqlmetrics.row_column(plan, 'column', column, boolean=true) -%}
    {%- set name = sqlmetrics.sum_of_columns(plan, 'total', [column]) -%}
    {%- set mean = sqlmetrics.row_mean(plan, name, value, complete=true) -%}
    {%- do return(sqlmetrics.value_with_direction(plan, mean, better)) -%}
{%- endmacro %}

{#
  Sum of a column over all rows. The interval takes the number of rows as known: it is the interval of the mean, times
  the weight of the rows.

  Formula: \text{total} = \sum_i w_i \text{column}_i
  Better: none
  Range: (-inf, inf)
  Undefined: null if there are no rows
  Traps: it grows with the rows, so totals of models or slices with different rows do not compare; mean does
  Errors: another better; no column; a column that is not of numbers or booleans
  Source: its definition
  Example: total(column=cost)
#}
{% macro metric_total(plan, column=none, better=none) -%}
    {%- set value = sqlmetrics.row_column(plan, 'column', column, boolean=true) -%}
    {%- set above = sqlmetrics.row_sum(plan, sqlmetrics.sum_of_columns(plan, 'total', [column]), value) -%}
    {%- if plan['facts']['interval'] is none -%}
        {%- do return(sqlmetrics.value_with_direction(plan, sqlmetrics.plain_value(above), better)) -%}
    {%- endif -%}
    {%- set spread = sqlmetrics.spread_of_ratio(
        plan, 'rows', sqlmetrics.row_weighted(plan, value), sqlmetrics.usable_weight(plan), above,
        sqlmetrics.row_total(plan), equal=plan['facts']['weight'] is none
    ) -%}
    {#- a total moves as a mean does, times the weight of the rows -#}
    {%- set value = sqlmetrics.spreading_value(above, dict(spread, numerator=none, scale='1', grows=true)) -%}
    {%- do return(sqlmetrics.value_with_direction(plan, value, better)) -%}
{%- endmacro %}

{#
  Quantile of a column: a value with at least the share q of the weight at or below it, and at least the rest at or
  above it; if a gap between two rows divides the weight exactly, the mean of the two values.

  Formula: \text{quantile} = \frac{1}{2} (\min \{\text{column}_i : F_i \ge \tau\}
      + \min \{\text{column}_i : F_i > \tau\})
    F_i = \frac{\sum_{j:\, \text{column}_j \le \text{column}_i} w_j}{\sum_j w_j}
  Args:
    q: the share, a number > 0 and < 1; 0.5 is the median
  Better: none
  Range: (-inf, inf)
  Undefined: null if there are no rows
  Interval: an end is null where the rows are too few to say, as the upper one of q=0.95 below 100 rows
  Traps: a high quantile of few rows is about their greatest value; quantiles of parts do not average to the quantile
    of the whole
  Errors: another better; no column; a column that is not of numbers; q outside (0, 1)
  Source: Hyndman and Fan (1996), doi:10.1080/00031305.1996.10473566, definition 2
  Example: quantile(column=latency, q=0.95)
#}
{% macro metric_quantile(plan, column=none, q=0.5, better=none) -%}
    {{- sqlmetrics.number(plan, 'q', q) -}}
    {%- if not 0 < q < 1 -%}
        {{- sqlmetrics.refuse_metric(plan, "q must be a number > 0 and < 1, got " ~ q) -}}
    {%- endif -%}
    {%- set value = sqlmetrics.row_column(plan, 'column', column) -%}
    {%- set at = sqlmetrics.row_quantile(plan, sqlmetrics.order_of_column(plan, value), q) -%}
    {%- do return(sqlmetrics.value_with_direction(plan, dict(sqlmetrics.plain_value(at), quantile=q), better)) -%}
{%- endmacro %}

{#
  Rate of a condition: the share of rows for which it is true.

  Formula: \text{rate} = \frac{\sum_i w_i \text{where}_i}{\sum_i w_i}
  Args:
    where: the condition, SQL over the columns of the data, in quotes: 'latency > 2'. A text in it is written with its
      quotes doubled: 'status = ''refused'''
  Better: none
  Range: [0, 1]
  Unit: share
  Undefined: null if there are no rows
  Traps: a row for which the condition is NULL is unusable, since nobody knows whether it holds; of a column of booleans
    mean(column=...) is the same
  Errors: another better; no condition; a condition that is not true or false of a row
  Source: its definition; interval: Wilson (1927), doi:10.1080/01621459.1927.10502953
  Example: rate(where='latency > 2')
#}
{% macro metric_rate(plan, where=none, better=none) -%}
    {%- set holds = sqlmetrics.row_condition(plan, 'where', where) -%}
    {#- whose signs are no part of a name -#}
    {%- set name = sqlmetrics.sum_of_columns(plan, 'rows_where', [where]) ~ '_' ~ local_md5(where | string)[:6] -%}
    {%- set share = sqlmetrics.row_share(plan, sqlmetrics.row_sum(plan, name, holds), sqlmetrics.row_total(plan)) -%}
    {%- do return(sqlmetrics.value_with_direction(plan, share, better)) -%}
{%- endmacro %}

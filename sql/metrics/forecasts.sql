{#
  Metrics of forecasts: of intervals and quantiles, which parameters name as columns (lower=q05), and of errors beside
  those of a naive forecast. Grain: rows.

  Args:
    lower: the column of the lower ends
    upper: the column of the upper ends
    quantiles: the levels and their columns in quotes, such as '0.1: q10, 0.5: q50, 0.9: q90'
  Task: Forecasting
  Returns: float; weighted by the row weight
  Undefined: null if there are no rows
#}

{#
  Coverage: the share of labels in a predicted interval, lower <= label <= upper. A 90 % interval should cover 90 %.

  Formula: \text{coverage} = \frac{\sum_i w_i [\text{lower}_i \le y_i \le \text{upper}_i]}{\sum_i w_i}
  Better: none
  Range: [0, 1]
  Unit: share
  Traps: wide enough intervals cover everything; read it beside interval_width; the right share of all rows may be
    too high in some slices and too low in others
  Errors: a lower end above the upper one
  Source: Gneiting, Balabdaoui and Raftery (2007), doi:10.1111/j.1467-9868.2007.00587.x; scoringutils,
    interval_coverage
  Example: coverage(lower=low, upper=high)
#}
{% macro metric_coverage(plan, lower=none, upper=none) -%}
    {%- set ends = sqlmetrics.interval_ends(plan, lower, upper) -%}
    {%- set covered = sqlmetrics.row_sum(
        plan, sqlmetrics.sum_of_columns(plan, 'covered', [lower, upper]),
        sqlmetrics.row_count_if(plan, '{label} >= ' ~ ends[0] ~ ' and {label} <= ' ~ ends[1])
    ) -%}
    {%- do return(sqlmetrics.row_share(plan, covered, sqlmetrics.row_total(plan))) -%}
{%- endmacro %}

{#
  Interval width: the mean of upper - lower of a predicted interval. Of intervals with the same coverage the narrower
  are better.

  Formula: \text{width} = \frac{\sum_i w_i (\text{upper}_i - \text{lower}_i)}{\sum_i w_i}
  Better: lower
  Range: [0, inf)
  Unit: label
  Traps: narrow intervals that miss the labels have the best value; read it beside coverage, or take
    interval_score; rows of large labels decide it
  Errors: a lower end above the upper one
  Source: Gneiting, Balabdaoui and Raftery (2007), doi:10.1111/j.1467-9868.2007.00587.x
  Example: interval_width(lower=low, upper=high)
#}
{% macro metric_interval_width(plan, lower=none, upper=none) -%}
    {%- set ends = sqlmetrics.interval_ends(plan, lower, upper) -%}
    {%- do return(sqlmetrics.row_mean(
        plan, sqlmetrics.sum_of_columns(plan, 'width', [lower, upper]), '(' ~ ends[1] ~ ' - ' ~ ends[0] ~ ')',
        complete=true
    )) -%}
{%- endmacro %}

{#
  Interval score, also called Winkler score: the mean of the width of a predicted interval, plus 2 / alpha times the
  distance to a label outside of it. It is least in expectation for the quantiles alpha / 2 and 1 - alpha / 2.

  Formula: \text{IS} = \frac{\sum_i w_i S_i}{\sum_i w_i}
    S_i = \text{upper}_i - \text{lower}_i + \frac{2}{\alpha} \max(\text{lower}_i - y_i, 0) + \frac{2}{\alpha} \max(y_i -
      \text{upper}_i, 0)
  Args:
    alpha: the share of labels that should lie outside, in (0, 1]: 0.1 for an interval of 90 %
  Better: lower
  Range: [0, inf)
  Unit: label
  Traps: a label far outside its interval costs 2 / alpha times the distance, so a few such rows decide it; values
    of different alpha, or of labels on different scales, are not comparable; an alpha that the intervals were not
    made for favours others
  Errors: a lower end above the upper one; alpha outside (0, 1]
  Source: Gneiting and Raftery (2007), doi:10.1198/016214506000001437, equation 43; Winkler (1972),
    doi:10.2307/2284720; scoringrules, interval_score
  Example: interval_score(lower=low, upper=high, alpha=0.2)
#}
{% macro metric_interval_score(plan, lower=none, upper=none, alpha=0.1) -%}
    {{- sqlmetrics.number(plan, 'alpha', alpha, 1e-300, 1) -}}
    {%- set ends = sqlmetrics.interval_ends(plan, lower, upper) -%}
    {%- set outside = 'case when {label} < ' ~ ends[0] ~ ' then ' ~ ends[0] ~ ' - {label} when {label} > ' ~ ends[1]
        ~ ' then {label} - ' ~ ends[1] ~ ' else 0 end' -%}
    {%- set penalty = sqlmetrics.ratio('2', alpha) ~ ' * ' ~ sqlmetrics.sql_double(outside) -%}
    {%- do return(sqlmetrics.row_mean(
        plan, sqlmetrics.sum_of_columns(plan, 'interval_score_' ~ sqlmetrics.column_name(alpha), [lower, upper]),
        '(' ~ ends[1] ~ ' - ' ~ ends[0] ~ ' + ' ~ penalty ~ ')', complete=true
    )) -%}
{%- endmacro %}

{# The ends of a predicted interval, two holes. Rows in which they are crossed make the metric NULL. #}
{% macro interval_ends(plan, lower, upper) -%}
    {%- set low = sqlmetrics.row_column(plan, 'lower', lower) -%}
    {%- set high = sqlmetrics.row_column(plan, 'upper', upper) -%}
    {%- do sqlmetrics.require(
        plan, 'rows', sqlmetrics.sum_of_columns(plan, 'rows_crossed', [lower, upper]), low ~ ' > ' ~ high,
        'rows have a lower end (' ~ lower ~ ') above the upper end (' ~ upper ~ '); lower= and upper= may be swapped'
    ) -%}
    {%- do return([low, high]) -%}
{%- endmacro %}

{#
  Quantile loss: the mean over rows and predicted quantiles of the pinball loss, which is level * (label - quantile) for
  a quantile that is too low and (1 - level) * (quantile - label) for one that is too high.

  Formula: \text{loss} = \frac{\sum_i w_i \ell_i}{\sum_i w_i}
    \ell_i = \begin{cases} \frac{1}{M} \sum_\tau \rho_\tau(y_i - s_{i\tau}) & \text{average=mean} \\ \sum_\tau
      \rho_\tau(y_i - s_{i\tau}) & \text{average=sum} \end{cases}
  Args:
    average: mean over the quantiles of a row, or sum
  Better: lower
  Range: [0, inf)
  Unit: label
  Traps: values of other levels are not comparable; rows of large labels decide it; quantiles that cross are taken
    as they are
  Errors: a level outside (0, 1), or given twice
  Source: Koenker and Bassett (1978), doi:10.2307/1913643; scikit-learn, mean_pinball_loss for each level
  Example: quantile_loss(quantiles='0.1: q10, 0.5: q50, 0.9: q90')
#}
{% macro metric_quantile_loss(plan, quantiles=none, average='mean') -%}
    {{- sqlmetrics.one_of(plan, 'average', average, ['mean', 'sum']) -}}
    {%- set levels = sqlmetrics.levels_of_quantiles(plan, quantiles) -%}
    {%- do return(sqlmetrics.mean_of_pinballs(plan, levels, 1, levels | length if average == 'mean' else 1)) -%}
{%- endmacro %}

{#
  Weighted interval score of predicted quantiles: the mean over central intervals and the median of their interval
  scores times alpha / 2, and half of the absolute error of the median. It equals twice the mean pinball loss.

  Formula: \text{WIS} = \frac{\sum_i w_i \ell_i}{\sum_i w_i}
    \ell_i = \frac{2}{M} \left( \frac{1}{2} \left|y_i - s_{i,1/2}\right| + \sum_{\tau < 1/2} \left( \tau (s_{i,1-\tau} -
      s_{i\tau}) + \max(s_{i\tau} - y_i, 0) + \max(y_i - s_{i,1-\tau}, 0) \right) \right)
  Args:
    quantiles: the levels and their columns in quotes, such as '0.05: q05, 0.5: q50, 0.95: q95'. Each level has its
      opposite, as 0.05 has 0.95; the median may be left out
  Better: lower
  Range: [0, inf)
  Unit: label
  Traps: values of other levels are not comparable, nor those of labels on different scales; rows of large labels
    decide it; quantiles that cross are taken as they are
  Errors: a level outside (0, 1), given twice, or without its opposite
  Source: Bracher, Ray, Gneiting and Reich (2021), doi:10.1371/journal.pcbi.1008618, equation 2; scoringutils, wis.
    scoringrules 0.10 adds the median itself instead of its error
  Example: wis(quantiles='0.1: q10, 0.5: q50, 0.9: q90')
#}
{% macro metric_wis(plan, quantiles=none) -%}
    {%- set levels = sqlmetrics.levels_of_quantiles(plan, quantiles) -%}
    {%- for one in levels -%}
        {%- set found = [] -%}
        {%- for other in levels if (one['level'] + other['level'] - 1) | abs < 1e-9 -%}
            {%- do found.append(other) -%}
        {%- endfor -%}
        {%- if not found -%}
            {{- sqlmetrics.refuse_metric(
                plan, "quantiles= has " ~ one['level'] ~ " without its opposite " ~ (1 - one['level']) | round(12)
                    ~ "; crps takes any levels"
            ) -}}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(sqlmetrics.mean_of_pinballs(plan, levels, 2, levels | length)) -%}
{%- endmacro %}

{#
  Continuous ranked probability score, from predicted quantiles: twice the mean of their pinball losses. With levels at
  equal distances, as 0.05, 0.15, ..., 0.95, it comes near the integral over all levels as their number grows.

  Formula: \text{CRPS} = \frac{\sum_i w_i \ell_i}{\sum_i w_i}
    \ell_i = \frac{2}{M} \sum_\tau \rho_\tau(y_i - s_{i\tau})
  Better: lower
  Range: [0, inf)
  Unit: label
  Traps: with few levels, or levels at unequal distances, it is not the integral, so values of other levels are
    not comparable; it has the scale of the labels, so rows of large ones decide it
  Errors: a level outside (0, 1), or given twice
  Source: Berrisch and Ziel (2023), doi:10.1016/j.jeconom.2021.11.008, section 2; scoringrules, crps_quantile
  Example: crps(quantiles='0.25: q25, 0.5: q50, 0.75: q75')
#}
{% macro metric_crps(plan, quantiles=none) -%}
    {%- set levels = sqlmetrics.levels_of_quantiles(plan, quantiles) -%}
    {%- do return(sqlmetrics.mean_of_pinballs(plan, levels, 2, levels | length)) -%}
{%- endmacro %}

{#
  The levels of predicted quantiles, each with its column and a hole.

  Args:
    quantiles: levels and columns, as '0.1: q10, 0.9: q90'
#}
{% macro levels_of_quantiles(plan, quantiles) -%}
    {%- set example = "quantiles='0.1: q10, 0.5: q50, 0.9: q90'" -%}
    {%- if quantiles is none -%}
        {{- sqlmetrics.refuse_metric(plan, "needs quantiles=, levels and their columns: " ~ example) -}}
    {%- endif -%}
    {%- set levels = [] -%}
    {%- for pair in sqlmetrics.row_column_unquoted(quantiles).split(',') -%}
        {%- set parts = pair.split(':', 1) -%}
        {%- set level = sqlmetrics.parse_value(parts[0] | trim) -%}
        {%- if parts | length != 2 or level is not number or level <= 0 or level >= 1 -%}
            {{- sqlmetrics.refuse_metric(
                plan, "quantiles= takes levels in (0, 1) and their columns, " ~ example ~ "; got '" ~ pair | trim ~ "'"
            ) -}}
        {%- elif level in levels | map(attribute='level') -%}
            {{- sqlmetrics.refuse_metric(plan, "quantiles= has the level " ~ level ~ " twice") -}}
        {%- endif -%}
        {%- set name = parts[1] | trim -%}
        {%- do levels.append({
            'level': level, 'name': name, 'value': sqlmetrics.row_column(plan, 'quantiles', name),
        }) -%}
    {%- endfor -%}
    {%- do return(levels) -%}
{%- endmacro %}

{# The mean over rows of the pinball losses of quantiles, times a factor and divided by a number. Returns a value. #}
{% macro mean_of_pinballs(plan, levels, factor, divisor) -%}
    {%- set losses = [] -%}
    {%- for one in levels -%}
        {%- do losses.append(sqlmetrics.pinball_loss('(' ~ one['value'] ~ ' - {label})', one['level'])) -%}
    {%- endfor -%}
    {%- set sum = '(' ~ losses | join(' + ') ~ ')' -%}
    {%- set name = sqlmetrics.sum_of_columns(
        plan, 'pinballs_' ~ sqlmetrics.column_name(levels | map(attribute='level') | join(' ')),
        levels | map(attribute='name') | list
    ) -%}
    {%- set mean = sqlmetrics.row_mean(plan, name, sum, complete=true) -%}
    {%- do return(sqlmetrics.multiple(plan, mean, sqlmetrics.ratio(factor, divisor))) -%}
{%- endmacro %}

{#
  Mean absolute scaled error: the mean of |label - score| / naive_error, where naive_error is the mean absolute error of
  the naive forecast on the training part of the series. Above 1 the forecast is worse than that.

  The training part is not among the rows, so its error is a column, such as avg(abs(y - lag(y))) of the series, or
  avg(abs(y - lag(y, 12))) for the seasonal naive forecast of months. Rows may be of many series.

  Formula: \text{MASE} = \frac{1}{W} \sum_i w_i \frac{\left|y_i - s_i\right|}{\text{naive_error}_i}
  Args:
    naive_error: the column of the naive forecast's mean absolute error on the training part of the row's series
  Better: lower
  Range: [0, inf)
  Unit: none
  Traps: series with a small training error decide it; a seasonal naive forecast gives another number than the
    last value; the naive error is that of one step ahead, so for long horizons values above 1 do not say that the
    naive forecast would be better
  Errors: a naive_error of 0 or less
  Source: Hyndman and Koehler (2006), doi:10.1016/j.ijforecast.2006.03.001, section 3
  Example: mase(naive_error=training_error)
#}
{% macro metric_mase(plan, naive_error=none) -%}
    {%- set scale = sqlmetrics.row_column(plan, 'naive_error', naive_error) -%}
    {%- do sqlmetrics.require(
        plan, 'rows', sqlmetrics.sum_of_columns(plan, 'rows_without_scale', [naive_error]), scale ~ ' <= 0',
        'rows have a naive_error (' ~ naive_error ~ ') of 0 or less, by which no error can be divided;'
            ~ ' leave out series that never change with where='
    ) -%}
    {%- do return(sqlmetrics.row_mean(
        plan, sqlmetrics.sum_of_columns(plan, 'scaled_error', [naive_error]),
        sqlmetrics.ratio('abs(' ~ sqlmetrics.residual() ~ ')', scale), complete=true
    )) -%}
{%- endmacro %}

{#
  Relative mean absolute error: the sum of |label - score| over the sum of |label - naive|, the errors of a naive
  forecast of the same rows. Below 1 the score is better than the naive forecast.

  Formula: \text{RelMAE} = \frac{\sum_i w_i \left|y_i - s_i\right|}{\sum_i w_i \left|y_i - \text{naive}_i\right|}
  Args:
    naive: the column of the naive forecast, such as the last value known when the forecast was made
  Better: lower
  Range: [0, inf)
  Unit: none
  Undefined: null if there are no rows, or if the naive forecast has no error
  Traps: a weak naive forecast makes it small, such as the last value for seasonal data; it is a ratio of sums, so
    rows of large labels decide it; values with different naive forecasts are not comparable
  Errors: naive missing, or not a column of numbers
  Source: Hyndman and Koehler (2006), doi:10.1016/j.ijforecast.2006.03.001, section 2.4
  Example: relative_mae(naive=last_week)
#}
{% macro metric_relative_mae(plan, naive=none) -%}
    {%- set forecast = sqlmetrics.row_column(plan, 'naive', naive) -%}
    {%- do return(sqlmetrics.row_ratio(
        plan, sqlmetrics.row_sum(plan, 'absolute_error', 'abs(' ~ sqlmetrics.residual() ~ ')'),
        sqlmetrics.row_sum(
            plan, sqlmetrics.sum_of_columns(plan, 'naive_error', [naive]), 'abs(' ~ forecast ~ ' - {label})'
        )
    )) -%}
{%- endmacro %}

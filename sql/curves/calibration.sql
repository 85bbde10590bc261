{#
  Calibration curve, also called reliability diagram: the mean score and the share of positive rows in bins of
  scores, with Wilson intervals of the shares. Bins without rows are left out.

  Args:
    equal: width (bins divide [0, 1]; a score on an edge belongs to the bin above) or count (bins hold equally
      many rows, but equal scores stay together)
    interval: the confidence level of the interval, a number from 0.000001 to 0.999999; none: that of
      curve(interval=), or 0.95
  Returns: bin (1 has the lowest scores), lower and upper (its edges, or its least and greatest score for bins
    of equal count), bin_rows, mean_score, positive_rate, positive_rate_low, positive_rate_high; weighted by
    the row weight. With weights, bin_rows is the sum of weights and the interval is that of (sum of
    weights)^2 / (sum of squared weights) rows. With curve(band=simultaneous) the intervals of all bins hold at once
  Undefined: no points if there are no rows
  Traps: errors of opposite sign inside a bin cancel out; bins of equal width hold few rows where scores are rare,
    which bin_rows and the interval show; another number of bins gives another picture; where the negatives were
    sampled the shares are those of the sample
  Errors: a label other than 0 and 1, unless positive= is given; a score outside [0, 1]; bins < 1
  Source: Murphy and Winkler (1977), doi:10.2307/2346866; interval: Wilson (1927),
    doi:10.1080/01621459.1927.10502953; of all bins: Sidak (1967), doi:10.1080/01621459.1967.10482935
  Example: calibration(bins=20, equal=count)
#}
{% macro curve_of_calibration(plan, bins=10, equal='width', interval=none) -%}
    {%- set of_call = plan['facts']['interval'] -%}
    {%- if interval is not none -%}{{- sqlmetrics.number(plan, 'interval', interval, 1e-6, 1 - 1e-6) -}}{%- endif -%}
    {%- if interval is not none and of_call is not none and interval != of_call -%}
        {{- sqlmetrics.refuse_metric(
            plan, "interval=" ~ interval ~ " is not the interval=" ~ of_call ~ " of the call; leave one of them out"
        ) -}}
    {%- endif -%}
    {%- set level = interval or of_call or 0.95 -%}
    {%- do sqlmetrics.probability_of(plan) -%}
    {%- set weighted = plan['facts']['weight'] is not none -%}
    {%- set grain = sqlmetrics.bins_grain(plan, bins, equal, ['level_scores'] + (['level_squares'] if weighted else [])
        + (['least', 'greatest'] if equal == 'count' else [])) -%}
    {%- set rows = sqlmetrics.ratio('sm_level_rows * sm_level_rows', 'sm_level_squares') if weighted
        else sqlmetrics.sql_double('sm_level_rows') -%}
    {%- set edges = ['sm_least as sm_lower', 'sm_greatest as sm_upper'] if equal == 'count'
        else [
            sqlmetrics.ratio('sm_bin', bins) ~ ' as sm_lower', sqlmetrics.ratio('sm_bin + 1', bins) ~ ' as sm_upper',
        ] -%}
    {%- set columns = [
        'sm_bin', sqlmetrics.sql_nullable('sm_level_rows') ~ ' as sm_rows_of_bin',
        sqlmetrics.ratio('sm_level_scores', 'sm_level_rows') ~ ' as sm_mean',
        sqlmetrics.ratio('sm_level_positives', 'sm_level_rows') ~ ' as sm_rate', rows ~ ' as sm_effective_rows',
    ] -%}
    {%- do plan.update({'point_order': ['sm_points.sm_bin asc'], 'points': '-- a row for each bin
sm_points as (
    select' ~ sqlmetrics.lines(plan['facts']['keys'] + columns + edges, 8) ~ '
    from sm_' ~ grain ~ '
)'}) -%}
    {%- set at_once = plan['band'] == 'simultaneous' -%}
    {%- set z = sqlmetrics.normal_critical_value((1 + (level ** (1 / bins) if at_once else level)) / 2) -%}
    {%- set ends = sqlmetrics.corrected_ends('sm_rate', 'sm_effective_rows', z) if at_once
        else sqlmetrics.wilson_ends('sm_rate', 'sm_effective_rows', z) -%}
    {%- do return([
        {'name': 'bin', 'value': 'sm_bin + 1', 'integer': true},
        {'name': 'lower', 'value': 'sm_lower'},
        {'name': 'upper', 'value': 'sm_upper'},
        {'name': 'bin_rows', 'value': 'sm_rows_of_bin', 'integer': not weighted, 'counts': true},
        {'name': 'mean_score', 'value': 'sm_mean'},
        {'name': 'positive_rate', 'value': 'sm_rate'},
        {'name': 'positive_rate_low', 'value': ends['low'], 'end': 'low'},
        {'name': 'positive_rate_high', 'value': ends['high'], 'end': 'high'},
    ]) -%}
{%- endmacro %}

{#
  Metrics that compare a predicted probability with the observed share, in bins of scores
  (stages/levels/bins.sql). Grain: bins.

  Args:
    bins: number of bins, an integer >= 1
    equal: width (bins divide [0, 1]; a score on an edge belongs to the bin above) or count (bins hold equally
      many rows, but equal scores stay together)
  Task: Probabilities and calibration
#}

{#
  Expected calibration error: the mean distance between the mean score and the share of positive rows in a bin
  of scores, weighted by the rows of the bin.

  Formula: \text{ECE} = \sum_{B=1}^{\text{bins}} \frac{W_B}{W} \left|\bar{y}_B - \bar{s}_B\right|
  Returns: float; weighted by the row weight
  Better: lower
  Range: [0, 1]
  Unit: share
  Undefined: null if there are no rows
  Traps: it depends on the bins; with many bins and few rows it is above 0 for a perfect model; a constant
    prediction of the base rate has 0 and yet is useless
  Errors: a label other than 0 and 1, unless positive= is given; a score outside [0, 1]; bins < 1
  Source: Naeini, Cooper, Hauskrecht (2015), Obtaining well calibrated probabilities using Bayesian binning
  Example: ece(bins=15)
#}
{% macro metric_ece(plan, bins=10, equal='width') -%}
    {%- set distances = sqlmetrics.calibration_of_bins(
        plan, bins, equal, 'abs({level_positives} - {level_scores})', 'sum'
    ) -%}
    {%- do return(sqlmetrics.bounded_value(sqlmetrics.ratio(distances, sqlmetrics.row_total(plan)))) -%}
{%- endmacro %}

{#
  Maximum calibration error: the largest distance between the mean score and the share of positive rows in any
  bin of scores.

  Formula: \text{MCE} = \max_{1 \le B \le \text{bins}} \left|\bar{y}_B - \bar{s}_B\right|
  Returns: float; weighted by the row weight
  Better: lower
  Range: [0, 1]
  Unit: share
  Undefined: null if there are no rows
  Traps: it is the greatest of several bins, so a bin of few rows decides it
  Errors: a label other than 0 and 1, unless positive= is given; a score outside [0, 1]; bins < 1
  Source: Naeini, Cooper, Hauskrecht (2015), Obtaining well calibrated probabilities using Bayesian binning
  Example: mce(bins=15)
#}
{% macro metric_mce(plan, bins=10, equal='width') -%}
    {%- set distance = 'abs(' ~ sqlmetrics.ratio('{level_positives} - {level_scores}', '{level_rows}') ~ ')' -%}
    {%- do return(sqlmetrics.bounded_value(sqlmetrics.calibration_of_bins(plan, bins, equal, distance, 'max'))) -%}
{%- endmacro %}

{# An aggregate over bins of probabilities. #}
{% macro calibration_of_bins(plan, bins, equal, x, aggregate) -%}
    {%- do sqlmetrics.is_positive(plan) -%}
    {%- do sqlmetrics.probability_of(plan) -%}
    {%- set grain = sqlmetrics.bins_grain(plan, bins, equal) -%}
    {{- sqlmetrics.need(plan, grain, 'calibration_' ~ grain, x, aggregate) -}}
{%- endmacro %}

{#
  Metrics that compare a predicted probability with the observed share, in bins of scores
  (stages/levels/bins.sql). Grain: bins.

  Args:
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

{#
  Root mean squared calibration error: the root of the mean squared distance between the mean score and the share of
  positive rows in a bin of scores, weighted by the rows of the bin.

  Formula: \text{RMSCE} = \sqrt{\frac{\sum_{B=1}^{\text{bins}} W_B (\bar{y}_B - \bar{s}_B)^2}{W}}
  Returns: float; weighted by the row weight
  Better: lower
  Range: [0, 1]
  Unit: share
  Undefined: null if there are no rows
  Traps: it depends on the bins; with many bins and few rows it is above 0 for a perfect model, which
    debiased_calibration_error corrects; large distances count more than in ece
  Errors: a label other than 0 and 1, unless positive= is given; a score outside [0, 1]; bins < 1
  Source: Kumar, Liang and Ma (2019), Verified uncertainty calibration, arXiv:1909.10155; torchmetrics,
    BinaryCalibrationError with norm l2
  Example: rms_calibration_error(bins=15)
#}
{% macro metric_rms_calibration_error(plan, bins=10, equal='width') -%}
    {%- set reliability = sqlmetrics.metric_brier_reliability(plan, bins, equal)['sql'] -%}
    {%- do return(sqlmetrics.bounded_value('sqrt(' ~ reliability ~ ')')) -%}
{%- endmacro %}

{#
  Debiased calibration error: the root mean squared calibration error without what chance adds to it. In a bin of n rows
  the share of positive rows has a variance of about share * (1 - share) / (n - 1), which is subtracted from the squared
  distance.

  Formula: \text{DCE} = \sqrt{\max(D, 0)}
    D = \frac{1}{W} \sum_{B:\, W_B > 1} W_B \left((\bar{y}_B - \bar{s}_B)^2 - \frac{\bar{y}_B (1 -
      \bar{y}_B)}{W_B - 1}\right)
  Returns: float; a row of weight 2 counts as two rows; a bin with a weight of 1 or less adds 0
  Better: lower
  Range: [0, 1]
  Unit: share
  Undefined: null if there are no rows
  Traps: it is 0 where chance explains all of the distances, which does not show that the model is calibrated; it
    depends on the bins; weights have to be numbers of rows
  Errors: a label other than 0 and 1, unless positive= is given; a score outside [0, 1]; bins < 1
  Source: Kumar, Liang and Ma (2019), Verified uncertainty calibration, arXiv:1909.10155
  Example: debiased_calibration_error(bins=15)
#}
{% macro metric_debiased_calibration_error(plan, bins=10, equal='width') -%}
    {{- sqlmetrics.needs_drawn_labels(plan) -}}
    {%- set noise = sqlmetrics.ratio(
        '{level_positives} * ' ~ sqlmetrics.sql_double('({level_rows} - {level_positives})'),
        '{level_rows} * (' ~ sqlmetrics.sql_double('{level_rows}') ~ ' - 1)'
    ) -%}
    {%- set noises = sqlmetrics.calibration_of_bins(
        plan, bins, equal, 'case when {level_rows} > 1 then ' ~ sqlmetrics.squared_distance() ~ ' - ' ~ noise
            ~ ' else 0 end',
        'sum', 'debiased'
    ) -%}
    {%- set mean = sqlmetrics.ratio(noises, sqlmetrics.row_total(plan)) -%}
    {%- do return(sqlmetrics.bounded_value('sqrt(case when ' ~ mean ~ ' < 0 then 0 else ' ~ mean ~ ' end)')) -%}
{%- endmacro %}

{#
  Reliability of the Brier score: the mean squared distance between the mean score and the share of positive rows in a
  bin of scores. If the scores of each bin are equal, brier = brier_reliability - brier_resolution + brier_uncertainty.

  Formula: \text{REL} = \frac{\sum_{B=1}^{\text{bins}} W_B (\bar{y}_B - \bar{s}_B)^2}{W}
  Returns: float; weighted by the row weight
  Better: lower
  Range: [0, 1]
  Unit: none
  Undefined: null if there are no rows
  Traps: it depends on the bins; where scores of one bin differ, the three parts do not add up to brier exactly
  Errors: a label other than 0 and 1, unless positive= is given; a score outside [0, 1]; bins < 1
  Source: Murphy (1973), A new vector partition of the probability score,
    doi:10.1175/1520-0450(1973)012<0595:ANVPOT>2.0.CO;2
  Example: brier_reliability(bins=15)
#}
{% macro metric_brier_reliability(plan, bins=10, equal='width') -%}
    {%- set distances = sqlmetrics.calibration_of_bins(
        plan, bins, equal, sqlmetrics.squared_distance(), 'sum', 'reliability'
    ) -%}
    {%- do return(sqlmetrics.bounded_value(sqlmetrics.ratio(distances, sqlmetrics.row_total(plan)))) -%}
{%- endmacro %}

{#
  Resolution of the Brier score: the mean squared distance between the share of positive rows in a bin of scores and
  that of all rows. It is how well the bins separate positive and negative rows, calibrated or not.

  Formula: \text{RES} = \frac{\sum_{B=1}^{\text{bins}} W_B (\bar{y}_B - \bar{y})^2}{W}
  Returns: float; weighted by the row weight
  Better: higher
  Range: [0, 0.25]
  Unit: none
  Undefined: null if there are no rows
  Traps: at most brier_uncertainty, so values of data with different base rates are not comparable; many bins of few
    rows have a high resolution by chance
  Errors: a label other than 0 and 1, unless positive= is given; a score outside [0, 1]; bins < 1
  Source: Murphy (1973), A new vector partition of the probability score,
    doi:10.1175/1520-0450(1973)012<0595:ANVPOT>2.0.CO;2
  Example: brier_resolution(bins=15)
#}
{% macro metric_brier_resolution(plan, bins=10, equal='width') -%}
    {%- set positives, total = sqlmetrics.row_positives(plan), sqlmetrics.row_total(plan) -%}
    {%- set distance = '(' ~ sqlmetrics.ratio('{level_positives}', '{level_rows}') ~ ' - '
        ~ sqlmetrics.ratio(positives, total) ~ ')' -%}
    {%- set distances = sqlmetrics.calibration_of_bins(
        plan, bins, equal, '{level_rows} * ' ~ distance ~ ' * ' ~ distance, 'sum', 'resolution'
    ) -%}
    {%- do return(sqlmetrics.bounded_value(sqlmetrics.ratio(distances, total), most=0.25)) -%}
{%- endmacro %}

{# The squared distance of mean score and share of positive rows in a bin, times its rows. #}
{% macro squared_distance() -%}
    {%- set distance = '({level_positives} - {level_scores})' -%}
    {{ distance }} * {{ sqlmetrics.ratio(distance, '{level_rows}') }}
{%- endmacro %}

{# An aggregate over bins of probabilities; `name` tells its sums from others. #}
{% macro calibration_of_bins(plan, bins, equal, x, aggregate, name='calibration') -%}
    {%- do sqlmetrics.is_positive(plan) -%}
    {%- do sqlmetrics.probability_of(plan) -%}
    {%- set grain = sqlmetrics.bins_grain(plan, bins, equal) -%}
    {{- sqlmetrics.need(plan, grain, name ~ '_' ~ grain, x, aggregate) -}}
{%- endmacro %}

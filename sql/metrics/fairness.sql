{#
  Gaps of rates of decisions between the values of a sensitive column, such as sex or age group. A decision is the
  score compared with a threshold, or the predicted class. Grain: subsets; selection_rate: rows.

  NULL is a value of the column like others. A value without positive (or negative) rows has no rate: it is left
  out, and counted in subsets_left_out. A greatest difference is above 0 even where all rates are equal. An interval
  draws the rows (or lists) again and finds the extremes of each draw, so it allows for most of this choice, but not
  for all of it where many values have equal rates (docs/howto/fairness.md has the coverage).

  Args:
    threshold: rows that score at least this are predicted positive, a float32 of 0.7 at 0.7; with prediction=,
      naming it makes the metric use the score instead
    sensitive: the column whose values are compared
  Task: Fairness
  Returns: float; weighted by the row weight
  Errors: no sensitive column, or one that does not exist; a label other than 0 and 1, unless positive= is given
#}

{#
  Selection rate: the share of rows that are predicted positive.

  Formula: \text{SR} = \frac{\sum_i w_i \hat{y}_i}{\sum_i w_i}
  Better: none
  Range: [0, 1]
  Unit: share
  Undefined: null if there are no rows
  Traps: it does not say whether the selected rows are the right ones; at a fixed threshold it follows the scale
    of the scores
  Errors: with prediction=, a predicted class other than 0 and 1, unless positive= is given
  Source: fairlearn, selection_rate
  Example: selection_rate(threshold=0.3)
#}
{% macro metric_selection_rate(plan, threshold=0.5) -%}
    {%- set selected = sqlmetrics.row_sum(
        plan, 'selected_' ~ sqlmetrics.column_name(threshold),
        sqlmetrics.row_count_if(plan, sqlmetrics.decided(plan, threshold))
    ) -%}
    {%- do return(sqlmetrics.row_share(plan, selected, sqlmetrics.row_total(plan))) -%}
{%- endmacro %}

{#
  Demographic parity difference: the greatest selection rate of the values of a column less the least one.

  Formula: \text{difference} = \max_z \text{SR}_z - \min_z \text{SR}_z
  Better: lower
  Range: [0, 1]
  Unit: share
  Undefined: null if the column has fewer than two values
  Traps: it ignores the label, so decisions drawn by lot have 0; as a greatest difference it grows with the number
    of values of the column, and small ones decide it by chance; columns that are fair one by one may not be in
    combination
  Errors: no sensitive column, or one that does not exist
  Source: Agarwal et al. (2018), arXiv:1803.02453; fairlearn, demographic_parity_difference
  Example: demographic_parity_difference(sensitive=country)
#}
{% macro metric_demographic_parity_difference(plan, sensitive=none, threshold=0.5) -%}
    {%- do return(sqlmetrics.gap_value(
        sqlmetrics.difference_of_rates(sqlmetrics.rates_by(plan, sensitive, threshold, 'selection'))
    )) -%}
{%- endmacro %}

{#
  Demographic parity ratio: the least selection rate of the values of a column over the greatest one. Below 0.8 it
  breaks the four-fifths rule of the US guidelines on selection.

  Formula: \text{ratio} = \frac{\min_z \text{SR}_z}{\max_z \text{SR}_z}
  Better: higher
  Range: [0, 1]
  Unit: share
  Undefined: null if the column has fewer than two values, or if no row is predicted positive
  Traps: with rare selection small differences decide it: rates of 1 % and 2 % have 0.5, as 40 % and 80 % have; it
    is another number for the rows that are not selected; values of the column with few rows decide it by chance
  Errors: no sensitive column, or one that does not exist
  Source: fairlearn, demographic_parity_ratio; 29 CFR 1607.4 D
  Example: demographic_parity_ratio(sensitive=country)
#}
{% macro metric_demographic_parity_ratio(plan, sensitive=none, threshold=0.5) -%}
    {%- do return(sqlmetrics.gap_value(
        sqlmetrics.ratio_of_rates(sqlmetrics.rates_by(plan, sensitive, threshold, 'selection'))
    )) -%}
{%- endmacro %}

{#
  Equal opportunity difference: the greatest true positive rate of the values of a column less the least one.

  Formula: \text{difference} = \max_z \text{TPR}_z - \min_z \text{TPR}_z
  Better: lower
  Range: [0, 1]
  Unit: share
  Undefined: null if fewer than two values have a positive row
  Traps: it looks at positive rows alone, so false alarms may fall on one value of the column; a value with few
    positive rows decides it by chance; labels that are themselves unfair do not show
  Source: Hardt, Price and Srebro (2016), arXiv:1610.02413; fairlearn, equal_opportunity_difference
  Example: equal_opportunity_difference(sensitive=country)
#}
{% macro metric_equal_opportunity_difference(plan, sensitive=none, threshold=0.5) -%}
    {%- do return(sqlmetrics.gap_value(
        sqlmetrics.difference_of_rates(sqlmetrics.rates_by(plan, sensitive, threshold, 'tpr'))
    )) -%}
{%- endmacro %}

{#
  Equal opportunity ratio: the least true positive rate of the values of a column over the greatest one.

  Formula: \text{ratio} = \frac{\min_z \text{TPR}_z}{\max_z \text{TPR}_z}
  Better: higher
  Range: [0, 1]
  Unit: share
  Undefined: null if fewer than two values have a positive row, or if no positive row is predicted positive
  Traps: it looks at positive rows alone, so false alarms may fall on one value of the column; one value with few
    positive rows, none of which is found, makes it 0
  Source: fairlearn, equal_opportunity_ratio
  Example: equal_opportunity_ratio(sensitive=country)
#}
{% macro metric_equal_opportunity_ratio(plan, sensitive=none, threshold=0.5) -%}
    {%- do return(sqlmetrics.gap_value(
        sqlmetrics.ratio_of_rates(sqlmetrics.rates_by(plan, sensitive, threshold, 'tpr'))
    )) -%}
{%- endmacro %}

{#
  Equalized odds difference: the greater of the differences of true and of false positive rates between the values
  of a column.

  Formula: \text{difference} = \max \left( \max_z \text{TPR}_z - \min_z \text{TPR}_z, \; \max_z \text{FPR}_z - \min_z
      \text{FPR}_z \right)
  Better: lower
  Range: [0, 1]
  Unit: share
  Undefined: null if fewer than two values have a positive row, or a negative one
  Traps: it does not say which of both rates differs, nor for which value of the column; it is a greatest
    difference, which few rows of one class decide by chance; where base rates differ, equal odds mean unequal
    precision
  Source: Agarwal et al. (2018), arXiv:1803.02453; fairlearn, equalized_odds_difference
  Example: equalized_odds_difference(sensitive=country)
#}
{% macro metric_equalized_odds_difference(plan, sensitive=none, threshold=0.5) -%}
    {%- set tpr = sqlmetrics.difference_of_rates(sqlmetrics.rates_by(plan, sensitive, threshold, 'tpr')) -%}
    {%- set fpr = sqlmetrics.difference_of_rates(sqlmetrics.rates_by(plan, sensitive, threshold, 'fpr')) -%}
    {%- do return(sqlmetrics.gap_value(
        'case when ' ~ tpr ~ ' >= ' ~ fpr ~ ' then ' ~ tpr ~ ' when ' ~ tpr ~ ' < ' ~ fpr ~ ' then ' ~ fpr ~ ' end'
    )) -%}
{%- endmacro %}

{#
  Equalized odds ratio: the smaller of the ratios of true and of false positive rates between the values of a column.

  Formula: \text{ratio} = \min \left( \frac{\min_z \text{TPR}_z}{\max_z \text{TPR}_z}, \; \frac{\min_z
      \text{FPR}_z}{\max_z \text{FPR}_z} \right)
  Better: higher
  Range: [0, 1]
  Unit: share
  Undefined: null if fewer than two values have a positive row, or a negative one, or if no positive row is predicted
    positive, or no negative one
  Traps: low false positive rates decide it: 0.1 % beside 0.2 % has 0.5, however small the harm; it does not say
    which of both rates differs, nor for which value of the column
  Source: fairlearn, equalized_odds_ratio
  Example: equalized_odds_ratio(sensitive=country)
#}
{% macro metric_equalized_odds_ratio(plan, sensitive=none, threshold=0.5) -%}
    {%- set tpr = sqlmetrics.ratio_of_rates(sqlmetrics.rates_by(plan, sensitive, threshold, 'tpr')) -%}
    {%- set fpr = sqlmetrics.ratio_of_rates(sqlmetrics.rates_by(plan, sensitive, threshold, 'fpr')) -%}
    {%- do return(sqlmetrics.gap_value(
        'case when ' ~ tpr ~ ' <= ' ~ fpr ~ ' then ' ~ tpr ~ ' when ' ~ tpr ~ ' > ' ~ fpr ~ ' then ' ~ fpr ~ ' end'
    )) -%}
{%- endmacro %}

{#
  The least and the greatest rate of the values of a column, and how many values have the rate.

  Args:
    rate: selection (over all rows), tpr (over positive rows) or fpr (over negative rows)
#}
{% macro rates_by(plan, sensitive, threshold, rate) -%}
    {%- set subsets = sqlmetrics.subsets_of_column(plan, 'sensitive', sensitive) -%}
    {%- set decision = '(' ~ sqlmetrics.decided(plan, threshold) ~ ')' -%}
    {%- set of = none if rate == 'selection'
        else ('' if rate == 'tpr' else 'not ') ~ '(' ~ sqlmetrics.is_positive(plan) ~ ')' -%}
    {%- set name = rate ~ '_' ~ sqlmetrics.column_name(threshold) -%}
    {%- set selected = sqlmetrics.weight_in_subset(
        plan, subsets, name ~ '_selected', decision if of is none else decision ~ ' and ' ~ of
    ) -%}
    {%- set counted = sqlmetrics.weight_in_subset(plan, subsets, rate ~ '_rows', of) -%}
    {%- set rates, value = {}, sqlmetrics.ratio(selected, counted) -%}
    {%- for end, aggregate in (('least', 'min'), ('greatest', 'max')) -%}
        {%- do rates.update({
            end: sqlmetrics.need(plan, subsets, subsets ~ '_' ~ end ~ '_' ~ name, value, aggregate),
        }) -%}
    {%- endfor -%}
    {%- do rates.update({'n': sqlmetrics.need(
        plan, subsets, subsets ~ '_with_' ~ rate, 'case when ' ~ counted ~ ' > 0 then 1 else 0 end'
    )}) -%}
    {%- if plan['question']['counts'] -%}
        {%- do sqlmetrics.count_subsets_left_out(plan, subsets, rate, counted) -%}
    {%- endif -%}
    {%- do return(rates) -%}
{%- endmacro %}

{# Counts the subsets that have no positive (or negative) rows, and so no rate. #}
{% macro count_subsets_left_out(plan, subsets, rate, counted) -%}
    {%- set sum = sqlmetrics.filled(plan, sqlmetrics.need(
        plan, subsets, subsets ~ '_without_' ~ rate, 'case when ' ~ counted ~ ' > 0 then 0 else 1 end'
    )) -%}
    {%- set known = plan['result']['audit'].get('subsets_left_out') -%}
    {%- if known is none or sum not in known.split(' + ') -%}
        {%- do plan['result']['audit'].update({
            'subsets_left_out': sum if known is none else known ~ ' + ' ~ sum,
        }) -%}
    {%- endif -%}
{%- endmacro %}

{# The greatest rate less the least; NULL for fewer than two. #}
{% macro difference_of_rates(rates) -%}
    (case when {{ rates['n'] }} > 1 then {{ rates['greatest'] }} - {{ rates['least'] }} end)
{%- endmacro %}

{# The least rate over the greatest; NULL for fewer than two. #}
{% macro ratio_of_rates(rates) -%}
    (case when {{ rates['n'] }} > 1 then {{ sqlmetrics.ratio(rates['least'], rates['greatest']) }} end)
{%- endmacro %}

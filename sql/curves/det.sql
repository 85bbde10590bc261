{#
  Detection error tradeoff: the false positive rate and the false negative rate, the share of positive rows that are
  missed, at every threshold, from the highest score down, used as `score >= threshold`. It begins at (0, 1), above
  every score, with a null threshold.

  Args:
    points: as for roc, of which this is the picture upside down
  Returns: threshold, fpr, fnr; weighted by the row weight. curve(interval=) adds fnr_low and fnr_high, the band of the
    false negative rate at this fpr
  Undefined: fpr is null if no row is negative, fnr if no row is positive, the band in either case
  Traps: its picture has logarithmic axes, on which rates of 0 have no place; the smallest rates rest on a handful of
    rows; where both rates are equal costs need not be
  Errors: a label other than 0 and 1, unless positive= is given
  Source: Martin et al. (1997), The DET curve in assessment of detection task performance, Eurospeech
  Example: det(points=corners)
#}
{% macro curve_of_det(plan, points='all') -%}
    {%- set found = {} -%}
    {%- for column in sqlmetrics.curve_of_roc(plan, points=points) -%}
        {%- do found.update({column['name']: column['value']}) -%}
    {%- endfor -%}
    {%- set columns = [
        {'name': 'threshold', 'value': found['threshold']}, {'name': 'fpr', 'value': found['fpr']},
        {'name': 'fnr', 'value': '(1 - ' ~ found['tpr'] ~ ')'},
    ] -%}
    {%- if plan['band'] is not none -%}
        {%- do columns.extend([
            {'name': 'fnr_low', 'value': '(1 - ' ~ found['tpr_high'] ~ ')', 'end': 'low'},
            {'name': 'fnr_high', 'value': '(1 - ' ~ found['tpr_low'] ~ ')', 'end': 'high'},
        ]) -%}
    {%- endif -%}
    {%- do return(columns) -%}
{%- endmacro %}

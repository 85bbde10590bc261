{#
  Bands of curves (`interval=0.95`): the ends of a share in each point, and how far a curve may lie beside a point.

  A pointwise band holds the true curve in one point that was chosen before the data were seen. A simultaneous band
  holds it in all points at once.
#}

{# The band that a call asks for: none, pointwise or simultaneous. #}
{% macro band_asked(plan, band) -%}
    {%- set level = plan['facts']['interval'] -%}
    {%- if band not in (none, 'pointwise', 'simultaneous') -%}
        {{- sqlmetrics.refuse("band must be one of none, pointwise, simultaneous, got " ~ band) -}}
    {%- elif band is not none and level is none -%}
        {{- sqlmetrics.refuse("band='" ~ band ~ "' needs interval=, the confidence level, such as 0.95") -}}
    {%- endif -%}
    {%- do return((band or 'pointwise') if level is not none else none) -%}
{%- endmacro %}

{# Rejects interval= of a curve that has no band. #}
{% macro check_band(plan, kind, columns) -%}
    {%- if plan['band'] is not none and not columns | selectattr('end', 'defined') | list -%}
        {{- sqlmetrics.refuse(
            "interval= gives the bands of roc, det, precision_recall and calibration; leave it out for " ~ kind
        ) -}}
    {%- endif -%}
{%- endmacro %}

{# The columns of a band, from columns of sm_points that bear their names. #}
{% macro columns_of_band(names) -%}
    {%- set columns = [] -%}
    {%- for name in names -%}
        {%- for end in ('low', 'high') -%}
            {%- do columns.append({'name': name ~ '_' ~ end, 'value': 'sm_' ~ name ~ '_' ~ end, 'end': end}) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{#
  The weight of the rows of one class, as a number of independent rows.

  Args:
    total: their weight
    name: the name of the sum of their squared weights
    condition: a template, true for a row of the class
#}
{% macro rows_of_class(plan, total, name, condition) -%}
    {%- if plan['facts']['weight'] is none -%}{%- do return(total) -%}{%- endif -%}
    {%- set squares = sqlmetrics.row_sum(plan, name, '{weight} * ' ~ sqlmetrics.row_count_if(plan, condition)) -%}
    {%- do return(sqlmetrics.ratio(total ~ ' * ' ~ total, squares)) -%}
{%- endmacro %}

{# The ends of a share by Wilson. #}
{% macro wilson_ends(share, rows, z) -%}
    {%- do return({
        'low': sqlmetrics.wilson_low(share, rows, z),
        'high': '(1 - ' ~ sqlmetrics.wilson_low('(1 - ' ~ share ~ ')', rows, z) ~ ')',
    }) -%}
{%- endmacro %}

{# A number, cut at 0 and 1. #}
{% macro within_unit(x) -%}
    {%- do return('case when ' ~ x ~ ' < 0 then 0 when ' ~ x ~ ' > 1 then 1 else ' ~ x ~ ' end') -%}
{%- endmacro %}

{#
  The ends between which a distribution function lies at all values at once, with the probability `level`.

  Source: Massart (1990), doi:10.1214/aop/1176990746, for the inequality of Dvoretzky, Kiefer and Wolfowitz
#}
{% macro ends_everywhere(share, rows, level) -%}
    {%- set reach = sqlmetrics.ratio((sqlmetrics.logarithm(2 / (1 - level)) / 2) ** 0.5, 'sqrt(' ~ rows ~ ')') -%}
    {%- do return({
        'low': sqlmetrics.within_unit('(' ~ share ~ ' - ' ~ reach ~ ')'),
        'high': sqlmetrics.within_unit('(' ~ share ~ ' + ' ~ reach ~ ')'),
    }) -%}
{%- endmacro %}

{#
  Wilson's ends with a correction for continuity. They hold for large z and few rows as well, where Wilson's own do not.

  Source: Newcombe (1998), Two-sided confidence intervals for the single proportion, method 4
#}
{% macro corrected_ends(share, rows, z) -%}
    {%- do return({
        'low': sqlmetrics.corrected_low(share, rows, z),
        'high': '(1 - ' ~ sqlmetrics.corrected_low('(1 - ' ~ share ~ ')', rows, z) ~ ')',
    }) -%}
{%- endmacro %}

{# The lower of them: Wilson's of a share with half a row less. #}
{% macro corrected_low(share, rows, z) -%}
    {%- set less = '(' ~ share ~ ' - ' ~ sqlmetrics.ratio('0.5', rows) ~ ')' -%}
    case when {{ less }} <= 0 then 0 else {{ sqlmetrics.wilson_low(less, rows, z) }} end
{%- endmacro %}

{# The influence of a row on average precision. stages/levels/precisions.sql makes the columns that it reads. #}

{# True if the influence is asked for: with an interval that does not come from resamples. #}
{% macro precision_has_influence(plan) -%}
    {%- do return(
        plan['facts']['interval'] is not none and plan['facts']['interval_method'] != 'bootstrap'
            and sqlmetrics.sql_sums_with_ties()
    ) -%}
{%- endmacro %}

{#
  A value: average precision from the precisions of the positive rows, with its influence.

  Let N and TP be the weight of the rows and of the positive rows down to a level, P = TP / N, and W the weight of the
  positive rows. AP is the mean of P over them. More weight on a row adds its own P, if it is positive, and changes P of
  each level from its own on down: by (1 - P) / N if it is positive, else by -P / N. So the derivative is
  (y (P - AP + A) - B) / W, where A and B are the sums of w / N and of w P / N over the positive rows of its level and
  below. AP is a ratio of sums of degree 1, so that the derivatives times the weights sum to 0.

  The positive rows, or the lists that have one, carry the value: their number is the number of units of an interval.

  Source: Hampel (1974), doi:10.1080/01621459.1974.10482962, for influences; Jaeckel (1972), The infinitesimal
    jackknife, for their variance
#}
{% macro precision_with_influence(plan) -%}
    {%- for role in ('label', 'score') -%}{{- sqlmetrics.need_role(plan, role) -}}{%- endfor -%}
    {%- set positive, weight = sqlmetrics.positive_of(plan), sqlmetrics.row_positives(plan) -%}
    {%- set precision = sqlmetrics.ratio(
        sqlmetrics.need(
            plan, 'precisions', 'sum_of_precisions', sqlmetrics.row_weighted(plan, positive ~ ' * {precision}')
        ),
        weight
    ) -%}
    {%- set deviation = '(' ~ positive ~ ' * ({precision} - ' ~ precision ~ ' + {reciprocals}) - {shares})' -%}
    {%- set spread = sqlmetrics.spread_by_influence(
        plan, 'rows', sqlmetrics.row_weighted(plan, deviation), sqlmetrics.usable_weight(plan),
        sqlmetrics.sql_double(weight)
    ) -%}
    {%- do spread.update({'carried_by': sqlmetrics.row_weighted(plan, positive)}) -%}
    {%- do return(dict(sqlmetrics.held_in_range(sqlmetrics.bounded_value(precision)), spread=spread)) -%}
{%- endmacro %}

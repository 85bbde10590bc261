{#
  The overlap of the rankings of a list by score and by label. An item is in both tops from the
  depth on that is its lower rank, so that sums over depths are sums over items.
#}

{#
  The mean over lists of a weighted sum of the overlaps at the depths down to K, the smaller of k and the length.

  Args:
    weights: the weights of an item that is in both tops at depth 1, 2, ... k; none for the last depth alone
    lasts: its further weight at the last depth, if this is 1, 2, ... k
    by_length: true to divide by K
#}
{% macro overlap_of_rankings(plan, k, weights, lasts, by_length=false) -%}
    {{- sqlmetrics.number(plan, 'k', k, 1, 100, true) -}}
    {{- sqlmetrics.need_role(plan, 'label') -}}
    {%- if plan['facts']['truth'] is not none -%}
        {{- sqlmetrics.refuse_metric(
            plan, "compares the rankings of the same rows by score and by label; leave truth= out"
        ) -}}
    {%- endif -%}
    {%- set length, name = sqlmetrics.length_of_top(plan, k), plan['asked']['prefix'] -%}
    {%- set depth = '(case when {place} > {label_place} then {place} else {label_place} end)' -%}
    {%- set both = sqlmetrics.need(
        plan, 'tops', 'in_both_' ~ k, 'case when ' ~ depth ~ ' <= ' ~ k ~ ' then 1 else 0 end'
    ) -%}
    {%- if weights is none -%}
        {%- set sum = both -%}
    {%- else -%}
        {%- set through, ns = [0], namespace(sum=0) -%}
        {%- for weight in weights -%}
            {%- set ns.sum = ns.sum + weight -%}
            {%- do through.append(ns.sum) -%}
        {%- endfor -%}
        {#- an item that is in both tops from depth m on lacks the weights down to m - 1 -#}
        {%- set lacking = sqlmetrics.need(
            plan, 'tops', name ~ '_lacking', sqlmetrics.number_at(depth, through[:-1], sqlmetrics.sql_double('0'))
        ) -%}
        {%- set whole = [] -%}
        {%- for sum in through[1:] -%}
            {%- do whole.append(sum + (lasts[loop.index0] if lasts is not none else 0)) -%}
        {%- endfor -%}
        {%- set sum = '(' ~ both ~ ' * ' ~ sqlmetrics.number_at(length, whole, 'null') ~ ' - ' ~ lacking ~ ')' -%}
    {%- endif -%}
    {%- set sums = sqlmetrics.need(
        plan, 'top_lists', name ~ '_of_lists', sqlmetrics.ratio(sum, length) if by_length else sum
    ) -%}
    {%- do return(sqlmetrics.held_in_range(
        sqlmetrics.bounded_value(sqlmetrics.ratio(sums, sqlmetrics.lists_of_tops(plan)))
    )) -%}
{%- endmacro %}

{# The first of some numbers where x is 1, the second where it is 2, and so on. #}
{% macro number_at(x, numbers, otherwise) -%}
    {%- set branches = [] -%}
    {%- for number in numbers -%}
        {%- do branches.append('when ' ~ loop.index ~ ' then ' ~ sqlmetrics.sql_double(number)) -%}
    {%- endfor -%}
    (case {{ x }} {{ branches | join(' ') }} else {{ otherwise }} end)
{%- endmacro %}

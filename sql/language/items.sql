{#
  The words in which metrics of items are written: what a recommended item is worth, means of it over lists, and how often
  an item is shown. They read the top k of each list and no label, so that a table of recommendations is enough.

  The top k is cut by score, and by item where scores are tied (descending with ties='item desc'), whatever `ties` says
  otherwise: a set of items is needed, and a unique key makes it the same in every run.
#}

{# What every metric of items asks for; gives the suffix of columns that are cut at k. #}
{% macro top(plan, k) -%}
    {%- for role in ('group', 'item', 'score') -%}{{- sqlmetrics.need_role(plan, role) -}}{%- endfor -%}
    {%- if plan['truth'] is not none -%}{{- sqlmetrics.need_role(plan, 'label') -}}{%- endif -%}
    {%- if plan['weight'] is not none -%}
        {{- sqlmetrics.refuse("sqlmetrics." ~ plan['metric'] ~ ": a metric of items takes no weight=") -}}
    {%- endif -%}
    {%- do plan['depths'].append(k) -%}
    {{- sqlmetrics.cutoff_suffix(plan, k) -}}
{%- endmacro %}

{# x for an item of the top k, else 0. #}
{% macro in_top(k, x, place='{place}') -%}
    {{ x if k is none else 'case when ' ~ place ~ ' <= ' ~ k ~ ' then ' ~ x ~ ' else 0 end' }}
{%- endmacro %}

{# x for a pair of which both items are in the top k, else 0. #}
{% macro both_in_top(k, x) -%}
    {{ sqlmetrics.in_top(k, sqlmetrics.in_top(k, x, '{other.sm_place}'), '{one.sm_place}') }}
{%- endmacro %}

{# The number of items in the top k of a list. #}
{% macro length_of_top(plan, k) -%}
    {{- sqlmetrics.need(plan, 'tops', 'length' ~ sqlmetrics.top(plan, k), sqlmetrics.in_top(k, '1')) -}}
{%- endmacro %}

{# The number of lists that recommend something. #}
{% macro lists_of_tops(plan) -%}{{ sqlmetrics.need(plan, 'top_lists', 'n_top_lists', '1') }}{%- endmacro %}

{# The mean over lists of the mean of x over the items of their top k. #}
{% macro mean_over_tops(plan, name, k, x) -%}
    {%- set suffix = sqlmetrics.top(plan, k) -%}
    {%- set total = sqlmetrics.need(plan, 'tops', name ~ suffix, sqlmetrics.in_top(k, x)) -%}
    {%- set means = sqlmetrics.need(
        plan, 'top_lists', name ~ '_means' ~ suffix, sqlmetrics.ratio(total, sqlmetrics.length_of_top(plan, k))
    ) -%}
    {{- sqlmetrics.ratio(means, sqlmetrics.lists_of_tops(plan)) -}}
{%- endmacro %}

{# The lists in whose top k an item is. #}
{% macro exposure_of_item(plan, k) -%}
    {{- sqlmetrics.need(plan, 'exposed', 'exposure' ~ sqlmetrics.top(plan, k), sqlmetrics.in_top(k, '1')) -}}
{%- endmacro %}

{# The places that all lists have in their top k. #}
{% macro exposures(plan, k) -%}
    {{- sqlmetrics.need(
        plan, 'exposures', 'exposures' ~ sqlmetrics.top(plan, k), sqlmetrics.exposure_of_item(plan, k)
    ) -}}
{%- endmacro %}

{# The number of items that could be recommended; the metric is null where the top k has others. #}
{% macro catalog_size(plan, k) -%}
    {{- sqlmetrics.need_table(
        plan, 'catalog', 'a table of the items that could be recommended; that of history= serves, too'
    ) -}}
    {{- sqlmetrics.require(
        plan, 'exposures', 'items_not_in_catalog' ~ sqlmetrics.top(plan, k),
        sqlmetrics.exposure_of_item(plan, k) ~ ' > 0 and {catalog.sm_item} is null',
        'recommended items are not in catalog=, the items that could be recommended'
    ) -}}
    {{- sqlmetrics.require(
        plan, 'catalog_items', 'catalog_bad_items', '{item} is null', 'item of catalog= is NULL; leave it out'
    ) -}}
    {{- sqlmetrics.need(plan, 'catalog_items', 'catalog_size', 'case when {item} is not null then 1 else 0 end') -}}
{%- endmacro %}

{# The past interactions; the metric is null where one lacks its group or item. #}
{% macro need_history(plan) -%}
    {{- sqlmetrics.need_table(plan, 'history', 'a table of past interactions, with the columns of group= and item=') -}}
    {{- sqlmetrics.require(
        plan, 'interactions', 'history_bad_rows', '{group} is null or {item} is null',
        'rows of history= have a NULL group or item; leave them out'
    ) -}}
{%- endmacro %}

{# A column of sm_popularity; null for an item without a past. #}
{% macro popularity_of(plan, column) -%}
    {{- sqlmetrics.need_history(plan) -}}
    {{- column -}}
{%- endmacro %}

{# The number of past interactions, or of the users who had them. #}
{% macro past(plan, popularity) -%}
    {%- if popularity == 'users' -%}
        {{- sqlmetrics.need(plan, 'interactions', 'past_users', 'distinct {group}', 'count') -}}
    {%- else -%}
        {{- sqlmetrics.need(plan, 'interactions', 'past_interactions', '1') -}}
    {%- endif -%}
{%- endmacro %}

{# Refuses a metric whose table was not given. #}
{% macro need_table(plan, role, what) -%}
    {%- if plan[role] is none -%}
        {{- sqlmetrics.refuse("sqlmetrics." ~ plan['metric'] ~ ": needs " ~ role ~ "=, " ~ what) -}}
    {%- endif -%}
{%- endmacro %}

{# The place of an item by the lists in whose top k it is, from the most shown down. #}
{% macro exposure_order(plan, k) -%}
    {%- set exposure = sqlmetrics.holes(sqlmetrics.exposure_of_item(plan, k))[0] -%}
    {%- if exposure not in plan['exposure_orders'] -%}{%- do plan['exposure_orders'].append(exposure) -%}{%- endif -%}
    {{- sqlmetrics.declare(plan, 'exposures', exposure ~ '_order') -}}
{%- endmacro %}

{#
  Helper macros for metrics of items: the worth of a recommended item, means of it over lists, and the exposure of
  items. They read the top k of each list and no label, so a table of recommendations is enough.

  The top k is cut by score; tied scores are ordered by item (descending with ties='item desc'), whatever else `ties`
  says. These metrics need a set of items, and a unique key gives the same set in every run.
#}

{# The needs common to all metrics of items. Returns the suffix of columns that are cut at k. #}
{% macro item_top(plan, k) -%}
    {%- for role in ('group', 'item', 'score') -%}{{- sqlmetrics.need_role(plan, role) -}}{%- endfor -%}
    {%- if plan['facts']['truth'] is not none -%}{{- sqlmetrics.need_role(plan, 'label') -}}{%- endif -%}
    {%- if plan['facts']['soft'] -%}{{- sqlmetrics.refuse_soft(plan, 'it is of items, and not of rows') -}}{%- endif -%}
    {%- if plan['facts']['weight'] is not none -%}
        {{- sqlmetrics.refuse_metric(plan, "a metric of items takes no weight=") -}}
    {%- endif -%}
    {%- do plan['depths'].append(k) -%}
    {{- sqlmetrics.cutoff_suffix(plan, k) -}}
{%- endmacro %}

{# x for an item of the top k, else 0. #}
{% macro item_in_top(k, x, place='{place}') -%}
    {{ x if k is none else 'case when ' ~ place ~ ' <= ' ~ k ~ ' then ' ~ x ~ ' else 0 end' }}
{%- endmacro %}

{# x for a pair with both items in the top k, else 0. #}
{% macro item_pair_in_top(k, x) -%}
    {{ sqlmetrics.item_in_top(k, sqlmetrics.item_in_top(k, x, '{other.sm_place}'), '{one.sm_place}') }}
{%- endmacro %}

{# The number of items in the top k of a list. #}
{% macro length_of_top(plan, k) -%}
    {{- sqlmetrics.need(plan, 'tops', 'length' ~ sqlmetrics.item_top(plan, k), sqlmetrics.item_in_top(k, '1')) -}}
{%- endmacro %}

{# The number of lists that recommend anything. #}
{% macro lists_of_tops(plan) -%}{{ sqlmetrics.need(plan, 'top_lists', 'n_top_lists', '1') }}{%- endmacro %}

{# The mean over lists of the mean of x over the items of their top k. #}
{% macro mean_over_tops(plan, name, k, x) -%}
    {%- set suffix = sqlmetrics.item_top(plan, k) -%}
    {%- set total = sqlmetrics.need(plan, 'tops', name ~ suffix, sqlmetrics.item_in_top(k, x)) -%}
    {%- set means = sqlmetrics.need(
        plan, 'top_lists', name ~ '_means' ~ suffix, sqlmetrics.ratio(total, sqlmetrics.length_of_top(plan, k))
    ) -%}
    {{- sqlmetrics.ratio(means, sqlmetrics.lists_of_tops(plan)) -}}
{%- endmacro %}

{# The number of lists that have an item in their top k. #}
{% macro exposure_of_item(plan, k) -%}
    {{- sqlmetrics.need(plan, 'exposed', 'exposure' ~ sqlmetrics.item_top(plan, k), sqlmetrics.item_in_top(k, '1')) -}}
{%- endmacro %}

{# The number of places in the top k of all lists together. #}
{% macro exposures(plan, k) -%}
    {{- sqlmetrics.need(
        plan, 'exposures', 'exposures' ~ sqlmetrics.item_top(plan, k), sqlmetrics.exposure_of_item(plan, k)
    ) -}}
{%- endmacro %}

{# The number of items that could be recommended. The metric is NULL if the top k has other items. #}
{% macro catalog_size(plan, k) -%}
    {{- sqlmetrics.need_item_table(
        plan, 'catalog', 'a table of the items that could be recommended; that of history= serves, too'
    ) -}}
    {{- sqlmetrics.require(
        plan, 'exposures', 'items_not_in_catalog' ~ sqlmetrics.item_top(plan, k),
        sqlmetrics.exposure_of_item(plan, k) ~ ' > 0 and {catalog.sm_item} is null',
        'recommended items are not in catalog=, the items that could be recommended'
    ) -}}
    {{- sqlmetrics.require(
        plan, 'catalog_items', 'catalog_bad_items', '{item} is null', 'item of catalog= is NULL; leave it out'
    ) -}}
    {{- sqlmetrics.need(plan, 'catalog_items', 'catalog_size', 'case when {item} is not null then 1 else 0 end') -}}
{%- endmacro %}

{# Needs the past interactions. The metric is NULL if one of them lacks its group or item. #}
{% macro need_history(plan) -%}
    {{- sqlmetrics.need_item_table(
        plan, 'history', 'a table of past interactions, with the columns of group= and item='
    ) -}}
    {{- sqlmetrics.require(
        plan, 'interactions', 'history_bad_rows', '{group} is null or {item} is null',
        'rows of history= have a NULL group or item; leave them out'
    ) -}}
{%- endmacro %}

{#
  A column of sm_popularity; NULL for an item without past interactions. If no item of any list has some, items may be
  written otherwise in the history, which is noted.
#}
{% macro popularity_of(plan, k, column) -%}
    {{- sqlmetrics.need_history(plan) -}}
    {%- set hints = plan['result']['checks'].values() | map(attribute='name') | list -%}
    {%- if sqlmetrics.gives_hints(plan) and 'groups_in_history' not in hints -%}
        {%- set known = sqlmetrics.need(
            plan, 'tops', 'known' ~ sqlmetrics.item_top(plan, k),
            sqlmetrics.item_in_top(k, 'case when ' ~ column ~ ' is null then 0 else 1 end')
        ) -%}
        {%- do sqlmetrics.hint(plan, 'groups_in_history', known ~ ' > 0', grain='top_lists') -%}
    {%- endif -%}
    {{- column -}}
{%- endmacro %}

{# The number of past interactions, or of the users in them. #}
{% macro item_past(plan, popularity) -%}
    {%- if popularity == 'users' -%}
        {{- sqlmetrics.need(plan, 'interactions', 'past_users', 'distinct {group}', 'count') -}}
    {%- else -%}
        {{- sqlmetrics.need(plan, 'interactions', 'past_interactions', '1') -}}
    {%- endif -%}
{%- endmacro %}

{# Rejects a metric whose table was not given. #}
{% macro need_item_table(plan, role, what) -%}
    {%- if plan['facts'][role] is none -%}
        {{- sqlmetrics.refuse_metric(plan, "needs " ~ role ~ "=, " ~ what) -}}
    {%- endif -%}
{%- endmacro %}

{# The place of an item in the order of exposure, from the most shown down. #}
{% macro exposure_order(plan, k) -%}
    {%- set exposure = sqlmetrics.holes(sqlmetrics.exposure_of_item(plan, k))[0] -%}
    {%- if exposure not in plan['exposure_orders'] -%}{%- do plan['exposure_orders'].append(exposure) -%}{%- endif -%}
    {{- sqlmetrics.declare(plan, 'exposures', exposure ~ '_order') -}}
{%- endmacro %}

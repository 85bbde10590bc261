{#
  Weights of items inside their lists, such as inverse propensities. The parameter `item_weight` of a metric names the
  column, which is in the truth if there is one. The contribution of an item to its list is multiplied by its weight.
  Ranks ignore weights, and with them ties and cutoffs. Expectations over ties are exact, since each is a sum over
  items. With ties='worst' or 'best', items with equal score and label share their weights equally, since no rule orders
  them.
#}

{# The column of the weight of an item; 1 if a metric names none. #}
{% macro item_weight(plan, name) -%}
    {%- if name is none -%}{%- do return('1') -%}{%- endif -%}
    {%- do return(sqlmetrics.hole_of_item_weight(
        plan, sqlmetrics.named_column(plan, name, ''),
        'rows of relevant items have an item_weight ' ~ name ~ ' that is missing, NaN, infinite or negative'
    )) -%}
{%- endmacro %}

{#
  The inverse of the propensity of an item.

  Args:
    propensity: the column of the probability that a user examines the item where it was shown
    clip: the greatest weight, a number; none for any
  Errors: no column; a propensity outside (0, 1] of an item that contributes to its list
#}
{% macro inverse_propensity(plan, propensity, clip) -%}
    {%- if propensity is none -%}
        {{- sqlmetrics.refuse_metric(
            plan, "needs propensity=, the column of the probability that a user examines the item where it was shown"
        ) -}}
    {%- endif -%}
    {%- set name = sqlmetrics.row_column_unquoted(propensity) -%}
    {%- set chance = sqlmetrics.sql_double(sqlmetrics.named_column(plan, name, '')) -%}
    {%- set weight = '1 / ' ~ chance -%}
    {%- if clip is not none -%}
        {{- sqlmetrics.number(plan, 'clip', clip, 1) -}}
        {%- set weight = 'case when ' ~ weight ~ ' > ' ~ clip ~ ' then ' ~ sqlmetrics.sql_double(clip) ~ ' else '
            ~ weight ~ ' end' -%}
    {%- endif -%}
    {%- do return(sqlmetrics.hole_of_item_weight(
        plan, 'case when ' ~ chance ~ ' > 0 and ' ~ chance ~ ' <= 1 then ' ~ weight ~ ' end',
        'rows of clicked items have a propensity (' ~ name ~ ') that is missing or outside (0, 1], but an item that was'
            ~ ' clicked was examined with a probability above 0'
    )) -%}
{%- endmacro %}

{# The hole of a weight of items, with the check that each item that contributes has one. #}
{% macro hole_of_item_weight(plan, source, message) -%}
    {%- if source not in plan['item_weights'] -%}
        {%- do plan['item_weights'].update({source: 'item_weight_' ~ (plan['item_weights'] | length + 1)}) -%}
    {%- endif -%}
    {%- set column = plan['item_weights'][source] -%}
    {%- for grain in ('rows', 'grade_sums', 'item_sums', 'best_items') -%}
        {%- do sqlmetrics.declare(plan, grain, column) -%}
    {%- endfor -%}
    {{- sqlmetrics.require(
        plan, 'rows', 'rows_' ~ column ~ '_unclear', '(' ~ sqlmetrics.adds_to_list(plan) ~ ') and {' ~ column ~ '} < 0',
        message ~ (', or not the same in all copies of the item' if plan['facts']['truth'] is not none)
    ) -}}
    {%- do return('{' ~ column ~ '}') -%}
{%- endmacro %}

{#
  The place of an item in the order of its list by what it is worth, from the best down, and the worth: two holes of the
  grain best_items.

  Args:
    worth: a template over the label and the weight of an item
#}
{% macro best_place(plan, worth) -%}
    {%- if worth not in plan['best_orders'] -%}
        {%- do plan['best_orders'].update({worth: 'worth_' ~ (plan['best_orders'] | length + 1)}) -%}
        {%- do sqlmetrics.note_reads(plan, 'best_items', sqlmetrics.holes(worth)) -%}
    {%- endif -%}
    {%- set name = plan['best_orders'][worth] -%}
    {%- do return([
        sqlmetrics.declare(plan, 'best_items', name ~ '_place'), sqlmetrics.declare(plan, 'best_items', name),
    ]) -%}
{%- endmacro %}

{# The condition under which an item contributes to some metric of its list. #}
{% macro adds_to_list(plan) -%}
    {label} > 0{{ ' or ' ~ sqlmetrics.is_relevant(plan)
        if plan['facts']['positive'] is number and plan['facts']['positive'] <= 0 }}
{%- endmacro %}

{# True if items that no rule orders share their weights, or their exposure. #}
{% macro shares_item_weights(plan) -%}
    {%- do return(
        (plan['item_weights'] | length > 0 or plan['list_subsets'] | length > 0)
        and plan['facts']['ties'] in ('worst', 'best')
    ) -%}
{%- endmacro %}

{# The window of the items that no rule orders. #}
{% macro items_alike() -%}
    partition by sm_list, {{ sqlmetrics.sql_partition_key('sm_score') }}, {{ sqlmetrics.sql_partition_key('sm_label') }}
{%- endmacro %}

{# The weights of the items of sm_gaining_items. #}
{% macro gaining_item_weights(plan) -%}
    {%- set columns, alike = [], sqlmetrics.items_alike() -%}
    {%- for column in sqlmetrics.item_weight_columns(plan) -%}
        {%- do columns.append(
            'avg(' ~ column ~ ') over (' ~ alike ~ ') as ' ~ column if sqlmetrics.shares_item_weights(plan) else column
        ) -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{# The expected weight of the first relevant item of a list: the mean over the relevant items of its block. #}
{% macro first_item_weight(plan, weight) -%}
    {%- if plan['facts']['ties'] == 'average' -%}
        {%- set first, alike = '{relevant_through} = {relevant_tied}', ' / {relevant_tied}' -%}
    {%- else -%}
        {%- set first, alike = '{relevant_through} = 1', '' -%}
    {%- endif -%}
    {{- sqlmetrics.item_sum(
        plan, none, 'first_' ~ sqlmetrics.holes(weight)[0],
        'case when ' ~ sqlmetrics.is_relevant(plan) ~ ' and ' ~ first ~ ' then ' ~ weight ~ alike ~ ' else 0 end'
    ) -}}
{%- endmacro %}

{# The columns of the weights of items in a statement. #}
{% macro item_weight_columns(plan) -%}
    {%- do return(sqlmetrics.prefixed(plan['item_weights'].values(), 'sm_')) -%}
{%- endmacro %}

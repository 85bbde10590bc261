{# The ranked plan of lists: from ranked items to sums over the items of each list. #}

{#
  The filter that keeps the items down to the deepest cutoff, with its ties if they matter. It exists only if every sum
  that reads the items above has a cutoff, and two sums would not read the rows twice; otherwise `none`.
#}
{% macro top_of_lists(plan) -%}
    {%- if sqlmetrics.sql_copies_stages() -%}{%- do return(none) -%}{%- endif -%}
    {%- set ns, ranks = namespace(ends=false), [] -%}
    {%- for need in plan['needs']['item_sums'].values() -%}
        {%- do ranks.extend(need['reach']) -%}
        {%- if need['holes'] | select(
            'in', ['relevant_through', 'relevant_tied', 'pessimistic_rank', 'pessimistic_relevant', 'reached']
        ) | list -%}
            {%- if none in need['reach'] -%}{%- do return(none) -%}{%- endif -%}
            {%- set ns.ends = true -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if not ns.ends -%}{%- do return(none) -%}{%- endif -%}
    {%- set last = ranks | select('number') | max | default(none) -%}
    {%- do return(
        (['sm_tie_first <= ' ~ last] if last is not none else [])
        + (['sm_tie_first < sm_tie_last'] if 'tied' in ranks else [])
    ) -%}
{%- endmacro %}

{#
  The stages from sm_ranked_items to sm_item_sums, one row for each list. sm_gaining_items: the rows with the
  counts above them. If these end at a cutoff (top_of_lists), only the rows down to it are read, and
  sm_top_sums are the sums that end there too.
#}
{% macro stages_of_item_sums(plan, top) -%}
{%- set keys = sqlmetrics.keys_by_slice(plan) -%}
{%- set in_top, in_whole = [], [] -%}
{%- for column, need in plan['needs']['item_sums'].items() -%}
    {%- do (in_top if top and none not in need['reach'] else in_whole).append(column) -%}
{%- endfor -%}
{%- set above = sqlmetrics.columns_above(plan) -%}
{%- set gaining = 'sm_gaining_items' if top or above else 'sm_ranked_items' -%}
{%- set slices = [] -%}
{%- for column in sqlmetrics.slices_of_parts(plan) -%}
    {%- do slices.append('max(' ~ gaining ~ '.' ~ column ~ ') as ' ~ column) -%}
{%- endfor -%}
{%- set grade_sums = slices + sqlmetrics.grade_sums_by_rank(plan, 'sm_ranked_items' if top else gaining) -%}
{%- if top or above -%}
-- the items that gain something, and what stands above them
sm_gaining_items as{{ sqlmetrics.sql_cte_inline() }} (
    select
        {{- sqlmetrics.lines(['sm_ranked_items.*'] + above, 8) }}
    from sm_ranked_items
    {%- if top %}
    where {{ top | join(' or ') }}
    {%- endif %}
),

{% endif -%}
{%- if top -%}
-- what a list gains by the items of its top
sm_top_sums as (
    {{ sqlmetrics.summed_items(plan, gaining, keys, sqlmetrics.sums_of_items(plan, gaining, in_top), in_top) }}
),

-- what it gains by all of them
sm_whole_sums as (
    {{ sqlmetrics.summed_items(
        plan, 'sm_ranked_items', keys, grade_sums + sqlmetrics.sums_of_items(plan, 'sm_ranked_items', in_whole),
        in_whole, true
    ) }}
)
{%- if plan['needs']['hits'] -%}
,

-- what a list gains: the numerators of the metrics
sm_item_sums as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(['sm_whole_sums.*'] + in_top, 8) }}
    from sm_whole_sums
    left join sm_top_sums on {{ sqlmetrics.same_keys(keys, 'sm_whole_sums', 'sm_top_sums') }}
)
{%- endif -%}
{%- elif sqlmetrics.sums_are_lists(plan, top) -%}
-- a row for each list: all that its metrics read
sm_lists as{{ sqlmetrics.sql_cte_shared() }} (
    {{ sqlmetrics.summed_items(
        plan, gaining, keys, sqlmetrics.slices_of_lists(plan, gaining) + grade_sums
            + sqlmetrics.sums_of_items(plan, gaining, complete=true),
        in_whole, true, sqlmetrics.name_of_list(plan, gaining) != []
    ) }}
)
{%- else -%}
-- what a list gains: the numerators of the metrics
sm_item_sums as{{ sqlmetrics.sql_cte_shared() }} (
    {{ sqlmetrics.summed_items(
        plan, gaining, keys, grade_sums + sqlmetrics.sums_of_items(plan, gaining, in_whole), in_whole, true
    ) }}
)
{%- endif -%}
{%- endmacro %}

{#
  Sums over the items of a list: select-list entries. A column of items that has the name of a sum of lists is
  qualified, because some engines would take the sum.

  Args:
    source: the stage of the items
    only: the columns that are wanted, or none for all
    complete: true to have 0 where nothing is added up
#}
{% macro sums_of_items(plan, source, only=none, complete=false) -%}
    {%- set texts = dict(plan['literals'] or {}) -%}
    {%- for need in plan['needs']['grade_sums'].values() if sqlmetrics.reads(plan, 'item_sums', need['name']) -%}
        {%- do texts.update({need['name']: source ~ '.sm_' ~ need['name']}) -%}
    {%- endfor -%}
    {%- set columns = [] -%}
    {%- for column, need in plan['needs']['item_sums'].items() if only is none or column in only -%}
        {%- set sum = sqlmetrics.sql_aggregate(
            need['aggregate'], sqlmetrics.with_holes(need['inner'], texts, 'sm_')
        ) -%}
        {%- set adds_up = complete and need['aggregate'] == 'sum' -%}
        {%- do columns.append(('coalesce(' ~ sum ~ ', 0)' if adds_up else sum) ~ ' as ' ~ column) -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{#
  Whether the sums over items are all that metrics read of a list: if nothing is joined to them, they are sm_lists.
#}
{% macro sums_are_lists(plan, top) -%}
    {%- do return(
        not top and not plan['needs']['hits'] and not sqlmetrics.counts_duplicates(plan)
        and (not sqlmetrics.takes_lists_whole(plan) or sqlmetrics.ranks_parts_together(plan))
    ) -%}
{%- endmacro %}

{# The slices of a list that is not known to lie in several: select-list entries. #}
{% macro slices_of_lists(plan, source) -%}
    {%- do return(
        [source ~ '.sm_slice as sm_last_slice']
        if plan['facts']['by'] and not sqlmetrics.takes_lists_whole(plan) else []
    ) -%}
{%- endmacro %}

{#
  Sums over the items of each list: a select.

  Args:
    entries: its select-list entries beside the keys
    columns: the sums over items among them, which tell the discounts that are joined
    grades: true if the sums over grades are among them
    named: false to leave out the group, which is the first of the keys
#}
{% macro summed_items(plan, source, keys, entries, columns, grades=false, named=true) -%}
{%- set needs = [] -%}
{%- for column in columns -%}{%- do needs.append(plan['needs']['item_sums'][column]) -%}{%- endfor -%}
{%- if grades -%}
    {%- for need in plan['needs']['grade_sums'].values() -%}
        {%- do needs.append({'holes': sqlmetrics.holes(need['ranked'])}) -%}
    {%- endfor -%}
{%- endif -%}
select
        {{- sqlmetrics.lines((keys if named else keys[1:]) + entries, 8) }}
    from {{ source }}
    {{- sqlmetrics.join_positions(needs) }}
    group by {{ keys | join(', ') }}
{%- endmacro %}

{# The sums of lists besides their gains: select-list entries. The length is qualified as in sums_of_items. #}
{% macro grade_sums_by_rank(plan, source) -%}
    {%- set texts = dict(plan['literals'] or {}, listed=source ~ '.sm_listed') -%}
    {%- set columns = [] -%}
    {%- for column in sqlmetrics.sums_of_grades_read(plan) -%}
        {%- set need = plan['needs']['grade_sums'][column] -%}
        {%- do columns.append(sqlmetrics.with_holes(need['ranked'], texts, 'sm_') ~ ' as ' ~ column) -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{# The grain of ranked lists: the rows of lists, their ranks, and the counts above them. #}

{#
  The keys of a list, with the group first, because that sorts faster. With slices, sm_part is 0 for a whole
  list and the slice for a part of a list that lies in several; in the two-table form a list belongs to a
  slice.
#}
{% macro list_keys(plan, prefix='') -%}
    {%- set slices = plan['facts']['keys'] if not sqlmetrics.has_parts(plan)
        else sqlmetrics.model_keys(plan) + ['sm_part'] -%}
    {%- do return(sqlmetrics.prefixed(['sm_group'] + slices, prefix)) -%}
{%- endmacro %}

{#
  The columns that identify the list of a ranked row: one number, or the keys themselves for lists made by
  rank alone.
#}
{% macro list_columns(plan) -%}
    {%- do return(sqlmetrics.keys_by_slice(plan) if sqlmetrics.lists_are_by_rank(plan) else ['sm_list']) -%}
{%- endmacro %}

{# The condition that joins two stages by list. #}
{% macro same_list(plan, left, right) -%}
    {{- sqlmetrics.same_keys(sqlmetrics.list_keys(plan), left, right) -}}
{%- endmacro %}

{# True if lists may lie in several slices, and so in parts. #}
{% macro has_parts(plan) -%}
    {%- do return(plan['facts']['by'] | length > 0 and plan['facts']['truth'] is none) -%}
{%- endmacro %}

{#
  sm_grades: the number of items of each grade in a list. A list counts as a whole in the total and, if it
    lies in one slice, in that slice. If it lies in several (sm_spanning), its parts (sm_part_rows) are lists
    too.
#}
{% macro stage_grades(plan) -%}
{%- set keys = ['sm_group'] + sqlmetrics.model_keys(plan) -%}
{%- set rows = sqlmetrics.rows_of_lists(plan, sqlmetrics.sliced(plan)) -%}
{%- set counts = ['count(*) as sm_n']
    + (['sum(sm_listed) as sm_n_listed'] if plan['facts']['truth'] is not none else [])
    + (['sum(sm_unjudged) as sm_n_unjudged'] if sqlmetrics.ranks_unjudged(plan) else []) -%}
{%- if not sqlmetrics.has_parts(plan) -%}
-- how many items of each grade a list has
sm_grades as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(sqlmetrics.list_keys(plan) + ['sm_label'] + counts
            + sqlmetrics.facts_of_grade(plan, rows), 8) }}
    from {{ rows }}
    where sm_problem = 0
    group by {{ sqlmetrics.list_keys(plan) | join(', ') }}, sm_label
    {{- sqlmetrics.sql_once('sm_grades') }}
)
{%- else -%}
-- how many items of each grade a list has, taken whole
sm_whole_grades as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(keys + ['0 as sm_part', 'sm_label'] + counts + sqlmetrics.facts_of_grade(plan, rows)
            + sqlmetrics.slices_of_rows(plan, rows), 8) }}
    from {{ rows }}
    where sm_problem = 0
    group by {{ keys | join(', ') }}, sm_label
),

{{ sqlmetrics.stage_spanning(keys, 'sm_whole_grades', 'sm_last_slice') }},

-- their rows: each part is a list of its slice
sm_part_rows as{{ sqlmetrics.sql_cte_inline() }} (
    select sm_sliced.sm_slice as sm_part, sm_sliced.*
    from sm_sliced
    inner join sm_spanning on {{ sqlmetrics.same_keys(keys, 'sm_sliced', 'sm_spanning') }}
    where sm_problem = 0
),
{% if plan['facts']['on_duplicate'] == 'first' %}
-- each item once in a part
sm_unique_parts as{{ sqlmetrics.sql_cte_shared() }} (
    {{ sqlmetrics.unique_rows(plan, 'sm_part_rows', sqlmetrics.list_keys(plan)) }}
),
{% endif %}
-- how many items of each grade a list has
sm_grades as{{ sqlmetrics.sql_cte_shared() }} (
    select * from sm_whole_grades
    union all
    select
        {%- set parts = sqlmetrics.rows_of_parts(plan) -%}
        {{- sqlmetrics.lines(keys + ['sm_part', 'sm_label'] + counts + sqlmetrics.facts_of_grade(plan, parts)
            + ['sm_part as sm_slice', 'sm_part as sm_last_slice'], 8) }}
    from {{ parts }}
    group by {{ (keys + ['sm_part', 'sm_label']) | join(', ') }}
    {{- sqlmetrics.sql_once('sm_grades') }}
)
{%- endif -%}
{%- endmacro %}

{# sm_spanning, from a stage that has the first and the last slice of each row of a list. #}
{% macro stage_spanning(keys, source, last) -%}
-- lists that lie in several slices
sm_spanning as{{ sqlmetrics.sql_cte_shared() }} (
    select {{ keys | join(', ') }}
    from {{ source }}
    group by {{ keys | join(', ') }}
    having min(sm_slice) < max({{ last }})
)
{%- endmacro %}

{#
  Further columns of a list from the rows of a grade. Each column is qualified with its stage, because in some
  engines the new name would hide it.
#}
{% macro facts_of_grade(plan, rows) -%}
    {%- set columns = [] -%}
    {%- for column in sqlmetrics.list_weight_columns(plan) -%}
        {%- do columns.extend([
            'max(' ~ rows ~ '.' ~ column ~ ') as ' ~ column, 'min(' ~ rows ~ '.' ~ column ~ ') as ' ~ column ~ '_min',
        ]) -%}
    {%- endfor -%}
    {%- if sqlmetrics.reads(plan, 'grade_sums', 'split') -%}
        {%- do columns.append('max(' ~ rows ~ '.sm_split) as sm_split') -%}
    {%- endif -%}
    {%- for column in sqlmetrics.item_weight_columns(plan) -%}
        {%- do columns.append('sum(' ~ rows ~ '.' ~ column ~ ') as ' ~ column) -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{#
  sm_ranked: one sort of each list, from the highest score down. sm_tie_first: the first rank of the rows with
    the same score; sm_share: the share of the list down to the last of them. sm_rank: the row's own rank, if
    `ties` gives one.
#}
{% macro stage_ranked(plan) -%}
-- one sort of each list: the first rank of an item and of those that tie with it, and the share of the list
{{- ' down to the last' }}
sm_ranked as{{ sqlmetrics.sql_cte_inline() }} (
    {%- if sqlmetrics.has_parts(plan) %}
    {{ sqlmetrics.ranked(
        plan,
        sqlmetrics.rows_of_lists(plan, 'sm_rows'),
        ['0 as sm_part'],
        sqlmetrics.list_keys(plan) | reject('equalto', 'sm_part') | list,
    ) }}
    union all
    {{ sqlmetrics.ranked(plan, sqlmetrics.rows_of_parts(plan), ['sm_part'], sqlmetrics.list_keys(plan)) }}
    {%- else %}
    {{ sqlmetrics.ranked(
        plan, sqlmetrics.rows_of_lists(plan, sqlmetrics.sliced(plan)), [], sqlmetrics.list_keys(plan)
    ) }}
    {%- endif %}
)
{%- endmacro %}

{# The ranks of rows inside lists. #}
{% macro ranked(plan, source, part, keys) -%}
{%- set lists = 'partition by ' ~ keys | join(', ') ~ ' order by sm_score desc' -%}
{%- set unjudged = sqlmetrics.ranks_unjudged(plan) -%}
{%- set decides = dict({
    'worst': 'sm_label asc' ~ (', sm_unjudged desc' if unjudged),
    'best': 'sm_label desc' ~ (', sm_unjudged asc' if unjudged),
}, **sqlmetrics.orders_of_items()) -%}
{%- set columns = keys | reject('equalto', 'sm_part') | list + part + ['sm_label']
    + (['sm_unjudged'] if unjudged else []) + sqlmetrics.item_weight_columns(plan)
    + sqlmetrics.list_subset_columns(plan)
    + (['sm_score'] if sqlmetrics.shares_item_weights(plan) else []) -%}
{%- if sqlmetrics.ranks_blocks(plan) -%}
    {%- set columns = columns
        + ['rank() over (' ~ lists ~ ') as sm_tie_first', 'cume_dist() over (' ~ lists ~ ') as sm_share'] -%}
{%- endif -%}
{%- if sqlmetrics.ranks_items(plan) -%}
    {%- set columns = columns
        + ['row_number() over (' ~ lists ~ ', ' ~ decides[plan['facts']['ties']] ~ ') as sm_rank'] -%}
{%- endif -%}
select
        {{- sqlmetrics.lines(columns, 8) }}
    from {{ source }}
    {{- sqlmetrics.where_usable(source, ['sm_listed = 1'] if plan['facts']['truth'] is not none else []) }}
{%- endmacro %}

{# Whether the first and the last rank of the items of a score are read: always where tied scores are averaged. #}
{% macro ranks_blocks(plan) -%}
    {%- do return(plan['facts']['ties'] == 'average'
        or sqlmetrics.reads(plan, 'item_sums', ['tie_first', 'tie_last'])) -%}
{%- endmacro %}

{# Whether each item has a rank of its own, which is read, or by which other columns are ordered. #}
{% macro ranks_items(plan) -%}
    {%- do return(plan['facts']['ties'] != 'average' and (
        sqlmetrics.reads(plan, 'item_sums', 'rank') or sqlmetrics.columns_above(plan) | length > 0
    )) -%}
{%- endmacro %}

{#
  The columns about the items above an item that metrics read (plan/columns.sql, items), as select-list
  entries beside its ranks. Each is a window over the list. A column that a window orders by comes with it.
#}
{% macro columns_above(plan) -%}
{%- set average, unjudged = plan['facts']['ties'] == 'average', sqlmetrics.ranks_unjudged(plan) -%}
{%- set pessimistic = sqlmetrics.reads(plan, 'item_sums', ['pessimistic_rank', 'pessimistic_relevant', 'reached'])
    or plan['cumulative_gains'] | length > 0 -%}
{%- if not pessimistic and not sqlmetrics.reads(plan, 'item_sums', [
    'unjudged', 'unjudged_through', 'unjudged_tied', 'pooled_through', 'relevant_through', 'relevant_tied',
]) -%}
    {%- do return([]) -%}
{%- endif -%}
{%- set lists = 'partition by ' ~ sqlmetrics.list_columns(plan) | join(', ') ~ ' order by '
    ~ ('sm_tie_first' if average else 'sm_rank') ~ ' asc' -%}
{%- set down = sqlmetrics.sql_with_ties() if average else ' rows unbounded preceding' -%}
{%- set tied = ' range between current row and current row' -%}
{%- set order = lists ~ (', sm_label asc' if average else '') -%}
{%- set above = order ~ ' rows between unbounded preceding and ' -%}
{%- set relevant = 'count(case when ' ~ sqlmetrics.filled(plan, sqlmetrics.is_relevant(plan))
    ~ ' then 1 end) over (' -%}
{%- set unjudged_items = 'count(case when sm_unjudged = 1 then 1 end) over (' ~ lists -%}
{%- set columns = [] -%}
{%- if sqlmetrics.reads(plan, 'item_sums', 'relevant_through') -%}
    {%- do columns.append(relevant ~ lists ~ down ~ ') as sm_relevant_through') -%}
{%- endif -%}
{%- if sqlmetrics.reads(plan, 'item_sums', 'relevant_tied') -%}
    {%- do columns.append(relevant ~ lists ~ tied ~ ') as sm_relevant_tied') -%}
{%- endif -%}
{%- if unjudged -%}
    {%- if sqlmetrics.reads(plan, 'item_sums', 'unjudged') -%}{%- do columns.append('sm_unjudged') -%}{%- endif -%}
    {%- for name, frame in {'unjudged_through': down, 'unjudged_tied': tied}.items()
        if sqlmetrics.reads(plan, 'item_sums', name) -%}
        {%- do columns.append(unjudged_items ~ frame ~ ') as sm_' ~ name) -%}
    {%- endfor -%}
    {%- if sqlmetrics.reads(plan, 'item_sums', 'pooled_through') -%}
        {%- do columns.append(
            'count(case when sm_label < 0 then 1 end) over (' ~ lists ~ down ~ ') as sm_pooled_through'
        ) -%}
    {%- endif -%}
{%- endif -%}
{%- if pessimistic and average -%}
    {%- do columns.append(
        'sm_tie_last - count(*) over (' ~ lists ~ down ~ ') + row_number() over (' ~ order ~ ') as sm_pessimistic_rank'
    ) -%}
{%- endif -%}
{%- if sqlmetrics.reads(plan, 'item_sums', 'pessimistic_relevant') -%}
    {%- do columns.append(relevant ~ above ~ 'current row) as sm_pessimistic_relevant') -%}
{%- endif -%}
{%- for gain, name in plan['cumulative_gains'].items() -%}
    {%- do columns.append(
        'sum(' ~ sqlmetrics.filled(plan, gain) ~ ') over (' ~ above ~ 'current row) as sm_' ~ name
    ) -%}
{%- endfor -%}
{%- if sqlmetrics.reads(plan, 'item_sums', 'reached') -%}
    {%- set stops = sqlmetrics.filled(plan, sqlmetrics.stop_chance(plan)) -%}
    {%- set passed = 'case when ' ~ stops ~ ' < 1 then ' ~ sqlmetrics.sql_ln('1 - ' ~ stops) ~ ' end' -%}
    {%- do columns.append(
        sqlmetrics.sql_exp('coalesce(sum(' ~ passed ~ ') over (' ~ above ~ '1 preceding), 0)') ~ ' as sm_reached'
    ) -%}
{%- endif -%}
{%- do return(columns) -%}
{%- endmacro %}

{# Which items the sums of lists read besides those that gain something: none, tied or all. #}
{% macro items_beside_gaining(plan) -%}
    {%- if plan['list_subsets'] -%}{%- do return('all') -%}{%- endif -%}
    {%- set ns = namespace(besides='none') -%}
    {%- for need in plan['needs']['item_sums'].values() if need.get('items') != 'gaining' -%}
        {%- if need.get('items') != 'tied' -%}{%- do return('all') -%}{%- endif -%}
        {%- set ns.besides = 'tied' -%}
    {%- endfor -%}
    {%- do return(ns.besides) -%}
{%- endmacro %}

{# The sums over the grades of a list that are read beside its items. #}
{% macro grade_sums_of_items(plan) -%}
    {%- set columns = [] -%}
    {%- for column, need in plan['needs']['grade_sums'].items()
        if sqlmetrics.reads(plan, 'item_sums', need['name']) -%}
        {%- do columns.append(column) -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{#
  sm_gaining_items: the items that add to some metric, and the counts of the items above them. Items without a
    gain only take up ranks.
#}
{% macro stage_gaining_items(plan) -%}
{%- set beside = sqlmetrics.grade_sums_of_items(plan) -%}
{%- set columns = ['sm_list'] + (['sm_label'] if sqlmetrics.reads(plan, 'item_sums', 'label') else [])
    + (['sm_tie_first', 'sm_tie_last'] if sqlmetrics.ranks_blocks(plan) else [])
    + (['sm_rank'] if sqlmetrics.ranks_items(plan) else []) + beside + sqlmetrics.gaining_item_weights(plan)
    + (['sm_score'] if plan['list_subsets'] and sqlmetrics.shares_item_weights(plan) else [])
    + sqlmetrics.list_subset_columns(plan) -%}
-- the items that gain something, and what stands above them
sm_gaining_items as{{ sqlmetrics.sql_cte_shared() if plan['list_subsets'] else sqlmetrics.sql_cte_inline() }} (
    select
        {{- sqlmetrics.lines(columns + sqlmetrics.columns_above(plan), 8) }}
    from (
        select
            sm_ranked.*,
            {%- if sqlmetrics.ranks_blocks(plan) %}
            {%- set listed = sqlmetrics.filled(plan, sqlmetrics.listed_of_list(plan)) %}
            {{ sqlmetrics.from_share('sm_share', listed) }} as sm_tie_last,
            {%- endif %}
            {%- for column in beside %}
            {{ column }},
            {%- endfor %}
            sm_list
        from sm_ranked
        inner join sm_grade_sums on {{ sqlmetrics.same_list(plan, 'sm_ranked', 'sm_grade_sums') }}
    ) as sm_placed
    {%- set besides = sqlmetrics.items_beside_gaining(plan) %}
    {%- if besides != 'all' %}
    where {{ sqlmetrics.filled(plan, sqlmetrics.adds_to_list(plan)) }}
    {{- ' or sm_tie_first < sm_tie_last' if besides == 'tied' }}
    {{- ' or sm_unjudged = 1' if sqlmetrics.ranks_unjudged(plan) }}
    {%- endif %}
)
{%- endmacro %}

{#
  The ranks at which needs read the cumulative discounts. cutoffs: ranks, or none for whole lists. through: a
  rank that is read even if every list is shorter.
#}
{% macro positions_read(plan) -%}
    {%- set cutoffs, sums, ends = [], {}, {} -%}
    {%- set at, by_rank = namespace(through=none), sqlmetrics.lists_are_by_rank(plan) -%}
    {%- set of_subsets = [] -%}
    {%- for name in plan['list_subsets'] -%}{%- do of_subsets.append(name ~ '_items') -%}{%- endfor -%}
    {%- for grain in ['grade_sums', 'item_sums', 'hits'] + of_subsets -%}
        {%- for need in plan['needs'][grain].values() -%}
            {%- set counted = grain != 'grade_sums' or not by_rank -%}
            {%- set holes = need['holes'] if counted else sqlmetrics.holes(need['ranked']) -%}
            {%- for hole in holes if hole in ('position', 'chance') or '.' in hole -%}
                {%- if loop.first -%}{%- do cutoffs.extend(need['reach'] or [none]) -%}{%- endif -%}
                {%- for what in sqlmetrics.discounts_of_rank('') if '.sm_' ~ what in hole -%}
                    {%- do sums.update({'sm_' ~ what: true}) -%}
                {%- endfor -%}
                {%- do ends.update({hole: true}) -%}
            {%- endfor -%}
            {%- if need.get('through') -%}{%- set at.through = [need['through'], at.through or 0] | max -%}{%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do return({'cutoffs': cutoffs, 'through': at.through, 'sums': sums, 'ends': ends}) -%}
{%- endmacro %}

{#
  sm_positions: for each rank up to the largest that is asked for, the cumulative discounts
    (`discounts_of_rank`). sm_cutoffs: one row with their values at the cutoffs.

  The longest list bounds the ranks, unless a metric reads further. If all cutoffs are small, the largest
  cutoff bounds them, and the lists are not read: some engines compute a CTE again for each of its readers.
#}
{% macro stage_positions(plan) -%}
{%- set read = sqlmetrics.positions_read(plan) -%}
{%- set cutoffs = read['cutoffs'] | reject('none') | unique | sort -%}
{%- set least = '' if none in read['cutoffs'] else cutoffs[-1] -%}
{%- set longest = 'case when max(sm_length) < ' ~ least ~ ' then max(sm_length) else ' ~ least ~ ' end'
    if least else 'max(sm_length)' -%}
{%- set through = read['through'] -%}
{%- if through -%}
    {%- set longest = 'case when ' ~ longest ~ ' < ' ~ through ~ ' then ' ~ through ~ ' else ' ~ longest ~ ' end' -%}
{%- endif -%}
{%- set lists = sqlmetrics.list_keys(plan) | join(', ') -%}
{%- set added_up = '(select sum(sm_n) as sm_length from sm_grades group by ' ~ lists ~ ') as sm_lengths' -%}
{%- set by_group = (['sm_group'] + sqlmetrics.model_keys(plan)) | join(', ') -%}
{%- set counted = '(select count(*) as sm_length from sm_rows where sm_problem = 0 group by ' ~ by_group
    ~ ') as sm_lengths' -%}
{%- set lengths = counted if sqlmetrics.sql_copies_stages() and plan['facts']['truth'] is none
    else 'sm_ranked' if sqlmetrics.lists_are_by_rank(plan) else added_up -%}
{%- set longest = '(select ' ~ longest ~ ' as sm_longest from ' ~ lengths ~ ')' -%}
{%- if least is number and least <= 1000 and not through -%}{%- set longest = least -%}{%- endif -%}
-- for each rank, the sums of the discounts down to it
sm_positions as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {%- set columns = ['sm_position'] %}
        {%- for what, share in sqlmetrics.discounts_of_rank('sm_position').items() if 'sm_' ~ what in read['sums'] %}
            {%- do columns.append(
                'sum(' ~ share ~ ') over (order by sm_position asc rows unbounded preceding) as sm_' ~ what
            ) %}
        {%- endfor %}
        {{- sqlmetrics.lines(columns, 8) }}
    from {{ sqlmetrics.sql_positions(longest) }} as sm_ranks
)
{%- set columns = [] -%}
{%- for k in cutoffs -%}
    {%- for sum in read['sums'] if 'cutoffs.' ~ sum ~ '_' ~ k in read['ends'] -%}
        {%- do columns.append('max(case when sm_position <= ' ~ k ~ ' then ' ~ sum ~ ' end) as ' ~ sum ~ '_' ~ k) -%}
    {%- endfor -%}
{%- endfor -%}
{%- if columns -%}
,

-- those sums at the cutoffs
sm_cutoffs as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(columns, 8) }}
    from sm_positions
)
{%- endif -%}
{%- endmacro %}

{#
  Lists by their ranks alone: the plan for an engine that sorts rows in less time than it groups them
  (sql_sorts_cheaply), or that would read the rows again for each join of stages (sql_copies_stages).

  The general plan counts the items of each grade of a list (sm_grades), then ranks its rows. This plan ranks
  first and reads all rows once. It keeps the items of a list that contribute to a metric, and one row that
  knows the list's length; the ideal order is the order of the kept items. It gives the same numbers for lists
  of one table whose items and lists have no weight and are all judged, with averaged ties.
#}

{#
  Whether lists are ranked first: on an engine where that is cheaper, if this plan has every column and sum
  that metrics read. Several policies and orders of items are excluded. A bootstrap is too, because it needs
  the counts of the general plan anyway.
#}
{% macro lists_are_by_rank(plan) -%}
    {%- if not (sqlmetrics.sql_sorts_cheaply() or sqlmetrics.sql_copies_stages())
        or plan['question']['draws'] is not none
        or plan['cumulative_gains'] -%}
        {%- do return(false) -%}
    {%- endif -%}
    {%- if plan['facts']['truth'] is not none
        or plan['facts']['ties'] != 'average'
        or plan['facts']['on_duplicate'] == 'first'
        or plan['facts']['unjudged'] is not none
        or plan['item_weights']
        or sqlmetrics.items_beside_gaining(plan) != 'none' -%}
        {%- do return(false) -%}
    {%- endif -%}
    {%- set counted = sqlmetrics.counted_columns() -%}
    {%- for need in plan['needs']['grade_sums'].values() -%}
        {%- if 'ranked' not in need
            or sqlmetrics.holes(need['ranked']) | select('in', counted['grade_sums']) | list -%}
            {%- do return(false) -%}
        {%- endif -%}
        {#- an item can only carry sums that a window over the rows of its list can give -#}
        {%- if sqlmetrics.reads(plan, 'item_sums', need['name'])
            and sqlmetrics.holes(need['ranked']) | reject('in', ['label', 'n', 'listed']) | list -%}
            {%- do return(false) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(not sqlmetrics.reads(plan, 'item_sums', counted['item_sums'])) -%}
{%- endmacro %}

{# The stages, in order. #}
{% macro stages_of_lists_by_rank(plan) -%}
    {%- set stages = [sqlmetrics.stage_ranked_first(plan)] -%}
    {%- if sqlmetrics.positions_read(plan)['cutoffs'] -%}
        {%- do stages.append(sqlmetrics.stage_positions(plan)) -%}
    {%- endif -%}
    {%- set top = sqlmetrics.top_of_lists(plan) -%}
    {%- do stages.extend([
        sqlmetrics.stage_ranked_items(plan, top is not none), sqlmetrics.stages_of_item_sums(plan, top),
    ]) -%}
    {%- if plan['needs']['hits'] -%}{%- do stages.append(sqlmetrics.stage_hits(plan)) -%}{%- endif -%}
    {%- if sqlmetrics.counts_duplicates(plan) -%}
        {%- do stages.append(sqlmetrics.stage_duplicates_by_slice(plan)) -%}
    {%- endif -%}
    {%- if not sqlmetrics.sums_are_lists(plan, top) -%}
        {%- do stages.append(sqlmetrics.stage_lists_by_rank(plan, top)) -%}
    {%- endif -%}
    {%- do return(stages + sqlmetrics.stages_of_list_sums(plan)) -%}
{%- endmacro %}

{#
  The keys of a list, or of its part in a slice. sm_slice, or sm_part where both are ranked in one stage, is 0 for a
  list of several slices taken whole.
#}
{% macro keys_by_slice(plan) -%}
    {%- set part = ['sm_part'] if sqlmetrics.ranks_parts_together(plan)
        else ['sm_slice'] if plan['facts']['by'] else [] -%}
    {%- do return(['sm_group'] + sqlmetrics.model_keys(plan) + part) -%}
{%- endmacro %}

{#
  Whether lists and their parts are ranked in one stage, each row with the first and the last slice of its list
  (stage_list_rows).
#}
{% macro ranks_parts_together(plan) -%}
    {%- do return(sqlmetrics.takes_lists_whole(plan) and sqlmetrics.sql_copies_stages()) -%}
{%- endmacro %}

{# The columns with these slices. #}
{% macro slices_of_parts(plan) -%}
    {%- do return(['sm_slice', 'sm_last_slice'] if sqlmetrics.ranks_parts_together(plan) else []) -%}
{%- endmacro %}

{# The stage with the rows of each list in each slice. #}
{% macro parts_by_rank(plan) -%}
    {{ 'sm_ranked_parts' if sqlmetrics.takes_lists_whole(plan) and not sqlmetrics.ranks_parts_together(plan)
        else 'sm_ranked' }}
{%- endmacro %}

{#
  A sum over the rows of a list (grain group_sums), from the rows that know it; the number of rows is the
  length.
#}
{% macro group_sum_by_rank(plan, column) -%}
max({{ 'sm_length' if plan['needs']['group_sums'][column]['inner'] == sqlmetrics.usable_weight(plan) else column }})
{%- endmacro %}

{#
  True if lists that lie in several slices are also read as a whole: in a total, and in a state, from which a
  total may be made.
#}
{% macro takes_lists_whole(plan) -%}
    {%- do return(plan['facts']['by'] and (plan['facts']['total'] or plan['question']['adds_up'])) -%}
{%- endmacro %}

{#
  sm_ranked: the kept rows. Lists are ranked in each slice. Lists that lie in several slices (sm_spanning) are
    also ranked as a whole, for the total.
#}
{% macro stage_ranked_first(plan) -%}
{%- set keys = sqlmetrics.keys_by_slice(plan) -%}
{%- set whole = keys | reject('equalto', 'sm_slice') | list -%}
{%- set spans = sqlmetrics.takes_lists_whole(plan) -%}
{%- if sqlmetrics.ranks_parts_together(plan) -%}
{{ sqlmetrics.stage_list_rows(plan) }},

-- one sort of each list: the items that add to a metric, and the row that tells the length
sm_ranked as (
    {{ sqlmetrics.ranked_first(plan, 'sm_list_rows', keys, keys + sqlmetrics.slices_of_parts(plan)) }}
)
{%- else -%}
{%- set stored = sqlmetrics.sql_cte_materialized()
    if spans or plan['needs']['group_sums'] else sqlmetrics.sql_cte_shared() -%}
-- one sort of each list: the items that add to a metric, and the row that tells the length
{{ sqlmetrics.parts_by_rank(plan) }} as{{ stored }} (
    {{ sqlmetrics.ranked_first(plan, sqlmetrics.sliced(plan), keys, keys) }}
)
{%- if spans -%}
{#- rows that are read once more instead of stored need no slice; stored ones are stored once -#}
{%- set rows = 'sm_rows' if sqlmetrics.sql_cte_inline() else 'sm_sliced' -%}
,

{{ sqlmetrics.stage_spanning(whole, '(select * from sm_ranked_parts where sm_length is not null)', 'sm_slice') }},

-- their rows
sm_spanning_rows as{{ sqlmetrics.sql_cte_inline() }} (
    select {{ rows }}.*
    from {{ rows }}
    {{ sqlmetrics.inner_join(whole, rows, 'sm_spanning') }}
    where sm_problem = 0
),

-- parts of lists, and lists of several slices as a whole
sm_ranked as{{ sqlmetrics.sql_cte_inline() }} (
    select * from sm_ranked_parts
    union all
    {{ sqlmetrics.ranked_first(plan, 'sm_spanning_rows', whole, whole + ['0 as sm_slice']) }}
)
{%- endif -%}
{%- endif -%}
{%- endmacro %}

{#
  The rows of lists with their ranks: those that contribute to a metric, and the first row of the last block
  of equal scores, which knows the length n: its share of rows above, percent_rank, is (sm_tie_first - 1)/(n -
  1). If all rows tie, that is 0/0, all of them are kept, and the largest row number is n. The rows that know
  n also know the sums over all rows of the list (group_sum_by_rank).
#}
{% macro ranked_first(plan, source, keys, columns) -%}
{%- set lists = 'over (partition by ' ~ keys | join(', ') ~ ')' -%}
{%- set sums, sums_of_last = [], [] -%}
{%- for column, need in plan['needs']['group_sums'].items()
    if need['inner'] != sqlmetrics.usable_weight(plan) and not sqlmetrics.sql_copies_stages() -%}
    {%- do sums.append('sum(' ~ sqlmetrics.filled(plan, need['inner']) ~ ') ' ~ lists ~ ' as ' ~ column) -%}
    {%- do sums_of_last.append('case when sm_share = 1 then ' ~ column ~ ' end as ' ~ column) -%}
{%- endfor -%}
{%- set down = 'over (partition by ' ~ keys | join(', ') ~ ' order by sm_score desc)' -%}
{%- set length = '1 + ' ~ sqlmetrics.sql_integer('round((sm_tie_first - 1) / sm_share_above)') -%}
select
        {{- sqlmetrics.lines(sqlmetrics.keys_by_slice(plan) + sqlmetrics.slices_of_parts(plan) + [
            'sm_label',
            'sm_tie_first',
            'sm_share',
            'case when sm_share = 1 then case when sm_tie_first > 1 then ' ~ length
                ~ ' else ' ~ sqlmetrics.sql_integer('sm_number') ~ ' end end as sm_length',
        ] + sums_of_last, 8) }}
    from (
        select
            {{- sqlmetrics.lines(columns + [
                'sm_label',
                'rank() ' ~ down ~ ' as sm_tie_first',
                'cume_dist() ' ~ down ~ ' as sm_share',
                'percent_rank() ' ~ down ~ ' as sm_share_above',
                'row_number() ' ~ down ~ ' as sm_number',
            ] + sums, 12) }}
        from {{ source }}
        {{- sqlmetrics.where_usable(source, [], '        ') }}
    ) as sm_numbered
    {%- set knows_length = 'sm_share = 1 and (sm_number = sm_tie_first or sm_tie_first = 1)' %}
    where {{ sqlmetrics.filled(plan, sqlmetrics.adds_to_list(plan)) }} or ({{ knows_length }})
{%- endmacro %}

{#
  sm_ranked_items: the rows with all their ranks, including those in the ideal order, each as a grade of its
    own, and the length and relevant items of their list if an item reads them.
#}
{% macro stage_ranked_items(plan, keep) -%}
{%- set keys = sqlmetrics.keys_by_slice(plan) -%}
{%- set lists = 'over (partition by ' ~ keys | join(', ') -%}
{%- set more = {} -%}
{%- if sqlmetrics.reads_ideal(plan, 'judged') -%}
    {%- do more.update({'sm_judged_through': 'row_number() ' ~ lists ~ ' order by sm_label desc)'}) -%}
{%- endif -%}
{%- for column in sqlmetrics.grade_sums_of_items(plan) -%}
    {%- set ranked = sqlmetrics.with_holes(
        plan['needs']['grade_sums'][column]['ranked'], {'n': '1', 'listed': 'sm_length'}, 'sm_'
    ) -%}
    {%- do more.update({column: ranked ~ ' ' ~ lists ~ ')'}) -%}
{%- endfor -%}
-- the ranks of the rows, also in the best order
sm_ranked_items as{{ sqlmetrics.sql_cte_materialized() if keep else sqlmetrics.sql_cte_inline() }} (
    select
        {{- sqlmetrics.lines(keys + sqlmetrics.slices_of_parts(plan) + [
            'sm_label',
            'sm_tie_first',
            sqlmetrics.from_share('sm_share', 'sm_listed') ~ ' as sm_tie_last',
        ] + (['sm_listed'] if sqlmetrics.grade_sums_read(plan, 'listed') else [])
            + (['1 as sm_n'] if sqlmetrics.grade_sums_read(plan, 'n') else []) + more | list, 8) }}
    from (
        select
            sm_ranked.*,
            {{- sqlmetrics.lines(['max(sm_length) ' ~ lists ~ ') as sm_listed']
                + sqlmetrics.named_columns(more, ''), 12) }}
        from sm_ranked
    ) as sm_sized
)
{%- endmacro %}

{# Whether a sum over the items of a list reads a hole: `listed`, the length of the list, or `n`, its items. #}
{% macro grade_sums_read(plan, hole) -%}
    {%- for need in plan['needs']['grade_sums'].values() if hole in sqlmetrics.holes(need['ranked']) -%}
        {%- do return(true) -%}
    {%- endfor -%}
    {%- do return(false) -%}
{%- endmacro %}

{# sm_duplicates: the number of rows of a list that repeat an item. #}
{% macro stage_duplicates_by_slice(plan) -%}
{%- set keys = sqlmetrics.keys_by_slice(plan) | join(', ') -%}
{%- set together = sqlmetrics.ranks_parts_together(plan) -%}
{%- set source = 'sm_list_rows' if together else sqlmetrics.sliced(plan) -%}
-- how many rows repeat an item of their list
sm_duplicates as (
    select {{ keys }}, sum(sm_copies - 1) as sm_duplicate_rows
    from (
        select {{ keys }}, count(*) as sm_copies
        {%- if sqlmetrics.takes_lists_whole(plan) and not together %}
        from (
            select {{ keys }}, sm_item from {{ source }} where sm_problem = 0
            union all
            select {{ keys | replace('sm_slice', '0 as sm_slice') }}, sm_item from sm_spanning_rows
        ) as sm_items
        {%- else %}
        from {{ source }}
        {{- sqlmetrics.where_usable(source, [], '        ') }}
        {%- endif %}
        group by {{ keys }}, sm_item
        having count(*) > 1
    ) as sm_repeated
    group by {{ keys }}
)
{%- endmacro %}

{#
  sm_lists: one row for each list with all columns that its metrics read. sm_part is 0 for a whole list. A
    list of several slices has 0 as its first slice and a later last one, so that it is a list of none of
    them.
#}
{% macro stage_lists_by_rank(plan, top) -%}
{%- set keys = sqlmetrics.keys_by_slice(plan) -%}
{%- set spans = sqlmetrics.takes_lists_whole(plan) -%}
{%- set halves = top and not plan['needs']['hits'] -%}
{%- set sums, hits = sqlmetrics.stages_with_item_sums(plan)[0], sqlmetrics.stages_with_item_sums(plan)[1:] -%}
{%- set sums = 'sm_whole_sums' if halves else sums -%}
{%- set slice = sums ~ '.sm_slice' -%}
{%- set columns = sqlmetrics.name_of_list(plan, sums)
    + sqlmetrics.prefixed(sqlmetrics.model_keys(plan), sums ~ '.') -%}
{%- if sqlmetrics.ranks_parts_together(plan) -%}
    {%- do columns.extend([sums ~ '.sm_part', 'sm_slice', 'sm_last_slice']) -%}
{%- elif plan['facts']['by'] -%}
    {%- do columns.extend((
        ['case when sm_spanning.sm_group is null then 0 else ' ~ slice ~ ' end as sm_part'] if spans else []
    ) + [
        slice,
        ('case when ' ~ slice ~ ' = 0 then 1 else ' ~ slice ~ ' end' if spans else slice) ~ ' as sm_last_slice',
    ]) -%}
{%- endif -%}
-- a row for each list: all that its metrics read
sm_lists as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(columns + sqlmetrics.sums_of_grades_read(plan) + sqlmetrics.sums_of_lists(plan), 8) }}
    from {{ sums }}
    {%- if halves %}
    left join sm_top_sums on {{ sqlmetrics.same_keys(keys, sums, 'sm_top_sums') }}
    {%- endif %}
    {%- for stage in hits
        + (['sm_duplicates'] if sqlmetrics.counts_duplicates(plan) else []) %}
    left join {{ stage }} on {{ sqlmetrics.same_keys(keys, sums, stage) }}
    {%- endfor %}
    {%- if spans and not sqlmetrics.ranks_parts_together(plan) %}
    {%- set whole = keys | reject('equalto', 'sm_slice') | list %}
    left join sm_spanning on {{ sqlmetrics.same_keys(whole, sums, 'sm_spanning') }}
    {%- endif %}
)
{%- endmacro %}

{# From ranked rows to one row for each list, and from lists to one row for each slice. #}

{# sm_item_sums: the numerators, one row for each list with something to gain. #}
{% macro stage_item_sums(plan) -%}
-- what a list gains: the numerators of the metrics
sm_item_sums as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(['sm_list'] + sqlmetrics.aggregates(plan, 'item_sums'), 8) }}
    from sm_gaining_items
    {{- sqlmetrics.join_positions(plan['needs']['item_sums'].values()) }}
    {%- if plan['cumulative_gains'] %}
    {%- set rank = sqlmetrics.filled(plan, sqlmetrics.pessimistic_rank(plan)) %}
    left join sm_ideal_gains
        on sm_ideal_gains.sm_ideal_list = sm_gaining_items.sm_list
        and {{ rank }} > sm_ideal_above
        and {{ rank }} <= sm_ideal_through
    {%- endif %}
    group by sm_list
    {{- sqlmetrics.sql_once('sm_item_sums') }}
)
{%- endmacro %}

{#
  The joins of the discounts that some sums over items read: those above a block of ties, those down to its
  last rank, and those at the cutoffs.
#}
{% macro join_positions(needs) -%}
{%- set joined = {} -%}
{%- for need in needs -%}
    {%- for hole in need['holes'] if '.' in hole -%}{%- do joined.update({hole.split('.')[0]: true}) -%}{%- endfor -%}
{%- endfor -%}
{%- if 'above' in joined or 'through' in joined %}
    {%- set tied = 'sm_tie_first < sm_tie_last' %}
    left join sm_positions as sm_above on sm_above.sm_position = case when {{ tied }} then sm_tie_first - 1 end
    left join sm_positions as sm_through on sm_through.sm_position = case when {{ tied }} then sm_tie_last end
{%- endif %}
{%- if 'cutoffs' in joined %}
    cross join sm_cutoffs
{%- endif %}
{%- endmacro %}

{#
  Whether metrics read ranks in the ideal order.

  Args:
    which: judged or listed, for the ideal order of those items; none for either, or the discounts at cutoffs
#}
{% macro reads_ideal(plan, which=none) -%}
    {%- if which is none -%}
        {%- for need in plan['needs']['grade_sums'].values() if need['reach'] -%}{%- do return(true) -%}{%- endfor -%}
        {%- do return(sqlmetrics.reads_ideal(plan, 'judged') or sqlmetrics.reads_ideal(plan, 'listed')) -%}
    {%- endif -%}
    {%- do return(sqlmetrics.reads(
        plan, 'grade_sums', sqlmetrics.columns_of_ideal(which, 'above') + sqlmetrics.columns_of_ideal(which, 'through')
    )) -%}
{%- endmacro %}

{# The columns that need a rank of the ideal order, above a grade or through it: the rank, and discounts down to it. #}
{% macro columns_of_ideal(which, rank) -%}
    {%- set columns = [which ~ '_' ~ rank] -%}
    {%- for what in sqlmetrics.discounts_of_rank('') -%}
        {%- do columns.append('ideal_' ~ which ~ '_' ~ rank ~ '.sm_' ~ what) -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{#
  sm_ideal: the ranks that the items of a grade hold in the ideal order of a list, of judged or of listed
    items. If unjudged items are counted, they take up no rank.
#}
{% macro stage_ideal(plan) -%}
{%- set unjudged = ' - sm_n_unjudged' if sqlmetrics.reads(plan, 'grade_sums', 'n_unjudged') else '' -%}
{%- set best_first = 'partition by ' ~ sqlmetrics.list_keys(plan) | join(', ')
    ~ ' order by sm_label desc rows unbounded preceding' -%}
-- the ranks that the items of each grade hold in the best order
sm_ideal as (
    select
        sm_grades.*
        {%- for which, n in (('judged', 'sm_n'), ('listed', 'sm_n_listed')) if sqlmetrics.reads_ideal(plan, which) %},
        {%- set n = '(' ~ n ~ unjudged ~ ')' if unjudged else n -%}
        {%- set through = 'sum(' ~ n ~ ') over (' ~ best_first ~ ')' %}
        {%- set ranks = {'above': through ~ ' - ' ~ n, 'through': through} %}
        {%- for rank in ranks
            if sqlmetrics.reads(plan, 'grade_sums', sqlmetrics.columns_of_ideal(which, rank)) %}
        {{ ranks[rank] }} as sm_{{ which }}_{{ rank }}{{ ',' if not loop.last }}
        {%- endfor %}
        {%- endfor %}
    from sm_grades
)
{%- endmacro %}

{#
  sm_ideal_gains: the ranks of each grade in the ideal order of a list, the gain of one of its items, and the
    gains down to the last of them.
#}
{% macro stage_ideal_gains(plan) -%}
{%- set lists = 'over (partition by sm_list order by sm_label desc rows unbounded preceding)' -%}
{%- set columns = [
    'sm_list as sm_ideal_list',
    'sum(sm_n) ' ~ lists ~ ' - sm_n as sm_ideal_above',
    'sum(sm_n) ' ~ lists ~ ' as sm_ideal_through',
] -%}
{%- for gain, name in plan['cumulative_gains'].items() -%}
    {%- set gain = sqlmetrics.filled(plan, gain) -%}
    {%- do columns.extend([
        gain ~ ' as sm_' ~ name ~ '_of_grade', 'sum(' ~ gain ~ ' * sm_n) ' ~ lists ~ ' as sm_' ~ name ~ '_ideal',
    ]) -%}
{%- endfor -%}
-- what the best order gains down to each grade
sm_ideal_gains as (
    select
        {{- sqlmetrics.lines(columns, 8) }}
    from sm_grades
    inner join sm_grade_sums on {{ sqlmetrics.same_list(plan, 'sm_grades', 'sm_grade_sums') }}
)
{%- endmacro %}

{# The columns that are one number for a whole list. #}
{% macro list_weight_columns(plan) -%}
    {%- do return(
        (['sm_weight'] if plan['facts']['weight'] is not none else [])
        + sqlmetrics.prefixed(plan['list_weights'].values(), 'sm_')
    ) -%}
{%- endmacro %}

{# The stages of discounts that sums over grades read: ranks of the ideal order may be read without them. #}
{% macro discounts_of_grades(plan) -%}
    {%- set joined = {} -%}
    {%- for hole in plan['reads'].get('grade_sums', {}) if '.' in hole -%}
        {%- do joined.update({hole.split('.')[0]: true}) -%}
    {%- endfor -%}
    {%- do return(joined) -%}
{%- endmacro %}

{#
  sm_grade_sums: one row for each list, even if none of it was listed: sizes, relevant items, the ideal, the
    first and last slice. From here on a list has one key, sm_list: its group, or a number if it has several
    key columns.
#}
{% macro stage_grade_sums(plan) -%}
{%- set columns = ['min(sm_slice) as sm_slice', 'max(sm_last_slice) as sm_last_slice']
    if sqlmetrics.has_parts(plan) else [] -%}
{%- for column, need in plan['needs']['grade_sums'].items() -%}
    {%- do columns.append(need['aggregate'] ~ '(' ~ sqlmetrics.filled(plan, need['inner']) ~ ') as ' ~ column) -%}
{%- endfor -%}
-- a row for each list: its length, its relevant items, and the best that it could gain
sm_grade_sums as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {%- set keys = sqlmetrics.list_keys(plan) -%}
        {{- sqlmetrics.lines(keys
            + [('sm_group' if keys | length == 1 else sqlmetrics.sql_list_key(keys)) ~ ' as sm_list'] + columns, 8) }}
    from {{ 'sm_ideal' if sqlmetrics.reads_ideal(plan) else 'sm_grades' }}
    {%- set discounts = sqlmetrics.discounts_of_grades(plan) %}
    {%- for which in ('judged', 'listed') %}
    {%- for rank in ('above', 'through') if 'ideal_' ~ which ~ '_' ~ rank in discounts %}
    {%- set discount = 'sm_ideal_' ~ which ~ '_' ~ rank %}
    left join sm_positions as {{ discount }} on {{ discount }}.sm_position = sm_{{ which }}_{{ rank }}
    {%- endfor %}
    {%- endfor %}
    {%- if 'cutoffs' in discounts %}
    cross join sm_cutoffs
    {%- endif %}
    group by {{ sqlmetrics.list_keys(plan) | join(', ') }}
)
{%- endmacro %}

{# Whether rows that repeat an item of their list are counted. #}
{% macro counts_duplicates(plan) -%}
    {%- do return(sqlmetrics.reads(plan, 'list_sums', 'duplicate_rows')) -%}
{%- endmacro %}

{# sm_duplicates: the number of rows of a list that repeat an item. #}
{% macro stage_duplicates(plan) -%}
{%- set lists = sqlmetrics.list_keys(plan) | join(', ') -%}
{%- set whole = lists | replace('sm_part', '0 as sm_part') -%}
{%- set copies = ', sm_copies' if plan['facts']['truth'] is not none else '' -%}
-- how many rows repeat an item of their list
sm_duplicates as (
    select {{ lists }}, sum(sm_copies - 1) as sm_duplicate_rows
    from (
        select {{ lists }}, {{ 'count(*) + max(sm_items.sm_copies) - 1' if copies else 'count(*)' }} as sm_copies
        from (
            {%- set source = sqlmetrics.sliced(plan) if copies else 'sm_rows' %}
            select {{ whole }}, sm_item{{ copies }} from {{ source }} where sm_problem = 0
            {%- if sqlmetrics.has_parts(plan) %}
            union all
            select {{ lists }}, sm_item from sm_part_rows
            {%- endif %}
        ) as sm_items
        group by {{ lists }}, sm_item
        having count(*) > 1{{ ' or max(sm_items.sm_copies) > 1' if copies }}
    ) as sm_repeated
    group by {{ lists }}
)
{%- endmacro %}

{# sm_lists: one row for each list with all columns that its metrics read. #}
{% macro stage_lists(plan) -%}
{%- set left_out = [] if sqlmetrics.takes_lists_whole(plan) else ['sm_grade_sums.sm_part'] -%}
{%- set keys = sqlmetrics.list_keys(plan, 'sm_grade_sums.')[1:] | reject('in', left_out) | list -%}
{%- set columns = sqlmetrics.name_of_list(plan, 'sm_grade_sums') + keys
    + (['sm_slice', 'sm_last_slice'] if sqlmetrics.has_parts(plan) else []) + sqlmetrics.sums_of_grades_read(plan) -%}
{%- set beside = sqlmetrics.sums_beside_ranks(plan) -%}
{%- set columns = columns + sqlmetrics.sums_of_lists(plan, beside) -%}
-- a row for each list: all that its metrics read
sm_lists as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(columns, 8) }}
    from sm_grade_sums
    {%- for stage in sqlmetrics.stages_with_item_sums(plan) %}
    left join {{ stage }} on sm_grade_sums.sm_list = {{ stage }}.sm_list
    {%- endfor %}
    {%- for name in plan['list_subsets'] %}
    left join sm_{{ name }}_sums on sm_grade_sums.sm_list = sm_{{ name }}_sums.sm_list
    {%- endfor %}
    {%- for stage in beside.values() %}
    left join {{ stage }} on {{ sqlmetrics.same_list(plan, 'sm_grade_sums', stage) }}
    {%- endfor %}
    {%- if sqlmetrics.counts_duplicates(plan) %}
    left join sm_duplicates on {{ sqlmetrics.same_list(plan, 'sm_grade_sums', 'sm_duplicates') }}
    {%- endif %}
)
{%- endmacro %}

{# The sums over subtopics and over the best order, which are joined to lists: the grain and its stage. #}
{% macro sums_beside_ranks(plan) -%}
    {%- set sums = {'subtopics': 'sm_subtopic_sums'} if plan['needs']['subtopics'] else {} -%}
    {%- for grain in plan['picks'] -%}{%- do sums.update({grain: 'sm_' ~ grain ~ '_sums'}) -%}{%- endfor -%}
    {%- if plan['best_orders'] -%}{%- do sums.update({'best_items': 'sm_best_sums'}) -%}{%- endif -%}
    {%- do return(sums) -%}
{%- endmacro %}

{# The group of a list, where each list has a result of its own: a select-list entry. #}
{% macro name_of_list(plan, stage) -%}
    {%- set named = plan['question']['keeps'] == 'lists'
        or (plan['question']['names_units'] and sqlmetrics.compared_by(plan, ['lists'])) -%}
    {%- do return([sqlmetrics.sql_nullable(stage ~ '.sm_group') ~ ' as sm_group'] if named else []) -%}
{%- endmacro %}

{# The sums over grades that sums over lists read; where lists have results of their own, all of them. #}
{% macro sums_of_grades_read(plan) -%}
    {%- set columns = [] -%}
    {%- for column, need in plan['needs']['grade_sums'].items() if plan['question']['keeps'] == 'lists'
        or sqlmetrics.reads(plan, 'list_sums', need['name'])
        or sqlmetrics.reads(plan, 'list_deviations', need['name']) -%}
        {%- do columns.append(column) -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{# The gains of a list and its other sums: select-list entries of sm_lists. #}
{% macro sums_of_lists(plan, beside=[]) -%}
    {%- set columns = [] -%}
    {%- for grain in ['item_sums'] + plan['list_subsets'] | list -%}
        {%- for column, need in plan['needs'][grain].items() -%}
            {%- do columns.append(
                column if need['aggregate'] != 'sum' else 'coalesce(' ~ column ~ ', 0) as ' ~ column
            ) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- for grain in beside -%}
        {%- for column in plan['needs'][grain] -%}
            {%- do columns.append('coalesce(' ~ column ~ ', 0) as ' ~ column) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- for column in plan['needs']['hits'] -%}
        {%- do columns.append('coalesce(' ~ column ~ ', 0) as ' ~ column) -%}
    {%- endfor -%}
    {%- if sqlmetrics.counts_duplicates(plan) -%}
        {%- do columns.append('coalesce(sm_duplicate_rows, 0) as sm_duplicate_rows') -%}
    {%- endif -%}
    {%- do return(columns) -%}
{%- endmacro %}

{# The sums over lists, where they are read. #}
{% macro stages_of_list_sums(plan) -%}
    {%- do return([sqlmetrics.stage_list_sums(plan)] if plan['question']['sums'] else []) -%}
{%- endmacro %}

{#
  sm_list_sums: sums over lists, one row for each slice and one for the total, which takes every list once and
    whole. The lists are added up once; then sums count in their slice, in the total, or in both.
#}
{% macro stage_list_sums(plan) -%}
{%- set keys, models = plan['facts']['keys'], sqlmetrics.model_keys(plan) -%}
{%- set needs = sqlmetrics.sums_read(plan, 'list_sums') -%}
{%- set sums, merged = sqlmetrics.aggregates(plan, 'list_sums', needs), [] -%}
{%- for column, need in needs.items() -%}
    {%- do merged.append(('sum' if need['aggregate'] == 'count' else need['aggregate']) ~ '(' ~ column ~ ') as '
        ~ column) -%}
{%- endfor -%}
{%- set parts = sqlmetrics.has_parts(plan) -%}
{%- set of_slice = 'case when sm_slice = sm_last_slice then 1 else 0 end' -%}
{%- set of_total = 'case when sm_part = 0 then 1 else 0 end' -%}
-- what is summed over lists, a row for each slice
sm_list_sums as{{ sqlmetrics.sql_cte_shared() if plan['needs']['list_deviations'] }} (
    {%- if plan['facts']['total'] and not plan['facts']['runs'] %}
    select
        {{- sqlmetrics.lines(models + ['sm_counted_in as sm_slice'] + merged, 8) }}
    from (
        select sm_added_up.*, sm_in_total, case when sm_in_total = 1 then 0 else sm_slice end as sm_counted_in
        from (
            select
                {{- sqlmetrics.lines(keys
                    + ([of_slice ~ ' as sm_of_slice', of_total ~ ' as sm_of_total'] if parts else []) + sums, 16) }}
            from sm_lists
            group by {{ (keys + ([of_slice, of_total] if parts else [])) | join(', ') }}
        ) as sm_added_up
        cross join {{ sqlmetrics.slice_or_total() }}
    ) as sm_added_up_twice
    {{- '\n    where case when sm_in_total = 1 then sm_of_total else sm_of_slice end = 1' if parts }}
    group by {{ (models + ['sm_counted_in']) | join(', ') }}
    {%- else %}
    select
        {{- sqlmetrics.lines(keys + sums, 8) }}
    from sm_lists
    {{- '\n    where sm_slice = sm_last_slice' if parts }}
    {{- sqlmetrics.grouped_by(keys) }}
    {%- endif %}
)
{%- endmacro %}

{# The lists that are lists of a slice. #}
{% macro lists_of_slices(plan) -%}
    {%- if sqlmetrics.has_parts(plan) %}
    where sm_lists.sm_slice = sm_last_slice
    {%- elif plan['facts']['runs'] and plan['facts']['total'] %}
    where sm_lists.sm_slice > 0
    {%- endif -%}
{%- endmacro %}

{#
  The lists of the total, qualified with their stage, because the total's own sm_slice may hide the column.
#}
{% macro lists_of_total(plan) -%}
    {%- if sqlmetrics.has_parts(plan) %}
    where sm_part = 0
    {%- elif plan['facts']['runs'] %}
    where sm_lists.sm_slice = 0
    {%- endif -%}
{%- endmacro %}

{#
  From units to slices. Units are grouped by blocks of a few columns, such that each set of `depth` columns lies in a
  block, and slices are summed over the cells of their block. So the units are read a few times instead of once for
  each set of columns.
#}

{# All sets of up to `depth` of the numbers below n. #}
{% macro sets_of_columns(n, depth) -%}
    {%- set found, last = [], [[]] -%}
    {%- for size in range(depth) -%}
        {%- set longer = [] -%}
        {%- for set in last -%}
            {%- for number in range((set[-1] + 1) if set else 0, n) -%}
                {%- do longer.append(set + [number]) -%}
            {%- endfor -%}
        {%- endfor -%}
        {%- do found.extend(longer) -%}
        {%- do last.clear() -%}
        {%- do last.extend(longer) -%}
    {%- endfor -%}
    {%- do return(found) -%}
{%- endmacro %}

{#
  Blocks of up to three columns that hold every set of up to `depth` columns. A block takes a pair that no other has
  and the column that brings the most new pairs. Three columns of max_values values each have few enough cells.
#}
{% macro blocks_of_columns(n, depth) -%}
    {%- if depth != 2 or n < 4 -%}
        {%- set blocks, most = [], [n, 3 if n < 4 else depth] | min -%}
        {%- for set in sqlmetrics.sets_of_columns(n, most) if set | length == most -%}
            {%- do blocks.append(set) -%}
        {%- endfor -%}
        {%- do return(blocks) -%}
    {%- endif -%}
    {%- set blocks, covered = [], {} -%}
    {%- for a, b in sqlmetrics.sets_of_columns(n, 2) | selectattr(1, 'defined') if (a, b) not in covered -%}
        {%- set best = namespace(column=none, gain=0) -%}
        {%- for c in range(n) if c not in (a, b) -%}
            {%- set pairs = [([a, c] | min, [a, c] | max), ([b, c] | min, [b, c] | max)] -%}
            {%- set gain = pairs | reject('in', covered) | list | length -%}
            {%- if gain > best.gain -%}
                {%- set best.column = c -%}
                {%- set best.gain = gain -%}
            {%- endif -%}
        {%- endfor -%}
        {%- set block = ([a, b] + ([best.column] if best.column is not none else [])) | sort -%}
        {%- do blocks.append(block) -%}
        {%- for pair in sqlmetrics.sets_of_columns(block | length, 2) if pair | length == 2 -%}
            {%- do covered.update({(block[pair[0]], block[pair[1]]): true}) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do return(blocks) -%}
{%- endmacro %}

{#
  sm_cells: the sums of every cell of a block and half. sm_whole: those of each half, in one row.

  The units are read once for each block. An engine that writes a stage out for each of its readers gets all blocks
  beside each unit instead. One that streams a stage to all readers would keep the hash
  table of every block in use and miss its cache: a join with a count of the units (sm_counted_units) makes the blocks
  run one after another.
#}
{% macro stages_of_cells(plan, sums, blocks) -%}
{%- set selects, numbers, columns = [], [], plan['question']['own']['columns'] -%}
{%- set totals, stages, units = [], [], 'sm_units' -%}
{%- if sqlmetrics.sql_streams_stages() -%}
    {%- do stages.append('-- the number of units, which is known once all of them are stored
sm_counted_units as' ~ sqlmetrics.sql_cte_materialized() ~ ' (
    select count(*) as sm_n_counted from sm_units
)') -%}
    {%- set units = 'sm_units
    cross join sm_counted_units' -%}
{%- endif -%}
{%- for sql, column in sums['sums'].items() -%}
    {%- set sql = 'sm_units.' ~ sql if sql == column else sql -%}
    {%- do totals.append(('count(*)' if sql == '1' else 'sum(' ~ sql ~ ')') ~ ' as ' ~ column) -%}
{%- endfor -%}
{%- for aggregate, column in sums['sizes'].items() -%}
    {%- do totals.append(aggregate ~ ' as ' ~ column) -%}
{%- endfor -%}
{%- if sqlmetrics.sql_repeats_stages() -%}
    {%- for block in blocks -%}{%- do numbers.append('select ' ~ loop.index ~ ' as sm_block') -%}{%- endfor -%}
    {%- set codes = sqlmetrics.codes_by_number(plan, 'sm_block', blocks) -%}
    {%- do selects.append('select' ~ sqlmetrics.lines(['sm_block', 'sm_half'] + codes['entries'] + totals, 8) ~ '
    from sm_units
    cross join (' ~ numbers | join(' union all ') ~ ') as sm_blocks
    group by sm_block, sm_half, ' ~ codes['sql'] | join(', ')) -%}
{%- endif -%}
{%- for block in blocks if not numbers -%}
    {%- set codes, entries = [], [] -%}
    {%- for column in columns -%}
        {%- if loop.index0 in block -%}{%- do codes.append(column['code']) -%}{%- endif -%}
        {%- do entries.append(column['code'] if loop.index0 in block else '-1 as ' ~ column['code']) -%}
    {%- endfor -%}
    {%- do selects.append('select' ~ sqlmetrics.lines(
        [loop.index ~ ' as sm_block', 'sm_half'] + entries + totals, 8
    ) ~ '
    from ' ~ units ~ '
    group by sm_half, ' ~ codes | join(', ')) -%}
{%- endfor -%}
{%- do return(stages + ['-- the units by half and some columns at a time
sm_cells as' ~ sqlmetrics.sql_cte_materialized() ~ ' (
    ' ~ selects | join('\n    union all\n    ') ~ '
)', '-- all units
sm_whole as' ~ sqlmetrics.sql_cte_materialized() ~ ' (
    select' ~ sqlmetrics.lines(sqlmetrics.sums_of_halves(sums), 8) ~ '
    from sm_cells
    where sm_block = 1
)']) -%}
{%- endmacro %}

{#
  The codes of the columns in the sets of a numbered list, and -1 for the columns that a set leaves open: entries, and
  their sql.
#}
{% macro codes_by_number(plan, number, sets) -%}
    {%- set sql, entries = [], [] -%}
    {%- for column in plan['question']['own']['columns'] -%}
        {%- set place, of = loop.index0, [] -%}
        {%- for set in sets if place in set -%}{%- do of.append(sets.index(set) + 1) -%}{%- endfor -%}
        {%- do sql.append(
            'case when ' ~ number ~ ' in (' ~ of | join(', ') ~ ') then ' ~ column['code'] ~ ' else -1 end'
        ) -%}
        {%- do entries.append(sql[-1] ~ ' as ' ~ column['code']) -%}
    {%- endfor -%}
    {%- do return({'sql': sql, 'entries': entries}) -%}
{%- endmacro %}

{# The sums over cells, of both halves in one row: sm_sum_1_1 belongs to the first half. #}
{% macro sums_of_halves(sums) -%}
    {%- set entries = [] -%}
    {%- for column in sums['sums'].values() -%}
        {%- for half in (1, 2) -%}
            {%- do entries.append(
                'sum(case when sm_half = ' ~ half ~ ' then ' ~ column ~ ' else 0 end) as ' ~ column ~ '_' ~ half
            ) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do return(entries) -%}
{%- endmacro %}

{#
  sm_slices: every slice of at least min_units units, with the sums of both halves. If a column has two values, one is
    the rest of the other, and differs as it does with the other sign. So the first of them, of a number the lesser, of
    a category the more frequent, NULL or the other values, is a mirror: it has the units of both as sm_n_of_both.
#}
{% macro stage_slices_of_search(plan, sums, blocks) -%}
{%- set rows, sizes, searched = [], [], plan['question']['own'] -%}
{%- for aggregate, column in sums['sizes'].items() -%}
    {%- do sizes.append(aggregate[:3] ~ '(' ~ column ~ ') as ' ~ column) -%}
{%- endfor -%}
{%- set others = [] -%}
{%- for column in searched['columns'] if column['kind'] != 'number' -%}
    {%- do others.append(column['code'] ~ ' = ' ~ (searched['max_values'] + 1)) -%}
{%- endfor -%}
{%- set order = (['case when ' ~ others | join(' or ') ~ ' then 0 else 1 end'] if others else [])
    + searched['columns'] | map(attribute='code') | list -%}
{#- a setting of a server may sort downwards -#}
{%- set first = 'row_number() over (partition by sm_set order by ' ~ order | join(' asc, ') ~ ' asc) = 1' -%}
{%- set names = searched['columns'] | map(attribute='code') | list -%}
{%- set sets = sqlmetrics.sets_of_columns(names | length, searched['depth']) -%}
{%- for set in sets -%}
    {%- set home = namespace(block=none) -%}
    {%- for block in blocks if home.block is none and set | reject('in', block) | list == [] -%}
        {%- set home.block = blocks.index(block) + 1 -%}
    {%- endfor -%}
    {%- do rows.append(
        'select ' ~ loop.index ~ ' as sm_set, ' ~ home.block ~ ' as sm_home, ' ~ set | length ~ ' as sm_depth'
    ) -%}
{%- endfor -%}
{%- set codes = sqlmetrics.codes_by_number(plan, 'sm_set', sets) -%}
-- the slices: codes of their values, and -1 for columns that they leave open
sm_slices as{{ sqlmetrics.sql_cte_materialized() }} (
    select
        sm_sets.*,
        case
            when sm_depth = 1 and count(*) over (partition by sm_set) = 2 and {{ first }}
            then sum(sm_n_1 + sm_n_2) over (partition by sm_set) else 0
        end as sm_n_of_both,
        {{ sqlmetrics.sql_short_integer('row_number() over (order by ' ~ names | join(', ') ~ ')') }} as sm_slice
    from (
        select
            {{- sqlmetrics.lines(['sm_set', 'sm_depth'] + names + sqlmetrics.sums_of_halves(sums) + sizes, 12) }}
        from (
            select
                {{- sqlmetrics.lines(
                    ['sm_set', 'sm_depth', 'sm_half'] + codes['entries']
                    + sums['sums'].values() | list + sums['sizes'].values() | list, 16) }}
            from sm_cells
            inner join (
                {{ rows | join('\n                union all\n                ') }}
            ) as sm_homes on sm_cells.sm_block = sm_homes.sm_home
        ) as sm_cells_of_sets
        group by sm_set, sm_depth, {{ names | join(', ') }}
        having sum(sm_n) >= {{ searched['min_units'] }}
    ) as sm_sets
)
{%- endmacro %}

{#
  sm_sides: the sums of each slice and half, by side. Side 0: the slice. Side 1: all other units. Side 1 + c: the units
    that join when column c is dropped, in the first half only, if that larger slice is searched itself.
#}
{% macro stage_sides(plan, sums) -%}
{%- set columns, sides, same, entries = plan['question']['own']['columns'], [], [], [] -%}
{%- for half in (1, 2) -%}
    {%- for side in (0, 1) -%}
        {%- do sides.append('select ' ~ half ~ ' as sm_half, ' ~ side ~ ' as sm_side') -%}
    {%- endfor -%}
{%- endfor -%}
{%- set held = [] -%}
{%- for column in columns if plan['question']['own']['depth'] > 1 and columns | length > 1 -%}
    {%- set side = column['number'] + 1 -%}
    {%- do sides.append('select 1 as sm_half, ' ~ side ~ ' as sm_side') -%}
    {%- do same.append(
        'sm_parents.' ~ column['code'] ~ ' = case when sm_side = ' ~ side ~ ' then -1 else sm_slices.' ~ column['code']
        ~ ' end'
    ) -%}
    {%- do held.append('sm_side = ' ~ side ~ ' and sm_slices.' ~ column['code'] ~ ' >= 0') -%}
{%- endfor -%}
{%- for column in sums['sums'].values() -%}
    {%- set of = {} -%}
    {%- for stage in ('sm_slices', 'sm_whole') -%}
        {%- set name = stage ~ '.' ~ column -%}
        {%- do of.update({stage: 'case when sm_half = 1 then ' ~ name ~ '_1 else ' ~ name ~ '_2 end'}) -%}
    {%- endfor -%}
    {%- do entries.append(
        'case when sm_side = 0 then ' ~ of['sm_slices'] ~ ' when sm_side = 1 then ' ~ of['sm_whole'] ~ ' - '
        ~ of['sm_slices'] ~ (' else sm_parents.' ~ column ~ '_1 - sm_slices.' ~ column ~ '_1' if held) ~ ' end as '
        ~ column
    ) -%}
{%- endfor -%}
-- each slice, its rest, and the rest of each slice that holds it
sm_sides as{{ sqlmetrics.sql_cte_materialized() }} (
    select
        {{- sqlmetrics.lines(['sm_slices.sm_slice as sm_slice', 'sm_half', 'sm_side'] + entries, 8) }}
    from sm_slices
    cross join (
        {{ sides | join('\n        union all\n        ') }}
    ) as sm_sides_of_slices
    cross join sm_whole
    {%- if held %}
    left join sm_slices as sm_parents on {{ same | join('\n        and ') }}
    {%- endif %}
    where sm_slices.sm_n_of_both < sm_whole.sm_n_1 + sm_whole.sm_n_2
    {%- if held %}
        and (sm_side <= 1
        or sm_slices.sm_depth > 1
        and sm_whole.sm_n_1 + sm_whole.sm_n_2 - sm_parents.sm_n_1 - sm_parents.sm_n_2
        >= {{ plan['question']['own']['min_units'] }}
        and ({{ held | join(' or ') }}))
    {%- endif %}
)
{%- endmacro %}

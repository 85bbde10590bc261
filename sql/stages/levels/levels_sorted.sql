{# Score levels by one sort of the rows. levels.sql explains the columns. #}

{#
  The sorted plan. Without weights no window counts rows: the rows down to a level are its share of all rows
  (cume_dist) times their number, which is exact and costs a third. The same holds for the rows of a class,
  which gives the positive rows down to the level.

  sm_scored is the one sort by score: of all rows if there is a total (columns sm_total_...), otherwise inside
  slices (sm_...). sm_ordered: ranks inside slices and classes are ordered by that rank, in whose order the
  rows already are. The cost of a sort grows with the bytes of its rows, so if only the place in the total is
  read there, only the place is carried on.
#}
{% macro stage_ranks_of_rows(plan, keep) -%}
{%- set positives = 'case when ' ~ sqlmetrics.filled(plan, sqlmetrics.is_relevant(plan)) ~ ' then '
    ~ sqlmetrics.filled(plan, sqlmetrics.row_weight(plan)) ~ ' else 0 end' -%}
{%- set sorted = sqlmetrics.sorted_first(plan) -%}
{%- set within = sqlmetrics.ranks_within(plan, sorted) -%}
{%- set discordant = sqlmetrics.reads_discordant(plan) -%}
{%- set weights = ['sm_weight'] if plan['facts']['weight'] is not none else [] -%}
{%- set columns = plan['facts']['keys']
    + (['sm_group'] if discordant and plan['facts']['group'] is not none else [])
    + (weights if within or discordant or sqlmetrics.levels_read(plan, 'level_rows') else [])
    + (['sm_score'] if 'sm_score' in sqlmetrics.columns_of_whole_levels(plan)['columns'] else []) -%}
{%- set ranks = sqlmetrics.ranks(
    plan, 'sm_level_positives', sorted['keys'], 'sm_score desc', sorted['prefix'], within | length > 0
) -%}
-- one sort of all rows by score
sm_scored as{{ sqlmetrics.sql_cte_materialized() if keep and not within else sqlmetrics.sql_cte_inline() }} (
    select
        {#- weighted rows need no class where all levels are read -#}
        {%- set classes = ['sm_level_positives'] if not weights or within or not sqlmetrics.levels_read(plan, 'all')
            or sqlmetrics.levels_read(plan, 'level_positives') else [] -%}
        {{- sqlmetrics.lines(columns + classes + ranks, 8) }}
    from (
        select
            {{- sqlmetrics.lines(columns + (weights + ['sm_score']) | reject('in', columns) | list + [
                (positives if plan['facts']['weight'] is not none else sqlmetrics.sql_byte(positives))
                ~ ' as sm_level_positives',
            ], 12) }}
        from {{ sqlmetrics.sliced(plan) }}
        where sm_problem = 0
    ) as sm_classified
)
{%- if sqlmetrics.place_is_enough(plan) -%}
,

-- the place in the total: the rows above and the rows down to it, together
sm_placed_in_total as{{ sqlmetrics.sql_cte_inline() }} (
    select
        {%- set rows = sqlmetrics.sums_of_stage(plan, sqlmetrics.row_count(plan)) -%}
        {{- sqlmetrics.lines(sqlmetrics.prefixed(columns + ['sm_level_positives'], 'sm_scored.')
            + [
                'sm_total_tie_first - 1 + ' ~ sqlmetrics.from_share('sm_total_share', 'sm_all_rows.' ~ rows)
                ~ ' as sm_total_place',
            ], 8) }}
    from sm_scored
    {{ sqlmetrics.inner_join(
        sqlmetrics.model_keys(plan), 'sm_scored', '(select * from sm_row_sums where sm_slice = 0)', 'sm_all_rows'
    ) }}
)
{%- endif -%}
{%- if within -%}
{%- set source = 'sm_placed_in_total' if sqlmetrics.place_is_enough(plan) else 'sm_scored' -%}
,

-- ranks inside slices and classes, in the order of that sort
sm_ordered as{{ sqlmetrics.sql_cte_materialized() if keep else sqlmetrics.sql_cte_inline() }} (
    select
        {{ source }}.*,
        {{- sqlmetrics.lines(within, 8) }}
    from {{ source }}
)
{%- endif %}
{%- endmacro %}

{# True if the place, which also orders the rows, is the only rank in the total that is read. #}
{% macro place_is_enough(plan) -%}
        {%- do return(
            plan['facts']['total']
            and plan['facts']['weight'] is none
            and not (
                sqlmetrics.levels_read(plan, 'above')
                or sqlmetrics.levels_read(plan, 'positives_through')
                or sqlmetrics.levels_read(plan, 'whole')
                or sqlmetrics.levels_read(plan, 'all')
            )
        ) -%}
{%- endmacro %}

{# The column that orders the rows of the one sort. #}
{% macro order_of_rows(plan) -%}
{{ 'sm_total_place' if sqlmetrics.place_is_enough(plan) else sqlmetrics.sorted_first(plan)['prefix'] ~ 'tie_first' }}
{%- endmacro %}

{# The scope of the one sort: the keys of its rows, and the prefix of its ranks. #}
{% macro sorted_first(plan) -%}
    {%- do return(
        {'keys': sqlmetrics.model_keys(plan), 'prefix': 'sm_total_'}
        if plan['facts']['total'] else {'keys': plan['facts']['keys'], 'prefix': 'sm_'}
    ) -%}
{%- endmacro %}

{# The stage with the ranks of rows. #}
{% macro ranked_rows(plan) -%}
    {{ 'sm_ordered' if sqlmetrics.ranks_within(plan, sqlmetrics.sorted_first(plan)) else 'sm_scored' }}
{%- endmacro %}

{#
  sm_levels: with a total each row counts twice, in its slice and in the total (sm_in_total). If whole levels
    are read, the row whose number equals its rank stands for its level.
#}
{% macro levels_sorted(plan, keep) -%}
{%- set whole = sqlmetrics.levels_read(plan, 'whole') -%}
{%- set weighted = plan['facts']['weight'] is not none -%}
{%- set of_levels = sqlmetrics.columns_of_whole_levels(plan) -%}
{%- set counts = {} -%}
{%- for name, count in sqlmetrics.counts_of_row(plan).items() if of_levels['counts'].get(name)
    or (not whole and sqlmetrics.levels_read(plan, name)) -%}
    {%- do counts.update({name: count}) -%}
{%- endfor -%}
{%- set source = sqlmetrics.ranked_rows(plan) -%}
-- score levels: the rows strictly above each level, and those down to it
sm_levels as{{ sqlmetrics.sql_cte_materialized() if keep else sqlmetrics.sql_cte_inline() }} (
    {%- if whole %}
    select
        {{- sqlmetrics.lines(plan['facts']['keys'] + of_levels['columns'], 8) }}
    from (
    {%- endif %}
    select
        {%- set rows = [('sm_weight' if weighted else '1') ~ ' as sm_level_rows']
            if sqlmetrics.levels_read(plan, 'level_rows') else [] -%}
        {%- set positives = ['sm_level_positives'] if sqlmetrics.levels_read(plan, 'level_positives') else [] -%}
        {{- sqlmetrics.lines(sqlmetrics.slice_keys(plan, 'sm_row_sums.')
            + (['sm_score'] if 'sm_score' in of_levels['columns'] else [] if whole else rows + positives)
            + sqlmetrics.named_columns(counts, 'sm_'), 8) }}
    {%- if plan['facts']['total'] %}
    from {{ sqlmetrics.counted_twice(source, marked=true) }} as sm_ranked_twice
    {%- set models = sqlmetrics.model_keys(plan) %}
    inner join sm_row_sums
        on {{ sqlmetrics.same_keys(models, 'sm_ranked_twice', 'sm_row_sums') ~ ' and ' if models -}}
        sm_counted_in = sm_row_sums.sm_slice
    {%- else %}
    from {{ source }}
    inner join sm_row_sums on {{ sqlmetrics.same_slice(plan, source, 'sm_row_sums') }}
    {%- endif %}
    {%- if whole %}
    where {{ sqlmetrics.rank_of_row(plan, 'number') }} = {{ sqlmetrics.rank_of_row(plan, 'tie_first') }}
    ) as sm_ranks
    {%- elif not sqlmetrics.levels_read(plan, 'all') %}
    where sm_level_positives > 0
    {%- endif %}
)
{%- endmacro %}

{# The columns of levels that are one row each: those that are read, and the counts of rows of which they are made. #}
{% macro columns_of_whole_levels(plan) -%}
    {%- set columns, counts = [], {} -%}
    {%- for name, (column, of) in {
        'score': ('sm_score', []),
        'level_rows': ('sm_through - sm_above as sm_level_rows', ['through', 'above']),
        'level_positives': (
            'sm_positives_through - sm_positives_above as sm_level_positives', ['positives_through', 'positives_above']
        ),
        'through': ('sm_through', ['through']),
        'above': ('sm_above', ['above']),
        'positives_through': ('sm_positives_through', ['positives_through']),
        'place': ('sm_above + sm_through as sm_place', ['through', 'above']),
    }.items() if sqlmetrics.levels_read(plan, 'whole') and sqlmetrics.levels_or_bins_read(plan, name) -%}
        {%- do columns.append(column) -%}
        {%- for count in of -%}{%- do counts.update({count: true}) -%}{%- endfor -%}
    {%- endfor -%}
    {%- do return({'columns': columns, 'counts': counts}) -%}
{%- endmacro %}

{# A rank of a row, in its slice or in the total. #}
{% macro rank_of_row(plan, name) -%}
{{ 'case when sm_in_total = 1 then sm_total_' ~ name ~ ' else sm_' ~ name ~ ' end' if plan['facts']['total']
    else 'sm_' ~ name }}
{%- endmacro %}

{#
  Column -> expression of the row's level, for those of place, through, above, positives_through and positives_above
  that some metric reads.
#}
{% macro counts_of_row(plan) -%}
    {%- set whole = sqlmetrics.levels_read(plan, 'whole') -%}
    {%- set place = sqlmetrics.levels_read(plan, 'place') -%}
    {%- set names = ['through'] + (['above'] if whole or place or sqlmetrics.levels_read(plan, 'above') else [])
        + (['positives_through'] if whole or sqlmetrics.levels_read(plan, 'positives_through') else []) -%}
    {%- set counts = {} -%}
    {%- if plan['facts']['weight'] is not none -%}
        {%- for name in names -%}{%- do counts.update({name: sqlmetrics.rank_of_row(plan, name)}) -%}{%- endfor -%}
        {%- if place -%}{%- do counts.update({'place': counts['above'] ~ ' + ' ~ counts['through']}) -%}{%- endif -%}
        {%- for name in sqlmetrics.columns_of_negatives() if sqlmetrics.levels_read(plan, name) -%}
            {%- do counts.update({name: sqlmetrics.rank_of_row(plan, name)}) -%}
        {%- endfor -%}
        {%- do return(counts) -%}
    {%- endif -%}
    {%- set rows = sqlmetrics.sums_of_stage(plan, sqlmetrics.row_count(plan)) -%}
    {%- if sqlmetrics.place_is_enough(plan) -%}
        {%- do return({
            'place': 'case when sm_in_total = 1 then sm_total_place else sm_tie_first - 1 + '
                ~ sqlmetrics.from_share('sm_share', rows) ~ ' end',
        }) -%}
    {%- endif -%}
    {%- do counts.update({'through': sqlmetrics.from_share(sqlmetrics.rank_of_row(plan, 'share'), rows)}) -%}
    {%- if 'above' in names -%}
        {%- do counts.update({'above': sqlmetrics.rank_of_row(plan, 'tie_first') ~ ' - 1'}) -%}
    {%- endif -%}
    {%- if 'positives_through' in names -%}
        {%- set share = sqlmetrics.rank_of_row(plan, 'class_share') -%}
        {%- set all_positives = sqlmetrics.sums_of_stage(plan, sqlmetrics.row_positives(plan)) -%}
        {%- set positives = sqlmetrics.from_share(share, all_positives) -%}
        {%- set negatives = sqlmetrics.from_share(
            share, '(' ~ rows ~ ' - ' ~ all_positives ~ ')'
        ) -%}
        {#- metrics that read whole levels or all levels also read the negative rows -#}
        {%- set either = whole or sqlmetrics.levels_read(plan, 'all') -%}
        {%- do counts.update({
            'positives_through': sqlmetrics.by_class_of_row(positives, counts['through'], negatives)
                if either else positives,
        }) -%}
    {%- endif -%}
    {%- if whole -%}
        {%- set of_class = '(' ~ sqlmetrics.rank_of_row(plan, 'class_first') ~ ' - 1)' -%}
        {%- do counts.update({'positives_above': sqlmetrics.by_class_of_row(of_class, counts['above'], of_class)}) -%}
    {%- endif -%}
    {%- if place and not whole -%}
        {%- do counts.update({'place': counts['above'] ~ ' + ' ~ counts['through']}) -%}
    {%- endif -%}
    {%- do return(counts) -%}
{%- endmacro %}

{#
  A count of positive rows: known to a positive row itself, and all less the negative ones for a negative row.
#}
{% macro by_class_of_row(positives, all, negatives) -%}
case when sm_level_positives = 1 then {{ positives }} else {{ all }} - {{ negatives }} end
{%- endmacro %}

{#
  The ranks of rows in an order, inside each value of `partition`, as columns that begin with `prefix`.

  Args:
    positives: an expression, the weight of a positive row
    first: true if the first rank is read in any case
#}
{% macro ranks(plan, positives, partition, order, prefix, first=false) -%}
    {%- set down = sqlmetrics.partition_by(partition) ~ 'order by ' ~ order -%}
    {%- set columns = {} -%}
    {%- set counts_above = sqlmetrics.levels_read(plan, 'above') or sqlmetrics.levels_read(plan, 'place')
        or sqlmetrics.reads_discordant(plan) -%}
    {%- if first or sqlmetrics.levels_read(plan, 'whole') or (counts_above and plan['facts']['weight'] is none) -%}
        {%- do columns.update({'tie_first': 'rank() over (' ~ down ~ ')'}) -%}
    {%- endif -%}
    {%- if sqlmetrics.levels_read(plan, 'whole') -%}
        {%- do columns.update({'number': 'row_number() over (' ~ down ~ ')'}) -%}
    {%- endif -%}
    {%- if plan['facts']['weight'] is none -%}
        {%- do columns.update({'share': 'cume_dist() over (' ~ down ~ ')'}) -%}
    {%- else -%}
        {%- set through = 'sum(sm_weight) over (' ~ down -%}
        {%- if sqlmetrics.levels_read(plan, 'whole') or sqlmetrics.levels_read(plan, 'through')
            or sqlmetrics.levels_read(plan, 'place') -%}
            {%- do columns.update({'through': through ~ sqlmetrics.sql_with_ties() ~ ')'}) -%}
        {%- endif -%}
        {%- if sqlmetrics.levels_read(plan, 'above') or sqlmetrics.levels_read(plan, 'place') -%}
            {%- do columns.update({
                'above': through ~ sqlmetrics.sql_with_ties() ~ ') - ' ~ through
                    ~ ' range between current row and current row)',
            }) -%}
        {%- endif -%}
        {%- if sqlmetrics.levels_read(plan, 'positives_through') -%}
            {%- do columns.update({
                'positives_through': 'sum(' ~ positives ~ ') over (' ~ down ~ sqlmetrics.sql_with_ties() ~ ')',
            }) -%}
        {%- endif -%}
        {%- set negatives = 'sum(sm_weight - ' ~ positives ~ ') over (' ~ down -%}
        {%- set negatives_through = negatives ~ sqlmetrics.sql_with_ties() ~ ')' -%}
        {%- for name, column in {
            'negatives_through': negatives_through,
            'negatives_place': '2 * ' ~ negatives_through ~ ' - ' ~ negatives
                ~ ' range between current row and current row)',
        }.items() if sqlmetrics.levels_read(plan, name) -%}
            {%- do columns.update({name: column}) -%}
        {%- endfor -%}
    {%- endif -%}
    {%- do return(sqlmetrics.named_columns(columns, prefix)) -%}
{%- endmacro %}

{#
  The ranks ordered by the first rank of the one sort: of rows inside slices if all rows were sorted, and
  without weights of rows inside their class.
#}
{% macro ranks_within(plan, sorted) -%}
    {%- set order = sqlmetrics.order_of_rows(plan) ~ ' asc' -%}
    {%- set columns = sqlmetrics.ranks(plan, 'sm_level_positives', plan['facts']['keys'], order, 'sm_')
        if plan['facts']['total'] else [] -%}
    {%- if plan['facts']['weight'] is none
        and (sqlmetrics.levels_read(plan, 'positives_through') or sqlmetrics.levels_read(plan, 'whole')) -%}
        {%- for ranked in [sorted]
            + ([{'keys': plan['facts']['keys'], 'prefix': 'sm_'}] if plan['facts']['total'] else []) -%}
            {%- set inside = ' over (' ~ sqlmetrics.partition_by(ranked['keys'] + ['sm_level_positives']) ~ 'order by '
                ~ order ~ ')' -%}
            {%- set of_class = {'class_share': 'cume_dist()' ~ inside} -%}
            {%- if sqlmetrics.columns_of_whole_levels(plan)['counts'].get('positives_above') -%}
                {%- do of_class.update({'class_first': 'rank()' ~ inside}) -%}
            {%- endif -%}
            {%- do columns.extend(sqlmetrics.named_columns(of_class, ranked['prefix'])) -%}
        {%- endfor -%}
    {%- endif -%}
    {%- do return(columns) -%}
{%- endmacro %}

{# Select-list entries of a mapping of names to expressions. #}
{% macro named_columns(expressions, prefix) -%}
    {%- set columns = [] -%}
    {%- for name, expression in expressions.items() -%}
        {%- do columns.append(expression ~ ' as ' ~ prefix ~ name) -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{# A count from its share of a total: exact below 2^51. #}
{% macro from_share(share, total) -%}
{{ sqlmetrics.sql_integer('round(' ~ share ~ ' * ' ~ total ~ ')') }}
{%- endmacro %}

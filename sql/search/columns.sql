{#
  The columns whose values make slices. Each has a kind: category, number or date. Every unit gets a code of each
  column, since numbers group and join faster than texts:
    -1: the slice leaves the column open (in slices only)
    0: NULL, for a number also NaN and infinity
    from 1 on: the values of a category or date, the most frequent first; the values of a number in their order if it
      has few (`most_values`), otherwise its bins
    max_values + 1: the other values of a category
#}

{# The columns of by: sql, name and kind. #}
{% macro searched_columns(by, numeric, dates) -%}
    {%- set kinds, found = {'number': [numeric] if numeric is string else numeric or [],
        'date': [dates] if dates is string else dates or []}, [] -%}
    {%- for column in sqlmetrics.columns_of(by) -%}
        {%- set given = column.get('given', column.get('name', column['alias'])) -%}
        {%- set of = [] -%}
        {%- for kind, names in kinds.items() if given in names or column['alias'] in names -%}
            {%- do of.append(kind) -%}
        {%- endfor -%}
        {%- set name = column.get('name', column['alias']) -%}
        {%- if of | length > 1 -%}
            {{- sqlmetrics.refuse("Column '" ~ name ~ "' of by= is either numeric or of dates, not both") -}}
        {%- elif name in found | map(attribute='name') -%}
            {{- sqlmetrics.refuse("by= names the column '" ~ name ~ "' twice") -}}
        {%- endif -%}
        {%- do found.append({
            'sql': column['sql'], 'name': name, 'given': given, 'alias': column['alias'],
            'kind': of[0] if of else 'category', 'number': loop.index, 'value': 'sm_value_' ~ loop.index,
            'code': 'sm_code_' ~ loop.index,
        }) -%}
    {%- endfor -%}
    {%- if not found -%}
        {{- sqlmetrics.refuse("find_slices needs by=, the columns whose values make the slices") -}}
    {%- endif -%}
    {%- for argument, kind in (('numeric', 'number'), ('dates', 'date')) -%}
        {%- for name in kinds[kind]
            if name not in found | map(attribute='given') and name not in found | map(attribute='alias') -%}
            {{- sqlmetrics.refuse(
                argument ~ "= names columns of by=, got '" ~ name ~ "'. Columns: "
                    ~ found | map(attribute='name') | join(', ')
            ) -}}
        {%- endfor -%}
    {%- endfor -%}
    {%- do return(found) -%}
{%- endmacro %}

{# The columns as select-list entries: a text, a finite number, or the text of a day, week or month. #}
{% macro values_of_search(plan) -%}
    {%- set entries, searched = [], plan['question']['own'] -%}
    {%- for column in searched['columns'] -%}
        {%- set sql = column['sql'] -%}
        {%- if column['kind'] == 'number' -%}
            {%- set finite = sqlmetrics.sql_finite(sqlmetrics.sql_double(sql)) -%}
            {%- set value = 'case when ' ~ finite ~ ' then ' ~ sql ~ ' end' -%}
        {%- elif column['kind'] == 'date' -%}
            {%- set value = sqlmetrics.sql_date_text(sql, searched['dates_by']) -%}
        {%- else -%}
            {%- set value = sqlmetrics.sql_value_text(sql) -%}
        {%- endif -%}
        {%- do entries.append(sqlmetrics.sql_nullable(value) ~ ' as ' ~ column['value']) -%}
    {%- endfor -%}
    {%- do return(entries) -%}
{%- endmacro %}

{# The columns of a kind. #}
{% macro columns_of_kind(plan, number) -%}
    {%- set found = [] -%}
    {%- for column in plan['question']['own']['columns'] if (column['kind'] == 'number') == number -%}
        {%- do found.append(column) -%}
    {%- endfor -%}
    {%- do return(found) -%}
{%- endmacro %}

{# A number with at most so many different values is not divided into bins: each value is a slice. #}
{% macro most_values(bins) -%}{%- do return([bins, 20] | max) -%}{%- endmacro %}

{#
  sm_edges: the greatest value of each bin of a number but for the last, in one row. The edge of a share is the least
    value that at least this share of the units does not exceed. A share is a little lower, because the product of a
    share and a number of units is rounded.
#}
{% macro stage_edges(columns, bins, source, usable) -%}
-- the edges of the bins of numbers
sm_edges as{{ sqlmetrics.sql_cte_materialized() }} (
    select *
    from {{ sqlmetrics.edges_of_columns(columns, bins, source, usable) | join('\n    cross join ') }}
)
{%- endmacro %}

{# For each column a sub-query of one row: its edges. #}
{% macro edges_of_columns(columns, bins, source, usable) -%}
{%- set froms = [] -%}
{%- for column in columns -%}
    {%- set edges = [] -%}
    {%- for i in range(1, bins) -%}
        {%- do edges.append(
            sqlmetrics.sql_quantile(column['value'], i, bins) ~ ' as sm_edge_' ~ column['number'] ~ '_' ~ i
        ) -%}
    {%- endfor -%}
    {%- set known = column['value'] ~ ' is not null' ~ (' and ' ~ usable if usable) -%}
    {%- set from = source ~ ' where ' ~ known -%}
    {%- if not sqlmetrics.sql_has_quantiles() -%}
        {%- set from = '(select ' ~ column['value'] ~ ', cume_dist() over (order by ' ~ column['value']
            ~ ' asc) as sm_share from ' ~ from ~ ') as sm_shares' -%}
    {%- endif -%}
    {%- do froms.append(
        '(\n        select' ~ sqlmetrics.lines(edges, 12) ~ '\n        from ' ~ from ~ '\n    ) as sm_edges_'
        ~ column['number']
    ) -%}
{%- endfor -%}
{%- do return(froms) -%}
{%- endmacro %}

{#
  sm_ends: the edges of the bins of numbers, in one row, or the values of a number that has few (sm_few). An end without
    a bin or value is NULL. Of the values of a number only one more than few are read.
#}
{% macro stage_ends(columns, bins, source, usable) -%}
{%- set froms = sqlmetrics.edges_of_columns(columns, bins, source, usable) -%}
{%- set ends, most = [], sqlmetrics.most_values(bins) -%}
{%- for column in columns -%}
    {%- set number, value, places = column['number'], column['value'], ['count(*) as sm_values_' ~ column['number']] -%}
    {%- set few = 'sm_values_' ~ number ~ ' <= ' ~ most -%}
    {%- do ends.append('case when ' ~ few ~ ' then 1 else 0 end as sm_few_' ~ number) -%}
    {%- for i in range(1, most + 1) -%}
        {%- do places.append(
            sqlmetrics.sql_aggregate('max', 'case when sm_place = ' ~ i ~ ' then ' ~ value ~ ' end')
                ~ ' as sm_value_' ~ number ~ '_' ~ i
        ) -%}
        {%- set edge = (' else sm_edge_' ~ number ~ '_' ~ i) if i < bins else '' -%}
        {%- do ends.append(
            'case when ' ~ few ~ ' then sm_value_' ~ number ~ '_' ~ i ~ edge ~ ' end as sm_end_' ~ number ~ '_' ~ i
        ) -%}
    {%- endfor -%}
    {%- set known = value ~ ' is not null' ~ (' and ' ~ usable if usable) -%}
    {%- do froms.append('(
        select' ~ sqlmetrics.lines(places, 12) ~ '
        from (
            select ' ~ value ~ ', row_number() over (order by ' ~ value ~ ' asc) as sm_place
            from (
                select distinct ' ~ value ~ ' from ' ~ source ~ ' where ' ~ known ~ ' limit ' ~ (most + 1) ~ '
            ) as sm_distinct_' ~ number ~ '
        ) as sm_placed_' ~ number ~ '
    ) as sm_values_of_' ~ number) -%}
{%- endfor -%}
-- the edges of the bins of numbers, and the values of those that have few
sm_ends as{{ sqlmetrics.sql_cte_materialized() }} (
    select
        {{- sqlmetrics.lines(ends, 8) }}
    from {{ froms | join('\n    cross join ') }}
)
{%- endmacro %}

{# A code or a half as a short integer: of one byte if all codes up to `most` fit, as units are grouped by it. #}
{% macro as_code(sql, most) -%}
    {%- set short = sqlmetrics.sql_short_integer(sql) -%}
    {{- sqlmetrics.sql_byte(short) if most <= 100 else short -}}
{%- endmacro %}

{# sm_kept: the values of categories, with their codes. #}
{% macro stage_kept(plan, source, usable) -%}
{%- set selects, most = [], plan['question']['own']['max_values'] -%}
{%- for column in sqlmetrics.columns_of_kind(plan, false) -%}
    {%- set known = column['value'] ~ ' is not null' ~ (' and ' ~ usable if usable) -%}
    {%- set place = 'row_number() over (order by sm_n desc, ' ~ sqlmetrics.sql_bytes('sm_value') ~ ' asc)' -%}
    {%- do selects.append('select
        ' ~ column['number'] ~ ' as sm_column,
        sm_value,
        ' ~ place ~ ' as sm_place
    from (
        select ' ~ column['value'] ~ ' as sm_value, count(*) as sm_n
        from ' ~ source ~ '
        where ' ~ known ~ '
        group by ' ~ column['value'] ~ '
    ) as sm_counted_' ~ column['number']) -%}
{%- endfor -%}
-- the values of categories, the most frequent first
sm_kept as{{ sqlmetrics.sql_cte_materialized() }} (
    select sm_column, sm_value, {{ sqlmetrics.as_code('sm_place', most + 1) }} as sm_code
    from (
    {{ selects | join('\n    union all\n    ') }}
    ) as sm_counted
    where sm_place <= {{ most }}
)
{%- endmacro %}

{# sm_coded: the units with the codes of their columns. Most values are kept, so others are looked at last. #}
{% macro stage_coded(plan, source, usable, kept) -%}
{%- set columns, joins = sqlmetrics.prefixed(kept, source ~ '.'), [] -%}
{%- set other, bins = plan['question']['own']['max_values'] + 1, plan['question']['own']['bins'] -%}
{%- for column in plan['question']['own']['columns'] -%}
    {%- set value, names = source ~ '.' ~ column['value'], 'sm_kept_' ~ column['number'] -%}
    {%- if column['kind'] == 'number' -%}
        {%- set cases = ['when ' ~ value ~ ' is null then 0'] -%}
        {%- set most = sqlmetrics.most_values(bins) -%}
        {%- for i in range(1, most + 1) -%}
            {%- do cases.append('when ' ~ value ~ ' <= sm_end_' ~ column['number'] ~ '_' ~ i ~ ' then ' ~ i) -%}
        {%- endfor -%}
        {%- set code = sqlmetrics.as_code('case ' ~ cases | join(' ') ~ ' else ' ~ bins ~ ' end', most) -%}
    {%- else -%}
        {%- set rare = sqlmetrics.as_code('case when ' ~ value ~ ' is null then 0 else ' ~ other ~ ' end', other) -%}
        {%- set code = 'coalesce(' ~ names ~ '.sm_code, ' ~ rare ~ ')' -%}
        {%- do joins.append(
            'left join (select sm_value, sm_code from sm_kept where sm_column = ' ~ column['number'] ~ ') as ' ~ names
            ~ ' on ' ~ value ~ ' = ' ~ names ~ '.sm_value'
        ) -%}
    {%- endif -%}
    {%- do columns.append(code ~ ' as ' ~ column['code']) -%}
{%- endfor -%}
-- the values of the columns as numbers
sm_coded as{{ sqlmetrics.sql_cte_inline() }} (
    select
        {{- sqlmetrics.lines(columns, 8) }}
    from {{ source }}
    {%- for join in joins %}
    {{ join }}
    {%- endfor %}
    {%- if sqlmetrics.columns_of_kind(plan, true) %}
    cross join sm_ends
    {%- endif %}
    {%- if usable %}
    where {{ usable }}
    {%- endif %}
)
{%- endmacro %}

{# sm_names: what the codes stand for: the name of a value, and the condition as a part of the name of a slice. #}
{% macro stage_names(plan) -%}
{%- set selects, searched = [], plan['question']['own'] -%}
{%- for column in searched['columns'] -%}
    {%- set rows, name = [[0, "'(null)'", "' is null'"]], sqlmetrics.sql_text(column['name']) -%}
    {%- if column['kind'] == 'number' -%}
        {%- do selects.append(sqlmetrics.names_of_number(column, name, searched['bins'])) -%}
    {%- else -%}
        {%- set week = column['kind'] == 'date' and searched['dates_by'] == 'week' -%}
        {%- set value = sqlmetrics.sql_joined(["'week of '", 'sm_value']) if week else 'sm_value' -%}
        {%- do rows.append([searched['max_values'] + 1, "'(other)'", "' = (other)'"]) -%}
        {%- do selects.append(
            'select sm_column, sm_code, ' ~ value ~ ' as sm_name, ' ~ sqlmetrics.sql_joined([name, "' = '", value])
            ~ ' as sm_condition from sm_kept where sm_column = ' ~ column['number']
        ) -%}
    {%- endif -%}
    {%- for code, value, condition in rows -%}
        {%- do selects.append(
            'select ' ~ column['number'] ~ ' as sm_column, ' ~ code ~ ' as sm_code, ' ~ value ~ ' as sm_name, '
            ~ sqlmetrics.sql_joined([name, condition]) ~ ' as sm_condition'
        ) -%}
    {%- endfor -%}
{%- endfor -%}
-- what the numbers of values stand for
sm_names as{{ sqlmetrics.sql_cte_shared() }} (
    {{ selects | join('\n    union all\n    ') }}
)
{%- endmacro %}

{# The names of the values of a number, or of its bins: the end of a code, and the end before. #}
{% macro names_of_number(column, name, bins) -%}
{%- set uppers, lowers, most = [], [], sqlmetrics.most_values(bins) -%}
{%- for code in range(1, most + 1) -%}
    {%- set end = ' then sm_end_' ~ column['number'] ~ '_' ~ code -%}
    {%- do uppers.append('when ' ~ code ~ end) -%}
    {%- do lowers.append('when ' ~ (code + 1) ~ end) -%}
{%- endfor -%}
{%- set ends = [] -%}
{%- for of, whens in (('sm_upper', uppers), ('sm_lower', lowers)) -%}
    {#- -0.0 + 0 is 0.0 -#}
    {%- do ends.append('case sm_position ' ~ whens | join(' ') ~ ' end + 0 as ' ~ of) -%}
{%- endfor -%}
{%- set upper, lower = sqlmetrics.sql_string_of_end('sm_upper'), sqlmetrics.sql_string_of_end('sm_lower') -%}
{%- set range = 'case when sm_position = 1 then ' ~ sqlmetrics.sql_joined(["'<= '", upper]) ~ ' when sm_position = '
    ~ bins ~ ' then ' ~ sqlmetrics.sql_joined(["'> '", lower]) ~ ' else '
    ~ sqlmetrics.sql_joined(["'('", lower, "', '", upper, "']'"]) ~ ' end' -%}
{%- set before = "case when sm_few = 1 then ' = ' when sm_position in (1, " ~ bins ~ ") then ' ' else ' in ' end" -%}
select sm_column, sm_code, sm_name, {{ sqlmetrics.sql_joined([name, before, 'sm_name']) }} as sm_condition
    from (
        select
            {{- sqlmetrics.lines([
                column['number'] ~ ' as sm_column', sqlmetrics.as_code('sm_position', most) ~ ' as sm_code',
                'sm_position', 'sm_few',
                'case when sm_few = 1 then ' ~ upper ~ ' else ' ~ range ~ ' end as sm_name',
            ], 12) }}
        from (
            select
                {{- sqlmetrics.lines(['sm_position', 'sm_few_' ~ column['number'] ~ ' as sm_few'] + ends, 16) }}
            from sm_ends
            cross join {{ sqlmetrics.sql_positions(most) }} as sm_codes_{{ column['number'] }}
        ) as sm_ends_of_codes_{{ column['number'] }}
    ) as sm_named_{{ column['number'] }}
{%- endmacro %}

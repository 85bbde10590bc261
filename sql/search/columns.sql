{#
  The columns whose values make slices. Each has a kind: category, number or date. Every unit gets a code of each
  column, since numbers group and join faster than texts:
    -1: the slice leaves the column open (in slices only)
    0: NULL, for a number also NaN and infinity
    from 1 on: the values of a category or date, the most frequent first, or the bins of a number
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

{#
  sm_edges: the greatest value of each bin of a number but for the last, in one row. The edge of a share is the least
    value that at least this share of the units does not exceed. A share is a little lower, because the product of a
    share and a number of units is rounded.
#}
{% macro stage_edges(columns, bins, source, usable) -%}
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
-- the edges of the bins of numbers
sm_edges as{{ sqlmetrics.sql_cte_materialized() }} (
    select *
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
        {%- for i in range(1, bins) -%}
            {%- do cases.append('when ' ~ value ~ ' <= sm_edge_' ~ column['number'] ~ '_' ~ i ~ ' then ' ~ i) -%}
        {%- endfor -%}
        {%- set code = sqlmetrics.as_code('case ' ~ cases | join(' ') ~ ' else ' ~ bins ~ ' end', bins) -%}
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
    cross join sm_edges
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
        {#- -0.0 + 0 is 0.0 -#}
        {%- for bin in range(1, searched['bins'] + 1) -%}
            {%- set lower = sqlmetrics.sql_string_of_end('sm_edge_' ~ column['number'] ~ '_' ~ (bin - 1) ~ ' + 0') -%}
            {%- set upper = sqlmetrics.sql_string_of_end('sm_edge_' ~ column['number'] ~ '_' ~ bin ~ ' + 0') -%}
            {%- set range = ["'<= '", upper] if loop.first
                else ["'> '", lower] if loop.last else ["'('", lower, "', '", upper, "']'"] -%}
            {%- set before = "' '" if loop.first or loop.last else "' in '" -%}
            {%- do rows.append([bin, sqlmetrics.sql_joined(range), sqlmetrics.sql_joined([before] + range)]) -%}
        {%- endfor -%}
    {%- else -%}
        {%- do rows.append([searched['max_values'] + 1, "'(other)'", "' = (other)'"]) -%}
        {%- do selects.append(
            'select sm_column, sm_code, sm_value as sm_name, ' ~ sqlmetrics.sql_joined([name, "' = '", 'sm_value'])
            ~ ' as sm_condition from sm_kept where sm_column = ' ~ column['number']
        ) -%}
    {%- endif -%}
    {%- for code, value, condition in rows -%}
        {%- do selects.append(
            'select ' ~ column['number'] ~ ' as sm_column, ' ~ code ~ ' as sm_code, ' ~ value ~ ' as sm_name, '
            ~ sqlmetrics.sql_joined([name, condition]) ~ ' as sm_condition'
            ~ (' from sm_edges' if column['kind'] == 'number')
        ) -%}
    {%- endfor -%}
{%- endfor -%}
-- what the numbers of values stand for
sm_names as{{ sqlmetrics.sql_cte_shared() }} (
    {{ selects | join('\n    union all\n    ') }}
)
{%- endmacro %}

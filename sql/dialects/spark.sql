{# Spark: what differs from standard SQL. #}

{% macro spark__sql_dialect() -%}spark{%- endmacro %}

{% macro spark__sql_double_type() -%}double{%- endmacro %}

{% macro spark__sql_string(x) -%}cast({{ x }} as string){%- endmacro %}

{# A text such as 0.1 is read as another number than that float. #}
{% macro spark__sql_string_of_end(x) -%}
{%- set text = "case when typeof(" ~ x ~ ") = 'float' then cast(cast(" ~ x ~ " as double) as string) else cast(" ~ x
    ~ " as string) end" -%}
regexp_replace({{ text }}, '[.]0$', '')
{%- endmacro %}

{% macro spark__sql_log2(x) -%}log2({{ x }}){%- endmacro %}

{#
  A loop over the numbers, since Spark compiles the expressions of a stage into one method of Java, of 64 KB at most.
#}
{% macro spark__sql_sum(term, nodes) -%}
    {%- set at, names, rows = namespace(term=term), [], [] -%}
    {%- for name in nodes[0] if '{' ~ name ~ '}' in term -%}
        {%- set at.term = at.term | replace('{' ~ name ~ '}', 'sm_node[' ~ loop.index0 ~ ']') -%}
        {%- do names.append(name) -%}
    {%- endfor -%}
    {%- for node in nodes -%}
        {%- set numbers = [] -%}
        {%- for name in names -%}{%- do numbers.append(node[name] ~ 'D') -%}{%- endfor -%}
        {%- do rows.append('array(' ~ numbers | join(', ') ~ ')') -%}
    {%- endfor -%}
    aggregate(
        array({{ rows | join(', ') }}), {{ sqlmetrics.sql_double('0') }},
        (sm_sum, sm_node) -> sm_sum + {{ at.term }}
    )
{%- endmacro %}

{% macro spark__sql_float_of(x) -%}
(case
    when typeof({{ x }}) in ('double', 'float') or substr(typeof({{ x }}), 1, 7) = 'decimal'
    then cast(cast({{ x }} as string) as double)
end)
{%- endmacro %}

{% macro spark__sql_value_text(x) -%}
{%- set text = sqlmetrics.sql_string(x) -%}
case when typeof({{ x }}) in ('double', 'float') and {{ text }} = '-0.0' then '0.0' else {{ text }} end
{%- endmacro %}

{% macro spark__sql_same(a, b) -%}({{ a }} <=> {{ b }}){%- endmacro %}

{# `sequence` would count downwards to an upper end below 1. #}
{% macro spark__sql_positions(upper) -%}
(
        select explode(sequence(1, sm_upper)) as sm_position
        from (select cast({{ upper }} as integer) as sm_upper) as sm_end
        where sm_upper >= 1
    )
{%- endmacro %}

{% macro spark__sql_quote(name) -%}`{{ name | replace('`', '``') }}`{%- endmacro %}

{# A backslash starts an escape here. #}
{% macro spark__sql_text(value) -%}'{{ value | string | replace('\\', '\\\\') | replace("'", "\\'") }}'{%- endmacro %}

{% macro spark__sql_distributed() -%}{%- do return(true) -%}{%- endmacro %}

{# Numbering the lists would move all of them to one executor. #}
{% macro spark__sql_list_key(columns) -%}struct({{ columns | join(', ') }}){%- endmacro %}

{% macro spark__sql_has_quantiles() -%}{%- do return(true) -%}{%- endmacro %}

{% macro spark__sql_quantile(x, part, parts) -%}
percentile_disc({{ '%.15f' | format(part / parts * (1 - 1e-12)) }}) within group (order by {{ x }} asc)
{%- endmacro %}

{% macro spark__sql_copies_stages() -%}{%- do return(true) -%}{%- endmacro %}

{% macro spark__sql_unpivot(columns) -%}
    {%- do return({
        'packed': ['array(' ~ columns | join(', ') ~ ') as sm_values'],
        'join': 'lateral view posexplode(sm_values) sm_unpivoted as sm_place, sm_value',
        'position': 'sm_place + 1', 'value': 'sm_value',
    }) -%}
{%- endmacro %}

{% macro spark__sql_element(array, position) -%}get({{ array }}, {{ position - 1 }}){%- endmacro %}
{% macro spark__sql_array_length(array) -%}size({{ array }}){%- endmacro %}

{# Places begin at 0. #}
{% macro spark__sql_each_item(x) -%}lateral view posexplode({{ x }}) as place, item{%- endmacro %}

{% macro spark__sql_zone() -%}current_timezone(){%- endmacro %}

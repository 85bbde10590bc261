{# What is summed over the units of a slice and a period. #}

{#
  Records the metric that is explained: the templates of its two sums, n and d, and of the sums of products that its
  intervals read. A state holds no products.
#}
{% macro add_explained(plan, result, value) -%}
    {%- set spread = value['spread'] or {} -%}
    {%- if spread.get('kind') == 'auc' -%}
        {{- sqlmetrics.refuse(
            "sqlmetrics.explain_change: '" ~ result['notation'] ~ "' compares the rows of a slice with those of all"
                ~ " others, so a slice would get a part of what changed in them. Take gauc with group=, the column of"
                ~ " the slices, which is the AUC within each, or log_loss"
        ) -}}
    {%- elif spread.get('numerator') is none -%}
        {{- sqlmetrics.refuse_unknown_units(
            plan, 'explain_change', result['notation'], 'explained',
            'ratios of sums over rows or lists, such as log_loss, precision and ndcg@10; of a root what is under it,'
                ~ ' such as mse instead of rmse'
        ) -}}
    {%- endif -%}
    {%- set sums = {'n': spread['above'], 'd': spread['below']} -%}
    {%- if plan['question']['reads'] == 'rows' -%}
        {%- do sums.update(sqlmetrics.products_of_units(plan, spread)) -%}
    {%- endif -%}
    {%- set filled = {} -%}
    {%- for name, template in sums.items() -%}
        {%- do filled.update({name: sqlmetrics.sql_double(sqlmetrics.filled(plan, template))}) -%}
    {%- endfor -%}
    {%- set guards = [] -%}
    {%- for guard in plan['asked']['guards'] -%}{%- do guards.append(sqlmetrics.filled(plan, guard)) -%}{%- endfor -%}
    {%- do plan['compared_metrics'].append(
        dict(result, guards=guards, unit=spread['unit'], units=spread['unit'], sums=filled)
    ) -%}
{%- endmacro %}

{# The sums of n * n, n * d and d * d over units, and the number of units that count. #}
{% macro products_of_units(plan, spread) -%}
    {%- set n, d, prefix = spread['numerator'], spread['denominator'], plan['asked']['prefix'] -%}
    {%- set grain = {'rows': 'rows', 'lists': 'list_sums', 'groups': 'group_spreads'}[spread['unit']] -%}
    {%- if spread['unit'] == 'groups' -%}
        {%- set n = sqlmetrics.need(plan, 'group_sums', prefix ~ '_of_group', n) -%}
        {%- set d = sqlmetrics.need(plan, 'group_sums', prefix ~ '_counted_of_group', d) -%}
    {%- elif d | replace('(', '') | replace(')', '') == sqlmetrics.row_count_if(plan) -%}
        {#- each row counts once -#}
        {%- do return({
            'nn': sqlmetrics.product_of_units(plan, grain, prefix ~ '_nn', n, n), 'nd': spread['above'],
            'dd': spread['below'], 'units': spread['below'],
        }) -%}
    {%- endif -%}
    {%- do return({
        'nn': sqlmetrics.product_of_units(plan, grain, prefix ~ '_nn', n, n),
        'nd': sqlmetrics.product_of_units(plan, grain, prefix ~ '_nd', n, d),
        'dd': sqlmetrics.product_of_units(plan, grain, prefix ~ '_dd', d, d),
        'units': sqlmetrics.need(plan, grain, prefix ~ '_units', 'case when ' ~ d ~ ' <> 0 then 1 else 0 end'),
    }) -%}
{%- endmacro %}

{# The sum of a product over units. #}
{% macro product_of_units(plan, grain, name, one, other) -%}
    {{- sqlmetrics.need(plan, grain, name, sqlmetrics.sql_double(one) ~ ' * ' ~ sqlmetrics.sql_double(other)) -}}
{%- endmacro %}

{# The entry that adds up a count of the data. One of the whole data is the same in every row. #}
{% macro count_of_change(name, number) -%}
    {%- set whole = name in ('groups_divided', 'groups_split', 'periods_repeated', 'periods_divided') -%}
    {%- do return((sqlmetrics.sql_aggregate('max' if whole else 'sum', 'sm_count_' ~ number))
        ~ ' as sm_count_' ~ number) -%}
{%- endmacro %}

{# The columns with an offending value of a check. #}
{% macro examples_of_change(plan) -%}
    {%- do return(plan['result']['checks'].values() | map(attribute='value') | reject('none') | list) -%}
{%- endmacro %}

{# sm_divided: how many lists of a period have several slices. #}
{% macro stage_divided() -%}
-- the lists that no slice has as a whole
sm_divided as{{ sqlmetrics.sql_cte_materialized() }} (
    select coalesce(sum(case when sm_first < sm_last then 1 else 0 end), 0) as sm_groups_divided
    from (
        select min(sm_slice) as sm_first, max(sm_slice) as sm_last
        from sm_sliced
        where sm_problem = 0
        group by sm_model, sm_group
    ) as sm_slices_of_lists
)
{%- endmacro %}

{#
  sm_change_sums: one row for each slice, with the sums of both periods: sm_n_1 belongs to the period before,
    sm_n_2 to the period after.
#}
{% macro stage_change_sums(plan) -%}
{%- set metric, inner, outer = plan['compared_metrics'][0], ['sm_row_sums.sm_model', 'sm_row_sums.sm_slice'], [] -%}
{%- for name, sql in metric['sums'].items() -%}{%- do inner.append(sql ~ ' as sm_' ~ name) -%}{%- endfor -%}
{%- do inner.append('sm_n_rows as sm_rows') -%}
{%- for name, column in plan['result']['counts'].items() -%}
    {%- do inner.append('coalesce(' ~ column ~ ', 0) as sm_count_' ~ loop.index) -%}
    {%- do outer.append(sqlmetrics.count_of_change(name, loop.index)) -%}
{%- endfor -%}
{%- set examples = sqlmetrics.examples_of_change(plan) -%}
{%- for column in examples -%}
    {%- do inner.append(column) -%}
    {%- do outer.append(sqlmetrics.sql_aggregate('max', column) ~ ' as ' ~ column) -%}
{%- endfor -%}
{%- set divided = 'sm_groups_divided' in plan['result']['checks'] -%}
{%- set broken = metric['guards'] + (['sm_groups_divided'] if divided else []) -%}
{%- do inner.append(
    ('case when ' ~ broken | join(' = 0 and ') ~ ' = 0 then 0 else 1 end' if broken else '0') ~ ' as sm_broken'
) -%}
{%- for name in metric['sums'] | list + ['rows'] -%}
    {%- for side in (1, 2) -%}
        {%- do outer.append('coalesce('
            ~ sqlmetrics.sql_aggregate('sum', 'case when sm_model = ' ~ side ~ ' then sm_' ~ name ~ ' end')
            ~ ', 0) as sm_' ~ name ~ '_' ~ side) -%}
    {%- endfor -%}
{%- endfor -%}
-- the sums of both periods, a row for each slice
sm_change_sums as{{ sqlmetrics.sql_cte_inline() }} (
    select
        {{- sqlmetrics.lines(['sm_slice', 'max(sm_broken) as sm_broken'] + outer, 8) }}
    from (
        select
            {{- sqlmetrics.lines(inner, 12) }}
        from sm_row_sums
        {{- sqlmetrics.joined_sums(plan) | replace('\n', '\n        ') }}
        {%- if divided %}
        cross join sm_divided
        {%- endif %}
    ) as sm_sums_of_periods
    group by sm_slice
)
{%- endmacro %}


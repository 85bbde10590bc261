{#
  Values of rows in their order, for rows spread over machines, where a window over all rows would move them to one
  machine. Near values share a bucket: a window over the buckets, which are few, counts the rows below each, and a
  window inside each counts the rest.
#}

{#
  The stages from the rows to sm_<name>_places, a row for each distinct value of a slice, and of the total.

  sm_count, if counted: the rows of the value, or their weight; sm_through: those down to it from the smallest; sm_all:
    all of them.

  Args:
    name: what the stages are called after
    value: an expression of the rows
    counted: true for sm_count
#}
{% macro stages_of_places(plan, name, value, counted=true) -%}
{%- set keys, counts, buckets = plan['facts']['keys'], 'sm_' ~ name ~ '_counts', 'sm_' ~ name ~ '_buckets' -%}
{%- set values = ['sm_value', 'sm_count'] if counted else ['sm_value'] -%}
{%- set up = sqlmetrics.partition_by(keys) ~ 'order by sm_bucket asc rows ' -%}
{%- set inside = sqlmetrics.partition_by(sqlmetrics.prefixed(keys + ['sm_bucket'], counts ~ '.')) -%}
-- rows of each distinct value, near values in a bucket
{{ counts }} as (
    select
        {{- sqlmetrics.lines(keys + [
            'sm_value',
            sqlmetrics.score_bucket('sm_value') ~ ' as sm_bucket',
            ('count(*)' if plan['facts']['weight'] is none else 'sum(sm_weight)') ~ ' as sm_count',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines(sqlmetrics.keys_counted_in(plan) + [value ~ ' as sm_value']
                + (['sm_weight'] if plan['facts']['weight'] is not none else []), 12) }}
        from {{ sqlmetrics.rows_counted_in(plan) }}
        where sm_problem = 0
    ) as sm_valued
    group by {{ (keys + ['sm_value']) | join(', ') }}
),

-- the rows below each bucket
{{ buckets }} as (
    select
        {{- sqlmetrics.lines(keys + [
            'sm_bucket',
            sqlmetrics.sum_above(plan, 'sum(sm_count)', up) ~ ' as sm_below_bucket',
            'sum(sum(sm_count)) over (' ~ sqlmetrics.partition_by(keys) | trim ~ ') as sm_all',
        ], 8) }}
    from {{ counts }}
    group by {{ (keys + ['sm_bucket']) | join(', ') }}
),

-- the rows down to each value
sm_{{ name }}_places as (
    select
        {{- sqlmetrics.lines(sqlmetrics.prefixed(keys, counts ~ '.') + values + [
            'sm_below_bucket + sum(sm_count) over (' ~ inside ~ 'order by sm_value asc rows unbounded preceding)'
                ~ ' as sm_through',
            'sm_all',
        ], 8) }}
    from {{ counts }}
    inner join {{ buckets }} on {{ sqlmetrics.same_keys(keys + ['sm_bucket'], counts, buckets) }}
)
{%- endmacro %}

{# The rows of each slice, and of the total. #}
{% macro rows_counted_in(plan) -%}
{{ sqlmetrics.counted_twice(sqlmetrics.sliced(plan), '        ') ~ ' as sm_rows_twice' if plan['facts']['total']
    else sqlmetrics.sliced(plan) }}
{%- endmacro %}

{# Their keys: select-list entries. #}
{% macro keys_counted_in(plan) -%}
    {%- do return(
        sqlmetrics.model_keys(plan) + ['sm_counted_in as sm_slice'] if plan['facts']['total'] else plan['facts']['keys']
    ) -%}
{%- endmacro %}

{# Values at a share of the weight, as stage_quantiles has them. #}
{% macro quantiles_in_buckets(plan, grain, value) -%}
{{ sqlmetrics.stages_of_places(plan, grain, value, counted=false) }},

-- values at a share of the rows or of their weight
sm_{{ grain }} as (
    select
        {{- sqlmetrics.lines(plan['facts']['keys'] + sqlmetrics.aggregates(plan, grain), 8) }}
    from (
        select
            {{- sqlmetrics.lines(plan['facts']['keys'] + [
                'sm_value', sqlmetrics.ratio('sm_through', 'sm_all') ~ ' as sm_share',
            ], 12) }}
        from sm_{{ grain }}_places
    ) as sm_valued
    {{- sqlmetrics.grouped_by(plan['facts']['keys']) }}
)
{%- endmacro %}

{# The ranks of both values of each row, as stage_ranks has them. #}
{% macro ranks_in_buckets(plan) -%}
{%- set columns, joins = [], [] -%}
{%- for role in ('label', 'score') -%}
    {%- set places = 'sm_' ~ role ~ '_ranks_places' -%}
    {%- do columns.extend([
        places ~ '.sm_through - ' ~ places ~ '.sm_count + 1 as sm_' ~ role ~ '_first',
        sqlmetrics.ratio(places ~ '.sm_through', places ~ '.sm_all') ~ ' as sm_' ~ role ~ '_share',
    ]) -%}
    {%- do joins.append(
        'inner join ' ~ places ~ ' on ' ~ sqlmetrics.same_keys(plan['facts']['keys'], 'sm_both_given', places)
            ~ ' and sm_both_given.sm_' ~ role ~ ' = ' ~ places ~ '.sm_value'
    ) -%}
{{ sqlmetrics.stages_of_places(plan, role ~ '_ranks', 'sm_' ~ role) }},

{% endfor -%}
-- ranks of the labels and of the scores
sm_both_ranked as (
    select
        {{- sqlmetrics.lines(sqlmetrics.prefixed(plan['facts']['keys'], 'sm_both_given.') + columns, 8) }}
    from (
        select
            {{- sqlmetrics.lines(sqlmetrics.keys_counted_in(plan) + ['sm_label', 'sm_score'], 12) }}
        from {{ sqlmetrics.rows_counted_in(plan) }}
        where sm_problem = 0
    ) as sm_both_given
    {%- for join in joins %}
    {{ join }}
    {%- endfor %}
)
{%- endmacro %}

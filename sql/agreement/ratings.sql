{# The ratings, and the counts of each value within an item: what measures of agreement are sums of. #}

{#
  sm_ratings: the usable ratings, by slice and in total, with the number of ratings of their item.
  sm_raters: each item and rater, with the number of times that the rater rated it.
  sm_sizes: a row for each slice: sm_n_raters and sm_n_ratings of items with two ratings or more; sm_repeated, the
    ratings of an item beyond the first of a rater.
#}
{% macro stages_of_ratings(plan) -%}
{%- set keys = plan['facts']['keys'] -%}
-- the ratings, with the number of those of their item
sm_ratings as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(keys + [
            'sm_group', 'sm_rater', 'sm_rating',
            'count(*) over (partition by ' ~ (keys + ['sm_group']) | join(', ') ~ ') as sm_in_item',
        ], 8) }}
    from (
    {{ sqlmetrics.by_slice_and_total(
        plan, ['sm_group', 'sm_predicted as sm_rater', 'sm_class as sm_rating']
    ) | indent(4) }}
    ) as sm_slice_ratings
),

-- how often a rater rated an item
sm_raters as (
    select
        {{- sqlmetrics.lines(keys + [
            'sm_rater', 'count(*) as sm_times', 'max(sm_in_item) as sm_of_item',
        ], 8) }}
    from sm_ratings
    group by {{ (keys + ['sm_group', 'sm_rater']) | join(', ') }}
),

-- raters and ratings of the items with two ratings or more
sm_sizes as (
    select
        {{- sqlmetrics.lines(keys + [
            'count(distinct case when sm_of_item >= 2 then sm_rater end) as sm_n_raters',
            'sum(case when sm_of_item >= 2 then sm_times else 0 end) as sm_n_ratings',
            'sum(sm_times - 1) as sm_repeated',
        ], 8) }}
    from sm_raters
    {{- sqlmetrics.grouped_by(keys) }}
)
{%- endmacro %}

{#
  sm_rated: each item and value, with sm_count, the ratings of the item with this value, and sm_of_item, all of them.
  sm_values: each value. sm_mass: its ratings in items with two ratings or more; sm_share: the sum over items of its
    share of the ratings of an item; sm_value, sm_rank, sm_place: its number on the scales that are read, less their
    mean over ratings (of places over values); sums over all values, in each of them
#}
{% macro stages_of_rated_values(plan, distances, read) -%}
{%- set keys, scales = plan['facts']['keys'], sqlmetrics.scales_read(distances) -%}
{%- set slice = sqlmetrics.partition_by(keys) -%}
{%- set numbers = [] -%}
{%- if scales or 'ratios' in distances -%}
    {%- do numbers.append(sqlmetrics.sql_label('sm_rating') ~ ' as sm_number') -%}
{%- endif -%}
{%- set all = 'sum(sm_mass) over (' ~ slice | trim ~ ')' -%}
{%- set through = 'sum(sm_mass) over (' ~ slice ~ 'order by sm_number asc rows unbounded preceding)' -%}
{%- set ordered = 'row_number() over (' ~ slice ~ 'order by sm_number asc)' -%}
{%- set centred = {
    'value': 'sm_number - ' ~ sqlmetrics.ratio(
        'sum(sm_mass * sm_number) over (' ~ slice | trim ~ ')', all
    ),
    'rank': through ~ ' - sm_mass / 2 - ' ~ all ~ ' / 2',
    'place': sqlmetrics.sql_double(ordered) ~ ' - (' ~ sqlmetrics.sql_double(
        'count(*) over (' ~ slice | trim ~ ')'
    ) ~ ' + 1) / 2',
} -%}
{%- set columns, sums = [], [] -%}
{%- for scale in scales -%}{%- do columns.append(centred[scale] ~ ' as sm_' ~ scale) -%}{%- endfor -%}
{%- for name, sum in sqlmetrics.sums_of_values(read).items() -%}
    {%- do sums.append(sqlmetrics.sql_double(sum ~ ' over (' ~ slice | trim ~ ')') ~ ' as ' ~ name) -%}
{%- endfor -%}
-- how many ratings of an item have each value
sm_rated as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(keys + [
            'sm_group', 'sm_rating', sqlmetrics.sql_double('count(*)') ~ ' as sm_count',
            sqlmetrics.sql_double('max(sm_in_item)') ~ ' as sm_of_item',
        ], 8) }}
    from sm_ratings
    group by {{ (keys + ['sm_group', 'sm_rating']) | join(', ') }}
),

-- the values, with their ratings and their places, and sums over all values
sm_values as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(['sm_placed_values.*'] + sums, 8) }}
    from (
        select
            {{- sqlmetrics.lines(keys + ['sm_rating', 'sm_mass', 'sm_share']
                + (['sm_number'] if 'ratios' in distances else [])
                + columns, 12) }}
        from (
            select
                {{- sqlmetrics.lines(keys + [
                    'sm_rating', 'sum(case when sm_of_item >= 2 then sm_count else 0 end) as sm_mass',
                    'sum(sm_count / sm_of_item) as sm_share',
                ] + numbers, 16) }}
            from sm_rated
            group by {{ (keys + ['sm_rating']) | join(', ') }}
        ) as sm_counted_values
    ) as sm_placed_values
)
{%- if 'ratios' in distances %},

-- how far all ratings are from each value, by ratios
sm_ratios_of_values as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(sqlmetrics.prefixed(keys, 'sm_values.') + [
            'sm_values.sm_rating',
            'sum(sm_others.sm_mass * ' ~ sqlmetrics.ratio_of('sm_values.sm_number', 'sm_others.sm_number')
                ~ ') as sm_from_others',
        ], 8) }}
    from sm_values
    inner join sm_values as sm_others on {{ sqlmetrics.same_keys(keys, 'sm_values', 'sm_others') }}
    group by {{ (sqlmetrics.prefixed(keys, 'sm_values.') + ['sm_values.sm_rating']) | join(', ') }}
),

-- how far the ratings of an item are from each other, by ratios
sm_ratios_of_items as (
    select
        {{- sqlmetrics.lines(sqlmetrics.prefixed(keys, 'sm_rated.') + [
            'sm_rated.sm_group',
            'sum(sm_rated.sm_count * sm_others.sm_count * ' ~ sqlmetrics.ratio_of(
                sqlmetrics.sql_label('sm_rated.sm_rating'), sqlmetrics.sql_label('sm_others.sm_rating')
            ) ~ ') as sm_ratios',
        ], 8) }}
    from sm_rated
    inner join sm_rated as sm_others on {{ sqlmetrics.same_keys(keys + ['sm_group'], 'sm_rated', 'sm_others') }}
    group by {{ (sqlmetrics.prefixed(keys, 'sm_rated.') + ['sm_rated.sm_group']) | join(', ') }}
)
{%- endif -%}
{%- endmacro %}

{# The sums over values that are read by the expressions of measures: name -> aggregate. #}
{% macro sums_of_values(read) -%}
    {%- set sums, found = {
        'sm_all': 'sum(sm_mass)', 'sm_of_values': 'count(*)',
        'sm_squared_masses': 'sum(sm_mass * sm_mass)', 'sm_squared_shares': 'sum(sm_share * sm_share)',
        'sm_spread_of_value': 'sum(sm_mass * sm_value * sm_value)',
        'sm_spread_of_rank': 'sum(sm_mass * sm_rank * sm_rank)',
        'sm_most': 'max(sm_value)', 'sm_least': 'min(sm_value)',
        'sm_even_sum': 'sum(sm_value)', 'sm_even_squares': 'sum(sm_value * sm_value)',
        'sm_even_lengths': 'sum(2 * sm_value * sm_place)',
    }, {} -%}
    {%- for name, sum in sums.items() if name in read -%}{%- do found.update({name: sum}) -%}{%- endfor -%}
    {%- do return(found) -%}
{%- endmacro %}

{# The square of the difference of two numbers by their sum; 0 of two zeros. #}
{% macro ratio_of(x, y) -%}
    {%- set ratio = sqlmetrics.ratio(x ~ ' - ' ~ y, x ~ ' + ' ~ y) -%}
    coalesce({{ ratio }} * {{ ratio }}, 0)
{%- endmacro %}

{# The scales that distances read. Lengths need the order of values besides. #}
{% macro scales_read(distances) -%}
    {%- set scales = [] -%}
    {%- for distance in distances if distance in sqlmetrics.scales_of_distances() -%}
        {%- do scales.append(sqlmetrics.scales_of_distances()[distance]) -%}
        {%- if distance == 'lengths' -%}{%- do scales.append('place') -%}{%- endif -%}
    {%- endfor -%}
    {%- do return(scales | unique | list) -%}
{%- endmacro %}

{#
  sm_rated_items: the items, with the sums over their values of which distances are made. sm_n: the number of ratings;
  sm_with_masses, sm_with_shares, sm_with_ratios: the ratings times what all ratings have of their value.
#}
{% macro stage_of_rated_items(plan, distances, read_of_items) -%}
{%- set keys, scales = plan['facts']['keys'], sqlmetrics.scales_read(distances) -%}
{%- set lengths = [] -%}
{%- if 'lengths' in distances -%}{%- do lengths.append('value') -%}{%- endif -%}
{%- if 'steps' in distances -%}{%- do lengths.append('place') -%}{%- endif -%}
{%- set item = keys + ['sm_group'] -%}
{%- set sums = ['max(sm_of_item) as sm_n'] -%}
{%- for name, sum in {
    'sm_squared_counts': 'sum(sm_count * sm_count)', 'sm_with_masses': 'sum(sm_count * sm_mass)',
    'sm_with_shares': 'sum(sm_count * sm_share)',
}.items() if name in read_of_items -%}
    {%- do sums.append(sum ~ ' as ' ~ name) -%}
{%- endfor -%}
{%- for scale in scales -%}
    {%- do sums.extend([
        'sum(sm_count * sm_' ~ scale ~ ') as sm_sum_of_' ~ scale,
        'sum(sm_count * sm_' ~ scale ~ ' * sm_' ~ scale ~ ') as sm_squares_of_' ~ scale,
    ]) -%}
{%- endfor -%}
{%- for scale in lengths -%}
    {%- do sums.append(
        'sum(sm_count * sm_' ~ scale ~ ' * (2 * sm_through - sm_count - sm_of_item)) as sm_lengths_of_' ~ scale
    ) -%}
{%- endfor -%}
{%- set of_values = sqlmetrics.sums_of_values(read_of_items) | list -%}
{%- for column in of_values -%}{%- do sums.append('max(' ~ column ~ '_here) as ' ~ column) -%}{%- endfor -%}
{%- set read = sqlmetrics.prefixed(keys, 'sm_rated.') + [
    'sm_group', 'sm_count', 'sm_of_item',
] + (['sm_mass'] if 'sm_with_masses' in read_of_items else [])
    + (['sm_share'] if 'sm_with_shares' in read_of_items else []) + sqlmetrics.prefixed(scales, 'sm_') -%}
{%- for column in of_values -%}{%- do read.append(column ~ ' as ' ~ column ~ '_here') -%}{%- endfor -%}
{%- if lengths -%}
    {%- do read.append('sum(sm_count) over (partition by '
        ~ (sqlmetrics.prefixed(keys, 'sm_rated.') + ['sm_group']) | join(', ')
        ~ ' order by sm_place asc rows unbounded preceding) as sm_through') -%}
{%- endif -%}
{%- set same_value = sqlmetrics.same_keys(keys + ['sm_rating'], 'sm_rated', '{}') -%}
{%- if 'ratios' in distances -%}
    {%- do read.extend(['sm_from_others', 'sm_ratios_of_items.sm_ratios as sm_ratios_of_item']) -%}
    {%- do sums.extend(['sum(sm_count * sm_from_others) as sm_with_ratios', 'max(sm_ratios_of_item) as sm_ratios']) -%}
{%- endif -%}
-- the items, with what their ratings add up to
sm_rated_items as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(keys + sums, 8) }}
    from (
        select
            {{- sqlmetrics.lines(read | map('replace', 'sm_group', 'sm_rated.sm_group') | list, 12) }}
        from sm_rated
        inner join sm_values on {{ same_value | replace('{}', 'sm_values') }}
        {%- if 'ratios' in distances %}
        inner join sm_ratios_of_values on {{ same_value | replace('{}', 'sm_ratios_of_values') }}
        inner join sm_ratios_of_items on {{ sqlmetrics.same_keys(item, 'sm_rated', 'sm_ratios_of_items') }}
        {%- endif %}
    ) as sm_numbered_ratings
    group by {{ item | join(', ') }}
)
{%- endmacro %}

{# The distances of two sides, from the counts of their values. #}

{#
  sm_distances: by column and slice, over bins and categories: p and q are the shares of a bin on the current side and
    in the reference. Only bins with a row of a side occur.
#}
{% macro stage_drift_distances() -%}
{#- p and q of psi: a bin without rows of a side has half a row -#}
{%- set p, q = sqlmetrics.ratio('sm_counted_current', 'sm_n_current'),
    sqlmetrics.ratio('sm_counted_reference', 'sm_n_reference') -%}
{%- set terms = {
    'psi': '(' ~ p ~ ' - ' ~ q ~ ') * ' ~ sqlmetrics.sql_ln(p ~ ' / ' ~ q),
    'divergence': 'case when sm_p > 0 then sm_p * ' ~ sqlmetrics.sql_ln('2 * sm_p / (sm_p + sm_q)') ~ ' else 0 end'
        ~ ' + case when sm_q > 0 then sm_q * ' ~ sqlmetrics.sql_ln('2 * sm_q / (sm_p + sm_q)') ~ ' else 0 end',
    'squares': '(sqrt(sm_p) - sqrt(sm_q)) * (sqrt(sm_p) - sqrt(sm_q))',
    'moved': 'abs(sm_p - sm_q)',
    'chi_square': '(sm_p - sm_q) * (sm_p - sm_q) / '
        ~ sqlmetrics.ratio('sm_current + sm_reference', 'sm_n_current * sm_n_reference'),
    'reciprocals': '1 / (sm_current + sm_reference)',
} -%}
-- the distances over bins and categories
sm_distances as (
    select
        sm_column,
        sm_slice,
        count(*) as sm_n_cells,
        {%- for name, term in terms.items() %}
        sum({{ term }}) as sm_{{ name }}{{ ',' if not loop.last }}
        {%- endfor %}
    from (
        select
            {{- sqlmetrics.lines([
                'sm_cells.sm_column', 'sm_cells.sm_slice', 'sm_current', 'sm_reference', 'sm_n_current',
                'sm_n_reference', sqlmetrics.ratio('sm_current', 'sm_n_current') ~ ' as sm_p',
                sqlmetrics.ratio('sm_reference', 'sm_n_reference') ~ ' as sm_q',
                'case when sm_current = 0 then 0.5 else sm_current end as sm_counted_current',
                'case when sm_reference = 0 then 0.5 else sm_reference end as sm_counted_reference',
            ], 12) }}
        from sm_cells
        inner join sm_sizes on sm_cells.sm_column = sm_sizes.sm_column and sm_cells.sm_slice = sm_sizes.sm_slice
    ) as sm_shares
    group by sm_column, sm_slice
)
{%- endmacro %}

{#
  sm_gaps: by column and slice, over all numbers: the greatest distance of the two distribution functions, and the area
    between them. A running sum is the number of rows down to a number; it is an integer, which windows sum faster. Each
    number occurs once, so that the default frame, which ends at equal numbers, is that of rows.
#}
{% macro stage_distribution_gaps() -%}
{%- set key = 'partition by sm_column, sm_slice order by sm_number asc' -%}
{%- set gap = 'abs(' ~ sqlmetrics.ratio('sm_current_to', 'sm_n_current - sm_null_current') ~ ' - '
    ~ sqlmetrics.ratio('sm_reference_to', 'sm_n_reference - sm_null_reference') ~ ')' -%}
-- the distance of the distribution functions
sm_gaps as (
    select
        sm_column,
        sm_slice,
        max(sm_gap) as sm_ks,
        sum(sm_gap * sm_width) as sm_area
    from (
        select
            {{- sqlmetrics.lines([
                'sm_steps.sm_column', 'sm_steps.sm_slice', gap ~ ' as sm_gap', 'sm_next - sm_number as sm_width',
            ], 12) }}
        from (
            select
                {{- sqlmetrics.lines([
                    'sm_column', 'sm_slice', 'sm_number',
                    'sum(sm_current) over (' ~ key ~ ') as sm_current_to',
                    'sum(sm_reference) over (' ~ key ~ ') as sm_reference_to',
                    'lead(sm_number) over (' ~ key ~ ') as sm_next',
                ], 16) }}
            from sm_numbers
            where sm_number is not null
        ) as sm_steps
        inner join sm_sizes on sm_steps.sm_column = sm_sizes.sm_column and sm_steps.sm_slice = sm_sizes.sm_slice
    ) as sm_between
    group by sm_column, sm_slice
)
{%- endmacro %}

{# How many values that a side lacks are named. #}
{% macro most_named_values() -%}{%- do return(5) -%}{%- endmacro %}

{# sm_unlike: by column and slice: how many categories one side lacks, and the most frequent of them with their rows. #}
{% macro stage_one_sided_values() -%}
{%- set columns = ['sm_column', 'sm_slice'] -%}
{%- for kind, new in (('new', 1), ('vanished', 0)) -%}
    {%- do columns.append('sum(case when sm_is_new = ' ~ new ~ ' then 1 else 0 end) as sm_n_' ~ kind) -%}
    {%- for place in range(1, sqlmetrics.most_named_values() + 1) -%}
        {%- do columns.append(
            'max(case when sm_is_new = ' ~ new ~ ' and sm_place = ' ~ place ~ ' then sm_named end) as sm_' ~ kind ~ '_'
                ~ place
        ) -%}
    {%- endfor -%}
{%- endfor -%}
{%- set named = sqlmetrics.sql_joined(
    ['sm_text', "' ('", sqlmetrics.sql_string(sqlmetrics.sql_integer('sm_current + sm_reference')), "')'"]
) -%}
-- the categories that a side lacks, the most frequent first
sm_unlike as (
    select
        {{- sqlmetrics.lines(columns, 8) }}
    from (
        select
            {{- sqlmetrics.lines([
                'sm_column', 'sm_slice', 'sm_is_new', named ~ ' as sm_named',
                'row_number() over (partition by sm_column, sm_slice, sm_is_new'
                    ~ ' order by sm_current + sm_reference desc, '
                    ~ sqlmetrics.sql_bytes('sm_text') ~ ' asc) as sm_place',
            ], 12) }}
        from (
            select
                {{- sqlmetrics.lines([
                    'sm_column', 'sm_slice', 'sm_current', 'sm_reference',
                    "coalesce(sm_category, '(null)') as sm_text",
                    'case when sm_reference = 0 then 1 else 0 end as sm_is_new',
                ], 16) }}
            from sm_categories
            where sm_reference = 0 or sm_current = 0
        ) as sm_one_sided
    ) as sm_placed_values
    group by sm_column, sm_slice
)
{%- endmacro %}

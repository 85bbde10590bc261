{# The rank of the first relevant item of a list, where it ties with others. #}

{#
  sm_hit_sums: the probabilities of the rank of the first relevant item, for lists whose first block with a
    relevant item (s items, r of them relevant) also has other items: at the i-th rank of the block it is r/(s
    - i) times the probability of none before it.

  Where stages are copied, the sums over items of each list come along, so that sm_lists does not read them again. A
  list without such a block then has a row at rank 0, without a probability.
#}
{% macro stage_hits(plan) -%}
{%- set size = '(sm_hit_last - sm_hit_first + 1)' -%}
{%- set i = '(sm_position - sm_hit_first)' -%}
{%- set missed = sqlmetrics.ratio(size ~ ' - sm_hit_relevant - ' ~ i, size ~ ' - ' ~ i) -%}
{%- set lists = sqlmetrics.list_columns(plan) -%}
{%- set chance = sqlmetrics.ratio('sm_hit_relevant', size ~ ' - ' ~ i) ~ ' * ' ~ sqlmetrics.sql_exp(
    'coalesce(sum(case when ' ~ size ~ ' - sm_hit_relevant > ' ~ i ~ ' then ' ~ sqlmetrics.sql_ln(missed)
    ~ ' end) over (partition by ' ~ lists | join(', ')
    ~ ' order by sm_position asc rows between unbounded preceding and 1 preceding), 0)'
) -%}
{%- set in_block = 'sm_position between sm_hit_first and sm_hit_last - sm_hit_relevant + 1' -%}
{%- set tied = 'sm_hit_last - sm_hit_first + 1 > sm_hit_relevant' -%}
{%- set together = sqlmetrics.sql_copies_stages() -%}
{%- set carried = [] -%}
{%- for column in sqlmetrics.item_sums_of_list(plan) if together -%}
    {%- do carried.append(sqlmetrics.sql_aggregate('max', 'sm_first_hits.' ~ column) ~ ' as ' ~ column) -%}
{%- endfor -%}
{%- set position = ['sm_position'] if sqlmetrics.reads(plan, 'hits', 'position') else [] -%}
-- the chance of each rank to hold the first relevant item
sm_first_hits as (
    {%- if together %}
    select
        {{ (['sm_item_sums.*'] + position) | join(', ') }},
        case when sm_position > 0 then {{ chance }} end as sm_chance
    from sm_item_sums
    cross join (select sm_position from sm_positions union all select 0 as sm_position) as sm_ranks
    where case when {{ tied }} then {{ in_block }} else sm_position = 0 end
    {%- else %}
    select
        {{- sqlmetrics.lines(lists + position + [chance ~ ' as sm_chance'], 8) }}
    from sm_item_sums
    inner join sm_positions on {{ in_block }}
    where {{ tied }}
    {%- endif %}
),

-- what is summed over those chances, a row for each list
sm_hit_sums as (
    select
        {{- sqlmetrics.lines(lists + carried + sqlmetrics.aggregates(plan, 'hits'), 8) }}
    from sm_first_hits
    group by {{ lists | join(', ') }}
)
{%- endmacro %}

{# The stages of which sm_lists joins its sums over items. #}
{% macro stages_with_item_sums(plan) -%}
    {%- if not plan['needs']['hits'] -%}{%- do return(['sm_item_sums']) -%}{%- endif -%}
    {%- do return(['sm_hit_sums'] if sqlmetrics.sql_copies_stages() else ['sm_item_sums', 'sm_hit_sums']) -%}
{%- endmacro %}

{# The columns of sm_item_sums beside the keys of a list. #}
{% macro item_sums_of_list(plan) -%}
    {%- set columns = plan['needs']['item_sums'] | list -%}
    {%- if sqlmetrics.lists_are_by_rank(plan) -%}
        {%- set columns = sqlmetrics.slices_of_parts(plan) + sqlmetrics.sums_of_grades_read(plan) + columns -%}
    {%- endif -%}
    {%- do return(columns) -%}
{%- endmacro %}

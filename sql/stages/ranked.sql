{# The grain of ranked lists: the rows of lists, their ranks, and what stands above them. #}

{# The keys of a list: the group first, which sorts faster. #}
{% macro list_keys(plan, prefix='') -%}
    {%- set columns = [] -%}
    {%- for key in ['sm_group'] + plan['keys'] -%}{%- do columns.append(prefix ~ key) -%}{%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{# The condition that joins two stages by list. #}
{% macro same_list(plan, left, right) -%}
    {{- left ~ '.sm_group = ' ~ right ~ '.sm_group' ~ (' and ' ~ sqlmetrics.same_slice(plan, left, right) if plan['keys'] else '') -}}
{%- endmacro %}

{#
  sm_list_rows: the usable rows of lists. The total takes lists whole: a list that lies in several slices (sm_spanning)
  is there once more, whole, under slice 0.
#}
{% macro stage_list_rows(plan) -%}
{%- set kept = sqlmetrics.kept_columns(plan) -%}
{%- set columns = ['sm_group'] + (['sm_item'] if plan['item'] is not none else []) + ['sm_label', 'sm_score']
    + (['sm_weight'] if plan['weight'] is not none else []) + plan['list_weights'].values() | list
    + (['sm_split', 'sm_copies', 'sm_listed as sm_n_listed'] if plan['truth'] is not none else []) + ['1 as sm_n'] -%}
{%- set copies = plan['total'] and plan['truth'] is none -%}
{%- set models = ['sm_model'] if 'sm_model' in plan['keys'] else [] -%}
{%- if copies -%}
sm_spanning as (
    select {{ (['sm_group'] + models) | join(', ') }}
    from sm_rows
    where sm_problem = 0
    group by {{ (['sm_group'] + models) | join(', ') }}
    having min(sm_slice) < max(sm_slice)
),

{% endif -%}
sm_list_rows as{{ sqlmetrics.sm_read_again() }} (
    select {{ (plan['keys'] + columns) | join(', ') }}
    from sm_rows
    where sm_problem = 0
    {%- if copies %}
    union all
    select {{ (sqlmetrics.total_keys(plan) + columns) | join(', ') | replace('sm_model', 'sm_rows.sm_model') | replace('sm_group', 'sm_rows.sm_group') }}
    from sm_rows
    inner join sm_spanning on sm_rows.sm_group = sm_spanning.sm_group{{ ' and sm_rows.sm_model = sm_spanning.sm_model' if models }}
    where sm_problem = 0
    {%- endif %}
)
{%- endmacro %}

{#
  sm_ranked: one sort of each list, from the highest score down. sm_first to sm_last are the ranks that an item shares with
  those of the same score; sm_rank is its own, where `ties` gives it one.
#}
{% macro stage_ranked(plan) -%}
{%- set lists = 'partition by ' ~ sqlmetrics.list_keys(plan) | join(', ') ~ ' order by sm_score desc' -%}
{%- set decides = {'worst': 'sm_label asc', 'best': 'sm_label desc', 'item': 'sm_item asc', 'item desc': 'sm_item desc'} -%}
{%- set columns = sqlmetrics.list_keys(plan) + ['sm_label'] -%}
{%- if plan['ties'] == 'average' or plan['flags'].get('midrank') -%}
    {%- set columns = columns + ['rank() over (' ~ lists ~ ') as sm_first', 'count(*) over (' ~ lists ~ ') as sm_last'] -%}
{%- endif -%}
{%- if plan['ties'] != 'average' and plan['flags'].get('positions') -%}
    {%- set columns = columns + ['row_number() over (' ~ lists ~ ', ' ~ decides[plan['ties']] ~ ') as sm_rank'] -%}
{%- endif -%}
sm_ranked as{{ sqlmetrics.sm_read_again() }} (
    select
        {{- sqlmetrics.lines(columns, 8) }}
    from sm_list_rows
    {{ 'where sm_n_listed = 1' if plan['truth'] is not none }}
)
{%- endmacro %}

{#
  sm_gained: the items that add to some metric, and what stands above them; items of no gain only take up ranks.

  sm_relevant_through: relevant items down to the block, itself included; sm_relevant_tied: those of the block
  sm_stop_rank, sm_reached: the rank in the pessimistic order, and the chance that a cascading user comes that far
#}
{% macro stage_gained(plan) -%}
{%- set flags = plan['flags'] -%}
{%- set average = plan['ties'] == 'average' -%}
{%- set rank = 'sm_first' if average else 'sm_rank' -%}
{%- set lists = 'partition by ' ~ sqlmetrics.list_keys(plan) | join(', ') ~ ' order by ' ~ rank -%}
{%- set relevant = 'count(case when ' ~ sqlmetrics.is_relevant(plan) ~ ' then 1 end) over (' ~ lists -%}
{%- set columns = sqlmetrics.list_keys(plan) + ['sm_label'] -%}
{%- if average or flags.get('midrank') -%}{%- set columns = columns + ['sm_first', 'sm_last'] -%}{%- endif -%}
{%- if not average and flags.get('positions') -%}{%- set columns = columns + ['sm_rank'] -%}{%- endif -%}
{%- if flags.get('relevant_through') -%}{%- set columns = columns + [relevant ~ ') as sm_relevant_through'] -%}{%- endif -%}
{%- if flags.get('relevant_tied') -%}
    {%- set columns = columns + [relevant ~ ' range between current row and current row) as sm_relevant_tied'] -%}
{%- endif -%}
{%- if flags.get('cascade') -%}
    {%- set order = lists ~ (', sm_label' if average else '') -%}
    {%- set passed = 'case when ' ~ sqlmetrics.stop_chance(plan) ~ ' < 1 then ' ~ sqlmetrics.sm_ln('1 - ' ~ sqlmetrics.stop_chance(plan)) ~ ' end' -%}
    {%- set columns = columns + [
        'sm_last - count(*) over (' ~ lists ~ ') + row_number() over (' ~ order ~ ') as sm_stop_rank' if average else 'sm_rank as sm_stop_rank',
        'exp(coalesce(sum(' ~ passed ~ ') over (' ~ order ~ ' rows between unbounded preceding and 1 preceding), 0)) as sm_reached',
    ] -%}
{%- endif -%}
sm_gained as{{ sqlmetrics.sm_read_again() }} (
    select
        {{- sqlmetrics.lines(columns, 8) }}
    from sm_ranked
    where sm_label > 0{{ ' or ' ~ sqlmetrics.is_relevant(plan) if plan['positive'] is number }}
)
{%- endmacro %}

{#
  sm_positions: for each rank up to the largest that is asked for, the cumulative discounts 1/log2(rank + 1) and 1/rank.
  sm_cutoffs: one row, their values at the cutoffs.
#}
{% macro stage_positions(plan) -%}
{%- set cutoffs = plan['cutoffs'] | reject('none') | unique | sort -%}
{%- set longest = '(select max(sm_judged_through) from sm_grades)' if plan['flags'].get('ideal_judged')
    else '(select max(sm_length) from (select count(*) as sm_length from sm_list_rows group by ' ~ sqlmetrics.list_keys(plan) | join(', ') ~ ') as sm_lengths)' -%}
sm_positions as (
    select
        sm_position,
        sum(1 / {{ sqlmetrics.sm_log2(sqlmetrics.sm_double('sm_position + 1')) }}) over (order by sm_position) as sm_discount,
        sum({{ sqlmetrics.ratio('1', 'sm_position') }}) over (order by sm_position) as sm_harmonic
    from {{ sqlmetrics.sm_positions(longest if none in plan['cutoffs'] else cutoffs[-1]) }} as sm_ranks
),

sm_cutoffs as (
    select
        {%- set columns = [] -%}
        {%- for k in cutoffs -%}
            {%- for what in ('discount', 'harmonic') -%}
                {%- do columns.append('max(case when sm_position <= ' ~ k ~ ' then sm_' ~ what ~ ' end) as sm_' ~ what ~ '_' ~ k) -%}
            {%- endfor -%}
        {%- endfor -%}
        {{- sqlmetrics.lines(columns or ['max(sm_position) as sm_last_position'], 8) }}
    from sm_positions
)
{%- endmacro %}

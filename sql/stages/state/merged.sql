{# The stages that replace rows and lists if a state is read. #}

{# sm_given, sm_slices and sm_sliced of a state: its rows, by the slices that are asked for. #}
{% macro stages_of_state(plan) -%}
    {%- do plan['of_state'].update({
        'sm_states_of_other_facts': "case\n            when sm_grain <> 'rows'\n                or "
            ~ sqlmetrics.same_facts(plan) ~ ' then 0\n            else 1\n        end',
        'sm_states_incomplete': sqlmetrics.lacks(plan['held'].values() | list),
    }) -%}
    {%- for column in ('sm_periods_repeated', 'sm_periods_divided') if column in plan['of_state'] -%}
        {%- set count = 'sm_periods.' ~ column -%}
        {#- slices as they are need no whole periods -#}
        {%- if column == 'sm_periods_divided' and not plan['facts']['total'] -%}
            {%- set count = 'case when sm_by = ' ~ sqlmetrics.sql_text(sqlmetrics.slices_of_state(plan))
                ~ ' then 0 else ' ~ count ~ ' end' -%}
        {%- endif -%}
        {%- do plan['of_state'].update({column: count}) -%}
    {%- endfor -%}
    {%- do return(
        [sqlmetrics.stage_periods(plan), sqlmetrics.stage_state(plan)]
        + ([sqlmetrics.stage_slices(plan, 'sm_given'), sqlmetrics.stage_sliced_state(plan)] if plan['facts']['by']
            else [])
    ) -%}
{%- endmacro %}

{#
  sm_periods: for each model, how many periods were made more than once, and how many a condition divides, so that
  some slices remain and others do not. Each period has one row of the grain periods (for each model). Rows without
  a period are bad rows, which every state may have. sm_given joins it, since ClickHouse computes a scalar subquery
  before the stages that the subquery reads are stored.
#}
{% macro stage_periods(plan) -%}
{%- set period, models = plan['facts']['period']['sql'], sqlmetrics.models_of_state(plan) -%}
{%- set left = "sm_grain = 'rows'" if plan['facts']['where'] is none
    else "sm_grain = 'rows' and (" ~ plan['facts']['where'] ~ '\n            )' -%}
{%- set left = ([left] + sqlmetrics.condition_of_question(plan)) | join(' and ') -%}
-- the periods of the state that are there more than once, or in part
sm_periods as (
    select
        {%- if models %}
        sm_of_model,
        {%- endif %}
        {{ sqlmetrics.sum_of_repeated_periods() }}
        {%- if 'sm_periods_divided' in plan['of_state'] %},
        coalesce(sum(case when sm_left > 0 and sm_left < sm_all then 1 else 0 end), 0) as sm_periods_divided
        {%- endif %}
    from (
        select
            {%- if models %}
            model as sm_of_model,
            {%- endif %}
            {%- if 'sm_periods_divided' in plan['of_state'] %}
            sum(case when sm_grain = 'rows' then 1 else 0 end) as sm_all,
            {%- endif %}
            sum(case when {{ left }} then 1 else 0 end) as sm_left,
            sum(case when sm_grain = 'periods' and {{ period }} is not null then 1 else 0 end) as sm_made
        from {{ sqlmetrics.source_of_state(plan) }}
        where sm_grain in ('rows', 'periods')
        {{- '\n            and model in (' ~ models | join(', ') ~ ')' if models }}
        group by {{ period }}{{ ', model' if models }}
    ) as sm_counted_periods
    {{- '\n    group by sm_of_model' if models }}
)
{%- endmacro %}

{# How many periods were made more than once, of those of which slices are left. #}
{% macro sum_of_repeated_periods() -%}
    coalesce(sum(case when sm_made > 1 and sm_left > 0 then 1 else 0 end), 0) as sm_periods_repeated
{%- endmacro %}

{# What a state is read from. #}
{% macro source_of_state(plan) -%}
{{ 'sm_source' if plan['facts']['read_once'] else sqlmetrics.from_item(plan['facts']['relation']) }}
{%- endmacro %}

{# The same with a name if it is a table function: ClickHouse joins no function without one. #}
{% macro named_source_of_state(plan) -%}
{%- set source = sqlmetrics.source_of_state(plan) | trim -%}
{{ source }}{{ ' as sm_relation' if source.endswith(')') and ' ' not in source.split('(')[0] }}
{%- endmacro %}

{# The names of the models as SQL. #}
{% macro models_of_state(plan) -%}
    {%- set models = [] -%}
    {%- for model in plan['facts']['models'] if sqlmetrics.has_models(plan) -%}
        {%- do models.append(sqlmetrics.sql_text(model['name'])) -%}
    {%- endfor -%}
    {%- do return(models) -%}
{%- endmacro %}

{# sm_given of a state. #}
{% macro stage_state(plan) -%}
{%- set columns, models = [], sqlmetrics.models_of_state(plan) -%}
{%- set conditions = [] if plan['facts']['where'] is none else ['(' ~ plan['facts']['where'] ~ '\n    )'] -%}
{%- do conditions.extend(sqlmetrics.condition_of_question(plan)) -%}
{%- if models -%}
    {%- do conditions.append('model in (' ~ models | join(', ') ~ ')') -%}
    {%- set numbers = [] -%}
    {%- for model in models -%}{%- do numbers.append('when ' ~ model ~ ' then ' ~ loop.index) -%}{%- endfor -%}
    {%- do columns.append('case model ' ~ numbers | join(' ') ~ ' end as sm_model') -%}
{%- elif plan['question']['model'] is not none -%}
    {%- do columns.append(plan['question']['model'] ~ ' as sm_model') -%}
{%- endif -%}
{%- for column in plan['facts']['by'] -%}
    {%- do columns.append(sqlmetrics.sql_nullable(column['sql']) ~ ' as ' ~ column['column']) -%}
{%- endfor -%}
{%- do columns.extend(['sm_grain'] + (['sm_by'] if plan['needs']['list_sums'] else [])) -%}
{%- for column in sqlmetrics.columns_of_sums(plan) -%}
    {%- do columns.append(sqlmetrics.number_of_state(column)) -%}
{%- endfor -%}
{%- for column in sqlmetrics.columns_read_of_pairs(plan) -%}
    {%- do columns.append(column if loop.index <= 2 else sqlmetrics.number_of_state(column)) -%}
{%- endfor -%}
{%- for column, value in plan['of_state'].items() -%}{%- do columns.append(value ~ ' as ' ~ column) -%}{%- endfor -%}
{%- for column in sqlmetrics.columns_of_grains(plan) -%}
    {%- do columns.append(column if column == 'sm_bin' else sqlmetrics.number_of_state(column)) -%}
{%- endfor -%}
-- the rows of the state
sm_given as{{ sqlmetrics.sql_cte_inline() }} (
    select
        {{- sqlmetrics.lines(columns, 8) }}
    from {{ sqlmetrics.named_source_of_state(plan) }}
    {{ 'left join sm_periods on model = sm_of_model' if models else 'cross join sm_periods' }}
    {{- '\n    where ' ~ conditions | join(' and ') if conditions }}
)
{%- endmacro %}

{# A column of a state, NULL where it is NaN or infinite, so that no count is made of these. #}
{% macro number_of_state(column) -%}
    case when {{ sqlmetrics.is_number_of_state(column) }} then {{ column }} end as {{ column }}
{%- endmacro %}

{# sm_sliced of a state. #}
{% macro stage_sliced_state(plan) -%}
-- the rows of the state with their slice
sm_sliced as{{ sqlmetrics.sql_cte_inline() }} (
    select sm_slices.sm_slice, sm_given.*
    from sm_given
    {{ sqlmetrics.join_slices(plan, 'sm_given') }}
)
{%- endmacro %}

{# The rows of each level or bin of a state, added up. #}
{% macro counted_in_state(plan, grain, name, further, read) -%}
{%- set columns = [] -%}
{%- for column in sqlmetrics.counts_read(name, read, plan['facts']['total']) -%}
    {%- do columns.append(column if column == name else 'sum(' ~ column ~ ') as ' ~ column) -%}
{%- endfor -%}
{%- for column in further -%}
    {%- do columns.append(
        column['aggregate'] ~ '(' ~ column.get('of_state', column['name']) ~ ') as ' ~ column['name']
    ) -%}
{%- endfor -%}
select
        {{- sqlmetrics.lines(plan['facts']['keys'] + columns, 8) }}
    from {{ sqlmetrics.sliced(plan) }}
    where sm_grain = '{{ grain }}'
    group by {{ (plan['facts']['keys'] + [name]) | join(', ') }}
{%- endmacro %}

{#
  Sums about the mean of all, from sums about the means of parts: the sums of the parts, plus the weight of
  each part times the distance of its means from those of all.
#}
{% macro merged_deviations(plan) -%}
    {%- set columns = [] -%}
    {%- set of_rows = sqlmetrics.sliced(plan) -%}
    {%- for column, need in plan['needs']['second_pass'].items() -%}
        {%- set apart = [] -%}
        {%- for sum in need['means'] -%}
            {%- do apart.append(
                '(' ~ sqlmetrics.ratio(of_rows ~ '.' ~ sum, of_rows ~ '.sm_weights') ~ ' - '
                ~ sqlmetrics.ratio('sm_row_sums.' ~ sum, 'sm_row_sums.sm_weights') ~ ')'
            ) -%}
        {%- endfor -%}
        {%- do columns.append(
            'sum(' ~ of_rows ~ '.' ~ column ~ ' + coalesce(' ~ of_rows ~ '.sm_weights * ' ~ apart | join(' * ')
            ~ ', 0)) as ' ~ column
        ) -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{# Whether slices are made of the parts of lists in slices of the state. #}
{% macro rolls_up_lists(plan) -%}
    {%- do return(plan['facts']['by'] | map(attribute='name') | list != [plan['facts']['period']['name']]
        and plan['facts']['by'] | length > 0) -%}
{%- endmacro %}

{# The grain of the state whose sums a row of sm_list_sums is made of. #}
{% macro grain_of_lists(plan) -%}
    {%- set rolled_up, total = sqlmetrics.rolls_up_lists(plan), plan['facts']['total'] -%}
    {{- "'whole lists'" if not rolled_up else "'lists'" if not total
        else "case when sm_list_sums.sm_slice = 0 then 'whole lists' else 'lists' end" -}}
{%- endmacro %}

{#
  sm_list_sums from a state: the slices from their lists or, if only periods are distinguished, from whole
  lists, like the total. If slices of the state are rolled up, sm_groups_split counts the lists that lie in
  several of them.
#}
{% macro stage_merged_list_sums(plan) -%}
{%- set rolled_up = sqlmetrics.rolls_up_lists(plan) -%}
{#- a change is that of whole lists -#}
{%- set same_slices = 'null' if plan['question']['model_is_period']
    else sqlmetrics.sql_text(sqlmetrics.slices_of_state(plan)) -%}
{%- set columns = [] -%}
{%- for column in sqlmetrics.sums_read(plan, 'list_sums') if column != 'sm_groups_split' -%}
    {%- do columns.append('sum(' ~ column ~ ') as ' ~ column) -%}
{%- endfor -%}
-- what is summed over lists, a row for each slice{{ ' and one for all together' if plan['facts']['total'] }}
sm_list_sums as (
    select
        {{- sqlmetrics.lines(plan['facts']['keys'] + columns
            + [('max(sm_split_lists.sm_split)' if rolled_up else '0') ~ ' as sm_groups_split'], 8) }}
    from {{ sqlmetrics.sliced(plan) }}
    {%- if rolled_up %}
    cross join (
        select
            coalesce(sum(case when sm_by = {{ same_slices }} then 0 else sm_groups_split end), 0) as sm_split
        from sm_given
        where sm_grain = 'whole lists'
    ) as sm_split_lists
    {%- endif %}
    where sm_grain = '{{ 'lists' if rolled_up else 'whole lists' }}'
    {{- sqlmetrics.grouped_by(plan['facts']['keys']) }}
    {%- if plan['facts']['total'] %}
    union all
    select
        {{- sqlmetrics.lines(sqlmetrics.total_keys(plan) + columns + ['0 as sm_groups_split'], 8) }}
    from sm_given
    where sm_grain = 'whole lists'
    {{- sqlmetrics.grouped_by(sqlmetrics.model_keys(plan)) }}
    {%- endif %}
)
{%- endmacro %}

{# The counts of each distinct score and bin, which a state keeps. #}
{% macro stages_of_level_counts(plan) -%}
    {%- set stages = [sqlmetrics.stage_level_counts(plan)] if 'levels' in sqlmetrics.grains_of_state(plan) else [] -%}
    {%- for grain in sqlmetrics.bins_of_state(plan) -%}
        {%- do stages.append(sqlmetrics.stage_bin_counts(plan, grain)) -%}
    {%- endfor -%}
    {%- do return(stages) -%}
{%- endmacro %}

{#
  The table of a state, and the stages that replace rows and lists if a state is read. api/state.sql explains
  its rows.
#}

{# The grains of a state besides rows and lists. #}
{% macro grains_of_state(plan) -%}
    {%- set levels = plan['needs']['levels']
        or plan['needs']['peaks']
        or plan['reads'].get('points')
        or plan['bins'].values() | selectattr('equal', 'equalto', 'count') | list -%}
    {%- do return((['levels'] if levels else []) + sqlmetrics.bins_of_state(plan)) -%}
{%- endmacro %}

{# The bins that a state holds: those of equal width; others are made from levels. #}
{% macro bins_of_state(plan) -%}
    {%- set grains = [] -%}
    {%- for grain, bins in plan['bins'].items() if bins['equal'] == 'width' -%}
        {%- do grains.append(grain) -%}
    {%- endfor -%}
    {%- do return(grains) -%}
{%- endmacro %}

{#
  The sums of a state: sums over rows, sums about means, and sums over lists. Sums computed from the state
  itself are excluded.
#}
{% macro sums_of_state(plan) -%}
    {%- set rows = [] -%}
    {%- for column, need in plan['needs']['rows'].items()
        if column not in plan['of_state'] and column not in sqlmetrics.examples_of_state(plan) -%}
        {%- do rows.append(column) -%}
    {%- endfor -%}
    {%- do return({
        'rows': ['sm_n_rows'] + sqlmetrics.problem_columns(plan) + rows,
        'second_pass': plan['needs']['second_pass'] | list,
        'list_sums': plan['needs']['list_sums'] | list,
    }) -%}
{%- endmacro %}

{# Columns of offending values in a state, for the Python API only. #}
{% macro examples_of_state(plan) -%}
    {%- do return(plan['checks'].values() | map(attribute='value') | reject('none') | list) -%}
{%- endmacro %}

{# The counts of a level or bin besides all rows and positive rows. #}
{% macro counted_besides(plan, grain) -%}
    {%- do return(
        sqlmetrics.squares_of_levels(plan) if grain == 'levels' else sqlmetrics.further_of_bins(plan, grain)
    ) -%}
{%- endmacro %}

{# The columns of levels and bins in a state. #}
{% macro columns_of_grains(plan) -%}
    {%- set columns = {} -%}
    {%- for grain in sqlmetrics.grains_of_state(plan) -%}
        {%- do columns.update({
            'sm_score' if grain == 'levels' else 'sm_bin': true, 'sm_level_rows': true, 'sm_level_positives': true,
        }) -%}
        {%- for column in sqlmetrics.counted_besides(plan, grain) -%}
            {%- do columns.update({column['name']: true}) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do return(columns | list) -%}
{%- endmacro %}

{# The columns of a state that begin with sm_. #}
{% macro columns_of_state(plan) -%}
    {%- set sums = sqlmetrics.sums_of_state(plan) -%}
    {%- do return(
        ['sm_grain', 'sm_facts', 'sm_by', 'sm_holds'] + sums['rows'] + sums['second_pass'] + sums['list_sums']
        + sqlmetrics.columns_of_grains(plan)
    ) -%}
{%- endmacro %}

{#
  The contents that sm_holds records in a state, and that `finish` looks for: its sums, its grains and the
  counts of each.
#}
{% macro held_in_state(plan) -%}
    {%- set sums = sqlmetrics.sums_of_state(plan) -%}
    {%- set held = sums['rows'] + sums['second_pass'] + sums['list_sums'] -%}
    {%- for grain in sqlmetrics.grains_of_state(plan) -%}
        {%- do held.append(grain) -%}
        {%- for column in sqlmetrics.counted_besides(plan, grain) -%}
            {%- do held.append(grain ~ '.' ~ column['name']) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do return(held) -%}
{%- endmacro %}

{#
  The facts that decide the numbers of a state, as JSON: the roles given, and the options of labels and lists.
#}
{% macro facts_of_state(plan) -%}
    {%- set facts = ['"period": ' ~ sqlmetrics.in_json(plan['period']['name'])] -%}
    {%- for role in ('label', 'score', 'group', 'item', 'weight', 'prediction') -%}
        {%- do facts.append('"' ~ role ~ '": ' ~ ('false' if plan[role] is none else 'true')) -%}
    {%- endfor -%}
    {%- do facts.append('"models": ' ~ ('true' if 'sm_model' in plan['keys'] else 'false')) -%}
    {%- for fact in ('positive', 'max_grade', 'ties', 'convention', 'on_duplicate', 'unjudged') -%}
        {%- do facts.append('"' ~ fact ~ '": ' ~ sqlmetrics.in_json(plan[fact])) -%}
    {%- endfor -%}
    {{- '{' ~ facts | join(', ') ~ '}' -}}
{%- endmacro %}

{# A text, a number or none in JSON. #}
{% macro in_json(value) -%}
    {%- if value is none -%}
        null
    {%- elif value is number -%}
        {{- value -}}
    {%- else -%}
        {{- '"' ~ value.replace('\\', '\\\\').replace('"', '\\"') ~ '"' -}}
    {%- endif -%}
{%- endmacro %}

{#
  The slices of a state, or those that `finish` takes unchanged: the names of the by columns without the
  period. Expressions only divide further.
#}
{% macro slices_of_state(plan) -%}
    {%- set names = [] -%}
    {%- for column in plan['by']
        if plan['state'] == 'made'
            or (sqlmetrics.is_name(column['sql']) and column['name'] != plan['period']['name']) -%}
        {%- do names.append(column['name']) -%}
    {%- endfor -%}
    {{- names | sort | join(', ') -}}
{%- endmacro %}

{# The select of a state: a row for each of its grains. #}
{% macro rows_of_state(plan) -%}
{%- set sums = sqlmetrics.sums_of_state(plan) -%}
{%- set grains = sqlmetrics.grains_of_state(plan) -%}
{%- set examples = sqlmetrics.examples_of_state(plan) -%}
{%- set branches = [
    {
        'stage': 'sm_row_sums',
        'grain': "'rows'",
        'holds': sums['rows'] + sums['second_pass'] + examples,
        'where': 'sm_row_sums.sm_slice > 0' if plan['by'] else '',
    },
] -%}
{%- for grain in grains -%}
    {%- set stage = 'sm_level_counts' if grain == 'levels' else 'sm_' ~ grain ~ '_counts' -%}
    {%- set further = sqlmetrics.counted_besides(plan, grain) -%}
    {%- do branches.append({
        'stage': stage,
        'grain': "'" ~ grain ~ "'",
        'where': '',
        'holds': ['sm_score' if grain == 'levels' else 'sm_bin', 'sm_level_rows', 'sm_level_positives']
            + further | map(attribute='name') | list,
    }) -%}
{%- endfor -%}
{%- if plan['needs']['list_sums'] -%}
    {%- for grain in ('lists', 'whole lists') -%}
        {%- do branches.append({
            'stage': 'sm_list_sums', 'grain': "'" ~ grain ~ "'", 'holds': sums['list_sums'],
            'where': '' if not plan['by'] else 'sm_list_sums.sm_slice ' ~ ('> 0' if grain == 'lists' else '= 0'),
        }) -%}
    {%- endfor -%}
{%- endif -%}
{%- for branch in branches -%}
{%- set first = loop.first -%}
{%- set stage = branch['stage'] -%}
{%- set columns = [stage ~ '.sm_period as ' ~ plan['period']['alias']] -%}
{%- for column in plan['by'] -%}
    {%- do columns.append('sm_slices.' ~ column['column'] ~ ' as ' ~ column['alias']) -%}
{%- endfor -%}
{%- if 'sm_model' in plan['keys'] -%}
    {%- do columns.append(sqlmetrics.model_name(plan, stage) ~ ' as model') -%}
{%- endif -%}
{%- do columns.append(branch['grain'] ~ ' as sm_grain') -%}
{%- for name, value in (
    ('sm_facts', sqlmetrics.facts_of_state(plan)),
    ('sm_by', sqlmetrics.slices_of_state(plan)),
    ('sm_holds', ' ' ~ sqlmetrics.held_in_state(plan) | join(' ') ~ ' '),
) -%}
    {%- set said = stage == 'sm_row_sums' or (name == 'sm_by' and stage == 'sm_list_sums') -%}
    {%- do columns.append((sqlmetrics.sql_text(value) if said else 'null') ~ ' as ' ~ name) -%}
{%- endfor -%}
{%- for column in sums['rows'] + sums['second_pass'] + sums['list_sums'] + examples -%}
    {#- a sum over no usable row is stored as 0; a least or greatest value over none stays NULL -#}
    {%- set aggregate = plan['needs']['rows'].get(column, {}).get('aggregate', 'sum') -%}
    {%- set held = column if aggregate in ('min', 'max') else 'coalesce(' ~ column ~ ', 0)' -%}
    {%- set value = held if column in branch['holds'] else 'null' -%}
    {%- set typed = sqlmetrics.sql_double(value) if first or value != 'null' else value -%}
    {%- do columns.append(typed ~ ' as ' ~ column) -%}
{%- endfor -%}
{%- for column in sqlmetrics.columns_of_grains(plan) -%}
    {%- set whole = column == 'sm_bin'
        or (plan['weight'] is none and column in ('sm_level_rows', 'sm_level_positives')) -%}
    {%- set value = column if column in branch['holds'] else 'null' -%}
    {%- set number = sqlmetrics.sql_integer(value) if whole else sqlmetrics.sql_double(value) -%}
    {%- set typed = number if first or value != 'null' else value -%}
    {%- do columns.append(typed ~ ' as ' ~ column) -%}
{%- endfor -%}
{{ '\nunion all\n' if not first -}}
select
    {{- sqlmetrics.lines(columns, 4) }}
from {{ stage }}
{%- if first and plan['needs']['second_pass'] %}
left join sm_second_pass on {{ sqlmetrics.same_slice(plan, 'sm_row_sums', 'sm_second_pass') }}
{%- endif %}
{%- if plan['by'] %}
left join sm_slices on {{ stage }}.sm_slice = sm_slices.sm_slice
{%- endif %}
{%- if branch['where'] %}
where {{ branch['where'] }}
{%- endif %}
{%- endfor %}
{%- endmacro %}

{#
  Records the columns that are read of a state, and the checks that it has the same facts and all sums that
  the metrics need; runs before any metric.
#}
{% macro note_state(plan) -%}
    {%- do plan.update({'of_state': {}}) -%}
    {%- if plan['state'] == 'read' -%}
        {%- for name, message in (
            (
                'states_of_other_facts',
                'rows of the state were made with other facts (positive=, ties=, max_grade= ...) than finish was given',
            ),
            (
                'states_incomplete',
                'rows of the state were made for other metrics and lack sums that these need; make those periods again',
            ),
        ) -%}
            {%- set guard = sqlmetrics.need(plan, 'rows', name, '') -%}
            {%- set column = sqlmetrics.filled(plan, guard) -%}
            {%- do plan['of_state'].update({column: ''}) -%}
            {%- do plan['checks'].update({
                column: {'name': name, 'message': message, 'value': none, 'grain': 'rows'},
            }) -%}
            {%- do plan['guards_of_all'].append(guard) -%}
        {%- endfor -%}
    {%- endif -%}
{%- endmacro %}

{# sm_given, sm_slices and sm_sliced of a state: its rows, by the slices that are asked for. #}
{% macro stages_of_state(plan) -%}
    {%- set lacking = ['sm_holds is null'] -%}
    {%- for name in sqlmetrics.held_in_state(plan) -%}
        {%- do lacking.append("sm_holds not like '% " ~ name ~ " %'") -%}
    {%- endfor -%}
    {%- do plan['of_state'].update({
        'sm_states_of_other_facts': 'case when sm_facts = ' ~ sqlmetrics.sql_text(sqlmetrics.facts_of_state(plan))
            ~ ' then 0 else 1 end',
        'sm_states_incomplete': 'case when ' ~ lacking | join(' or ') ~ ' then 1 else 0 end',
    }) -%}
    {%- do return(
        [sqlmetrics.stage_state(plan)]
        + ([sqlmetrics.stage_slices(plan, 'sm_given'), sqlmetrics.stage_sliced_state(plan)] if plan['by'] else [])
    ) -%}
{%- endmacro %}

{# sm_given of a state. #}
{% macro stage_state(plan) -%}
{%- set sums = sqlmetrics.sums_of_state(plan) -%}
{%- set columns, models = [], [] -%}
{%- if 'sm_model' in plan['keys'] -%}
    {%- for model in plan['models'] -%}{%- do models.append(sqlmetrics.sql_text(model['name'])) -%}{%- endfor -%}
    {%- set numbers = [] -%}
    {%- for model in models -%}{%- do numbers.append('when ' ~ model ~ ' then ' ~ loop.index) -%}{%- endfor -%}
    {%- do columns.append('case model ' ~ numbers | join(' ') ~ ' end as sm_model') -%}
{%- endif -%}
{%- for column in plan['by'] -%}
    {%- do columns.append(sqlmetrics.sql_nullable(column['sql']) ~ ' as ' ~ column['column']) -%}
{%- endfor -%}
{%- do columns.extend(['sm_grain', 'sm_by'] + sums['rows'] + sums['second_pass'] + sums['list_sums']) -%}
{%- for column, value in plan['of_state'].items() -%}{%- do columns.append(value ~ ' as ' ~ column) -%}{%- endfor -%}
{%- do columns.extend(sqlmetrics.columns_of_grains(plan)) -%}
-- the rows of the state
sm_given as{{ sqlmetrics.sql_cte_inline() }} (
    select
        {{- sqlmetrics.lines(columns, 8) }}
    from {{ 'sm_source' if plan['read_once'] else sqlmetrics.from_item(plan['relation']) }}
    {{- '\n    where model in (' ~ models | join(', ') ~ ')' if models }}
)
{%- endmacro %}

{# sm_sliced of a state. #}
{% macro stage_sliced_state(plan) -%}
-- the rows of the state with their slice
sm_sliced as{{ sqlmetrics.sql_cte_inline() }} (
    select
        sm_slices.sm_slice,
        sm_given.*
    from sm_given
    {{ sqlmetrics.join_slices(plan, 'sm_given') }}
)
{%- endmacro %}

{# The rows of each level or bin of a state, added up. #}
{% macro counted_in_state(plan, grain, name, further) -%}
{%- set columns = [name, 'sum(sm_level_rows) as sm_level_rows', 'sum(sm_level_positives) as sm_level_positives'] -%}
{%- for column in further -%}
    {%- do columns.append(column['aggregate'] ~ '(' ~ column['name'] ~ ') as ' ~ column['name']) -%}
{%- endfor -%}
select
        {{- sqlmetrics.lines(plan['keys'] + columns, 8) }}
    from {{ sqlmetrics.sliced(plan) }}
    where sm_grain = '{{ grain }}'
    group by {{ (plan['keys'] + [name]) | join(', ') }}
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

{#
  sm_list_sums from a state: the slices from their lists or, if only periods are distinguished, from whole
  lists, like the total. If slices of the state are rolled up, sm_groups_split counts the lists that lie in
  several of them.
#}
{% macro stage_merged_list_sums(plan) -%}
{%- set rolled_up = plan['by'] | map(attribute='name') | list != [plan['period']['name']]
    and plan['by'] | length > 0 -%}
{%- set same_slices = sqlmetrics.sql_text(sqlmetrics.slices_of_state(plan)) -%}
{%- set split = "(select coalesce(sum(case when sm_by = " ~ same_slices
    ~ " then 0 else sm_groups_split end), 0) from sm_given where sm_grain = 'whole lists')" -%}
{%- set columns = [] -%}
{%- for column in plan['needs']['list_sums'] if column != 'sm_groups_split' -%}
    {%- do columns.append('sum(' ~ column ~ ') as ' ~ column) -%}
{%- endfor -%}
-- what is summed over lists, a row for each slice{{ ' and one for all together' if plan['total'] }}
sm_list_sums as (
    select
        {{- sqlmetrics.lines(plan['keys'] + columns + [(split if rolled_up else '0') ~ ' as sm_groups_split'], 8) }}
    from {{ sqlmetrics.sliced(plan) }}
    where sm_grain = '{{ 'lists' if rolled_up else 'whole lists' }}'
    {{- sqlmetrics.grouped_by(plan['keys']) }}
    {%- if plan['total'] %}
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

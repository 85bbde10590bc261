{#
  The mean of the values of slices, each of equal weight however many rows it has, such as the macro average over
  the subtasks of a benchmark.

  A unit moves the mean by what it moves the value of each of its slices, summed over the K slices, over K. The variance
  is the sum of the squared moves of all units, each times m / (m - 1) for the m units of its slice. Where no unit is in
  two slices, slices are strata, and this is the sum of their variances over K^2. A list or group with rows in several
  slices is one unit of the mean. The degrees of freedom are those of Welch and Satterthwaite, and fewer than the units;
  in an open range also those of moves with heavy tails (critical_values.sql).

  Source: Cochran, Sampling Techniques (1977), 5.4 and 5.9; Satterthwaite (1946), doi:10.2307/3002019
#}

{# Whether the total is the mean of the slices. #}
{% macro means_slices(plan) -%}{%- do return(plan['facts']['total_of'] == 'slices') -%}{%- endmacro %}

{# Rejects a mean of slices without slices, or without the row in which it stands. #}
{% macro check_mean_of_slices(by, total) -%}
    {%- if not by or not total -%}
        {{- sqlmetrics.refuse(
            "total_of='slices' is the mean of the slices; " ~ ("pass their columns as by=" if not by
                else "leave total=False out")
        ) -}}
    {%- endif -%}
{%- endmacro %}

{# The plan of `evaluate` with total_of=, and of its values on a board. #}
{% macro plan_with_mean_of_slices(
    metrics, by=[], total=true, group=none, interval=none, interval_method=none, on_board=false, common=false
) -%}
    {{- sqlmetrics.check_mean_of_slices(by, total) -}}
    {%- if interval_method == 'bootstrap' -%}
        {{- sqlmetrics.refuse("interval_method='bootstrap' has no mean of slices; leave it out, or total_of=") -}}
    {%- endif -%}
    {%- set given, spreads = dict(kwargs, by=by, total=false, interval=interval), none -%}
    {%- set plan = sqlmetrics.plan(
        metrics, sqlmetrics.question_of_mean_of_slices(on_board, common), group=group, interval_method=interval_method,
        **given
    ) -%}
    {%- if interval is not none -%}
        {%- do given.update({'total_name': none, 'group': 'sm_row_number' if group is none else group}) -%}
        {%- if interval_method == 'anytime' -%}
            {%- do given.update({'interval_method': interval_method}) -%}
        {%- endif -%}
        {%- set spreads = sqlmetrics.plan(metrics, sqlmetrics.question_of_spreads_of_slices(common), **given) -%}
        {%- if group is none -%}{%- do sqlmetrics.with_facts(spreads, read_once=true) -%}{%- endif -%}
        {%- do plan['question']['own'].update({'spreads': spreads}) -%}
    {%- endif -%}
    {%- do return(plan) -%}
{%- endmacro %}

{# Takes the value of a metric: the contribution of a unit to it, and the ends of the interval of the mean. #}
{% macro add_to_mean_of_slices(plan, result, value) -%}
    {%- set spread, known = value['spread'] or {}, {} -%}
    {#- by its own influence, and not by that on the difference of two models -#}
    {%- for part, of in spread.get('by_influence', spread).items() if part != 'loss' -%}
        {%- do known.update({part: of}) -%}
    {%- endfor -%}
    {%- if known.get('kind') != 'auc' and 'deviation' not in known -%}
        {{- sqlmetrics.refuse(
            "total_of='slices': '" ~ result['notation'] ~ "' has no formula for its standard error"
                ~ (" with weights" if plan['facts']['weight'] is not none)
                ~ ", so the mean of slices has no interval; leave interval= out, or take another metric"
        ) -}}
    {%- endif -%}
    {{- sqlmetrics.add_comparison(plan, result, dict(value, spread=known)) -}}
    {%- set closed, sums = value['least'] is not none and value['most'] is not none, {} -%}
    {%- for part in ('variance', 'units', 'skew', 'critical') -%}
        {%- do sums.update({part: 'sm_spreads.sm_' ~ part ~ '_' ~ plan['compared_metrics'] | length}) -%}
    {%- endfor -%}
    {%- if not closed and value['most'] is not none -%}{%- do sums.update({'skew': none}) -%}{%- endif -%}
    {%- do sqlmetrics.ask_ends(plan, result['name'], value, sums, closed, by_units=false) -%}
{%- endmacro %}

{# The stages from units to the variances of means. #}
{% macro stages_of_spreads_of_slices(plan) -%}
    {%- set stages = [] -%}
    {%- if sqlmetrics.compared_by(plan, ['influences', 'areas']) -%}
        {%- do stages.append(sqlmetrics.stage_values(plan)) -%}
    {%- endif -%}
    {%- for units in ('lists', 'groups', 'influences', 'areas') if sqlmetrics.compared_by(plan, [units]) -%}
        {%- do stages.append(sqlmetrics.stage_units(plan, units)) -%}
    {%- endfor -%}
    {%- do return(stages + [sqlmetrics.stages_of_moves(plan)]) -%}
{%- endmacro %}

{#
  sm_added: a row for each slice, metric and unit, with its numerator and denominator, the influence that is no ratio of
    such sums, and what it counts among the units of its slice.
  sm_added_sums: their sums, and the number of units, of lists and weighted rows the effective one.
  sm_moves: how far a unit moves the value of its slice; of a root by way of the value under it.
#}
{% macro stages_of_moves(plan) -%}
{%- set keys, of_mean = plan['facts']['keys'] + ['sm_metric'], sqlmetrics.model_keys(plan) + ['sm_metric'] -%}
{%- set parts, roots = [], [] -%}
{%- for metric in plan['compared_metrics'] -%}
    {%- set i, moves = metric['i'], [] -%}
    {%- for part in ('influence', 'negative') if metric.get(part) is not none -%}
        {%- do moves.append('coalesce(sm_' ~ part ~ '_' ~ i ~ '_1, 0)') -%}
    {%- endfor -%}
    {%- if metric.get('root') -%}{%- do roots.append(i) -%}{%- endif -%}
    {%- set d = 'sm_d_' ~ i ~ '_1' -%}
    {%- set weighs = metric['units'] == 'lists' or sqlmetrics.numbers_rows(plan) -%}
    {%- do parts.append('select' ~ sqlmetrics.lines(plan['facts']['keys'] + [
        i ~ ' as sm_metric', 'sm_unit', 'sm_n_' ~ i ~ '_1 as sm_n', d ~ ' as sm_d',
        sqlmetrics.sql_double(moves | join(' + ') or '0') ~ ' as sm_moved',
        (d if weighs else sqlmetrics.sql_double('case when ' ~ d ~ ' <> 0 then 1 end')) ~ ' as sm_counted',
    ], 8) ~ '\n    from sm_compared_' ~ metric['units'] ~ '\n    where ' ~ d ~ ' <> 0 or sm_n_' ~ i ~ '_1 <> 0') -%}
{%- endfor -%}
{%- set value = sqlmetrics.ratio('sm_sum_n', 'sm_sum_d') -%}
{%- set move = 'coalesce(' ~ sqlmetrics.ratio('sm_n - ' ~ value ~ ' * sm_d', 'sm_sum_d') ~ ', 0) + sm_moved' -%}
{%- set move = sqlmetrics.by_metric(
    roots, sqlmetrics.ratio(move, '2 * ' ~ value), move, 'sm_added.sm_metric'
) -%}
-- the contributions of each unit to the metrics of its slices
sm_added as{{ sqlmetrics.sql_cte_shared() }} (
    {{ parts | join('\n    union all\n    ') }}
),

-- the sums of that, and the number of units
sm_added_sums as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(keys + [
            'sum(sm_n) as sm_sum_n', 'sum(sm_d) as sm_sum_d',
            sqlmetrics.ratio('sum(sm_counted) * sum(sm_counted)', 'sum(sm_counted * sm_counted)') ~ ' as sm_units',
        ], 8) }}
    from sm_added
    group by {{ keys | join(', ') }}
),

-- how far each unit moves the values of its slices
sm_moves as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(sqlmetrics.prefixed(keys, 'sm_added.') + [
            'sm_unit', 'sm_units',
            sqlmetrics.move_of_unit(move) ~ ' as sm_move',
        ], 8) }}
    from sm_added
    inner join sm_added_sums on {{ sqlmetrics.same_keys(keys, 'sm_added', 'sm_added_sums') }}
),

{{ sqlmetrics.stages_of_moves_of_mean(keys, of_mean, 'sm_moves') }}
{%- endmacro %}

{# A move with the factor m / (m - 1) in its square, for the m units of its slice (sm_units). #}
{% macro move_of_unit(move) -%}
    {{- '(' ~ move ~ ') * sqrt('
        ~ sqlmetrics.ratio('sm_units', 'case when sm_units > 1 then sm_units - 1 end') ~ ')' -}}
{%- endmacro %}

{#
  sm_strata: the sum of the variances of the slices, and what their degrees of freedom are made of.
  sm_moves_of_mean: how far a unit moves the mean.

  Args:
    keys, of_mean: the keys of a slice, and of a mean
    moves: a stage with sm_unit, sm_units and sm_move
#}
{% macro stages_of_moves_of_mean(keys, of_mean, moves) -%}
-- the variances of the slices, summed
sm_strata as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(of_mean + [
            sqlmetrics.sql_double('count(*)') ~ ' as sm_n_slices', 'sum(sm_stratum) as sm_sum',
            'sum(' ~ sqlmetrics.ratio('sm_stratum * sm_stratum', 'sm_units - 1') ~ ') as sm_squares',
            'min(sm_units) as sm_fewest',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines(
                keys + ['max(sm_units) as sm_units', 'sum(sm_move * sm_move) as sm_stratum'], 12
            ) }}
        from {{ moves }}
        group by {{ keys | join(', ') }}
    ) as sm_of_slices
    group by {{ of_mean | join(', ') }}
),

-- how far each unit moves the mean
sm_moves_of_mean as (
    select
        {{- sqlmetrics.lines(sqlmetrics.prefixed(of_mean, moves ~ '.') + [
            sqlmetrics.ratio('sum(sm_move)', 'max(sm_n_slices)') ~ ' as sm_move',
        ], 8) }}
    from {{ moves }}
    inner join sm_strata on {{ sqlmetrics.same_keys(of_mean, moves, 'sm_strata') }}
    group by {{ (sqlmetrics.prefixed(of_mean, moves ~ '.') + [moves ~ '.sm_unit']) | join(', ') }}
)
{%- endmacro %}

{# The degrees of freedom of a mean, from sm_strata and the number of its moves. #}
{% macro freedom_of_mean() -%}
    {%- set free = sqlmetrics.ratio('sm_sum * sm_sum', 'sm_squares') -%}
    {%- set many = free ~ ' >= sm_n_moves - 1 or ' ~ free ~ ' is null' -%}
    {{- 'case when ' ~ many ~ ' then sm_n_moves - 1 else ' ~ free ~ ' end' -}}
{%- endmacro %}

{#
  The last select: a row for each model, with sm_variance_i, sm_skew_i, sm_units_i and sm_critical_i of metric i, which
  are those of ends (ends.sql). They are NULL if a slice has fewer than two units, or none that adds to the metric.
#}
{% macro result_of_spreads_of_slices(plan) -%}
{%- set models, columns, open = sqlmetrics.model_keys(plan), [], [] -%}
{%- set keys = models + ['sm_metric'] -%}
{%- for metric in plan['compared_metrics'] -%}
    {%- for part in ('variance', 'skew', 'units', 'critical') -%}
        {%- do columns.append(sqlmetrics.sql_nullable(
            'max(case when sm_metric = ' ~ metric['i'] ~ ' then sm_' ~ part ~ ' end)'
        ) ~ ' as sm_' ~ part ~ '_' ~ metric['i']) -%}
    {%- endfor -%}
    {%- if metric['least'] is none or metric['most'] is none -%}{%- do open.append(metric['i']) -%}{%- endif -%}
{%- endfor -%}
{%- set excess = '(' ~ sqlmetrics.ratio('sm_fourth', 'sm_square * sm_square') ~ ' - 1 / sm_n_moves)' -%}
{%- set tails = 'case when ' ~ excess ~ ' * sm_df > 2 then 2 / ' ~ excess ~ ' else sm_df end' -%}
select
    {{- sqlmetrics.lines(models + columns, 4) }}
from (
    select
        {{- sqlmetrics.lines(keys + [
            sqlmetrics.ratio('sm_square * sm_df', 'sm_df + 1') ~ ' as sm_variance',
            sqlmetrics.ratio('sm_cube', 'sm_square * sqrt(sm_square)') ~ ' as sm_skew',
            'sm_df + 1 as sm_units',
            sqlmetrics.student_t_quantile((1 + plan['facts']['interval']) / 2, 'sm_df_of_tails') ~ ' as sm_critical',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines([
                'sm_freedoms.*', sqlmetrics.by_metric(open, tails, 'sm_df') ~ ' as sm_df_of_tails',
            ], 12) }}
        from (
            select
                {{- sqlmetrics.lines(sqlmetrics.prefixed(keys, 'sm_powers.') + [
                    'sm_square', 'sm_cube', 'sm_fourth', 'sm_n_moves',
                    sqlmetrics.sql_double(sqlmetrics.freedom_of_mean()) ~ ' as sm_df',
                ], 16) }}
            from (
                select
                    {{- sqlmetrics.lines(keys + [
                        sqlmetrics.sql_double('count(*)') ~ ' as sm_n_moves', 'sum(sm_move * sm_move) as sm_square',
                        'sum(sm_move * sm_move * sm_move) as sm_cube',
                        'sum(sm_move * sm_move * sm_move * sm_move) as sm_fourth',
                    ], 20) }}
                from sm_moves_of_mean
                group by {{ keys | join(', ') }}
            ) as sm_powers
            inner join sm_strata on {{ sqlmetrics.same_keys(keys, 'sm_powers', 'sm_strata') }}
            cross join (select count(*) as sm_all_slices from sm_slices) as sm_every_slice
            where sm_fewest > 1 and sm_n_slices = sm_all_slices
        ) as sm_freedoms
    ) as sm_squares_of_means
) as sm_spreads_of_means
{{- sqlmetrics.grouped_by(models) | replace('\n    ', '\n') }}
{%- endmacro %}

{# The select of the slices: the columns of the result, beside the numbers of slice and model. #}
{% macro result_of_slices(plan) -%}
    {%- set columns = [] -%}
    {%- for key in plan['facts']['keys'] -%}
        {%- do columns.append({'sql': 'sm_row_sums.' ~ key, 'name': key}) -%}
    {%- endfor -%}
    {{- sqlmetrics.metrics_of_result(plan, columns + sqlmetrics.columns_of_result(plan)) -}}
{%- endmacro %}

{#
  The whole statement: the statements of slices and spreads as stages, and a select of the slices and
  their mean. A mean is NULL if a slice has no value, also one without rows of the model.
#}
{% macro query_of_mean_of_slices(plan) -%}
{%- set spreads, models = plan['question']['own']['spreads'], sqlmetrics.model_keys(plan) -%}
{%- set slices, means, values, outer = sqlmetrics.query(plan), [], {}, [] -%}
{%- set is_mean, mean = 'sm_places.sm_slice = 0', 'case when sm_places.sm_slice = 0 then ' -%}
{%- set on_board = plan['question']['own']['on_board'] -%}
{%- if on_board -%}{%- do outer.extend(sqlmetrics.slice_keys(plan, 'sm_places.')) -%}{%- endif -%}
{%- for column in plan['facts']['by'] if not on_board -%}
    {%- set value, name = 'sm_of_slices.' ~ column['alias'], plan['facts']['total_name'] -%}
    {%- do outer.append(
        (value if name is none else mean ~ sqlmetrics.sql_text(name) ~ ' else ' ~ value ~ ' end') ~ ' as '
            ~ column['alias']
    ) -%}
{%- endfor -%}
{%- if not on_board -%}{%- do outer.append(mean ~ '1 else 0 end as is_total') -%}{%- endif -%}
{%- if models and not on_board -%}
    {%- do outer.append(sqlmetrics.model_name(plan, 'sm_places') ~ ' as model') -%}
{%- endif -%}
{%- for name in plan['result']['counts'] if not on_board -%}
    {%- do means.append('sum(' ~ name ~ ') as sm_count_' ~ loop.index) -%}
    {%- do outer.append(mean ~ sqlmetrics.sql_integer('sm_count_' ~ loop.index) ~ ' else sm_of_slices.' ~ name
        ~ ' end as ' ~ name) -%}
{%- endfor -%}
{%- for result in plan['result']['columns'] -%}
    {%- set name, i = sqlmetrics.sql_result(result['name']), loop.index -%}
    {%- if 'end_of' in result -%}
        {%- set of = values.keys() | list -%}
        {%- set column = 'sm_' ~ result['name'].rsplit('_', 1)[-1] ~ '_' ~ (of.index(result['end_of']) + 1) -%}
    {%- else -%}
        {%- set column = 'sm_mean_' ~ i -%}
        {%- do values.update({result['name']: column}) -%}
        {%- do means.append(
            'case when max(sm_all_slices) = count(' ~ name ~ ') then avg(' ~ name ~ ') end as ' ~ column
        ) -%}
    {%- endif -%}
    {%- do outer.append(mean ~ column ~ ' else sm_of_slices.' ~ name ~ ' end as ' ~ name) -%}
{%- endfor -%}
{%- for check in plan['result']['checks'].values() if check['value'] is not none -%}
    {%- do means.append('max(' ~ check['value'] ~ ') as sm_example_' ~ loop.index) -%}
    {%- do outer.append(mean ~ 'sm_example_' ~ loop.index ~ ' else sm_of_slices.' ~ check['value'] ~ ' end as '
        ~ check['value']) -%}
{%- endfor -%}
{%- set of_means = 'select' ~ sqlmetrics.lines(models + means, 8) ~ '
    from sm_of_slices
    cross join (select count(distinct sm_slice) as sm_all_slices from sm_of_slices) as sm_every_slice'
    ~ sqlmetrics.grouped_by(models) -%}
{%- if spreads is not none -%}
    {%- set of_means = 'select' ~ sqlmetrics.lines(['sm_averages.*'] + sqlmetrics.parts_of_ends(spreads), 8) ~ '
    from (
    ' ~ of_means ~ '
    ) as sm_averages
    ' ~ ('left join sm_spreads on sm_averages.sm_model = sm_spreads.sm_model' if models
        else 'cross join sm_spreads') -%}
    {%- set of_means = 'select' ~ sqlmetrics.lines(['sm_parts.*'] + sqlmetrics.units_of_ends(spreads, values), 8) ~ '
    from (
    ' ~ of_means ~ '
    ) as sm_parts' -%}
    {%- set of_means = 'select' ~ sqlmetrics.lines(['sm_units.*'] + sqlmetrics.columns_of_ends(spreads, values), 8) ~ '
    from (
    ' ~ of_means ~ '
    ) as sm_units' -%}
{%- endif -%}
-- the slices
sm_of_slices as{{ sqlmetrics.sql_cte_materialized() }} (
    select sm_result.*
    from (
{{ sqlmetrics.sql_with() }}

{{ slices }}
    ) as sm_result
),
{%- if spreads is not none %}

-- how much their mean varies
sm_spreads as{{ sqlmetrics.sql_cte_materialized() }} (
    select sm_result.*
    from (
{{ sqlmetrics.bare_statement(spreads) }}
    ) as sm_result
),
{%- endif %}

-- their mean, and its interval
sm_means as{{ sqlmetrics.sql_cte_materialized() }} (
    {{ of_means }}
)

select
    {{- sqlmetrics.lines(outer, 4) }}
from (
    select {{ plan['facts']['keys'] | join(', ') }} from sm_of_slices
    union all
    select {{ (models + ['0 as sm_slice']) | join(', ') }} from sm_means
) as sm_places
left join sm_of_slices on {{ sqlmetrics.same_keys(plan['facts']['keys'], 'sm_places', 'sm_of_slices') }}
{{ sqlmetrics.inner_join(models, 'sm_places', 'sm_means') }}
{%- if not on_board %}
order by case when {{ is_mean }} then 1 else 0 end asc, sm_places.sm_slice asc
    {{- ', sm_places.sm_model asc' if models }}
{%- endif %}
{%- endmacro %}

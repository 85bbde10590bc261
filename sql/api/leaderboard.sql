{#
  A leaderboard: the models in the order of a metric, each with the ranks that it may have.

  Args:
    relation, metrics: as for `compare`. The metrics are those that it tests by t
    score: the models, as for `evaluate`: a list of columns, or a mapping of names to columns; one column where models=
      or the tables name the models
    interval: the confidence level of the intervals of values, and of all ranks of a board together
    total_of: rows; or slices, for a board of the mean of the slices, tested as the total of `compare` is
    on_unpaired: treatment of groups (rows, without group=) that some model lacks: error (counted, and there are no
      ranks), or intersection: models are ranked on the groups of which every model has rows that can be used
  Further arguments are those of `evaluate` that plan/options.sql has for it
  Returns: a query with one row for each slice, metric and model, the best first:
    the by columns, and is_total: 1 for the board of all rows, 0 for that of a slice; only with by=
    metric, model; value, low, high: those of `evaluate`
    rank: one more than the number of better models; models of the same value share it
    rank_low, rank_high: the ranks that the data allow: one more than the number of models that are significantly
      better, and the number of models less those that are significantly worse. A board's intervals hold all true ranks
      together with the probability `interval`
    tied_with_best: 1 if the model is not significantly worse than the first one
    difference: the value less the value of the first; p_adjusted: of the test of this difference, corrected by Holm
      for all pairs of models; both null for the first
    n_units: the lists, groups or rows that pair the model with the others, the fewest of its pairs; n_unpaired: those
      with a value for only one model of a pair, the most of its pairs; with on_unpaired=intersection those of the model
      that some other model lacks, which are left out
    the audit counts of `compare`; with on_unpaired=intersection rows_unpaired, the rows of units that are left out
  Undefined: no rank for a model without a value; no rank on a board whose models have values over other units
  Errors: fewer than two models; a metric without a better direction, or without a known spread; as for `compare`,
    models with rows of their own without group=; on_unpaired=intersection with truth=
  Source: Mogstad, Romano, Shaikh, Wilhelm (2024), Inference for ranks with applications to mobility across
    neighbourhoods and academic achievement across countries, Review of Economic Studies 91(1); Holm (1979)
  Example: {{ sqlmetrics.leaderboard(ref('predictions'), 'ndcg@10', score=['score_a', 'score_b'],
    label='clicked', group='user_id') }}
#}
{% macro leaderboard(relation, metrics, score=none) -%}
    {%- set given = sqlmetrics.options_taken('leaderboard', kwargs) -%}
    {%- set score = sqlmetrics.named_scores(score, given.get('models'), relation) -%}
    {{- sqlmetrics.statement_of(sqlmetrics.leaderboard_plan(metrics, score=score, relation=relation, **given)) -}}
{%- endmacro %}

{#
  The plan of `leaderboard`: all pairs of models tested, beside the plan of their values. with_rivals: a row for each
  pair, with the rival and the test, for the pairs of the result in Python.
#}
{% macro leaderboard_plan(
    metrics, score, relation=none, models=none, group=none, by=[], total=true, total_of='rows', interval=0.95,
    on_unpaired='error', with_rivals=false
) -%}
    {%- set means = total_of == 'slices' -%}
    {%- if score is not mapping or score | length < 2 -%}
        {{- sqlmetrics.refuse(
            "A leaderboard ranks two models or more; pass them as score=['score_a', 'score_b'], as models=, the column"
                ~ " that names them, or as a table for each"
        ) -}}
    {%- endif -%}
    {{- sqlmetrics.check_key_of_pairs(sqlmetrics.has_own_rows(score, relation, models), group) -}}
    {{- sqlmetrics.check_level(interval) -}}
    {%- set common = on_unpaired == 'intersection' -%}
    {%- if on_unpaired not in ('error', 'intersection') -%}
        {{- sqlmetrics.refuse(
            "on_unpaired: '" ~ on_unpaired ~ "' is not known. Allowed: error, intersection"
        ) -}}
    {%- elif common and kwargs.get('truth') is not none -%}
        {{- sqlmetrics.refuse(
            "on_unpaired='intersection' does not go with truth=, where a list that a model lacks has a value, as one"
                ~ " without items; leave one of them out"
        ) -}}
    {%- endif -%}
    {%- set given = dict(
        kwargs, relation=relation, score=score, models=models, interval=interval, by=by, total_of=total_of
    ) -%}
    {%- set of_values = group -%}
    {%- if common and group is none -%}
        {%- set of_values = 'sm_row_number' -%}
        {%- do given.update({'read_once': true}) -%}
    {%- endif -%}
    {%- set values = sqlmetrics.plan_with_mean_of_slices(
            metrics, on_board=true, group=of_values, total=total, common=common, **given
        ) if means else sqlmetrics.plan(
            metrics, sqlmetrics.question_of_values_on_board(common), group=of_values, total=total, **given
        ) -%}
    {%- set question = sqlmetrics.question_of_leaderboard(values, {
        'test': 't', 'correction': 'holm', 'family': 'metric', 'power': 0.8, 'on_unpaired': 'error',
        'by_rows': group is none, 'call': 'leaderboard', 'margins': {}, 'with_rivals': with_rivals,
    }, means, common) -%}
    {%- set plan = sqlmetrics.plan(
        metrics, question, group='sm_row_number' if group is none else group, total=total and not means, **given
    ) -%}
    {%- if group is none -%}{%- do sqlmetrics.with_facts(plan, read_once=true) -%}{%- endif -%}
    {%- do plan['result'].update({'columns': sqlmetrics.columns_of_leaderboard(plan)}) -%}
    {%- do return(plan) -%}
{%- endmacro %}

{# Adds a metric by which models can be ranked, and its units. #}
{% macro add_ranked(plan, result, value) -%}
    {%- set spread = value['spread'] or {} -%}
    {%- if result['better'] is none -%}
        {%- set asked = result['notation'] ~ ('' if ')' in result['notation'] else '()') -%}
        {{- sqlmetrics.refuse(
            "A leaderboard has a best model, but of " ~ result['notation']
                ~ " neither higher nor lower values are better; "
                ~ ("write " ~ asked.rsplit(')', 1)[0] ~ ", better=higher) or better=lower" if 'better' in value
                    else "pass another metric")
        ) -}}
    {%- elif spread.get('kind') != 'auc' and 'deviation' not in spread -%}
        {{- sqlmetrics.refuse(
            "sqlmetrics.leaderboard: '" ~ result['notation'] ~ "' has no formula for its standard error"
                ~ (" with weights" if plan['facts']['weight'] is not none)
                ~ ", from which ranks follow; take another metric, such as auc, log_loss or ndcg@10"
        ) -}}
    {%- endif -%}
    {{- sqlmetrics.add_comparison(plan, result, value) -}}
{%- endmacro %}

{# The columns of the result: expressions over the stages that `result_of_leaderboard` joins. #}
{% macro columns_of_leaderboard(plan) -%}
    {%- set metrics, known = [], 'sm_value is not null and coalesce(sm_apart, 0) = 0' -%}
    {%- for metric in plan['compared_metrics'] -%}
        {%- do metrics.append('when ' ~ loop.index ~ ' then ' ~ sqlmetrics.sql_text(metric['name'])) -%}
    {%- endfor -%}
    {%- set tied = 'case when ' ~ known ~ ' then case when sm_behind is not null and '
        ~ sqlmetrics.is_found(plan, 'sm_p_behind') ~ ' then 0 else 1 end end' -%}
    {%- set columns = [
        {'name': 'metric', 'value': 'case sm_duels.sm_metric ' ~ metrics | join(' ') ~ ' end', 'any_type': true},
        {'name': 'model', 'value': sqlmetrics.model_name(plan, 'sm_duels'), 'any_type': true},
    ] -%}
    {%- for name in ('value', 'low', 'high') -%}
        {%- do columns.append({'name': name, 'value': 'sm_' ~ name}) -%}
    {%- endfor -%}
    {%- for name in ('rank', 'rank_low', 'rank_high') -%}
        {%- do columns.append({
            'name': name, 'value': 'case when ' ~ known ~ ' then coalesce(sm_' ~ name ~ ', 1) end', 'integer': true,
        }) -%}
    {%- endfor -%}
    {%- set of_rivals = [
        {'name': 'rival', 'value': sqlmetrics.model_name(plan, 'sm_duels', 'sm_rival'), 'any_type': true},
        {'name': 'rival_difference', 'value': 'sm_duels.sm_difference'},
        {'name': 'rival_p_value', 'value': 'sm_duels.sm_p_value'},
        {'name': 'rival_p_adjusted', 'value': 'sm_duels.sm_p_adjusted'},
        {'name': 'rival_n_units', 'value': 'sm_duels.sm_n_pairs', 'integer': true},
        {'name': 'rival_n_unpaired', 'value': 'sm_duels.sm_n_unpaired', 'integer': true},
    ] if plan['question']['own']['with_rivals'] else [] -%}
    {%- do return(columns + [
        {'name': 'tied_with_best', 'value': tied, 'integer': true},
        {'name': 'difference', 'value': 'sm_behind'},
        {'name': 'p_adjusted', 'value': 'sm_p_behind'},
        {'name': 'n_units', 'value': 'sm_n_units', 'integer': true},
        {
            'name': 'n_unpaired', 'integer': true,
            'value': 'coalesce(sm_n_lost, 0)' if plan['question']['common_units'] else 'sm_most_unpaired',
        },
    ] + of_rivals) -%}
{%- endmacro %}

{# Whether two models differ significantly, by the p-value of their difference. #}
{% macro is_found(plan, p) -%}
    {{- p }} <= {{ sqlmetrics.sql_double((1 - plan['facts']['interval']) | round(12)) -}}
{%- endmacro %}

{# The stages from units to the ranks of models. #}
{% macro stages_of_leaderboard(plan) -%}
    {%- do return(sqlmetrics.stages_of_test_of_pairs(plan) + sqlmetrics.stages_after_test(plan) + [
        sqlmetrics.stage_counts_of_slices(plan),
    ] + ([sqlmetrics.stage_lost(plan)] if plan['question']['common_units'] else []) + [
        sqlmetrics.stage_places(plan), sqlmetrics.stages_of_ranks_of_models(plan),
    ]) -%}
{%- endmacro %}

{# The column of the stages of places with the units that a model loses. #}
{% macro names_of_lost(plan) -%}
    {%- do return(['sm_n_lost'] if plan['question']['common_units'] else []) -%}
{%- endmacro %}

{# sm_lost: how many units of each model some other model lacks, by slice and in all. #}
{% macro stage_lost(plan) -%}
{%- set lost = 'count(distinct sm_group) as sm_n_lost' -%}
-- the units of each model that some model lacks
sm_lost as (
    select
        {{- sqlmetrics.lines(plan['facts']['keys'] + [lost], 8) }}
    from {{ sqlmetrics.sliced(plan) }}
    where sm_problem = 12
    {{- sqlmetrics.grouped_by(plan['facts']['keys']) }}
    {%- if sqlmetrics.has_total(plan) %}
    union all
    select
        {{- sqlmetrics.lines(['sm_model', '0 as sm_slice', lost], 8) }}
    from sm_rows
    where sm_problem = 12
    group by sm_model
    {%- endif %}
)
{%- endmacro %}

{# sm_values_on_board: the values and intervals of `evaluate`, by slice and model. Both plans number slices alike. #}
{% macro stages_of_values_on_board(plan) -%}
{%- do return(['-- the value of each model
sm_values_on_board as' ~ sqlmetrics.sql_cte_materialized() ~ ' (
    select sm_result.*
    from (
' ~ sqlmetrics.bare_statement(plan['question']['own']['values']) ~ '
    ) as sm_result
)']) -%}
{%- endmacro %}

{# Its last select: the numbers of slice and model, and the values of metrics. #}
{% macro result_of_values_on_board(plan) -%}
    {%- set columns = [] -%}
    {%- for key in plan['facts']['keys'] -%}
        {%- do columns.append({'sql': 'sm_row_sums.' ~ key, 'name': key}) -%}
    {%- endfor -%}
    {{- sqlmetrics.metrics_of_result(
        plan, columns + (sqlmetrics.columns_of_result(plan) | selectattr('metric', 'defined') | list)
    ) -}}
{%- endmacro %}

{# sm_places: the values, a row for each slice, metric and model. #}
{% macro stage_places(plan) -%}
{%- set keys, models, columns = sqlmetrics.keys_beside_models(plan), [], [] -%}
{%- for model in plan['facts']['models'] -%}
    {%- do models.append('select ' ~ loop.index ~ ' as sm_model') -%}
{%- endfor -%}
{%- for name in ('value', 'low', 'high') -%}
    {%- set found = [] -%}
    {%- for metric in plan['compared_metrics'] -%}
        {%- set column = metric['name'] ~ ('' if name == 'value' else '_' ~ name) -%}
        {%- do found.append('when ' ~ loop.index ~ ' then ' ~ sqlmetrics.sql_result(column)) -%}
    {%- endfor -%}
    {%- do columns.append('case sm_metric ' ~ found | join(' ') ~ ' end as sm_' ~ name) -%}
{%- endfor -%}
-- the values by metric
sm_places as (
    select
        {{- sqlmetrics.lines(
            sqlmetrics.prefixed(keys, 'sm_board_slices.') + ['sm_metric', 'sm_named_models.sm_model'] + columns
                + sqlmetrics.names_of_lost(plan), 8
        ) }}
    from ({{ models | join(' union all ') }}) as sm_named_models
    cross join {{ sqlmetrics.alternatives(plan, with_pairs=false) }}
    {%- if keys %}
    cross join (
        select sm_slice from sm_slices
        {{- ' union all select 0 as sm_slice' if sqlmetrics.has_total(plan) }}
    ) as sm_board_slices
    {%- endif %}
    left join sm_values_on_board on sm_named_models.sm_model = sm_values_on_board.sm_model
        {{- ' and ' ~ sqlmetrics.same_keys(keys, 'sm_board_slices', 'sm_values_on_board') if keys }}
    {%- if plan['question']['common_units'] %}
    left join sm_lost on sm_named_models.sm_model = sm_lost.sm_model
        {{- ' and ' ~ sqlmetrics.same_keys(keys, 'sm_board_slices', 'sm_lost') if keys }}
    {%- endif %}
)
{%- endmacro %}

{#
  sm_duels: each model beside each rival, and its ranks; a model without a rival has one row. sm_gain is above 0 where
    the model is better than the rival. A model without a value is nobody's rival. sm_apart is above 0 if some pair of
    the board has units of one model alone; sm_best is the first model.

  The stages form a chain, with windows in place of joins of a stage with itself: where each reader of a stage plans it
  again, the test of pairs is planned once.
#}
{% macro stages_of_ranks_of_models(plan) -%}
{%- set directions, found = sqlmetrics.compared_directions(plan), sqlmetrics.is_found(plan, 'sm_p_adjusted') -%}
{%- set slices = sqlmetrics.keys_beside_models(plan) -%}
{%- set of_board = slices + ['sm_metric'] -%}
{%- set by_board = ' over (partition by ' ~ of_board | join(', ') ~ ')' -%}
{%- set model = of_board + ['sm_model'] -%}
{%- set by_model = ' over (partition by ' ~ model | join(', ') ~ ')' -%}
{%- set tests = ['sm_rival', 'sm_difference', 'sm_p_adjusted', 'sm_n_pairs', 'sm_n_unpaired']
    + (['sm_p_value'] if plan['question']['own']['with_rivals'] else []) -%}
{%- set known = [] -%}
{%- for column in tests -%}
    {%- do known.append('case when sm_n_values = 2 then ' ~ column ~ ' end as ' ~ column) -%}
{%- endfor -%}
{%- do known.append(
    'case when sm_n_values = 2 then ' ~ sqlmetrics.by_metric(directions['lower'], '-sm_difference', 'sm_difference')
        ~ ' end as sm_gain'
) -%}
{%- set of_places = ['sm_value', 'sm_low', 'sm_high'] + sqlmetrics.names_of_lost(plan) -%}
{%- set values = model + of_places -%}
{%- set of_best = 'max(case when sm_rival = sm_best then ' -%}
-- each model beside its rivals, and its ranks
sm_duels as (
    select
        {{- sqlmetrics.lines([
            'sm_beside_best.*', of_best ~ 'sm_difference end)' ~ by_model ~ ' as sm_behind',
            of_best ~ 'sm_p_adjusted end)' ~ by_model ~ ' as sm_p_behind',
            'row_number() over (partition by ' ~ model | join(', ')
                ~ ' order by case when sm_rival is null then 1 else 0 end asc, sm_rival asc) as sm_place',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines([
                'sm_standings.*',
                'min(case when sm_rank = 1 and sm_apart = 0 and sm_rival is not null then sm_model end)' ~ by_board
                    ~ ' as sm_best',
            ], 12) }}
        from (
            select
                {{- sqlmetrics.lines([
                    'sm_gains.*', '1 + sum(case when sm_gain < 0 then 1 else 0 end)' ~ by_model ~ ' as sm_rank',
                    '1 + sum(case when sm_gain < 0 and ' ~ found ~ ' then 1 else 0 end)' ~ by_model ~ ' as sm_rank_low',
                    '1 + sum(case when sm_rival is null or sm_gain > 0 and ' ~ found ~ ' then 0 else 1 end)' ~ by_model
                        ~ ' as sm_rank_high',
                    'min(sm_n_pairs)' ~ by_model ~ ' as sm_n_units',
                ] + ([] if plan['question']['common_units'] else [
                    'max(sm_n_unpaired)' ~ by_model ~ ' as sm_most_unpaired',
                ]) + [
                    'max(sm_n_unpaired)' ~ by_board ~ ' as sm_apart',
                ], 16) }}
            from (
                select
                    {{- sqlmetrics.lines(values + known, 20) }}
                from (
                    select
                        {{- sqlmetrics.lines(sqlmetrics.prefixed(model, 'sm_places.')
                            + of_places + tests + [
                            'count(sm_value) over (partition by '
                                ~ sqlmetrics.prefixed(of_board, 'sm_places.') | join(', ')
                                ~ ', sm_candidate) as sm_n_values',
                        ], 24) }}
                    from sm_places
                    left join (
                        {{ sqlmetrics.sides_of_duels(plan) }}
                    ) as sm_sided on {{ sqlmetrics.same_keys(model, 'sm_places', 'sm_sided') }}
                ) as sm_valued
            ) as sm_gains
        ) as sm_standings
    ) as sm_beside_best
)
{%- endmacro %}

{# The tests of pairs, a row for each model of a pair. #}
{% macro sides_of_duels(plan) -%}
{%- set of_board, columns = sqlmetrics.keys_beside_models(plan) + ['sm_metric'], [] -%}
{%- for name, value in {
    'sm_candidate': 'sm_adjusted.sm_candidate', 'sm_n_pairs': 'sm_n_pairs', 'sm_n_unpaired': 'sm_n_unpaired',
    'sm_rival': 'case when sm_side = 1 then sm_of_candidate else sm_of_baseline end',
}.items() -%}
    {%- do columns.append(sqlmetrics.sql_nullable(value) ~ ' as ' ~ name) -%}
{%- endfor -%}
select
                            {{- sqlmetrics.lines(sqlmetrics.prefixed(of_board, 'sm_adjusted.') + [
                                'case when sm_side = 1 then sm_of_baseline else sm_of_candidate end as sm_model',
                                'case when sm_side = 1 then 0 - sm_estimate else sm_estimate end as sm_difference',
                                'sm_p_adjusted',
                            ] + (['sm_p_value'] if plan['question']['own']['with_rivals'] else []) + columns, 28) }}
                        from sm_adjusted
                        inner join {{ sqlmetrics.matched_models(plan) }}
                            on sm_adjusted.sm_candidate = sm_matched_models.sm_candidate
                        cross join (select 1 as sm_side union all select 2 as sm_side) as sm_both_models
{%- endmacro %}

{# The last select. #}
{% macro result_of_leaderboard(plan) -%}
{%- set slices, by = sqlmetrics.keys_beside_models(plan), plan['facts']['by'] -%}
{%- set columns, of_rivals = [], plan['question']['own']['with_rivals'] -%}
{%- for column in by -%}
    {%- set value = sqlmetrics.value_of_slice(plan, column, 'sm_duels.sm_slice = 0') -%}
    {%- do columns.append(value ~ ' as ' ~ column['alias']) -%}
{%- endfor -%}
{%- if sqlmetrics.has_total(plan) -%}
    {%- do columns.append('case when sm_duels.sm_slice = 0 then 1 else 0 end as is_total') -%}
{%- endif -%}
{%- for result in plan['result']['columns'] -%}
    {%- do columns.append(sqlmetrics.result_column(plan, result)) -%}
{%- endfor -%}
{%- do columns.extend(sqlmetrics.counts_of_slices(plan)) -%}
select
    {{- sqlmetrics.lines(columns, 4) }}
from sm_counts
{{ sqlmetrics.inner_join(slices, 'sm_counts', 'sm_duels') }}
{%- if by %}
left join sm_slices on sm_duels.sm_slice = sm_slices.sm_slice
{%- endif %}
where sm_place = 1{{ ' or sm_rival is not null' if of_rivals }}
order by {{ 'case when sm_duels.sm_slice = 0 then 1 else 0 end asc, sm_duels.sm_slice asc, ' if by -}}
    sm_metric asc, case when sm_value is null then 1 else 0 end asc, sm_rank asc, sm_model asc
    {{- ', sm_rival asc' if of_rivals }}
{%- endmacro %}

{#
  Comparisons of models from a state: what pairs of models keep of each part of the data (period and slice), and the
  difference of two models from the sums over the parts.

  A unit moves the difference of two ratios by its influence, (n2 - R2 d2) / D2 - (n1 - R1 d1) / D1. R and D, the ratio
  and the sum of d, are known when all parts are. In a part with the ratios r the deviations are e = n - r d, and the
  gaps of the part are g = r - R. So the influence is a sum of four terms, each a number of the part times one of the
  unit, which are `apart` = e2 - e1, `both` = e2 + e1, `divisors_apart` = d2 - d1 and `divisors` = d2 + d1. The part
  keeps the sums of their products, from which the sum of squared influences follows. Models that differ little lose no
  digit: where both have the same d, as in most metrics, the term of `both` is exactly 0.

  Both models of a pair may change places: then `apart` and `divisors_apart` have the other sign.

  A state has a row of the grain pairs for each period, slice, metric and pair of models (for lists also of the grain
  whole pairs, as it has whole lists). Its columns are those of `columns_of_kept_pairs`, and model is the candidate.
#}

{# The four numbers of a unit, in the order of their products. #}
{% macro terms_of_pairs() -%}{%- do return(['apart', 'both', 'divisors_apart', 'divisors']) -%}{%- endmacro %}

{# The names of their products, and the two numbers of each. #}
{% macro products_of_pairs() -%}
    {%- set products, terms = {}, sqlmetrics.terms_of_pairs() -%}
    {%- for one in terms -%}
        {%- for other in terms[loop.index0:] -%}
            {%- do products.update({'sm_pair_' ~ one ~ '_by_' ~ other: [one, other]}) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do return(products) -%}
{%- endmacro %}

{# The columns of numbers of a row of pairs, and the columns of sm_pair_sums of which the first are sums. #}
{% macro numbers_of_kept_pairs() -%}
    {%- do return({
        'sm_pair_n_baseline': 'sm_sum_n_baseline', 'sm_pair_d_baseline': 'sm_sum_d_baseline',
        'sm_pair_n_candidate': 'sm_sum_n_candidate', 'sm_pair_d_candidate': 'sm_sum_d_candidate',
        'sm_pair_units': 'sm_n_pairs', 'sm_pair_unpaired': 'sm_n_unpaired',
        'sm_pair_above': 'sm_above', 'sm_pair_ties': 'sm_ties', 'sm_pair_below': 'sm_below',
    }) -%}
{%- endmacro %}

{# All columns of a row of pairs: two texts and numbers. #}
{% macro columns_of_kept_pairs() -%}
    {%- do return(
        ['sm_pair_metric', 'sm_pair_baseline'] + sqlmetrics.numbers_of_kept_pairs() | list
            + sqlmetrics.products_of_pairs() | list
    ) -%}
{%- endmacro %}

{# The columns that a statement over a state reads of it for pairs. #}
{% macro columns_read_of_pairs(plan) -%}
    {%- do return(
        sqlmetrics.columns_of_kept_pairs()
            if plan['question']['reads'] == 'state' and plan['question']['keeps'] == 'units' else []
    ) -%}
{%- endmacro %}

{# The name under which a state keeps the pairs of a metric. #}
{% macro name_of_kept_pairs(notation) -%}{{ sqlmetrics.column_name(notation) }}{%- endmacro %}

{#
  The plan of the pairs that a state of several models keeps; none if no metric has such. Rows in long form have no
  pairs, since nothing says which rows of two models belong together; lists have those of the same group.

  Args: those of `plan`, of the state
#}
{% macro plan_of_kept_pairs(metrics, score=none, group=none, models=none) -%}
    {%- set named = score if models is none else sqlmetrics.named_scores(score, models) -%}
    {%- if named is not mapping or named | length < 2 or models is not none and group is none -%}
        {%- do return(none) -%}
    {%- endif -%}
    {%- set plan = sqlmetrics.plan(
        metrics, sqlmetrics.question_of_kept_pairs(),
        **dict(kwargs, score=score, models=models, total=group is not none,
            group='sm_row_number' if group is none else group)
    ) -%}
    {%- if group is none -%}{%- do sqlmetrics.with_facts(plan, read_once=true) -%}{%- endif -%}
    {%- do return(plan if plan['compared_metrics'] else none) -%}
{%- endmacro %}

{# The spread of a value whose pairs of models can be kept: a ratio of sums over units, or a root of one; else none. #}
{% macro spread_of_kept_pairs(value) -%}
    {%- set spread = value['spread'] or {} -%}
    {%- set spread = spread.get('root_of') or spread -%}
    {%- do return(spread if 'deviation' in spread and spread.get('numerator') is not none else none) -%}
{%- endmacro %}

{# Adds the units of a metric whose pairs can be kept, of a root the units of the value under it. #}
{% macro keep_pairs(plan, result, value) -%}
    {%- set spread = sqlmetrics.spread_of_kept_pairs(value) -%}
    {%- if spread is not none -%}
        {{- sqlmetrics.add_comparison(plan, result, dict(value, spread=spread)) -}}
    {%- endif -%}
{%- endmacro %}

{# The stages from units to sm_pairs. #}
{% macro stages_to_kept_pairs(plan) -%}
    {%- set stages = [] -%}
    {%- for units in ('lists', 'groups') if sqlmetrics.compared_by(plan, [units]) -%}
        {%- do stages.append(sqlmetrics.stage_units(plan, units)) -%}
    {%- endfor -%}
    {%- do return(stages + [sqlmetrics.stages_of_pairs(plan)]) -%}
{%- endmacro %}

{#
  The four numbers of each unit, as columns of sm_pairs.

  Args:
    deviations: by side, sql and its size, below whose rounding a difference is 0
#}
{% macro parts_of_influences(deviations) -%}
    {%- set baseline, candidate = deviations['baseline'], deviations['candidate'] -%}
    {%- do return([
        sqlmetrics.less_rounding(
            candidate['sql'] ~ ' - ' ~ baseline['sql'], candidate['size'] ~ ' + ' ~ baseline['size']
        ) ~ ' as sm_apart',
        candidate['sql'] ~ ' + ' ~ baseline['sql'] ~ ' as sm_both',
        'sm_d_candidate - sm_d_baseline as sm_divisors_apart', 'sm_d_candidate + sm_d_baseline as sm_divisors',
    ]) -%}
{%- endmacro %}

{# The last select: what is kept of each slice, metric and pair. sm_model is the number of the candidate. #}
{% macro rows_of_kept_pairs(plan) -%}
{%- set keys, sums = sqlmetrics.pair_keys(plan), [] -%}
{%- for name, condition in {
    'above': 'sm_difference > 0', 'ties': 'sm_difference = 0', 'below': 'sm_difference < 0',
}.items() -%}
    {%- do sums.append(
        'sum(case when ' ~ condition ~ ' then 1 when sm_difference is not null then 0 end) as sm_' ~ name
    ) -%}
{%- endfor -%}
{%- for product, terms in sqlmetrics.products_of_pairs().items() -%}
    {%- do sums.append('sum(sm_' ~ terms[0] ~ ' * sm_' ~ terms[1] ~ ') as ' ~ product) -%}
{%- endfor -%}
{%- set metrics, models, baselines, columns = [], [], [], [] -%}
{%- for metric in plan['compared_metrics'] -%}
    {%- do metrics.append(
        'when ' ~ loop.index ~ ' then ' ~ sqlmetrics.sql_text(sqlmetrics.name_of_kept_pairs(metric['notation']))
    ) -%}
{%- endfor -%}
{%- for pair in sqlmetrics.compared_pairs(plan) -%}
    {%- do models.append('when ' ~ pair['number'] ~ ' then ' ~ pair['candidate']) -%}
    {%- do baselines.append('when ' ~ pair['number'] ~ ' then '
        ~ sqlmetrics.sql_text(plan['facts']['models'][pair['baseline'] - 1]['name'])) -%}
{%- endfor -%}
{%- for column, sum in sqlmetrics.numbers_of_kept_pairs().items() -%}
    {%- do columns.append(sum ~ ' as ' ~ column) -%}
{%- endfor -%}
select
    {{- sqlmetrics.lines(sqlmetrics.prefixed(sqlmetrics.keys_beside_models(plan), 'sm_pair_sums.') + [
        'case sm_pair_sums.sm_candidate ' ~ models | join(' ') ~ ' end as sm_model',
        'case sm_pair_sums.sm_metric ' ~ metrics | join(' ') ~ ' end as sm_pair_metric',
        'case sm_pair_sums.sm_candidate ' ~ baselines | join(' ') ~ ' end as sm_pair_baseline',
    ] + columns + sqlmetrics.products_of_pairs() | list, 4) }}
from sm_pair_sums
left join (
    select
        {{- sqlmetrics.lines(keys + sums, 8) }}
    from sm_pairs
    group by {{ keys | join(', ') }}
) as sm_sums_of_pairs on {{ sqlmetrics.same_keys(keys, 'sm_pair_sums', 'sm_sums_of_pairs') }}
{%- endmacro %}

{# sm_kept_pairs, in the statement of a state. Both plans number slices alike. #}
{% macro stages_of_kept_pairs(plan) -%}
{%- do return(['-- what pairs of models keep, for comparisons
sm_kept_pairs as' ~ sqlmetrics.sql_cte_materialized() ~ ' (
    select sm_result.*
    from (
' ~ sqlmetrics.bare_statement(plan['question']['own']['pairs']) ~ '
    ) as sm_result
)']) -%}
{%- endmacro %}

{# Adds a metric that is compared by the pairs that a state keeps. #}
{% macro add_kept_comparison(plan, result, value) -%}
    {%- set spread, facts = sqlmetrics.spread_of_kept_pairs(value), plan['facts'] -%}
    {%- if spread is none -%}
        {{- sqlmetrics.refuse_metric(
            plan,
            "no state of periods compares models by it, since it is no ratio of sums over rows or lists, and no"
                ~ " root of one; take one that is, such as log_loss, or compare the rows themselves"
        ) -}}
    {%- endif -%}
    {{- sqlmetrics.check_interval_of_parts(plan, value) -}}
    {%- set decided = 'score' in sqlmetrics.holes(spread['denominator']) -%}
    {%- set rows, root = spread['unit'] != 'lists', 'root_of' in value['spread'] -%}
    {%- do plan['asked'].update({'pairs': sqlmetrics.name_of_kept_pairs(result['notation'])}) -%}
    {%- do sqlmetrics.require_held(plan) -%}
    {%- do sqlmetrics.note_reads(plan, 'stages', sqlmetrics.holes(plan['asked']['guards'] | join)) -%}
    {%- do plan['compared_metrics'].append(dict(
        result, guards=plan['asked']['guards'] | list, i=plan['compared_metrics'] | length + 1, least=value['least'],
        most=value['most'], units='influences' if root else 'groups' if rows else 'lists', adds_zero=rows and decided,
        carried=none, right_or_wrong=spread['kind'] == 'share' and rows and not decided and facts['weight'] is none
    )) -%}
{%- endmacro %}

{# The stages from the rows of a state to a test of the difference. #}
{% macro stages_of_kept_comparison(plan) -%}
    {%- set test = plan['question']['own']['test'] -%}
    {%- do return([
        sqlmetrics.stages_of_parts_of_pairs(plan), sqlmetrics.stage_estimates(plan),
        (sqlmetrics.stages_of_anytime if test == 'anytime' else sqlmetrics.stages_of_t)(plan),
    ] + sqlmetrics.stages_after_test(plan) + [
        sqlmetrics.stage_counts_of_slices(plan), sqlmetrics.stage_asked(plan),
    ]) -%}
{%- endmacro %}

{#
  sm_parts_of_pairs: the rows of pairs, of each slice and of the total, by metric and candidate. sm_turned is -1 where
  the state has the candidate for the baseline. sm_pair_sums: their sums.
#}
{% macro stages_of_parts_of_pairs(plan) -%}
{%- set facts, keys, asked = plan['facts'], sqlmetrics.pair_keys(plan), [] -%}
{%- set slices = sqlmetrics.keys_beside_models(plan) -%}
{%- for metric in plan['compared_metrics'] -%}
    {%- set number = loop.index -%}
    {%- for pair in sqlmetrics.compared_pairs(plan) -%}
        {%- for turned, model, beside in (
            (1, pair['candidate'], pair['baseline']), (-1, pair['baseline'], pair['candidate']),
        ) -%}
            {%- do asked.append(
                'select ' ~ number ~ ' as sm_metric, ' ~ pair['number'] ~ ' as sm_candidate, ' ~ turned
                    ~ ' as sm_turned, ' ~ model ~ ' as sm_of_model, '
                    ~ sqlmetrics.sql_text(facts['models'][beside - 1]['name']) ~ ' as sm_beside, '
                    ~ sqlmetrics.sql_text(sqlmetrics.name_of_kept_pairs(metric['notation'])) ~ ' as sm_named'
            ) -%}
        {%- endfor -%}
    {%- endfor -%}
{%- endfor -%}
{%- set columns, sums, sides = [], [], {'baseline': 'candidate', 'candidate': 'baseline'} -%}
{%- set roots = sqlmetrics.compared_by(plan, ['influences']) -%}
{%- for side, other in sides.items() -%}
    {%- for part in ('n', 'd') -%}
        {%- do columns.append(
            'case when sm_turned > 0 then sm_pair_' ~ part ~ '_' ~ side ~ ' else sm_pair_' ~ part ~ '_' ~ other
                ~ ' end as sm_' ~ part ~ '_' ~ side
        ) -%}
        {%- do sums.append('sum(sm_' ~ part ~ '_' ~ side ~ ') as sm_sum_' ~ part ~ '_' ~ side) -%}
    {%- endfor -%}
    {%- if roots -%}
        {%- set mean = sqlmetrics.ratio('sum(sm_n_' ~ side ~ ')', 'sum(sm_d_' ~ side ~ ')') -%}
        {%- do sums.append(
            sqlmetrics.by_metric(roots, 'sqrt(abs(' ~ mean ~ '))', sqlmetrics.sql_double('null')) ~ ' as sm_whole_'
                ~ side
        ) -%}
    {%- endif -%}
{%- endfor -%}
{%- for name, other in {'above': 'below', 'ties': 'ties', 'below': 'above'}.items() -%}
    {%- do columns.append(
        'sm_pair_ties as sm_ties' if name == 'ties'
            else 'case when sm_turned > 0 then sm_pair_' ~ name ~ ' else sm_pair_' ~ other ~ ' end as sm_' ~ name
    ) -%}
{%- endfor -%}
{%- set columns = ['sm_metric', 'sm_candidate', 'sm_turned'] + columns + ['sm_pair_units', 'sm_pair_unpaired']
    + sqlmetrics.products_of_pairs() | list -%}
{%- set joined = 'inner join (' ~ asked | join(' union all ') ~ ') as sm_asked_pairs on sm_pair_metric = sm_named'
    ~ ' and sm_pair_baseline = sm_beside and sm_model = sm_of_model' -%}
{%- set of_lists = facts['group'] is not none -%}
{%- set of_slices = 'whole pairs' if of_lists and not sqlmetrics.rolls_up_lists(plan) else 'pairs' -%}
-- what the pairs of models keep of each part of the state
sm_parts_of_pairs as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(slices + columns, 8) }}
    from {{ sqlmetrics.sliced(plan) }}
    {{ joined }}
    where sm_grain = '{{ of_slices }}'
    {%- if facts['total'] %}
    union all
    select
        {{- sqlmetrics.lines(['0 as sm_slice'] + columns, 8) }}
    from sm_given
    {{ joined }}
    where sm_grain = '{{ 'whole pairs' if of_lists else 'pairs' }}'
    {%- endif %}
),

-- the sums of both over all parts
sm_pair_sums as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(keys + sums + [
            'sum(sm_pair_units) as sm_n_pairs', 'sum(sm_pair_unpaired) as sm_n_unpaired',
        ] + ([
            'sum(sm_pair_divisors_by_divisors - sm_pair_divisors_apart_by_divisors_apart) / 4 as sm_products',
        ] if sqlmetrics.compared_by(plan, ['lists']) else []), 8) }}
    from sm_parts_of_pairs
    group by {{ keys | join(', ') }}
)
{%- endmacro %}

{#
  The select of the squared influences of each metric and pair, from its columns on: the sum over parts of the products
  times the factors of both terms.
#}
{% macro spreads_of_kept_pairs(plan, keys) -%}
{%- set decided = sqlmetrics.compared_by(plan, ['groups'], 'adds_zero') -%}
{%- set gaps, totals = {}, {} -%}
{%- for side in ('baseline', 'candidate') -%}
    {%- set ratios = [] -%}
    {%- for prefix in ('sm_parts_of_pairs.sm_', 'sm_pair_sums.sm_sum_') -%}
        {%- set own = sqlmetrics.ratio(prefix ~ 'n_' ~ side, prefix ~ 'd_' ~ side) -%}
        {%- set pooled = sqlmetrics.ratio(
            '(' ~ prefix ~ 'n_baseline + ' ~ prefix ~ 'n_candidate)',
            '(' ~ prefix ~ 'd_baseline + ' ~ prefix ~ 'd_candidate)'
        ) -%}
        {%- do ratios.append(
            'coalesce(' ~ sqlmetrics.by_metric(decided, pooled, own, 'sm_parts_of_pairs.sm_metric') ~ ', 0)'
        ) -%}
    {%- endfor -%}
    {%- set gap = sqlmetrics.less_rounding(
        ratios[0] ~ ' - ' ~ ratios[1], 'abs(' ~ ratios[0] ~ ') + abs(' ~ ratios[1] ~ ')'
    ) -%}
    {%- do gaps.update({side: gap}) -%}
{%- endfor -%}
{%- set products = [] -%}
{%- for product, terms in sqlmetrics.products_of_pairs().items() -%}
    {%- do products.append(
        ('' if terms[0] == terms[1] else '2 * ') ~ 'sm_of_' ~ terms[0] ~ ' * sm_of_' ~ terms[1] ~ ' * ' ~ product
    ) -%}
{%- endfor -%}
{#- a difference of roots is the difference of the values under them, over the sum of the roots -#}
{%- set roots, scales = sqlmetrics.compared_by(plan, ['influences']), {} -%}
{%- for side in ('baseline', 'candidate') -%}
    {%- set d = 'sm_sum_d_' ~ side -%}
    {%- set of_root = d ~ ' * (sm_whole_baseline + sm_whole_candidate)' -%}
    {%- do scales.update({side: sqlmetrics.ratio(
        '0.5', sqlmetrics.by_metric(roots, of_root, d, 'sm_pair_sums.sm_metric')
    )}) -%}
{%- endfor -%}
{#- a single row has no such root -#}
{%- set counts = [] -%}
{%- for name in ('sm_above', 'sm_ties', 'sm_below') -%}
    {%- do counts.append(
        sqlmetrics.by_metric(roots, sqlmetrics.sql_double('null'), 'sum(' ~ name ~ ')') ~ ' as ' ~ name
    ) -%}
{%- endfor -%}
{%- set columns = ['sm_above', 'sm_ties', 'sm_below'] + sqlmetrics.products_of_pairs() | list -%}
{%- set kept = sqlmetrics.prefixed(keys + ['sm_turned'] + columns, 'sm_parts_of_pairs.') -%}
    {{- sqlmetrics.lines(keys + ['sum(' ~ products | join(' + ') ~ ') as sm_squares'] + counts, 16) }}
            from (
                select
                    {{- sqlmetrics.lines(keys + columns + [
                        'sm_turned * (sm_scale_candidate + sm_scale_baseline) as sm_of_apart',
                        'sm_scale_candidate - sm_scale_baseline as sm_of_both',
                        'sm_turned * (sm_gap_candidate * sm_scale_candidate + sm_gap_baseline * sm_scale_baseline)'
                            ~ ' as sm_of_divisors_apart',
                        'sm_gap_candidate * sm_scale_candidate - sm_gap_baseline * sm_scale_baseline'
                            ~ ' as sm_of_divisors',
                    ], 20) }}
                from (
                    select
                        {{- sqlmetrics.lines(kept + [
                            scales['baseline'] ~ ' as sm_scale_baseline',
                            scales['candidate'] ~ ' as sm_scale_candidate',
                            gaps['baseline'] ~ ' as sm_gap_baseline', gaps['candidate'] ~ ' as sm_gap_candidate',
                        ], 24) }}
                    from sm_parts_of_pairs
                    inner join sm_pair_sums on {{ sqlmetrics.same_keys(keys, 'sm_parts_of_pairs', 'sm_pair_sums') }}
                    where {{ sqlmetrics.can_be_compared(plan) }}
                ) as sm_gaps
            ) as sm_factors
            group by {{ keys | join(', ') }}
{%- endmacro %}

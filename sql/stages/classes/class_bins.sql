{#
  Bins of the scores of classes: one grain for each number and kind of bins, of the highest score of an example (top) or
  of the score of each class (each).

  sm_confidences: the examples, in the slices and in total. sm_score: the highest score; sm_hit: 1 if the class of the
    example has it, a share where several classes do
  sm_<grain>: the bins that hold examples. sm_item: with each, the number of the class; sm_level_positives: the weight
    of the examples of the class, or that sm_hit counts; sm_level_scores: the sum of the scores, each times its weight
#}

{#
  The grain of such bins.

  Args:
    of: top or each
    bins: how many, an integer >= 1
    equal: width or count
#}
{% macro class_bins_grain(plan, of, bins, equal) -%}
    {{- sqlmetrics.number(plan, 'bins', bins, 1, 1000000, true) -}}
    {{- sqlmetrics.one_of(plan, 'equal', equal, ['width', 'count']) -}}
    {%- set grain = of ~ '_bins_' ~ equal ~ '_' ~ bins -%}
    {%- if grain not in plan['class_bins'] -%}
        {%- do plan['class_bins'].update({grain: {'of': of, 'count': bins, 'equal': equal}}) -%}
        {%- do plan['grains'].update({grain: {
            'columns': sqlmetrics.columns()['class_bins'], 'parents': [], 'roles': [], 'sums': 'sm_' ~ grain ~ '_sums',
            'state': 'its sums are by class',
        }}) -%}
        {%- do plan['needs'].update({grain: {}}) -%}
        {%- if of == 'top' and plan['facts']['class_scores'] -%}
            {%- do sqlmetrics.note_reads(plan, 'rows', sqlmetrics.holes(sqlmetrics.chance_of_class(plan, 1))) -%}
        {%- endif -%}
    {%- endif -%}
    {%- do return(grain) -%}
{%- endmacro %}

{# sm_confidences. #}
{% macro stage_confidences(plan) -%}
{%- set weight = ['sm_weight'] if plan['facts']['weight'] is not none else [] -%}
-- the highest score of each example, and whether its class has it
sm_confidences as{{ sqlmetrics.sql_cte_inline() }} (
    {%- if not plan['facts']['class_scores'] %}
    {{ sqlmetrics.confidences_of_long(plan, weight) }}
    {%- else %}
    {{ sqlmetrics.by_slice_and_total(plan, weight + [
        sqlmetrics.greatest_term(sqlmetrics.names_of_class_scores(plan)) ~ ' as sm_score',
        sqlmetrics.filled(plan, sqlmetrics.chance_of_class(plan, 1)) ~ ' as sm_hit',
    ]) }}
    {%- endif %}
)
{%- endmacro %}

{# The same of a long table, in which the rows of an example are those of its group. #}
{% macro confidences_of_long(plan, weight) -%}
{%- set keys, ties = plan['facts']['keys'], plan['facts']['ties'] -%}
{%- set own, top = sqlmetrics.filled(plan, sqlmetrics.is_relevant(plan)), 'sm_own_score = sm_top' -%}
{%- set count = 'sum(case when ' ~ top ~ ' then 1 else 0 end)' -%}
{%- set item = sqlmetrics.sql_bytes('sm_item') if ties == 'text desc' else 'sm_item' -%}
{%- set items = ['sm_item'] if ties in sqlmetrics.orders_of_items() else [] -%}
{%- set first = ('min' if ties == 'item' else 'max') ~ '(case when ' ~ top ~ ' then ' ~ item ~ ' end)' -%}
{%- set chance = 'case when ' ~ first ~ ' = max(case when ' ~ own ~ ' then ' ~ item ~ ' end) then 1 else 0 end'
    if ties in sqlmetrics.orders_of_items() else {
        'worst': 'case when ' ~ count ~ ' = 1 then 1 else 0 end', 'best': '1', 'average': sqlmetrics.ratio('1', count),
    }[ties] -%}
select
        {{- sqlmetrics.lines(keys + (['max(sm_opposed.sm_weight) as sm_weight'] if weight else []) + [
            'max(sm_own_score) as sm_score',
            'case when max(case when ' ~ own ~ ' and ' ~ top ~ ' then 1 else 0 end) = 1 then ' ~ chance
                ~ ' else 0 end as sm_hit',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines(keys + ['sm_group', 'sm_label', 'sm_score as sm_own_score'] + items + weight + [
                'max(sm_score) over (partition by ' ~ (keys + ['sm_group']) | join(', ') ~ ') as sm_top',
            ], 12) }}
        from sm_class_scores
    ) as sm_opposed
    group by {{ (keys + ['sm_group']) | join(', ') }}
{%- endmacro %}

{# The greatest of several terms, many of them in groups, since some engines limit the arguments of a function. #}
{% macro greatest_term(terms) -%}
    {%- if terms | length == 1 -%}{%- do return(terms[0]) -%}{%- endif -%}
    {%- if terms | length <= 50 -%}{%- do return(sqlmetrics.sql_greatest(terms)) -%}{%- endif -%}
    {%- set parts = [] -%}
    {%- for some in terms | batch(50) -%}{%- do parts.append(sqlmetrics.greatest_term(some)) -%}{%- endfor -%}
    {%- do return(sqlmetrics.greatest_term(parts)) -%}
{%- endmacro %}

{# sm_<grain>: bins of equal count divide the examples from the lowest score up (stages/levels/bins.sql). #}
{% macro stage_class_bins(plan, grain) -%}
{%- set bins = plan['class_bins'][grain] -%}
{%- set keys = plan['facts']['keys'] + (['sm_item'] if bins['of'] == 'each' else []) -%}
{%- set weight = sqlmetrics.filled(plan, sqlmetrics.row_weight(plan)) -%}
{%- set source = 'sm_confidences' if bins['of'] == 'top' else 'sm_class_scores' -%}
{%- set own = 'sm_true = sm_item' if plan['facts']['class_scores']
    else sqlmetrics.filled(plan, sqlmetrics.is_relevant(plan)) -%}
{%- set hit = 'sm_hit' if bins['of'] == 'top' else 'case when ' ~ own ~ ' then 1 else 0 end' -%}
{%- set below = 'sm_score' if bins['equal'] == 'width' else sqlmetrics.ratio('sm_all - sm_through', 'sm_all') -%}
{%- set bin = sqlmetrics.bin_number('(' ~ bins['count'] ~ ' * ' ~ below ~ ' + 1e-9)', bins['count']) -%}
{%- set within = 'sum(' ~ weight ~ ') over (' ~ sqlmetrics.partition_by(keys) | trim -%}
-- bins of {{ 'the highest scores' if bins['of'] == 'top' else 'the scores of each class' }}
sm_{{ grain }} as (
    select
        {{- sqlmetrics.lines(plan['facts']['keys'] + (['sm_item'] if sqlmetrics.reads(plan, grain, 'item') else []) + [
            'sum(' ~ sqlmetrics.filled(plan, sqlmetrics.row_weighted(plan, hit)) ~ ') as sm_level_positives',
            'sum(' ~ sqlmetrics.filled(plan, sqlmetrics.row_weighted(plan, 'sm_score')) ~ ') as sm_level_scores',
        ], 8) }}
    {%- if bins['equal'] == 'width' %}
    from {{ source }}
    {%- else %}
    from (
        select
            {{- sqlmetrics.lines([
                source ~ '.*',
                within ~ ') as sm_all',
                within ~ ' order by sm_score desc' ~ sqlmetrics.sql_with_ties() ~ ') as sm_through',
            ], 12) }}
        from {{ source }}
    ) as sm_placed_scores
    {%- endif %}
    group by {{ (keys + [bin]) | join(', ') }}
),

-- what is summed over these bins, a row for each slice
sm_{{ grain }}_sums as (
    select
        {{- sqlmetrics.lines(plan['facts']['keys'] + sqlmetrics.aggregates(plan, grain), 8) }}
    from sm_{{ grain }}
    {{- sqlmetrics.grouped_by(plan['facts']['keys']) }}
)
{%- endmacro %}

{# Whether bins or sizes of sets read the scores of each class, a row each. #}
{% macro bins_read_classes(plan) -%}
    {%- for bins in plan['class_bins'].values() if bins['of'] == 'each' or not plan['facts']['class_scores'] -%}
        {%- do return(true) -%}
    {%- endfor -%}
    {%- do return(plan['set_sizes'] and not plan['facts']['class_scores']) -%}
{%- endmacro %}

{# The bins of scores of classes, where they are needed. #}
{% macro stages_of_class_bins(plan) -%}
    {%- set stages = [] -%}
    {%- if 'top' in plan['class_bins'].values() | map(attribute='of') -%}
        {%- do stages.append(sqlmetrics.stage_confidences(plan)) -%}
    {%- endif -%}
    {%- for grain in plan['class_bins'] -%}
        {%- do stages.append(sqlmetrics.stage_class_bins(plan, grain)) -%}
    {%- endfor -%}
    {%- do return(stages) -%}
{%- endmacro %}

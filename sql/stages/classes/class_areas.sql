{#
  The grain of scored classes: a long table of examples (sm_group) and classes (sm_item), in which the label
  marks the class of an example (stages/classes/examples.sql). class_scores= gives the same table from columns; a class
  is then its number, and rows are the examples.

  One sort by class and score serves everything: above an example of class t are the examples of class c with
  a higher score for c, and their sums by (c, t) serve both one against the rest and one against one. No pair
  of examples is formed.

  The micro average takes the scores of all classes as those of one: one more sort, without the class.

  sm_opponents: by class (sm_item) and true class: sm_precisions: of the true class, the precision down to each example;
    sm_wins: the pairs of an example of each that the score of sm_item orders correctly, a tie counting one half;
    sm_of_class: the weight of the true class
  sm_areas: by class: sm_item; sm_precisions: its sum over the examples of the class; sm_wins, sm_positives,
    sm_negatives: of one against the rest; sm_pair_areas, sm_pairs: the AUCs against each other class, and their
    number; sm_weighted_pair_areas, sm_pair_weights: the same, each times the weight of both classes; sm_micro_wins,
    sm_micro_precisions: of its wrong and its right scores among those of all classes
#}
{% macro stage_opponents(plan) -%}
{%- set keys = plan['facts']['keys'] -%}
{%- set weighted = plan['facts']['weight'] is not none -%}
{%- set joined = sqlmetrics.slice_keys(plan, 'sm_class_scores.') -%}
{%- set down = '(partition by ' ~ (joined + ['sm_class_scores.sm_item']) | join(', ') ~ ' order by sm_score desc' -%}
{%- set weight = sqlmetrics.filled(plan, sqlmetrics.row_weight(plan)) -%}
{%- set down_all = '(' ~ ('partition by ' ~ joined | join(', ') ~ ' ' if joined) ~ 'order by sm_score desc' -%}
{%- set own = 'sum(case when sm_true = sm_class_scores.sm_item then ' ~ weight ~ ' else 0 end) over ' -%}
{%- set all, through = 'sum(' ~ weight ~ ') over ', sqlmetrics.sql_with_ties() ~ ')' -%}
{%- set tied = ' range between current row and current row)' -%}
{%- set made, summed = [], [] -%}
{#- a negative score is beaten by each positive one above it, and by half of those that tie with it -#}
{%- for order, name, wins, precisions in (
    (down, '', sqlmetrics.reads_wins(plan), 'precisions'),
    (down_all, 'micro_', sqlmetrics.reads(plan, 'class_areas', 'micro_wins'), 'micro_precisions'),
) -%}
    {%- set precise = sqlmetrics.reads(plan, 'class_areas', precisions) -%}
    {%- set through_of, tied_of, all_of = 'sm_' ~ name ~ 'own_through', 'sm_' ~ name ~ 'own_tied',
        'sm_' ~ name ~ 'all_through' -%}
    {%- if wins or precise -%}{%- do made.append(own ~ order ~ through ~ ' as ' ~ through_of) -%}{%- endif -%}
    {%- if wins -%}
        {%- do made.append(own ~ order ~ tied ~ ' as ' ~ tied_of) -%}
        {%- set beaten = sqlmetrics.sql_double(through_of) ~ ' - ' ~ sqlmetrics.sql_double(tied_of) ~ ' / 2' -%}
        {%- do summed.append('sum(' ~ sqlmetrics.filled(plan, sqlmetrics.row_weighted(plan, beaten)) ~ ') as sm_'
            ~ name ~ 'wins') -%}
    {%- endif -%}
    {%- if precise -%}
        {%- do made.append(all ~ order ~ through ~ ' as ' ~ all_of) -%}
        {%- set precision = sqlmetrics.ratio(through_of, all_of) -%}
        {%- do summed.append('sum(' ~ sqlmetrics.filled(plan, sqlmetrics.row_weighted(plan, precision)) ~ ') as sm_'
            ~ precisions) -%}
    {%- endif -%}
{%- endfor -%}
-- pairs of examples of two classes that a score orders rightly
sm_opponents as (
    select
        {{- sqlmetrics.lines(keys + [
            'sm_item',
            'sm_true',
            'sum(' ~ weight ~ ') as sm_of_class',
        ] + summed, 8) }}
    from (
        select
            {{- sqlmetrics.lines(joined + ['sm_class_scores.sm_item', 'sm_true'] + (['sm_weight'] if weighted else [])
                + made, 12) }}
        from sm_class_scores
        {%- if not plan['facts']['class_scores'] %}
        {%- set same_slice = sqlmetrics.same_slice(plan, 'sm_class_scores', 'sm_examples') %}
        inner join sm_examples on sm_class_scores.sm_group = sm_examples.sm_group and {{ same_slice }}
        {%- endif %}
    ) as sm_opposed
    group by {{ (keys + ['sm_item', 'sm_true']) | join(', ') }}
)
{%- endmacro %}

{# True if a metric reads pairs of examples, and not precisions alone. #}
{% macro reads_wins(plan) -%}
    {%- for column in ('wins', 'pair_areas', 'pairs', 'weighted_pair_areas', 'pair_weights')
        if sqlmetrics.reads(plan, 'class_areas', column) -%}
        {%- do return(true) -%}
    {%- endfor -%}
    {%- do return(false) -%}
{%- endmacro %}

{# sm_areas: the pairs of each class. #}
{% macro stage_areas(plan) -%}
{%- set keys = plan['facts']['keys'] -%}
{%- set in_class = 'partition by ' ~ (keys + ['sm_item']) | join(', ') -%}
{%- set pair_weight = 'sm_opposing.sm_positives + sm_of_class' -%}
{%- set area = sqlmetrics.ratio(
    'sm_opposing.sm_wins', sqlmetrics.sql_double('sm_opposing.sm_positives') ~ ' * sm_of_class'
) -%}
{%- set columns, opposed = [], [] -%}
{%- for column, same, read in (
    ('of_class', false, sqlmetrics.reads_wins(plan) or sqlmetrics.reads(plan, 'class_areas', 'negatives')),
    ('wins', false, sqlmetrics.reads_wins(plan)),
    ('precisions', true, sqlmetrics.reads(plan, 'class_areas', 'precisions')),
    ('micro_wins', false, sqlmetrics.reads(plan, 'class_areas', 'micro_wins')),
    ('micro_precisions', true, sqlmetrics.reads(plan, 'class_areas', 'micro_precisions')),
) if read -%}
    {%- do opposed.append('case when sm_true ' ~ ('=' if same else '<>') ~ ' sm_item then sm_opponents.sm_' ~ column
        ~ ' end as sm_' ~ column) -%}
{%- endfor -%}
{%- for column, sum in {
    'item': 'sm_item',
    'precisions': 'max(sm_opposing.sm_precisions)',
    'positives': 'max(sm_opposing.sm_positives)',
    'negatives': 'sum(sm_of_class)',
    'wins': 'sum(sm_opposing.sm_wins)',
    'micro_wins': 'sum(sm_opposing.sm_micro_wins)',
    'micro_precisions': 'max(sm_opposing.sm_micro_precisions)',
    'pair_areas': 'sum(' ~ area ~ ')',
    'pairs': 'count(' ~ area ~ ')',
    'weighted_pair_areas': 'sum((' ~ pair_weight ~ ') * ' ~ area ~ ')',
    'pair_weights': 'sum(case when sm_opposing.sm_positives > 0 and sm_of_class > 0 then ' ~ pair_weight ~ ' end)',
}.items() if sqlmetrics.reads(plan, 'class_areas', column) -%}
    {%- do columns.append(sum if sum == 'sm_' ~ column else sum ~ ' as sm_' ~ column) -%}
{%- endfor -%}
-- those pairs for each class: against the rest and against each other class
sm_areas as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(keys + columns, 8) }}
    from (
        select
            {{- sqlmetrics.lines(keys + [
                'sm_item',
                'max(case when sm_true = sm_item then sm_opponents.sm_of_class end) over (' ~ in_class
                    ~ ') as sm_positives',
            ] + opposed, 12) }}
        from sm_opponents
    ) as sm_opposing
    group by {{ (keys + ['sm_item']) | join(', ') }}
)
{%- endmacro %}

{# sm_scored_classes: the number of classes, to which that of each example is compared. #}
{% macro stage_count_of_classes(plan) -%}
{%- set keys = plan['facts']['keys'] -%}
-- how many classes have scores
sm_scored_classes as (
    select
        {{- sqlmetrics.lines(keys + ['count(*) as sm_n_classes'], 8) }}
    from sm_areas
    {{- sqlmetrics.grouped_by(keys) }}
)
{%- endmacro %}

{# sm_area_sums. #}
{% macro stage_area_sums(plan) -%}
{%- set keys = plan['facts']['keys'] -%}
-- what is summed over classes, a row for each slice
sm_area_sums as (
    select
        {{- sqlmetrics.lines(keys + sqlmetrics.aggregates(plan, 'class_areas'), 8) }}
    from sm_areas
    {{- sqlmetrics.grouped_by(keys) }}
)
{%- endmacro %}

{# Examples and the areas of their classes, where they are needed. #}
{% macro stages_of_class_areas(plan) -%}
    {%- set areas, examples = plan['needs']['class_areas'], plan['needs']['examples'] -%}
    {%- set stages = [] -%}
    {%- if areas or examples or sqlmetrics.bins_read_classes(plan) -%}
        {%- do stages.append(sqlmetrics.stage_scored_classes(plan)) -%}
    {%- endif -%}
    {%- if examples -%}{%- do stages.append(sqlmetrics.stage_examples(plan)) -%}{%- endif -%}
    {%- if areas -%}
        {%- do stages.extend([sqlmetrics.stage_opponents(plan), sqlmetrics.stage_areas(plan)]) -%}
        {%- if examples -%}{%- do stages.append(sqlmetrics.stage_count_of_classes(plan)) -%}{%- endif -%}
    {%- endif -%}
    {%- if examples -%}{%- do stages.append(sqlmetrics.stage_example_sums(plan)) -%}{%- endif -%}
    {%- if areas -%}{%- do stages.append(sqlmetrics.stage_area_sums(plan)) -%}{%- endif -%}
    {%- do return(stages) -%}
{%- endmacro %}

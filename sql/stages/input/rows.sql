{#
  The rows as the metrics see them, unusable ones marked.

  sm_problem: 0 for a usable row, otherwise the reason: 1 label, 2 score, 3 weight, 4 group, 5 item (each
    NULL, NaN or infinite; a score of minus infinity is usable where only the order is read), 6 a group without truth,
    7 an unjudged item, 8 prediction, 9 subtopic, 10 period, 11 a column that a metric names, 12 a unit that some
    model lacks.
    The numbers of an unusable row are NULL, so that no sum counts them.
#}

{#
  sm_rows: the rows of sm_given with sm_problem, and with NULL numbers if they are unusable; or the usable rows as a
    bootstrap draws them, from sm_marked.
#}
{% macro stage_rows(plan) -%}
{%- set kept = sqlmetrics.kept_columns(plan) -%}
{%- if plan['question']['draws'] is not none -%}
{%- set given = kept['facts'] | reject('in', ['sm_replicate', 'sm_unit']) | list + kept['numbers'] -%}
-- the rows; {{ sqlmetrics.named_problems(plan) }}
sm_marked as{{ sqlmetrics.sql_cte_inline() }} (
    {{ sqlmetrics.marked_rows(plan, given + [sqlmetrics.unit_of_row(plan, given) ~ ' as sm_unit'], 8) }}
),

{{ sqlmetrics.stages_of_replicates(plan, kept) }}
{%- else -%}
-- the rows, an unusable one without its numbers; {{ sqlmetrics.named_problems(plan) }}
{%- set many = sqlmetrics.has_many_classes(plan) %}
sm_rows as{{ sqlmetrics.sql_cte_materialized() if many else sqlmetrics.sql_cte_inline() }} (
    select
        {{- sqlmetrics.lines(kept['facts'] + sqlmetrics.usable_numbers(kept) + ['sm_problem'], 8) }}
    from (
        {{ sqlmetrics.marked_in_common(plan, kept) if plan['question']['common_units']
            else sqlmetrics.marked_rows(plan, ['sm_given.*'], 12) }}
    ) as sm_marked
    {{- sqlmetrics.sql_once('sm_rows') if not plan['facts']['by'] }}
)
{%- endif -%}
{%- endmacro %}

{#
  The rows of sm_given with sm_problem, which is 12 in a usable row of a unit that some model lacks: a select.
  sm_copy is 1 in one row of each unit and model, a usable one if there is any; sm_holders is the number of models with
  such a row.
#}
{% macro marked_in_common(plan, kept) -%}
select
            {{- sqlmetrics.lines(kept['facts'] + kept['numbers'] + [
                'case when sm_problem = 0 and sm_holders < ' ~ plan['facts']['models'] | length
                    ~ ' then 12 else sm_problem end as sm_problem',
            ], 12) }}
        from (
            select
                {{- sqlmetrics.lines([
                    'sm_copies_of_units.*',
                    'sum(case when sm_copy = 1 and sm_problem = 0 then 1 else 0 end) over (partition by sm_group)'
                        ~ ' as sm_holders',
                ], 16) }}
            from (
                select
                    {{- sqlmetrics.lines([
                        'sm_looked_at.*',
                        'row_number() over (partition by sm_group, sm_model order by sm_problem asc) as sm_copy',
                    ], 20) }}
                from (
                    {{ sqlmetrics.marked_rows(plan, ['sm_given.*'], 24) }}
                ) as sm_looked_at
            ) as sm_copies_of_units
        ) as sm_units_of_models
{%- endmacro %}

{# The rows of sm_given with sm_problem: a select. #}
{% macro marked_rows(plan, columns, indent) -%}
{%- set margin = '\n' ~ ' ' * (indent - 4) -%}
select
        {{- sqlmetrics.lines(columns + [sqlmetrics.problem(plan) ~ ' as sm_problem'], indent) ~ margin }}from sm_given
    {{- sqlmetrics.sql_fence('checks').replace('\n    ', margin) }}
{%- endmacro %}

{#
  The columns that are carried with a row: facts (keys of slices, lists and items, their weights) and the
  numbers of metrics.
#}
{% macro kept_columns(plan) -%}
    {%- set facts = sqlmetrics.model_keys(plan) + (['sm_unit'] if plan['question']['draws'] is not none else [])
        + (['sm_run'] if plan['facts']['runs'] else []) + (['sm_outcome'] if plan['facts']['soft'] else []) -%}
    {%- for column in plan['facts']['by'] if column not in plan['facts']['runs'] -%}
        {%- do facts.append(column['column']) -%}
    {%- endfor -%}
    {%- set numbers = [] -%}
    {%- if plan['question']['carries'] -%}
        {%- do facts.extend(plan['question']['carries'] | map(attribute='value') | list) -%}
        {%- do numbers.extend(sqlmetrics.scores_of_unit(plan, plan['facts']['models'][0]) | list) -%}
    {%- endif -%}
    {%- for role in ('group', 'item') if plan['facts'][role] is not none -%}
        {%- do facts.append('sm_' ~ role) -%}
    {%- endfor -%}
    {%- for subset in plan['subsets'].values() if subset['sql'] is not none -%}
        {%- do facts.append(subset['column']) -%}
    {%- endfor -%}
    {%- if sqlmetrics.has_numeric_label(plan) -%}{%- do numbers.append('sm_label') -%}{%- endif -%}
    {%- if sqlmetrics.rows_read(plan, 'label_text') -%}{%- do numbers.append('sm_label_text') -%}{%- endif -%}
    {%- for role in ('score', 'weight') if plan['facts'][role] is not none -%}
        {%- do numbers.append('sm_' ~ role) -%}
    {%- endfor -%}
    {%- if plan['facts']['prediction'] is not none -%}
        {%- do facts.extend(['sm_predicted'] + (['sm_class'] if plan['facts']['label'] is not none else [])) -%}
        {%- if sqlmetrics.rows_read(plan, 'decision') -%}{%- do numbers.append('sm_decision') -%}{%- endif -%}
    {%- endif -%}
    {%- do numbers.extend(sqlmetrics.names_of_row_columns(plan)) -%}
    {%- do numbers.extend(sqlmetrics.class_score_columns(plan) | list) -%}
    {%- set of_truth = (['sm_copies', 'sm_listed', 'sm_no_truth', 'sm_split'] if plan['facts']['truth'] is not none
        else [])
        + (['sm_bad_subtopic'] if plan['facts']['subtopic'] is not none else [])
        + (['sm_unjudged'] if sqlmetrics.marks_unjudged(plan) else []) -%}
    {%- do return({
        'facts': facts + of_truth + sqlmetrics.prefixed(plan['list_weights'].values(), 'sm_')
            + sqlmetrics.item_weight_columns(plan) + sqlmetrics.list_subset_columns(plan),
        'numbers': numbers,
    }) -%}
{%- endmacro %}

{# The numbers, NULL in an unusable row. #}
{% macro usable_numbers(kept) -%}
    {%- set columns = [] -%}
    {%- for column in kept['numbers'] -%}
        {%- do columns.append('case when sm_problem = 0 then ' ~ column ~ ' end as ' ~ column) -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{# What sm_problem says, for a comment: its numbers by the counts of the result. #}
{% macro named_problems(plan) -%}
    {%- set named = [] -%}
    {%- for name, number in sqlmetrics.problems(plan).items() -%}
        {%- do named.append(number ~ ' ' ~ name) -%}
    {%- endfor -%}
    sm_problem is 0, or why a row is unusable: {{ named | join(', ') or 'none' }}
{%- endmacro %}

{# The reason why a row is unusable, or 0. An item of the truth that was not listed has no score. #}
{% macro problem(plan) -%}
    {%- set two = plan['facts']['truth'] is not none -%}
    {%- set drop = plan['facts']['unjudged'] == 'drop' -%}
    {%- set cases = [] -%}
    {%- if plan['facts']['period'] is not none -%}{%- do cases.append('sm_period is null then 10') -%}{%- endif -%}
    {%- if plan['facts']['group'] is not none -%}{%- do cases.append('sm_group is null then 4') -%}{%- endif -%}
    {%- if plan['facts']['item'] is not none -%}{%- do cases.append('sm_item is null then 5') -%}{%- endif -%}
    {%- if two -%}{%- do cases.append('sm_no_truth = 1 then 6') -%}{%- endif -%}
    {%- if plan['facts']['subtopic'] is not none -%}{%- do cases.append('sm_bad_subtopic = 1 then 9') -%}{%- endif -%}
    {%- if sqlmetrics.has_numeric_label(plan) -%}
        {%- do cases.append(
            ('sm_label is not null and ' if drop and not two else '') ~ 'not ' ~ sqlmetrics.sql_finite('sm_label')
            ~ ' then 1'
        ) -%}
    {%- endif -%}
    {%- if plan['facts']['prediction'] is not none -%}
        {%- if plan['facts']['label'] is not none -%}
            {%- do cases.append(sqlmetrics.sql_no_value('sm_class') ~ ' then 1') -%}
        {%- endif -%}
        {%- do cases.append(sqlmetrics.sql_no_value('sm_predicted') ~ ' then 8') -%}
    {%- endif -%}
    {%- for column in sqlmetrics.class_score_columns(plan) if column != 'sm_true_score' -%}
        {%- do cases.append(
            'sm_class_number is null then 1' if column == 'sm_class_number'
                else 'not ' ~ sqlmetrics.sql_finite(column) ~ ' then 2'
        ) -%}
    {%- endfor -%}
    {%- if plan['facts']['score'] is not none -%}
        {%- do cases.append(
            ('sm_listed = 1 and ' if two else '') ~ 'not ' ~ sqlmetrics.usable_score(plan, 'sm_score') ~ ' then 2'
        ) -%}
        {%- if plan['question']['needs_all_scores']
            and sqlmetrics.scores_of_unit(plan, plan['facts']['models'][0]) -%}
            {%- do cases.append('not ' ~ sqlmetrics.usable_score(plan, 'sm_score_2') ~ ' then 2') -%}
        {%- endif -%}
    {%- endif -%}
    {%- if plan['facts']['weight'] not in (none, 'sm_whole') and not two -%}
        {%- do cases.append('not ' ~ sqlmetrics.sql_finite('sm_weight') ~ ' or sm_weight < 0 then 3') -%}
    {%- endif -%}
    {%- for column in sqlmetrics.names_of_row_columns(plan) -%}
        {%- do cases.append('not ' ~ sqlmetrics.sql_finite(column) ~ ' then 11') -%}
    {%- endfor -%}
    {%- if drop -%}
        {%- do cases.append(
            ('sm_unjudged = 1 or (sm_listed = 0 and sm_label < 0)' if two else 'sm_label is null') ~ ' then 7'
        ) -%}
    {%- endif -%}
    {{- 'case when ' ~ cases | join(' when ') ~ ' else 0 end' if cases else '0' -}}
{%- endmacro %}

{#
  The condition under which a score can be used. Minus infinity, with which recommenders mask items, ranks last; it has
  no value that a metric, a search over rows or a state of scores could read.
#}
{% macro usable_score(plan, score) -%}
    {%- set in_state = plan['question']['adds_up'] and sqlmetrics.grains_of_state(plan) -%}
    {{- sqlmetrics.sql_finite(score) if plan['reads_scores'] is not none or in_state or plan['question']['carries']
        else sqlmetrics.sql_ordered(score) -}}
{%- endmacro %}

{# The names of the problems in the result, by number. #}
{% macro problems(plan) -%}
    {%- set named = {} -%}
    {%- for role in ('label', 'score', 'weight', 'group', 'item', 'period')
        if (plan['facts'][role] not in (none, 'sm_whole') or (role == 'score' and plan['facts']['class_scores']))
            and not (role == 'group' and sqlmetrics.numbers_rows(plan)) -%}
        {%- do named.update({
            'rows_bad_' ~ role: {'label': 1, 'score': 2, 'weight': 3, 'group': 4, 'item': 5, 'period': 10}[role],
        }) -%}
    {%- endfor -%}
    {%- if plan['facts']['truth'] is not none -%}{%- do named.update({'rows_without_truth': 6}) -%}{%- endif -%}
    {%- if plan['facts']['unjudged'] == 'drop' -%}{%- do named.update({'rows_unjudged': 7}) -%}{%- endif -%}
    {%- if plan['facts']['prediction'] is not none -%}{%- do named.update({'rows_bad_prediction': 8}) -%}{%- endif -%}
    {%- if plan['facts']['subtopic'] is not none -%}{%- do named.update({'rows_bad_subtopic': 9}) -%}{%- endif -%}
    {%- if plan['row_columns'] -%}{%- do named.update({'rows_bad_column': 11}) -%}{%- endif -%}
    {%- if plan['question']['common_units'] -%}{%- do named.update({'rows_unpaired': 12}) -%}{%- endif -%}
    {%- do return(named) -%}
{%- endmacro %}

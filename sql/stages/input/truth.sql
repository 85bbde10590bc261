{#
  The two-table form: relevant items are in one table (sm_truth), recommended items in another (sm_predicted).

  Every list of the truth is expected once for each model and run. A run is a value of the by columns that
  only the predictions have; run 0 is all values together. Items of the truth that were not
  listed are kept as rows without a rank (sm_listed 0).
#}

{#
  sm_given for the two-table form. sm_split: 1 if the truth puts a list in several slices. sm_unjudged: 1 for
  a listed item that the truth lacks or gives a label below 0, which is how TREC marks items that were pooled
  and not judged. sm_copies: the number of times the truth has an item, or, with subtopics, 1 plus the rows
  that repeat one of them; the label is the greatest.
#}
{% macro stage_given_with_truth(plan) -%}
{%- set models = sqlmetrics.model_keys(plan) | reject('equalto', 'sm_replicate') | list -%}
{%- set runs = ['sm_run'] if plan['facts']['runs'] else [] -%}
{%- set slices = plan['facts']['by'] | selectattr('in_truth') | map(attribute='column') | list -%}
{%- set weights = sqlmetrics.list_weight_columns(plan) -%}
{%- set of_list = sqlmetrics.prefixed(slices + weights + ['sm_split'], 'sm_truth_lists.') -%}
{%- set listed_more, unlisted_more = [], [] -%}
{%- for column in sqlmetrics.item_weight_columns(plan) -%}
    {%- do listed_more.append(
        'case when sm_truth_items.sm_copies is null then 0 else sm_truth_items.' ~ column ~ ' end as ' ~ column
    ) -%}
    {%- do unlisted_more.append('sm_truth_items.' ~ column) -%}
{%- endfor -%}
{%- if sqlmetrics.marks_unjudged(plan) -%}
    {%- do listed_more.append(
        'case when sm_truth_items.sm_copies is null or sm_truth_items.sm_label < 0 then 1 else 0 end as sm_unjudged'
    ) -%}
    {%- do unlisted_more.append('0 as sm_unjudged') -%}
{%- endif -%}
{%- set subtopics = plan['facts']['subtopic'] is not none -%}
{%- if subtopics -%}
    {%- do listed_more.append('coalesce(sm_truth_items.sm_bad_subtopic, 0) as sm_bad_subtopic') -%}
    {%- do unlisted_more.append('sm_truth_items.sm_bad_subtopic') -%}
{%- endif -%}
-- the columns of the truth, with their types
sm_truth as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {%- set columns = [
            plan['facts']['group'] ~ ' as sm_group', plan['facts']['item'] ~ ' as sm_item',
            sqlmetrics.typed_label(plan) ~ ' as sm_label',
        ] -%}
        {%- for column in plan['facts']['by'] if column['in_truth'] -%}
            {%- do columns.append(sqlmetrics.sql_nullable(column['sql']) ~ ' as ' ~ column['column']) -%}
        {%- endfor -%}
        {{- sqlmetrics.lines(columns + ([plan['facts']['subtopic'] ~ ' as sm_subtopic'] if subtopics else [])
            + sqlmetrics.weight_columns(plan), 8) }}
    from {{ sqlmetrics.from_item(plan['facts']['truth']) }}
),

-- the items of the truth, each once in its list
sm_truth_items as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {%- set columns = ['sm_group', 'sm_item'] -%}
        {%- if subtopics -%}
            {%- set all_finite = 'min(case when ' ~ sqlmetrics.sql_finite('sm_label') ~ ' then 1 else 0 end) = 1' -%}
            {%- do columns.extend([
                'case when ' ~ all_finite ~ ' then max(sm_label) end as sm_label',
                sqlmetrics.sql_nullable('count(*) - count(distinct sm_subtopic) + 1') ~ ' as sm_copies',
                sqlmetrics.sql_nullable('max(case when sm_subtopic is null then 1 else 0 end)') ~ ' as sm_bad_subtopic',
            ]) -%}
        {%- else -%}
            {%- set copies = sqlmetrics.sql_nullable('count(*)') ~ ' as sm_copies' -%}
            {%- do columns.extend(['max(sm_label) as sm_label', copies]) -%}
        {%- endif -%}
        {%- for column in sqlmetrics.item_weight_columns(plan) -%}
            {%- do columns.append(
                'case when min(' ~ column ~ ') = max(' ~ column ~ ') then max(' ~ column ~ ') else -1 end as ' ~ column
            ) -%}
        {%- endfor -%}
        {{- sqlmetrics.lines(columns, 8) }}
    from sm_truth
    group by sm_group, sm_item
),

-- the lists of the truth
sm_truth_lists as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {%- set columns = ['sm_group'] -%}
        {%- for column in slices -%}{%- do columns.append('min(sm_truth.' ~ column ~ ') as ' ~ column) -%}{%- endfor -%}
        {%- for column in weights -%}
            {%- do columns.append(
                'case when min(' ~ column ~ ') = max(' ~ column ~ ') then max(' ~ column ~ ') end as ' ~ column
            ) -%}
        {%- endfor -%}
        {%- set split = [] -%}
        {%- for column in sqlmetrics.prefixed(slices, 'sm_truth.') -%}
            {%- set several = 'min(' ~ column ~ ') <> max(' ~ column ~ ')' -%}
            {%- do split.append(
                several ~ ' or (min(' ~ column ~ ') is not null and count(' ~ column ~ ') < count(*))'
            ) -%}
        {%- endfor -%}
        {{- sqlmetrics.lines(columns + [
            sqlmetrics.sql_nullable('case when ' ~ split | join(' or ') ~ ' then 1 else 0 end' if split else '0')
            ~ ' as sm_split',
        ], 8) }}
    from sm_truth
    group by sm_group
),

-- the columns of the data, with their types
sm_recommended as{{ sqlmetrics.sql_cte_shared() }} (
    {%- for part in sqlmetrics.parts_of_models(plan) %}
    {{ 'union all\n    ' if not loop.first }}select
        {%- set columns = [part['model'] ~ ' as sm_model'] if models else [] -%}
        {%- for column in plan['facts']['by'] if not column['in_truth'] -%}
            {%- do columns.append(sqlmetrics.sql_nullable(column['sql']) ~ ' as ' ~ column['column']) -%}
        {%- endfor -%}
        {{- sqlmetrics.lines(columns + [
            plan['facts']['group'] ~ ' as sm_group',
            plan['facts']['item'] ~ ' as sm_item',
            sqlmetrics.sql_score(part['of']['score']) ~ ' as sm_score',
        ], 8) }}
    from {{ part['rows'] }}
    {%- endfor %}
),
{% if plan['facts']['runs'] %}
{%- set columns = plan['facts']['runs'] | map(attribute='column') | join(', ') %}
{%- set number = 'row_number() over (order by ' ~ columns | replace(',', ' asc,') ~ ' asc)' %}
-- a number for each run: a model in one value of the by columns that the truth lacks
sm_runs as{{ sqlmetrics.sql_cte_shared() }} (
    select {{ columns }}, {{ sqlmetrics.sql_short_integer(number) }} as sm_run
    from {{ sqlmetrics.sql_distinct(columns, 'sm_recommended') }} as sm_distinct
),
{% endif %}
-- the listed items with their run
sm_predicted as{{ sqlmetrics.sql_cte_shared() }} (
    select {{ (models + runs + ['sm_group', 'sm_item', 'sm_score']) | join(', ') }}
    from sm_recommended
    {%- if plan['facts']['runs'] %}
    {%- set equal = [] -%}
    {%- for column in plan['facts']['runs'] -%}
        {%- do equal.append(sqlmetrics.sql_same(
            'sm_recommended.' ~ column['column'], 'sm_runs.' ~ column['column']
        )) -%}
    {%- endfor %}
    inner join sm_runs on {{ equal | join(' and ') }}
    {%- if plan['facts']['total'] %}
    union all
    select {{ (models + ['0 as sm_run', 'sm_group', 'sm_item', 'sm_score']) | join(', ') }}
    from sm_recommended
    {%- endif %}
    {%- endif %}
),

-- listed items with their labels, and relevant items that were not listed
sm_given as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(sqlmetrics.prefixed(models + runs + ['sm_group', 'sm_item'], 'sm_predicted.') + of_list
            + [
                'case when sm_truth_items.sm_copies is null then 0 else sm_truth_items.sm_label end as sm_label',
                'sm_predicted.sm_score',
                'coalesce(sm_truth_items.sm_copies, 1) as sm_copies',
                '1 as sm_listed',
                'case when sm_truth_lists.sm_split is null then 1 else 0 end as sm_no_truth',
            ] + listed_more, 8) }}
    from sm_predicted
    left join sm_truth_lists on sm_predicted.sm_group = sm_truth_lists.sm_group
    left join sm_truth_items on {{ sqlmetrics.same_keys(['sm_group', 'sm_item'], 'sm_predicted', 'sm_truth_items') }}
    union all
    select
        {{- sqlmetrics.lines(sqlmetrics.prefixed(models + runs, 'sm_due.')
            + ['sm_truth_items.sm_group', 'sm_truth_items.sm_item'] + of_list + [
                'sm_truth_items.sm_label',
                sqlmetrics.sql_double('null') ~ ' as sm_score',
                'sm_truth_items.sm_copies',
                '0 as sm_listed',
                '0 as sm_no_truth',
            ] + unlisted_more, 8) }}
    from sm_truth_items
    inner join sm_truth_lists on {{ sqlmetrics.sql_same('sm_truth_items.sm_group', 'sm_truth_lists.sm_group') }}
    {%- if models or runs %}
    cross join (select distinct {{ (models + runs) | join(', ') }} from sm_predicted) as sm_due
    {%- endif %}
    left join sm_predicted
        on sm_predicted.sm_group = sm_truth_items.sm_group
        and sm_predicted.sm_item = sm_truth_items.sm_item
        and {{ sqlmetrics.usable_score(plan, 'sm_predicted.sm_score') }}
        {%- for column in models + runs %}
        and sm_predicted.{{ column }} = sm_due.{{ column }}
        {%- endfor %}
    where sm_predicted.sm_score is null
)
{%- endmacro %}

{# sm_slices if runs are numbered already: one slice for each run and value of the truth's by columns. #}
{% macro stage_slices_of_runs(plan) -%}
{%- set slices = plan['facts']['by'] | selectattr('in_truth') | map(attribute='column') | list -%}
{%- set order = plan['facts']['by'] | map(attribute='column') | join(' asc, ') ~ ' asc' -%}
-- a number for each slice, with 0 for all slices together
sm_slices as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines(sqlmetrics.prefixed(plan['facts']['runs'] | map(attribute='column'), 'sm_runs.')
            + sqlmetrics.prefixed(['sm_run'] + slices, 'sm_distinct.'), 8) }},
        {{ sqlmetrics.sql_short_integer('row_number() over (order by ' ~ order ~ ')') }} as sm_slice
    from (select distinct {{ (['sm_run'] + slices) | join(', ') }} from sm_given where sm_run > 0) as sm_distinct
    inner join sm_runs on sm_runs.sm_run = sm_distinct.sm_run
)
{%- endmacro %}

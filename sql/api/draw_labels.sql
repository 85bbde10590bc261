{#
  The rows (of a metric of lists: the lists) that people should label next, as `plan_labels` divides them among slices.

  They are drawn by a hash of their place in the order of their keys, which is the same on every engine. The weight is
  of these rows and those of the pilot together, for `evaluate` with gold= and gold_weight=.

  Args:
    relation, metrics: as for `plan_labels`
    key: the column, or list of columns, that identifies a row; with a metric of lists it is group=
    seed: an integer from 0 to 1e6; another one draws others
  Further arguments are those of `plan_labels`
  Returns: a query with one row for each row (or list) to label, and for those of the pilot:
    the key columns, the by columns
    to_label: 1 if people should label it, 0 if they have
    gold_weight: the inverse of the chance of its label: the units of its slice over those that have a label then
    keys_null, keys_repeated: in each row, how many rows have no key, and how many keys name several rows; of lists, how
      many keys are null, and how many lists lie in several slices. Unless both are 0, to_label and gold_weight are null
  A row that the metric cannot use, as one without a score, is neither drawn nor counted in a weight
  Errors: no key; as for `plan_labels`
  Example: {{ sqlmetrics.draw_labels(ref('answers'), 'accuracy', label='judge', gold='human', score='score',
    by='language', budget=500, key='answer_id') }}
#}
{% macro draw_labels(relation, metrics, score=none) -%}
    {%- set given = sqlmetrics.options_taken('draw_labels', kwargs) -%}
    {{- sqlmetrics.statement_of(sqlmetrics.plan_of_draw(metrics, score=score, relation=relation, **given)) -}}
{%- endmacro %}

{# The plan of `draw_labels`: that of `plan_labels`, whose statement stands in another one. #}
{% macro plan_of_draw(
    metrics, relation=none, label=none, gold=none, group=none, key=none, seed=0, columns=none
) -%}
    {%- if seed is not integer or seed is boolean or not 0 <= seed <= 1000000 -%}
        {{- sqlmetrics.refuse("seed= takes an integer from 0 to 1e6, got " ~ sqlmetrics.shown(seed)) -}}
    {%- elif not key and group is none -%}
        {{- sqlmetrics.refuse("draw_labels names rows; pass the column that identifies a row as key=") -}}
    {%- elif key is not none and group is not none -%}
        {{- sqlmetrics.refuse("draw_labels draws whole lists by group=; leave key= out") -}}
    {%- endif -%}
    {%- set names, keys = ([key] if key is string else key) if group is none
        else ([group] if group is string else group), [] -%}
    {%- for name in names -%}
        {%- set sql = name if columns is not none else sqlmetrics.expression('key', name) -%}
        {%- do keys.append({'sql': sql, 'alias': sqlmetrics.alias_of(name), 'column': 'sm_key_' ~ loop.index}) -%}
    {%- endfor -%}
    {%- set plan = sqlmetrics.plan_of_labels(
        metrics, relation=relation, label=label, gold=gold, group=group, columns=columns, draws=true,
        number_by=keys | map(attribute='sql') | list, **kwargs
    ) -%}
    {%- for column in plan['facts']['by'] if column['name'] | lower in ('keys_null', 'keys_repeated') -%}
        {{- sqlmetrics.refuse(
            "Two result columns would be named '" ~ column['name'] | lower ~ "'; rename the column of by="
        ) -}}
    {%- endfor -%}
    {%- do plan['question'].update({
        'select': sqlmetrics.result_of_units_to_draw, 'query': sqlmetrics.query_of_draw, 'call': 'draw_labels',
    }) -%}
    {%- do plan['question']['own'].update({'keys': keys, 'seed': seed, 'relation': relation}) -%}
    {%- do return(plan) -%}
{%- endmacro %}

{# The last select of the plan within a draw: its units, each with the new labels of its slice. #}
{% macro result_of_units_to_draw(plan) -%}
{%- set columns = [] -%}
{%- for column in plan['facts']['by'] -%}
    {%- do columns.append('sm_slices.' ~ column['column'] ~ ' as ' ~ column['column']) -%}
{%- endfor -%}
select
    {{- sqlmetrics.lines([
        'sm_pulls.sm_unit as sm_unit', 'sm_pulls.sm_slice as sm_slice',
        'sm_pulls.sm_is_labelled as sm_is_labelled', 'sm_labels.sm_new as sm_new',
    ] + columns, 4) }}
from sm_pulls
inner join sm_labels on sm_pulls.sm_slice = sm_labels.sm_slice
inner join sm_slices on sm_pulls.sm_slice = sm_slices.sm_slice
where sm_pulls.sm_is_unit = 1
{%- endmacro %}

{#
  The query of a draw. sm_planned: the units that the plan counts; sm_keyed: the keys of all rows, those of a list
  once; sm_keys: how many keys are null, and how many name several rows; sm_hashed: the units with their keys, each
  with a hash of its number; sm_drawn: with its place among those of its slice that have no label, and how many lists
  lie in several slices.
#}
{% macro query_of_draw(plan) -%}
{%- set own, prime = plan['question']['own'], 2147483647 -%}
{%- set keys, by, selected = own['keys'] | map(attribute='column') | list, [], [] -%}
{%- set given, nulls, slices = [], [], plan['facts']['by'] | map(attribute='alias') | list -%}
{%- for key in own['keys'] -%}
    {%- do given.append(key['sql'] ~ ' as ' ~ key['column']) -%}
    {%- do nulls.append(key['column'] ~ ' is null') -%}
    {%- if key['alias'] not in slices -%}
        {%- do selected.append('sm_drawn.' ~ key['column'] ~ ' as ' ~ key['alias']) -%}
    {%- endif -%}
{%- endfor -%}
{%- for column in plan['facts']['by'] -%}
    {%- do by.append(column['column']) -%}
    {%- do selected.append('sm_drawn.' ~ column['column'] ~ ' as ' ~ column['alias']) -%}
{%- endfor -%}
{%- set of_rows = sqlmetrics.numbers_rows(plan) -%}
{%- set unit = sqlmetrics.sql_integer(
    'row_number() over (order by ' ~ own['keys'] | map(attribute='sql') | join(', ') ~ ')'
) if of_rows else plan['facts']['group'] -%}
{%- set factor, offset = (own['seed'] + 271828182) ** 5 % prime, (own['seed'] + 314159265) ** 5 % prime -%}
{%- set new = sqlmetrics.fewer_of('sm_new', 'sm_units - sm_labelled') -%}
{%- set repeated = 'sm_keys_repeated' if of_rows else sqlmetrics.sql_integer('sm_split') -%}
{%- set sound = 'sm_keys_null + ' ~ repeated ~ ' = 0' -%}
-- the units that can be labelled, and how many labels their slices should get
sm_planned as{{ sqlmetrics.sql_cte_materialized() }} (
    select sm_result.*
    from (
{{ sqlmetrics.sql_with() }}

{{ sqlmetrics.query(plan) }}
    ) as sm_result
),

-- the keys of the units
sm_keyed as{{ sqlmetrics.sql_cte_materialized() }} (
    select{{ '' if of_rows else ' distinct' }}
        {{- sqlmetrics.lines(given + [unit ~ ' as sm_unit'], 8) }}
    from {{ sqlmetrics.from_item(own['relation']) }}
    {{- sqlmetrics.condition(plan) }}
),

-- how many keys are null, and how many name several rows
sm_keys as{{ sqlmetrics.sql_cte_materialized() }} (
    select
        {%- set null = 'case when ' ~ nulls | join(' or ') ~ ' then sm_copies else 0 end' -%}
        {%- set several = 'case when sm_copies = 1 or ' ~ nulls | join(' or ') ~ ' then 0 else 1 end' -%}
        {%- set counts = [] -%}
        {%- for name, count in ([('sm_keys_null', null)] + ([('sm_keys_repeated', several)] if of_rows else [])) -%}
            {%- do counts.append(sqlmetrics.sql_integer('coalesce(sum(' ~ count ~ '), 0)') ~ ' as ' ~ name) -%}
        {%- endfor -%}
        {{- sqlmetrics.lines(counts, 8) }}
    from (
        select {{ keys | join(', ') }}, count(*) as sm_copies
        from sm_keyed
        group by {{ keys | join(', ') }}
    ) as sm_counted
),

-- their places by a hash among those of the slice without a label
sm_drawn as{{ sqlmetrics.sql_cte_materialized() }} (
    select
        {{- sqlmetrics.lines([
            'sm_hashed.*', 'count(*) over (partition by sm_slice) as sm_units',
            'sum(sm_is_labelled) over (partition by sm_slice) as sm_labelled',
            'row_number() over (partition by sm_slice, sm_is_labelled order by sm_hash asc, sm_number asc) as sm_place',
        ] + ([] if of_rows else ['sum(case when sm_part = 2 then 1 else 0 end) over () as sm_split']), 8) }}
    from (
        select sm_mixed.*, {{ sqlmetrics.fifth_power('sm_start') }} as sm_hash
        from (
            select
                {{- sqlmetrics.lines([
                    'sm_numbered.*',
                    sqlmetrics.sql_remainder('sm_number * ' ~ factor ~ ' + ' ~ offset, prime) ~ ' as sm_start',
                ], 16) }}
            from (
                select
                    {{- sqlmetrics.lines(sqlmetrics.prefixed(keys, 'sm_keyed.') + [
                        'sm_planned.*', sqlmetrics.sql_integer(
                            'row_number() over (order by '
                                ~ (keys + by) | join(' asc, ') ~ ' asc)'
                        ) ~ ' as sm_number',
                    ] + ([] if of_rows else [
                        'row_number() over (partition by sm_planned.sm_unit order by sm_slice asc) as sm_part',
                    ]), 20) }}
                from sm_planned
                inner join sm_keyed on sm_planned.sm_unit = sm_keyed.sm_unit
            ) as sm_numbered
        ) as sm_mixed
    ) as sm_hashed
)

select
    {{- sqlmetrics.lines(selected + [
        'case when ' ~ sound ~ ' then ' ~ sqlmetrics.sql_integer('1 - sm_is_labelled') ~ ' end as to_label',
        'case when ' ~ sound ~ ' then ' ~ sqlmetrics.ratio('sm_units', 'sm_labelled + ' ~ new) ~ ' end as gold_weight',
        'sm_keys_null as keys_null', repeated ~ ' as keys_repeated',
    ], 4) }}
from sm_drawn
cross join sm_keys
where sm_is_labelled = 1 or sm_place <= {{ new }}
order by sm_number asc
{%- endmacro %}

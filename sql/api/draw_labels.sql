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
    {%- set plan = sqlmetrics.plan_of_labels(
        metrics, relation=relation, label=label, gold=gold, group=group, columns=columns, draws=true, **kwargs
    ) -%}
    {%- set names, keys = ([key] if key is string else key) if group is none
        else ([group] if group is string else group), [] -%}
    {%- for name in names -%}
        {%- set sql = name if columns is not none else sqlmetrics.expression('key', name) -%}
        {%- do keys.append({'sql': sql, 'alias': sqlmetrics.alias_of(name), 'column': 'sm_key_' ~ loop.index}) -%}
    {%- endfor -%}
    {%- set roles = {'label': label, 'gold': gold} -%}
    {%- do plan['question'].update({
        'select': sqlmetrics.result_of_labels_by_slice, 'query': sqlmetrics.query_of_draw, 'call': 'draw_labels',
    }) -%}
    {%- do plan['question']['own'].update({
        'keys': keys, 'seed': seed, 'relation': relation,
        'roles': roles if columns is not none else sqlmetrics.expressions(roles),
    }) -%}
    {%- do return(plan) -%}
{%- endmacro %}

{# The last select of the plan within a draw: new labels of each slice. #}
{% macro result_of_labels_by_slice(plan) -%}
{%- set columns = [] -%}
{%- for column in plan['facts']['by'] -%}
    {%- do columns.append('sm_slices.' ~ column['column'] ~ ' as ' ~ column['column']) -%}
{%- endfor -%}
select
    {{- sqlmetrics.lines(columns + ['sm_labels.sm_new as sm_new'], 4) }}
from sm_labels
inner join sm_slices on sm_labels.sm_slice = sm_slices.sm_slice
{%- endmacro %}

{#
  The query of a draw. sm_planned: the plan; sm_hashed: the units, each with a hash of its number; sm_drawn: with its
  place among those of its slice that have no label.
#}
{% macro query_of_draw(plan) -%}
{%- set own, prime = plan['question']['own'], 2147483647 -%}
{%- set keys, by, selected = own['keys'] | map(attribute='column') | list, [], [] -%}
{%- set given, same = [], [] -%}
{%- for key in own['keys'] -%}
    {%- do given.append(key['sql'] ~ ' as ' ~ key['column']) -%}
    {%- do selected.append('sm_drawn.' ~ key['column'] ~ ' as ' ~ key['alias']) -%}
{%- endfor -%}
{%- for column in plan['facts']['by'] -%}
    {%- do by.append(column['column']) -%}
    {%- do given.append(column['sql'] ~ ' as ' ~ column['column']) -%}
    {%- do selected.append('sm_drawn.' ~ column['column'] ~ ' as ' ~ column['alias']) -%}
    {%- do same.append(sqlmetrics.sql_same('sm_drawn.' ~ column['column'], 'sm_planned.' ~ column['column'])) -%}
{%- endfor -%}
{%- set label, gold = own['roles']['label'], own['roles']['gold'] -%}
{%- do given.append(
    'case when ' ~ label ~ ' is not null then case when ' ~ gold ~ ' is null then 0 else 1 end end as sm_seen'
) -%}
{%- set factor, offset = (own['seed'] + 271828182) ** 5 % prime, (own['seed'] + 314159265) ** 5 % prime -%}
{%- set new = sqlmetrics.fewer_of('sm_new', 'sm_units - sm_labelled') -%}
-- how many labels each slice should get
sm_planned as{{ sqlmetrics.sql_cte_materialized() }} (
    select sm_result.*
    from (
with

{{ sqlmetrics.query(plan) }}
    ) as sm_result
),

-- what people may label, and whether they did
sm_units_to_draw as{{ sqlmetrics.sql_cte_materialized() }} (
    select
        {{- sqlmetrics.lines(keys + by + [
            'min(sm_seen) as sm_is_labelled', sqlmetrics.sql_integer(
                'row_number() over (order by ' ~ (keys + by) | join(' asc, ') ~ ' asc)'
            ) ~ ' as sm_number',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines(given, 12) }}
        from {{ sqlmetrics.from_item(own['relation']) }}
        {{- sqlmetrics.condition(plan) }}
    ) as sm_keyed
    where sm_seen is not null
    group by {{ (keys + by) | join(', ') }}
),

-- their places by a hash among those of the slice without a label
sm_drawn as{{ sqlmetrics.sql_cte_materialized() }} (
    select
        {{- sqlmetrics.lines([
            'sm_hashed.*', 'count(*) over (partition by ' ~ by | join(', ') ~ ') as sm_units',
            'sum(sm_is_labelled) over (partition by ' ~ by | join(', ') ~ ') as sm_labelled',
            'row_number() over (partition by ' ~ (by + ['sm_is_labelled']) | join(', ')
                ~ ' order by sm_hash asc, sm_number asc) as sm_place',
        ], 8) }}
    from (
        select sm_mixed.*, {{ sqlmetrics.fifth_power('sm_start') }} as sm_hash
        from (
            select
                {{- sqlmetrics.lines([
                    'sm_units_to_draw.*',
                    sqlmetrics.sql_remainder('sm_number * ' ~ factor ~ ' + ' ~ offset, prime) ~ ' as sm_start',
                ], 16) }}
            from sm_units_to_draw
        ) as sm_mixed
    ) as sm_hashed
)

select
    {{- sqlmetrics.lines(selected + [
        sqlmetrics.sql_integer('1 - sm_is_labelled') ~ ' as to_label',
        sqlmetrics.ratio('sm_units', 'sm_labelled + ' ~ new) ~ ' as gold_weight',
    ], 4) }}
from sm_drawn
inner join sm_planned on {{ same | join(' and ') }}
where sm_is_labelled = 1 or sm_place <= {{ new }}
order by sm_number asc
{%- endmacro %}

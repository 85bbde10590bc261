{#
  Comparison of two proportions: the share of positive rows among those of one category and of another.

  Args:
    relation: a table or CTE name, a dbt relation, or a query; raw rows, or counted rows with `weight`
    label: a column or expression that says if a row is positive (see `positive`)
    category: a column or expression with two values; the lesser in their order comes first
    interval: the confidence level of the interval of the difference
    weight: the column of counts, if a row stands for several
    positive, by, total, total_name, read_once, where: as for `evaluate`
  Returns: a query. For each slice it has the by columns, is_total, the audit counts and one row:
    n_categories, the number that occur; first and second, the categories; n_first, n_second, their rows;
    rate_first, rate_second, the shares of positive rows; difference, the second less the first; low and high,
    its interval; z, the difference in standard errors under equal shares; p_value, the probability of a z at
    least as far from 0 in either direction if the shares are equal
  Undefined: all null unless exactly two categories occur; z and p_value if no row or every row is positive
  Errors: a label other than 0 and 1, unless positive= is given; an interval outside (0, 1)
  Source: z: Fleiss, Levin and Paik (2003), 3.1, without continuity correction; interval: Newcombe (1998),
    method 10, doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I
  Example: {{ sqlmetrics.two_proportions(ref('visits'), 'converted', 'variant') }}
#}
{% macro two_proportions(relation, label, category, interval=0.95) -%}
    {%- set given = sqlmetrics.options_taken('two_proportions', kwargs) -%}
    {%- for role, text in {'label': label, 'category': category}.items() if text is not string -%}
        {{- sqlmetrics.refuse(
            "sqlmetrics.two_proportions: " ~ role ~ "= takes a column or an SQL expression, got " ~ text
        ) -}}
    {%- endfor -%}
    {{- sqlmetrics.statement_of(sqlmetrics.two_proportions_plan(
        relation=relation, label=label, prediction=category, interval=interval, **given
    )) -}}
{%- endmacro %}

{# The plan of `two_proportions`: the prediction is the category. #}
{% macro two_proportions_plan(interval=0.95) -%}
    {%- set plan = sqlmetrics.empty_plan(sqlmetrics.question_of_points('two_proportions'), **kwargs) -%}
    {%- do sqlmetrics.ask(plan, 'two_proportions') -%}
    {%- do sqlmetrics.with_facts(plan, unlike_classes=true) -%}
    {{- sqlmetrics.check_level(interval, 'sqlmetrics.two_proportions: ') -}}
    {{- sqlmetrics.need_role(plan, 'label') -}}
    {%- do plan.update({'points': sqlmetrics.stages_of_proportions(plan)}) -%}
    {%- set z = sqlmetrics.normal_critical_value((1 + interval) / 2) -%}
    {%- set difference = '(sm_rate_second - sm_rate_first)' -%}
    {%- set ends = sqlmetrics.newcombe_ends(
        {'share': 'sm_rate_first', 'rows': 'sm_n_first'}, {'share': 'sm_rate_second', 'rows': 'sm_n_second'},
        difference, z
    ) -%}
    {%- for name, value in {
        'n_first': 'sm_n_first', 'n_second': 'sm_n_second', 'rate_first': 'sm_rate_first',
        'rate_second': 'sm_rate_second', 'difference': difference, 'low': ends['low'], 'high': ends['high'],
        'z': 'sm_z', 'p_value': '2 * ' ~ sqlmetrics.normal_sf('abs(sm_z)'),
    }.items() -%}
        {%- do plan['result']['columns'].append({
            'name': name, 'value': 'case when sm_n_categories = 2 then ' ~ sqlmetrics.guarded(plan, value) ~ ' end',
            'integer': name.startswith('n_') and plan['facts']['weight'] is none,
            'counts': name.startswith('n_'),
        }) -%}
    {%- endfor -%}
    {%- do plan['result'].update({'columns': [
        {'name': 'n_categories', 'value': 'sm_n_categories', 'integer': true},
        {'name': 'first', 'value': 'sm_first_category', 'any_type': true, 'of': 'prediction'},
        {'name': 'second', 'value': 'sm_second_category', 'any_type': true, 'of': 'prediction'},
    ] + plan['result']['columns']}) -%}
    {%- do return(plan) -%}
{%- endmacro %}

{# sm_points: the two categories side by side, and z. #}
{% macro stages_of_proportions(plan) -%}
{%- set keys = plan['facts']['keys'] -%}
{%- set counts = sqlmetrics.filled(plan, sqlmetrics.row_weighted(plan, sqlmetrics.positive_of(plan))) -%}
{%- set pooled = sqlmetrics.ratio('sm_positives_first + sm_positives_second', 'sm_n_first + sm_n_second') -%}
{%- set sides = [] -%}
{%- for side, place in (('first', 'sm_least'), ('second', 'sm_greatest')) -%}
    {%- for column in ('n', 'positives') -%}
        {%- do sides.append(
            'sum(case when sm_predicted = ' ~ place ~ ' then sm_' ~ column ~ ' end) as sm_' ~ column ~ '_' ~ side
        ) -%}
    {%- endfor -%}
{%- endfor -%}
-- rows and positive rows of each category
sm_categories as (
    select
        {{- sqlmetrics.lines(keys + [
            'sm_predicted', 'sum(' ~ sqlmetrics.filled(plan, sqlmetrics.row_weight(plan)) ~ ') as sm_n',
            'sum(' ~ counts ~ ') as sm_positives',
        ], 8) }}
    from (
        {%- set weights = ['sm_weight'] if plan['facts']['weight'] is not none else [] %}
        {{ sqlmetrics.by_slice_and_total(
            plan, ['sm_predicted', 'sm_label'] + weights, ' and sm_weight > 0' if weights else ''
        ) }}
    ) as sm_counted
    group by {{ (keys + ['sm_predicted']) | join(', ') }}
),

-- the two side by side
sm_sides as (
    select
        {{- sqlmetrics.lines(keys + [
            'min(sm_least) as sm_first_category', 'max(sm_greatest) as sm_second_category',
            'count(*) as sm_n_categories',
        ] + sides, 8) }}
    from (
        select
            sm_categories.*,
            min(sm_predicted) over ({{ sqlmetrics.partition_by(keys) | trim }}) as sm_least,
            max(sm_predicted) over ({{ sqlmetrics.partition_by(keys) | trim }}) as sm_greatest
        from sm_categories
    ) as sm_ordered_categories
    {{- sqlmetrics.grouped_by(keys) }}
),

-- their shares, and the difference in standard errors
sm_points as (
    select
        {{- sqlmetrics.lines(keys + [
            'sm_n_categories', 'sm_first_category', 'sm_second_category', 'sm_n_first', 'sm_n_second', 'sm_rate_first',
            'sm_rate_second',
            '(sm_rate_second - sm_rate_first) / nullif(sqrt(sm_pooled * (1 - sm_pooled) * ('
                ~ sqlmetrics.ratio('1', 'sm_n_first') ~ ' + ' ~ sqlmetrics.ratio('1', 'sm_n_second') ~ ')), 0) as sm_z',
        ], 8) }}
    from (
        select
            sm_sides.*,
            {{ sqlmetrics.ratio('sm_positives_first', 'sm_n_first') }} as sm_rate_first,
            {{ sqlmetrics.ratio('sm_positives_second', 'sm_n_second') }} as sm_rate_second,
            {{ pooled }} as sm_pooled
        from sm_sides
    ) as sm_rates
)
{%- endmacro %}

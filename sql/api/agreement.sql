{#
  How far raters agree: people, models or both, who put items into categories or on a scale.

  Args:
    relation: a table or CTE name, a dbt relation, or a query
    measures: a list of notations: `krippendorff` or `krippendorff(level=ordinal)` (nominal, ordinal, interval,
      ratio), Krippendorff's alpha; `fleiss`, Fleiss' kappa; `gwet` or `gwet(weights=quadratic)` (identity, ordinal,
      linear, quadratic), Gwet's AC1 and AC2; `cohen`, Cohen's kappa of each pair of raters and their mean; `percent`,
      the observed agreement
    item, rater, value: columns or expressions of a long table, a row for each rating: what was rated, by whom, and
      how
    raters: instead of rater and value the columns of a wide table, one for each rater; a row is an item, unless
      item= names it, and NULL is a rating that is missing
    interval: the confidence level
    by, total, total_name, read_once, where: as for `evaluate`
  Returns: a query. For each slice it has the by columns, is_total, the audit counts and a row for each measure:
    measure; with cohen rater_a and rater_b, null in the mean of all pairs; value; low and high, its interval;
    n_items, n_raters and n_ratings, of items with two ratings or more. The variance is over items, by the delta
    method with ranks taken as fixed (Gwet's, where each item has two ratings), the interval by Student's t. The count
    items_rated_once has the other items, whose ratings count in the shares of values of fleiss and gwet alone
  Undefined: value is null if no item has two ratings; if all ratings have one value (percent is 1 there); if a rater
    rated an item twice, as ratings_repeated counts. low and high are null if all items are alike
  Errors: an unknown measure; no item, rater or value, and no raters; a level outside (0, 1)
  Source: Krippendorff (2011), Computing Krippendorff's alpha-reliability; Fleiss (1971), doi:10.1037/h0031619; Gwet
    (2008), doi:10.1348/000711006X126600, and (2014), Handbook of inter-rater reliability, for weights and missing
    ratings; Cohen (1960), doi:10.1177/001316446002000104; its mean: Light (1971), doi:10.1037/h0031643
  Example: {{ sqlmetrics.agreement(ref('annotations'), ['krippendorff', 'gwet'], item='text_id', rater='annotator',
    value='label') }}
#}
{% macro agreement(relation, measures, item=none, rater=none, value=none, raters=none) -%}
    {%- set given = sqlmetrics.options_taken('agreement', kwargs) -%}
    {%- set columns = [] -%}
    {%- for column in raters or [] -%}
        {%- do columns.append({'name': column, 'sql': sqlmetrics.expression('raters', column)}) -%}
    {%- endfor -%}
    {{- sqlmetrics.statement_of(sqlmetrics.agreement_plan(
        measures, relation=relation, item=sqlmetrics.expression('item', item) if raters and item is not none else item,
        rater=rater, value=value, raters=columns, **given
    )) -}}
{%- endmacro %}

{#
  The plan of `agreement`. The item is the group of a row, its value the class, and its rater the prediction.

  Args:
    raters: of a wide table, the columns as mappings of name and sql
#}
{% macro agreement_plan(
    measures, relation=none, item=none, rater=none, value=none, raters=[], interval=0.95
) -%}
    {%- set measures = sqlmetrics.measures_of_agreement(measures) -%}
    {{- sqlmetrics.check_forms_of_ratings(item, rater, value, raters) -}}
    {{- sqlmetrics.check_level(interval, 'sqlmetrics.agreement: ') -}}
    {%- set over, said = relation, [] -%}
    {%- if raters -%}
        {%- do said.append('raters ' ~ sqlmetrics.in_comment(raters | map(attribute='sql') | join(', '))) -%}
        {%- set relation = sqlmetrics.ratings_of_columns(relation, item, raters) -%}
        {%- set item, rater, value = 'sm_rated_item', 'sm_given_by', 'sm_given_value' -%}
    {%- endif -%}
    {%- set plan = sqlmetrics.empty_plan(
        sqlmetrics.question_of_points('agreement', over, said), relation=relation, group=item, label=value,
        prediction=rater, **kwargs
    ) -%}
    {%- do sqlmetrics.ask(plan, 'agreement') -%}
    {%- do sqlmetrics.with_facts(plan, unlike_classes=true) -%}
    {%- if 'ratios' in measures | map(attribute='distance') -%}
        {{- sqlmetrics.require(
            plan, 'rows', 'rows_negative_rating', '{problem} = 0 and ' ~ sqlmetrics.sql_label('{class}') ~ ' < 0',
            'rows have a value below 0, such as {value}, which level=ratio does not take; write level=interval',
            sqlmetrics.sql_label('{class}')
        ) -}}
    {%- endif -%}
    {#- counted beside the measures, since a rater is compared over all rows of an item -#}
    {%- do plan['result']['checks'].update({'sm_repeated': {
        'name': 'ratings_repeated', 'grain': 'rows', 'hint': none, 'text': false, 'value': none, 'value_hole': none,
        'message': 'ratings are of an item that their rater has rated before; keep one rating of each rater and item',
    }}) -%}
    {%- do plan['asked']['guards'].append('sm_repeated') -%}
    {%- do plan['result']['audit'].update({'items_rated_once': 'sm_rated_once'}) -%}
    {%- do plan.update({
        'points': sqlmetrics.stages_of_agreement(plan, measures, interval),
        'point_order': ['sm_points.sm_number asc']
            + (['case when sm_points.sm_rater_a is null then 0 else 1 end asc', 'sm_points.sm_rater_a asc',
                'sm_points.sm_rater_b asc'] if 'cohen' in measures | map(attribute='family') else []),
    }) -%}
    {%- do plan['result']['columns'].append({'name': 'measure', 'value': 'sm_points.sm_measure', 'any_type': true}) -%}
    {%- if 'cohen' in measures | map(attribute='family') -%}
        {%- do plan['result']['columns'].extend([
            {'name': 'rater_a', 'value': 'sm_points.sm_rater_a', 'any_type': true},
            {'name': 'rater_b', 'value': 'sm_points.sm_rater_b', 'any_type': true},
        ]) -%}
    {%- endif -%}
    {%- for name in ('value', 'low', 'high', 'n_items', 'n_raters', 'n_ratings') -%}
        {%- set counts = name.startswith('n_') -%}
        {%- do plan['result']['columns'].append({
            'name': name, 'value': 'sm_points.sm_' ~ name if counts
                else sqlmetrics.guarded(plan, 'sm_points.sm_' ~ name),
            'integer': counts, 'counts': counts,
        }) -%}
    {%- endfor -%}
    {%- do return(plan) -%}
{%- endmacro %}

{# Rejects ratings in neither of both forms, or in both. #}
{% macro check_forms_of_ratings(item, rater, value, raters) -%}
    {%- if raters and (rater is not none or value is not none) -%}
        {{- sqlmetrics.refuse(
            "agreement: raters= has the columns of a wide table, rater= and value= those of a long one; leave out one"
        ) -}}
    {%- elif raters and raters | length < 2 -%}
        {{- sqlmetrics.refuse("agreement: raters= takes two columns or more, one for each rater") -}}
    {%- elif not raters -%}
        {%- for role, column in {'item': item, 'rater': rater, 'value': value}.items() if column is none -%}
            {{- sqlmetrics.refuse(
                "agreement needs " ~ role ~ "=: of a long table pass item=, rater= and value=; of a wide one raters=,"
                    ~ " the columns of the raters"
            ) -}}
        {%- endfor -%}
    {%- endif -%}
{%- endmacro %}

{#
  A query with a row for each rating of a wide table. Items without a name are numbered in the order of their ratings,
  so that an engine that reads the rows twice numbers them alike.
#}
{% macro ratings_of_columns(relation, item, raters) -%}
    {%- set columns, given, names = [], [], [] -%}
    {%- for rater in raters -%}
        {%- do columns.append(rater['sql'] ~ ' as sm_rater_' ~ loop.index) -%}
        {%- do given.append('sm_rater_' ~ loop.index) -%}
        {%- do names.append(sqlmetrics.sql_text(rater['name'])) -%}
    {%- endfor -%}
    {%- set named = item or 'row_number() over (order by ' ~ raters | map(attribute='sql') | join(', ') ~ ')' -%}
(
        select sm_long.*
        from (
            select
                {{- sqlmetrics.lines([
                    'sm_wide.*', sqlmetrics.value_at_position(names) ~ ' as sm_given_by',
                    sqlmetrics.value_at_position(given) ~ ' as sm_given_value',
                ], 16) }}
            from (
                select
                    {{- sqlmetrics.lines(['sm_items.*', named ~ ' as sm_rated_item'] + columns, 20) }}
                from (select * from {{ sqlmetrics.from_item(relation) }}) as sm_items
            ) as sm_wide
            cross join {{ sqlmetrics.sql_positions(raters | length) }} as sm_positions
        ) as sm_long
        where sm_given_value is not null
    )
{%- endmacro %}

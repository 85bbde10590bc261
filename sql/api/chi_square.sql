{#
  Pearson's chi-square test of counts: tests that two columns are independent, or that one column has the
  expected shares.

  Args:
    relation: a table or CTE name, a dbt relation, or a query; raw rows, or counted rows with `weight`
    column: a column or expression with the categories
    other: a second column of categories, to test independence; none tests the shares of `column`
    expected: for the shares of `column`: a mapping of every category to its expected share or count (scaled
      to add up to 1); none means equal shares of the categories that occur
    weight: the column of counts, if a row stands for several
    by, total, total_name, read_once, where: as for `evaluate`
  Returns: a query. For each slice it has the by columns, is_total, the audit counts and one row: statistic;
    df, its degrees of freedom; p_value, the probability of a statistic at least as large if the columns are
    independent, or the shares as expected; cramers_v in [0, 1], the strength of the dependence (null for
    shares); n, the rows counted; least_expected, the smallest expected count (below 5 the p-value is rough)
  Undefined: p_value and cramers_v are null if df is 0, that is if a column has one category only
  Errors: expected shares that are negative or all 0, or beside a second column; with expected, a category
    that the mapping lacks
  Source: Pearson (1900), doi:10.1080/14786440009463897; Cramer (1946), 21.9; R, chisq.test(correct = FALSE)
  Example: {{ sqlmetrics.chi_square(ref('people'), 'hair', 'eyes', weight='n') }}
#}
{% macro chi_square(relation, column, other=none, expected=none) -%}
    {%- set given = sqlmetrics.options_taken('chi_square', kwargs) -%}
    {%- if column is not string -%}
        {{- sqlmetrics.refuse("sqlmetrics.chi_square: column= takes a column or an SQL expression, got " ~ column) -}}
    {%- endif -%}
    {{- sqlmetrics.statement_of(sqlmetrics.chi_square_plan(
        relation=relation, label=column, prediction=column if other is none else other, shares=other is none,
        expected=expected, **given
    )) -}}
{%- endmacro %}

{#
  The plan of `chi_square`. For shares the prediction is the label, so that the cells are the counts of the
  categories.
#}
{% macro chi_square_plan(shares, expected=none) -%}
    {%- set plan = sqlmetrics.empty_plan(sqlmetrics.question_of_points('chi_square'), **kwargs) -%}
    {%- do sqlmetrics.ask(plan, 'chi_square') -%}
    {%- do sqlmetrics.with_facts(plan, unlike_classes=true) -%}
    {%- if expected is not none and not shares -%}
        {{- sqlmetrics.refuse(
            'sqlmetrics.chi_square: expected= is for the shares of one column; two columns are tested for independence'
        ) -}}
    {%- endif -%}
    {%- do plan.update({'points': sqlmetrics.stage_cells(plan) ~ ',\n\n'
        ~ (sqlmetrics.stages_of_shares(plan, expected) if shares else sqlmetrics.stages_of_independence(plan))}) -%}
    {%- for name, value in {
        'statistic': 'sm_statistic', 'df': 'sm_df',
        'p_value': 'case when sm_df > 0 then ' ~ sqlmetrics.chi_square_sf('sm_statistic', 'sm_df') ~ ' end',
        'cramers_v': 'sm_cramers_v', 'n': 'sm_n', 'least_expected': 'sm_least_expected',
    }.items() -%}
        {%- set integer = name == 'df' or name == 'n' and plan['facts']['weight'] is none -%}
        {%- do plan['result']['columns'].append({
            'name': name, 'value': sqlmetrics.guarded(plan, value), 'integer': integer,
            'counts': name == 'n',
        }) -%}
    {%- endfor -%}
    {%- do return(plan) -%}
{%- endmacro %}

{#
  sm_points for two columns. The expected counts of cells without rows are the expected counts of the others
  subtracted from all rows.
#}
{% macro stages_of_independence(plan) -%}
{%- set keys = plan['facts']['keys'] -%}
{%- set expected = sqlmetrics.sql_double('sm_in_row') ~ ' * ' ~ sqlmetrics.sql_double('sm_in_column') ~ ' / sm_all' -%}
{%- set lesser = 'case when sm_rows_of < sm_columns_of then sm_rows_of else sm_columns_of end - 1' -%}
-- each count with those of its row and its column
sm_margins as (
    select
        {{- sqlmetrics.lines(keys + [
            'sm_class', 'sm_predicted', sqlmetrics.sql_double('sm_weight') ~ ' as sm_observed',
            'sum(sm_weight) over (partition by ' ~ (keys + ['sm_class']) | join(', ') ~ ') as sm_in_row',
            'sum(sm_weight) over (partition by ' ~ (keys + ['sm_predicted']) | join(', ') ~ ') as sm_in_column',
            'sum(sm_weight) over (' ~ sqlmetrics.partition_by(keys) | trim ~ ') as sm_all',
        ], 8) }}
    from sm_cells
),

-- how far the counts are from what independent columns would have
sm_deviations as (
    select
        {{- sqlmetrics.lines(keys + [
            'max(sm_all) as sm_n', 'count(distinct sm_class) as sm_rows_of',
            'count(distinct sm_predicted) as sm_columns_of', 'count(*) as sm_cells_of',
            'sum((sm_observed - ' ~ expected ~ ') * (sm_observed - ' ~ expected ~ ') / (' ~ expected ~ ')) as sm_seen',
            'sum(' ~ expected ~ ') as sm_expected',
            sqlmetrics.ratio('min(sm_in_row) * ' ~ sqlmetrics.sql_double('min(sm_in_column)'), 'max(sm_all)')
                ~ ' as sm_least_expected',
        ], 8) }}
    from sm_margins
    {{- sqlmetrics.grouped_by(keys) }}
),

-- the statistic
sm_points as (
    select
        {{- sqlmetrics.lines(keys + [
            'sm_n', 'sm_statistic', '(sm_rows_of - 1) * (sm_columns_of - 1) as sm_df', 'sm_least_expected',
            'sqrt(' ~ sqlmetrics.ratio('sm_statistic', 'sm_n * (' ~ lesser ~ ')') ~ ') as sm_cramers_v',
        ], 8) }}
    from (
        {%- set unseen = 'case when sm_cells_of < sm_rows_of * sm_columns_of then sm_n - sm_expected else 0 end' %}
        select sm_deviations.*, sm_seen + {{ unseen }} as sm_statistic
        from sm_deviations
    ) as sm_statistics
)
{%- endmacro %}

{# sm_points for one column. #}
{% macro stages_of_shares(plan, expected) -%}
{%- set keys = plan['facts']['keys'] -%}
{%- set count = sqlmetrics.sql_double('sm_expected.sm_share') ~ ' * sm_sizes.sm_n' -%}
-- the categories and their expected shares
sm_expected as (
    {%- if expected is none %}
    select sm_class, {{ sqlmetrics.ratio('1', 'count(*) over ()') }} as sm_share
    from (select distinct sm_class from sm_cells) as sm_categories
    {%- else %}
    {{ sqlmetrics.expected_shares(plan, expected) }}
    {%- endif %}
),

-- the rows of each slice
sm_sizes as (
    select
        {{- sqlmetrics.lines(keys + ['sum(sm_weight) as sm_n'], 8) }}
    from sm_cells
    {{- sqlmetrics.grouped_by(keys) }}
),

-- the statistic: how far the counts are from the expected ones
sm_points as (
    select
        {%- set of_slice = sqlmetrics.prefixed(keys, 'sm_sizes.') %}
        {%- set deviation = '(coalesce(sm_cells.sm_weight, 0) - ' ~ count ~ ')' %}
        {{- sqlmetrics.lines(of_slice + [
            'max(sm_sizes.sm_n) as sm_n',
            'sum(' ~ sqlmetrics.ratio(deviation ~ ' * ' ~ deviation, count) ~ ') as sm_statistic',
            'sum(case when sm_share > 0 then 1 else 0 end) - 1 as sm_df',
            'min(case when sm_share > 0 then ' ~ count ~ ' end) as sm_least_expected',
            'cast(null as ' ~ sqlmetrics.sql_double_type() ~ ') as sm_cramers_v',
        ], 8) }}
    from sm_sizes
    cross join sm_expected
    left join sm_cells on sm_cells.sm_class = sm_expected.sm_class
    {{- ' and ' ~ sqlmetrics.same_slice(plan, 'sm_sizes', 'sm_cells') if keys }}
    {{- sqlmetrics.grouped_by(of_slice) }}
)
{%- endmacro %}

{# Rows of category and share, and the check that no other category occurs. #}
{% macro expected_shares(plan, expected) -%}
    {%- set shares = expected.values() | list if expected is mapping else [] -%}
    {%- set total = shares | select('number') | sum -%}
    {%- if not 0 < total <= 1.7976931348623157e308 or shares | reject('number') | list
        or shares | select('boolean') | list or shares | select('lt', 0) | list or none in expected -%}
        {{- sqlmetrics.refuse(
            "sqlmetrics.chi_square: expected must give every category a share or count >= 0,"
            ~ " such as {'heads': 0.5, 'tails': 0.5}, got " ~ expected
        ) -}}
    {%- endif -%}
    {%- set rows, classes = [], [] -%}
    {%- for class, share in expected.items() -%}
        {%- set literal = sqlmetrics.class_literal(plan, "'" ~ class ~ "'" if class is string else class) -%}
        {%- do rows.append(
            'select ' ~ sqlmetrics.filled(plan, literal) ~ ' as sm_class, ' ~ sqlmetrics.sql_double(share / total)
                ~ ' as sm_share'
        ) -%}
        {%- if share > 0 -%}{%- do classes.append(literal) -%}{%- endif -%}
    {%- endfor -%}
    {{- sqlmetrics.require(
        plan, 'rows', 'rows_not_expected', '{problem} = 0 and {class} not in (' ~ classes | join(', ') ~ ')',
        'rows have a category to which expected= gives no share'
    ) -}}
    {{- rows | join(' union all ') -}}
{%- endmacro %}

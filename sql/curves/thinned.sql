{#
  Fewer points of a curve, from which a picture looks the same. The curve is cut into parts. Of each part the points
  of the highest and of the lowest score stay, so what lies between two parts is drawn as it is.

  Args:
    columns: the columns of the points, which may be named expressions
    along: a template of row sums and columns of levels, which grows from 0 to 1 along the curve
    parts: the number of parts of the same growth
    extremes: a template; the points of each part at which it is least and greatest stay, too
#}
{% macro thinned(plan, columns, along, parts, extremes=none) -%}
{%- set keys = plan['facts']['keys'] -%}
{%- set within = 'over (partition by ' ~ (keys + ['sm_part']) | join(', ') -%}
{#- parts are a little wider, so that the end of the curve is no part of its own -#}
{%- set place = 'floor(' ~ (parts - 1e-6) ~ ' * coalesce(' ~ along ~ ', 0))' -%}
{%- set steps = columns + [sqlmetrics.filled(plan, sqlmetrics.sql_integer(place)) ~ ' as sm_part'] -%}
{%- set ends = [
    'max(sm_score) ' ~ within ~ ') as sm_first', 'min(sm_score) ' ~ within ~ ') as sm_last',
] -%}
{%- set stay = ['sm_score = sm_first', 'sm_score = sm_last'] -%}
{%- if extremes is not none -%}
    {%- do steps.append(sqlmetrics.filled(plan, extremes) ~ ' as sm_height') -%}
    {%- for name, order in [('least', 'asc'), ('greatest', 'desc')] -%}
        {%- do ends.append(
            'row_number() ' ~ within ~ ' order by sm_height ' ~ order ~ ', sm_score desc) as sm_' ~ name
        ) -%}
        {%- do stay.append('sm_' ~ name ~ ' = 1') -%}
    {%- endfor -%}
{%- endif -%}
{%- do sqlmetrics.read_levels(plan) -%}
{%- set names = [] -%}
{%- for column in columns -%}{%- do names.append(column.split(' as ') | last) -%}{%- endfor -%}
select {{ (keys + names) | join(', ') }}
    from (
        select
            sm_parts.*,
            {{- sqlmetrics.lines(ends, 12) }}
        from (
            select
                {{- sqlmetrics.lines(sqlmetrics.slice_keys(plan, 'sm_levels.') + steps, 16) }}
            from sm_levels
            inner join sm_row_sums on {{ sqlmetrics.same_slice(plan, 'sm_levels', 'sm_row_sums') }}
        ) as sm_parts
    ) as sm_ends
    where {{ stay | join(' or ') }}
{%- endmacro %}

{# Rejects a number of points that is neither one of some words nor an integer. #}
{% macro check_points(plan, points, words) -%}
    {%- if points not in words
        and (points is not integer or points is boolean or points < 4 or points > 100000) -%}
        {{- sqlmetrics.refuse_metric(
            plan, "points must be " ~ words | join(', ') ~ " or an integer from 4 to 100000, got " ~ points
        ) -}}
    {%- endif -%}
{%- endmacro %}

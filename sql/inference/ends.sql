{#
  The ends of intervals of values that are means, or smooth functions of sums, of units: from the value, its variance
  and the skewness of its units. Student's t alone is too narrow, or has no width, where few units differ from the rest.

  The last select makes them (plan/result.sql), since each step is read several times: sm_parts has the sums of a value,
  sm_units what follows from them, sm_measures the ends.
#}

{#
  Asks for the ends of a value. Returns the names of their columns, which exist in the last select alone.

  Args:
    measure: the name of the result column that has the value
    value: the value, whose range has the ends
    sums: expressions: variance, of the value times (units - 1) / units; units, the number of independent units; skew,
      the skewness of their influences over the root of their number, NULL if all are equal; critical, the number of
      standard errors
    closed: whether both limits of the value bound the variance, too; false for a quotient such as concordance
    by_units: whether the variance is that of a mean of values of the units
    root: true for a root, whose sums are those of the value under it
    bend: the number c if the value is (1 + c) p / (1 + c p) of a share p, whose sums these are, as F1 is of Jaccard
#}
{% macro ask_ends(plan, measure, value, sums, closed, by_units=true, root=false, bend=none) -%}
    {%- set i = plan['ends'] | length + 1 -%}
    {%- do plan['ends'].append(dict(
        sums, i=i, measure=measure, least=value['least'], most=value['most'], closed=closed, by_units=by_units,
        root=root, bend=bend
    )) -%}
    {%- do return({'low': '{low_' ~ i ~ '}', 'high': '{high_' ~ i ~ '}', 'later': true}) -%}
{%- endmacro %}

{# The columns of sm_parts: what the ends read, besides the values. #}
{% macro parts_of_ends(plan) -%}
    {%- set columns = [] -%}
    {%- for value in plan['ends'] -%}
        {%- for part in ('variance', 'units', 'skew', 'critical') if value[part] is not none -%}
            {%- set expression = sqlmetrics.filled(
                plan, sqlmetrics.widened(plan, value[part], value['units']) if part == 'critical' else value[part]
            ) -%}
            {%- if part == 'skew' and value['least'] is not none and not value['closed'] -%}
                {%- set expression = 'case when ' ~ expression ~ ' > 0 then ' ~ expression ~ ' else 0 end' -%}
            {%- endif -%}
            {%- do columns.append(
                sqlmetrics.sql_double(expression) ~ ' as sm_' ~ part ~ '_' ~ value['i']
            ) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{#
  The columns of sm_units: for a value in a closed range the number of units that are right or wrong, whose share would
  vary as it does, and how far their interval reaches; for others the standard error and the skewness.

  Args:
    values: the columns of the values, by the names of results
#}
{% macro units_of_ends(plan, values) -%}
    {%- set columns = [] -%}
    {%- for value in plan['ends'] -%}
        {%- set column = values[value['measure']] -%}
        {%- do columns.extend(
            sqlmetrics.score_units(plan, value, column) if value['closed'] else sqlmetrics.skewed_units(value, column)
        ) -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{# The columns of sm_measures: both ends of each interval. #}
{% macro columns_of_ends(plan, values) -%}
    {%- set columns = [] -%}
    {%- for value in plan['ends'] -%}
        {%- set column = values[value['measure']] -%}
        {%- set ends = sqlmetrics.score_ends(plan, value, column) if value['closed']
            else sqlmetrics.skewed_ends(value, column) -%}
        {%- for end in ('low', 'high') -%}
            {%- do columns.append(ends[end] ~ ' as sm_' ~ end ~ '_' ~ value['i']) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{# A value as a share of its range, or the share under it. #}
{% macro share_of_range(value, column) -%}
    {%- if value.get('bend') -%}
        {%- set c = value['bend'] -%}
        {%- do return('(' ~ column ~ ' / (' ~ (1 + c) ~ ' - ' ~ c ~ ' * ' ~ column ~ '))') -%}
    {%- endif -%}
    {%- set width = value['most'] - value['least'] -%}
    {%- set above = column if value['least'] == 0
        else '(' ~ column ~ ' - ' ~ sqlmetrics.sql_double(value['least']) ~ ')' -%}
    {{- above if width == 1 else '(' ~ above ~ ' / ' ~ sqlmetrics.sql_double(width) ~ ')' -}}
{%- endmacro %}

{# An end of a share as that of (1 + c) p / (1 + c p): of F1 from Jaccard's with c = 1, of F-beta with c = beta^2. #}
{% macro bent(end, c) -%}
    {{- '(' ~ (1 + c) ~ ' * ' ~ end ~ ' / (1 + ' ~ c ~ ' * ' ~ end ~ '))' if c else end -}}
{%- endmacro %}

{#
  A value in a closed range, as a share p of it, is as uncertain as the share of m units that are right or wrong. Its
  variance is that of its n units, or p (1 - p) / n, the largest that a mean of them can have. The fewer units stand
  out, the less their variance is known: the largest has the weight 4 / (4 + d^2), where d is the number of units over
  their squared skewness, about the number of units that stand out. If none differs, it is the largest alone. If all
  units are right or wrong, m is n, and the interval is Wilson's.

  Source: Wilson (1927), doi:10.1080/01621459.1927.10502953; Bhatia and Davis (2000) for the largest variance; Korn and
    Graubard (1998) for m; the weight is measured in
    docs/coverage.md
#}
{% macro score_units(plan, value, column) -%}
    {%- set i = value['i'] -%}
    {%- set z = sqlmetrics.sql_double(sqlmetrics.normal_critical_value((1 + plan['facts']['interval']) / 2)) -%}
    {%- set z = sqlmetrics.widened(plan, z, 'sm_units_' ~ i) -%}
    {%- set certain = sqlmetrics.varies_as_right_or_wrong(value, column) -%}
    {%- do return([
        sqlmetrics.right_or_wrong(value, column) ~ ' as sm_right_or_wrong_' ~ i,
        'case when ' ~ certain ~ ' then ' ~ z ~ ' else sm_critical_' ~ i ~ ' end as sm_reach_' ~ i,
    ]) -%}
{%- endmacro %}

{# Whether all units are right or wrong, or, if the variance is not that of a mean of units, none differs. #}
{% macro varies_as_right_or_wrong(value, column) -%}
    {%- set p = sqlmetrics.share_of_range(value, column) -%}
    {{- sqlmetrics.variance_of_share(value) ~ ' >= 0.999999999 * ' ~ sqlmetrics.largest_variance(value, p)
        if value['by_units'] else p ~ ' * (1 - ' ~ p ~ ') = 0' -}}
{%- endmacro %}

{# The m of `score_units`, over columns sm_variance_, sm_units_ and sm_skew_ with the number of the value. #}
{% macro right_or_wrong(value, column) -%}
    {%- set i, p = value['i'], sqlmetrics.share_of_range(value, column) -%}
    {%- set variance = sqlmetrics.variance_of_share(value) -%}
    {%- set fourth = '4 * sm_skew_' ~ i ~ ' * sm_skew_' ~ i ~ ' * sm_skew_' ~ i ~ ' * sm_skew_' ~ i -%}
    {#- rounding leaves a variance of 1e-32 -#}
    {%- set weight = 'coalesce(case when ' ~ variance ~ ' > 1e-26 and sm_units_' ~ i ~ ' > 1 then ' ~ fourth
        ~ ' / (1 + ' ~ fourth ~ ') end, 1)' -%}
    {%- set corrected = variance ~ ' * sm_units_' ~ i ~ ' / nullif(sm_units_' ~ i ~ ' - 1, 0)' -%}
    {%- set mixed = '((1 - ' ~ weight ~ ') * coalesce(' ~ corrected ~ ', 0) + ' ~ weight ~ ' * '
        ~ sqlmetrics.largest_variance(value, p) ~ ')' -%}
    case when {{ sqlmetrics.varies_as_right_or_wrong(value, column) }} then sm_units_{{ i }} else {{
        sqlmetrics.ratio(p ~ ' * (1 - ' ~ p ~ ')', mixed) }} end
{%- endmacro %}

{# The variance of a value as a share of its range, and the largest that a mean of its units can have. #}
{% macro variance_of_share(value) -%}
    {%- set width = value['most'] - value['least'] -%}
    {{- 'sm_variance_' ~ value['i'] if width == 1
        else '(sm_variance_' ~ value['i'] ~ ' / ' ~ sqlmetrics.sql_double(width * width) ~ ')' -}}
{%- endmacro %}

{% macro largest_variance(value, share) -%}
    ({{ share }} * (1 - {{ share }}) / nullif(sm_units_{{ value['i'] }}, 0))
{%- endmacro %}

{# The ends of a value in a closed range. #}
{% macro score_ends(plan, value, column) -%}
    {%- set i, p, ends = value['i'], sqlmetrics.share_of_range(value, column), {} -%}
    {%- set width = value['most'] - value['least'] -%}
    {%- set m, reach = 'sm_right_or_wrong_' ~ i, 'sm_reach_' ~ i -%}
    {%- set low = sqlmetrics.wilson_low(sqlmetrics.less_half_a_unit(plan, p, m), m, reach) -%}
    {%- set rest = sqlmetrics.less_half_a_unit(plan, '(1 - ' ~ p ~ ')', m) -%}
    {%- set high = '(1 - ' ~ sqlmetrics.wilson_low(rest, m, reach) ~ ')' -%}
    {%- for name, end in (('low', low), ('high', high)) -%}
        {%- set end = sqlmetrics.bent(end, value.get('bend')) -%}
        {%- set scaled = end if width == 1 else sqlmetrics.sql_double(width) ~ ' * ' ~ end -%}
        {%- do ends.update({
            name: scaled if value['least'] == 0 else '(' ~ sqlmetrics.sql_double(value['least']) ~ ' + ' ~ scaled ~ ')',
        }) -%}
    {%- endfor -%}
    {%- do return(ends) -%}
{%- endmacro %}

{#
  The standard error of a value whose range is open, NULL if no unit differs from the others, and how many of them the
  interval reaches below and above: Student's t after a cubic transformation that takes the skewness from it. A value
  that has a least alone is skewed upwards; the other sign is chance. One that has a greatest, such as r2, is one less a
  quotient; there the skewness is known too badly to be of use.

  Source: Hall (1992), doi:10.1111/j.2517-6161.1992.tb01870.x
#}
{% macro skewed_units(value, column) -%}
    {%- set i, n, q = value['i'], 'sm_units_' ~ value['i'], 'sm_skew_' ~ value['i'] -%}
    {%- set mean = '(' ~ column ~ ' * ' ~ column ~ ')' if value['root'] else column -%}
    {#- rounding leaves a variance of 1e-32 of the squared value -#}
    {%- set there = 'sm_variance_' ~ i ~ ' > 1e-26 * ' ~ mean ~ ' * ' ~ mean -%}
    {%- set columns = [
        'case when ' ~ there ~ ' then sqrt(sm_variance_' ~ i ~ ' * ' ~ n ~ ' / nullif(' ~ n
            ~ ' - 1, 0)) end as sm_error_' ~ i
    ] -%}
    {%- if value['skew'] is none -%}
        {%- set critical = 'sm_critical_' ~ i -%}
        {%- do return(columns + [critical ~ ' as sm_below_' ~ i, '-' ~ critical ~ ' as sm_above_' ~ i]) -%}
    {%- endif -%}
    {%- for name, sign in (('below', ''), ('above', '-')) -%}
        {%- set y = sign ~ 'sm_critical_' ~ i -%}
        {%- set cube = '1 + ' ~ q ~ ' * (' ~ y ~ ' - ' ~ q ~ ' / 6)' -%}
        {%- set power = sqlmetrics.sql_power('abs(' ~ cube ~ ')', sqlmetrics.sql_double('1') ~ ' / 3') -%}
        {%- do columns.append(
            'case when abs(' ~ q ~ ') > 1e-5 then 3 * (case when ' ~ cube ~ ' < 0 then -1 else 1 end * ' ~ power
            ~ ' - 1) / ' ~ q ~ ' else ' ~ y ~ ' - ' ~ q ~ ' / 6 - ' ~ q ~ ' * ' ~ y ~ ' * ' ~ y ~ ' / 3 end as sm_'
            ~ name ~ '_' ~ i
        ) -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{%- endmacro %}

{#
  The ends of a value whose range is open, cut at the end that it has. They hold the value: where few units differ, the
  transformation moves an interval of a low level beside it.
#}
{% macro skewed_ends(value, column) -%}
    {%- set i, ends = value['i'], {} -%}
    {%- set mean = '(' ~ column ~ ' * ' ~ column ~ ')' if value['root'] else column -%}
    {%- for name, reach, limit, over in (
        ('low', 'sm_below_' ~ i, 0 if value['root'] else value['least'], ' < '),
        ('high', 'sm_above_' ~ i, value['most'], ' > '),
    ) -%}
        {%- set reach = 'case when ' ~ reach ~ over ~ '0 then 0 else ' ~ reach ~ ' end' -%}
        {%- set end = mean ~ ' - sm_error_' ~ i ~ ' * ' ~ reach -%}
        {%- if limit is not none -%}
            {%- set limit = sqlmetrics.sql_double(limit) -%}
            {%- set end = 'case when ' ~ end ~ over ~ limit ~ ' then ' ~ limit ~ ' else ' ~ end ~ ' end' -%}
        {%- endif -%}
        {%- do ends.update({name: 'sqrt(' ~ end ~ ')' if value['root'] else end}) -%}
    {%- endfor -%}
    {%- do return(ends) -%}
{%- endmacro %}

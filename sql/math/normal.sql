{#
  The standard normal distribution: expressions, and its quantile as a number computed when the statement is
  rendered.
#}

{#
  The quantile z of the standard normal distribution at p, by Newton's method on the series 1/2 + phi(z) (z +
  z^3 / 3 + z^5 / (3 * 5) + ...). From 0 on, each step comes closer to z without passing it.

  Args:
    p: a probability in [0.5, 0.9999995]
  Returns: float, to 1e-12 up to p = 0.99995, beyond which p itself lacks digits
  Source: Abramowitz and Stegun (1964), 26.2.11
  Example: {{ sqlmetrics.normal_critical_value(0.975) }}
#}
{% macro normal_critical_value(p) -%}
    {%- set at = namespace(z=0.0, before=none) -%}
    {%- for step in range(25) if at.z != at.before -%}
        {%- set z, terms = at.z, [at.z] -%}
        {#- further terms are below 1e-17 of the sum -#}
        {%- for i in range(1, (25 + 3 * z * z) | int) -%}
            {%- do terms.append(terms[-1] * z * z / (2 * i + 1)) -%}
        {%- endfor -%}
        {%- set density = 0.3989422804014327 * 2.718281828459045 ** (0 - z * z / 2) -%}
        {%- set at.before = z -%}
        {%- set at.z = z + (p - 0.5) / density - terms | sum -%}
    {%- endfor -%}
    {%- do return(at.z) -%}
{%- endmacro %}

{#
  The probability that a standard normal variable exceeds x.

  Args:
    x: an expression, preferably a column: it occurs about 140 times in the result
  Returns: an expression; float in [0, 1] with a relative error below 1e-10 for x from -21 to 21; below 1e-300
    some engines give 0 or 1e-304
  Undefined: null if x is null
  Source: half_line.sql; tables give 0.0249979 at x = 1.96
  Example: {{ sqlmetrics.normal_sf('z') }}
#}
{% macro normal_sf(x) -%}
    {%- set x = sqlmetrics.sql_double(x) -%}
    {%- set width = '(abs(' ~ x ~ ') + 1)' -%}
    {%- set term = '{weight} * '
        ~ sqlmetrics.sql_exp('-{v} / ' ~ width ~ ' * (abs(' ~ x ~ ') + {half} / ' ~ width ~ ')') -%}
    {%- set tail = '0.3989422804014327 * ' ~ sqlmetrics.sql_exp(sqlmetrics.sql_double('-0.5') ~ ' * ' ~ x ~ ' * ' ~ x)
        ~ ' / ' ~ width ~ ' * ' ~ sqlmetrics.sql_sum(term, sqlmetrics.half_line()) -%}
    (case when {{ x }} >= 0 then {{ tail }} when {{ x }} < 0 then 1 - {{ tail }} end)
{%- endmacro %}

{#
  The probability that a standard normal variable is at most x.

  Args:
    x: as for `normal_sf`
  Returns: an expression; float in [0, 1], as exact as `normal_sf`
  Undefined: null if x is null
  Source: `normal_sf` of the other side
  Example: {{ sqlmetrics.normal_cdf('z') }}
#}
{% macro normal_cdf(x) -%}{{ sqlmetrics.normal_sf('(-(' ~ x ~ '))') }}{%- endmacro %}

{#
  The quantile of the standard normal distribution at p.

  Args:
    p: an expression, a probability in (0, 1)
  Returns: an expression; float with a relative error below 1e-14 for p from 1e-300 to 1 - 1e-16
  Undefined: null if p is not in (0, 1)
  Source: Wichura (1988), algorithm AS 241 (PPND16), doi:10.2307/2347330
  Example: {{ sqlmetrics.normal_quantile('p') }}
#}
{% macro normal_quantile(p) -%}
    {%- set p = sqlmetrics.sql_double(p) -%}
    {%- set middle = '(0.180625 - (' ~ p ~ ' - 0.5) * (' ~ p ~ ' - 0.5))' -%}
    {%- set tail = 'sqrt(-' ~ sqlmetrics.sql_ln('case when ' ~ p ~ ' < 0.5 then ' ~ p ~ ' else 1 - ' ~ p ~ ' end')
        ~ ')' -%}
    {%- set near = sqlmetrics.polynomial(
        [
            2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457,
            13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.387132872796366608,
        ],
        middle,
    ) ~ ' / ' ~ sqlmetrics.polynomial(
        [
            5226.495278852854561, 28729.085735721942674, 39307.89580009271061, 21213.794301586595867,
            5394.1960214247511077, 687.1870074920579083, 42.313330701600911252, 1,
        ],
        middle,
    ) -%}
    {%- set far = sqlmetrics.polynomial(
        [
            7.7454501427834140764e-4, 0.0227238449892691845833, 0.24178072517745061177, 1.27045825245236838258,
            3.64784832476320460504, 5.7694972214606914055, 4.6303378461565452959, 1.42343711074968357734,
        ],
        '(' ~ tail ~ ' - 1.6)',
    ) ~ ' / ' ~ sqlmetrics.polynomial(
        [
            1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966, 0.14810397642748007459,
            0.68976733498510000455, 1.6763848301838038494, 2.05319162663775882187, 1,
        ],
        '(' ~ tail ~ ' - 1.6)',
    ) -%}
    {%- set farthest = sqlmetrics.polynomial(
        [
            2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386, 0.026532189526576123093,
            0.29656057182850489123, 1.7848265399172913358, 5.4637849111641143699, 6.6579046435011037772,
        ],
        '(' ~ tail ~ ' - 5)',
    ) ~ ' / ' ~ sqlmetrics.polynomial(
        [
            2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5, 7.868691311456132591e-4,
            0.0148753612908506148525, 0.13692988092273580531, 0.59983220655588793769, 1,
        ],
        '(' ~ tail ~ ' - 5)',
    ) -%}
    {%- set sign = 'case when ' ~ p ~ ' < 0.5 then -1 else 1 end' -%}
    (case
        when {{ p }} <= 0 or {{ p }} >= 1 then null
        when {{ p }} between 0.075 and 0.925 then ({{ p }} - 0.5) * {{ near }}
        when {{ p }} between 1.3887943864964021e-11 and 0.9999999999861121 then {{ sign }} * {{ far }}
        else {{ sign }} * {{ farthest }}
    end)
{%- endmacro %}

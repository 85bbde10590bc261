{#
  Student's t distribution: tails as expressions, and quantiles of probabilities that are known when the
  statement is rendered.
#}

{#
  The probability that a Student t variable exceeds t.

  Args:
    t: an expression, preferably a column: it occurs about 280 times in the result
    df: an expression, the degrees of freedom, > 0; need not be an integer (Welch's are not)
  Returns: an expression; float in [0, 1] with a relative error below 1e-10 for df from 1 to 100,000 and
    probabilities from 1e-100. The error grows with df, by rounding
  Undefined: null if t or df is null, or df < 0.1
  Source: half_line.sql, with u = sqrt(df) sinh(theta) in the density; tables give 0.025 at t = 12.706, df = 1
  Example: {{ sqlmetrics.student_t_sf('statistic', 'df') }}
#}
{% macro student_t_sf(t, df) -%}
    {%- set of = sqlmetrics.student_t_shape(t, df) -%}
    {{- sqlmetrics.student_t_tail(t, df, of['slope'], of['width']) -}}
{%- endmacro %}

{# The inputs of the tail above t. A statement that keeps them as columns has a third of the text. #}
{% macro student_t_shape(t, df) -%}
    {%- set one = sqlmetrics.sql_double('1') -%}
    {%- set size = 'abs(' ~ one ~ ' * ' ~ t ~ ')' -%}
    {%- set hypotenuse = 'sqrt(' ~ df ~ ' + ' ~ one ~ ' * ' ~ t ~ ' * ' ~ t ~ ')' -%}
    {%- do return({
        'slope': size ~ ' / ' ~ hypotenuse, 'width': hypotenuse ~ ' / (' ~ df ~ ' * (' ~ size ~ ' + 1))',
    }) -%}
{%- endmacro %}

{# `student_t_sf`, from the columns of `student_t_shape`. #}
{% macro student_t_tail(t, df, slope, width) -%}
    {%- set one = sqlmetrics.sql_double('1') -%}
    {%- set v = '{v} * ' ~ width -%}
    {%- set term = '{weight} * ' ~ sqlmetrics.sql_exp(
        '-' ~ df ~ ' * ' ~ sqlmetrics.sql_ln(
            '(' ~ sqlmetrics.sql_exp(v) ~ ' * (1 + ' ~ slope ~ ') + ' ~ sqlmetrics.sql_exp('-' ~ v) ~ ' * (1 - '
            ~ slope ~ ')) / 2'
        )
    ) -%}
    {#- the density at t times sqrt(df) cosh(theta) -#}
    {%- set density = sqlmetrics.student_t_constant(df) ~ ' * ' ~ sqlmetrics.sql_exp(
        sqlmetrics.sql_double('-0.5') ~ ' * ' ~ df ~ ' * '
        ~ sqlmetrics.sql_ln('1 + ' ~ one ~ ' * ' ~ t ~ ' * ' ~ t ~ ' / ' ~ df)
    ) -%}
    {%- set tail = density ~ ' * ' ~ width ~ ' * ' ~ sqlmetrics.sql_sum(term, sqlmetrics.half_line()) -%}
    (case when {{ df }} < 0.1 then null when {{ t }} >= 0 then {{ tail }} when {{ t }} < 0 then 1 - {{ tail }} end)
{%- endmacro %}

{#
  The probability that a Student t variable is at most t.

  Args:
    t, df: as for `student_t_sf`
  Returns: an expression; float in [0, 1], as exact as `student_t_sf`
  Undefined: as for `student_t_sf`
  Source: `student_t_sf` of the other side
  Example: {{ sqlmetrics.student_t_cdf('statistic', 'df') }}
#}
{% macro student_t_cdf(t, df) -%}{{ sqlmetrics.student_t_sf('(-(' ~ t ~ '))', df) }}{%- endmacro %}

{# gamma((df + 1) / 2) / (gamma(df / 2) sqrt(pi)), from the series of that ratio at df + 16. #}
{% macro student_t_constant(df) -%}
    {%- set shifted, product = '(' ~ sqlmetrics.sql_double(df) ~ ' + 16)', [] -%}
    {%- for i in range(0, 16, 2) -%}
        {%- do product.append('(' ~ sqlmetrics.sql_double(df) ~ ' + ' ~ i ~ ') / (' ~ df ~ ' + ' ~ (i + 1) ~ ')') -%}
    {%- endfor -%}
    {%- set series = sqlmetrics.polynomial(
        [-31 / 36, 17 / 112, -1 / 20, 1 / 24, -1 / 4], '1 / (' ~ shifted ~ ' * ' ~ shifted ~ ')'
    ) ~ ' / ' ~ shifted -%}
    0.3989422804014327 * sqrt({{ shifted }}) * {{ sqlmetrics.sql_exp(series) }} * {{ product | join(' * ') }}
{%- endmacro %}

{#
  The quantile of Student's t distribution at p.

  With r = 1 / (1 + df), ln(quantile) (1 - r) is a smooth function of r. When the statement is rendered, the
  function is computed at a few r by Newton's method on the tail. The expression is the polynomial through
  these points, in pieces if p is extreme.

  Args:
    p: a number in (0, 1)
    df: an expression, the degrees of freedom, >= 1; need not be an integer
    pieces: the value of `student_t_pieces` at p, for a caller that has it
  Returns: an expression; float with a relative error below 1e-9 for p from 1e-100 to 1 - 1e-16 and any df >=
    1. For p within 0.01 of 0.5, where the quantile is small, the absolute error is below 1e-10; exactly 0 within
    1e-11 of it
  Undefined: null if df is null, or df < 1
  Errors: p that is not a number in (0, 1)
  Source: `student_t_sf`; Newton (1687) for polynomial and method; tables give 12.706 at p = 0.975, df = 1
  Example: {{ sqlmetrics.student_t_quantile(0.975, 'df') }}
#}
{% macro student_t_quantile(p, df, pieces=none) -%}
    {%- if p is number and (p - 0.5) | abs < 1e-11 -%}
        {%- do return('(case when ' ~ df ~ ' >= 1 then 0 end)') -%}
    {%- endif -%}
    (case when {{ df }} >= 1 then {{ sqlmetrics.student_t_at(p, sqlmetrics.student_t_place(df), pieces) }} end)
{%- endmacro %}

{# The place of degrees of freedom on the axis of the polynomials: 1/2 for one degree, 0 for infinitely many. #}
{% macro student_t_place(df) -%}(1 / (1 + {{ sqlmetrics.sql_double(df) }})){%- endmacro %}

{#
  The quantile at a place r, a column: it is written some thirty times. r must not be null, since some engines have
  an exponential function of null that is 0.
#}
{% macro student_t_at(p, r, pieces=none) -%}
    {%- if p is number and (p - 0.5) | abs < 1e-11 -%}
        {%- do return('(case when ' ~ r ~ ' >= 0 then 0 end)') -%}
    {%- endif -%}
    {%- set cases = [] -%}
    {%- for piece in pieces or sqlmetrics.student_t_pieces(p) -%}
        {%- set polynomial = sqlmetrics.polynomial_through(piece['points'], r) -%}
        {%- do cases.append('when ' ~ r ~ ' >= ' ~ piece['low'] ~ ' then ' ~ polynomial) -%}
    {%- endfor -%}
    {{ '-' if p < 0.5 }}{{ sqlmetrics.sql_exp('case ' ~ cases | join(' ') ~ ' end / (1 - ' ~ r ~ ')') }}
{%- endmacro %}

{#
  The points of the polynomials of `student_t_quantile`, for a caller that needs several quantiles at one p: to
  find them takes most of its time.

  Returns: a list of mappings: low, the least r of a piece; points, each with x and y
#}
{% macro student_t_pieces(p) -%}
    {%- if p is not number or not 0 < p < 1 -%}
        {{- sqlmetrics.refuse('student_t_quantile: p must be a number between 0 and 1, got ' ~ p) -}}
    {%- endif -%}
    {%- set tail = [p, 1 - p] | min -%}
    {%- set ends = [0.5, 0.25, 0] if tail > 1e-7 else [0.5, 0.25, 0.1, 0.03, 0.008, 0.002, 0.0005, 0] -%}
    {%- set at = namespace(t=1 / (3.141592653589793 * tail), high=none) -%}
    {%- set pieces, nodes = [], sqlmetrics.half_line() -%}
    {%- for low in ends -%}
        {%- if at.high is not none -%}
            {%- set points = [] -%}
            {%- for cosine in sqlmetrics.chebyshev_points() -%}
                {%- set point = (at.high + low) / 2 + (at.high - low) / 2 * cosine -%}
                {%- set at.t = sqlmetrics.student_t_critical_value(tail, 1 / point - 1, at.t, nodes) -%}
                {%- do points.append({'x': point, 'y': sqlmetrics.logarithm(at.t) * (1 - point)}) -%}
            {%- endfor -%}
            {%- do pieces.append({'low': low, 'points': points}) -%}
        {%- endif -%}
        {%- set at.high = low -%}
    {%- endfor -%}
    {%- do return(pieces) -%}
{%- endmacro %}

{#
  The t with a given tail above it, as a number, by Newton's method on the logarithms of both, from a t that
  is too high.
#}
{% macro student_t_critical_value(tail, df, start, nodes) -%}
    {%- set e = 2.718281828459045 -%}
    {%- set at = namespace(t=start, step=1) -%}
    {%- set constant = sqlmetrics.student_t_constant_value(df) -%}
    {%- for i in range(60) if at.step ** 2 > 1e-18 -%}
        {%- set t = at.t -%}
        {%- set hypotenuse = (df + t * t) ** 0.5 -%}
        {%- set width, cosine = hypotenuse / (df * (t + 1)), t / hypotenuse -%}
        {%- set terms = [] -%}
        {%- for node in nodes -%}
            {%- set grown = e ** (node['v'] * width) -%}
            {%- do terms.append(node['weight'] * ((grown * (1 + cosine) + (1 - cosine) / grown) / 2) ** (0 - df)) -%}
        {%- endfor -%}
        {%- set integral = terms | sum -%}
        {%- set chance = constant * (1 + t * t / df) ** (df / -2) * width * integral -%}
        {#- the density is the chance divided by sqrt(df + t^2) and by the integral -#}
        {%- set at.step = sqlmetrics.logarithm(chance / tail) * hypotenuse * width * integral / t -%}
        {%- set at.t = t * e ** at.step -%}
    {%- endfor -%}
    {%- do return(at.t) -%}
{%- endmacro %}

{# `student_t_constant` at a df that is a number. #}
{% macro student_t_constant_value(df) -%}
    {%- set z = df + 16 -%}
    {%- set at = namespace(
        value=0.3989422804014327 * z ** 0.5 * 2.718281828459045 ** (
            (-1 / 4 + (1 / 24 + (-1 / 20 + (17 / 112 - 31 / 36 / z ** 2) / z ** 2) / z ** 2) / z ** 2) / z
        )
    ) -%}
    {%- for i in range(0, 16, 2) -%}{%- set at.value = at.value * (df + i) / (df + i + 1) -%}{%- endfor -%}
    {%- do return(at.value) -%}
{%- endmacro %}

{# The natural logarithm of a number, by Halley's method. #}
{% macro logarithm(x) -%}
    {%- set at = namespace(y=(x ** 0.001 - x ** -0.001) / 0.002) -%}
    {%- for i in range(4) -%}
        {%- set quotient = x * 2.718281828459045 ** (0 - at.y) -%}
        {%- set at.y = at.y + 2 * (quotient - 1) / (quotient + 1) -%}
    {%- endfor -%}
    {%- do return(at.y) -%}
{%- endmacro %}

{#
  The zeros of the Chebyshev polynomial of degree 15, which minimise the error of interpolation between them;
  the highest first.
#}
{% macro chebyshev_points() -%}
    {%- do return([
        0.9945218953682733, 0.9510565162951535, 0.8660254037844386, 0.7431448254773942, 0.5877852522924731,
        0.40673664307580015, 0.20791169081775934, 0, -0.20791169081775934, -0.40673664307580015, -0.5877852522924731,
        -0.7431448254773942, -0.8660254037844386, -0.9510565162951535, -0.9945218953682733,
    ]) -%}
{%- endmacro %}

{# The polynomial through points, in Newton's form, as an expression of x. #}
{% macro polynomial_through(points, x) -%}
    {%- set differences = points | map(attribute='y') | list -%}
    {%- for order in range(1, points | length) -%}
        {%- for i in range(points | length - 1, order - 1, -1) -%}
            {%- set slope = (differences[i] - differences[i - 1]) / (points[i]['x'] - points[i - order]['x']) -%}
            {%- do differences.pop(i) -%}
            {%- do differences.insert(i, slope) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set at = namespace(text=differences[-1] | string) -%}
    {%- for i in range(points | length - 2, -1, -1) -%}
        {%- set at.text = '(' ~ at.text ~ ' * (' ~ x ~ ' - ' ~ points[i]['x'] ~ ') + ' ~ differences[i] ~ ')' -%}
    {%- endfor -%}
    {%- do return(at.text) -%}
{%- endmacro %}

{# The distribution of Kolmogorov's statistic. #}

{#
  The probability that the greatest distance of two distribution functions of one distribution exceeds d.

  The series of Pelz and Good is the limit for large samples and three corrections for the size of the samples. In the
  far tail, below 5e-9, it would cancel; there the first term of the tail with its corrections is taken.

  Args:
    z: an expression, preferably a column: sqrt(n) times the distance d
    n: an expression, preferably a column, the effective number of rows: n1 * n2 / (n1 + n2) of two samples, rounded
  Returns: an expression; float in [0, 1]. scipy.stats.kstwo.sf differs by at most 4e-8 if n >= 1000, by 1.3e-7 at 500,
    7e-6 at 100 and 2e-4 at 20. From 2000 on it is scipy that is less exact, since it leaves the second term of the tail
    out from z^2 = 2.2 on; 1 - scipy.stats.kstwo.cdf differs by less than 1e-9 if n >= 5000
  Undefined: null if z or n is null
  Source: Pelz and Good (1976), doi:10.1111/j.2517-6161.1976.tb01579.x; the tail: Maag and Dicaire (1971),
    doi:10.1093/biomet/58.3.653
  Example: {{ sqlmetrics.kolmogorov_sf('sm_z', 'sm_n_effective') }}
#}
{% macro kolmogorov_sf(z, n) -%}
    {%- set pi, a = 3.141592653589793, '(' ~ z ~ ' * ' ~ z ~ ')' -%}
    {%- set nodes = [] -%}
    {%- for k in range(1, 11) -%}
        {%- set m2 = (2 * k - 1) ** 2 -%}
        {%- do nodes.append({
            'rate': 0 - m2 * pi ** 2 / 8,
            'b0': m2 * pi ** 2 / 4,
            'c2': 2 + m2 * pi ** 2 / 2,
            'c1': 0 - m2 * pi ** 2 * 5 / 4 - m2 ** 2 * pi ** 4 / 8,
            'c0': m2 ** 2 * pi ** 4 / 16,
            'd3': 0 - 30 - 24 * m2 * pi ** 2,
            'd2': m2 * pi ** 2 * 135 / 4 + m2 ** 2 * pi ** 4 * 53 / 4,
            'd1': 0 - m2 ** 2 * pi ** 4 * 15 / 4 - m2 ** 3 * pi ** 6 * 15 / 32,
            'd0': m2 ** 3 * pi ** 6 * 5 / 64,
            'second_rate': 0 - k ** 2 * pi ** 2 / 2,
            'second_c': 0 - 2 * (k * pi) ** 2,
            'second_d1': 30 * (k * pi) ** 2,
            'second_d0': 0 - (k * pi) ** 2,
        }) -%}
    {%- endfor -%}
    {%- set power = sqlmetrics.sql_exp('{rate} / ' ~ a) -%}
    {#- the last two have a second series -#}
    {%- set second_power = sqlmetrics.sql_exp('{second_rate} / ' ~ a) -%}
    {%- set of_k = [
        power ~ ' * 1',
        power ~ ' * ' ~ sqlmetrics.polynomial([-1, '{b0}'], a),
        power ~ ' * ' ~ sqlmetrics.polynomial([6, '{c2}', '{c1}', '{c0}'], a)
            ~ ' + {second_c} * ' ~ a ~ ' * ' ~ a ~ ' * ' ~ second_power,
        power ~ ' * ' ~ sqlmetrics.polynomial([-90, '{d3}', '{d2}', '{d1}', '{d0}'], a)
            ~ ' + {second_d1} * ' ~ a ~ ' * ' ~ a ~ ' * ' ~ sqlmetrics.polynomial([3, '{second_d0}'], a)
            ~ ' * ' ~ second_power,
    ] -%}
    {%- set terms, of_z = [], ['1', '(6 * ' ~ z ~ ' * ' ~ a ~ ')', '(72 * ' ~ a ~ ' * ' ~ a ~ ' * ' ~ a ~ ')',
        '(6480 * ' ~ z ~ ' * ' ~ a ~ ' * ' ~ a ~ ' * ' ~ a ~ ' * ' ~ a ~ ')'] -%}
    {%- for term in of_k -%}
        {%- do terms.append(
            sqlmetrics.sql_sum(term, nodes) ~ ' / ' ~ of_z[loop.index0]
                ~ ['', ' / sqrt(' ~ n ~ ')', ' / ' ~ n, ' / ' ~ n ~ ' / sqrt(' ~ n ~ ')'][loop.index0]
        ) -%}
    {%- endfor -%}
    (case
        when {{ z }} < 0.12 then 1
        when {{ a }} >= 10 then 2 * {{ sqlmetrics.sql_exp(
            '-2 * ' ~ a ~ ' - 2 * ' ~ z ~ ' / 3 / sqrt(' ~ n ~ ') - 1 / (18 * ' ~ n ~ ')'
        ) }}
        else 1 - 2.5066282746310002 / {{ z }} * ({{ terms | join(' + ') }})
    end)
{%- endmacro %}

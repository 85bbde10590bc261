{#
  The squares and higher powers of deviations, where the units lie in parts of the data that are added up later: the
  periods of a state.

  The deviation of a unit is n - R d, and R is known when all parts are. In a part with the ratio r it is
  e + (r - R) d, with e = n - r d. So a part keeps the moments sum(e^a d^b), and the sum of a power of all deviations is
  a polynomial in r - R, the gap of the part. No digit is lost: values of 1e6 that differ by 1 have e of 1.

  Source: Chan, Golub, LeVeque (1983), doi:10.1080/00031305.1983.10483115, for squares; Pebay (2008), Sandia report
    SAND2008-6212, for higher powers
#}

{#
  Rejects a metric whose interval is made of more than moments that add up.

  Args:
    value: the value of the metric
#}
{% macro check_interval_of_parts(plan, value) -%}
    {%- set spread = sqlmetrics.spread_of_interval(value) -%}
    {%- set reason = sqlmetrics.why_not_of_parts(value, spread.get('root_of', spread)) if spread
        else 'its interval is a bootstrap, which draws from all rows' if sqlmetrics.can_be_resampled(plan, value) -%}
    {%- if reason -%}
        {{- sqlmetrics.refuse_metric(
            plan,
            "no state of periods makes its interval, since " ~ reason
                ~ "; ask for it without one, by a call of its own, or let evaluate compute the interval from the rows"
        ) -}}
    {%- endif -%}
{%- endmacro %}

{# Why a spread is not one of moments that add up; none if it is. #}
{% macro why_not_of_parts(value, spread) -%}
    {%- if spread['kind'] == 'auc' -%}
        {%- do return('it needs the place of each row among those of all periods') -%}
    {%- elif spread['unit'] in ('groups', 'clusters') -%}
        {%- do return('the rows of a group count as one unit, and a group may lie in several periods') -%}
    {%- elif 'of_unit' not in spread or 'leverage' in spread -%}
        {%- do return('how far a row moves it follows from the sums of all periods') -%}
    {%- elif not spread['equal'] and spread['kind'] != 'share'
        and (value['least'] is none or value['most'] is none) -%}
        {%- do return('its units count differently, and what each moves follows from the sums of all periods') -%}
    {%- endif -%}
    {%- do return(none) -%}
{%- endmacro %}

{#
  The sum of a power of the deviations, as `powers_of`. A state asks for the moments of its parts; a question over a
  state adds them up.
#}
{% macro powers_of_parts(plan, spread, power) -%}
    {%- set unit, name = sqlmetrics.units()[spread['unit']], plan['asked']['prefix'] -%}
    {%- set moments = [] -%}
    {%- for b in range(power + 1) -%}
        {%- do moments.append(sqlmetrics.moment_of_part(plan, spread, unit, power - b, b)) -%}
    {%- endfor -%}
    {%- if plan['question']['ends'] == 'sums' -%}{%- do return(moments[0]) -%}{%- endif -%}
    {%- set gap = sqlmetrics.need(
        plan, unit['deviations'], name ~ '_gap', spread['of_unit']['ratio'], more={'gap': true}
    ) -%}
    {#- by Horner's rule, from the last power of the gap on -#}
    {%- set ns = namespace(sum=moments[power], times=1) -%}
    {%- for b in range(power - 1, -1, -1) -%}
        {%- set ns.times = ns.times * (b + 1) // (power - b) -%}
        {%- set term = moments[b] if ns.times == 1 else ns.times ~ ' * ' ~ moments[b] -%}
        {%- set rest = gap ~ ' * ' ~ ns.sum -%}
        {%- set ns.sum = rest if moments[b] == '0' else '(' ~ term ~ ' + ' ~ rest ~ ')' -%}
    {%- endfor -%}
    {%- set sum = sqlmetrics.need(plan, unit['spreads'], name ~ sqlmetrics.name_of_power(power), ns.sum) -%}
    {%- if 'leverage' not in spread -%}{%- do return(sum) -%}{%- endif -%}
    {#- units that count alike have one leverage -#}
    {%- set kept = '(1 - ' ~ sqlmetrics.ratio('1', spread['below']) ~ ')' -%}
    {{- sqlmetrics.ratio(sum, ([kept] * power) | join(' * ')) -}}
{%- endmacro %}

{#
  The moment sum(e^a d^b) of a part. Where units count alike, d is 1 and the sum of e is 0.

  Args:
    unit: the entry of `units`
#}
{% macro moment_of_part(plan, spread, unit, a, b) -%}
    {%- set name = plan['asked']['prefix'] -%}
    {%- if spread['equal'] and b and a == 0 -%}
        {%- do return(none if plan['question']['ends'] == 'sums' else sqlmetrics.need(
            plan, unit['deviations'], name ~ '_counted_of_part', spread['below']
        )) -%}
    {%- elif spread['equal'] and b and a == 1 -%}
        {%- do return('0') -%}
    {%- elif spread['equal'] -%}
        {%- set b = 0 -%}
    {%- endif -%}
    {%- set factors = [] -%}
    {%- if plan['question']['ends'] == 'sums' -%}
        {%- set e = sqlmetrics.need(plan, unit['deviations'], name ~ '_deviation', spread['deviation']) if a -%}
        {%- set d = sqlmetrics.need(plan, unit['deviations'], name ~ '_divisor', spread['of_unit']['d']) if b -%}
        {%- set factors = [sqlmetrics.sql_factor(e)] * a + [sqlmetrics.sql_factor(d)] * b -%}
    {%- endif -%}
    {{- sqlmetrics.need(plan, unit['moments'], name ~ '_moment_' ~ a ~ '_' ~ b, factors | join(' * ')) -}}
{%- endmacro %}

{#
  sm_row_deviations, sm_list_deviations of a state: of each part of a slice, and of the total, the moments and how far
  its ratios are from those of all parts. The spreads are added up from them, as from those of units.

  Args:
    unit: rows or lists, a key of `units`
#}
{% macro stage_deviations_of_parts(plan, unit) -%}
{%- set named = sqlmetrics.units()[unit] -%}
{%- set parts, sums, columns = sqlmetrics.sliced(plan), 'sm_row_sums' if unit == 'rows' else 'sm_list_sums', [] -%}
{%- for column, need in plan['needs'][named['deviations']].items() -%}
    {%- set of_part = sqlmetrics.with_holes(need['inner'], {}, parts ~ '.sm_') -%}
    {%- do columns.append(
        (of_part ~ ' - ' ~ sqlmetrics.with_holes(need['inner'], {}, sums ~ '.sm_') if need.get('gap') else of_part)
            ~ ' as ' ~ column
    ) -%}
{%- endfor -%}
-- how far the ratios of each part of the state are from those of all
sm_{{ named['deviations'] }} as{{ sqlmetrics.sql_cte_inline() }} (
    select
        {{- sqlmetrics.lines(
            sqlmetrics.slice_keys(plan, sums ~ '.')
                + sqlmetrics.prefixed(plan['needs'][named['moments']], parts ~ '.') + columns, 8
        ) }}
    from {{ parts }}
    inner join {{ sums }} on {{ sqlmetrics.same_or_total(plan, parts, sums) }}
        and sm_grain = {{ "'rows'" if unit == 'rows' else sqlmetrics.grain_of_lists(plan) }}
)
{%- endmacro %}

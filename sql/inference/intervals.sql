{#
  Intervals of metrics (`interval=0.95`): columns <metric>_low and <metric>_high.

  A value knows how it spreads (language/values.sql). From that follow the templates of both ends.
#}

{# Rejects values that are not a confidence level, or so near to 0 or 1 that quantiles lack digits (math/normal.sql). #}
{% macro check_level(interval, asked='') -%}
    {%- if interval is not number or interval is boolean or not 1e-6 <= interval <= 0.999999 -%}
        {{- sqlmetrics.refuse(
            asked ~ "interval must be a number from 0.000001 to 0.999999, such as 0.95, got "
                ~ sqlmetrics.shown(interval)
        ) -}}
    {%- endif -%}
{%- endmacro %}

{# A value as an error message shows it: a text is marked as text, because it may look like a number. #}
{% macro shown(value) -%}{{ 'the text "' ~ value ~ '"' if value is string else value }}{%- endmacro %}

{# Adds the columns of a metric's interval beside it, and the kind of the interval. #}
{% macro add_interval(plan, name, notation, value) -%}
    {%- set spread, kind, ends = sqlmetrics.spread_of_interval(value), none, {'low': 'null', 'high': 'null'} -%}
    {%- if plan['question']['adds_up'] -%}{{- sqlmetrics.check_interval_of_parts(plan, value) -}}{%- endif -%}
    {%- set methods = sqlmetrics.interval_methods(plan, value) -%}
    {%- if plan['facts']['interval_method'] not in [none] + methods -%}
        {%- do plan['result']['without_method'].update({notation: methods}) -%}
    {%- endif -%}
    {%- if spread is not none and plan['facts']['interval_method'] != 'bootstrap' -%}
        {%- set kind = spread['kind'] -%}
        {%- set ends_of_kind = {
            'mean': sqlmetrics.ends_of_mean,
            'share': sqlmetrics.ends_of_share,
            'correlation': sqlmetrics.ends_of_correlation,
            'auc': sqlmetrics.ends_of_auc,
        }[kind] -%}
        {%- set ends = ends_of_kind(plan, value, spread, name) -%}
    {%- elif sqlmetrics.can_be_resampled(plan, value) and not sqlmetrics.is_anytime(plan) -%}
        {%- set kind, ends = 'bootstrap', sqlmetrics.resampled_ends(plan, name, notation, value) -%}
    {%- endif -%}
    {%- if plan['question']['reads'] == 'state' -%}{%- do sqlmetrics.require_held(plan) -%}{%- endif -%}
    {%- set later = 'later' in ends -%}
    {%- for end in ('low', 'high') -%}
        {%- do plan['result']['columns'].append({
            'name': name ~ '_' ~ end, 'notation': notation, 'end_of': name, 'kind': kind,
            'value': ends[end] if kind == 'bootstrap' or later else sqlmetrics.guarded(plan, ends[end]),
            'later': later,
        }) -%}
    {%- endfor -%}
{%- endmacro %}

{# The spread of a value, or of the share that it is a function of. #}
{% macro spread_of_interval(value) -%}
    {%- set spread = value['spread'] -%}
    {%- do return(spread.get('bent', spread) if spread else none) -%}
{%- endmacro %}

{# The methods that interval_method= may name for a value. #}
{% macro interval_methods(plan, value) -%}
    {%- set kind = (sqlmetrics.spread_of_interval(value) or {}).get('kind') -%}
    {%- do return(
        (['exact'] if kind == 'share' else [])
        + (['logit'] if kind == 'auc' else [])
        + (['bootstrap'] if sqlmetrics.can_be_resampled(plan, value) else [])
        + (['anytime'] if kind is not none else [])
    ) -%}
{%- endmacro %}

{#
  Rejects interval_method= if no metric of the call has this method. If some metrics have it, the others keep their
  default, or have no interval where looks at it would go with those of a sequence. A note of Python names them.
#}
{% macro check_interval_method(plan, metrics) -%}
    {%- set method, without, said = plan['facts']['interval_method'], plan['result']['without_method'], [] -%}
    {%- for notation, methods in without.items() -%}
        {%- do said.append(notation ~ ' takes ' ~ (methods | join(' and ') or 'none')) -%}
    {%- endfor -%}
    {%- if without and without | length == metrics | map(attribute='notation') | unique | list | length -%}
        {{- sqlmetrics.refuse(
            "interval_method=" ~ method ~ " is for " ~ {
                'exact': 'shares of rows, such as accuracy, and f1',
                'logit': 'auc and gini',
                'bootstrap': 'metrics that a draw of rows or lists can change, without subtopic=',
                'anytime': 'metrics that have a formula for their standard error, such as auc, log_loss and ndcg@10',
            }[method] ~ "; " ~ said | join(', ') ~ ". Leave it out for the default of each metric"
        ) -}}
    {%- endif -%}
{%- endmacro %}

{# Whether a value can be resampled: not one without an interval, nor with subtopics, which are joined by group. #}
{% macro can_be_resampled(plan, value) -%}
    {%- do return(value['resampled'] and plan['facts']['subtopic'] is none) -%}
{%- endmacro %}

{#
  For each unit: the grain of its influences (deviations), of the sums of their squares (spreads), of those of parts of
  the data (moments) and of its own sums, and the stage that has the number of units (counted_in).
#}
{% macro units() -%}
    {%- do return({
        'rows': {
            'deviations': 'row_deviations', 'spreads': 'row_spreads', 'moments': 'row_moments', 'sums': 'rows',
            'counted_in': 'sm_row_sums',
        },
        'lists': {
            'deviations': 'list_deviations', 'spreads': 'list_spreads', 'moments': 'list_moments', 'sums': 'list_sums',
            'counted_in': 'sm_list_sums',
        },
        'groups': {'spreads': 'group_spreads', 'sums': 'rows', 'counted_in': 'sm_group_spreads'},
        'clusters': {
            'deviations': 'cluster_deviations', 'spreads': 'cluster_spreads', 'sums': 'rows',
            'counted_in': 'sm_cluster_spreads',
        },
    }) -%}
{%- endmacro %}

{# Both ends of the interval of a mean, a ratio, or a smooth function of sums. #}
{% macro ends_of_mean(plan, value, spread, name) -%}
    {%- set root = 'root_of' in spread -%}
    {%- set spread = spread['root_of'] if root else spread -%}
    {%- set closed = value['least'] is not none and value['most'] is not none and 'leverage' not in spread -%}
    {%- set spread = spread if closed else sqlmetrics.with_leverage(plan, spread) -%}
    {%- set sums = sqlmetrics.sums_of_mean(plan, spread, skewed=closed or value['most'] is none) -%}
    {%- set critical = sqlmetrics.critical_value_of(plan, spread) if closed
        else sqlmetrics.critical_value_of_tails(plan, spread) -%}
    {%- do return(sqlmetrics.ask_ends(
        plan, name, value, dict(sums, critical=critical), closed, by_units=sqlmetrics.is_mean_of_units(spread),
        root=root, bend=spread.get('bend')
    )) -%}
{%- endmacro %}

{# Whether the variance of a value is that of a mean of values of all its units. #}
{% macro is_mean_of_units(spread) -%}
    {%- do return(
        spread['kind'] != 'auc' and 'classes' not in spread and 'carried_by' not in spread and 'leverage' not in spread
    ) -%}
{%- endmacro %}

{# A spread with the leverage of its units, if it is a ratio of sums: with equal denominators all have the same. #}
{% macro with_leverage(plan, spread) -%}
    {%- set denominator = spread.get('denominator') -%}
    {%- if 'leverage' in spread or denominator is none
        or spread['unit'] == 'rows' and denominator | trim == sqlmetrics.row_count_if(plan) | trim -%}
        {%- do return(spread) -%}
    {%- endif -%}
    {%- do return(dict(spread, leverage=sqlmetrics.ratio(denominator, spread['below']))) -%}
{%- endmacro %}

{#
  What the ends of a mean are made of (ends.sql).

  Args:
    skewed: false for a value whose ends do not read the skewness
#}
{% macro sums_of_mean(plan, spread, skewed=true) -%}
    {%- set squares = sqlmetrics.powers_of(plan, spread, 2) -%}
    {%- set scale, units = sqlmetrics.scale_of(plan, spread), sqlmetrics.units_of(plan, spread) -%}
    {%- set variance = sqlmetrics.ratio(squares, scale ~ ' * ' ~ scale) -%}
    {%- if 'leverage' in spread -%}
        {%- set rest = '(1 - ' ~ sqlmetrics.ratio('1', units) ~ ')' -%}
        {%- set variance = variance ~ ' * ' ~ rest ~ ' * ' ~ rest -%}
    {%- endif -%}
    {%- if 'classes' in spread -%}
        {%- do return(dict(sqlmetrics.sums_of_classes(spread, units), variance=variance)) -%}
    {%- elif not skewed -%}
        {%- do return({'variance': variance, 'units': units, 'skew': none}) -%}
    {%- endif -%}
    {%- set cubes = sqlmetrics.powers_of(plan, spread, 3) -%}
    {%- set sign = 'case when ' ~ scale ~ ' < 0 then -1 else 1 end' -%}
    {%- do return({
        'variance': variance, 'units': units,
        'skew': sign ~ ' * ' ~ sqlmetrics.ratio(cubes, squares ~ ' * sqrt(' ~ squares ~ ')'),
    }) -%}
{%- endmacro %}

{#
  The units and the skewness of a value that is known as well as the rarer class: its rows, or the groups. The skewness
  is the larger of both classes, null if all rows of one are right, or all are wrong: then its rows say nothing of how
  much they vary.
#}
{% macro sums_of_classes(spread, units) -%}
    {%- set all, squares = '(' ~ spread['classes'] | map(attribute='rows') | join(' + ') ~ ')', [] -%}
    {%- for class in spread['classes'] -%}
        {%- set ahead = '(' ~ class['right'] ~ ' - ' ~ class['wrong'] ~ ')' -%}
        {%- set n = '(' ~ units ~ ') * ' ~ sqlmetrics.ratio(class['rows'], all) -%}
        {%- do squares.append(sqlmetrics.ratio(
            sqlmetrics.sql_double(ahead) ~ ' * ' ~ ahead,
            sqlmetrics.sql_double(class['right']) ~ ' * ' ~ class['wrong'] ~ ' * ' ~ n
        )) -%}
    {%- endfor -%}
    {%- set one, other = squares -%}
    {%- set fewer = sqlmetrics.fewer_of(spread['classes'][0]['rows'], spread['classes'][1]['rows']) -%}
    {%- do return({
        'units': units if spread['unit'] == 'clusters' else sqlmetrics.ratio(fewer, all) ~ ' * ' ~ units,
        'skew': 'sqrt(case when ' ~ one ~ ' > ' ~ other ~ ' then ' ~ one ~ ' when ' ~ one ~ ' is not null then ' ~ other
            ~ ' end)',
    }) -%}
{%- endmacro %}

{# Both ends of the interval of a share: Wilson's, or Clopper and Pearson's. #}
{% macro ends_of_share(plan, value, spread, name) -%}
    {%- set share, rest = spread['share'], '(1 - ' ~ spread['share'] ~ ')' -%}
    {%- set z = sqlmetrics.normal_critical_value((1 + plan['facts']['interval']) / 2) -%}
    {%- if sqlmetrics.is_anytime(plan) and spread['unit'] == 'groups' -%}
        {%- do return(sqlmetrics.ends_of_mean(plan, value, spread, name)) -%}
    {%- endif -%}
    {%- set rows = sqlmetrics.effective_rows(plan, spread, z) -%}
    {%- if sqlmetrics.is_anytime(plan) -%}
        {%- do return(sqlmetrics.ask_ends(plan, name, value, {
            'variance': sqlmetrics.ratio(share ~ ' * ' ~ rest, rows), 'units': rows, 'skew': 'null', 'critical': z,
        }, closed=true, bend=spread.get('bend'))) -%}
    {%- endif -%}
    {%- set ends = sqlmetrics.exact_ends(plan, share, rows) if plan['facts']['interval_method'] == 'exact' else {
        'low': sqlmetrics.wilson_low(share, rows, z), 'high': '(1 - ' ~ sqlmetrics.wilson_low(rest, rows, z) ~ ')',
    } -%}
    {%- do return({
        'low': sqlmetrics.bent(ends['low'], spread.get('bend')),
        'high': sqlmetrics.bent(ends['high'], spread.get('bend')),
    }) -%}
{%- endmacro %}

{#
  Both ends of the interval of a correlation: by the influence of rows, as those of any value whose range is open, or by
  a known variance on Fisher's scale.
#}
{% macro ends_of_correlation(plan, value, spread, name) -%}
    {%- if 'by_influence' in spread -%}
        {%- do return(sqlmetrics.ends_of_mean(plan, value, spread['by_influence'], name)) -%}
    {%- endif -%}
    {%- set rows, ends = sqlmetrics.effective_rows(plan, spread), {} -%}
    {%- set z = sqlmetrics.normal_critical_value((1 + plan['facts']['interval']) / 2) -%}
    {%- set off = sqlmetrics.widened(plan, z, rows) ~ ' * sqrt('
        ~ sqlmetrics.ratio(spread['square'], 'case when ' ~ rows ~ ' > 3 then ' ~ rows ~ ' - 3 end') ~ ')' -%}
    {#- a correlation of 1 has no spread on this scale; rounding leaves 1 - 1e-16 -#}
    {%- set there = rows ~ ' > 3 and abs(' ~ value['sql'] ~ ') < 0.99999999999' -%}
    {%- for end, sign in (('low', '-'), ('high', '')) -%}
        {%- do ends.update({
            end: 'case when ' ~ there ~ ' then ' ~ sqlmetrics.fisher_end(value['sql'], sign ~ off) ~ ' end',
        }) -%}
    {%- endfor -%}
    {%- do return(ends) -%}
{%- endmacro %}

{#
  The effective number of rows: the number of independent rows for which a share would be as uncertain as it
  is here.

  Without weights and lists it is the number of rows. With weights it is the number of equally weighted rows
  with the same sum and sum of squares. With lists it is the number that gives the variance and interval by
  Student's t, or the number of lists if they all agree.

  Source: Kish, Survey Sampling (1965), 11.7; Korn and Graubard (1998), Confidence intervals for proportions
    with small expected number of positive counts estimated from survey data
#}
{% macro effective_rows(plan, spread, z=none) -%}
    {%- set total = sqlmetrics.scale_of(plan, spread) -%}
    {%- if spread['unit'] == 'groups' -%}
        {%- set share, units = spread['share'], sqlmetrics.units_of(plan, spread) -%}
        {%- set t = sqlmetrics.critical_value_of(plan, spread) -%}
        {%- set variance = sqlmetrics.variance_of(plan, spread) -%}
        {#- rounding errors of a deviation that should be 0 are below 1e-20 -#}
        (case when {{ sqlmetrics.squares_of(plan, spread) }} > 1e-20 * {{ total }} * {{ total }}
            then {{ share }} * (1 - {{ share }}) * {{ z * z }} / ({{ variance }} * {{ t }} * {{ t }})
            when {{ units }} > 1 then {{ sqlmetrics.sql_double(units) }} end)
    {%- elif plan['facts']['weight'] is none -%}
        {{- total -}}
    {%- else -%}
        {#- as `units_of` has it, so that both are one sum -#}
        {%- set count = sqlmetrics.sql_double(spread['counts']) -%}
        {{- sqlmetrics.ratio(
            total ~ ' * ' ~ total,
            sqlmetrics.need(plan, 'rows', plan['asked']['prefix'] ~ '_squares_counted', count ~ ' * ' ~ count),
        ) -}}
    {%- endif -%}
{%- endmacro %}

{#
  The variance of a value of m units, by linearisation: m / (m - 1) * sum(deviation^2) / scale^2. For a ratio
  R of sums of n and d the deviation is n - R d and the scale is sum(d); for d = 1 this is the variance of a
  mean. Where the units have a leverage, it is the jackknife's, (m - 1) / m in place of m / (m - 1).

  Source: Cochran, Sampling Techniques (1977), 6.3
#}
{% macro variance_of(plan, spread) -%}
    {%- set units, scale = sqlmetrics.units_of(plan, spread), sqlmetrics.scale_of(plan, spread) -%}
    {%- if 'leverage' in spread -%}
        {%- do return(sqlmetrics.ratio(
            '(' ~ units ~ ' - 1) * ' ~ sqlmetrics.squares_of(plan, spread), units ~ ' * ' ~ scale ~ ' * ' ~ scale
        )) -%}
    {%- endif -%}
    {{- sqlmetrics.ratio(
        units ~ ' * ' ~ sqlmetrics.squares_of(plan, spread), '(' ~ units ~ ' - 1) * ' ~ scale ~ ' * ' ~ scale
    ) -}}
{%- endmacro %}

{# The sum of the squared deviations of units. #}
{% macro squares_of(plan, spread) -%}{%- do return(sqlmetrics.powers_of(plan, spread, 2)) -%}{%- endmacro %}

{#
  The sum of a power of the deviations of units, 2 to 4. Where the units have a leverage, a deviation is divided by 1
  less it: that is how far the value moves if the unit is left out.

  Source: Miller (1974), doi:10.1093/biomet/61.1.1, for the jackknife
#}
{% macro powers_of(plan, spread, power) -%}
    {%- if plan['question']['adds_up'] -%}
        {%- do return(sqlmetrics.powers_of_parts(plan, spread, power)) -%}
    {%- endif -%}
    {%- set unit, name = sqlmetrics.units()[spread['unit']], plan['asked']['prefix'] -%}
    {%- set leverage = spread.get('leverage') -%}
    {%- if spread['unit'] == 'groups' -%}
        {%- set sums, counts = spread['of_unit'], sqlmetrics.counts_of_group(plan, spread) -%}
        {%- set n = sqlmetrics.need(plan, 'group_sums', name ~ '_of_group', sums['n']) -%}
        {%- set deviation = '(' ~ n ~ ' - ' ~ sums['ratio'] ~ ' * ' ~ counts ~ ')' -%}
        {%- if leverage is not none -%}
            {%- set deviation = sqlmetrics.without_unit(deviation, sqlmetrics.ratio(counts, spread['below'])) -%}
        {%- endif -%}
    {%- elif leverage is none -%}
        {%- set deviation = sqlmetrics.need(plan, unit['deviations'], name ~ '_deviation', spread['deviation']) -%}
    {%- elif spread['unit'] == 'clusters' -%}
        {%- set deviation = sqlmetrics.without_unit(
            sqlmetrics.need(plan, unit['deviations'], name ~ '_deviation', spread['deviation']),
            sqlmetrics.need(plan, unit['deviations'], name ~ '_leverage', leverage),
        ) -%}
    {%- else -%}
        {%- set deviation = sqlmetrics.need(
            plan, unit['deviations'], name ~ '_left_out', sqlmetrics.without_unit(spread['deviation'], leverage)
        ) -%}
    {%- endif -%}
    {%- set factors = [sqlmetrics.sql_factor(deviation)] * power -%}
    {{- sqlmetrics.need(plan, unit['spreads'], name ~ sqlmetrics.name_of_power(power), factors | join(' * ')) -}}
{%- endmacro %}

{# The end of the name of such a sum. #}
{% macro name_of_power(power) -%}{{ {2: '_squares', 3: '_cubes', 4: '_fourths'}[power] }}{%- endmacro %}

{# The deviation of a unit, divided by 1 less its leverage. #}
{% macro without_unit(deviation, leverage) -%}
    ({{ sqlmetrics.ratio(deviation, '(1 - ' ~ leverage ~ ')') }})
{%- endmacro %}

{#
  The number of units that count. For rows or lists that count differently it is the effective number of equally
  weighted ones: the plain number would give too narrow an interval if a few have most of the weight.

  Source: Kish, Survey Sampling (1965), 11.7
#}
{% macro units_of(plan, spread) -%}
    {%- set counts = spread.get('carried_by') or spread['counts'] -%}
    {%- set plain = spread['unit'] == 'rows' and counts | trim == sqlmetrics.row_count_if(plan) | trim -%}
    {%- if plan['question']['adds_up'] and spread['equal'] -%}{%- do return(spread['below']) -%}{%- endif -%}
    {%- if spread['unit'] in ('lists', 'rows') and not plain -%}
        {%- set grain = sqlmetrics.units()[spread['unit']]['sums'] -%}
        {%- set total = sqlmetrics.sql_double(
            sqlmetrics.need(plan, grain, plan['asked']['prefix'] ~ '_counted', counts)
        ) -%}
        {%- set count = sqlmetrics.sql_double(counts) -%}
        {%- set squares = sqlmetrics.need(
            plan, grain, plan['asked']['prefix'] ~ '_squares_counted', count ~ ' * ' ~ count
        ) -%}
        {%- do return(sqlmetrics.ratio(total ~ ' * ' ~ total, squares)) -%}
    {%- elif spread['unit'] == 'groups' -%}
        {%- set counts = sqlmetrics.counts_of_group(plan, spread) -%}
    {%- elif spread['unit'] == 'clusters' -%}
        {%- set counts = sqlmetrics.need(plan, 'cluster_deviations', plan['asked']['prefix'] ~ '_counts', counts) -%}
    {%- endif -%}
    {%- set grain = 'rows' if spread['unit'] == 'rows' else sqlmetrics.units()[spread['unit']]['spreads'] -%}
    {%- set units = 'case when ' ~ counts ~ ' <> 0 then 1 else 0 end' -%}
    {{- sqlmetrics.need(plan, grain, plan['asked']['prefix'] ~ '_units', units) -}}
{%- endmacro %}

{# The total count of the rows of a list. #}
{% macro counts_of_group(plan, spread) -%}
    {{- sqlmetrics.need(plan, 'group_sums', plan['asked']['prefix'] ~ '_counted_of_group', spread['of_unit']['d']) -}}
{%- endmacro %}

{# The divisor of the deviations. #}
{% macro scale_of(plan, spread) -%}
    {%- if spread['scale'] is not none -%}
        {{- spread['scale'] -}}
    {%- elif plan['question']['adds_up'] -%}
        {#- the sum that the value has already -#}
        {{- sqlmetrics.sql_double(spread['below']) -}}
    {%- else -%}
        {%- set grain = sqlmetrics.units()[spread['unit']]['sums'] -%}
        {%- set name = plan['asked']['prefix'] ~ '_counted' -%}
        {{- sqlmetrics.sql_double(sqlmetrics.need(plan, grain, name, spread['counts'])) -}}
    {%- endif -%}
{%- endmacro %}

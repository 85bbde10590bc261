{#
  What the interval of a difference says beside a margin, the smallest difference that matters.

  The verdict follows from the interval alone, at the level of the call. The p-value of equivalence is the larger of two
  one-sided ones: that the difference is as low as one end of the margin, or as high as the other. It is at most
  (1 - interval) / 2 exactly if the interval lies within the margin. So the two tests at 5 % are those of an interval of
  90 %, and an interval of 95 %, the default, is stricter. An end that is at a border up to rounding has not passed it.

  Source: two one-sided tests: Schuirmann (1987), doi:10.1007/BF01068419; verdicts by the place of the interval: Piaggio
    and others (2012), CONSORT for noninferiority and equivalence trials, doi:10.1001/jama.2012.87802
#}

{#
  The margin of each compared metric, by its number, or another difference of each.

  Args:
    margin: a number for all metrics, or a mapping of their names to numbers
    named: the argument, for messages
  Errors: a margin that is not a number above 0; a name that is no metric of the call
#}
{% macro margins_of(plan, margin, named='margin') -%}
    {%- set margins, names = {}, {} -%}
    {%- for metric in plan['compared_metrics'] -%}
        {%- do names.update({metric['notation']: loop.index, metric['name']: loop.index}) -%}
    {%- endfor -%}
    {%- for name, value in (margin if margin is mapping and margin else {none: margin}).items() -%}
        {%- if name is not none and name not in names -%}
            {{- sqlmetrics.refuse(
                named ~ "= has '" ~ name ~ "', which is no metric of this call. Metrics: "
                    ~ plan['compared_metrics'] | map(attribute='name') | join(', ')
            ) -}}
        {%- elif value is not number or value is boolean or not 0 < value < 1e300 -%}
            {{- sqlmetrics.refuse(
                named ~ "= takes a number above 0, the "
                    ~ ('smallest difference that matters' if named == 'margin' else 'difference to detect')
                    ~ ", or a mapping of metrics to such numbers, got " ~ sqlmetrics.shown(value)
                    ~ (" for '" ~ name ~ "'" if name is not none)
            ) -}}
        {%- endif -%}
        {%- for number in names.values() if name is none or number == names[name] -%}
            {%- do margins.update({number: value}) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do return(margins) -%}
{%- endmacro %}

{#
  The ends of the interval of a difference, over the columns of sm_estimates: its standard errors to either side, or
  those of `with_ends_of_shares`, within -1 and 1.

  Args:
    table: where the columns of a row are, with a point, where a column of the same name is elsewhere, too
#}
{% macro ends_of_difference(plan, table='') -%}
    {%- if plan['question']['own']['test'] == 'bootstrap' -%}
        {%- do return({'low': 'sm_low', 'high': 'sm_high'}) -%}
    {%- endif -%}
    {%- set ends = {} -%}
    {%- for name, sign, limit in (('low', '-', -1), ('high', '+', 1)) -%}
        {%- set end = 'sm_' ~ name ~ '_of_shares' -%}
        {%- do ends.update({name: sqlmetrics.by_share(
            plan,
            'case when abs(' ~ end ~ ') < 1 then ' ~ end ~ ' when ' ~ end ~ ' is not null then ' ~ limit ~ ' end',
            'sm_estimate ' ~ sign ~ ' sm_critical_value * sm_standard_error',
            table,
        )}) -%}
    {%- endfor -%}
    {%- do return(ends) -%}
{%- endmacro %}

{#
  What the share of rows that differ is at least, by the half row of a continuity correction, where shares of rows
  differ by as much.
#}
{% macro share_that_differs(difference) -%}
    ({{ difference }} + 0.5 / {{ sqlmetrics.sql_double('sm_n_pairs') }})
{%- endmacro %}

{#
  A query with the columns of another and the ends of intervals of differences of shares, sm_low_of_shares and
  sm_high_of_shares.

  They are the d0 of which the difference d is as far as the critical value z: (d - d0)^2 / ((p - d0^2) / n) = z^2,
  where p is the share of rows that differ. A difference of d0 needs rows that differ, so p is the larger of
  s^2 n, where s is the standard error of a difference of 0, and `share_that_differs`. Both equations are quadratic in
  d0, and the farther root is the end.

  Source: the variance at the tested difference: Tango (1998),
    doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B, here without the likelihood of its nuisance
#}
{% macro with_ends_of_shares(plan, query) -%}
{%- set n, d, z = sqlmetrics.sql_double('sm_n_pairs'), 'sm_estimate', 'sm_critical_value' -%}
{%- set r = '(' ~ z ~ ' * ' ~ z ~ ' / ' ~ n ~ ')' -%}
{%- set found, ends = [], [] -%}
{%- for name, sign in (('low', '-'), ('high', '+')) -%}
    {%- set root = 'sqrt(sm_standard_error * sm_standard_error * (1 + ' ~ r ~ ') - ' ~ d ~ ' * ' ~ d ~ ' / ' ~ n
        ~ ')' -%}
    {%- do found.append(sqlmetrics.by_share(
        plan, '(' ~ d ~ ' ' ~ sign ~ ' ' ~ z ~ ' * ' ~ root ~ ') / (1 + ' ~ r ~ ')', sqlmetrics.sql_double('null')
    ) ~ ' as sm_' ~ name ~ '_as_found') -%}
    {#- the same to either side, as if the end were above 0 -#}
    {%- set x = '(0 - ' ~ d ~ ')' if name == 'low' else d -%}
    {%- set root = 'sqrt((' ~ x ~ ' * (1 - ' ~ x ~ ') + ' ~ r ~ ' / 4 + 0.5 * (1 + ' ~ r ~ ') / ' ~ n ~ ') / ' ~ n
        ~ ')' -%}
    {%- do ends.append(
        'case when abs(sm_' ~ name ~ '_as_found) + 0.5 / ' ~ n ~ ' <= sm_standard_error * sm_standard_error * ' ~ n
        ~ ' or sm_' ~ name ~ '_as_found is null then sm_' ~ name ~ '_as_found else ' ~ ('0 - ' if name == 'low')
        ~ '(' ~ x ~ ' + ' ~ r ~ ' / 2 + ' ~ z ~ ' * ' ~ root ~ ') / (1 + ' ~ r ~ ') end as sm_' ~ name ~ '_of_shares'
    ) -%}
{%- endfor -%}
select
        {{- sqlmetrics.lines(['sm_as_found.*'] + ends, 8) }}
    from (
        select
            {{- sqlmetrics.lines(['sm_of_shares.*'] + found, 12) }}
        from (
            {{ query }}
        ) as sm_of_shares
    ) as sm_as_found
{%- endmacro %}

{# An end of such an interval, over sm_asked: no further from 0 than the range of the metric is wide. #}
{% macro within_range_of_difference(plan, end, beyond, sign='') -%}
    {%- set cases = [] -%}
    {%- for metric in plan['compared_metrics'] if metric['most'] is not none and metric['least'] is not none -%}
        {%- set limit = sign ~ sqlmetrics.sql_double(metric['most'] - metric['least']) -%}
        {%- do cases.append(
            'when sm_asked.sm_metric = ' ~ metric['i'] ~ ' and ' ~ end ~ ' ' ~ beyond ~ ' ' ~ limit ~ ' then ' ~ limit
        ) -%}
    {%- endfor -%}
    {{- 'case ' ~ cases | join(' ') ~ ' else ' ~ end ~ ' end' if cases else end -}}
{%- endmacro %}

{# A difference to detect, over sm_asked: null if the range of the metric is narrower, so that none is as large. #}
{% macro detectable_difference(plan, difference) -%}
    {%- set cases = [] -%}
    {%- for metric in plan['compared_metrics'] if metric['most'] is not none and metric['least'] is not none -%}
        {%- do cases.append(
            'when sm_asked.sm_metric = ' ~ metric['i'] ~ ' and ' ~ difference ~ ' > '
                ~ sqlmetrics.sql_double(metric['most'] - metric['least']) ~ ' then null'
        ) -%}
    {%- endfor -%}
    {{- 'case ' ~ cases | join(' ') ~ ' else ' ~ difference ~ ' end' if cases else difference -}}
{%- endmacro %}

{# The smallest difference that the test detects, over sm_asked and sm_estimates. A mean of slices may be null. #}
{% macro minimum_detectable(plan) -%}
    {%- set least = '(sm_critical_value + sm_power_value) * sm_standard_error' -%}
    {%- if sqlmetrics.means_slices(plan) -%}
        {%- set least = '(case when sm_estimate is not null then ' ~ least ~ ' end)' -%}
    {%- endif -%}
    {{- sqlmetrics.detectable_difference(plan, least) -}}
{%- endmacro %}

{# The numbers of the metrics whose lower values are better, and of those without a better direction. #}
{% macro compared_directions(plan) -%}
    {%- set lower, neither = [], [] -%}
    {%- for metric in plan['compared_metrics'] if metric['better'] != 'higher' -%}
        {%- set number = plan['compared_metrics'].index(metric) + 1 -%}
        {%- do (lower if metric['better'] == 'lower' else neither).append(number) -%}
    {%- endfor -%}
    {%- do return({'lower': lower, 'neither': neither}) -%}
{%- endmacro %}

{#
  sm_verdicts: for each row of sm_estimates the margin (sm_margin), the p-value of equivalence (sm_p_equivalence) and
    the verdict (sm_verdict), null without an interval.
#}
{% macro stages_of_verdicts(plan) -%}
{%- set keys = sqlmetrics.pair_keys(plan) -%}
{%- set resampled = plan['question']['own']['test'] == 'bootstrap' -%}
{%- set margins = {} -%}
{%- for metric in plan['compared_metrics'] -%}
    {%- set margin = plan['question']['own']['margins'].get(loop.index) -%}
    {%- do margins.update({(loop.index, none): sqlmetrics.sql_double('null' if margin is none else margin)}) -%}
{%- endfor -%}
{%- set margin, ends = sqlmetrics.by_alternative(margins), sqlmetrics.ends_of_difference(plan) -%}
{%- set directions = sqlmetrics.compared_directions(plan) -%}
{%- set of_direction = 'case when sm_least > 0 then ' ~ sqlmetrics.sql_text('better')
    ~ ' when sm_most < 0 then ' ~ sqlmetrics.sql_text('worse')
    ~ ' when sm_least > -sm_border then ' ~ sqlmetrics.sql_text('not worse')
    ~ ' when sm_least is not null then ' ~ sqlmetrics.sql_text('undecided') ~ ' end' -%}
{%- set of_neither = 'case when sm_least > 0 or sm_most < 0 then ' ~ sqlmetrics.sql_text('differs')
    ~ ' when sm_least is not null then ' ~ sqlmetrics.sql_text('undecided') ~ ' end' -%}
-- the ends of the interval, the margin, and where it begins for numbers that differ from it only by rounding
sm_margins as{{ sqlmetrics.sql_cte_shared() }} (
    select
        {{- sqlmetrics.lines([
            'sm_estimates.*',
            ends['low'] ~ ' as sm_low_end',
            ends['high'] ~ ' as sm_high_end',
            margin ~ ' as sm_margin',
            margin ~ ' - 1e-12 * (abs(sm_baseline_value) + abs(sm_candidate_value)) as sm_border',
        ], 8) }}
    from sm_estimates
),

{{ sqlmetrics.stage_equivalence_of_replicates(keys) if resampled else sqlmetrics.stage_equivalence_of_t(plan) }},

-- where the interval lies beside 0 and the margin, the better side above
sm_verdicts as (
    select
        {{- sqlmetrics.lines(keys + [
            'sm_margin',
            'sm_p_equivalence',
            'case when sm_least > -sm_border and sm_most < sm_border then ' ~ sqlmetrics.sql_text('equivalent')
                ~ ' else ' ~ sqlmetrics.by_metric(directions['neither'], of_neither, of_direction)
                ~ ' end as sm_verdict',
        ], 8) }}
    from (
        select
            {{- sqlmetrics.lines(keys + [
                'sm_margin',
                'sm_border',
                sqlmetrics.as_p_value('sm_chance_of_more') ~ ' as sm_p_equivalence',
                sqlmetrics.by_metric(directions['lower'], '-sm_high_end', 'sm_low_end') ~ ' as sm_least',
                sqlmetrics.by_metric(directions['lower'], '-sm_low_end', 'sm_high_end') ~ ' as sm_most',
            ], 12) }}
        from sm_equivalences
    ) as sm_turned
)
{%- endmacro %}

{# The larger one-sided p-value, by the distribution of the interval: from how far the nearer margin is. #}
{% macro stage_equivalence_of_t(plan) -%}
{%- set shape = sqlmetrics.student_t_shape('sm_room', 'sm_df') -%}
{%- set of_t = sqlmetrics.student_t_tail('sm_room', 'sm_df', 'sm_slope', 'sm_width') -%}
{%- set chance = sqlmetrics.anytime_chance_of_more(plan, 'sm_room') if sqlmetrics.is_anytime(plan)
    else sqlmetrics.by_share(plan, sqlmetrics.normal_sf('sm_room'), of_t) -%}
{#- of shares, as for their ends; a margin that no difference can reach is far away -#}
{%- set n, squared = sqlmetrics.sql_double('sm_n_pairs'), 'sm_standard_error * sm_standard_error' -%}
{%- set least = sqlmetrics.share_that_differs('sm_margin') ~ ' / ' ~ n -%}
{%- set error = sqlmetrics.by_share(
    plan,
    'case when sm_standard_error > 0 and sm_margin <= 1 then sqrt(case when ' ~ squared ~ ' > ' ~ least ~ ' then '
        ~ squared ~ ' else ' ~ least ~ ' end - sm_margin * sm_margin / ' ~ n
        ~ ') when sm_standard_error > 0 then (sm_margin - abs(sm_estimate)) / 30 end',
    'sm_standard_error',
) -%}
-- the distance of the nearer margin in standard errors, and its tail
sm_equivalences as (
    select
        {{- sqlmetrics.lines(['sm_shapes.*', chance ~ ' as sm_chance_of_more'], 8) }}
    from (
        select
            {{- sqlmetrics.lines(['sm_rooms.*'] + ([] if sqlmetrics.is_anytime(plan) else [
                shape['slope'] ~ ' as sm_slope', shape['width'] ~ ' as sm_width',
            ]), 12) }}
        from (
            select
                sm_margins.*,
                (sm_margin - abs(sm_estimate)) / ({{ error }}) as sm_room
            from sm_margins
        ) as sm_rooms
    ) as sm_shapes
)
{%- endmacro %}

{#
  The larger one-sided p-value of a bootstrap: 1 more than the replicates at or beyond the nearer margin, of one more
  than all, as `stages_of_bootstrapped` has it for 0. The replicates are those that make the ends: the moved ones and,
  where these reach farther, those as they are.
#}
{% macro stage_equivalence_of_replicates(keys) -%}
{%- set counts = [] -%}
{%- for name, end, is_beyond in (('below', 'low', ' <= -sm_border'), ('above', 'high', ' >= sm_border')) -%}
    {%- do counts.append(
        'sum(case when ' ~ sqlmetrics.moved_replicate('sm_value', end) ~ is_beyond ~ ' or sm_value' ~ is_beyond
            ~ ' and ' ~ sqlmetrics.replicates_hold_zero() ~ ' then 1 else 0 end) as sm_' ~ name
    ) -%}
{%- endfor -%}
-- how many replicates are at or beyond a margin
sm_equivalences as (
    select
        {{- sqlmetrics.lines(sqlmetrics.prefixed(keys, 'sm_margins.') + [
            'sm_margin',
            'sm_border',
            'sm_low_end',
            'sm_high_end',
            'case when sm_low_end is not null and sm_margin is not null then ' ~ sqlmetrics.ratio(
                '1 + case when sm_below > sm_above then sm_below else sm_above end', 'sm_defined + 1'
            ) ~ ' end as sm_chance_of_more',
        ], 8) }}
    from sm_margins
    left join (
        select
            {{- sqlmetrics.lines(
                sqlmetrics.prefixed(keys, 'sm_replicated_values.') + ['count(sm_value) as sm_defined'] + counts, 12
            ) }}
        from sm_replicated_values
        inner join sm_ends on {{ sqlmetrics.same_keys(keys, 'sm_replicated_values', 'sm_ends') }}
        inner join sm_margins on {{ sqlmetrics.same_keys(keys, 'sm_replicated_values', 'sm_margins') }}
        group by {{ sqlmetrics.prefixed(keys, 'sm_replicated_values.') | join(', ') }}
    ) as sm_beyond on {{ sqlmetrics.same_keys(keys, 'sm_margins', 'sm_beyond') }}
)
{%- endmacro %}
